#include "formats/solver_answer.hpp"

#include <gtest/gtest.h>

#include "support/input_error_of.hpp"

namespace bnnplan {
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
  EXPECT_EQ(read("v 110\ns UNKNOWN\nv 011\n").values, expected) << "the last solution counts";
}

TEST(SolverAnswer, Statuses) {
  EXPECT_EQ(read("s OPTIMUM FOUND\nv 000\n").status, AnswerStatus::optimal);
  EXPECT_EQ(read("s SATISFIABLE\nv 000\n").status, AnswerStatus::satisfiable);
  EXPECT_EQ(read("v 000\n").status, AnswerStatus::satisfiable) << "no status line, but values";
  EXPECT_EQ(read("s UNSATISFIABLE\n").status, AnswerStatus::unsatisfiable);
  EXPECT_EQ(read("s UNKNOWN\n").status, AnswerStatus::unknown);
  EXPECT_FALSE(read("s UNKNOWN\n").has_values);
  EXPECT_EQ(read("o 12\no 7\ns OPTIMUM FOUND\nv 000\n").value, 7);
}

TEST(SolverAnswer, Cbc) {
  const SolverAnswer answer = read(
      "Optimal - objective value 4.00000000\n      1 x2                     1                       0\n      "
      "2 x3                     1   -2\n");
  EXPECT_EQ(answer.status, AnswerStatus::optimal);
  EXPECT_EQ(answer.values, (BitValues{0, 1, 1}));
  EXPECT_EQ(read("Optimal - objective value 0.00000000\n").values, (BitValues{0, 0, 0}))
      << "all values are 0 and so not listed";
  EXPECT_EQ(read("Infeasible - objective value 0.00000000\n      0 x1   0.5   1\n").status,
            AnswerStatus::unsatisfiable);
  EXPECT_EQ(read("Stopped on time - objective value 9.0\n 0 x1 1 0\n").status, AnswerStatus::satisfiable);
  EXPECT_EQ(read("Optimal - objective value 1\n** 0 x1 0.99999999 0\n").values, (BitValues{1, 0, 0}));
}

TEST(SolverAnswer, Highs) {
  const SolverAnswer answer = read(
      "Model status\nOptimal\n\n# Primal solution values\nFeasible\nObjective 4\n# Columns 3\nx1 0\nx2 1\nx3 "
      "1\n# Rows 2\nc1 1\nc2 0\n\n"
      "# Dual solution values\nNone\n\n# Basis\nHiGHS v1\nNone\n");
  EXPECT_EQ(answer.status, AnswerStatus::optimal);
  EXPECT_EQ(answer.values, (BitValues{0, 1, 1}));
  EXPECT_EQ(read("Model status\nInfeasible\n\n# Primal solution values\nNone\n").status,
            AnswerStatus::unsatisfiable);
}

TEST(SolverAnswer, Scip) {
  const SolverAnswer answer = read(
      "solution status: optimal solution found\nobjective value:                                    4\nx2    "
      "  1 \t(obj:1)\nx3                1 \t(obj:0)\n");
  EXPECT_EQ(answer.status, AnswerStatus::optimal);
  EXPECT_EQ(answer.values, (BitValues{0, 1, 1}));
  EXPECT_EQ(read("solution status: infeasible\nno solution available\n").status, AnswerStatus::unsatisfiable);
  EXPECT_EQ(read("solution status: time limit reached\nobjective value: 3\nx1 1 (obj:1)\n").status,
            AnswerStatus::satisfiable);
}

TEST(SolverAnswer, MiniZinc) {
  EXPECT_EQ(read("v 1 1 1\n----------\nv 0 1 1\n----------\n==========\n").values, (BitValues{0, 1, 1}));
  EXPECT_EQ(read("v 1 1 1\n----------\nv 0 1 1\n----------\n==========\n").status, AnswerStatus::optimal);
  EXPECT_EQ(read("v 1 1 1\n----------\n").status, AnswerStatus::satisfiable);
  EXPECT_EQ(read("=====UNSATISFIABLE=====\n").status, AnswerStatus::unsatisfiable);
  EXPECT_EQ(read("=====UNKNOWN=====\n").status, AnswerStatus::unknown);
}

TEST(SolverAnswer, RefusesWithFileAndLine) {
  EXPECT_EQ(
      error(""),
      "f: no solver's answer: found no 's' or 'v' line and no solution of CBC, HiGHS, SCIP or MiniZinc");
  EXPECT_EQ(error("hello world\n"), "f:1: 'hello world' is no line of a solver's answer");
  EXPECT_EQ(error("s MAYBE\n"), "f:1: unknown status 'MAYBE'");
  EXPECT_EQ(error("o many\n"), "f:1: bad value 'many' in an o line");
  EXPECT_EQ(error("s OPTIMUM FOUND\nv 01\n"), "f:2: the v lines have 2 values, expected at least 3");
  EXPECT_EQ(error("s OPTIMUM FOUND\nv 0 1\n"), "f:2: the v lines have 2 values, expected at least 3");
  EXPECT_EQ(error("s OPTIMUM FOUND\nv -1 2 y3\n"), "f:2: bad literal 'y3' in a v line");
  EXPECT_EQ(error("s OPTIMUM FOUND\nv -1 -\n"), "f:2: bad literal '-' in a v line");
  EXPECT_EQ(error("s UNSATISFIABLE\nv 011\n"), "f: the answer is unsatisfiable and has values all the same");
  EXPECT_EQ(error("Optimal - objective value 4\n 0 x7 1 0\n"), "f:2: variable x7 is not in the model");
  EXPECT_EQ(error("Optimal - objective value 4\n 0 x1 0.5 0\n"), "f:2: x1 is 0.5, expected 0 or 1");
  EXPECT_EQ(error("Optimal - objective value 4\n 0 x1 2 0\n"), "f:2: x1 is 2, expected 0 or 1");
}

}  // namespace
}  // namespace bnnplan
