#pragma once

#include <array>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace bnnplan::engines {

// A radix heap (Ahuja, Mehlhorn, Orlin, Tarjan: Faster algorithms for the shortest path problem, 1990): a
// priority queue for keys that are never smaller than the one popped last. An entry whose key differs from
// that key first in bit b waits in bucket b + 1; when the buckets below are empty, the lowest non-empty one
// is spread over them. An entry moves down at most once per bit of the largest difference, so small costs
// behave as in a bucket queue and large ones (scaled decimals) cost no more than a heap, without comparisons.
//
// Entries of equal key come last in, first out: the search goes deep among equals, which finds a goal in the
// last bucket without processing the rest of it. Buckets are made of blocks that are reused, so that the
// memory is that of the entries.
class RadixQueue {
 public:
  struct Entry {
    std::int64_t key;
    std::uint32_t value;
    std::uint32_t tag;
  };

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return blocks_made_ * sizeof(Block); }

  // Requires entry.key >= the key popped last (0 at first).
  void push(const Entry& entry) {
    assert(entry.key >= last_);
    append(buckets_[bucket_of(entry.key)], entry);
    ++size_;
  }

  // Makes the smallest key the one popped last, so that has_more_of_key(). Its entries that have a rank will
  // come first, the lowest rank first of all; otherwise the order is unchanged. Requires !empty() and
  // !has_more_of_key().
  template <class Rank>
  void begin_key(Rank rank_of) {
    assert(!empty() && !has_more_of_key());
    spread_lowest();
    std::map<std::int64_t, std::vector<Entry>> ranked;
    std::size_t kept = 0;
    const auto place = [&](std::size_t number) -> Entry& {
      return buckets_[0][number / block_entries]->entries[number % block_entries];
    };
    for (const auto& block : buckets_[0]) {  // all but the last are full
      for (std::size_t i = 0; i < block->count; ++i) {
        if (const std::optional<std::int64_t> rank = rank_of(block->entries[i])) {
          ranked[*rank].push_back(block->entries[i]);
        } else {
          place(kept++) = block->entries[i];
        }
      }
    }
    for (auto of_rank = ranked.rbegin(); of_rank != ranked.rend(); ++of_rank) {
      for (const Entry& entry : of_rank->second) place(kept++) = entry;
    }
  }

  // Removes an entry of the smallest key. Requires !empty().
  Entry pop() {
    if (buckets_[0].empty()) spread_lowest();
    Block& block = *buckets_[0].back();
    const Entry entry = block.entries[--block.count];
    if (block.count == 0) recycle(buckets_[0]);
    --size_;
    return entry;
  }

  // Whether an entry with the key popped last is left.
  bool has_more_of_key() const { return !buckets_[0].empty(); }

  // Visits all entries, in an order in which restore() and push() rebuild the same queue.
  template <class Visit>
  void visit_all(Visit visit) const {
    for (const Bucket& bucket : buckets_) {
      for (const auto& block : bucket) {
        for (std::size_t i = 0; i < block->count; ++i) visit(block->entries[i]);
      }
    }
  }
  std::int64_t last_key() const { return last_; }            // popped last; 0 at first
  void restore(std::int64_t last_key) { last_ = last_key; }  // requires empty()

  // Visits entries near the front, those to be popped next first as far as that is known, until visit returns
  // false.
  template <class Visit>
  void look_ahead(Visit visit) const {
    for (const Bucket& bucket : buckets_) {
      for (auto block = bucket.rbegin(); block != bucket.rend(); ++block) {
        for (std::size_t i = (*block)->count; i > 0; --i) {
          if (!visit((*block)->entries[i - 1])) return;
        }
      }
    }
  }

 private:
  static constexpr std::size_t block_entries = 255;
  struct Block {
    std::size_t count;
    std::array<Entry, block_entries> entries;
  };
  using Bucket = std::vector<std::unique_ptr<Block>>;

  std::size_t bucket_of(std::int64_t key) const {
    return static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(key ^ last_)));
  }

  void append(Bucket& bucket, const Entry& entry) {
    if (bucket.empty() || bucket.back()->count == block_entries) {
      if (free_.empty()) {
        bucket.push_back(std::make_unique_for_overwrite<Block>());
        ++blocks_made_;
      } else {
        bucket.push_back(std::move(free_.back()));
        free_.pop_back();
      }
      bucket.back()->count = 0;
    }
    Block& block = *bucket.back();
    block.entries[block.count++] = entry;
  }

  void recycle(Bucket& bucket) {
    free_.push_back(std::move(bucket.back()));
    bucket.pop_back();
  }

  void spread_lowest() {
    std::size_t lowest = 1;
    while (buckets_[lowest].empty()) ++lowest;
    std::int64_t smallest = buckets_[lowest].front()->entries[0].key;
    for (const auto& block : buckets_[lowest]) {
      for (std::size_t i = 0; i < block->count; ++i) {
        if (block->entries[i].key < smallest) smallest = block->entries[i].key;
      }
    }
    last_ = smallest;
    Bucket spread = std::move(buckets_[lowest]);
    buckets_[lowest].clear();
    for (auto& block : spread) {  // oldest first: later entries stay on top
      for (std::size_t i = 0; i < block->count; ++i) {
        append(buckets_[bucket_of(block->entries[i].key)], block->entries[i]);
      }
      free_.push_back(std::move(block));
    }
  }

  std::array<Bucket, 65> buckets_;
  Bucket free_;
  std::int64_t last_ = 0;
  std::size_t size_ = 0;
  std::size_t blocks_made_ = 0;
};

}  // namespace bnnplan::engines
