// Constraints that come and go: after removals, propagation is as if they had never been there.
#include "bnnplan/check/unit_propagator.hpp"

#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace bnnplan::checking {
namespace {

PbConstraint row(const char* text) { return parse_opb(std::string(text) + " ;", "f.opb").constraints.at(0); }

TEST(UnitPropagator, RemovedConstraintsLeaveAndTheOthersStay) {
  UnitPropagator propagator(4);
  propagator.add(row("1 ~x1 1 x2 >= 1"));       // a clause
  propagator.add(row("1 ~x1 1 x3 1 x4 >= 2"));  // a row
  std::vector<std::uint32_t> passing;
  for (int round = 0; round < 5; ++round) {
    passing.push_back(propagator.add(row("1 ~x2 1 ~x3 >= 1")));
    passing.push_back(propagator.add(row("1 ~x2 1 ~x3 1 ~x4 >= 2")));
    EXPECT_TRUE(propagator.implies(row("1 ~x1 >= 1")));
  }
  for (const std::uint32_t constraint : passing) propagator.remove(constraint);  // more than are left
  EXPECT_FALSE(propagator.implies(row("1 ~x1 >= 1")));
  EXPECT_TRUE(propagator.implies(row("1 ~x1 1 x2 >= 1")));
  EXPECT_TRUE(propagator.implies(row("1 ~x1 1 x3 >= 1")));
  EXPECT_TRUE(propagator.implies(row("1 ~x1 1 x4 >= 1")));
  EXPECT_FALSE(propagator.implies(row("1 ~x2 1 ~x3 >= 1")));
}

// A contradiction stops propagation half-way. A row that is added then must not count what was assigned and
// not propagated: it would never be given back.
TEST(UnitPropagator, ARowAddedAfterAContradictionIsRightWhenItIsGone) {
  UnitPropagator propagator(4);
  const std::uint32_t both = propagator.add(row("1 x1 1 x2 >= 2"));
  propagator.add(row("1 ~x1 >= 1"));
  EXPECT_TRUE(propagator.implies(row("1 x3 >= 1"))) << "everything follows";
  propagator.add(row("1 ~x2 1 x3 1 x4 >= 2"));
  propagator.remove(both);
  EXPECT_FALSE(propagator.implies(row("1 x3 >= 1")));
  EXPECT_TRUE(propagator.implies(row("1 ~x2 1 x3 >= 1")));
}

// Against a propagator that never had what was removed.
TEST(UnitPropagator, HistoryDoesNotMatter) {
  std::mt19937 random(11);
  const auto below = [&](int n) { return static_cast<std::int64_t>(random() % static_cast<unsigned>(n)); };
  constexpr std::uint32_t variables = 6;
  const auto any = [&] {
    std::vector<PbConstraint::Term> terms;
    for (std::uint32_t v = 0; v < variables; ++v)
      if (below(2) == 0) terms.push_back({1 + below(3) * below(2), Lit::of({v}, below(2) == 0)});
    return normal_constraint(terms, 1 + below(3));
  };
  for (int round = 0; round < 300; ++round) {
    UnitPropagator lived(variables);
    std::vector<std::pair<std::uint32_t, PbConstraint>> alive;
    for (int step = 0; step < 30; ++step) {
      if (below(3) > 0 || alive.empty()) {
        const PbConstraint constraint = any();
        alive.emplace_back(lived.add(constraint), constraint);
      } else {
        const auto place = alive.begin() + below(static_cast<int>(alive.size()));
        lived.remove(place->first);
        alive.erase(place);
      }
      if (below(3) > 0) continue;
      UnitPropagator young(variables);
      for (const auto& [number, constraint] : alive) young.add(constraint);
      const PbConstraint question = any();
      EXPECT_EQ(lived.implies(question), young.implies(question)) << "round " << round;
    }
  }
}

}  // namespace
}  // namespace bnnplan::checking
