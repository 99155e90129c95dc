// The parts of the search engine one by one.
#include <algorithm>
#include <map>
#include <random>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bnnplan/engines/search/action_filter.hpp"
#include "bnnplan/engines/search/action_table.hpp"
#include "bnnplan/engines/search/bit_search.hpp"
#include "bnnplan/engines/search/packed_problem.hpp"
#include "bnnplan/engines/search/radix_queue.hpp"
#include "bnnplan/engines/search/refused_trie.hpp"
#include "bnnplan/engines/search/state_table.hpp"
#include "bnnplan/engines/search/step_solver.hpp"
#include "bnnplan/problem/problem_file.hpp"
#include "support/random_problem.hpp"

namespace bnnplan::engines {
namespace {

TEST(RadixQueue, PopsInOrderOfKeyLastInFirstOutAmongEquals) {
  std::mt19937_64 random(1);
  for (const std::int64_t range : {1, 5, 1000, 1000000000}) {
    RadixQueue queue;
    std::multiset<std::int64_t> expected;
    std::int64_t last = 0;
    for (int i = 0; i < 20000; ++i) {
      if (expected.empty() || random() % 3 != 0) {
        const std::int64_t key =
            last + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(range));
        queue.push({key, 0, 0});
        expected.insert(key);
      } else {
        last = queue.pop().key;
        ASSERT_EQ(last, *expected.begin());
        expected.erase(expected.begin());
      }
      ASSERT_EQ(queue.size(), expected.size());
    }
  }
  RadixQueue queue;
  for (std::uint32_t i = 0; i < 1000; ++i) queue.push({7, i, 0});
  for (std::uint32_t i = 1000; i > 0; --i) ASSERT_EQ(queue.pop().value, i - 1);
}

TEST(RadixQueue, EntriesOfAKeyWithARankComeFirst) {
  for (const std::uint32_t count : {1u, 254u, 255u, 256u, 1000u}) {
    RadixQueue queue;
    for (std::uint32_t i = 0; i < count; ++i) {
      queue.push({5, i, i % 7});
      queue.push({9, i, i % 7});
    }
    queue.begin_key([](const RadixQueue::Entry& entry) {
      return entry.tag >= 3 ? std::optional<std::int64_t>(entry.tag) : std::nullopt;
    });
    ASSERT_EQ(queue.size(), 2 * count);
    ASSERT_TRUE(queue.has_more_of_key());
    std::vector<std::uint32_t> expected;
    for (std::uint32_t tag = 3; tag < 7; ++tag) {
      for (std::uint32_t i = count; i > 0; --i) {
        if ((i - 1) % 7 == tag) expected.push_back(i - 1);
      }
    }
    for (std::uint32_t i = count; i > 0; --i) {
      if ((i - 1) % 7 < 3) expected.push_back(i - 1);
    }
    for (const std::uint32_t value : expected) {
      const RadixQueue::Entry entry = queue.pop();
      ASSERT_EQ(entry.key, 5);
      ASSERT_EQ(entry.value, value);
    }
    ASSERT_FALSE(queue.has_more_of_key());
    for (std::uint32_t i = count; i > 0; --i) ASSERT_EQ(queue.pop().value, i - 1);
    ASSERT_TRUE(queue.empty());
  }
}

TEST(RadixQueue, LooksAheadWithoutChangingAnything) {
  RadixQueue queue;
  for (std::uint32_t i = 0; i < 600; ++i) queue.push({i / 100, i, 0});
  EXPECT_EQ(queue.pop().key, 0);
  std::set<std::uint32_t> seen;
  queue.look_ahead([&](const RadixQueue::Entry& entry) { return seen.insert(entry.value).second; });
  EXPECT_EQ(seen.size(), 599u);
  int looked_at = 0;
  queue.look_ahead([&](const RadixQueue::Entry& entry) {
    EXPECT_EQ(entry.key, 0);
    return ++looked_at < 50;
  });
  EXPECT_EQ(looked_at, 50);
  EXPECT_EQ(queue.size(), 599u);
}

TEST(StateTable, NumbersStatesInOrder) {
  for (const std::size_t words : {1, 3}) {
    StateTable table(words);
    std::map<Words, StateId> expected;
    std::mt19937_64 random(words);
    for (int i = 0; i < 50000; ++i) {
      Words state(words);
      for (auto& word : state) word = random() % 40 << (random() % 2 * 50);
      const auto [place, is_new] = expected.try_emplace(state, static_cast<StateId>(expected.size()));
      const auto inserted = table.insert(state.data(), StateTable::hash_of(state.data(), words));
      ASSERT_EQ(inserted.id, place->second);
      ASSERT_EQ(inserted.is_new, is_new);
      ASSERT_TRUE(std::equal(state.begin(), state.end(), table[inserted.id]));
    }
    EXPECT_EQ(table.size(), expected.size());
    EXPECT_GE(table.bytes(), table.size() * words * 8);
  }
}

TEST(BitSearch, FindsExactlyTheSolutions) {
  std::mt19937_64 random(3);
  const auto number = [&](int low, int high) {
    return low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1));
  };
  for (int round = 0; round < 500; ++round) {
    LimitWatch watch{Limits{}};
    const std::uint32_t variables = static_cast<std::uint32_t>(number(1, 7));
    const std::uint32_t choices = static_cast<std::uint32_t>(number(0, static_cast<int>(variables)));
    struct Row {
      std::vector<BitSearch::Summand> summands;
      Comparison comparison;
      std::int64_t bound, known;
    };
    std::vector<Row> rows;
    BitSearch search(variables, watch);
    std::vector<std::int64_t> known;
    for (int i = number(0, 4); i > 0; --i) {
      Row row{{}, static_cast<Comparison>(number(0, 2)), number(-2, 4), number(-1, 1)};
      for (std::uint32_t v = 0; v < variables; ++v) {
        if (const int coefficient = number(-3, 3); coefficient != 0) row.summands.push_back({coefficient, v});
      }
      search.add_constraint(row.summands, row.comparison, row.bound);
      known.push_back(row.known);
      rows.push_back(row);
    }
    std::set<std::uint32_t> expected;  // assignments of the choices with a completion
    for (std::uint32_t bits = 0; bits < 1u << variables; ++bits) {
      const bool all = std::all_of(rows.begin(), rows.end(), [&](const Row& row) {
        std::int64_t sum = row.known;
        for (const auto& summand : row.summands)
          sum += bits >> summand.variable & 1 ? summand.coefficient : 0;
        return compare(sum, row.comparison, row.bound);
      });
      if (all) expected.insert(bits & ((1u << choices) - 1));
    }
    std::vector<std::uint32_t> first, others;
    for (std::uint32_t v = 0; v < variables; ++v) (v < choices ? first : others).push_back(v);
    std::set<std::uint32_t> found;
    for (int again = 0; again < 2; ++again) {  // start() forgets everything
      found.clear();
      if (!search.start(known)) continue;
      EXPECT_TRUE(search.enumerate(first, others, [&] {
        std::uint32_t bits = 0;
        for (const std::uint32_t v : first) bits |= search.value(v) == 1 ? 1u << v : 0;
        EXPECT_TRUE(found.insert(bits).second) << "twice";
        return true;
      }));
    }
    ASSERT_EQ(found, expected) << "round " << round;
  }
}

Problem many_actions(int bits, const std::string& objective, const std::string& constraint) {
  std::string text = "horizon = 2\ntransitions = [\"s' == s\"]\nminimize = \"" + objective + "\"\n";
  if (!constraint.empty()) text += "constraints = [\"" + constraint + "\"]\n";
  text += "[state]\ns = \"bool\"\n[action]\n";
  for (int i = 0; i < bits; ++i) text += fmt::format("a{} = \"bool\"\n", i);
  return parse_problem(text, "test.toml", ".");
}

std::string sum_of_actions(int bits, bool different) {
  std::string text;
  for (int i = 0; i < bits; ++i) {
    text += fmt::format("{}{}a{}", i == 0 ? "" : " + ", different ? fmt::format("{} ", i * i + 1) : "", i);
  }
  return text;
}

TEST(ActionTable, AllActionsOnceInOrderOfCost) {
  for (const bool different : {false, true}) {
    const Problem problem =
        many_actions(12, sum_of_actions(12, different), sum_of_actions(12, false) + " <= 7");
    const PackedProblem packed(problem);
    for (const std::uint64_t seed : {0, 5}) {
      LimitWatch watch{Limits{}};
      ActionTable actions(packed, watch, seed);
      std::size_t index = 0;
      for (; actions.make_class(index); ++index) {
        EXPECT_LE(actions[index].end - actions[index].begin, 4096u);
        EXPECT_EQ(actions.cost(actions[index].begin), actions[index].cost);
        EXPECT_EQ(actions[index].begin, index == 0 ? 0 : actions[index - 1].end);
      }
      EXPECT_TRUE(actions.complete());
      EXPECT_EQ(actions.lower_bound(index), std::nullopt);
      EXPECT_EQ(actions.size(), 4096u - 495 - 220 - 66 - 12 - 1);  // without those of more than 7
      std::set<std::uint64_t> seen;
      for (ActionId action = 0; action < actions.size(); ++action) {
        EXPECT_TRUE(seen.insert(*actions.bits(action)).second);
        EXPECT_LE(__builtin_popcountll(*actions.bits(action)), 7);
        EXPECT_GE(actions.cost(action), actions.cost(action == 0 ? 0 : action - 1));
      }
    }
  }
}

TEST(ActionTable, MakesOnlyTheCheapOnesOfVeryMany) {
  const Problem problem = many_actions(60, sum_of_actions(60, false), "");
  const PackedProblem packed(problem);
  LimitWatch watch{Limits{}};
  ActionTable actions(packed, watch, 0);
  const std::size_t count_of_cost[] = {1, 60, 1770};
  for (std::size_t index = 0; index < 3; ++index) {
    ASSERT_TRUE(actions.make_class(index));
    EXPECT_EQ(actions[index].cost, static_cast<std::int64_t>(index));
    EXPECT_EQ(actions[index].end - actions[index].begin, count_of_cost[index]);
    EXPECT_GE(actions.lower_bound(index + 1), static_cast<std::int64_t>(index + 1));
  }
  EXPECT_LT(actions.size(), 100000u);
  EXPECT_EQ(watch.reason(), StopReason::none);
}

TEST(ActionTable, GivesUpWhereOneCostHasTooMany) {
  const Problem problem = many_actions(25, "0", "");
  const PackedProblem packed(problem);
  LimitWatch watch{Limits{}};
  ActionTable actions(packed, watch, 0);
  std::size_t index = 0;
  const auto make_all = [&] {
    while (actions.make_class(index)) ++index;
  };
  EXPECT_THROW(make_all(), LimitReached);
  EXPECT_EQ(watch.reason(), StopReason::too_large);
  EXPECT_FALSE(actions.complete());
  EXPECT_EQ(actions.size(), std::size_t{1} << 20);
  EXPECT_EQ(actions.lower_bound(index), 0);
}

// Whatever action has a next state that is of use passes, for all states and actions of small problems.
TEST(ActionFilter, LosesNothingOfUse) {
  int of_use = 0, filtered = 0, hopeless = 0;
  for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
    SCOPED_TRACE(seed);
    Problem problem = testing::random_problem(seed, {.most_state_bits = 4,
                                                     .most_action_bits = 4,
                                                     .most_auxiliary_bits = 3,
                                                     .large_numbers = seed % 4 == 0});
    problem.refused.clear();
    const PackedProblem packed(problem);
    LimitWatch watch{Limits{}};
    ActionFilter filter(packed, watch);
    StepSolver solver(packed, watch);
    Words found;
    for (std::uint64_t state = 0; state < std::uint64_t{1} << problem.state.bit_count(); ++state) {
      if (!packed.state_constraints.hold(&state)) continue;
      for (const bool last : {false, true}) {
        const bool some = filter.set_state(&state, last);
        hopeless += some ? 0 : 1;
        for (std::uint64_t action = 0; action < std::uint64_t{1} << problem.action.bit_count(); ++action) {
          filtered += some && !filter.passes(&action) ? 1 : 0;
          if (!all_hold(packed.joint_constraints, &action, &state)) continue;
          // The network may give anything.
          std::uint64_t learned = 0;
          for (const std::uint32_t bit : problem.network_outputs) {
            if ((seed + state + action * 7) % (bit + 2) == 0) set_bit(&learned, bit);
          }
          found.clear();
          solver.append_successors(&state, &action, &learned, found);
          const bool useful = std::any_of(found.begin(), found.end(), [&](const std::uint64_t& next) {
            return packed.goal.hold(&next) || (!last && packed.state_constraints.hold(&next));
          });
          bool allowed = useful;  // the solver does not look at constraints of the action alone
          for (const auto* rows : {&problem.constraints, &problem.transitions}) {
            for (const LinearConstraint& row : *rows) {
              const bool of_action = std::all_of(row.terms.begin(), row.terms.end(), [](const Term& term) {
                return term.bit.place == Place::action;
              });
              if (!of_action || row.terms.empty()) continue;
              const PackedSum sum(row.terms);
              allowed =
                  allowed && compare(sum.evaluate(&action, nullptr, nullptr), row.comparison, row.bound);
            }
          }
          if (!allowed) continue;
          ++of_use;
          ASSERT_TRUE(some && filter.passes(&action)) << problem_text(problem);
        }
      }
    }
  }
  EXPECT_GE(of_use, 10000);
  EXPECT_GE(filtered, 10000);
  EXPECT_GE(hopeless, 1000);
}

TEST(RefusedTrie, FollowsPrefixesByInitialState) {
  Problem problem;
  problem.horizon = 3;
  for (const char* name : {"a", "b"}) problem.action.add({.name = name});
  for (const char* name : {"x", "y"}) problem.state.add({.name = name});
  const RefusedTrie none(problem);
  EXPECT_TRUE(none.empty());
  problem.refused = {
      {{unknown_bit, unknown_bit}, {{1, 0}, {0, 1}}},
      {{unknown_bit, unknown_bit}, {{1, 0}, {0, 1}, {1, 1}}},  // continues after a refused one
      {{1, unknown_bit}, {{1, 0}}},
      {{unknown_bit, 1}, {}},
      {{unknown_bit, unknown_bit}, {{1, 1}, {1, 1}, {1, 1}, {1, 1}}}};  // too long for the horizon
  RefusedTrie trie(problem);
  EXPECT_FALSE(trie.empty());
  const std::uint64_t zero = 0, x = 1, y = 2;  // states
  const std::uint64_t a = 1, b = 2, both = 3;  // actions
  EXPECT_EQ(trie.root(&y), RefusedTrie::refused);
  const RefusedTrie::Node root = trie.root(&zero);
  EXPECT_EQ(trie.root(&zero), root);
  EXPECT_EQ(trie.after(root, &b), RefusedTrie::outside);
  EXPECT_EQ(trie.after(root, &both), RefusedTrie::outside);
  const RefusedTrie::Node after_a = trie.after(root, &a);
  ASSERT_NE(after_a, RefusedTrie::outside);
  ASSERT_NE(after_a, RefusedTrie::refused);
  EXPECT_EQ(trie.after(after_a, &b), RefusedTrie::refused);
  EXPECT_EQ(trie.after(after_a, &a), RefusedTrie::outside);
  EXPECT_EQ(trie.after(RefusedTrie::outside, &a), RefusedTrie::outside);
  const RefusedTrie::Node other = trie.root(&x);
  EXPECT_NE(other, root);
  EXPECT_EQ(trie.after(other, &a), RefusedTrie::refused) << "the shortest counts";
}

}  // namespace
}  // namespace bnnplan::engines
