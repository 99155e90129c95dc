#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bnnplan/exchange/surd.hpp"
#include "bnnplan/exchange/tensor.hpp"
#include "bnnplan/network/imported_network.hpp"

namespace bnnplan::exchange {

// What a value of a graph is, as far as it can be part of a binarized network. Every non-constant value is
// made of units of a stage: each element is scale * unit + shift. So the order of elements, scales and shifts
// are carried along through any operations until the next stage. A file may be made for a batch of several
// samples: then units are those of one sample, and each element records its sample.

enum class StageKind {
  input,  // units are the inputs of the network as given
  sums,   // units are sums D of -1/0/+1 weights times the bits of another stage
  bits    // units are -1 or +1: the result of comparing a value with 0
};

struct SumUnit {
  std::vector<std::int8_t> weights;  // one per unit of the stage below

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
  std::size_t below = 0;  // the stage that its units are made of; unused for inputs
  std::size_t units = 0;
  std::vector<SumUnit> sums;
  std::vector<BitUnit> bits;
};

struct Element {
  std::uint32_t unit = 0, sample = 0;
  Surd scale = 1, shift = 0;

  friend bool operator==(const Element&, const Element&) = default;
};

// The units of a new stage: the k-th units of all samples are the same unit if they are computed in the same
// way.
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
  std::vector<std::size_t> made_;     // by each sample
  std::vector<std::uint32_t> first_;  // the k-th unit of the sample that first had one
  std::vector<Unit> units_;
};

// Another value that was added and has to be subtracted again: a remnant of straight-through estimators,
// (sign(x) - x) + x.
struct Residue {
  std::size_t value = 0;  // GraphValue::id
  Surd factor;
};

enum class GraphValueKind {
  constant,  // numbers
  affine,    // elements
  classes,   // the index of the best of `elements`
  opaque     // not part of a binarized network; an error as soon as it is used
};

struct GraphValue {
  GraphValueKind kind = GraphValueKind::constant;
  std::size_t id = 0;  // equal for the same value under two names
  std::vector<std::size_t> shape;
  std::vector<Surd> numbers;
  std::size_t stage = 0;
  std::vector<Element> elements;
  std::vector<Residue> residues;
  bool whole = false;        // has an integer type: its quotients are integers, too
  bool is_squashed = false;  // by softmax: only the order of the elements counts
  ClassTie tie = ClassTie::lowest;
  std::string why;  // for opaque values: the node and the reason

  std::size_t size() const { return kind == GraphValueKind::constant ? numbers.size() : elements.size(); }
};

using ValuePointer = std::shared_ptr<const GraphValue>;

// The resources a graph may use: numbers at a time and in total, and multiplications in matrix products. The
// three-layer network of 4,096 neurons per layer from the MNIST literature takes half of this at a time.
struct GraphLimits {
  std::size_t at_a_time = std::size_t{1} << 26;
  std::size_t in_all = std::size_t{1} << 28;
  std::size_t products = std::size_t{1} << 30;
};

// Rearranges or repeats elements: element i of the result is element from[i] of the value.
GraphValue rearranged(const GraphValue& value, std::vector<std::size_t> shape,
                      const std::vector<std::size_t>& from);

// How two shapes combine in an elementwise operation: the common shape and, for each of its elements, the
// elements of both sides. Empty if they do not fit or the result is larger than tensor_limit.
struct Broadcast {
  std::vector<std::size_t> shape, left, right;
};
std::optional<Broadcast> broadcast(const std::vector<std::size_t>& left,
                                   const std::vector<std::size_t>& right);

// In C order: the distance between neighbours in each dimension.
std::vector<std::size_t> strides_of(const std::vector<std::size_t>& shape);

}  // namespace bnnplan::exchange
