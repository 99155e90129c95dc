#pragma once

#include <cstdint>
#include <random>
#include <string>

#include "bnnplan/formats/wcnf.hpp"

namespace bnnplan::testing {

using Random = std::mt19937_64;

// A number from 0 below `bound`; the same on every machine, unlike the standard distributions.
inline std::int64_t below(Random& random, std::int64_t bound) {
  return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(bound));
}

// Formulas to test and to measure on. Weights are from 1 to `heaviest`.

// Anything goes: empty, repeated and tautological clauses, weight 0, variables that do not occur.
formats::Wcnf wild_formula(Random& random, std::uint32_t variables, std::int64_t heaviest);

// Random 3-clauses as hard ones, `ratio` for each variable, and a soft unit clause for every variable.
formats::Wcnf random_three_sat(Random& random, std::uint32_t variables, double ratio, std::int64_t heaviest);

// Random 2-clauses, all soft.
formats::Wcnf max_two_sat(Random& random, std::uint32_t variables, std::uint32_t clauses,
                          std::int64_t heaviest);

// Cheapest vertex cover of a random graph.
formats::Wcnf vertex_cover(Random& random, std::uint32_t vertices, std::uint32_t edges,
                           std::int64_t heaviest);

// Heaviest cut of a random graph: two soft clauses for each edge.
formats::Wcnf max_cut(Random& random, std::uint32_t vertices, std::uint32_t edges, std::int64_t heaviest);

// Cheapest choice of sets that cover all elements.
formats::Wcnf set_cover(Random& random, std::uint32_t elements, std::uint32_t sets, std::int64_t heaviest);

// Jobs go into slots; each job must have one, some pairs may not share one, later slots cost more and every
// slot that is used at all costs a lot.
formats::Wcnf scheduling(Random& random, std::uint32_t jobs, std::uint32_t slots, std::uint32_t conflicts,
                         std::int64_t heaviest);

// Like the formulas of planning problems: a layered random circuit over and over, one copy per step, from a
// given first state to a given last bit; each step has actions that cost 1 to `heaviest`. Few soft literals,
// long proofs.
formats::Wcnf unrolled_circuit(Random& random, std::uint32_t bits, std::uint32_t steps,
                               std::int64_t heaviest);

// The formula as text.
enum class WcnfFormat { modern, classic, classic_without_top };
// classic_without_top requires that there are no hard clauses, classic that the weights sum up below 2^63
// - 1.
std::string wcnf_text(const formats::Wcnf& formula, WcnfFormat format);

}  // namespace bnnplan::testing
