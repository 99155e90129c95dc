#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bnnplan/network/kernels.hpp"
#include "bnnplan/network/kernels_weights.hpp"
#include "bnnplan/network/network.hpp"

namespace bnnplan {

// How a layer is computed. The results are the same; tests and benchmarks force one.
enum class Technique { measured, table, popcount };

// The scratch memory of one thread. Works for every network and grows to the needs of the largest one so far.
class Workspace {
 private:
  friend class PackedNetwork;
  std::vector<std::uint64_t> bits_[2];  // [sample][word]: outputs of even and of odd layers
  std::vector<std::uint8_t> rows_;      // [group][sample][kGroupBlocks]
  std::vector<std::uint16_t> sums_;     // [sample][lane]
};

// A network laid out for fast inference: the same function as evaluate_reference, on packed bits. Immutable;
// threads may share one, each with its own Workspace.
//
// Bit i of a sample is bit i % 64 of its word i / 64. The unused high bits of the last word are ignored in
// inputs and 0 in outputs.
class PackedNetwork {
 public:
  // Keeps no reference to `network`, only a pointer to `kernels`, which the processor must have.
  explicit PackedNetwork(const Network& network, const Kernels& kernels = packed_kernels(),
                         Technique technique = Technique::measured);

  std::size_t inputs() const { return layers_.front().inputs; }
  std::size_t outputs() const { return layers_.back().neurons; }
  std::size_t input_words() const { return words_of(inputs()); }
  std::size_t output_words() const { return words_of(outputs()); }

  // Evaluates `count` samples of input_words() words, one after the other, into as many samples of
  // output_words() words, which must not overlap the inputs. Allocates only when the workspace has to grow.
  void evaluate(const std::uint64_t* inputs, std::size_t count, std::uint64_t* outputs,
                Workspace& workspace) const;

 private:
  struct PackedLayer {
    std::size_t inputs;
    std::size_t neurons;
    TableWeights table;        // empty unless used for some number of samples
    PopcountWeights popcount;  // same
  };

  // Samples that pass through a layer together.
  struct Tile {
    const std::uint64_t* bits;  // [sample][word]
    std::size_t samples;
  };

  static const std::uint64_t* clean(const Tile& tile, std::size_t inputs, std::uint64_t* to);

  bool uses_table(std::size_t inputs, std::size_t neurons, std::size_t samples) const;
  void prepare(Workspace& workspace, std::size_t samples) const;
  void compute_by_table(const PackedLayer& layer, const Tile& tile, std::uint64_t* outputs,
                        Workspace& workspace) const;
  void compute_wide_chunk(const TableView& table, std::size_t neuron, std::size_t samples,
                          std::uint64_t* outputs, Workspace& workspace) const;

  const Kernels* kernels_;
  Technique technique_;
  std::vector<PackedLayer> layers_;
  std::size_t most_words_ = 0;   // of the inputs or outputs of a layer
  std::size_t most_groups_ = 0;  // of a layer
};

}  // namespace bnnplan
