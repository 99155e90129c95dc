// Linear properties of inputs and outputs: answers are those of trying all inputs; files say what they mean,
// and what is wrong with them.
#include <gtest/gtest.h>

#include "bnnplan/base/input_error.hpp"
#include "bnnplan/base/text_file.hpp"
#include "bnnplan/check/proof_check.hpp"
#include "bnnplan/check/question_formula.hpp"
#include "bnnplan/query/query_file.hpp"
#include "bnnplan/query/vnnlib.hpp"
#include "bnnplan/verify/answer_linear.hpp"
#include "bnnplan/verify/number_cuts.hpp"
#include "every_input.hpp"
#include "support/checked_formula.hpp"
#include "support/temporary_folder.hpp"

namespace bnnplan::verification {
namespace {

using namespace testing;

LinearSum random_sum(Random& random, const Network& network, bool inputs, bool outputs) {
  LinearSum sum;
  const auto coefficient = [&] {
    mpq_class result(static_cast<long>(random.below(9)) - 4, static_cast<long>(1 + random.below(3)));
    result.canonicalize();
    return result;
  };
  const auto add = [&](std::map<std::uint32_t, mpq_class>& terms, std::size_t count) {
    for (std::size_t n = 1 + random.below(2); n > 0; --n) {
      const mpq_class factor = coefficient();
      if (factor != 0) terms[static_cast<std::uint32_t>(random.below(count))] = factor;
    }
  };
  if (inputs) add(sum.inputs, network.inputs.size());
  if (outputs) add(sum.outputs, network.outputs.size());
  sum.constant = coefficient();
  return sum;
}

std::uint32_t random_node(Random& random, const Network& network, LinearProperty& property, int depth,
                          bool sums) {
  if (depth > 0 && random.below(2) == 0) {
    std::vector<std::uint32_t> children;
    for (std::size_t n = random.below(4); n > 0; --n)
      children.push_back(random_node(random, network, property, depth - 1, sums));
    return property.add(random.below(2) == 0 ? LinearProperty::Kind::all : LinearProperty::Kind::any,
                        std::move(children));
  }
  const std::size_t kind = random.below(sums ? 3 : 2);
  LinearSum left = random_sum(random, network, kind != 0, kind != 1);
  if (!sums && left.inputs.size() > 1) left.inputs.erase(left.inputs.begin());
  return add_relation(property, left, static_cast<Relation>(random.below(6)), {});
}

TEST(LinearQuery, AnswersAreThoseOfAllInputs) {
  Random random(1);
  const TemporaryFolder folder;
  int some = 0, none = 0, refused = 0, flips = 0, least = 0;
  for (int round = 0; round < rounds(); ++round) {
    const Network network = tiny_network(random, 4, random.below(4) != 0, random.below(2) == 0);
    LinearQuery query;
    const std::uint32_t inner = random_node(random, network, query.property, 3, true);
    query.property.add(LinearProperty::Kind::all, {inner});
    if (random.below(3) == 0) query.region = random_region(random, network);
    if (query.region && query.region->values && !query.region->epsilon) query.region->epsilon = 1;
    if (random.below(3) == 0) query.minimize = random_sum(random, network, true, random.below(2) == 0);
    std::optional<mpq_class> best;
    any_of_inputs(all_choices(network), [&](const std::vector<mpq_class>& values) {
      const std::vector<mpq_class> outputs = output_values(network, values);
      if (query.region && !is_within(*query.region, values)) return false;
      if (!holds(query.property, query.property.root(), values, outputs)) return false;
      const mpq_class value = query.minimize ? query.minimize->value(values, outputs) : mpq_class(0);
      if (!best || value < *best) best = value;
      return false;
    });
    VerifyRequest request;
    if (round % 4 == 0) request.proof = folder.path() / "a.pbp";
    LinearOutcome outcome;
    try {
      outcome = answer_linear(network, query, request);
    } catch (const InputError& error) {
      ASSERT_TRUE(query.region && query.region->norm != Norm::linf) << error.what();
      ++refused;
      continue;
    }
    ASSERT_EQ(outcome.status, best ? Status::optimal : Status::infeasible) << round;
    const LinearQuestion question = make_linear_question(network, query);
    const checking::QuestionFormula ours = checking::formula_of(network, query);
    ASSERT_EQ(formula_text(ours.formula), formula_text(checked_formula(question.formula)))
        << "the checker has another formula, " << round;
    if (best && query.minimize) {
      ASSERT_EQ(*outcome.value, *best) << round;
      ++least;
    }
    if (question.flips) ++flips;
    if (outcome.proof_written) {
      const checking::ProofCheck check = checking::check_proof(ours.formula, read_text_file(request.proof));
      ASSERT_TRUE(check.accepted) << check.refusal;
      if (query.minimize && best) {
        ASSERT_EQ(ours.unit * mpq_class(mpz_class(check.value)) + ours.offset, *best);
      }
    } else if (!request.proof.empty()) {
      ASSERT_TRUE(best.has_value());
    }
    ++(best ? some : none);
  }
  EXPECT_GT(some, 60);
  EXPECT_GT(none, 60);
  EXPECT_GT(flips, 20);
  EXPECT_GT(least, 20);
}

// Numbers that may be anything: all cells between the places where something changes.
TEST(LinearQuery, AnyNumbers) {
  Random random(2);
  int some = 0, none = 0;
  for (int round = 0; round < rounds(); ++round) {
    const Network network = tiny_network(random, 4, true, true);
    LinearQuery query;
    query.any_number = true;
    const std::uint32_t inner = random_node(random, network, query.property, 3, false);
    query.property.add(LinearProperty::Kind::all, {inner});
    std::vector<std::vector<mpq_class>> choices;
    for (std::size_t i = 0; i < network.inputs.size(); ++i) {
      if (!network.numbers[i]) {
        choices.push_back({0, 1});
        continue;
      }
      std::vector<mpq_class> places{network.numbers[i]->threshold};
      for (const LinearCondition& condition : query.property.conditions) {
        const auto found = condition.sum.inputs.find(static_cast<std::uint32_t>(i));
        if (found != condition.sum.inputs.end()) places.push_back(-condition.sum.constant / found->second);
      }
      std::sort(places.begin(), places.end());
      std::vector<mpq_class> numbers{places.front() - 1, places.back() + 1};
      for (std::size_t p = 0; p < places.size(); ++p) {
        numbers.push_back(places[p]);
        if (p > 0) numbers.push_back((places[p - 1] + places[p]) / 2);
      }
      choices.push_back(std::move(numbers));
    }
    const bool expected = any_of_inputs(choices, [&](const std::vector<mpq_class>& values) {
      return holds(query.property, query.property.root(), values, output_values(network, values));
    });
    const LinearOutcome outcome = answer_linear(network, query);
    ASSERT_EQ(formula_text(checking::formula_of(network, query).formula),
              formula_text(checked_formula(make_linear_question(network, query).formula)))
        << "the checker has another formula, " << round;
    ASSERT_EQ(outcome.status, expected ? Status::optimal : Status::infeasible) << round;
    ++(expected ? some : none);
  }
  EXPECT_GT(some, 60);
  EXPECT_GT(none, 30);
}

// Two numbers and a bit; the score of "high" is the number of bits that are 1, doubled, less 3.
Network small_network() {
  Network network;
  network.inputs = {"x", "y", "on"};
  network.numbers = {NumericInput{mpq_class(5), 0, 10, 1}, NumericInput{mpq_class(5), 0, 10, 1},
                     std::nullopt};
  network.outputs = {"low", "high"};
  network.scores = {{{0, 0, 0}}, {{1, 1, 1}}};
  return network;
}

class QueryFiles : public ::testing::Test {
 protected:
  LinearOutcome ask(const std::string& text) {
    return answer_linear(network_, parse_query_file(text, folder_ / "q.toml", network_).query);
  }
  std::string error(const std::string& text) {
    try {
      ask(text);
    } catch (const InputError& error) {
      const std::string what = error.what();
      return what.substr(what.find("q.toml"));
    }
    return "";
  }

  TemporaryFolder folder_;
  Network network_ = small_network();
};

TEST_F(QueryFiles, Say) {
  EXPECT_EQ(ask("prove = ['score[high] >= -3']").status, Status::infeasible);
  LinearOutcome outcome = ask("assume = ['x + y <= 9']\nprove = ['score[high] <= 0']");
  EXPECT_EQ(outcome.status, Status::optimal);
  EXPECT_LE(outcome.values[0] + outcome.values[1], 9);
  EXPECT_EQ(outcome.outputs[1], 1);
  EXPECT_EQ(ask("assume = ['x + y <= 9']\nfind = ['score[high] > 1.5']").status, Status::infeasible);
  outcome = ask("find = 'score[high] > score[low] + 1/2'\nminimize = '2 x + 3 * y + 1.6e1 on'");
  EXPECT_EQ(*outcome.value, 25);
  EXPECT_EQ(outcome.values, (std::vector<mpq_class>{5, 5, 0}));
  outcome = ask("maximize = 'x - y'\nfind = [['x < 3', 'y > 7'], 'score[high] = 1']");
  EXPECT_EQ(-*outcome.value, 2);
  folder_.write("c.csv", "4 4 0");
  EXPECT_EQ(
      ask("prove = ['score[high] <= 0']\nregion = { around = 'c.csv', epsilon = 1, norm = 'l1' }").status,
      Status::infeasible);
  EXPECT_EQ(
      ask("prove = ['score[high] <= 0']\nregion = { around = 'c.csv', epsilon = 1, norm = 'linf' }").status,
      Status::optimal);
  EXPECT_EQ(ask("prove = ['x >= 3']\nregion = { around = 'c.csv', epsilon = 1.0, norm = 'linf' }").status,
            Status::infeasible);
}

TEST_F(QueryFiles, Errors) {
  EXPECT_EQ(error("find = ['z >= 1']"),
            "q.toml:1: the network has no input or output 'z', did you mean 'x'?");
  EXPECT_EQ(error("\nfind = ['x 1']"), "q.toml:2: 'x 1': expected <=, >=, <, >, == or != at '1'");
  EXPECT_EQ(error("find = ['x >=']"), "q.toml:1: 'x >=': expected a number or a name at its end");
  EXPECT_EQ(error("find = [3]"), "q.toml:1: a condition of 'find' has to be a string");
  EXPECT_EQ(error("finds = []"), "q.toml:1: unknown key 'finds', did you mean 'find'?");
  EXPECT_EQ(error(""), "q.toml: expected 'prove', 'find', 'minimize' or 'maximize'");
  EXPECT_EQ(error("find = []\nprove = []"), "q.toml:1: expected 'find' or 'prove', not both");
  EXPECT_EQ(error("minimize = 'x'\nmaximize = 'y'"), "q.toml:2: expected 'minimize' or 'maximize', not both");
  EXPECT_EQ(error("prove = []\nminimize = 'x'"),
            "q.toml:2: 'minimize' and 'maximize' cannot be combined with 'prove'");
  EXPECT_EQ(error("find = []\nregion = 3"),
            "q.toml:2: 'region' has to be a table: { around = \"FILE\", epsilon = E, norm = \"linf\" }");
  EXPECT_EQ(error("find = []\nregion = { around = 'c.csv', norm = 'l1' }"),
            "q.toml:2: 'region' needs 'around', 'epsilon' and 'norm'");
  folder_.write("c.csv", "4 4 0");
  EXPECT_EQ(error("find = []\nregion = { around = 'c.csv', norm = 'l3', epsilon = 1 }"),
            "q.toml:2: 'norm' has to be \"l0\", \"l1\", \"l2\" or \"linf\"");
  EXPECT_EQ(error("find = []\nregion = { around = 'c.csv', norm = 'l1', epsilon = -1 }"),
            "q.toml:2: 'epsilon' is negative");
}

constexpr const char* declared =
    "; a comment\n(declare-const X_0 Real)\n(declare-const X_1 Real)\n(declare-const X_2 Real)\n"
    "(declare-const Y_0 Real)\n(declare-const Y_1 Real)\n";
constexpr const char* declared_2 =
    "(vnnlib-version <2.0>)\n(declare-network N\n  (declare-input X float32 [1, 3])\n  (declare-output Y "
    "real [2]))\n";

std::string vnnlib_answer(const std::string& text) {
  const Network network = small_network();
  const VnnLibQuery query = parse_vnnlib(text, "q.vnnlib", network);
  return vnnlib_result(query, answer_linear(network, query.query));
}

TEST(VnnLib, Answers) {
  const std::string box =
      "(assert (<= X_0 5.5)) (assert (>= X_0 4.75))\n(assert (<= X_1 2)) (assert (>= X_1 1))\n"
      "(assert (= X_2 1))";
  EXPECT_EQ(vnnlib_answer(declared + box + "(assert (>= Y_1 2))"), "unsat\n");
  EXPECT_EQ(vnnlib_answer(declared + box + "(assert (or (and (>= Y_1 Y_0) (< X_0 5.25)) (and (>= Y_1 2))))"),
            "sat\n((X_0 5.125)\n(X_1 1.5)\n(X_2 1)\n(Y_0 0)\n(Y_1 1))\n");
  const std::string box_2 = "(assert (and (<= X[0,0] 5.5) (>= X[0, 0] 4.75) (<= 1 X[0,1] 2) (== X[0,2] 1)))";
  EXPECT_EQ(vnnlib_answer(declared_2 + box_2 + "(assert (>= (* 0.5 Y[1]) (+ Y[0] 1 (- 0.5))))"),
            "sat\n((X[0,0] 5.25)\n(X[0,1] 1.5)\n(X[0,2] 1)\n(Y[0] 0)\n(Y[1] 1))\n");
  EXPECT_EQ(vnnlib_answer(declared_2 + box_2 + "(assert (not (<= Y[1] 1)))"), "unsat\n");
  EXPECT_EQ(vnnlib_answer(declared_2 + box_2 + "(assert (=> (>= X[0,0] 0) (> Y[1] 1)))"), "unsat\n");
  // Real numbers: between 4.5 and 5 there is no integer.
  EXPECT_EQ(
      vnnlib_answer(std::string(declared) + "(assert (> X_0 4.5)) (assert (< X_0 5)) (assert (> Y_1 1))"),
      "unsat\n");
}

TEST(VnnLib, Errors) {
  const auto error = [](const std::string& text) -> std::string {
    try {
      vnnlib_answer(text);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(error("(assert"), "q.vnnlib:1: a bracket is not closed");
  EXPECT_EQ(error(")"), "q.vnnlib:1: a closing bracket without an opening one");
  EXPECT_EQ(error("(declare-const X_0 Real)"),
            "q.vnnlib: 1 inputs and 0 outputs are declared, but the network has 3 and 2");
  EXPECT_EQ(error("(declare-const X_3 Real)"), "q.vnnlib:1: 'X_3': the network has 3 inputs");
  EXPECT_EQ(error("(declare-const X_1 Real)"),
            "q.vnnlib:1: 'X_1' is declared twice, or before those with smaller numbers");
  EXPECT_EQ(
      error("(declare-const Z Real)"),
      "q.vnnlib:1: expected (declare-const X_0 Real) for inputs or (declare-const Y_0 Real) for outputs");
  EXPECT_EQ(error("(prove 1)"), "q.vnnlib:1: unknown command 'prove'");
  EXPECT_EQ(error("(vnnlib-version <3.0>)"),
            "q.vnnlib:1: unknown version of VNN-LIB, expected <1.0> or <2.0>");
  EXPECT_EQ(error(std::string(declared) + "(assert (<= X_9 1))"), "q.vnnlib:7: 'X_9' is not declared");
  EXPECT_EQ(error(std::string(declared) + "(assert (<= (* X_0 Y_0) 1))"),
            "q.vnnlib:7: only linear sums are supported: +, -, and * with a number");
  for (const char* not_linear : {"(abs X_0)", "(foo Y_0)", "(/ X_0)", "(max X_0 1)"})
    EXPECT_EQ(error(std::string(declared) + "(assert (<= " + not_linear + " 1))"),
              "q.vnnlib:7: only linear sums are supported: +, -, and * with a number")
        << not_linear;
  EXPECT_EQ(error(std::string(declared) + "(assert (<= X_00 1))"), "q.vnnlib:7: 'X_00' is not declared");
  EXPECT_EQ(error(std::string(declared) + "(assert (<= (+ X_0 X_1) 1))"),
            "input 1 ('x') may be any number, so it cannot occur in a sum with others");
  EXPECT_EQ(error(std::string(declared_2) + "(assert (<= X[0,3] 1))"),
            "q.vnnlib:5: 'X[0,3]' is outside of its tensor");
  EXPECT_EQ(error(std::string(declared_2) + "(assert (<= X[0] 1))"),
            "q.vnnlib:5: 'X[0]' has 1 indices, expected 2");
  EXPECT_EQ(error(std::string(declared_2) + "(declare-network M)"),
            "q.vnnlib:5: a second network: only one network is supported");
  EXPECT_EQ(error("(declare-network N (declare-hidden H float32 [2]))"),
            "q.vnnlib:1: hidden nodes are not supported");
  EXPECT_EQ(error(std::string(2000, '(')), "q.vnnlib:1: brackets are nested too deeply");
}

// Where a number has no end in decimals, one beside it is taken that others read as it is.
TEST(NumberRange, PrefersNumbersThatCanBeWritten) {
  const NumberRange any;
  const mpq_class third(1, 3), little(1, 1'000'000'000'000), huge(mpz_class("1" + std::string(39, '0')));
  EXPECT_EQ(any.number_between(Cut{third, false}, std::nullopt), 1);
  EXPECT_EQ(any.number_between(std::nullopt, Cut{third, true}), 0);
  EXPECT_EQ(any.number_between(Cut{mpq_class(1, 10), false}, std::nullopt), mpq_class(1, 10));
  const mpq_class narrow = any.number_between(Cut{third, false}, Cut{third + little, false});
  EXPECT_TRUE(narrow >= third && narrow < third + little && narrow == mpq_class(narrow.get_d()));
  const mpq_class large =
      any.number_between(Cut{huge, false}, Cut{huge * huge * huge * huge * huge * huge * huge * huge, false});
  EXPECT_GT(large, huge);
}

}  // namespace
}  // namespace bnnplan::verification
