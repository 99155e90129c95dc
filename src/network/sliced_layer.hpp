#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bnnplan/base/processor.hpp"
#include "bnnplan/network/network.hpp"

namespace bnnplan {

// One bit of each of 512 samples; the samples are the lanes.
inline constexpr std::size_t kPlaneWords = 8;
inline constexpr std::size_t kPlaneLanes = 64 * kPlaneWords;
struct alignas(64) Plane {
  std::array<std::uint64_t, kPlaneWords> words;
};

// Three inputs of a layer with the signs that some neuron has for them; an absent input is no_input.
struct SlicedTriple {
  static constexpr std::uint16_t no_input = 0xffff;
  std::array<std::uint16_t, 3> inputs;
  std::array<bool, 3> negated;
};

struct SlicedView {
  // Triples all of whose inputs are used by every neuron: [triple] the first of its three inputs. They fill
  // kWholePlanes planes each.
  const std::uint16_t* whole;
  std::size_t whole_count;
  // The other triples, two planes each, after those.
  const SlicedTriple* others;
  std::size_t other_count;
  // [neuron][2][triples]: the planes of weight 1, then those of weight 2, to be added.
  const std::uint16_t* planes;
  const std::uint32_t* starts;   // [neuron]: 2^top - threshold; 0 for constant neurons
  const std::uint8_t* constant;  // [neuron]: 0 and 1 are constant outputs, 2 means not constant
  std::size_t triples, neurons;
  unsigned top;  // at least 5
};
inline constexpr std::size_t kWholePlanes = 10;

// The required value of an output, in the order in which outputs are checked.
struct WantedOutput {
  std::uint32_t neuron;
  bool value;
};

struct SlicedKernels {
  // Computes the sums of all triples from the planes of the inputs.
  void (*add_triples)(const SlicedView& layer, const Plane* const* inputs, Plane* sums);
  // outputs[neuron] = (agreeing inputs) + shift >= threshold.
  void (*neurons)(const SlicedView& layer, const Plane* sums, int shift, Plane* outputs);
  // Removes lanes from `alive` that do not have all wanted outputs. False if none is left.
  bool (*match)(const SlicedView& layer, const Plane* sums, std::span<const WantedOutput> wanted,
                Plane& alive);
};

const SlicedKernels& sliced_kernels(InstructionSet set);

// A layer for bit-sliced inference: 512 samples at a time, one bit of all of them per plane. The same
// function as evaluate_reference. Immutable; threads may share one.
class SlicedLayer {
 public:
  static constexpr int margin = 2;  // of shifts
  static constexpr std::size_t most_inputs = 2048;

  // Requires at least one and at most most_inputs inputs.
  explicit SlicedLayer(const Layer& layer, InstructionSet set = best_instruction_set());

  std::size_t inputs() const { return inputs_; }
  std::size_t neurons() const { return constant_.size(); }
  std::size_t sum_count() const { return kWholePlanes * whole_.size() + 2 * others_.size(); }

  // `sums` must have room for sum_count() planes.
  void add_triples(const Plane* const* inputs, Plane* sums) const {
    kernels_->add_triples(view(), inputs, sums);
  }
  // outputs[neuron]: as if `shift` more inputs agreed, -margin .. margin; constant neurons are unaffected.
  void outputs(const Plane* sums, int shift, Plane* outputs) const {
    kernels_->neurons(view(), sums, shift, outputs);
  }
  // Removes lanes from `alive` that do not have all wanted outputs. False if none is left.
  bool match(const Plane* sums, std::span<const WantedOutput> wanted, Plane& alive) const {
    return kernels_->match(view(), sums, wanted, alive);
  }

 private:
  SlicedView view() const;

  const SlicedKernels* kernels_;
  std::size_t inputs_;
  std::size_t triples_;
  unsigned top_ = 5;
  std::vector<std::uint16_t> whole_, planes_;
  std::vector<SlicedTriple> others_;
  std::vector<std::uint32_t> starts_;
  std::vector<std::uint8_t> constant_;
};

// Bit i of up to 64 words words[0], words[stride], ... becomes word number `word` of planes[i].
void put_into_planes(const std::uint64_t* words, std::size_t stride, std::size_t count, std::size_t word,
                     std::span<Plane> planes);

// The inverse: word number `word` of planes[i] becomes bit i of these words; their other bits are 0.
void take_from_planes(std::span<const Plane> planes, std::size_t word, std::uint64_t* words,
                      std::size_t stride, std::size_t count);

}  // namespace bnnplan
