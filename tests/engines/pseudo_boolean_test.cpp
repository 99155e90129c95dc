// `bnnplan pb`: neurons are recognised, optima are those of all assignments, proofs are accepted, and the
// protocol is kept.
#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bnnplan/base/random.hpp"
#include "bnnplan/base/text_file.hpp"
#include "bnnplan/check/proof_check.hpp"
#include "bnnplan/engines/pseudo_boolean/recognise_neurons.hpp"
#include "bnnplan/engines/pseudo_boolean/solve_pb.hpp"
#include "bnnplan/formats/opb_reader.hpp"
#include "support/brute_force.hpp"
#include "support/run_bnnplan.hpp"
#include "support/shared.hpp"
#include "support/temporary_folder.hpp"

namespace bnnplan::engines {
namespace {

using testing::ProgramResult;
using testing::TemporaryFolder;

RecognisedFormula recognised(const std::string& text) {
  return recognise_neurons(formats::parse_opb(text, "f.opb"));
}

ProgramResult pb(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "pb");
  return testing::run_bnnplan(arguments);
}

TEST(RecogniseNeurons, TwoHalvesAreANeuron) {
  // x4 <-> at least 2 of x1, ~x2, x3
  const RecognisedFormula formula = recognised("1 x1 1 ~x2 1 x3 2 ~x4 >= 2 ; 1 ~x1 1 x2 1 ~x3 2 x4 >= 2 ;");
  ASSERT_EQ(formula.layers.size(), 1u);
  ASSERT_EQ(formula.layers[0].size(), 1u);
  EXPECT_TRUE(formula.rest.empty());
  const ReifiedAtLeast& neuron = formula.layers[0][0];
  EXPECT_EQ(neuron.output, Lit::positive({3}));
  EXPECT_EQ(neuron.threshold, 2);
  EXPECT_EQ(neuron.inputs, (std::vector<Lit>{Lit::positive({0}), Lit::negative({1}), Lit::positive({2})}));
  EXPECT_EQ(formula.defined, (std::vector<bool>{false, false, false, true}));
}

TEST(RecogniseNeurons, HowTheyMayBeWritten) {
  const auto neurons = [](const std::string& text) {
    std::size_t count = 0;
    for (const auto& layer : recognised(text).layers) count += layer.size();
    return count;
  };
  EXPECT_EQ(neurons("1 x1 1 x2 1 x3 -2 x4 >= 0 ; -1 x1 -1 x2 -1 x3 +2 x4 >= -1 ;"), 1u);
  EXPECT_EQ(neurons("-1 x1 -1 x2 -1 x3 +2 x4 >= -1 ; 1 x1 1 x2 1 x3 -2 x4 >= 0 ;"), 1u) << "the other first";
  EXPECT_EQ(neurons("1 x1 1 x2 1 x3 9 ~x4 >= 2 ; 1 ~x1 1 ~x2 1 ~x3 5 x4 >= 2 ;"), 1u) << "big M";
  EXPECT_EQ(neurons("1 x1 1 x2 1 x3 1 ~x4 >= 1 ; 1 ~x1 1 ~x2 1 ~x3 3 x4 >= 3 ;"), 1u) << "or, with a clause";
  EXPECT_EQ(neurons("3 ~x4 1 x1 1 x2 1 x3 >= 3 ; 1 x4 1 ~x1 1 ~x2 1 ~x3 >= 1 ;"), 1u) << "and";
  EXPECT_EQ(neurons("1 x1 1 x2 1 x3 2 ~x4 >= 2 ;"), 0u) << "one half";
  EXPECT_EQ(neurons("1 x1 1 x2 1 x3 2 ~x4 >= 2 ; 1 ~x1 1 ~x2 1 ~x3 3 x4 >= 3 ;"), 0u) << "a gap";
  EXPECT_EQ(neurons("1 x1 1 x2 1 x3 2 ~x4 >= 2 ; 1 ~x1 1 ~x2 1 x3 2 x4 >= 2 ;"), 0u) << "another sign";
  EXPECT_EQ(neurons("1 x1 1 x2 1 x3 2 ~x4 >= 2 ; 1 ~x1 1 ~x2 1 ~x3 2 x5 >= 2 ;"), 0u) << "another output";
  EXPECT_EQ(neurons("1 x1 2 x2 1 x3 2 ~x4 >= 2 ; 1 ~x1 2 ~x2 1 ~x3 3 x4 >= 3 ;"), 0u) << "weights";
  EXPECT_EQ(neurons("1 x1 1 x2 >= 1 ; 1 ~x1 1 ~x2 >= 1 ;"), 0u) << "an equivalence stays two clauses";
  EXPECT_EQ(neurons(""), 0u);
}

TEST(RecogniseNeurons, ALayerIsEquallyDeepAndSharesInputs) {
  const RecognisedFormula formula = recognised(
      "1 x1 1 x2 1 x3 2 ~x4 >= 2 ; 1 ~x1 1 ~x2 1 ~x3 2 x4 >= 2 ; 1 ~x1 1 x2 1 x3 2 ~x5 >= 2 ;"
      "1 x1 1 ~x2 1 ~x3 2 x5 >= 2 ; 1 x1 1 x4 1 x5 2 ~x6 >= 2 ; 1 ~x1 1 ~x4 1 ~x5 2 x6 >= 2 ; 1 x6 >= 1 ;");
  ASSERT_EQ(formula.layers.size(), 2u);
  EXPECT_EQ(formula.layers[0].size(), 2u);
  EXPECT_EQ(formula.layers[1].size(), 1u);
  EXPECT_EQ(formula.rest.size(), 1u);
}

TEST(RecogniseNeurons, OneOfACircleIsNotDefined) {
  // x1 of x2 and x3, x2 of x1 and x3
  const RecognisedFormula formula = recognised(
      "2 ~x1 1 x2 1 x3 >= 2 ; 1 x1 1 ~x2 1 ~x3 >= 1 ; 2 ~x2 1 x1 1 x3 >= 2 ; 1 x2 1 ~x1 1 ~x3 >= 1 ;");
  ASSERT_EQ(formula.layers.size(), 2u);
  EXPECT_EQ(std::count(formula.defined.begin(), formula.defined.end(), true), 1);
  EXPECT_FALSE(formula.defined[2]);
}

std::string literal_text(Random& random, std::uint64_t variables) {
  return fmt::format("{}x{}", random.below(2) == 0 ? "~" : "", 1 + random.below(variables));
}

// Rows of any kind over x1 ... x9, neurons among them, and an objective of both signs and of negated
// literals, or none.
std::string random_opb(Random& random) {
  std::string text;
  if (random.below(6) != 0) {
    text += "min:";
    for (std::uint64_t v = 1; v <= 9; ++v) {
      if (random.below(2) == 0)
        text += fmt::format(" {} {}x{}", static_cast<std::int64_t>(random.below(9)) - 4,
                            random.below(3) == 0 ? "~" : "", v);
    }
    text += " ;\n";
  }
  for (std::uint64_t neuron = random.below(4), output = 6; neuron > 0; --neuron, ++output) {
    const std::uint64_t size = 2 + random.below(3), k = 1 + random.below(size);
    std::string yes, no;
    for (std::uint64_t v = 1; v <= size; ++v) {
      const bool negated = random.below(2) == 0;
      yes += fmt::format(" 1 {}x{}", negated ? "~" : "", v);
      no += fmt::format(" 1 {}x{}", negated ? "" : "~", v);
    }
    text += fmt::format("{} ~x{}{} >= {} ;\n", k + random.below(2), output, yes, k);
    text += fmt::format("{} x{}{} >= {} ;\n", size - k + 1, output, no, size - k + 1);
  }
  for (std::uint64_t row = random.below(7); row > 0; --row) {
    for (std::uint64_t term = 1 + random.below(5); term > 0; --term)
      text += fmt::format("{} {} ", static_cast<std::int64_t>(random.below(11)) - 4, literal_text(random, 9));
    const char* comparisons[] = {">=", ">=", "<=", "="};
    text += fmt::format("{} {} ;\n", comparisons[random.below(4)],
                        static_cast<std::int64_t>(random.below(6)) - 1);
  }
  return text;
}

TEST(PseudoBoolean, FindsWhatAllAssignmentsSay) {
  Random random(2211);
  const TemporaryFolder folder;
  int infeasible = 0, with_neurons = 0;
  for (int i = 0; i < 600 && !HasFailure(); ++i) {
    const std::string text = random_opb(random);
    SCOPED_TRACE(text);
    const model::PbFormula formula = formats::parse_opb(text, "f.opb");
    const auto expected = testing::brute_force_value(formula);
    PbRequest request;
    request.limits.seed = static_cast<std::uint64_t>(i % 3);
    std::int64_t last = std::numeric_limits<std::int64_t>::max();
    request.callbacks.improvement = [&](const BitValues&, std::int64_t value) {
      EXPECT_LT(value, last);
      last = value;
    };
    request.callbacks.lower_bound = [&](std::int64_t lower) {
      if (expected) {
        EXPECT_LE(lower, *expected);
      }
    };
    if (i % 2 == 0) request.proof = folder / "proof.pbp";
    request.proof_version = i % 4 == 0 ? ProofVersion::v3_0 : ProofVersion::v1_2;
    const PbOutcome outcome = solve_pseudo_boolean(formula, request);
    infeasible += expected ? 0 : 1;
    with_neurons += outcome.neurons > 0 ? 1 : 0;
    ASSERT_EQ(outcome.status, expected ? Status::optimal : Status::infeasible);
    EXPECT_EQ(outcome.values.has_value(), expected.has_value());
    if (expected && formula.has_objective) {
      EXPECT_EQ(outcome.value, expected);
    }
    EXPECT_EQ(outcome.proof_written, !request.proof.empty());
    if (request.proof.empty()) continue;
    const checking::ProofCheck check =
        checking::check_proof(checking::parse_opb(text, "f.opb"), read_text_file(request.proof));
    EXPECT_TRUE(check.accepted) << check.refusal;
    EXPECT_EQ(check.claim, !expected               ? checking::ProofCheck::Claim::infeasible
                           : formula.has_objective ? checking::ProofCheck::Claim::optimal
                                                   : checking::ProofCheck::Claim::satisfiable);
    if (expected && formula.has_objective) {
      EXPECT_EQ(check.value, *expected);
    }
  }
  EXPECT_GT(infeasible, 50);
  EXPECT_GT(with_neurons, 200);
}

// Triangles, each of which needs two of its corners: the sum over all is known, and conflict search alone
// does not see it. With a hard row over all corners there is a solution or not, by one. The objective, if
// there is one, is over triangles of its own, so that both searches define counters in one proof.
TEST(PseudoBoolean, LongHardSums) {
  const TemporaryFolder folder;
  constexpr int triangles = 40, least = 2 * triangles, others = 5;
  for (const bool objective : {false, true}) {
    for (const int most : {least - 1, least, least + 5}) {
      SCOPED_TRACE(fmt::format("at most {}{}", most, objective ? ", minimising" : ""));
      std::string costs, rows, sum;
      for (int v = 1; v <= 3 * (triangles + others); ++v) {
        rows += fmt::format("1 x{} 1 x{} >= 1 ;\n", v, v % 3 == 0 ? v - 2 : v + 1);
        (v <= 3 * triangles ? sum : costs) += fmt::format("{}1 x{} ", v <= 3 * triangles ? "-" : "+", v);
      }
      const std::string text =
          fmt::format("{}{}{}>= -{} ;\n", objective ? "min: " + costs + ";\n" : "", rows, sum, most);
      PbRequest request;
      request.proof = folder / "proof.pbp";
      const PbOutcome outcome = solve_pseudo_boolean(formats::parse_opb(text, "f.opb"), request);
      ASSERT_EQ(outcome.status, most < least ? Status::infeasible : Status::optimal);
      if (most >= least) {
        EXPECT_EQ(outcome.value, objective ? 2 * others : 0);
      }
      const checking::ProofCheck check =
          checking::check_proof(checking::parse_opb(text, "f.opb"), read_text_file(request.proof));
      EXPECT_TRUE(check.accepted) << check.refusal;
      EXPECT_EQ(check.claim, most < least ? checking::ProofCheck::Claim::infeasible
                             : objective  ? checking::ProofCheck::Claim::optimal
                                          : checking::ProofCheck::Claim::satisfiable);
      EXPECT_LT(outcome.conflicts, 20'000u);
    }
  }
}

// A formula of many parts that share no variable, but for one hard row over all: by brute force over each
// part, and then over the sums that parts can have, the truth is known for any size.
struct ManyParts {
  std::string rows, sum, costs;
  int variables = 0;
  std::map<int, int> least_cost{{0, 0}};  // by sum

  void add_part(Random& random) {
    const auto below = [&](int n) { return static_cast<int>(random.below(static_cast<std::uint64_t>(n))); };
    const int size = 4 + below(5);
    std::vector<std::array<int, 3>> of_variables;  // weight in the sum, negated there, cost
    for (int v = 0; v < size; ++v)
      of_variables.push_back({1 + below(3), below(7) == 0 ? 1 : 0, below(8) - 3});
    std::vector<std::pair<std::vector<std::array<int, 3>>, int>> of_rows;  // coefficient, variable, negated
    for (int count = 2 + below(5); count > 0; --count) {
      auto& [terms, bound] = of_rows.emplace_back();
      for (int v = 0; v < size; ++v)
        if (below(2) == 0) terms.push_back({1 + below(2), v, below(5) == 0 ? 1 : 0});
      bound = static_cast<int>(terms.size()) / 2;
    }
    std::map<int, int> part;
    for (int bits = 0; bits < 1 << size; ++bits) {
      const bool holds = std::all_of(of_rows.begin(), of_rows.end(), [&](const auto& row) {
        int reached = 0;
        for (const auto& [coefficient, v, negated] : row.first)
          reached += (bits >> v & 1) != negated ? coefficient : 0;
        return reached >= row.second;
      });
      int total = 0, cost = 0;
      for (int v = 0; v < size; ++v) {
        const auto& [weight, negated, of_variable] = of_variables[static_cast<std::size_t>(v)];
        total += (bits >> v & 1) != negated ? weight : 0;
        cost += (bits >> v & 1) * of_variable;
      }
      if (!holds) continue;
      const auto [found, is_new] = part.emplace(total, cost);
      found->second = std::min(found->second, cost);
    }
    std::map<int, int> together;
    for (const auto& [total, cost] : least_cost) {
      for (const auto& [more, more_cost] : part) {
        const auto [found, is_new] = together.emplace(total + more, cost + more_cost);
        found->second = std::min(found->second, cost + more_cost);
      }
    }
    if (together.empty()) return;
    least_cost = std::move(together);
    for (const auto& [terms, bound] : of_rows) {
      for (const auto& [coefficient, v, negated] : terms)
        rows += fmt::format("{} {}x{} ", coefficient, negated != 0 ? "~" : "", variables + v + 1);
      rows += fmt::format(">= {} ;\n", bound);
    }
    for (const auto& [weight, negated, cost] : of_variables) {
      sum += fmt::format("-{} {}x{} ", weight, negated != 0 ? "~" : "", ++variables);
      costs += fmt::format("{:+} x{} ", cost, variables);
    }
  }
};

TEST(PseudoBoolean, AHardSumOverManyParts) {
  const TemporaryFolder folder;
  int infeasible = 0, solved = 0, long_runs = 0;
  for (std::uint64_t seed = 1; seed <= 80 && !HasFailure(); ++seed) {
    Random random(seed);
    ManyParts parts;
    while (parts.variables < 70) parts.add_part(random);
    const bool objective = seed % 2 == 0;
    const int most = parts.least_cost.begin()->first + static_cast<int>(random.below(5)) - 2;
    if (most < 0) continue;
    const std::string text = fmt::format("{}{}{}>= -{} ;\n", objective ? "min: " + parts.costs + ";\n" : "",
                                         parts.rows, parts.sum, most);
    SCOPED_TRACE(text);
    std::optional<int> expected;
    for (const auto& [total, cost] : parts.least_cost)
      if (total <= most && (!expected || cost < *expected)) expected = cost;
    PbRequest request;
    request.proof = folder / "proof.pbp";
    request.limits.seed = seed % 3;
    const model::PbFormula formula = formats::parse_opb(text, "f.opb");
    PbSolver solver(formula, request);
    const PbOutcome outcome = solver.run(10'000);
    if (!outcome.proof_written) continue;  // too hard
    ASSERT_EQ(outcome.status, expected ? Status::optimal : Status::infeasible);
    if (expected && objective) {
      EXPECT_EQ(outcome.value, *expected);
    }
    const checking::ProofCheck check =
        checking::check_proof(checking::parse_opb(text, "f.opb"), read_text_file(request.proof));
    EXPECT_TRUE(check.accepted) << check.refusal;
    (expected ? solved : infeasible) += 1;
    long_runs += outcome.conflicts > 500 ? 1 : 0;
  }
  EXPECT_GT(infeasible, 15);
  EXPECT_GT(solved, 15);
  EXPECT_GT(long_runs, 15);
}

TEST(PseudoBoolean, TheProtocol) {
  const TemporaryFolder folder;
  const auto answer = [&](const std::string& text) { return pb({folder.write("f.opb", text)}); };
  const ProgramResult optimum = answer("min: 2 x1 +3 x2 -1 x3 ;\n1 x1 1 x2 >= 1 ;\n");
  EXPECT_EQ(optimum.exit_code, 30);
  EXPECT_EQ(optimum.errors, "");
  EXPECT_NE(optimum.output.find("\no 1\n"), std::string::npos) << optimum.output;
  EXPECT_NE(optimum.output.find("\ns OPTIMUM FOUND\nv x1 -x2 x3\n"), std::string::npos) << optimum.output;
  const ProgramResult solution = answer("1 x1 -1 x2 >= 1 ;\n");
  EXPECT_EQ(solution.exit_code, 10);
  EXPECT_NE(solution.output.find("\ns SATISFIABLE\nv x1 -x2\n"), std::string::npos) << solution.output;
  EXPECT_EQ(solution.output.find("\no "), std::string::npos) << solution.output;
  const ProgramResult none = answer("min: 1 x1 ;\n1 x1 >= 1 ;\n-1 x1 >= 0 ;\n");
  EXPECT_EQ(none.exit_code, 20);
  EXPECT_NE(none.output.find("\ns UNSATISFIABLE\n"), std::string::npos) << none.output;
  const ProgramResult nothing = answer("min: ;\n");
  EXPECT_EQ(nothing.exit_code, 30);
  EXPECT_NE(nothing.output.find("o 0\n"), std::string::npos) << nothing.output;
  EXPECT_NE(nothing.output.find("s OPTIMUM FOUND\nv\n"), std::string::npos) << nothing.output;
}

// Neurons that are equal, one of which has to hold: once taken for a question about a network whose inputs
// cost something when they are 1.
TEST(PseudoBoolean, AnObjectiveOfNegatedLiterals) {
  const TemporaryFolder folder;
  const ProgramResult result =
      pb({folder.write("f.opb",
                       "min: +1 ~x1 +1 ~x2 ;\n+2 x3 +1 ~x1 +1 ~x2 >= 2 ;\n+1 ~x3 +1 x1 +1 x2 >= 1 ;\n"
                       "+2 x4 +1 ~x1 +1 ~x2 >= 2 ;\n+1 ~x4 +1 x1 +1 x2 >= 1 ;\n+1 x3 +1 x4 >= 1 ;\n")});
  EXPECT_EQ(result.exit_code, 30);
  EXPECT_NE(result.output.find("\no 0\n"), std::string::npos) << result.output;
}

// At 2^62 there is an answer and a proof; above it there is neither, and nothing wraps.
TEST(PseudoBoolean, TheLargestObjective) {
  const TemporaryFolder folder;
  const std::string file = (folder / "f.opb").string(), proof = (folder / "f.pbp").string();
  const auto answer = [&](std::int64_t first, std::int64_t second, const char* rows) {
    folder.write("f.opb", fmt::format("min: {} ~x1 {} x2 ;\n{}", first, second, rows));
    return pb({file, "--proof", proof});
  };
  constexpr std::int64_t half = std::int64_t{1} << 61;
  const ProgramResult largest = answer(half, half, "1 ~x1 1 x2 >= 1 ;\n1 x1 1 x2 >= 1 ;\n");
  EXPECT_EQ(largest.exit_code, 30);
  EXPECT_NE(largest.output.find(fmt::format("\no {}\n", half)), std::string::npos) << largest.output;
  EXPECT_EQ(testing::run_bnnplan({"check-proof", file, proof}).exit_code, 0);
  const ProgramResult both = answer(half, half, "1 ~x1 >= 1 ;\n1 x2 >= 1 ;\n");
  EXPECT_NE(both.output.find("\no 4611686018427387904\n"), std::string::npos) << both.output;
  EXPECT_EQ(testing::run_bnnplan({"check-proof", file, proof}).exit_code, 0);
  const ProgramResult least = answer(-half, -half, "");
  EXPECT_NE(least.output.find("\no -4611686018427387904\n"), std::string::npos) << least.output;
  const ProgramResult more = answer(half, half + 1, "1 x1 1 x2 >= 1 ;\n");
  EXPECT_EQ(more.exit_code, 0);
  EXPECT_EQ(more.output,
            fmt::format("c 2 variables, 1 constraint\n"
                        "c {}: sums of its coefficients do not fit into 64 bits\ns UNSUPPORTED\n",
                        file));
}

TEST(PseudoBoolean, WhatIsNotSupportedIsSaid) {
  const TemporaryFolder folder;
  const std::string file = (folder / "f.opb").string();
  const auto expect = [&](const std::string& text, const std::string& why) {
    folder.write("f.opb", text);
    const ProgramResult result = pb({file});
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_EQ(result.output, fmt::format("c {}:{}\ns UNSUPPORTED\n", file, why));
  };
  expect("1 x1 x2 >= 1 ;\n", "1: a product of variables, expected one variable in each term");
  expect("soft: 8 ;\n", "1: soft constraints, expected hard ones and an objective");
  expect("[5] 1 x1 >= 1 ;\n", "1: soft constraints, expected hard ones and an objective");
  expect("min: 1 x1 ;\n99999999999999999999 x1 >= 1 ;\n",
         "2: number too large: it does not fit into 64 bits");
  expect("9223372036854775807 x1 1 x2 >= 1 ;\n", "1: number too large: it does not fit into 64 bits");
  testing::expect_bad_input(
      {"pb", folder.write("g.opb", "max: 1 x1 ;\n")},
      (folder / "g.opb").string() + ":1: 'max:', expected 'min:' with all coefficients negated");
  testing::expect_bad_input({"pb", folder.write("h.opb", "x1 x2 >= 1 ;\n")},
                            (folder / "h.opb").string() + ":1: 'x1', expected a whole number");
}

TEST(PseudoBoolean, WritesAProofThatIsAccepted) {
  const TemporaryFolder folder;
  const std::string file = folder.write("f.opb", "min: 2 x1 +3 x2 ;\n1 x1 1 x2 >= 1 ;\n1 ~x1 1 x3 >= 1 ;\n");
  const std::string proof = (folder / "f.pbp").string();
  EXPECT_EQ(pb({file, "--proof", proof}).exit_code, 30);
  const ProgramResult accepted = testing::run_bnnplan({"check-proof", file, proof});
  EXPECT_EQ(accepted.exit_code, 0) << accepted.output;
  EXPECT_EQ(accepted.output.find("accepted: optimal, value 2"), 0u) << accepted.output;
  folder.write("g.opb", "min: 2 x1 +3 x2 ;\n1 x1 1 x2 >= 1 ;\n1 ~x1 1 x3 >= 0 ;\n1 ~x3 >= 1 ;\n");
  EXPECT_EQ(testing::run_bnnplan({"check-proof", (folder / "g.opb").string(), proof}).exit_code, 20)
      << "a proof of another formula";
  testing::expect_bad_input(
      {"pb", file, "--proof", (folder / "none" / "f.pbp").string()},
      (folder / "none" / "f.pbp").string() + ": cannot write: No such file or directory");
}

TEST(PseudoBoolean, APublishedInstance) {
  const auto folder = testing::shared_folder() / "bnn-verification" / "instances";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << folder << " is not there";
  const ProgramResult result = pb({(folder / "mnist_rot_16_label5_norm_inf.opb.gz").string()});
  EXPECT_EQ(result.exit_code, 30);
  EXPECT_NE(result.output.find("\nc 495 neurons in 4 layers"), std::string::npos) << result.output;
  EXPECT_NE(result.output.find("\no 1\n"), std::string::npos) << result.output;
}

}  // namespace
}  // namespace bnnplan::engines
