// Proofs of the search engine: of random problems of every kind, against brute force; and forged ones, in
// which the same derivation is made to claim what is not true.
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "bnnplan/base/text_file.hpp"
#include "bnnplan/check/problem_formula.hpp"
#include "bnnplan/check/problem_proof.hpp"
#include "bnnplan/engines/engine.hpp"
#include "bnnplan/engines/proof_file.hpp"
#include "bnnplan/engines/search/cheap_layers.hpp"
#include "bnnplan/engines/search/layered_proof.hpp"
#include "bnnplan/engines/search/search_run.hpp"
#include "bnnplan/model/decode.hpp"
#include "bnnplan/model/plain_row.hpp"
#include "bnnplan/model/unroll.hpp"
#include "bnnplan/problem/problem_file.hpp"
#include "support/brute_force.hpp"
#include "support/random_problem.hpp"
#include "support/shipped.hpp"
#include "support/temporary_folder.hpp"

namespace bnnplan::engines {
namespace {

struct Proved {
  Outcome outcome;
  std::string text;  // empty if there is none
};

Proved prove_by_search(const Problem& problem, const std::string& version, bool first = false) {
  const testing::TemporaryFolder folder;
  EngineRequest request;
  request.proof = (folder / "proof.pbp").string();
  request.proof_version = version == "1.2" ? ProofVersion::v1_2 : ProofVersion::v3_0;
  request.first = first;
  Proved proved{find_engine("search")->run(problem, request), ""};
  if (!proved.outcome.proof.empty()) proved.text = read_text_file(request.proof);
  return proved;
}

TEST(SearchProof, OfRandomProblemsIsAccepted) {
  int optimal = 0, infeasible = 0, satisfiable = 0, refused = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    SCOPED_TRACE(seed);
    Problem problem = testing::random_problem(seed);
    problem.refused.clear();
    const std::string version = seed % 2 == 0 ? "1.2" : "3.0";
    const bool first = seed % 10 == 0;
    const auto [outcome, proof] = prove_by_search(problem, version, first);
    ASSERT_FALSE(proof.empty());
    const checking::ProblemProof check = checking::check_proof(problem, proof);
    ASSERT_TRUE(check.check.accepted) << check.check.refusal;
    const std::optional<std::int64_t> cost = testing::brute_force_cost(problem);
    if (!cost) {
      ++infeasible;
      ASSERT_EQ(check.check.claim, checking::ProofCheck::Claim::infeasible);
    } else if (first || problem.objective.terms.empty()) {
      ++satisfiable;
      ASSERT_EQ(check.check.claim, checking::ProofCheck::Claim::satisfiable);
    } else {
      ++optimal;
      ASSERT_EQ(check.check.claim, checking::ProofCheck::Claim::optimal);
      ASSERT_EQ(check.cost, cost);
    }
    // Altered literals and numbers: such a proof may still be right, but then so is what it claims.
    if (seed % 3 != 0) continue;
    const checking::PbFormula formula = checking::formula_of(problem).formula;
    for (std::size_t at = proof.find(" x"); at != std::string::npos; at = proof.find(" x", at + 60)) {
      std::string altered = proof;
      at % 3 == 0 ? altered.erase(at + 1, altered.find(' ', at + 1) - at) : altered.insert(at + 1, "~");
      const checking::ProofCheck again = checking::check_proof(formula, altered);
      if (!again.accepted) {
        ++refused;
        continue;
      }
      ASSERT_EQ(again.claim, check.check.claim);
      if (again.claim == checking::ProofCheck::Claim::optimal) {
        ASSERT_EQ(again.value, check.check.value);
      }
    }
  }
  EXPECT_GT(optimal, 80);
  EXPECT_GT(infeasible, 70);
  EXPECT_GT(satisfiable, 25);
  EXPECT_GT(refused, 300);
}

TEST(SearchProof, NamesTheOptimumAndNoOther) {
  int tried = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    Problem problem = testing::random_problem(seed);
    problem.refused.clear();
    const auto [outcome, proof] = prove_by_search(problem, "3.0");
    const std::size_t at = proof.find("BOUNDS ");
    if (at == std::string::npos) continue;
    ++tried;
    const checking::ProofCheck right = checking::check_proof(problem, proof).check;
    for (const int off : {-1, +1}) {
      std::string forged = proof;
      const std::string value = std::to_string(right.value), wrong = std::to_string(right.value + off);
      forged.replace(at + 7, value.size(), wrong);
      EXPECT_FALSE(checking::check_proof(problem, forged).check.accepted);
      const std::size_t last = forged.rfind(value + " ;");
      forged.replace(last, value.size(), wrong);
      EXPECT_FALSE(checking::check_proof(problem, forged).check.accepted);
    }
  }
  EXPECT_GT(tried, 50);
}

// The derivation, made to show that nothing costs less than `below` (unbounded: that there is no plan), with
// this plan as a solution. Nothing if it cannot be written.
std::optional<std::string> forge(const Problem& problem, std::int64_t below, const Outcome& solution) {
  const testing::TemporaryFolder folder;
  EngineRequest request;
  request.proof = (folder / "proof.pbp").string();
  SearchRun run(problem, request);
  if (!run.begin()) return std::nullopt;
  const auto initial = run.initial_states();
  const auto layers = find_cheap_layers(run, initial, below, 1'000'000);
  const model::ZeroOneModel model = model::begin_unroll(problem);
  ProofFile file(problem, model.layout, request);
  std::uint64_t better = 0;
  if (solution.plan) {
    better = file.writer().add_solution(model::encode_plan(model, *solution.plan), true);
  }
  if (!LayeredProof(run, model, *layers, file.writer()).write(better)) return std::nullopt;
  if (solution.plan) {
    file.writer().conclude_optimal(*solution.cost - model::plain_objective(model).offset);
  } else {
    file.writer().conclude_infeasible();
  }
  file.commit();
  return read_text_file(request.proof);
}

TEST(SearchProof, OfSomethingUntrueIsRefused) {
  int infeasible = 0, worse = 0, written = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    SCOPED_TRACE(seed);
    Problem problem = testing::random_problem(seed);
    problem.refused.clear();
    const Outcome best = find_engine("search")->run(problem, {});
    if (best.status != Status::optimal) continue;
    ++infeasible;
    if (const auto forged = forge(problem, CheapLayers::unbounded, {})) {
      ++written;
      EXPECT_FALSE(checking::check_proof(problem, *forged).check.accepted);
    }
    EngineRequest any;
    any.first = true;
    any.limits.seed = seed;
    const Outcome other = find_engine("search")->run(problem, any);
    if (*other.cost <= *best.cost) continue;
    ++worse;
    const std::int64_t below = *other.cost - model::begin_unroll(problem).offset;
    if (const auto forged = forge(problem, below, other)) {
      ++written;
      EXPECT_FALSE(checking::check_proof(problem, *forged).check.accepted);
    }
    // The right bound, with the worse plan: what is derived is true, but no contradiction.
    if (const auto forged = forge(problem, *best.cost - model::begin_unroll(problem).offset, other)) {
      ++written;
      EXPECT_FALSE(checking::check_proof(problem, *forged).check.accepted);
    }
  }
  EXPECT_GT(infeasible, 100);
  EXPECT_GT(worse, 8);
  EXPECT_GT(written, 50);
}

TEST(SearchProof, OfShippedProblems) {
  for (const char* name :
       {"corridor", "navigation_3x3", "navigation_4x4", "sysadmin_4", "inventory_2", "cellda_x"}) {
    SCOPED_TRACE(name);
    const Problem problem = read_problem(testing::models + name + ".toml");
    for (const std::string version : {"1.2", "3.0"}) {
      const auto [outcome, proof] = prove_by_search(problem, version);
      const checking::ProblemProof check = checking::check_proof(problem, proof);
      EXPECT_TRUE(check.check.accepted) << check.check.refusal;
      EXPECT_EQ(check.cost, outcome.cost);
    }
  }
}

// Costs that are all alike, goals out of reach, no action that is allowed, a horizon of one step.
TEST(SearchProof, AtTheEdges) {
  const auto claim = [](const Problem& problem) {
    const checking::ProblemProof check = checking::check_proof(problem, prove_by_search(problem, "3.0").text);
    EXPECT_TRUE(check.check.accepted) << check.check.refusal;
    return check;
  };
  Problem ring = testing::ring_problem(5, 3);
  EXPECT_EQ(claim(ring).cost, 1);
  set_horizon(ring, 1);
  EXPECT_EQ(claim(ring).cost, 5);
  Problem free = testing::ring_problem(4, 2);
  free.initial.assign(free.initial.size(), unknown_bit);
  EXPECT_EQ(claim(free).cost, 0) << "it may begin with all cells lit";
  Problem impossible = ring;  // at least 3 and at most 2 of the action bits
  std::vector<Term> sum;
  for (std::uint32_t bit = 0; bit < ring.action.bit_count(); ++bit) sum.push_back({1, {Place::action, bit}});
  impossible.constraints.push_back({sum, Comparison::at_least, 3, {}});
  impossible.constraints.push_back({sum, Comparison::at_most, 2, {}});
  EXPECT_EQ(claim(impossible).check.claim, checking::ProofCheck::Claim::infeasible);
  Problem few = ring;  // five cells in one step, but only two at a time
  few.constraints.push_back({sum, Comparison::at_most, 2, {}});
  EXPECT_EQ(claim(few).check.claim, checking::ProofCheck::Claim::infeasible);
}

TEST(SearchProof, IsNotWrittenAtALimitOrWithRefusedPrefixes) {
  Problem problem = testing::ring_problem(6, 3);
  testing::refuse_prefixes(problem, 1);
  ASSERT_FALSE(problem.refused.empty());
  EXPECT_EQ(prove_by_search(problem, "1.2").text, "");
  const testing::TemporaryFolder folder;
  EngineRequest request;
  request.proof = (folder / "proof.pbp").string();
  request.limits.seconds = 0;
  const Outcome outcome = find_engine("search")->run(testing::ring_problem(6, 3), request);
  EXPECT_EQ(outcome.proof, "");
  EXPECT_FALSE(std::filesystem::exists(request.proof));
}

}  // namespace
}  // namespace bnnplan::engines
