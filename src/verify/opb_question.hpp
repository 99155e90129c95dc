#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "check/pb_formula.hpp"
#include "engines/pseudo_boolean/recognise_neurons.hpp"
#include "engines/pseudo_boolean/solve_pb.hpp"
#include "verify/question.hpp"

namespace bnnplan {

// A pseudo-Boolean formula that asks for the cheapest change of a network's input, as a question about flips. A set of
// flips that costs c is a solution of value offset + c, and a cheapest solution is such a set.
struct OpbQuestion {
  std::unique_ptr<const Network> network;
  FlipQuestion question;
  std::int64_t offset = 0;

  std::vector<std::uint32_t> inputs;                // variables of the network's inputs
  std::vector<std::optional<bool>> fixed;           // by variable
  std::vector<std::vector<ReifiedAtLeast>> layers;  // in the order of their depth
  std::vector<std::uint32_t> choices;  // variables of which one is true: which part of the property holds
  std::vector<std::pair<Lit, Lit>> implied;  // where the first is true, the second is; by depth
  std::size_t rows = 0;                      // constraints that are no part of a neuron
};

// Nothing if it is no such formula: neurons in layers above variables that cost something each (alone, or the dearest of all),
// and linear conditions on the last layer, of which one group has to hold that a variable chooses.
std::optional<OpbQuestion> recognise_question(const PbFormula& formula);

// A solution of the formula for a set of flips. Nothing if there is none.
std::optional<BitValues> solution_of(const OpbQuestion& asked, const PbFormula& formula, const FlipSet& set);

// solve_pseudo_boolean, but by local search and enumeration as well where the formula is such a question.
PbOutcome solve_opb(const PbFormula& formula, const PbRequest& request = {});

}  // namespace bnnplan
