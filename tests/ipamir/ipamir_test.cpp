// The interface as a program in C sees it: states, answers, what is refused; and random calls against brute
// force.
#include "bnnplan/ipamir.h"

#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include <gtest/gtest.h>

#include "support/brute_force.hpp"
#include "support/formula_families.hpp"

namespace bnnplan::ipamir {
namespace {

using testing::below;
using testing::Random;

struct Released {
  void operator()(void* solver) const { ipamir_release(solver); }
};
using Solver = std::unique_ptr<void, Released>;

void add(const Solver& solver, std::initializer_list<std::int32_t> clause) {
  for (const std::int32_t literal : clause) ipamir_add_hard(solver.get(), literal);
  ipamir_add_hard(solver.get(), 0);
}

TEST(Ipamir, SaysWhoItIs) { EXPECT_STREQ(ipamir_signature(), "bnnplan " BNNPLAN_VERSION); }

TEST(Ipamir, TheExampleOfTheHeader) {
  const Solver solver(ipamir_init());
  add(solver, {1, 2});
  ipamir_add_soft_lit(solver.get(), 1, 3);
  ipamir_add_soft_lit(solver.get(), 2, 5);
  EXPECT_EQ(ipamir_solve(solver.get()), 30);
  EXPECT_EQ(ipamir_val_obj(solver.get()), 3u);
  EXPECT_EQ(ipamir_val_lit(solver.get(), 1), 1);
  EXPECT_EQ(ipamir_val_lit(solver.get(), -1), 1);
  EXPECT_EQ(ipamir_val_lit(solver.get(), 2), -2);
  EXPECT_EQ(ipamir_val_lit(solver.get(), 3), 0);
  ipamir_assume(solver.get(), -1);
  EXPECT_EQ(ipamir_solve(solver.get()), 30);
  EXPECT_EQ(ipamir_val_obj(solver.get()), 5u);
  ipamir_assume(solver.get(), -1);
  ipamir_assume(solver.get(), -2);
  EXPECT_EQ(ipamir_solve(solver.get()), 20);
  EXPECT_EQ(ipamir_solve(solver.get()), 30);  // assumptions are gone
  EXPECT_EQ(ipamir_val_obj(solver.get()), 3u);
}

TEST(Ipamir, NumbersOfAnySize) {
  constexpr std::int32_t largest = std::numeric_limits<std::int32_t>::max();
  const Solver solver(ipamir_init());
  add(solver, {largest, -5'000'000});
  add(solver, {5'000'000});
  ipamir_add_soft_lit(solver.get(), largest, std::numeric_limits<std::uint64_t>::max() - 1);
  EXPECT_EQ(ipamir_solve(solver.get()), 30);
  EXPECT_EQ(ipamir_val_obj(solver.get()), std::numeric_limits<std::uint64_t>::max() - 1);
  EXPECT_EQ(ipamir_val_lit(solver.get(), -largest), largest);
}

TEST(Ipamir, WhatCannotBeDoneIsAnError) {
  const Solver open(ipamir_init()), overflow(ipamir_init()), no_literal(ipamir_init());
  ipamir_add_hard(open.get(), 1);
  EXPECT_EQ(ipamir_solve(open.get()), 40);
  ipamir_add_hard(open.get(), 0);
  EXPECT_EQ(ipamir_solve(open.get()), 40);  // for good
  EXPECT_EQ(ipamir_val_lit(open.get(), 1), 0);
  ipamir_add_soft_lit(overflow.get(), 1, std::numeric_limits<std::uint64_t>::max() - 1);
  ipamir_add_soft_lit(overflow.get(), 2, 1);
  EXPECT_EQ(ipamir_solve(overflow.get()), 40);
  ipamir_add_hard(no_literal.get(), std::numeric_limits<std::int32_t>::min());
  EXPECT_EQ(ipamir_solve(no_literal.get()), 40);
}

int stop_at_zero(void* state) { return (*static_cast<int*>(state))-- <= 0 ? 1 : 0; }

TEST(Ipamir, StopsWhenItIsTold) {
  const Solver solver(ipamir_init());
  // Twelve pigeons and eleven holes: too hard to be done before anybody is asked.
  constexpr int pigeons = 12, holes = 11;
  const auto in = [](int pigeon, int hole) { return 1 + pigeon * holes + hole; };
  for (int p = 0; p < pigeons; ++p) {
    for (int h = 0; h < holes; ++h) ipamir_add_hard(solver.get(), in(p, h));
    ipamir_add_hard(solver.get(), 1000 + p);
    ipamir_add_hard(solver.get(), 0);
    ipamir_add_soft_lit(solver.get(), 1000 + p, 1);
  }
  for (int h = 0; h < holes; ++h)
    for (int p = 0; p < pigeons; ++p)
      for (int q = 0; q < p; ++q) add(solver, {-in(p, h), -in(q, h)});
  int left = 0;
  ipamir_set_terminate(solver.get(), &left, stop_at_zero);
  EXPECT_EQ(ipamir_solve(solver.get()), 0);
  left = 200;
  EXPECT_EQ(ipamir_solve(solver.get()), 10);
  EXPECT_LE(left, 0);
  EXPECT_GE(ipamir_val_obj(solver.get()), 1u);
  ipamir_set_terminate(solver.get(), nullptr, nullptr);
  ipamir_assume(solver.get(), 1000);  // one pigeon stays outside: easy
  EXPECT_EQ(ipamir_solve(solver.get()), 30);
  EXPECT_EQ(ipamir_val_obj(solver.get()), 1u);
}

TEST(Ipamir, RandomCallsAgainstBruteForce) {
  Random random(5);
  for (int round = 0; round < 300 && !HasFailure(); ++round) {
    const Solver solver(ipamir_init());
    formats::Wcnf hard;
    std::vector<formats::Weight> weights(2 * 8);
    hard.variables = 8;
    const auto number = [](Lit literal) {
      const auto variable = static_cast<std::int32_t>(3 * literal.var().index + 1);  // with gaps
      return literal.negated() ? -variable : variable;
    };
    const auto any = [&] {
      return Lit::of({static_cast<std::uint32_t>(below(random, 8))}, below(random, 2) == 0);
    };
    std::vector<Lit> assumptions;
    for (int step = 0; step < 40 && !HasFailure(); ++step) {
      switch (below(random, 6)) {
        case 0:
        case 1: {
          const std::vector<Lit> clause = {any(), any(), any()};
          for (const Lit literal : clause) ipamir_add_hard(solver.get(), number(literal));
          ipamir_add_hard(solver.get(), 0);
          hard.add_hard(clause);
          break;
        }
        case 2: {
          const Lit literal = any();
          weights[literal.code] = static_cast<formats::Weight>(below(random, 6));
          ipamir_add_soft_lit(solver.get(), number(literal), weights[literal.code]);
          break;
        }
        case 3:
          assumptions.push_back(any());
          ipamir_assume(solver.get(), number(assumptions.back()));
          break;
        default: {
          formats::Wcnf formula = hard;
          for (const Lit literal : std::exchange(assumptions, {})) formula.add_hard({literal});
          for (std::uint32_t code = 0; code < weights.size(); ++code)
            formula.add_soft({~Lit{code}}, weights[code]);
          const auto optimum = testing::brute_force_cost(formula);
          ASSERT_EQ(ipamir_solve(solver.get()), optimum ? 30 : 20);
          if (optimum) {
            EXPECT_EQ(ipamir_val_obj(solver.get()), *optimum);
          }
          break;
        }
      }
    }
  }
}

}  // namespace
}  // namespace bnnplan::ipamir
