#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace bnnplan::engines {

// An array that grows without moving its elements, in chunks of 2^chunk_bits, so that growing never needs the
// memory of the old and a new copy at once (under a memory limit, that decides how many states fit). T is a
// plain struct; elements added by grow_to are copies of a value.
template <class T, unsigned chunk_bits = 13>
class ChunkedArray {
 public:
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return chunks_.size() * (sizeof(T) << chunk_bits); }

  T& operator[](std::size_t i) { return chunks_[i >> chunk_bits][i & mask]; }
  const T& operator[](std::size_t i) const { return chunks_[i >> chunk_bits][i & mask]; }

  void push_back(const T& value) {
    if ((size_ >> chunk_bits) == chunks_.size()) {
      chunks_.push_back(std::make_unique_for_overwrite<T[]>(std::size_t{1} << chunk_bits));
    }
    ++size_;
    (*this)[size_ - 1] = value;
  }

  void grow_to(std::size_t size, const T& value) {
    while (size_ < size) push_back(value);
  }

 private:
  static constexpr std::size_t mask = (std::size_t{1} << chunk_bits) - 1;
  std::vector<std::unique_ptr<T[]>> chunks_;
  std::size_t size_ = 0;
};

}  // namespace bnnplan::engines
