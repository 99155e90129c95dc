#pragma once

#include <cassert>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "bnnplan/base/literal.hpp"
#include "bnnplan/network/column_kernels.hpp"

namespace bnnplan::cdcl {

// A neuron as the caller stores it: output <-> at least `threshold` of `inputs` are true. The inputs are
// literals of different variables, none of them the output's. Any threshold is allowed.
struct NeuronView {
  Lit output;
  std::span<const Lit> inputs;
  std::int32_t threshold = 0;
};

// The weights of a layer, stored once because they are the same for all steps. A column is one input
// variable, a row one neuron. An input is counted as it is (weight 1) or negated (weight -1).
struct LayerWeights {
  struct Row {
    std::uint32_t begin = 0, end = 0;  // in `inputs`
    std::int32_t threshold = 0;
    std::int32_t size() const { return static_cast<std::int32_t>(end - begin); }
  };
  std::vector<Row> rows;
  std::vector<Lit> inputs;  // row after row; the variable of a literal is its column
  std::size_t columns = 0;

  // By columns: dense as vectors of `width` zeros and ones, or as lists of literals whose variable is the
  // row. A column has three vectors: the neurons that count it as it is, those that count it negated, and the
  // first again. The counters of the two sides are stored one after the other, so a true input adds the first
  // two vectors, and a false one the last two.
  bool dense = true;
  bool wide = false;      // 16 bits per counter instead of 8
  std::size_t width = 0;  // neurons, rounded up
  std::vector<std::int8_t> vectors8;
  std::vector<std::int16_t> vectors16;
  std::vector<std::uint32_t> list_begin;
  std::vector<Lit> lists;

  // For reasons in dense layers: the columns of a row as bits, those counted as they are and those negated.
  std::size_t words = 0;  // of a row
  std::vector<std::uint64_t> positive_bits, negative_bits;

  std::size_t bytes() const;
};

// The largest number of inputs of a neuron that the counters can hold.
inline constexpr std::size_t most_layer_inputs = 65'000;

// One layer in one step: two counters per neuron, of true and of false inputs, and the two values at which
// something follows. These depend on the output, if it is known.
class NeuronLayer {
 public:
  enum class Side : std::uint8_t { enough, too_few };  // the counter of true, of false inputs

  // A counter of a neuron reached its limit.
  struct Hit {
    std::uint32_t neuron;
    Side side;
  };

  // Requires thresholds between 1 and the number of inputs, and no more than most_layer_inputs of them.
  // Weights equal to those of `like` are shared with it.
  NeuronLayer(std::span<const NeuronView> neurons, bool dense, const NeuronLayer* like);

  std::size_t size() const { return weights_->rows.size(); }
  std::span<const Var> columns() const { return columns_; }
  Lit output(std::uint32_t neuron) const { return outputs_[neuron]; }
  const LayerWeights& weights() const { return *weights_; }
  const LayerWeights::Row& row(std::uint32_t neuron) const {
    assert(neuron < size());
    return weights_->rows[neuron];
  }
  // The inputs of a neuron, as literals over columns; and such a literal as one of the solver.
  std::span<const Lit> inputs(std::uint32_t neuron) const {
    const LayerWeights::Row& r = row(neuron);
    return {weights_->inputs.data() + r.begin, r.end - r.begin};
  }
  Lit input(Lit over_columns) const {
    return Lit::of(columns_[over_columns.var().index], over_columns.negated());
  }
  std::int32_t true_inputs(std::uint32_t neuron) const { return count(0, neuron); }
  std::int32_t false_inputs(std::uint32_t neuron) const { return count(1, neuron); }
  std::int32_t limit(Side side, std::uint32_t neuron) const {  // of that counter
    const std::size_t at = static_cast<std::size_t>(side) * weights_->width + neuron;
    return weights_->wide ? limits16_[at] - least16 : limits8_[at] - least8;
  }

  // Input `column` has become true or false; appends the neurons whose counters reached their limits.
  void count_input(const ColumnKernels& kernels, std::uint32_t column, bool value, std::vector<Hit>& hits);
  void uncount_input(const ColumnKernels& kernels, std::uint32_t column, bool value);

  // Dense layers only: columns of the counted inputs that agree with the neuron (or disagree), word by word.
  std::size_t words() const { return weights_->words; }
  std::uint64_t known_inputs(std::uint32_t neuron, std::size_t word, bool agreeing) const {
    assert(neuron < size() && word < weights_->words);
    const std::size_t at = neuron * weights_->words + word;
    const std::uint64_t positive = weights_->positive_bits[at], negative = weights_->negative_bits[at];
    return agreeing ? (positive & value_bits_[0][word]) | (negative & value_bits_[1][word])
                    : (negative & value_bits_[0][word]) | (positive & value_bits_[1][word]);
  }
  // Columns that cost nothing in a reason (used by dense layers only): fixed, or part of the clause that is
  // being learned.
  std::uint64_t free_inputs(std::size_t word) const { return free_bits_[word]; }
  void set_free(std::uint32_t column) {
    assert(column < columns_.size());
    free_bits_[column / 64] |= std::uint64_t{1} << column % 64;
  }
  void clear_free(std::uint32_t column) {
    assert(column < columns_.size());
    free_bits_[column / 64] &= ~(std::uint64_t{1} << column % 64);
  }

  // The literal `output` of the neuron has become true or false.
  void set_output(std::uint32_t neuron, bool value);
  void clear_output(std::uint32_t neuron);

  // The output follows from the counted inputs: nothing more can follow until they are uncounted.
  void set_settled(std::uint32_t neuron);

  std::size_t bytes() const;  // including the weights, unless they are shared

 private:
  template <class Count>
  void count_list(std::vector<Count>& counts, const std::vector<Count>& limits, std::uint32_t column,
                  bool value, std::vector<Hit>& hits);
  template <class Count>
  void uncount_list(std::vector<Count>& counts, std::uint32_t column, bool value);
  void set_limits(std::uint32_t neuron, std::int64_t of_true, std::int64_t of_false);
  std::int32_t count(int side, std::uint32_t neuron) const {
    const std::size_t at = static_cast<std::size_t>(side) * weights_->width + neuron;
    return weights_->wide ? counts16_[at] - least16 - 1 : counts8_[at] - least8 - 1;
  }

  std::shared_ptr<const LayerWeights> weights_;
  std::vector<Var> columns_;
  std::vector<Lit> outputs_;
  // `width` of true inputs, then `width` of false ones. Limits begin at the least number and counts at the
  // next, so that "reached" is "above": processors have this comparison, of signed numbers.
  static constexpr std::int32_t least8 = std::numeric_limits<std::int8_t>::min(),
                                least16 = std::numeric_limits<std::int16_t>::min();
  std::vector<std::int8_t> counts8_, limits8_;
  std::vector<std::int16_t> counts16_, limits16_;
  std::vector<std::uint64_t> hit_bits_;
  std::vector<std::uint64_t> value_bits_[2], free_bits_;  // of columns: [0] true, [1] false
};

}  // namespace bnnplan::cdcl
