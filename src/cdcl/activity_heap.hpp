#pragma once

#include <cassert>
#include <cstdint>
#include <vector>

#include "bnnplan/base/literal.hpp"

namespace bnnplan::cdcl {

// Variables by activity, the most active first: a binary heap that knows the position of each variable.
class ActivityHeap {
 public:
  void add_variable(bool inside) {
    const Var variable{static_cast<std::uint32_t>(activity_.size())};
    activity_.push_back(0);
    places_.push_back(outside);
    if (inside) insert(variable);
  }
  bool empty() const { return heap_.empty(); }
  bool contains(Var v) const {
    assert(v.index < places_.size());
    return places_[v.index] != outside;
  }
  Var top() const {
    assert(!empty());
    return heap_.front();
  }

  void insert(Var v) {
    if (contains(v)) return;
    places_[v.index] = static_cast<std::uint32_t>(heap_.size());
    heap_.push_back(v);
    rise(places_[v.index]);
  }
  void pop() {
    assert(!empty());
    places_[heap_.front().index] = outside;
    const Var last = heap_.back();
    heap_.pop_back();
    if (heap_.empty()) return;
    heap_.front() = last;
    places_[last.index] = 0;
    sink(0);
  }
  void bump(Var v) {
    if ((activity_[v.index] += increment_) > 1e100) rescale();
    if (contains(v)) rise(places_[v.index]);
  }
  void decay(double factor) {
    assert(factor > 0 && factor <= 1);
    increment_ /= factor;
  }
  void set_activity(Var v, double activity) {
    activity_[v.index] = activity;
    if (!contains(v)) return;
    rise(places_[v.index]);
    sink(places_[v.index]);
  }

  // Whether the heap order and all positions are right: for assertions.
  bool in_order() const {
    std::size_t inside = 0;
    for (const std::uint32_t place : places_) inside += place != outside ? 1 : 0;
    if (inside != heap_.size()) return false;
    for (std::uint32_t i = 0; i < heap_.size(); ++i) {
      if (places_[heap_[i].index] != i) return false;
      if (i > 0 && before(heap_[i], heap_[(i - 1) / 2])) return false;
    }
    return true;
  }

 private:
  static constexpr std::uint32_t outside = 0xffffffff;

  // Equal activities in the order of the variables: earlier steps first, and the same on every machine.
  bool before(Var a, Var b) const {
    return activity_[a.index] != activity_[b.index] ? activity_[a.index] > activity_[b.index] : a < b;
  }
  void put(std::uint32_t place, Var v) {
    heap_[place] = v;
    places_[v.index] = place;
  }
  void rise(std::uint32_t place) {
    const Var v = heap_[place];
    for (; place > 0 && before(v, heap_[(place - 1) / 2]); place = (place - 1) / 2)
      put(place, heap_[(place - 1) / 2]);
    put(place, v);
  }
  void sink(std::uint32_t place) {
    const Var v = heap_[place];
    const auto size = static_cast<std::uint32_t>(heap_.size());
    while (2 * place + 1 < size) {
      std::uint32_t child = 2 * place + 1;
      if (child + 1 < size && before(heap_[child + 1], heap_[child])) ++child;
      if (!before(heap_[child], v)) break;
      put(place, heap_[child]);
      place = child;
    }
    put(place, v);
  }
  void rescale() {
    for (double& activity : activity_) activity *= 1e-100;
    increment_ *= 1e-100;
    // Small activities may have become equal, and ties are ordered by variable.
    for (std::size_t place = heap_.size() / 2; place-- > 0;) sink(static_cast<std::uint32_t>(place));
  }

  std::vector<double> activity_;
  std::vector<std::uint32_t> places_;
  std::vector<Var> heap_;
  double increment_ = 1;
};

}  // namespace bnnplan::cdcl
