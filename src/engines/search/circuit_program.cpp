// Straight-line code for a circuit. Gates are emitted in order, leaving out those that no output needs; a
// gate's place is reused after its last use, so that the places of a program fit into the first or second
// level cache. A gate costs two loads, one or three operations and a store for 256 evaluations: about a
// nanosecond if the processor has 256-bit registers, which is checked at run time, and two if not.
#include "bnnplan/engines/search/circuit_program.hpp"

#include <utility>

namespace bnnplan::engines {

namespace {

constexpr std::uint32_t no_place = 0xffffffff;

}  // namespace

CircuitProgram::CircuitProgram(const BitCircuit& circuit, std::span<const BitCircuit::Wire> outputs) {
  using Kind = BitCircuit::Gate::Kind;
  const auto& gates = circuit.gates();
  const std::size_t never_freed = gates.size();
  std::vector<std::size_t> last_use(gates.size(), 0);  // 0: not needed
  for (const BitCircuit::Wire wire : outputs) last_use[wire >> 1] = never_freed;
  for (std::size_t i = gates.size(); i-- > 1;) {
    if (last_use[i] == 0 || gates[i].kind == Kind::input) continue;
    for (const BitCircuit::Wire wire : {gates[i].a, gates[i].b}) {
      if (last_use[wire >> 1] < i) last_use[wire >> 1] = i;
    }
  }

  std::vector<std::uint32_t> place(gates.size(), no_place), free;
  place[0] = 0;
  const auto take_place = [&] {
    if (free.empty()) return static_cast<std::uint32_t>(place_count_++);
    const std::uint32_t taken = free.back();
    free.pop_back();
    return taken;
  };
  // Inputs are set before the first operation, so none of their places is shared with an earlier gate.
  for (std::size_t i = 1; i < gates.size(); ++i) {
    if (gates[i].kind != Kind::input || last_use[i] == 0) continue;
    place[i] = take_place();
    inputs_.push_back({gates[i].a, place[i]});
  }
  for (std::size_t i = 1; i < gates.size(); ++i) {
    if (gates[i].kind == Kind::input || last_use[i] == 0) continue;
    const BitCircuit::Wire a = gates[i].a, b = gates[i].b;
    const std::uint32_t place_a = place[a >> 1], place_b = place[b >> 1];
    for (const BitCircuit::Wire wire : {a, b}) {
      const std::size_t gate = wire >> 1;
      if (gate != 0 && last_use[gate] == i) free.push_back(place[gate]);
    }
    place[i] = take_place();
    operations_.push_back({place[i], place_a, place_b, static_cast<std::uint8_t>(a & 1),
                           static_cast<std::uint8_t>(b & 1), gates[i].kind == Kind::differ});
  }
  for (const BitCircuit::Wire wire : outputs) {
    outputs_.push_back({place[wire >> 1], (wire & 1) != 0 ? ~std::uint64_t{0} : 0});
  }
}

namespace {

template <class Operation>
[[gnu::always_inline]] inline void run_operations(std::span<const Operation> operations, Lanes* places) {
  places[0] = {};
  for (const Operation& operation : operations) {
    const Lanes a = places[operation.a], b = places[operation.b];
    Lanes result;
    if (operation.differ) {
      for (std::size_t i = 0; i < lane_words; ++i) result.words[i] = a.words[i] ^ b.words[i];
    } else {
      const std::uint64_t sign_a = -std::uint64_t{operation.negate_a};
      const std::uint64_t sign_b = -std::uint64_t{operation.negate_b};
      for (std::size_t i = 0; i < lane_words; ++i) {
        result.words[i] = (a.words[i] ^ sign_a) & (b.words[i] ^ sign_b);
      }
    }
    places[operation.to] = result;
  }
}

}  // namespace

void CircuitProgram::run(Lanes* places, InstructionSet set) const {
  using Loop = Compiled<run_operations<Operation>>;
  select(set, Loop::portable, Loop::avx2)(operations_, places);
}

}  // namespace bnnplan::engines
