// Linear queries in integers.
//
// A condition on one number alone is a cut of its range, like the threshold that defines its bit. A number
// that occurs with others in a sum is an integer k in binary, x = low + k step, whose cuts are k >= K; all
// other numbers are represented only by their cuts, of which the larger imply the smaller. A score is linear
// in the bits below it. Rows are multiplied to make them integers, and bounds are rounded, exactly.
#include "bnnplan/verify/linear_question.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "bnnplan/base/checked.hpp"
#include "bnnplan/base/exact_number.hpp"
#include "bnnplan/base/input_error.hpp"
#include "bnnplan/network/reference_inference.hpp"
#include "bnnplan/verify/formula_writer.hpp"
#include "bnnplan/verify/joint_network.hpp"
#include "bnnplan/verify/question_formula.hpp"
#include "bnnplan/verify/score_comparison.hpp"

namespace bnnplan::verification {

namespace {

using Kind = LinearProperty::Kind;
const mpz_class most_in_sum = mpz_class(1) << 61;

bool is_about_one_input(const LinearCondition& condition) {
  return condition.sum.inputs.size() == 1 && condition.sum.outputs.empty();
}

// A sum of literals with rational coefficients.
struct RationalRow {
  std::vector<std::pair<mpq_class, Lit>> terms;
  mpq_class constant = 0;
};

// The largest number of which all coefficients are multiples; 1 if there are no coefficients.
mpq_class common_unit_of(const RationalRow& row) {
  mpz_class den = 1, all = 0;
  for (const auto& [coefficient, literal] : row.terms) den = lcm(den, coefficient.get_den());
  for (const auto& [coefficient, literal] : row.terms) all = gcd(all, mpz_class(coefficient * den));
  if (all == 0) return 1;
  mpq_class unit(all, den);
  unit.canonicalize();
  return unit;
}

std::vector<WeightedLit> integer_terms(const RationalRow& row, const mpq_class& unit) {
  std::vector<WeightedLit> terms;
  mpz_class sum = 0;
  for (const auto& [coefficient, literal] : row.terms) {
    const mpz_class whole(coefficient / unit);
    sum += abs(whole);
    if (sum > most_in_sum)
      throw TooFineError("numbers are too fine: in their common unit a condition does not fit into 61 bits");
    terms.push_back({whole.get_si(), literal});
  }
  return terms;
}

// row >= 0 (strict: > 0) is terms >= bound.
std::int64_t integer_bound(const RationalRow& row, const mpq_class& unit, bool strict) {
  const mpq_class exact = -row.constant / unit;
  mpz_class bound = ceiling_of(exact);
  if (strict && bound == exact) ++bound;
  bound = std::clamp(bound, mpz_class(-2 * most_in_sum), mpz_class(2 * most_in_sum));
  return bound.get_si();
}

// A condition on outputs in terms of agreeing inputs: score = scale (2 agreeing - inputs) + bias.
ScoreCondition score_condition(const Network& network, const LinearCondition& condition) {
  const auto& outputs = condition.sum.outputs;
  if (outputs.size() == 2) {
    const auto first = *outputs.begin(), second = *std::next(outputs.begin());
    if (first.second > 0 && second.second < 0)
      return compare_scores(network, {.winner = first.first,
                                      .loser = second.first,
                                      .factor = first.second,
                                      .loser_factor = -second.second,
                                      .bound = -condition.sum.constant,
                                      .strict = condition.strict});
    if (first.second < 0 && second.second > 0)
      return compare_scores(network, {.winner = second.first,
                                      .loser = first.first,
                                      .factor = second.second,
                                      .loser_factor = -first.second,
                                      .bound = -condition.sum.constant,
                                      .strict = condition.strict});
  }
  RationalRow row;
  row.constant = condition.sum.constant;
  for (const auto& [output, coefficient] : outputs) {
    const Score& score = network.scores[output];
    row.terms.push_back({coefficient * score.scale * 2, Lit::positive({output})});
    row.constant += coefficient * (score.bias - score.scale * fan_in(score.weights));
  }
  const mpq_class unit = common_unit_of(row);
  ScoreCondition result;
  mpz_class sum = 0;
  for (const auto& [factor, literal] : integer_terms(row, unit)) {
    result.terms.push_back({literal.var().index, factor});
    sum += mpz_class(factor) * fan_in(network.scores[literal.var().index].weights);
    if (abs(sum) > most_in_sum)
      throw TooFineError("numbers are too fine: a condition does not fit into 61 bits");
  }
  result.bound = integer_bound(row, unit, condition.strict);
  return result;
}

class LinearWriter : FormulaWriter {
 public:
  LinearWriter(const Network& network, const LinearQuery& query) : query_(query), property_(query.property) {
    result_.network = std::make_unique<const Network>(with_scores(network));
  }

  LinearQuestion write() {
    const Network& network = *result_.network;
    for (std::size_t i = 0; i < network.inputs.size(); ++i)
      result_.numbers.push_back({range_of_input(network, i, query_.any_number), {}, {}});
    const bool sum_norm = query_.region && query_.region->values && query_.region->norm != Norm::linf;
    bool on_inputs = take_ranges(property_.root());
    if (on_inputs && sum_norm)
      throw InputError(
          "a region in l0, l1 or l2 cannot be combined with conditions on inputs; one in linf can");
    if (query_.region && !sum_norm) take_region(*query_.region);
    for (const LinearQuestion::NumberCode& number : result_.numbers) {
      if (number.range.is_empty()) result_.impossible = true;
    }
    if (result_.impossible) {
      add({}, 1);
      formula().variables = static_cast<std::uint32_t>(network.inputs.size());
      result_.formula = std::move(formula());
      return std::move(result_);
    }
    if (speaks_of_outputs_only() && !query_.minimize) {
      write_flips(sum_norm);
    } else if (sum_norm) {
      throw InputError(
          "a region in l0, l1 or l2 cannot be combined with conditions on inputs; one in linf can");
    } else {
      write_formula();
    }
    return std::move(result_);
  }

 private:
  NumberRange& range(std::uint32_t input) { return result_.numbers[input].range; }

  // The cut of a condition on one number, and whether the number is beyond it.
  std::pair<Cut, bool> cut_of(const LinearCondition& condition) {
    const auto& [input, coefficient] = *condition.sum.inputs.begin();
    const mpq_class value = -condition.sum.constant / coefficient;
    const bool beyond = coefficient > 0;  // otherwise x <= value, or <
    const Cut cut{value, beyond ? condition.strict : !condition.strict};
    return {range(input).on_grid(cut), beyond};
  }

  // Conditions on single numbers that must hold anyway are moved into their ranges. True if there were any.
  bool take_ranges(std::uint32_t node) {
    const LinearProperty::Node& here = property_.nodes[node];
    bool any = false;
    if (here.kind == Kind::all) {
      for (const std::uint32_t child : here.children) any = take_ranges(child) || any;
    } else if (here.kind == Kind::condition && is_about_one_input(property_.conditions[here.condition])) {
      const LinearCondition& condition = property_.conditions[here.condition];
      const auto [cut, beyond] = cut_of(condition);
      NumberRange& of = range(condition.sum.inputs.begin()->first);
      if (beyond) {
        of.raise(cut);
      } else {
        of.lower_to(cut);
      }
      property_.nodes[node] = {Kind::all, 0, {}};
      any = true;
    }
    return any;
  }

  void take_region(const Region& region) {
    if (!region.values) return;
    (void)region_question(*result_.network, region);  // throws if the numbers are invalid
    if (!region.epsilon) return;
    for (std::uint32_t i = 0; i < result_.numbers.size(); ++i) {
      range(i).raise({(*region.values)[i] - *region.epsilon, false});
      range(i).lower_to({(*region.values)[i] + *region.epsilon, true});
    }
  }

  bool speaks_of_outputs_only() const {
    return std::all_of(property_.nodes.begin(), property_.nodes.end(), [&](const LinearProperty::Node& node) {
      return node.kind != Kind::condition || property_.conditions[node.condition].sum.inputs.empty();
    });
  }

  void write_flips(bool sum_norm) {
    const Network& network = *result_.network;
    FlipQuestion question;
    if (sum_norm) {
      question = region_question(network, *query_.region);
    } else {
      question.network = &network;
      question.largest = true;
      question.budget = 1;
      for (std::uint32_t i = 0; i < result_.numbers.size(); ++i) {
        const NumberRange& of = range(i);
        const Cut cut = of.on_grid(threshold_cut(network, i));
        if (of.always(cut) || of.never(cut)) {
          question.values.push_back(of.number_between(of.lower, of.upper));
        } else {
          question.values.push_back(of.number_between(of.lower, cut));
          question.flips.push_back({i, 1, of.number_between(cut, of.upper)});
        }
      }
      question.bits = binarize(network, question.values);
    }
    for (const LinearProperty::Node& node : property_.nodes) {
      if (node.kind == Kind::condition) {
        question.property.add(score_condition(network, property_.conditions[node.condition]));
      } else {
        question.property.add(node.kind == Kind::all ? Property::Kind::all : Property::Kind::any,
                              node.children);
      }
    }
    result_.formula = question_formula(question);
    result_.flips = std::move(question);
  }

  void write_formula() {
    const Network& network = *result_.network;
    std::vector<std::set<Cut>> cuts(network.inputs.size());
    std::vector<bool> in_sums(network.inputs.size());
    for (const LinearProperty::Node& node : property_.nodes) {
      if (node.kind != Kind::condition) continue;
      const LinearCondition& condition = property_.conditions[node.condition];
      if (is_about_one_input(condition)) {
        cuts[condition.sum.inputs.begin()->first].insert(cut_of(condition).first);
      } else {
        for (const auto& [input, coefficient] : condition.sum.inputs) in_sums[input] = true;
      }
    }
    if (query_.minimize) {
      for (const auto& [input, coefficient] : query_.minimize->inputs) in_sums[input] = true;
    }
    std::vector<Lit> bits;
    for (std::uint32_t i = 0; i < network.inputs.size(); ++i) {
      const Cut threshold = range(i).on_grid(threshold_cut(network, i));
      cuts[i].insert(threshold);
      if (in_sums[i]) {
        add_digits(i, cuts[i]);
      } else {
        add_cuts(i, cuts[i]);
      }
      bits.push_back(literal_of(i, threshold));
    }
    hidden_ = add_layers(network, std::move(bits));
    add_tree(
        property_, property_.root(), std::nullopt,
        [&](const LinearCondition& condition, std::optional<Lit> unless) { add_one(condition, unless); });
    add_objective();
    result_.formula = std::move(formula());
  }

  // Literals for cuts that are neither always nor never passed; the larger imply the smaller.
  void add_cuts(std::uint32_t input, const std::set<Cut>& cuts) {
    LinearQuestion::NumberCode& number = result_.numbers[input];
    for (const Cut& cut : cuts) {
      if (number.range.always(cut) || number.range.never(cut)) continue;
      const Lit literal = new_variable();
      if (!number.cuts.empty()) add({{1, ~literal}, {1, number.cuts.back().second}}, 1);
      number.cuts.emplace_back(cut, literal);
    }
  }

  void add_digits(std::uint32_t input, const std::set<Cut>& cuts) {
    LinearQuestion::NumberCode& number = result_.numbers[input];
    if (!number.range.grid)
      throw InputError(
          fmt::format("input {} ('{}') may be any number, so it cannot occur in a sum with others", input + 1,
                      printable(result_.network->inputs[input])));
    const mpq_class step = number.range.grid->step;
    const mpz_class most((number.range.upper->value - number.range.lower->value) / step - 1);
    if (most > mpz_class(1) << 40)
      throw InputError(fmt::format("input {} ('{}') has too many values for a sum", input + 1,
                                   printable(result_.network->inputs[input])));
    for (mpz_class left = most; left > 0; left /= 2) number.digits.push_back(new_variable());
    std::vector<Term> sum;
    for (std::size_t j = 0; j < number.digits.size(); ++j)
      sum.push_back({std::int64_t{1} << j, number.digits[j]});
    const std::int64_t last = most.get_si();
    if (last + 1 != std::int64_t{1} << number.digits.size()) add(model::negated(sum), -last);
    for (const Cut& cut : cuts) {
      if (number.range.always(cut) || number.range.never(cut)) continue;
      const std::int64_t k = mpz_class((cut.value - number.range.lower->value) / step).get_si();
      if (last == 1) {
        number.cuts.emplace_back(cut, number.digits.front());
        continue;
      }
      const Lit literal = new_variable();
      add_unless(sum, k, ~literal);
      add_unless(model::negated(sum), 1 - k, literal);
      number.cuts.emplace_back(cut, literal);
    }
  }

  // A literal for a cut that was added; if the cut is decided, a literal of a variable that is always true.
  Lit literal_of(std::uint32_t input, const Cut& cut) {
    const LinearQuestion::NumberCode& number = result_.numbers[input];
    for (const auto& [known, literal] : number.cuts) {
      if (known == cut) return literal;
    }
    if (!true_) {
      true_ = new_variable();
      add({{1, *true_}}, 1);
    }
    return number.range.always(cut) ? *true_ : ~*true_;
  }

  RationalRow row_of(const LinearSum& sum) {
    RationalRow row;
    row.constant = sum.constant;
    for (const auto& [input, coefficient] : sum.inputs) {
      const LinearQuestion::NumberCode& number = result_.numbers[input];
      row.constant += coefficient * number.range.lower->value;
      for (std::size_t j = 0; j < number.digits.size(); ++j)
        row.terms.emplace_back(coefficient * number.range.grid->step * (mpz_class(1) << j), number.digits[j]);
    }
    for (const auto& [output, coefficient] : sum.outputs) {
      const Score& score = result_.network->scores[output];
      row.constant += coefficient * (score.bias - score.scale * fan_in(score.weights));
      std::vector<Term> agreeing;
      add_agreeing(score, hidden_, 1, agreeing);
      for (const Term& term : agreeing) row.terms.emplace_back(coefficient * score.scale * 2, term.literal);
    }
    return row;
  }

  void add_one(const LinearCondition& condition, std::optional<Lit> unless) {
    if (is_about_one_input(condition)) {
      const auto [cut, beyond] = cut_of(condition);
      const Lit literal = literal_of(condition.sum.inputs.begin()->first, cut);
      return add_unless({{1, beyond ? literal : ~literal}}, 1, unless);
    }
    if (condition.sum.inputs.empty()) {
      const ScoreCondition scores = score_condition(*result_.network, condition);
      std::vector<Term> terms;
      for (const auto& [score, factor] : scores.terms)
        add_agreeing(result_.network->scores[score], hidden_, factor, terms);
      return add_unless(std::move(terms), scores.bound, unless);
    }
    const RationalRow row = row_of(condition.sum);
    const mpq_class unit = common_unit_of(row);
    add_unless(integer_terms(row, unit), integer_bound(row, unit, condition.strict), unless);
  }

  void add_objective() {
    if (!query_.minimize) return;
    const RationalRow row = row_of(*query_.minimize);
    result_.unit = common_unit_of(row);
    result_.offset = row.constant;
    formula().has_objective = true;
    // Positive literals, each once: c ~x is c - c x.
    std::map<std::uint32_t, std::int64_t> sum;
    for (const auto& [coefficient, literal] : integer_terms(row, result_.unit)) {
      sum[literal.var().index] += literal.negated() ? -coefficient : coefficient;
      if (literal.negated()) result_.offset += result_.unit * coefficient;
    }
    for (const auto& [variable, coefficient] : sum) {
      if (coefficient != 0) formula().objective.push_back({coefficient, Lit::positive({variable})});
    }
  }

  const LinearQuery& query_;
  LinearProperty property_;
  LinearQuestion result_;
  std::vector<Lit> hidden_;  // the bits below the scores
  std::optional<Lit> true_;
};

}  // namespace

LinearQuestion make_linear_question(const Network& network, const LinearQuery& query) {
  try {
    return LinearWriter(network, query).write();
  } catch (const OverflowError&) {
    throw TooFineError("numbers are too fine: in their common unit a condition does not fit into 64 bits");
  }
}

}  // namespace bnnplan::verification
