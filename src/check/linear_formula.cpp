// Formulas of linear questions. Conditions that must hold and are about one number alone limit its range. If
// no other condition is about inputs, and nothing is minimised, what remains is a question about flips.
// Otherwise a number is represented by the cuts of its range that matter (x >= value, or x > value), of which
// the larger imply the smaller, or, if it occurs in a sum with others, as an integer in binary,
// x = low + step (digit 0 + 2 digit 1 + ...), from which its cuts are defined. Sums are multiplied by a
// common unit to make them integers.
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "bnnplan/base/checked.hpp"
#include "bnnplan/base/exact_number.hpp"
#include "bnnplan/check/question_flips.hpp"
#include "bnnplan/check/question_formula.hpp"

namespace bnnplan::checking {

namespace {

using verification::LinearCondition;
using verification::LinearProperty;
using verification::LinearQuery;
using verification::LinearSum;
using LinearKind = LinearProperty::Kind;
using Cut = std::pair<mpq_class, bool>;  // x >= value, or x > value if true; ordered by implication

bool is_about_one_input(const LinearCondition& condition) {
  return condition.sum.inputs.size() == 1 && condition.sum.outputs.empty();
}

// A number of the input: beyond `lower`, not beyond `upper`, and, unless it may be anything, on a grid.
struct Number {
  std::optional<Cut> lower, upper;
  std::optional<NumericInput> grid;
  std::vector<std::pair<Cut, Lit>> cuts;
  std::vector<Lit> digits;

  Cut on_grid(const Cut& cut) const {
    if (!grid) return cut;
    const mpq_class steps = (cut.first - grid->low) / grid->step;
    mpz_class k = ceiling_of(steps);
    if (cut.second && k == steps) ++k;
    return {grid->low + grid->step * k, false};
  }
  void raise(const Cut& cut) { lower = lower ? std::max(*lower, on_grid(cut)) : on_grid(cut); }
  void cap(const Cut& cut) { upper = upper ? std::min(*upper, on_grid(cut)) : on_grid(cut); }
  bool always(const Cut& cut) const { return lower && !(*lower < cut); }
  bool never(const Cut& cut) const { return upper && !(cut < *upper); }
};

// A sum of literals with rational coefficients.
struct RationalSum {
  std::vector<std::pair<mpq_class, std::vector<Lit>>> terms;  // coefficient and literals
  mpq_class constant = 0;

  mpq_class unit() const {
    std::vector<mpq_class> coefficients;
    for (const auto& [coefficient, literals] : terms) coefficients.push_back(coefficient);
    return common_unit(coefficients);
  }
  Terms in(const mpq_class& unit) const {
    Terms result;
    for (const auto& [coefficient, literals] : terms) {
      for (const Lit literal : literals)
        result.push_back({small_integer(mpz_class(coefficient / unit)), literal});
    }
    return result;
  }
};

class LinearRows {
 public:
  LinearRows(const Network& network, const LinearQuery& query)
      : network_(network), query_(query), property_(query.property) {
    for (std::size_t i = 0; i < network.inputs.size(); ++i) {
      Number& number = numbers_.emplace_back();
      const bool is_bit = !has_numbers(network) || !network.numbers[i];
      if (query.any_number && !is_bit) continue;
      number.grid = range_of(network, i);
      number.lower = Cut{number.grid->low, false};
      number.upper = Cut{number.grid->low + number.grid->step * (last_of(*number.grid) + 1), false};
    }
  }

  QuestionFormula run() {
    const bool region = query_.region && query_.region->values;
    const bool sum_norm = region && query_.region->norm != verification::Norm::linf;
    limit_ranges(property_.root());
    if (sum_norm && (limited_ || about_inputs() || query_.minimize))
      throw InputError("a region in l0, l1 or l2 cannot be combined with conditions on inputs");
    std::optional<Flips> near;
    if (region) near = flips_of(network_, *query_.region);  // also checks the numbers
    if (region && !sum_norm && query_.region->epsilon) {
      for (std::size_t i = 0; i < numbers_.size(); ++i) {
        numbers_[i].raise({(*query_.region->values)[i] - *query_.region->epsilon, false});
        numbers_[i].cap({(*query_.region->values)[i] + *query_.region->epsilon, true});
      }
    }
    const bool impossible = std::any_of(numbers_.begin(), numbers_.end(), [](const Number& number) {
      return number.lower && number.upper && !(*number.lower < *number.upper);
    });
    if (impossible) {
      rows_.formula.variables = static_cast<std::uint32_t>(numbers_.size());
      rows_.add({}, 1);
    } else if (about_inputs() || query_.minimize) {
      add_numbers();
      add_property();
      add_objective();
    } else {
      const Flips flips = sum_norm ? *near : flips_in_ranges();
      scores_ = rows_.add_network(network_, add_flips(rows_, flips));
      add_property();
      add_costs(rows_, flips);
    }
    result_.formula = std::move(rows_.formula);
    return std::move(result_);
  }

 private:
  Cut threshold_of(std::size_t input) const {
    return numbers_[input].on_grid({range_of(network_, input).threshold, false});
  }

  // The cut of a condition on one number, and whether the number is beyond it: a x + c >= 0.
  std::pair<Cut, bool> cut_of(const LinearCondition& condition) const {
    const auto& [input, coefficient] = *condition.sum.inputs.begin();
    const bool beyond = coefficient > 0;
    return {numbers_[input].on_grid({-condition.sum.constant / coefficient, condition.strict == beyond}),
            beyond};
  }

  void limit_ranges(std::uint32_t node) {
    const LinearProperty::Node here = property_.nodes[node];
    if (here.kind == LinearKind::all) {
      for (const std::uint32_t child : here.children) limit_ranges(child);
    } else if (here.kind == LinearKind::condition &&
               is_about_one_input(property_.conditions[here.condition])) {
      const LinearCondition& condition = property_.conditions[here.condition];
      Number& number = numbers_[condition.sum.inputs.begin()->first];
      const auto [cut, beyond] = cut_of(condition);
      if (beyond) {
        number.raise(cut);
      } else {
        number.cap(cut);
      }
      property_.nodes[node] = {LinearKind::all, 0, {}};
      limited_ = true;
    }
  }

  bool about_inputs() const {
    return std::any_of(property_.nodes.begin(), property_.nodes.end(), [&](const LinearProperty::Node& node) {
      return node.kind == LinearKind::condition && !property_.conditions[node.condition].sum.inputs.empty();
    });
  }

  // Bits that the ranges leave open; any set of flips will do.
  Flips flips_in_ranges() const {
    Flips flips;
    flips.largest = true;
    flips.budget = 1;
    for (std::uint32_t i = 0; i < numbers_.size(); ++i) {
      const Cut threshold = threshold_of(i);
      flips.bits.push_back(numbers_[i].always(threshold));
      if (!numbers_[i].always(threshold) && !numbers_[i].never(threshold)) flips.flips.push_back({i, 1});
    }
    return flips;
  }

  void add_numbers() {
    std::vector<std::set<Cut>> cuts(numbers_.size());
    std::vector<bool> in_sums(numbers_.size());
    for (const LinearProperty::Node& node : property_.nodes) {
      if (node.kind != LinearKind::condition) continue;
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
    for (std::uint32_t i = 0; i < numbers_.size(); ++i) {
      cuts[i].insert(threshold_of(i));
      if (in_sums[i]) {
        add_digits(numbers_[i], cuts[i]);
      } else {
        add_cuts(numbers_[i], cuts[i]);
      }
      bits.push_back(literal_of(numbers_[i], threshold_of(i)));
    }
    scores_ = rows_.add_network(network_, bits);
  }

  void add_cuts(Number& number, const std::set<Cut>& cuts) {
    for (const Cut& cut : cuts) {
      if (number.always(cut) || number.never(cut)) continue;
      const Lit literal = rows_.new_variable();
      if (!number.cuts.empty()) rows_.add({{1, ~literal}, {1, number.cuts.back().second}}, 1);
      number.cuts.emplace_back(cut, literal);
    }
  }

  void add_digits(Number& number, const std::set<Cut>& cuts) {
    if (!number.grid) throw InputError("an input that may be any number cannot occur in a sum with others");
    const auto index_of = [&](const Cut& cut) {
      return small_integer(mpz_class((cut.first - number.lower->first) / number.grid->step));
    };
    const std::int64_t last = index_of(*number.upper) - 1;
    if (last > std::int64_t{1} << 40) throw InputError("an input has too many values for a sum");
    Terms sum;
    for (std::int64_t power = 1; power <= last; power *= 2) {
      number.digits.push_back(rows_.new_variable());
      sum.push_back({power, number.digits.back()});
    }
    if (last + 1 != std::int64_t{1} << sum.size()) rows_.add(negated(sum), -last);
    for (const Cut& cut : cuts) {
      if (number.always(cut) || number.never(cut)) continue;
      Lit literal = number.digits.front();  // if there is only one cut
      if (last > 1) {
        literal = rows_.new_variable();
        rows_.add_unless({sum, index_of(cut)}, ~literal);
        rows_.add_unless({negated(sum), 1 - index_of(cut)}, literal);
      }
      number.cuts.emplace_back(cut, literal);
    }
  }

  // If the cut is decided, a literal of a variable that is always true.
  Lit literal_of(const Number& number, const Cut& cut) {
    for (const auto& [known, literal] : number.cuts) {
      if (known == cut) return literal;
    }
    if (!true_) {
      true_ = rows_.new_variable();
      rows_.add({{1, *true_}}, 1);
    }
    return number.always(cut) ? *true_ : ~*true_;
  }

  // Scores without literals count for the unit only where the unit is one of scores.
  RationalSum rational(const LinearSum& sum, bool of_scores) const {
    RationalSum result;
    result.constant = sum.constant;
    for (const auto& [input, coefficient] : sum.inputs) {
      const Number& number = numbers_[input];
      result.constant += coefficient * number.lower->first;
      for (std::size_t j = 0; j < number.digits.size(); ++j)
        result.terms.push_back({coefficient * number.grid->step * (mpz_class(1) << j), {number.digits[j]}});
    }
    for (const auto& [output, coefficient] : sum.outputs) {
      const ScoreSum& score = scores_[output];
      const auto n = static_cast<long>(score.literals.size());
      result.constant += coefficient * (score.bias - score.scale * n);
      if (n > 0 || of_scores) result.terms.push_back({coefficient * score.scale * 2, score.literals});
    }
    return result;
  }

  SumRow row_of(const LinearCondition& condition) {
    if (is_about_one_input(condition)) {
      const auto [cut, beyond] = cut_of(condition);
      const Lit literal = literal_of(numbers_[condition.sum.inputs.begin()->first], cut);
      return {{{1, beyond ? literal : ~literal}}, 1};
    }
    const auto& outputs = condition.sum.outputs;
    if (condition.sum.inputs.empty() && outputs.size() == 2) {
      std::pair<std::uint32_t, mpq_class> winner = *outputs.begin(), loser = *outputs.rbegin();
      if (winner.second < 0) std::swap(winner, loser);
      if (winner.second > 0 && loser.second < 0)
        return comparison_row({scores_[winner.first], scores_[loser.first], condition.strict, winner.second,
                               -loser.second, -condition.sum.constant});
    }
    const RationalSum sum = rational(condition.sum, condition.sum.inputs.empty());
    const mpq_class unit = sum.unit(), exact = -sum.constant / unit;
    mpz_class bound = ceiling_of(exact);
    if (condition.strict && bound == exact) ++bound;
    const mpz_class beyond_all = mpz_class(1) << 62;
    return {sum.in(unit), small_integer(std::clamp(bound, mpz_class(-beyond_all), beyond_all))};
  }

  void add_property() {
    rows_.add_property<LinearCondition>(property_, property_.root(),
                                        [&](const LinearCondition& condition) { return row_of(condition); });
  }

  void add_objective() {
    if (!query_.minimize) return;
    const RationalSum sum = rational(*query_.minimize, false);
    result_.unit = sum.unit();
    result_.offset = sum.constant;
    rows_.formula.has_objective = true;
    std::map<Lit, std::int64_t> costs;  // of variables: c ~x is c - c x
    for (const auto& [coefficient, literal] : sum.in(result_.unit)) {
      std::int64_t& cost = costs[Lit::positive(literal.var())];
      cost = checked_add(cost, literal.negated() ? checked_negate(coefficient) : coefficient);
      if (literal.negated()) result_.offset += result_.unit * coefficient;
    }
    for (const auto& [variable, cost] : costs) {
      if (cost != 0) rows_.formula.objective.push_back({cost, variable});
    }
  }

  const Network& network_;
  const LinearQuery& query_;
  LinearProperty property_;
  bool limited_ = false;  // a range, by a condition
  std::vector<Number> numbers_;
  std::vector<ScoreSum> scores_;
  std::optional<Lit> true_;
  QuestionRows rows_;
  QuestionFormula result_;
};

}  // namespace

QuestionFormula formula_of(const Network& network, const LinearQuery& query) {
  try {
    return LinearRows(network, query).run();
  } catch (const OverflowError&) {
    throw verification::TooFineError(
        "numbers are too fine: in their common unit a condition does not fit into 64 bits");
  }
}

}  // namespace bnnplan::checking
