// The parser of linear expressions: one pass from left to right that collects exact decimal coefficients per
// bit, then one normalisation that scales them to integers, once and exactly:
//
//   0.5 x - 1.25 ~y' < 3   with x of two bits   ->   50 x.0 + 100 x.1 + 125 y' <= 424
//
// Strict comparisons become non-strict by moving the bound by one, which is exact because all scaled values
// are integers. Everything that could overflow later is refused here.
#include "bnnplan/problem/expression.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include "bnnplan/base/checked.hpp"
#include "bnnplan/base/input_error.hpp"
#include "bnnplan/problem/score_terms.hpp"

namespace bnnplan {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool starts_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c == '@' ||
         static_cast<unsigned char>(c) >= 0x80;
}

bool continues_name(char c) { return starts_name(c) || is_digit(c) || c == '.' || c == ':'; }

// Length of the unquoted name at the start of the text; 0 if there is none.
std::size_t bare_name_length(std::string_view text) {
  if (text.empty() || !starts_name(text.front())) return 0;
  std::size_t i = 1;
  while (i < text.size()) {
    if (continues_name(text[i])) {
      ++i;
    } else if (text[i] == '-' && i + 1 < text.size() && continues_name(text[i + 1])) {
      i += 2;
    } else if (text[i] == '[') {
      const auto close = text.find(']', i);
      if (close == std::string_view::npos) break;
      i = close + 1;
    } else {
      break;
    }
  }
  return i;
}

// A sum being parsed: exact decimals. Scores are rational numbers, kept separately as integers times 1 /
// score_factor until the end.
struct DecimalSum {
  std::map<Bit, Decimal> coefficients, score_coefficients;
  Decimal constant, score_constant;
  std::int64_t score_factor = 0;  // 0: no score

  // Multiplies everything by the factor of the scores, which is positive, and adds them.
  void add_scores() {
    if (score_factor == 0) return;
    const Decimal factor = make_decimal(score_factor, 0);
    for (auto& [bit, coefficient] : coefficients) coefficient = coefficient * factor;
    for (const auto& [bit, coefficient] : score_coefficients) {
      Decimal& total = coefficients[bit];
      total = total + coefficient;
    }
    constant = constant * factor + score_constant;
  }
};

class ExpressionParser {
 public:
  ExpressionParser(std::string_view text, const Problem& problem, const NameTable& names, Scope scope)
      : text_(text), problem_(problem), names_(names), scope_(scope) {}

  // Adds the sum at the cursor to `sum`, negated if `negate`.
  void parse_sum(DecimalSum& sum, bool negate) {
    bool minus = negate;
    skip_blanks();
    if (at('+') || at('-')) minus = (text_[cursor_++] == '-') != negate;
    parse_term(sum, minus);
    for (skip_blanks(); at('+') || at('-'); skip_blanks()) {
      minus = (text_[cursor_++] == '-') != negate;
      parse_term(sum, minus);
    }
  }

  std::string_view parse_comparison() {
    skip_blanks();
    for (const std::string_view op : {"<=", ">=", "==", "<", ">", "="}) {
      if (text_.substr(cursor_, op.size()) == op) {
        cursor_ += op.size();
        return op;
      }
    }
    fail(cursor_, fmt::format("{}, expected + - or one of <= >= == < >", found()));
  }

  void expect_end() {
    skip_blanks();
    if (cursor_ < text_.size()) fail(cursor_, fmt::format("{}, expected + - or the end", found()));
  }

  [[noreturn]] void fail(std::size_t position, const std::string& message) const {
    throw ExpressionError(position, message);
  }

 private:
  bool at(char c) const { return cursor_ < text_.size() && text_[cursor_] == c; }

  void skip_blanks() {
    while (cursor_ < text_.size() && (text_[cursor_] == ' ' || text_[cursor_] == '\t' ||
                                      text_[cursor_] == '\n' || text_[cursor_] == '\r')) {
      ++cursor_;
    }
  }

  std::string found() const {
    if (cursor_ >= text_.size()) return "the expression ends";
    std::size_t length = std::max<std::size_t>(bare_name_length(text_.substr(cursor_)), 1);
    while (static_cast<unsigned char>(text_[cursor_]) >= 0x80 && cursor_ + length < text_.size() &&
           (static_cast<unsigned char>(text_[cursor_ + length]) & 0xc0) == 0x80) {
      ++length;
    }
    return fmt::format("found '{}'", printable(text_.substr(cursor_, length)));
  }

  void parse_term(DecimalSum& sum, bool minus) {
    skip_blanks();
    Decimal coefficient = make_decimal(1, 0);
    if (cursor_ < text_.size() && (is_digit(text_[cursor_]) || at('.'))) {
      coefficient = parse_number();
      skip_blanks();
      if (at('*')) {
        ++cursor_;
        skip_blanks();
      } else if (!at_atom()) {
        sum.constant = sum.constant + (minus ? -coefficient : coefficient);
        return;
      }
    }
    if (minus) coefficient = -coefficient;
    parse_atom(sum, coefficient);
  }

  bool at_atom() const {
    return cursor_ < text_.size() &&
           (at('~') || at('!') || at('"') || at('`') || starts_name(text_[cursor_]));
  }

  Decimal parse_number() {
    std::size_t end = cursor_;
    while (end < text_.size() && (is_digit(text_[end]) || text_[end] == '.')) ++end;
    // 2e3, but not the name in 2 e or 2e.
    if (end < text_.size() && (text_[end] == 'e' || text_[end] == 'E')) {
      std::size_t digits = end + 1;
      if (digits < text_.size() && (text_[digits] == '+' || text_[digits] == '-')) ++digits;
      if (digits < text_.size() && is_digit(text_[digits])) {
        for (end = digits; end < text_.size() && is_digit(text_[end]);) ++end;
      }
    }
    const std::string_view number = text_.substr(cursor_, end - cursor_);
    const auto value = parse_decimal(number);
    if (!value) fail(cursor_, fmt::format("bad number '{}'", printable(number)));
    cursor_ = end;
    return *value;
  }

  void parse_atom(DecimalSum& sum, const Decimal& coefficient) {
    const bool negated = at('~') || at('!');
    if (negated) {
      ++cursor_;
      skip_blanks();
    }
    const std::size_t start = cursor_;
    std::string_view name = parse_name();
    bool next = false;
    if (at('\'')) {
      ++cursor_;
      next = true;
    }
    if (const auto of_class = class_of_score(problem_, name); of_class && !names_.find(name)) {
      if (negated) fail(start, fmt::format("'~{}' negates a score, expected a single bit", printable(name)));
      if (next)
        fail(start,
             fmt::format("'{}'' is not a state variable: only those have a next value", printable(name)));
      return add_score(sum, coefficient, *of_class, start, name);
    }
    const NamedBits bits = resolve(start, name, next);
    const Place place = next ? Place::next : bits.place;
    const Variable& variable = variables_at(problem_, place).variables[bits.variable];
    const std::uint32_t first = variables_at(problem_, place).first_bit[bits.variable];
    const bool whole = bits.count > 1 || (!variable.boolean && variable.name == name);
    if (negated && whole)
      fail(start, fmt::format("'~{}' negates an integer, expected a single bit", printable(name)));
    for (std::uint32_t b = bits.first; b < bits.first + bits.count; ++b) {
      const Decimal weight = whole ? bit_weight(variable, static_cast<int>(b - first)) : make_decimal(1, 0);
      const Decimal added = coefficient * weight;
      Decimal& total = sum.coefficients[{place, b}];
      total = total + (negated ? -added : added);
      if (negated) sum.constant = sum.constant + added;
    }
  }

  void add_score(DecimalSum& sum, const Decimal& coefficient, std::size_t of_class, std::size_t start,
                 std::string_view name) const {
    if (scope_ == Scope::goal || scope_ == Scope::reward) {
      fail(start,
           fmt::format(
               "'{}' in the {}: a score depends on state and action together, and belongs in constraints",
               printable(name), scope_ == Scope::goal ? "goal" : "reward"));
    }
    const ScoreSum score = score_sum(problem_, of_class);
    for (const Term& term : score.terms) {
      Decimal& total = sum.score_coefficients[term.bit];
      total = total + coefficient * make_decimal(term.coefficient, 0);
    }
    sum.score_constant = sum.score_constant + coefficient * make_decimal(score.constant, 0);
    sum.score_factor = score.factor;
  }

  std::string_view parse_name() {
    if (at('"') || at('`')) {
      const char quote = text_[cursor_];
      const auto close = text_.find(quote, cursor_ + 1);
      if (close == std::string_view::npos) fail(cursor_, fmt::format("no closing {} for this name", quote));
      const std::string_view name = text_.substr(cursor_ + 1, close - cursor_ - 1);
      cursor_ = close + 1;
      return name;
    }
    const std::size_t length = bare_name_length(text_.substr(cursor_));
    if (length == 0) fail(cursor_, fmt::format("{}, expected a number or a name", found()));
    const std::string_view name = text_.substr(cursor_, length);
    if (cursor_ + length < text_.size() && text_[cursor_ + length] == '[') {
      fail(cursor_ + length, "no closing ] for this name");
    }
    cursor_ += length;
    return name;
  }

  NamedBits resolve(std::size_t start, std::string_view name, bool next) const {
    const auto bits = names_.find(name);
    if (!bits) {
      std::string hint = names_.suggestion(name);
      if (hint.empty() && name.find('-') != std::string_view::npos)
        hint = " (a minus needs blanks around it)";
      fail(start, fmt::format("unknown variable '{}'{}", printable(name), hint));
    }
    const std::string shown = printable(name);
    if (next && bits->place != Place::state) {
      fail(start, fmt::format("'{}'' is not a state variable: only those have a next value", shown));
    }
    switch (scope_) {
      case Scope::step:
        if (next)
          fail(start,
               fmt::format("'{}'' in a constraint: next-state variables belong in transitions", shown));
        break;
      case Scope::transition:
        break;
      case Scope::goal:
        if (next || bits->place != Place::state) {
          fail(start, fmt::format("'{}{}' in the goal, expected state variables only, without '", shown,
                                  next ? "'" : ""));
        }
        break;
      case Scope::reward:
        if (bits->place == Place::state && !next) {
          fail(start, fmt::format("'{}' in the reward: it is over actions and the next state, write '{}''",
                                  shown, shown));
        }
        if (bits->place == Place::auxiliary) {
          fail(start,
               fmt::format("auxiliary variable '{}' in the reward, expected actions and next-state variables",
                           shown));
        }
        break;
    }
    return *bits;
  }

  std::string_view text_;
  const Problem& problem_;
  const NameTable& names_;
  Scope scope_;
  std::size_t cursor_ = 0;
};

int decimals_needed(const DecimalSum& sum) {
  int decimals = std::max(0, -sum.constant.exponent);
  for (const auto& [bit, coefficient] : sum.coefficients)
    decimals = std::max(decimals, -coefficient.exponent);
  return decimals;
}

std::vector<Term> integer_terms(const DecimalSum& sum, int decimals) {
  std::vector<Term> terms;
  for (const auto& [bit, coefficient] : sum.coefficients) {
    if (coefficient.digits != 0) terms.push_back({scaled(coefficient, decimals), bit});
  }
  return terms;
}

// Throws OverflowError unless the magnitudes and the constant add up to less than 2^62.
void check_magnitudes(const std::vector<Term>& terms, std::int64_t constant) {
  std::int64_t total = checked_magnitude(constant);
  for (const Term& term : terms) total = checked_add(total, checked_magnitude(term.coefficient));
  checked_multiply(total, 2);
}

// Runs a parse; a number that is too large anywhere is an error of the whole expression.
template <class Parse>
auto refusing_overflow(Parse parse) {
  try {
    return parse();
  } catch (const OverflowError&) {
    throw ExpressionError(0, "a coefficient or a sum of them is too large: it does not fit into 62 bits");
  }
}

}  // namespace

LinearConstraint parse_constraint(std::string_view text, const Problem& problem, const NameTable& names,
                                  Scope scope) {
  return refusing_overflow([&] {
    ExpressionParser parser(text, problem, names, scope);
    DecimalSum sum;
    parser.parse_sum(sum, false);
    const std::string_view op = parser.parse_comparison();
    parser.parse_sum(sum, true);
    parser.expect_end();
    sum.add_scores();

    const int decimals = decimals_needed(sum);
    LinearConstraint constraint;
    constraint.terms = integer_terms(sum, decimals);
    constraint.bound = checked_negate(scaled(sum.constant, decimals));
    constraint.text = text;
    if (op == "<=" || op == "<") {
      constraint.comparison = Comparison::at_most;
      if (op == "<") constraint.bound = checked_add(constraint.bound, -1);
    } else if (op == ">=" || op == ">") {
      constraint.comparison = Comparison::at_least;
      if (op == ">") constraint.bound = checked_add(constraint.bound, 1);
    } else {
      constraint.comparison = Comparison::equal;
    }
    check_magnitudes(constraint.terms, constraint.bound);
    return constraint;
  });
}

Objective parse_objective(std::string_view text, bool maximize, const Problem& problem,
                          const NameTable& names) {
  return refusing_overflow([&] {
    ExpressionParser parser(text, problem, names, Scope::reward);
    DecimalSum sum;
    parser.parse_sum(sum, maximize);
    parser.expect_end();
    Objective objective;
    objective.decimals = decimals_needed(sum);
    checked_power_of_ten(objective.decimals);  // the scale stated in every written file
    objective.terms = integer_terms(sum, objective.decimals);
    objective.constant = scaled(sum.constant, objective.decimals);
    objective.maximize = maximize;
    objective.text = text;
    check_magnitudes(objective.terms, objective.constant);
    return objective;
  });
}

std::string name_in_expression(std::string_view name) {
  if (bare_name_length(name) == name.size()) return std::string(name);
  const char quote = name.find('`') == std::string_view::npos ? '`' : '"';
  return fmt::format("{}{}{}", quote, name, quote);
}

}  // namespace bnnplan
