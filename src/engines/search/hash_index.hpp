#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace bnnplan::engines {

constexpr std::uint32_t no_index = 0xffffffff;

// Mixes a word into a hash: the high bits of a product depend on all bits.
inline std::uint64_t mixed_hash(std::uint64_t hash, std::uint64_t word) {
  const std::uint64_t product = (hash ^ word) * 0x9e3779b97f4a7c15;
  return product ^ product >> 32;
}

// Finds numbered things by hash: open addressing with linear probing. Besides the number each slot has one
// byte of the hash, so that a thing itself, far away in memory, is examined only if it is almost certainly
// the right one. Five bytes a slot, at most three quarters full.
class HashIndex {
 public:
  explicit HashIndex(std::size_t slots = 1024) : tags_(slots, 0), numbers_(slots) {}  // a power of two

  // The number inserted with this hash for which equal(number) holds; no_index if not found.
  template <class Equal>
  std::uint32_t find(std::uint64_t hash, Equal equal) const {
    const std::uint8_t tag = tag_of(hash);
    for (std::size_t slot = slot_of(hash); tags_[slot] != 0; slot = (slot + 1) & (tags_.size() - 1)) {
      if (tags_[slot] == tag && equal(numbers_[slot])) return numbers_[slot];
    }
    return no_index;
  }

  // Adds a number that is not present. hash_of(number) returns the hash of any number added before.
  template <class HashOf>
  void insert(std::uint64_t hash, std::uint32_t number, HashOf hash_of) {
    if (4 * (size_ + 1) > 3 * tags_.size()) grow(hash_of);
    place(hash, number);
    ++size_;
  }

  // Starts loading what find(hash) will access.
  void prefetch(std::uint64_t hash) const {
    __builtin_prefetch(tags_.data() + slot_of(hash));
    __builtin_prefetch(numbers_.data() + slot_of(hash));
  }

  std::size_t bytes() const { return tags_.size() * slot_bytes; }
  // The bytes that this many insertions would add: the slots double at once.
  std::size_t bytes_of_growth(std::size_t insertions) const {
    return 4 * (size_ + insertions) > 3 * tags_.size() ? tags_.size() * slot_bytes : 0;
  }

 private:
  static constexpr std::size_t slot_bytes = 5;

  static std::uint8_t tag_of(std::uint64_t hash) { return static_cast<std::uint8_t>(hash & 0xff) | 1; }
  std::size_t slot_of(std::uint64_t hash) const {
    return static_cast<std::size_t>(hash * 0x9e3779b97f4a7c15 >> (64 - std::countr_zero(tags_.size())));
  }

  void place(std::uint64_t hash, std::uint32_t number) {
    std::size_t slot = slot_of(hash);
    while (tags_[slot] != 0) slot = (slot + 1) & (tags_.size() - 1);
    tags_[slot] = tag_of(hash);
    numbers_[slot] = number;
  }

  // The old slots are freed first: everything needed to fill the new ones is elsewhere.
  template <class HashOf>
  void grow(HashOf hash_of) {
    const std::size_t slots = 2 * tags_.size();
    tags_ = std::vector<std::uint8_t>();
    numbers_ = std::vector<std::uint32_t>();
    tags_.assign(slots, 0);
    numbers_.resize(slots);
    for (std::uint32_t number = 0; number < size_; ++number) place(hash_of(number), number);
  }

  std::vector<std::uint8_t> tags_;      // 0: free
  std::vector<std::uint32_t> numbers_;  // 0 to size_ - 1
  std::size_t size_ = 0;
};

}  // namespace bnnplan::engines
