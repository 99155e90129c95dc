// Bit-sliced inference: a plane holds one bit of each of 512 samples, and every operation is done for all of
// them, as in bit-sliced ciphers (Biham, A fast new DES implementation in software, 1997). A neuron is
//
//   (agreeing inputs) + 2^top - threshold, of which bit `top` is the output, if no sum reaches 2^(top + 1),
//
// added up by carry-save adders over planes. The first level of adders is shared by the neurons of a layer:
// the inputs are cut into triples x, y, z, and for each triple
//
//   x + y + z  =  (x ^ y ^ z) + 2 majority(x, y, z)
//
// is computed once for the 8 ways of negating its inputs (8 majorities; of the sum only its two signs).
// Triples that some neuron uses only in part, because of zero weights or at the end of the inputs, are
// computed the way that neuron uses them.
//
// A layer n:m takes about (20 n / 6 + 4 n m / 3) operations for 512 samples if a full adder is two
// instructions (AVX-512), a sixth of what tables take, provided there are 512 samples at all and they come as
// planes. Converting samples to planes and back costs about what is gained, so this is for code that can stay
// with planes: the last step of a plan, in which the samples of one call have the same action and only goals
// are checked.
#include "bnnplan/network/sliced_layer.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <map>
#include <tuple>

#include "bnnplan/network/bit_rows.hpp"

namespace bnnplan {

SlicedLayer::SlicedLayer(const Layer& layer, InstructionSet set)
    : kernels_(&sliced_kernels(set)),
      inputs_(layer.neurons.front().weights.size()),
      triples_((inputs_ + 2) / 3) {
  assert(inputs_ >= 1 && inputs_ <= most_inputs);
  while ((std::size_t{1} << top_) < inputs_ + margin) ++top_;
  const auto is_whole = [&](std::size_t triple) {
    if (3 * triple + 3 > inputs_) return false;
    return std::all_of(layer.neurons.begin(), layer.neurons.end(), [&](const Neuron& neuron) {
      const std::int8_t* weights = neuron.weights.data() + 3 * triple;
      return weights[0] != 0 && weights[1] != 0 && weights[2] != 0;
    });
  };
  std::vector<std::size_t> first_plane(triples_, 0);
  std::vector<bool> whole(triples_, false);
  for (std::size_t triple = 0; triple < triples_; ++triple) {
    whole[triple] = is_whole(triple);
    if (!whole[triple]) continue;
    first_plane[triple] = kWholePlanes * whole_.size();
    whole_.push_back(static_cast<std::uint16_t>(3 * triple));
  }
  std::map<std::tuple<std::array<std::uint16_t, 3>, std::array<bool, 3>>, std::size_t> known;
  const auto plane_of_other = [&](const Neuron& neuron, std::size_t triple) {
    SlicedTriple other{};
    other.inputs.fill(SlicedTriple::no_input);
    for (std::size_t i = 0; i < 3 && 3 * triple + i < inputs_; ++i) {
      const std::int8_t weight = neuron.weights[3 * triple + i];
      if (weight == 0) continue;
      other.inputs[i] = static_cast<std::uint16_t>(3 * triple + i);
      other.negated[i] = weight < 0;
    }
    const auto [place, is_new] = known.try_emplace({other.inputs, other.negated}, others_.size());
    if (is_new) others_.push_back(other);
    return kWholePlanes * whole_.size() + 2 * place->second;
  };
  planes_.resize(2 * triples_ * layer.neurons.size());
  for (std::size_t i = 0; i < layer.neurons.size(); ++i) {
    const Neuron& neuron = layer.neurons[i];
    assert(neuron.weights.size() == inputs_);
    const bool always = neuron.threshold <= 0, never = neuron.threshold > fan_in(neuron.weights);
    constant_.push_back(always ? 1 : never ? 0 : 2);
    starts_.push_back(
        always || never ? 0 : (std::uint32_t{1} << top_) - static_cast<std::uint32_t>(neuron.threshold));
    std::uint16_t* ones = planes_.data() + i * 2 * triples_;
    std::uint16_t* twos = ones + triples_;
    for (std::size_t triple = 0; triple < triples_; ++triple) {
      if (!whole[triple]) {
        const std::size_t plane = plane_of_other(neuron, triple);
        ones[triple] = static_cast<std::uint16_t>(plane);
        twos[triple] = static_cast<std::uint16_t>(plane + 1);
        continue;
      }
      const std::int8_t* weights = neuron.weights.data() + 3 * triple;
      const unsigned x = weights[0] < 0, y = weights[1] < 0, z = weights[2] < 0;
      ones[triple] = static_cast<std::uint16_t>(first_plane[triple] + (x + y + z) % 2);
      twos[triple] = static_cast<std::uint16_t>(first_plane[triple] + 2 + x + 2 * y + 4 * z);
    }
  }
  assert(sum_count() <= 0xffff);
}

SlicedView SlicedLayer::view() const {
  return {whole_.data(),  whole_.size(),    others_.data(), others_.size(),   planes_.data(),
          starts_.data(), constant_.data(), triples_,       constant_.size(), top_};
}

void put_into_planes(const std::uint64_t* words, std::size_t stride, std::size_t count, std::size_t word,
                     std::span<Plane> planes) {
  assert(count <= 64 && planes.size() <= 64);
  BitSquare square{};
  for (std::size_t i = 0; i < count; ++i) square[i] = words[i * stride];
  transpose(square);
  for (std::size_t i = 0; i < planes.size(); ++i) planes[i].words[word] = square[i];
}

void take_from_planes(std::span<const Plane> planes, std::size_t word, std::uint64_t* words,
                      std::size_t stride, std::size_t count) {
  assert(count <= 64 && planes.size() <= 64);
  BitSquare square{};
  for (std::size_t i = 0; i < planes.size(); ++i) square[i] = planes[i].words[word];
  transpose(square);
  for (std::size_t i = 0; i < count; ++i) words[i * stride] = square[i];
}

}  // namespace bnnplan
