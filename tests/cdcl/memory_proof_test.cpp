// The checker that the other tests rely on refuses what is wrong, at once.
#include "cdcl/memory_proof.hpp"

#include <functional>
#include <stdexcept>

#include <gtest/gtest.h>

namespace bnnplan::cdcl {
namespace {

using testing::MemoryProof;

constexpr Lit x0{0}, x1{2}, x2{4};

// At least two of three, at a cost of 1, 2 and 3.
checking::PbFormula costly_choice() {
  checking::PbFormula formula;
  formula.variables = 3;
  checking::add_constraint(formula, checking::normal_constraint({{1, x0}, {1, x1}, {1, x2}}, 2));
  formula.objective = {{1, x0}, {2, x1}, {3, x2}};
  formula.has_objective = true;
  return formula;
}

std::string refusal_of(const std::function<void()>& step) {
  try {
    step();
  } catch (const std::logic_error& error) {
    return error.what();
  }
  return "";
}

TEST(MemoryProof, AcceptsAProof) {
  MemoryProof proof(costly_choice());
  EXPECT_EQ(proof.add_clause(std::vector{x0, x1}), 2u);
  proof.delete_clause(2);
  proof.add_solution(BitValues{1, 0, 1}, true);
  EXPECT_EQ(proof.value(), 4);
  proof.add_solution(BitValues{1, 1, 0}, true);
  EXPECT_EQ(proof.add_clause(std::vector{~x2}), 5u);
  proof.conclude_optimal(3);
  EXPECT_TRUE(proof.concluded());
  EXPECT_EQ(proof.clauses().size(), 2u);
  EXPECT_EQ(proof.deleted(), 1u);
}

TEST(MemoryProof, RefusesAWrongStepAtOnce) {
  MemoryProof proof(costly_choice());
  EXPECT_EQ(refusal_of([&] { proof.add_clause(std::vector{x0}); }),
            "after proof step 1: a clause that does not follow");
  EXPECT_EQ(refusal_of([&] { proof.delete_clause(1); }),
            "after proof step 1: a deletion of no learned clause");
  EXPECT_EQ(refusal_of([&] {
              proof.add_solution(BitValues{1, 0, 0}, true);
            }),
            "after proof step 1: a solution that violates a constraint or leaves something open");
  proof.add_solution(BitValues{1, 0, 1}, true);
  EXPECT_EQ(refusal_of([&] {
              proof.add_solution(BitValues{0, 1, 1}, true);
            }),
            "after proof step 2: a solution that violates a constraint or leaves something open");
  EXPECT_EQ(refusal_of([&] { proof.conclude_optimal(4); }),
            "after proof step 2: an optimum without a contradiction");
  EXPECT_EQ(refusal_of([&] { proof.conclude_optimal(4); }), "after proof step 2: a second conclusion");
}

TEST(MemoryProof, RefusesDefinitionsAndSumsThatAreNone) {
  MemoryProof proof(costly_choice());
  const std::vector<WeightedLit> sum = {{1, x0}, {1, x2}};
  const std::uint64_t definition = proof.define({3}, sum, 2);
  EXPECT_EQ(definition, 2u);
  EXPECT_EQ(proof.definitions(), 1u);
  EXPECT_EQ(refusal_of([&] { proof.define({3}, sum, 2); }),
            "after proof step 3: a definition of a variable that is not new");
  EXPECT_EQ(refusal_of([&] { proof.define({4}, sum, 3); }), "after proof step 3: an invalid definition");
  EXPECT_EQ(proof.add_clause(std::vector{~Lit::positive({3}), x0}), 4u);
  const std::vector<ProofSummand> missing = {{9, 1}}, negative = {{2, -1}};
  EXPECT_EQ(refusal_of([&] { proof.add_sum(missing); }), "after proof step 4: a sum of what is not there");
  EXPECT_EQ(refusal_of([&] { proof.add_sum(negative); }), "after proof step 4: a sum of what is not there");
}

TEST(MemoryProof, RefusesWrongConclusions) {
  EXPECT_EQ(refusal_of([] { MemoryProof(costly_choice()).conclude_optimal(3); }),
            "after proof step 1: an optimum that no solution has");
  EXPECT_EQ(refusal_of([] { MemoryProof(costly_choice()).conclude_infeasible(); }),
            "after proof step 1: infeasible without a contradiction");
  EXPECT_EQ(refusal_of([] { MemoryProof(costly_choice()).conclude_satisfiable(); }),
            "after proof step 1: satisfiable without a solution");
}

}  // namespace
}  // namespace bnnplan::cdcl
