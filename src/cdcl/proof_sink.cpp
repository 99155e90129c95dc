// Solutions in a proof. A checker accepts one only if every variable that a constraint mentions gets a value
// by unit propagation. Neurons and counters do, by their definitions; the sums along time do not, since their
// definitions are deleted as soon as the chain has their implications (prefix_cost.cpp), so they are listed.
#include "bnnplan/cdcl/proof_sink.hpp"

#include <map>

namespace bnnplan::cdcl {

std::uint64_t ProofSink::add_solution(std::span<const BitValue> values, bool objective) {
  std::vector<Lit> literals;
  for (std::uint32_t v = 0; v < values.size(); ++v) {
    if (values[v] != unknown_bit) literals.push_back(Lit::of({v}, values[v] == 0));
  }
  return add_solution(literals, objective);
}

std::uint64_t ProofSink::add_solution(std::span<const Lit> literals, bool objective) {
  std::vector<Lit> all(literals.begin(), literals.end());
  std::map<Var, bool> given;
  for (const Lit literal : literals) given.emplace(literal.var(), !literal.negated());
  std::vector<std::int64_t> sums{0};  // of the first terms
  for (const auto& [coefficient, literal] : listed_.sum)
    sums.push_back(sums.back() + (given.at(literal.var()) != literal.negated() ? coefficient : 0));
  for (const auto& [variable, terms, value] : listed_.reached)
    all.push_back(Lit::of(variable, sums[terms] < value));
  return log_solution(all, objective);
}

}  // namespace bnnplan::cdcl
