// The inner loops of sliced_layer.cpp. The including file defines
//   SLICES          the attribute of every function,
//   Slice           a vector of kSliceWords words, and its operations: load, store, flipped, both, differ,
//                   sum_of_three (a ^ b ^ c), majority and any.
// A neuron adds its planes by carry-save adders, eight triples at a time: a1 .. a16 hold one bit each of all
// counters; the carry out of a16 ripples through the few planes above. 16 planes take 15 full and 3 half
// adders.
//
// No include guard: each instruction set has its own copy, in an anonymous namespace.

#if defined(__clang__)
#define SLICES_UNROLL _Pragma("unroll")
#else
#define SLICES_UNROLL _Pragma("GCC unroll 16")
#endif

struct SliceCounters {
  Slice a1, a2, a4, a8, a16;
  Slice high[12];  // 32, 64, ...
};

SLICES inline __attribute__((always_inline)) Slice add_two(Slice& sum, Slice x, Slice y) {
  const Slice carry = majority(sum, x, y);
  sum = sum_of_three(sum, x, y);
  return carry;
}

SLICES inline __attribute__((always_inline)) Slice add_one(Slice& sum, Slice x) {
  const Slice carry = both(sum, x);
  sum = differ(sum, x);
  return carry;
}

// Adds Count slices to a plane of counters and writes the (Count + 1) / 2 carries.
template <int Count>
SLICES inline __attribute__((always_inline)) void add_all(Slice& sum, const Slice* from, Slice* carries) {
  SLICES_UNROLL
  for (int i = 0; i < Count / 2; ++i) carries[i] = add_two(sum, from[2 * i], from[2 * i + 1]);
  if constexpr (Count % 2 != 0) carries[Count / 2] = add_one(sum, from[Count - 1]);
}

// Adds Count triples, at most 8: their planes of weight 1 and of weight 2.
template <int Count>
SLICES inline __attribute__((always_inline)) void add_planes(SliceCounters& counters, unsigned highs,
                                                             const std::uint64_t* sums,
                                                             const std::uint16_t* ones,
                                                             const std::uint16_t* twos) {
  constexpr int two_count = (Count + 1) / 2 + Count, four_count = (two_count + 1) / 2,
                eight_count = (four_count + 1) / 2, sixteen_count = (eight_count + 1) / 2;
  static_assert(sixteen_count <= 2);
  Slice one[Count], two[two_count], four[four_count], eight[eight_count], sixteen[sixteen_count], carry[1];
  SLICES_UNROLL
  for (int i = 0; i < Count; ++i) one[i] = load(sums + kPlaneWords * ones[i]);
  add_all<Count>(counters.a1, one, two);
  SLICES_UNROLL
  for (int i = 0; i < Count; ++i) two[two_count - Count + i] = load(sums + kPlaneWords * twos[i]);
  add_all<two_count>(counters.a2, two, four);
  add_all<four_count>(counters.a4, four, eight);
  add_all<eight_count>(counters.a8, eight, sixteen);
  add_all<sixteen_count>(counters.a16, sixteen, carry);
  for (unsigned i = 0; i < highs; ++i) carry[0] = add_one(counters.high[i], carry[0]);
}

SLICES inline __attribute__((always_inline)) Slice all_bits(bool value) {
  const Slice zero = differ(Slice{}, Slice{});
  return value ? flipped(zero) : zero;
}

// One neuron; `sums` points to the slice's part of the planes.
SLICES inline Slice neuron_output(const SlicedView& layer, const std::uint64_t* sums, std::size_t neuron,
                                  int shift) {
  if (layer.constant[neuron] != 2) return all_bits(layer.constant[neuron] != 0);
  const unsigned highs = layer.top - 4;
  const auto start = static_cast<std::uint32_t>(static_cast<std::int32_t>(layer.starts[neuron]) + shift);
  const auto bit = [&](unsigned number) { return (start >> number & 1) != 0; };
  SliceCounters counters;
  counters.a1 = all_bits(bit(0));
  counters.a2 = all_bits(bit(1));
  counters.a4 = all_bits(bit(2));
  counters.a8 = all_bits(bit(3));
  counters.a16 = all_bits(bit(4));
  for (unsigned i = 0; i < highs; ++i) counters.high[i] = all_bits(bit(5 + i));
  const std::uint16_t* ones = layer.planes + neuron * 2 * layer.triples;
  const std::uint16_t* twos = ones + layer.triples;
  std::size_t left = layer.triples;
  for (; left >= 8; left -= 8, ones += 8, twos += 8) add_planes<8>(counters, highs, sums, ones, twos);
  switch (left) {
    case 1:
      add_planes<1>(counters, highs, sums, ones, twos);
      break;
    case 2:
      add_planes<2>(counters, highs, sums, ones, twos);
      break;
    case 3:
      add_planes<3>(counters, highs, sums, ones, twos);
      break;
    case 4:
      add_planes<4>(counters, highs, sums, ones, twos);
      break;
    case 5:
      add_planes<5>(counters, highs, sums, ones, twos);
      break;
    case 6:
      add_planes<6>(counters, highs, sums, ones, twos);
      break;
    case 7:
      add_planes<7>(counters, highs, sums, ones, twos);
      break;
    default:
      break;
  }
  return counters.high[highs - 1];
}

SLICES void add_triples(const SlicedView& layer, const Plane* const* inputs, Plane* sums) {
  for (std::size_t part = 0; part < kPlaneWords; part += kSliceWords) {
    Plane* to = sums;
    for (std::size_t triple = 0; triple < layer.whole_count; ++triple, to += kWholePlanes) {
      const Plane* const* from = inputs + layer.whole[triple];
      const Slice x = load(from[0]->words.data() + part), y = load(from[1]->words.data() + part),
                  z = load(from[2]->words.data() + part);
      const Slice not_x = flipped(x), not_y = flipped(y), not_z = flipped(z);
      const Slice sum = sum_of_three(x, y, z);
      store(to[0].words.data() + part, sum);
      store(to[1].words.data() + part, flipped(sum));
      store(to[2].words.data() + part, majority(x, y, z));
      store(to[3].words.data() + part, majority(not_x, y, z));
      store(to[4].words.data() + part, majority(x, not_y, z));
      store(to[5].words.data() + part, majority(not_x, not_y, z));
      store(to[6].words.data() + part, majority(x, y, not_z));
      store(to[7].words.data() + part, majority(not_x, y, not_z));
      store(to[8].words.data() + part, majority(x, not_y, not_z));
      store(to[9].words.data() + part, majority(not_x, not_y, not_z));
    }
    for (std::size_t triple = 0; triple < layer.other_count; ++triple, to += 2) {
      const SlicedTriple& other = layer.others[triple];
      Slice of[3];
      for (int i = 0; i < 3; ++i) {
        of[i] = all_bits(false);
        if (other.inputs[i] == SlicedTriple::no_input) continue;
        of[i] = load(inputs[other.inputs[i]]->words.data() + part);
        if (other.negated[i]) of[i] = flipped(of[i]);
      }
      store(to[0].words.data() + part, sum_of_three(of[0], of[1], of[2]));
      store(to[1].words.data() + part, majority(of[0], of[1], of[2]));
    }
  }
}

SLICES void neurons(const SlicedView& layer, const Plane* sums, int shift, Plane* outputs) {
  for (std::size_t part = 0; part < kPlaneWords; part += kSliceWords) {
    for (std::size_t neuron = 0; neuron < layer.neurons; ++neuron) {
      store(outputs[neuron].words.data() + part,
            neuron_output(layer, sums->words.data() + part, neuron, shift));
    }
  }
}

SLICES bool match(const SlicedView& layer, const Plane* sums, std::span<const WantedOutput> wanted,
                  Plane& alive) {
  bool some_left = false;
  for (std::size_t part = 0; part < kPlaneWords; part += kSliceWords) {
    Slice left = load(alive.words.data() + part);
    for (std::size_t i = 0; i < wanted.size() && any(left); ++i) {
      const Slice output = neuron_output(layer, sums->words.data() + part, wanted[i].neuron, 0);
      left = both(left, wanted[i].value ? output : flipped(output));
    }
    store(alive.words.data() + part, left);
    some_left = some_left || any(left);
  }
  return some_left;
}
