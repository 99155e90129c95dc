// Bit-packed inference, by two techniques. Both compute, for every neuron, (agreeing inputs) >= threshold.
//
// 1. Tables (the "method of the four Russians", Arlazarov, Dinic, Kronrod and Faradzev 1970). The inputs are
// cut into blocks of 4 bits. For each block and each of its 16 patterns, a row of bytes, one for each of 64
// neurons, says how many of the 4 inputs agree. A sample is then a sum of rows:
//     sum[neuron] = 128 - threshold + sum over blocks of counts[block][pattern of the block][neuron]
// and the outputs are the highest bits of the 64 bytes. One load and one addition of a 256-bit vector do the
// work of 4 inputs and 32 neurons. With at most 128 inputs (a group) and 1 <= threshold <= fan-in <= 128
// every sum stays in 0 .. 255, so bytes suffice; constant neurons have no counts at all. Wider layers add the
// counts of each group to 16-bit sums that start at 32768 - threshold. The table of a group and 64 neurons,
// at most 32 KB, stays in the first-level cache while a tile of samples passes; the rows of a sample are
// found once and serve all neurons. Blocks of 4 bits are what fits there; 5 would need 1.6 times the memory
// for 4/5 of the work.
//
// 2. Popcounts: (disagreeing inputs) = popcount((inputs ^ weights) & present) <= fan-in - threshold. Eight
// neurons lie side by side in a vector of 64-bit words, so nothing is ever added across a vector.
//
// n inputs and m neurons take 4 n m bytes of tables or n m / 8 of weight bits, which decides between them:
// tables win as long as they stay in a nearby cache. Measured on one core of an AMD EPYC of 2021 (Zen 3,
// AVX2, 512 KB second-level cache), microseconds for one sample, tables | popcounts:
//     layer        tables    portable, 4096 samples   AVX2, 1 sample   16 samples     4096 samples
//     20:128       10 KB     0.033 |  0.66            0.064 |  0.136   0.009 | 0.089   0.006 |  0.084
//     128:128      64 KB     0.091 |  1.12            0.111 |  0.172   0.041 | 0.110   0.033 |  0.106
//     256:256      256 KB    0.54  |  4.2             0.39  |  0.38    0.27  | 0.43    0.19  |  0.33
//     128:1024     512 KB    0.64  |  9.4             0.59  |  0.92    0.40  | 0.84    0.27  |  0.83
//     512:512      1 MB      1.8   | 16               1.47  |  1.08    1.12  | 1.05    0.68  |  1.02
//     1024:1024    4 MB      8.8   | 68               6.7   |  4.0     8.5   | 6.6     3.2   |  4.4
//     1536:1024    6 MB     11     | 102             19     |  6.1    10     | 5.2     5.7   |  5.7
//     2048:2048    16 MB    37     | 259            178     | 28      82     | 28     19     | 15
// Hence the limits in Kernels: AVX2 uses tables up to 4 MB in batches and up to 512 KB for fewer samples; the
// portable kernels, which have no instruction for bit counts, up to 16 MB. AVX-512 doubles the width of the
// additions but makes popcounts about four times faster (one instruction for eight words), so they win in all
// layers of more than one group; its limit of 128 KB comes from counting instructions, not from measurement.
#include "bnnplan/network/packed_inference.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace bnnplan {

namespace {

// Samples that pass through a layer together. Long enough to pay for bringing each slice of a table into the
// cache (64 were 10 percent slower), short enough for the bits between the layers to stay there.
constexpr std::size_t kTile = 256;

// With fewer samples, the second limit of the Kernels decides.
constexpr std::size_t kBatch = 64;

}  // namespace

PackedNetwork::PackedNetwork(const Network& network, const Kernels& kernels, Technique technique)
    : kernels_(&kernels), technique_(technique) {
  assert(!network.layers.empty());
  std::size_t inputs = network.inputs.size();
  most_words_ = words_of(inputs);
  for (const Layer& layer : network.layers) {
    PackedLayer packed{inputs, layer.neurons.size(), {}, {}};
    const bool few_by_table = uses_table(inputs, packed.neurons, 1);
    const bool batch_by_table = uses_table(inputs, packed.neurons, kBatch);
    if (few_by_table || batch_by_table) {
      packed.table = TableWeights(layer, inputs);
      most_groups_ = std::max(most_groups_, (inputs + kGroupInputs - 1) / kGroupInputs);
    }
    if (!few_by_table || !batch_by_table) packed.popcount = PopcountWeights(layer, inputs);
    most_words_ = std::max(most_words_, words_of(packed.neurons));
    inputs = packed.neurons;
    layers_.push_back(std::move(packed));
  }
}

bool PackedNetwork::uses_table(std::size_t inputs, std::size_t neurons, std::size_t samples) const {
  if (inputs > TableWeights::kMostTableInputs || technique_ == Technique::popcount) return false;
  if (technique_ == Technique::table) return true;
  const std::size_t limit = samples < kBatch ? kernels_->few_table_bytes : kernels_->batch_table_bytes;
  return TableWeights::bytes(inputs, neurons) <= limit;
}

// A copy of the tile with the unused high bits cleared.
const std::uint64_t* PackedNetwork::clean(const Tile& tile, std::size_t inputs, std::uint64_t* to) {
  const std::size_t words = words_of(inputs);
  const std::uint64_t used = ~std::uint64_t{0} >> (64 * words - inputs);
  std::copy_n(tile.bits, tile.samples * words, to);
  for (std::size_t sample = 0; sample < tile.samples; ++sample) to[sample * words + words - 1] &= used;
  return to;
}

void PackedNetwork::prepare(Workspace& workspace, std::size_t samples) const {
  const auto grow = [](auto& buffer, std::size_t size) {
    if (buffer.size() < size) buffer.resize(size);
  };
  for (auto& bits : workspace.bits_) grow(bits, samples * most_words_);
  grow(workspace.rows_, samples * most_groups_ * kGroupBlocks);
  grow(workspace.sums_, samples * kLanes);
}

void PackedNetwork::evaluate(const std::uint64_t* inputs, std::size_t count, std::uint64_t* outputs,
                             Workspace& workspace) const {
  prepare(workspace, std::min(count, kTile));
  for (std::size_t first = 0; first < count; first += kTile) {
    Tile tile{inputs + first * input_words(), std::min(count - first, kTile)};
    for (std::size_t l = 0; l < layers_.size(); ++l) {
      const PackedLayer& layer = layers_[l];
      const bool is_last = l + 1 == layers_.size();
      std::uint64_t* to = is_last ? outputs + first * output_words() : workspace.bits_[l % 2].data();
      if (uses_table(layer.inputs, layer.neurons, tile.samples)) {
        compute_by_table(layer, tile, to, workspace);
      } else {
        // Tables have no counts for the bits above the inputs, and so ignore them; popcounts would count
        // them. The first layer does not write to the second buffer.
        if (l == 0 && layer.inputs % 64 != 0)
          tile.bits = clean(tile, layer.inputs, workspace.bits_[1].data());
        kernels_->popcount_layer(layer.popcount.view(), tile.bits, tile.samples, to);
      }
      tile.bits = to;
    }
  }
}

void PackedNetwork::compute_by_table(const PackedLayer& layer, const Tile& tile, std::uint64_t* outputs,
                                     Workspace& workspace) const {
  const TableView table = layer.table.view();
  const std::size_t words = words_of(layer.inputs);
  for (std::size_t word = 0; word < words; word += kGroupWords) {
    std::uint8_t* rows = workspace.rows_.data() + word / kGroupWords * kGroupBlocks * tile.samples;
    kernels_->select_rows(tile.bits + word, words, std::min(kGroupWords, words - word), tile.samples, rows);
  }
  if (layer.inputs <= kGroupInputs) {
    kernels_->narrow_layer(table, workspace.rows_.data(), tile.samples, outputs);
    return;
  }
  for (std::size_t neuron = 0; neuron < layer.neurons; neuron += kLanes) {
    compute_wide_chunk(table, neuron, tile.samples, outputs + neuron / 64, workspace);
  }
}

void PackedNetwork::compute_wide_chunk(const TableView& table, std::size_t neuron, std::size_t samples,
                                       std::uint64_t* outputs, Workspace& workspace) const {
  const std::uint8_t* slice = table.counts + neuron * table.blocks * kBlockPatterns;
  std::uint16_t* sums = workspace.sums_.data();
  for (std::size_t sample = 0; sample < samples; ++sample) {
    std::copy_n(table.wide_starts + neuron, kLanes, sums + sample * kLanes);
  }
  const std::size_t neurons = std::min(kLanes, table.neurons - neuron);
  for (std::size_t block = 0; block < table.blocks; block += kGroupBlocks) {
    const std::uint8_t* rows = workspace.rows_.data() + block * samples;
    const std::size_t blocks = std::min(kGroupBlocks, table.blocks - block);
    kernels_->add_group(slice + block * kBlockBytes, blocks, rows, samples, neurons, sums);
  }
  kernels_->sum_signs(sums, samples, outputs, words_of(table.neurons));
}

}  // namespace bnnplan
