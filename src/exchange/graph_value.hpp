#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "exchange/surd.hpp"
#include "exchange/tensor.hpp"
#include "network/imported_network.hpp"

namespace bnnplan {

// What a value of a graph is, as far as it can be part of a binarized network. Every value that is no constant is made of
// units of a stage: scale * unit + shift for each of its elements. So the order of elements, scales and shifts are carried
// along, whatever operations they come from, until the next stage. A file may be made for a batch of several samples: then
// units are those of one sample, and an element says of which sample.

enum class StageKind {
  input,  // units are the inputs of the network as it gets them
  sums,   // units are sums D of -1/0/+1 weights times the bits of another stage
  bits    // units are -1 or +1: what a comparison of a value with 0 gives
};

struct SumUnit {
  std::vector<std::int8_t> weights;  // of the units of the stage below

  friend bool operator==(const SumUnit&, const SumUnit&) = default;
};

// Is  scale * (unit of the stage below) + shift  at least 0?
struct BitUnit {
  std::uint32_t unit = 0;
  Surd scale, shift;
  ZeroGives at_zero = ZeroGives::one;

  friend bool operator==(const BitUnit&, const BitUnit&) = default;
};

struct Stage {
  StageKind kind = StageKind::input;
  std::string place;      // the node that made it, for messages
  std::size_t below = 0;  // the stage that its units are made of; of input: none
  std::size_t units = 0;
  std::vector<SumUnit> sums;
  std::vector<BitUnit> bits;
};

struct Element {
  std::uint32_t unit = 0, sample = 0;
  Surd scale = 1, shift = 0;

  friend bool operator==(const Element&, const Element&) = default;
};

// The units of a new stage: the k-th one of each sample is the same unit, as long as it is computed in the same way.
template <class Unit>
class SharedUnits {
 public:
  explicit SharedUnits(std::size_t samples) : made_(samples) {}

  std::uint32_t add(std::uint32_t sample, Unit unit) {
    const std::size_t k = made_[sample]++;
    if (k < first_.size() && units_[first_[k]] == unit) return first_[k];
    const auto place = static_cast<std::uint32_t>(units_.size());
    if (k == first_.size()) first_.push_back(place);
    units_.push_back(std::move(unit));
    return place;
  }
  std::size_t size() const { return units_.size(); }
  std::vector<Unit> take() && { return std::move(units_); }

 private:
  std::vector<std::size_t> made_;     // of each sample
  std::vector<std::uint32_t> first_;  // the k-th unit of the sample that had one first
  std::vector<Unit> units_;
};

// Another value that was added and has to be taken away again: what is left of straight-through estimators,
// (sign(x) - x) + x.
struct Residue {
  std::size_t value = 0;  // GraphValue::id
  Surd factor;
};

enum class GraphValueKind {
  constant,  // numbers
  affine,    // elements
  classes,   // the index of the best of `elements`
  opaque     // something that is not part of a binarized network; an error as soon as it is used
};

struct GraphValue {
  GraphValueKind kind = GraphValueKind::constant;
  std::size_t id = 0;  // the same for the same value under two names
  std::vector<std::size_t> shape;
  std::vector<Surd> numbers;
  std::size_t stage = 0;
  std::vector<Element> elements;
  std::vector<Residue> residues;
  bool whole = false;        // of a type of integers: its quotients are integers, too
  bool is_squashed = false;  // by softmax: only the order of the elements counts
  ClassTie tie = ClassTie::lowest;
  std::string why;  // of opaque: the node and what about it

  std::size_t size() const { return kind == GraphValueKind::constant ? numbers.size() : elements.size(); }
};

using ValuePointer = std::shared_ptr<const GraphValue>;

// What a graph may ask for: numbers at a time and in all, and multiplications in products of matrices. The network of three
// layers of 4,096 neurons that the literature has for MNIST takes half of it at a time.
struct GraphLimits {
  std::size_t at_a_time = std::size_t{1} << 26;
  std::size_t in_all = std::size_t{1} << 28;
  std::size_t products = std::size_t{1} << 30;
};

// The same elements in another order or number: element i is what element from[i] was.
GraphValue rearranged(const GraphValue& value, std::vector<std::size_t> shape,
                      const std::vector<std::size_t>& from);

// How two shapes meet in an elementwise operation: the common shape and, for each of its elements, those of both sides.
// Nothing if they do not fit or are larger than tensor_limit.
struct Broadcast {
  std::vector<std::size_t> shape, left, right;
};
std::optional<Broadcast> broadcast(const std::vector<std::size_t>& left,
                                   const std::vector<std::size_t>& right);

// In C order: how far apart neighbours of each dimension are.
std::vector<std::size_t> strides_of(const std::vector<std::size_t>& shape);

}  // namespace bnnplan
