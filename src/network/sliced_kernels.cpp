// The inner loops of sliced_layer.cpp, for each instruction set. A neuron adds its planes by carry-save
// adders, eight triples at a time: a1 .. a16 hold one bit each of all counters; the carry out of a16 ripples
// through the few slices above. 16 planes take 15 full and 3 half adders, and a full adder five instructions
// for 128 or 256 lanes, or two for 512 (AVX-512).
#include <utility>

#include "bnnplan/network/carry_save.hpp"
#include "bnnplan/network/sliced_layer.hpp"

namespace bnnplan {

namespace {

// Adds Count slices to a slice of the counters and writes the (Count + 1) / 2 carries.
template <int Count, class S>
[[gnu::always_inline]] inline void add_all(S& sum, const S* from, S* carries) {
#pragma GCC unroll 16
  for (int i = 0; i < Count / 2; ++i) add_two(sum, from[2 * i], from[2 * i + 1], carries[i]);
  if constexpr (Count % 2 != 0) {
    carries[Count / 2] = from[Count - 1];
    add_one(sum, carries[Count / 2]);
  }
}

// Adds Count triples, at most 8: their planes of weight 1 and of weight 2. (The counters are not one struct:
// GCC would keep it in memory.)
template <int Count, class S>
[[gnu::always_inline]] inline void add_planes(S& a1, S& a2, S& a4, S& a8, S& a16, S* high, unsigned highs,
                                              const std::uint64_t* sums, const std::uint16_t* ones,
                                              const std::uint16_t* twos) {
  constexpr int two_count = (Count + 1) / 2 + Count, four_count = (two_count + 1) / 2,
                eight_count = (four_count + 1) / 2, sixteen_count = (eight_count + 1) / 2;
  static_assert(sixteen_count <= 2);
  S one[Count], two[two_count], four[four_count], eight[eight_count], sixteen[sixteen_count], carry[1];
#pragma GCC unroll 16
  for (int i = 0; i < Count; ++i) load_slice(sums + kPlaneWords * ones[i], one[i]);
  add_all<Count>(a1, one, two);
#pragma GCC unroll 16
  for (int i = 0; i < Count; ++i) load_slice(sums + kPlaneWords * twos[i], two[two_count - Count + i]);
  add_all<two_count>(a2, two, four);
  add_all<four_count>(a4, four, eight);
  add_all<eight_count>(a8, eight, sixteen);
  add_all<sixteen_count>(a16, sixteen, carry);
  add_through(high, 0, highs, carry[0]);
}

template <class S>
[[gnu::always_inline]] inline void fill(S& slice, bool value) {
  slice = value ? ~S{} : S{};
}

// One neuron; `sums` points to the slice's part of the planes.
template <class S>
[[gnu::always_inline]] inline void neuron_output(const SlicedView& layer, const std::uint64_t* sums,
                                                 std::size_t neuron, int shift, S& output) {
  if (layer.constant[neuron] != 2) return fill(output, layer.constant[neuron] != 0);
  const unsigned highs = layer.top - 4;
  const auto start = static_cast<std::uint32_t>(static_cast<std::int32_t>(layer.starts[neuron]) + shift);
  S a1, a2, a4, a8, a16, high[12];  // 1, 2, 4, 8, 16; 32, 64, ...
  fill(a1, (start & 1) != 0);
  fill(a2, (start >> 1 & 1) != 0);
  fill(a4, (start >> 2 & 1) != 0);
  fill(a8, (start >> 3 & 1) != 0);
  fill(a16, (start >> 4 & 1) != 0);
  for (unsigned i = 0; i < highs; ++i) fill(high[i], (start >> (5 + i) & 1) != 0);
  const std::uint16_t* ones = layer.planes + neuron * 2 * layer.triples;
  const std::uint16_t* twos = ones + layer.triples;
  const auto add = [&]<int Count>(std::integral_constant<int, Count>) __attribute__((always_inline)) {
    add_planes<Count>(a1, a2, a4, a8, a16, high, highs, sums, ones, twos);
  };
  std::size_t left = layer.triples;
  for (; left >= 8; left -= 8, ones += 8, twos += 8) add(std::integral_constant<int, 8>());
  [&]<int... Count>(std::integer_sequence<int, Count...>) __attribute__((always_inline)) {
    ((left == Count + 1 ? add(std::integral_constant<int, Count + 1>()) : void()), ...);
  }
  (std::make_integer_sequence<int, 7>());
  output = high[highs - 1];
}

template <std::size_t words>
[[gnu::always_inline]] inline void add_triples(const SlicedView& layer, const Plane* const* inputs,
                                               Plane* sums) {
  using S = Slice<words>;
  for (std::size_t part = 0; part < kPlaneWords; part += words) {
    Plane* to = sums;
    for (std::size_t triple = 0; triple < layer.whole_count; ++triple, to += kWholePlanes) {
      const Plane* const* from = inputs + layer.whole[triple];
      S plain[3], of[3], sum;
#pragma GCC unroll 3
      for (int i = 0; i < 3; ++i) load_slice(from[i]->words.data() + part, plain[i]);
      sum = plain[0] ^ plain[1] ^ plain[2];
      store_slice(to[0].words.data() + part, sum);
      store_slice(to[1].words.data() + part, ~sum);
#pragma GCC unroll 8
      for (unsigned negated = 0; negated < 8; ++negated) {
#pragma GCC unroll 3
        for (unsigned i = 0; i < 3; ++i) of[i] = (negated >> i & 1) != 0 ? ~plain[i] : plain[i];
        majority(of[0], of[1], of[2], sum);
        store_slice(to[2 + negated].words.data() + part, sum);
      }
    }
    for (std::size_t triple = 0; triple < layer.other_count; ++triple, to += 2) {
      const SlicedTriple& other = layer.others[triple];
      S of[3], sum;
#pragma GCC unroll 3
      for (int i = 0; i < 3; ++i) {
        of[i] = S{};
        if (other.inputs[i] == SlicedTriple::no_input) continue;
        load_slice(inputs[other.inputs[i]]->words.data() + part, of[i]);
        if (other.negated[i]) of[i] = ~of[i];
      }
      sum = of[0] ^ of[1] ^ of[2];
      store_slice(to[0].words.data() + part, sum);
      majority(of[0], of[1], of[2], sum);
      store_slice(to[1].words.data() + part, sum);
    }
  }
}

template <std::size_t words>
[[gnu::always_inline]] inline void neurons(const SlicedView& layer, const Plane* sums, int shift,
                                           Plane* outputs) {
  for (std::size_t part = 0; part < kPlaneWords; part += words) {
    for (std::size_t neuron = 0; neuron < layer.neurons; ++neuron) {
      Slice<words> output;
      neuron_output(layer, sums->words.data() + part, neuron, shift, output);
      store_slice(outputs[neuron].words.data() + part, output);
    }
  }
}

template <class S>
[[gnu::always_inline]] inline bool any_bit(const S& slice) {
  std::uint64_t words[sizeof(S) / 8], any = 0;
  store_slice(words, slice);
  for (const std::uint64_t word : words) any |= word;
  return any != 0;
}

template <std::size_t words>
[[gnu::always_inline]] inline bool match(const SlicedView& layer, const Plane* sums,
                                         std::span<const WantedOutput> wanted, Plane& alive) {
  bool some_left = false;
  const std::uint64_t* const end = sums->words.data() + kPlaneWords;
  std::uint64_t* to = alive.words.data();
  for (const std::uint64_t* from = sums->words.data(); from < end; from += words, to += words) {
    Slice<words> left, output;
    load_slice(to, left);
    bool any = any_bit(left);
    for (std::size_t i = 0; i < wanted.size() && any; ++i) {
      neuron_output(layer, from, wanted[i].neuron, 0, output);
      left &= wanted[i].value ? output : ~output;
      any = any_bit(left);
    }
    store_slice(to, left);
    some_left = some_left || any;
  }
  return some_left;
}

}  // namespace

const SlicedKernels& sliced_kernels(InstructionSet set) {
  static constexpr SlicedKernels portable{Compiled<add_triples<2>>::portable, Compiled<neurons<2>>::portable,
                                          Compiled<match<2>>::portable},
      avx2{Compiled<add_triples<4>>::avx2, Compiled<neurons<4>>::avx2, Compiled<match<4>>::avx2},
      avx512{Compiled<add_triples<8>>::avx512, Compiled<neurons<8>>::avx512, Compiled<match<8>>::avx512};
  return select(set, portable, avx2, avx512);
}

}  // namespace bnnplan
