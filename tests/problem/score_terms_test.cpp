// Classifiers in problems: what constraints with scores become, and what is refused.
#include "bnnplan/problem/score_terms.hpp"

#include <gtest/gtest.h>

#include "bnnplan/network/network_file.hpp"
#include "bnnplan/problem/problem_file.hpp"
#include "support/input_error_of.hpp"
#include "support/temporary_folder.hpp"

namespace bnnplan {
namespace {

using testing::input_error_of;

constexpr std::string_view guard_network =
    "bnn 2\nshape 2:3:2\ninputs\n  go\n  wet\noutputs\n  safe\n  not safe\nlayer\n  ++ >= 1\n  -+ >= 2\n  +0 "
    ">= 1\n"
    "scores lowest\n  +-+ * 1 + -0.5\n  --0 * 2/3 + 0\nend\n";

constexpr std::string_view guarded =
    "horizon = 2\nnetwork = \"g.bnn\"\nminimize = \"go\"\n"
    "constraints = [\"go + wet <= 1\", \"score[safe] - 0.5 `score[not safe]` > go - 1\"]\n"
    "transitions = [\"wet' == go\"]\n[action]\ngo = \"bool\"\n[state]\nwet = \"bool\"\n[initial]\nwet = "
    "false\n";

class ScoreTerms : public ::testing::Test {
 protected:
  ScoreTerms() { folder_.write("g.bnn", guard_network); }

  Problem parse(std::string_view text) const { return parse_problem(text, "p.toml", folder_.path()); }

  std::string error_after(std::string_view from, std::string_view to) const {
    std::string text(guarded);
    text.replace(text.find(from), from.size(), to);
    return input_error_of([&] { parse(text); });
  }

  testing::TemporaryFolder folder_;
};

TEST_F(ScoreTerms, ScoresAreLinearInTheBitsOfTheLastLayer) {
  const Problem problem = parse(guarded);
  EXPECT_EQ(problem.state.variables.size(), 4u);
  EXPECT_EQ(problem.state.variables[3].name, "hidden[2]");
  EXPECT_EQ(problem.network_outputs, (std::vector<std::uint32_t>{1, 2, 3}));
  EXPECT_EQ(problem.initial, (BitValues{0, 0, 0, 0}));
  EXPECT_EQ(problem.constraints.size(), 1u);
  ASSERT_EQ(problem.transitions.size(), 2u);
  // safe is 2 h0 - 2 h1 + 2 h2 - 1.5 and not safe -4/3 h0 - 4/3 h1 + 4/3: all times 6, then
  // 12 h0 - 12 h1 + 12 h2 - 9 + 4 h0 + 4 h1 - 4 > 6 go - 6.
  const LinearConstraint& constraint = problem.transitions[1];
  EXPECT_EQ(
      constraint.terms,
      (std::vector<Term>{
          {-6, {Place::action, 0}}, {16, {Place::next, 1}}, {-8, {Place::next, 2}}, {12, {Place::next, 3}}}));
  EXPECT_EQ(constraint.comparison, Comparison::at_least);
  EXPECT_EQ(constraint.bound, 8);
}

TEST_F(ScoreTerms, SuchProblemsAreWrittenAndReadAgain) {
  const Problem problem = parse(guarded);
  EXPECT_EQ(parse(problem_text(problem)), problem);
}

TEST_F(ScoreTerms, WhatIsRefused) {
  EXPECT_EQ(error_after("minimize = \"go\"", "minimize = \"score[safe]\""),
            "p.toml:3: 'score[safe]' in the reward: a score depends on state and action together, and "
            "belongs in constraints (in \"score[safe]\", column 1)");
  EXPECT_EQ(error_after("horizon = 2", "horizon = 2\ngoal = [\"score[safe] >= 1\"]"),
            "p.toml:2: 'score[safe]' in the goal: a score depends on state and action together, and belongs "
            "in constraints (in \"score[safe] >= 1\", column 1)");
  EXPECT_EQ(error_after("score[safe] -", "score[save] -"),
            "p.toml:4: unknown variable 'score[save]' (in \"score[save] - 0.5 `score[not safe]` > go - 1\", "
            "column 1)");
  EXPECT_EQ(error_after("score[safe] -", "~score[safe] -").substr(0, 65),
            "p.toml:4: '~score[safe]' negates a score, expected a single bit (");
  EXPECT_EQ(error_after("score[safe] -", "score[safe]' -").substr(0, 65),
            "p.toml:4: 'score[safe]'' is not a state variable: only those have");
  EXPECT_EQ(error_after("[state]\n", "\"hidden[0]\" = \"bool\"\n[state]\n"),
            "p.toml:2: " + (folder_ / "g.bnn").string() +
                ": 'hidden[0]' is not a Boolean state variable, but it is a bit of the network, which is a "
                "classifier");
  const std::string place = "p.toml:2: " + (folder_ / "g.bnn").string() + ": ";
  folder_.write("g.bnn",
                "bnn 2\nshape 2:1\ninputs\n  go\n  wet\noutputs\n  safe\nscores lowest\n  ++ * 1 + 0\nend\n");
  EXPECT_EQ(
      input_error_of([&] { parse(guarded); }),
      place +
          "the network is a classifier without a layer of neurons: write its scores as linear expressions");
  folder_.write("g.bnn",
                "bnn 2\nshape 2:1\ninputs\n  go\n  wet\nnumbers\n  bit\n  >= 1 from 0 to 5 step 1\noutputs\n "
                " wet'\nlayer\n"
                "  ++ >= 1\nend\n");
  EXPECT_EQ(input_error_of([&] { parse(guarded); }),
            place + "network input 'wet' is a number, but planning needs bits");
  folder_.write("g.bnn",
                "bnn 2\nshape 2:1:1\ninputs\n  go\n  wet\noutputs\n  safe\nlayer\n  ++ >= 1\nscores lowest\n"
                "  + * 1 + 1/12345678901234567891\nend\n");
  EXPECT_NE(error_after(" - 0.5 `score[not safe]`", "").find("it does not fit into 62 bits"),
            std::string::npos);
}

}  // namespace
}  // namespace bnnplan
