// A layer as columns. Each input of a BNN layer touches nearly every neuron of it, so the weights are stored
// by columns and all counters of a layer and step are contiguous: assigning an input adds its column as a
// vector and compares with the limits as a vector (network/column_kernels). 128 neurons take about 20
// instructions instead of a walk over 128 constraints. Layers with few non-zero weights are stored as lists
// instead.
// Measured: seven to nine times as many propagations per second as with lists, see docs/neuron.md.
//
//   T, F   the numbers of true and of false inputs; n of all inputs, k the threshold
//   enough true             T >= k                 -> output
//   too few possible        F >= n - k + 1         -> not output
//   output true forces      F >= n - k, output     -> all other inputs
//   output false forbids    T >= k - 1, not output -> none of the other inputs
//
// So there is one limit for T and one for F, and they depend only on the output. `never` is a limit that no
// counter reaches; both limits are `never` if the output followed from this neuron, which then has nothing to
// add.
#include "bnnplan/cdcl/neuron_layer.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <unordered_map>

namespace bnnplan::cdcl {

namespace {

constexpr std::size_t least_share_of_dense = 8;  // at least 1 in 8 weights is not 0
constexpr std::int64_t never = std::numeric_limits<std::int32_t>::max();

// Whether a step has the same weights, with its own variables in place of the columns. Works on the neurons
// in place: nothing is copied if the weights are the same, and then `columns` has the step's variables.
bool has_weights(const LayerWeights& weights, std::span<const NeuronView> neurons,
                 std::vector<Var>& columns) {
  if (neurons.size() != weights.rows.size()) return false;
  columns.clear();
  for (std::size_t i = 0; i < neurons.size(); ++i) {
    const LayerWeights::Row& row = weights.rows[i];
    const std::span<const Lit> inputs = neurons[i].inputs;
    if (row.threshold != neurons[i].threshold || inputs.size() != row.end - row.begin) return false;
    for (std::size_t j = 0; j < inputs.size(); ++j) {
      const Lit expected = weights.inputs[row.begin + j];
      const std::uint32_t column = expected.var().index;
      // Columns are numbered in order of occurrence.
      if (column == columns.size()) columns.push_back(inputs[j].var());
      assert(column < columns.size());
      if (inputs[j] != Lit::of(columns[column], expected.negated())) return false;
    }
  }
  std::vector<Var> sorted = columns;
  std::sort(sorted.begin(), sorted.end());
  return std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
}

void add_rows(LayerWeights& weights, std::span<const NeuronView> neurons, std::vector<Var>& columns) {
  std::unordered_map<std::uint32_t, std::uint32_t> known;
  columns.clear();
  for (const NeuronView& neuron : neurons) {
    LayerWeights::Row row;
    row.begin = static_cast<std::uint32_t>(weights.inputs.size());
    for (const Lit input : neuron.inputs) {
      const auto [place, is_new] =
          known.emplace(input.var().index, static_cast<std::uint32_t>(columns.size()));
      if (is_new) columns.push_back(input.var());
      weights.inputs.push_back(Lit::of({place->second}, input.negated()));
    }
    row.end = static_cast<std::uint32_t>(weights.inputs.size());
    row.threshold = neuron.threshold;
    weights.rows.push_back(row);
  }
  weights.columns = columns.size();
}

void build_bits(LayerWeights& weights) {
  weights.words = (weights.columns + 63) / 64;
  weights.positive_bits.assign(weights.rows.size() * weights.words, 0);
  weights.negative_bits.assign(weights.rows.size() * weights.words, 0);
  for (std::size_t neuron = 0; neuron < weights.rows.size(); ++neuron) {
    for (auto i = weights.rows[neuron].begin; i < weights.rows[neuron].end; ++i) {
      const Lit input = weights.inputs[i];
      const std::uint32_t column = input.var().index;
      std::uint64_t& word = (input.negated() ? weights.negative_bits
                                             : weights.positive_bits)[neuron * weights.words + column / 64];
      word |= std::uint64_t{1} << column % 64;
    }
  }
}

template <class Count>
void build_vectors(const LayerWeights& weights, std::vector<Count>& vectors) {
  vectors.assign(weights.columns * 3 * weights.width, 0);
  for (std::size_t neuron = 0; neuron < weights.rows.size(); ++neuron) {
    for (auto i = weights.rows[neuron].begin; i < weights.rows[neuron].end; ++i) {
      const Lit input = weights.inputs[i];
      Count* const cell = &vectors[input.var().index * 3 * weights.width + neuron];
      assert(cell[0] == 0 && cell[weights.width] == 0 && "an input twice");
      if (input.negated()) {
        cell[weights.width] = 1;
      } else {
        cell[0] = cell[2 * weights.width] = 1;
      }
    }
  }
}

void build_lists(LayerWeights& weights) {
  weights.list_begin.assign(weights.columns + 1, 0);
  for (const Lit input : weights.inputs) ++weights.list_begin[input.var().index + 1];
  for (std::size_t c = 0; c < weights.columns; ++c) weights.list_begin[c + 1] += weights.list_begin[c];
  std::vector<std::uint32_t> next(weights.list_begin.begin(), weights.list_begin.end() - 1);
  weights.lists.resize(weights.inputs.size());
  for (std::uint32_t neuron = 0; neuron < weights.rows.size(); ++neuron) {
    for (auto i = weights.rows[neuron].begin; i < weights.rows[neuron].end; ++i) {
      const Lit input = weights.inputs[i];
      weights.lists[next[input.var().index]++] = Lit::of({neuron}, input.negated());
    }
  }
}

void build_columns(LayerWeights& weights, bool dense) {
  const std::size_t neurons = weights.rows.size();
  std::int32_t most = 0;
  for (const LayerWeights::Row& row : weights.rows) most = std::max(most, row.size());
  weights.wide = most + 1 > std::numeric_limits<std::uint8_t>::max() - 1;
  weights.dense = dense && weights.inputs.size() * least_share_of_dense >= neurons * weights.columns;
  weights.width = (neurons + 63) / 64 * 64;
  if (!weights.dense) {
    build_lists(weights);
    return;
  }
  build_bits(weights);
  if (weights.wide) {
    build_vectors(weights, weights.vectors16);
  } else {
    build_vectors(weights, weights.vectors8);
  }
}

}  // namespace

std::size_t LayerWeights::bytes() const {
  return rows.size() * sizeof(Row) + (inputs.size() + lists.size()) * sizeof(Lit) +
         list_begin.size() * sizeof(std::uint32_t) + vectors8.size() + 2 * vectors16.size() +
         8 * (positive_bits.size() + negative_bits.size());
}

NeuronLayer::NeuronLayer(std::span<const NeuronView> neurons, bool dense, const NeuronLayer* like) {
  for (const NeuronView& neuron : neurons) {
    assert(neuron.threshold >= 1 && static_cast<std::size_t>(neuron.threshold) <= neuron.inputs.size());
    assert(neuron.inputs.size() <= most_layer_inputs);
    outputs_.push_back(neuron.output);
  }
  if (like != nullptr && has_weights(like->weights(), neurons, columns_)) {
    weights_ = like->weights_;
  } else {
    auto weights = std::make_shared<LayerWeights>();
    add_rows(*weights, neurons, columns_);
    build_columns(*weights, dense);
    weights_ = std::move(weights);
  }
  if (weights_->wide) {
    counts16_.assign(2 * weights_->width, least16 + 1);
    limits16_.assign(2 * weights_->width, std::numeric_limits<std::int16_t>::max());
  } else {
    counts8_.assign(2 * weights_->width, least8 + 1);
    limits8_.assign(2 * weights_->width, std::numeric_limits<std::int8_t>::max());
  }
  hit_bits_.assign(2 * weights_->width / 64, 0);
  for (auto& bits : value_bits_) bits.assign(weights_->words, 0);
  free_bits_.assign((columns_.size() + 63) / 64, 0);
  for (std::uint32_t neuron = 0; neuron < size(); ++neuron) clear_output(neuron);
}

std::size_t NeuronLayer::bytes() const {
  return sizeof *this + weights_->width * (weights_->wide ? 8 : 4) + columns_.size() * sizeof(Var) +
         outputs_.size() * sizeof(Lit) + (weights_.use_count() == 1 ? weights_->bytes() : 0);
}

void NeuronLayer::set_limits(std::uint32_t neuron, std::int64_t of_true, std::int64_t of_false) {
  const std::int64_t largest =
      weights_->wide ? std::numeric_limits<std::uint16_t>::max() : std::numeric_limits<std::uint8_t>::max();
  assert(of_true >= 0 && of_false >= 0);
  assert(row(neuron).size() < largest);  // so that no counter reaches it
  of_true = std::min(of_true, largest);
  of_false = std::min(of_false, largest);
  if (weights_->wide) {
    limits16_[neuron] = static_cast<std::int16_t>(of_true + least16);
    limits16_[weights_->width + neuron] = static_cast<std::int16_t>(of_false + least16);
  } else {
    limits8_[neuron] = static_cast<std::int8_t>(of_true + least8);
    limits8_[weights_->width + neuron] = static_cast<std::int8_t>(of_false + least8);
  }
}

void NeuronLayer::clear_output(std::uint32_t neuron) {
  const LayerWeights::Row& r = row(neuron);
  set_limits(neuron, r.threshold, r.size() - r.threshold + 1);
}

void NeuronLayer::set_output(std::uint32_t neuron, bool value) {
  const LayerWeights::Row& r = row(neuron);
  if (value) {
    set_limits(neuron, never, r.size() - r.threshold);
  } else {
    set_limits(neuron, r.threshold - 1, never);
  }
}

void NeuronLayer::set_settled(std::uint32_t neuron) { set_limits(neuron, never, never); }

template <class Count>
void NeuronLayer::count_list(std::vector<Count>& counts, const std::vector<Count>& limits,
                             std::uint32_t column, bool value, std::vector<Hit>& hits) {
  for (auto i = weights_->list_begin[column]; i < weights_->list_begin[column + 1]; ++i) {
    const std::uint32_t neuron = weights_->lists[i].var().index;
    const int side = weights_->lists[i].negated() == value ? 1 : 0;
    const std::size_t at = (side == 0 ? 0 : weights_->width) + neuron;
    assert(count(side, neuron) < row(neuron).size());
    if (++counts[at] > limits[at]) hits.push_back({neuron, static_cast<Side>(side)});
  }
}

template <class Count>
void NeuronLayer::uncount_list(std::vector<Count>& counts, std::uint32_t column, bool value) {
  for (auto i = weights_->list_begin[column]; i < weights_->list_begin[column + 1]; ++i) {
    const std::uint32_t neuron = weights_->lists[i].var().index;
    const int side = weights_->lists[i].negated() == value ? 1 : 0;
    assert(count(side, neuron) > 0);
    --counts[(side == 0 ? 0 : weights_->width) + neuron];
  }
}

void NeuronLayer::count_input(const ColumnKernels& kernels, std::uint32_t column, bool value,
                              std::vector<Hit>& hits) {
  assert(column < columns_.size());
  if (!weights_->dense) {
    if (weights_->wide) {
      count_list(counts16_, limits16_, column, value, hits);
    } else {
      count_list(counts8_, limits8_, column, value, hits);
    }
    return;
  }
  const std::uint64_t bit = std::uint64_t{1} << column % 64;
  assert(((value_bits_[0][column / 64] | value_bits_[1][column / 64]) & bit) == 0);
  value_bits_[value ? 0 : 1][column / 64] |= bit;
  const std::size_t width = weights_->width, at = (3 * column + (value ? 0 : 1)) * width;
  const bool any = weights_->wide ? kernels.add16(counts16_.data(), weights_->vectors16.data() + at,
                                                  limits16_.data(), 2 * width, hit_bits_.data())
                                  : kernels.add8(counts8_.data(), weights_->vectors8.data() + at,
                                                 limits8_.data(), 2 * width, hit_bits_.data());
  if (!any) return;
  for (std::size_t word = 0; word < hit_bits_.size(); ++word) {
    const bool first_side = word * 64 < width;
    const std::size_t first = word * 64 - (first_side ? 0 : width);
    for (std::uint64_t bits = hit_bits_[word]; bits != 0; bits &= bits - 1) {
      hits.push_back({static_cast<std::uint32_t>(first + static_cast<unsigned>(__builtin_ctzll(bits))),
                      first_side ? Side::enough : Side::too_few});
    }
  }
}

void NeuronLayer::uncount_input(const ColumnKernels& kernels, std::uint32_t column, bool value) {
  assert(column < columns_.size());
  if (!weights_->dense) {
    if (weights_->wide) {
      uncount_list(counts16_, column, value);
    } else {
      uncount_list(counts8_, column, value);
    }
    return;
  }
  const std::uint64_t bit = std::uint64_t{1} << column % 64;
  assert((value_bits_[value ? 0 : 1][column / 64] & bit) != 0);
  value_bits_[value ? 0 : 1][column / 64] &= ~bit;
  const std::size_t width = weights_->width, at = (3 * column + (value ? 0 : 1)) * width;
  if (weights_->wide) {
    kernels.subtract16(counts16_.data(), weights_->vectors16.data() + at, 2 * width);
  } else {
    kernels.subtract8(counts8_.data(), weights_->vectors8.data() + at, 2 * width);
  }
}

}  // namespace bnnplan::cdcl
