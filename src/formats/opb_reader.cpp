// Reads OPB, word by word:
//
//   * comment
//   min: +1 x1 +2 x3 ;
//   +1 x1 +1 x2 -2 ~x3 >= 0 ;      or = or <=
//
// Strict: x7 is a variable, x07 and x+7 are not, and a comment is a whole line.
#include "bnnplan/formats/opb_reader.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "bnnplan/base/checked.hpp"

namespace bnnplan::formats {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }
bool is_comparison(std::string_view word) { return word == ">=" || word == "=" || word == "<="; }

bool are_digits(std::string_view word) {
  return !word.empty() && std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

class OpbReader {
 public:
  OpbReader(std::string_view text, const std::string& name)
      : text_(text), name_(name), last_variable_(1'000'000 + static_cast<std::int64_t>(text.size())) {}

  model::PbFormula read() {
    try {
      while (!(word_ = next()).empty()) read_part();
    } catch (const OverflowError& error) {
      throw UnsupportedFormula(name_, line_, error.what());
    }
    return std::move(formula_);
  }

 private:
  [[noreturn]] void fail(std::string_view message) const { throw InputError(name_, line_, message); }
  [[noreturn]] void fail_unsupported(std::string_view message) const {
    throw UnsupportedFormula(name_, line_, message);
  }

  std::string_view next() {
    for (bool line_begins = at_ == 0; at_ < text_.size(); ++at_) {
      if (text_[at_] == '*' && line_begins) at_ = std::min(text_.find('\n', at_), text_.size());
      if (at_ == text_.size() || !is_blank(text_[at_])) break;
      if (text_[at_] != '\n') continue;
      line_begins = true;
      ++line_;
    }
    const std::size_t start = at_;
    if (at_ < text_.size() && text_[at_] == ';') {
      ++at_;
    } else {
      while (at_ < text_.size() && text_[at_] != ';' && !is_blank(text_[at_])) ++at_;
    }
    return text_.substr(start, at_ - start);
  }

  void read_part() {
    if (word_ == "max:") fail("'max:', expected 'min:' with all coefficients negated");
    if (word_ == "soft:" || word_.starts_with('['))
      fail_unsupported("soft constraints, expected hard ones and an objective");
    if (word_ != "min:") return read_constraint();
    if (formula_.has_objective || !formula_.constraints.empty())
      fail("misplaced 'min:', expected it once, before all constraints");
    formula_.has_objective = true;
    word_ = next();
    formula_.objective = read_terms();
    if (word_ != ";") fail(fmt::format("'{}' in the objective, expected a term or ';'", printable(word_)));
  }

  void read_constraint() {
    const std::vector<WeightedLit> terms = read_terms();
    const std::string_view comparison = word_;
    if (!is_comparison(word_)) fail(fmt::format("'{}', expected '>=', '=' or '<='", printable(word_)));
    const std::int64_t bound = number(next());
    if (next() != ";") fail("unterminated constraint, expected ';'");
    if (comparison != "<=") formula_.add(terms, bound);
    if (comparison != ">=") formula_.add(model::negated(terms), checked_negate(bound));
  }

  // From the current word on; the first word that is not part of a term is the current one afterwards.
  std::vector<WeightedLit> read_terms() {
    std::vector<WeightedLit> terms;
    for (; !word_.empty() && word_ != ";" && !is_comparison(word_); word_ = next()) {
      if (!terms.empty() && literal_in(word_))
        fail_unsupported("a product of variables, expected one variable in each term");
      const std::int64_t coefficient = number(word_);
      const std::string_view name = next();
      const std::optional<Lit> literal = literal_in(name);
      if (!literal) fail(fmt::format("'{}', expected a variable x1, x2, ...", printable(name)));
      const std::uint32_t index = literal->var().index + 1;
      // Every variable up to the largest takes memory, so there may not be many more of them than the file
      // can name.
      if (index > last_variable_)
        fail(fmt::format("variable 'x{}' in a file of {} bytes, expected at most x{}", index, text_.size(),
                         last_variable_));
      formula_.variables = std::max(formula_.variables, index);
      terms.push_back({coefficient, *literal});
    }
    return terms;
  }

  std::int64_t number(std::string_view word) const {
    const std::string_view text = word.substr(word.starts_with('+') ? 1 : 0);
    const bool is_negative = text.starts_with('-') && !word.starts_with('+');
    if (!are_digits(text.substr(is_negative ? 1 : 0)))
      fail(fmt::format("'{}', expected a whole number", printable(word)));
    std::int64_t value = 0;
    if (std::from_chars(text.data(), text.data() + text.size(), value).ec != std::errc())
      throw OverflowError();
    return value;
  }

  static std::optional<Lit> literal_in(std::string_view word) {
    const bool negated = word.starts_with('~');
    if (negated) word.remove_prefix(1);
    if (!word.starts_with('x') || word.starts_with("x0") || word.size() > 11) return std::nullopt;
    if (!are_digits(word.substr(1))) return std::nullopt;
    std::int64_t index = 0;
    std::from_chars(word.data() + 1, word.data() + word.size(), index);
    if (index > std::int64_t{1} << 30) return std::nullopt;
    return Lit::of({static_cast<std::uint32_t>(index - 1)}, negated);
  }

  std::string_view text_;
  const std::string& name_;
  std::int64_t last_variable_;
  std::size_t at_ = 0, line_ = 1;
  std::string_view word_;
  model::PbFormula formula_;
};

}  // namespace

model::PbFormula parse_opb(std::string_view text, const std::string& name) {
  return OpbReader(text, name).read();
}

}  // namespace bnnplan::formats
