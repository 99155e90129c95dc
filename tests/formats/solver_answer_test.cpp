#include "bnnplan/formats/solver_answer.hpp"

#include <gtest/gtest.h>

#include "support/input_error_of.hpp"

namespace bnnplan::formats {
namespace {

using testing::input_error_of;

SolverAnswer read(std::string_view text, std::uint32_t variables = 3) {
  return parse_solver_answer(text, "f", variables);
}
std::string error(std::string_view text, std::uint32_t variables = 3) {
  return input_error_of([&] { read(text, variables); });
}

TEST(SolverAnswer, ValuesInAllTheirForms) {
  const BitValues expected{0, 1, 1};
  EXPECT_EQ(read("c hello\no 7\ns OPTIMUM FOUND\nv -1 2 3 -4 0\n").values, expected);
  EXPECT_EQ(read("s OPTIMUM FOUND\nv -1 2\nv 3\nv 0\n").values, expected);
  EXPECT_EQ(read("s OPTIMUM FOUND\nv 0110\n").values, expected);
  EXPECT_EQ(read("s OPTIMUM FOUND\nv 01\nv 10\n").values, expected) << "a string broken over lines";
  EXPECT_EQ(read("s OPTIMUM FOUND\nv 0 1 1 0\n").values, expected);
  EXPECT_EQ(read("s SATISFIABLE\nv -x1 x2 x3\n").values, expected);
  EXPECT_EQ(read("s SATISFIABLE\nv 2 3 0\n").values, expected) << "positive literals only";
  EXPECT_EQ(read("s SATISFIABLE\nv 1 0\n").values, (BitValues{1, 0, 0}))
      << "a literal and the end of the list";
  EXPECT_EQ(read("v 10 11 1 0\n", 12).values, (BitValues{1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0}))
      << "literals that look like bits";
  EXPECT_EQ(read("v 1\r\n", 1).values, (BitValues{1}));
  EXPECT_EQ(read("s OPTIMUM FOUND\nv x3 -x1\n").values, (BitValues{0, unknown_bit, 1}))
      << "what is false is said, so x2 was left out";
  EXPECT_EQ(read("v 110\ns UNKNOWN\nv 011\n").values, expected) << "the last solution counts";
}

TEST(SolverAnswer, Statuses) {
  EXPECT_EQ(read("s OPTIMUM FOUND\nv 000\n").status, Status::optimal);
  EXPECT_EQ(read("s SATISFIABLE\nv 000\n").status, Status::feasible);
  EXPECT_EQ(read("v 000\n").status, Status::feasible) << "no status line, but values";
  EXPECT_EQ(read("s UNSATISFIABLE\n").status, Status::infeasible);
  EXPECT_EQ(read("s UNKNOWN\n").status, Status::unknown);
  EXPECT_FALSE(read("s UNKNOWN\n").has_values);
  EXPECT_EQ(read("o 12\no 7\ns OPTIMUM FOUND\nv 000\n").value, 7);
}

TEST(SolverAnswer, BannersCommentsAndTimeStampsArePassedOver) {
  const BitValues expected{0, 1, 1};
  const SolverAnswer banner =
      read("RoundingSat 2\nusage of x1 7\n#variables 3\no 5\ns OPTIMUM FOUND\nv -x1 x2 x3\n");
  EXPECT_EQ(banner.status, Status::optimal);
  EXPECT_EQ(banner.values, expected);
  EXPECT_EQ(read("RoundingSat 2\no 5\nv -x1 x2 x3\n").values, expected) << "stopped before its s line";
  EXPECT_EQ(read("cComment\ncomment 2\nv 011\n").values, expected);
  EXPECT_EQ(read("s SATISFIABLE\nv -1 2\nnoise in between\nv 3 0\n").values, expected);
  const SolverAnswer stamped = read(
      "0.00/0.01\tc hello\n0.01/0.02\to 5\n0.01/0.02\ts OPTIMUM FOUND\n12.01/3.02\tv -1 2\n12.01/3.02\tv 3 "
      "0\n"
      "12.01/3.02\t\n");
  EXPECT_EQ(stamped.status, Status::optimal);
  EXPECT_EQ(stamped.values, expected);
  EXPECT_EQ(stamped.value, 5);
  EXPECT_EQ(error("0.01/\ts OPTIMUM FOUND\n"),
            "f:1: '0.01/\\x09s OPTIMUM FOUND' is not a line of a solver's answer");
  EXPECT_EQ(read("s\tSATISFIABLE\nv\t-1 2 3 0\n").values, expected);
  EXPECT_EQ(read("s UNSUPPORTED\n").status, Status::unknown);
}

TEST(SolverAnswer, TheLastObjectiveValueCounts) {
  EXPECT_EQ(read("o +5\ns OPTIMUM FOUND\nv 000\n").value, 5);
  EXPECT_EQ(read("o -5\ns OPTIMUM FOUND\nv 000\n").value, -5);
  EXPECT_EQ(read("o 99999999999999999999\no 7\ns OPTIMUM FOUND\nv 000\n").value, 7);
  EXPECT_EQ(error("o 7\no 99999999999999999999\ns OPTIMUM FOUND\nv 000\n"),
            "f:2: bad value '99999999999999999999' in an o line");
  EXPECT_EQ(error("o +-5\nv 000\n"), "f:1: bad value '+-5' in an o line");
  EXPECT_EQ(error("o\nv 000\n"), "f:1: bad value '' in an o line");
  EXPECT_FALSE(read("o 99999999999999999999\ns UNSATISFIABLE\n").value) << "no claim without a solution";
  EXPECT_EQ(read("o 5\nv 111\no 4\nv 011\ns SATISFIABLE\n").values, (BitValues{0, 1, 1}))
      << "an o line ends the values of the solution before";
}

TEST(SolverAnswer, OneLineAloneTellsItsValue) {
  EXPECT_EQ(claimed_value("o 5"), 5);
  EXPECT_EQ(claimed_value("0.10/0.11\to +5 "), 5);
  EXPECT_FALSE(claimed_value("o five"));
  EXPECT_FALSE(claimed_value("on 5"));
  EXPECT_FALSE(claimed_value(""));
}

TEST(SolverAnswer, ContradictoryStatusesAreRefused) {
  EXPECT_EQ(error("s SATISFIABLE\nv 011\ns UNSATISFIABLE\n"),
            "f:3: a status that contradicts the one in line 1");
  EXPECT_EQ(error("s UNSATISFIABLE\ns OPTIMUM FOUND\n"), "f:2: a status that contradicts the one in line 1");
  EXPECT_EQ(error("s UNKNOWN\ns OPTIMUM FOUND\nv 011\n"), "f:2: a status that contradicts the one in line 1");
  EXPECT_EQ(error("v 0 1 1\n----------\n==========\n=====UNSATISFIABLE=====\n"),
            "f:4: a status that contradicts the one in line 3");
  EXPECT_EQ(error("Optimal - objective value 4\nInfeasible - objective value 4\n"),
            "f:2: a status that contradicts the one in line 1");
  EXPECT_EQ(read("s OPTIMUM FOUND\nv 011\ns OPTIMUM FOUND\n").status, Status::optimal) << "said twice";
}

TEST(SolverAnswer, Cbc) {
  const SolverAnswer answer = read(
      "Optimal - objective value 4.00000000\n      1 x2                     1                       0\n      "
      "2 x3                     1   -2\n");
  EXPECT_EQ(answer.status, Status::optimal);
  EXPECT_EQ(answer.values, (BitValues{0, 1, 1}));
  EXPECT_EQ(read("Optimal - objective value 0.00000000\n").values, (BitValues{0, 0, 0}))
      << "all values are 0 and so not listed";
  EXPECT_EQ(read("Infeasible - objective value 0.00000000\n      0 x1   0.5   1\n").status,
            Status::infeasible);
  EXPECT_EQ(read("Stopped on time - objective value 9.0\n 0 x1 1 0\n").status, Status::feasible);
  EXPECT_EQ(read("Optimal - objective value 1\n** 0 x1 0.99999999 0\n").values, (BitValues{1, 0, 0}));
}

TEST(SolverAnswer, Highs) {
  const SolverAnswer answer = read(
      "Model status\nOptimal\n\n# Primal solution values\nFeasible\nObjective 4\n# Columns 3\nx1 0\nx2 1\nx3 "
      "1\n# Rows 2\nc1 1\nc2 0\n\n"
      "# Dual solution values\nNone\n\n# Basis\nHiGHS v1\nNone\n");
  EXPECT_EQ(answer.status, Status::optimal);
  EXPECT_EQ(answer.values, (BitValues{0, 1, 1}));
  EXPECT_EQ(read("Model status\nInfeasible\n\n# Primal solution values\nNone\n").status, Status::infeasible);
}

TEST(SolverAnswer, Scip) {
  const SolverAnswer answer = read(
      "solution status: optimal solution found\nobjective value:                                    4\nx2    "
      "  1 \t(obj:1)\nx3                1 \t(obj:0)\n");
  EXPECT_EQ(answer.status, Status::optimal);
  EXPECT_EQ(answer.values, (BitValues{0, 1, 1}));
  EXPECT_EQ(read("solution status: infeasible\nno solution available\n").status, Status::infeasible);
  EXPECT_EQ(read("solution status: time limit reached\nobjective value: 3\nx1 1 (obj:1)\n").status,
            Status::feasible);
}

TEST(SolverAnswer, MiniZinc) {
  EXPECT_EQ(read("v 1 1 1\n----------\nv 0 1 1\n----------\n==========\n").values, (BitValues{0, 1, 1}));
  EXPECT_EQ(read("v 1 1 1\n----------\nv 0 1 1\n----------\n==========\n").status, Status::optimal);
  EXPECT_EQ(read("v 1 1 1\n----------\n").status, Status::feasible);
  EXPECT_EQ(read("=====UNSATISFIABLE=====\n").status, Status::infeasible);
  EXPECT_EQ(read("=====UNKNOWN=====\n").status, Status::unknown);
}

TEST(SolverAnswer, RefusesWithFileAndLine) {
  EXPECT_EQ(
      error(""),
      "f: not a solver's answer: found no 's' or 'v' line and no solution of CBC, HiGHS, SCIP or MiniZinc");
  EXPECT_EQ(error("hello world\n"), "f:1: 'hello world' is not a line of a solver's answer");
  EXPECT_EQ(error("s MAYBE\n"), "f:1: unknown status 'MAYBE'");
  EXPECT_EQ(error("o many\n"), "f:1: bad value 'many' in an o line");
  EXPECT_EQ(error("s OPTIMUM FOUND\nv 01\n"), "f:2: the v lines have 2 values, expected at least 3");
  EXPECT_EQ(error("s OPTIMUM FOUND\nv 0 1\n"), "f:2: the v lines have 2 values, expected at least 3");
  EXPECT_EQ(error("s OPTIMUM FOUND\nv -1 2 y3\n"), "f:2: bad literal 'y3' in a v line");
  EXPECT_EQ(error("s OPTIMUM FOUND\nv -1 -\n"), "f:2: bad literal '-' in a v line");
  EXPECT_EQ(error("s UNSATISFIABLE\nv 011\n"), "f: the answer is unsatisfiable but has values");
  EXPECT_EQ(error("Optimal - objective value 4\n 0 x7 1 0\n"), "f:2: variable x7 is not in the model");
  EXPECT_EQ(error("Optimal - objective value 4\n 0 x1 0.5 0\n"), "f:2: x1 is 0.5, expected 0 or 1");
  EXPECT_EQ(error("Optimal - objective value 4\n 0 x1 2 0\n"), "f:2: x1 is 2, expected 0 or 1");
}

}  // namespace
}  // namespace bnnplan::formats
