#pragma once

#include <cassert>
#include <cstddef>
#include <new>
#include <vector>

namespace bnnplan::learning {

// Memory aligned to cache lines.
template <class T>
struct LineAllocator {
  using value_type = T;
  LineAllocator() = default;
  template <class Other>
  LineAllocator(const LineAllocator<Other>&) {}  // NOLINT(google-explicit-constructor): as allocators do
  T* allocate(std::size_t count) {
    return static_cast<T*>(::operator new (count * sizeof(T), std::align_val_t{64}));
  }
  void deallocate(T* at, std::size_t) { ::operator delete (at, std::align_val_t{64}); }
  bool operator==(const LineAllocator&) const = default;
};

template <class T>
using LineVector = std::vector<T, LineAllocator<T>>;

constexpr std::size_t line_floats = 16;

// `count` rounded up to whole cache lines of floats.
constexpr std::size_t whole_lines(std::size_t count) {
  return (count + line_floats - 1) / line_floats * line_floats;
}

// Rows of floats for vector instructions: each begins at a cache line and is padded with zeros to whole
// lines. Rows are an odd number of lines apart: at a power of two, the columns of many rows would share a few
// cache sets.
class LaneMatrix {
 public:
  LaneMatrix() = default;
  LaneMatrix(std::size_t rows, std::size_t columns) { resize(rows, columns); }

  // Discards the content: all zeros afterwards, unless the shape is unchanged.
  void resize(std::size_t rows, std::size_t columns) {
    if (rows == rows_ && columns == columns_) return;
    rows_ = rows;
    columns_ = columns;
    stride_ = line_floats * ((columns + line_floats - 1) / line_floats | 1u);
    values_.assign(rows_ * stride_, 0.0f);
  }

  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }
  std::size_t stride() const { return stride_; }
  std::size_t lanes() const { return whole_lines(columns_); }  // columns including padding
  std::size_t size() const { return values_.size(); }          // of everything, to treat it as one row

  float* data() { return values_.data(); }
  const float* data() const { return values_.data(); }
  float* row(std::size_t i) { return values_.data() + i * stride_; }
  const float* row(std::size_t i) const { return values_.data() + i * stride_; }
  float& operator()(std::size_t i, std::size_t j) {
    assert(i < rows_ && j < columns_);
    return values_[i * stride_ + j];
  }
  float operator()(std::size_t i, std::size_t j) const {
    assert(i < rows_ && j < columns_);
    return values_[i * stride_ + j];
  }

 private:
  std::size_t rows_ = 0, columns_ = 0, stride_ = 0;
  LineVector<float> values_;
};

}  // namespace bnnplan::learning
