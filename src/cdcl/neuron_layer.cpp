// A layer as columns. Each input of a BNN layer touches nearly every neuron of it, so the weights are kept by
// columns and all counters of a layer and step lie side by side: assigning an input adds its column as a
// vector and compares with the limits as a vector (count_kernels). 128 neurons take about 20 instructions
// instead of a walk over 128 constraints. Layers with few non-zero weights are kept as lists instead.
// Measured: seven to nine times the propagations a second of lists, see docs/neuron.md.
//
//   T, F   the weight of true and of false inputs; n their total, k the threshold, w the largest weight
//   enough true             T >= k                       -> output
//   too few possible        F >= n - k + 1               -> not output
//   output true forces      F >= n - k - w + 1, output   -> inputs that cannot be missed
//   output false forbids    T >= k - w, not output       -> not the inputs that would be too much
//
// So there is one limit for T and one for F, and they depend on the output alone. `never` is a limit that no
// counter reaches; both are that where the output followed from this neuron, which then has nothing to add.
#include "cdcl/neuron_layer.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <unordered_map>

namespace bnnplan {

namespace {

constexpr std::size_t least_share_of_dense = 8;  // at least 1 in 8 weights is not 0

std::uint32_t column_of(Var variable, std::vector<Var>& columns,
                        std::unordered_map<std::uint32_t, std::uint32_t>& known) {
  const auto [place, is_new] = known.emplace(variable.index, static_cast<std::uint32_t>(columns.size()));
  if (is_new) columns.push_back(variable);
  return place->second;
}

void build_columns(LayerWeights& weights, bool dense) {
  const std::size_t neurons = weights.rows.size();
  std::int32_t most = 0;
  for (const LayerWeights::Row& row : weights.rows) most = std::max(most, row.total);
  weights.wide = most + 1 > std::numeric_limits<std::uint8_t>::max() - 1;
  weights.dense = dense && weights.entries.size() * least_share_of_dense >= neurons * weights.columns;
  weights.width = (neurons + count_block - 1) / count_block * count_block;
  const auto unit = [](const LayerWeights::Row& row) { return row.largest == 1; };
  if (weights.dense && std::all_of(weights.rows.begin(), weights.rows.end(), unit)) {
    weights.words = (weights.columns + 63) / 64;
    weights.positive_bits.assign(neurons * weights.words, 0);
    weights.negative_bits.assign(neurons * weights.words, 0);
    for (std::size_t neuron = 0; neuron < neurons; ++neuron) {
      for (auto i = weights.rows[neuron].begin; i < weights.rows[neuron].end; ++i) {
        const auto& [column, weight] = weights.entries[i];
        (weight > 0 ? weights.positive_bits : weights.negative_bits)[neuron * weights.words + column / 64] |=
            std::uint64_t{1} << column % 64;
      }
    }
  }
  if (weights.dense) {
    const std::size_t cells = weights.columns * weights.width;
    if (weights.wide) {
      weights.positive16.assign(cells, 0);
      weights.negative16.assign(cells, 0);
    } else {
      weights.positive8.assign(cells, 0);
      weights.negative8.assign(cells, 0);
    }
    for (std::size_t neuron = 0; neuron < neurons; ++neuron) {
      for (auto i = weights.rows[neuron].begin; i < weights.rows[neuron].end; ++i) {
        const auto& [column, weight] = weights.entries[i];
        const std::size_t cell = column * weights.width + neuron;
        if (weights.wide) {
          (weight > 0 ? weights.positive16 : weights.negative16)[cell] =
              static_cast<std::uint16_t>(std::abs(weight));
        } else {
          (weight > 0 ? weights.positive8 : weights.negative8)[cell] =
              static_cast<std::uint8_t>(std::abs(weight));
        }
      }
    }
    return;
  }
  weights.list_begin.assign(weights.columns + 1, 0);
  for (const auto& entry : weights.entries) ++weights.list_begin[entry.index + 1];
  for (std::size_t c = 0; c < weights.columns; ++c) weights.list_begin[c + 1] += weights.list_begin[c];
  std::vector<std::uint32_t> next(weights.list_begin.begin(), weights.list_begin.end() - 1);
  weights.lists.resize(weights.entries.size());
  for (std::size_t neuron = 0; neuron < neurons; ++neuron) {
    for (auto i = weights.rows[neuron].begin; i < weights.rows[neuron].end; ++i) {
      const auto& entry = weights.entries[i];
      weights.lists[next[entry.index]++] = {static_cast<std::uint32_t>(neuron), entry.weight};
    }
  }
}

}  // namespace

std::size_t LayerWeights::bytes() const {
  return rows.size() * sizeof(Row) + (entries.size() + lists.size()) * sizeof(Entry) +
         list_begin.size() * sizeof(std::uint32_t) + positive8.size() + negative8.size() +
         2 * (positive16.size() + negative16.size()) + 8 * (positive_bits.size() + negative_bits.size());
}

NeuronLayer::NeuronLayer(std::span<const WeightedNeuron> neurons, bool dense, const NeuronLayer* like) {
  auto weights = std::make_shared<LayerWeights>();
  std::unordered_map<std::uint32_t, std::uint32_t> known;
  for (const WeightedNeuron& neuron : neurons) {
    outputs_.push_back(neuron.output);
    LayerWeights::Row row;
    row.begin = static_cast<std::uint32_t>(weights->entries.size());
    for (const WeightedLit& input : neuron.inputs) {
      const auto weight = static_cast<std::int32_t>(input.coefficient);
      assert(weight > 0);
      weights->entries.push_back(
          {column_of(input.literal.var(), columns_, known), input.literal.negated() ? -weight : weight});
      row.total += weight;
      row.largest = std::max(row.largest, weight);
    }
    row.end = static_cast<std::uint32_t>(weights->entries.size());
    row.threshold = static_cast<std::int32_t>(neuron.threshold);
    assert(row.threshold >= 1 && row.threshold <= row.total && row.total <= most_layer_weight);
    weights->rows.push_back(row);
  }
  weights->columns = columns_.size();
  if (like != nullptr && like->weights_->columns == weights->columns &&
      like->weights_->rows == weights->rows && like->weights_->entries == weights->entries) {
    weights_ = like->weights_;
  } else {
    build_columns(*weights, dense);
    weights_ = std::move(weights);
  }
  for (int side = 0; side < 2; ++side) {
    if (weights_->wide) {
      counts16_[side].assign(weights_->width, 0);
      limits16_[side].assign(weights_->width, std::numeric_limits<std::uint16_t>::max());
    } else {
      counts8_[side].assign(weights_->width, 0);
      limits8_[side].assign(weights_->width, std::numeric_limits<std::uint8_t>::max());
    }
  }
  hit_bits_.assign(weights_->width / count_block, 0);
  for (auto& bits : value_bits_) bits.assign(weights_->words, 0);
  free_bits_.assign(weights_->words, 0);
  for (std::uint32_t neuron = 0; neuron < size(); ++neuron) clear_output(neuron);
}

std::size_t NeuronLayer::bytes() const {
  return sizeof *this + weights_->width * (weights_->wide ? 8 : 4) + columns_.size() * sizeof(Var) +
         outputs_.size() * sizeof(Lit) + (weights_.use_count() == 1 ? weights_->bytes() : 0);
}

void NeuronLayer::set_limits(std::uint32_t neuron, std::int64_t of_true, std::int64_t of_false) {
  const std::int64_t never =
      weights_->wide ? std::numeric_limits<std::uint16_t>::max() : std::numeric_limits<std::uint8_t>::max();
  of_true = std::clamp<std::int64_t>(of_true, 0, never);
  of_false = std::clamp<std::int64_t>(of_false, 0, never);
  if (weights_->wide) {
    limits16_[0][neuron] = static_cast<std::uint16_t>(of_true);
    limits16_[1][neuron] = static_cast<std::uint16_t>(of_false);
  } else {
    limits8_[0][neuron] = static_cast<std::uint8_t>(of_true);
    limits8_[1][neuron] = static_cast<std::uint8_t>(of_false);
  }
}

void NeuronLayer::clear_output(std::uint32_t neuron) {
  const LayerWeights::Row& r = row(neuron);
  set_limits(neuron, r.threshold, r.total - r.threshold + 1);
}

void NeuronLayer::set_output(std::uint32_t neuron, bool value) {
  const LayerWeights::Row& r = row(neuron);
  constexpr std::int64_t never = std::numeric_limits<std::int32_t>::max();
  if (value) {
    set_limits(neuron, never, r.total - r.threshold - r.largest + 1);
  } else {
    set_limits(neuron, r.threshold - r.largest, never);
  }
}

void NeuronLayer::set_settled(std::uint32_t neuron) {
  constexpr std::int64_t never = std::numeric_limits<std::int32_t>::max();
  set_limits(neuron, never, never);
}

template <class Count>
void NeuronLayer::count_list(std::vector<Count>* counts, const std::vector<Count>* limits,
                             std::uint32_t column, bool value, std::vector<Hit>& hits) {
  for (auto i = weights_->list_begin[column]; i < weights_->list_begin[column + 1]; ++i) {
    const auto& [neuron, weight] = weights_->lists[i];
    const int side = (weight > 0) == value ? 0 : 1;
    Count& count = counts[side][neuron];
    count = static_cast<Count>(count + std::abs(weight));
    if (count >= limits[side][neuron]) hits.push_back({neuron, static_cast<Side>(side)});
  }
}

void NeuronLayer::count_input(const CountKernels& kernels, std::uint32_t column, bool value,
                              std::vector<Hit>& hits) {
  if (!weights_->dense) {
    if (weights_->wide) {
      count_list(counts16_, limits16_, column, value, hits);
    } else {
      count_list(counts8_, limits8_, column, value, hits);
    }
    return;
  }
  if (weights_->words != 0) value_bits_[value ? 0 : 1][column / 64] |= std::uint64_t{1} << column % 64;
  const std::size_t width = weights_->width, at = column * width;
  for (int side = 0; side < 2; ++side) {
    const bool positive = (side == 0) == value;
    const bool any = weights_->wide
                         ? kernels.add16(counts16_[side].data(),
                                         (positive ? weights_->positive16 : weights_->negative16).data() + at,
                                         limits16_[side].data(), width, hit_bits_.data())
                         : kernels.add8(counts8_[side].data(),
                                        (positive ? weights_->positive8 : weights_->negative8).data() + at,
                                        limits8_[side].data(), width, hit_bits_.data());
    if (!any) continue;
    for (std::size_t word = 0; word < hit_bits_.size(); ++word) {
      for (std::uint64_t bits = hit_bits_[word]; bits != 0; bits &= bits - 1) {
        hits.push_back(
            {static_cast<std::uint32_t>(word * count_block + static_cast<unsigned>(__builtin_ctzll(bits))),
             static_cast<Side>(side)});
      }
    }
  }
}

void NeuronLayer::uncount_input(const CountKernels& kernels, std::uint32_t column, bool value) {
  if (!weights_->dense) {
    for (auto i = weights_->list_begin[column]; i < weights_->list_begin[column + 1]; ++i) {
      const auto& [neuron, weight] = weights_->lists[i];
      const int side = (weight > 0) == value ? 0 : 1;
      if (weights_->wide) {
        counts16_[side][neuron] = static_cast<std::uint16_t>(counts16_[side][neuron] - std::abs(weight));
      } else {
        counts8_[side][neuron] = static_cast<std::uint8_t>(counts8_[side][neuron] - std::abs(weight));
      }
    }
    return;
  }
  if (weights_->words != 0) value_bits_[value ? 0 : 1][column / 64] &= ~(std::uint64_t{1} << column % 64);
  const std::size_t width = weights_->width, at = column * width;
  for (int side = 0; side < 2; ++side) {
    const bool positive = (side == 0) == value;
    if (weights_->wide) {
      kernels.subtract16(counts16_[side].data(),
                         (positive ? weights_->positive16 : weights_->negative16).data() + at, width);
    } else {
      kernels.subtract8(counts8_[side].data(),
                        (positive ? weights_->positive8 : weights_->negative8).data() + at, width);
    }
  }
}

}  // namespace bnnplan
