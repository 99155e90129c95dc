// The formula of a proof, from an OPB file:
//
//   * comment
//   min: +1 x1 +2 x3 ;
//   +1 x1 +1 x2 -2 ~x3 >= 0 ;      or = or <=
#include "bnnplan/check/pb_formula.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "bnnplan/base/checked.hpp"
#include "bnnplan/base/input_error.hpp"
#include "bnnplan/check/pb_words.hpp"

namespace bnnplan::checking {

PbConstraint normal_constraint(const std::vector<PbConstraint::Term>& terms, std::int64_t bound) {
  std::vector<PbConstraint::Term> over_variables;
  for (const auto& [coefficient, literal] : terms) {
    if (literal.negated()) {  // a ~x is a - a x
      bound = checked_add(bound, checked_negate(coefficient));
      over_variables.push_back({checked_negate(coefficient), ~literal});
    } else {
      over_variables.push_back({coefficient, literal});
    }
  }
  std::stable_sort(over_variables.begin(), over_variables.end(),
                   [](const auto& a, const auto& b) { return a.literal < b.literal; });
  PbConstraint normal;
  for (std::size_t i = 0; i < over_variables.size();) {
    const Lit literal = over_variables[i].literal;
    std::int64_t sum = 0;
    for (; i < over_variables.size() && over_variables[i].literal == literal; ++i)
      sum = checked_add(sum, over_variables[i].coefficient);
    if (sum > 0) normal.terms.push_back({sum, literal});
    if (sum < 0) {
      normal.terms.push_back({checked_negate(sum), ~literal});
      bound = checked_add(bound, checked_negate(sum));
    }
  }
  normal.bound = bound;
  return normal;
}

std::vector<PbConstraint::Term> negated(std::vector<PbConstraint::Term> terms) {
  for (PbConstraint::Term& term : terms) term.coefficient = checked_negate(term.coefficient);
  return terms;
}

void add_constraint(PbFormula& formula, PbConstraint constraint) {
  // The checker adds up the coefficients and subtracts the bound.
  std::int64_t sum = checked_negate(constraint.bound);
  for (const PbConstraint::Term& term : constraint.terms) sum = checked_add(sum, term.coefficient);
  checked_add(sum, constraint.bound);
  formula.constraints.push_back(std::move(constraint));
}

namespace {

class OpbParser {
 public:
  OpbParser(std::string_view text, const std::string& name)
      : rest_(text), name_(name), largest_variable_(most_gaps + static_cast<std::int64_t>(text.size())) {}

  PbFormula parse() {
    try {
      parse_all();
    } catch (const OverflowError& error) {
      throw UnsupportedFormula(name_, line_, error.what());
    }
    return std::move(formula_);
  }

 private:
  // Every variable up to the largest takes memory, so there may not be many more of them than the file can
  // name.
  static constexpr std::int64_t most_gaps = 1'000'000;

  void parse_all() {
    for (std::string_view word = next(); !word.empty(); word = next()) {
      if (word == "min:") {
        if (formula_.has_objective || !formula_.constraints.empty())
          fail("misplaced 'min:', expected it once, before all constraints");
        formula_.has_objective = true;
        word = next();
        auto terms = parse_terms(word);
        if (word != ";") fail(fmt::format("'{}' in the objective, expected a term or ';'", printable(word)));
        formula_.objective = std::move(terms);
      } else {
        refuse_other_sections(word);
        parse_constraint(word);
      }
    }
  }

  void refuse_other_sections(std::string_view word) const {
    if (word == "max:") fail("'max:', expected 'min:' with all coefficients negated");
    if (word == "soft:" || word.starts_with('['))
      throw UnsupportedFormula(name_, line_, "soft constraints, expected hard ones and an objective");
  }

  [[noreturn]] void fail(const std::string& message) const { throw InputError(name_, line_, message); }

  // The next word, skipping comments, which are lines that begin with '*'; empty at the end.
  std::string_view next() {
    while (!rest_.empty()) {
      if (rest_[0] == '*' && line_begins_) {
        skip(std::min(rest_.find('\n'), rest_.size()));
      } else if (rest_[0] == ' ' || rest_[0] == '\n' || rest_[0] == '\r' || rest_[0] == '\t') {
        if (rest_[0] == '\n') line_begins_ = true;
        skip(1);
      } else {
        break;
      }
    }
    line_begins_ = false;
    std::size_t length = 0;
    if (!rest_.empty() && rest_[0] == ';') {
      length = 1;
    } else {
      while (length < rest_.size() && rest_[length] != ' ' && rest_[length] != '\n' &&
             rest_[length] != '\r' && rest_[length] != '\t' && rest_[length] != ';')
        ++length;
    }
    const std::string_view word = rest_.substr(0, length);
    skip(length);
    return word;
  }

  void skip(std::size_t length) {
    line_ +=
        static_cast<std::size_t>(std::count(rest_.begin(), rest_.begin() + static_cast<long>(length), '\n'));
    rest_.remove_prefix(length);
  }

  std::int64_t number(std::string_view word) const {
    const std::optional<std::int64_t> value = whole_number(word);
    const std::size_t digits = word.find_first_not_of("+-");
    if (!value && digits <= 1 && word.find_first_not_of("0123456789", digits) == word.npos)
      throw OverflowError();
    if (!value) fail(fmt::format("'{}', expected a whole number", printable(word)));
    return *value;
  }

  Lit literal(std::string_view word) {
    const std::optional<Lit> literal = literal_of(word, most_variables);
    if (!literal) fail(fmt::format("'{}', expected a variable x1, x2, ...", printable(word)));
    const std::int64_t index = std::int64_t{literal->var().index} + 1;
    if (index > largest_variable_) {
      fail(fmt::format("variable 'x{}' in a file of {} bytes, expected at most x{}", index,
                       largest_variable_ - most_gaps, largest_variable_));
    }
    formula_.variables = std::max(formula_.variables, literal->var().index + 1);
    return *literal;
  }

  // Parses terms from `word` on; leaves the first word that is not part of a term in it.
  std::vector<PbConstraint::Term> parse_terms(std::string_view& word) {
    std::vector<PbConstraint::Term> terms;
    for (; !word.empty() && word != ";" && word != ">=" && word != "=" && word != "<="; word = next()) {
      if (!terms.empty() && literal_of(word, most_variables))
        throw UnsupportedFormula(name_, line_, "a product of variables, expected one variable in each term");
      const std::int64_t coefficient = number(word);
      terms.push_back({coefficient, literal(next())});
    }
    return terms;
  }

  void parse_constraint(std::string_view word) {
    const auto terms = parse_terms(word);
    if (word != ">=" && word != "=" && word != "<=")
      fail(fmt::format("'{}', expected '>=', '=' or '<='", printable(word)));
    const std::string_view comparison = word;
    const std::int64_t bound = number(next());
    if (next() != ";") fail("unterminated constraint, expected ';'");
    if (comparison != "<=") add_constraint(formula_, normal_constraint(terms, bound));
    if (comparison != ">=")
      add_constraint(formula_, normal_constraint(negated(terms), checked_negate(bound)));
  }

  std::string_view rest_;
  const std::string& name_;
  std::int64_t largest_variable_;
  std::size_t line_ = 1;
  bool line_begins_ = true;  // only blanks so far
  PbFormula formula_;
};

}  // namespace

PbFormula parse_opb(std::string_view text, const std::string& name) { return OpbParser(text, name).parse(); }

}  // namespace bnnplan::checking
