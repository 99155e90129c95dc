// The formula of a proof, from a WCNF or CNF file: word by word, since in classic files a clause may span
// lines. It shares nothing with the reader in formats/, whose formula the solver works on; a test and a
// fuzzer compare how the two read a file.
#include "bnnplan/check/wcnf_formula.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "bnnplan/base/checked.hpp"
#include "bnnplan/check/pb_words.hpp"

namespace bnnplan::checking {

namespace {

// So that bounds, which are differences of sums, stay within 64 bits.
constexpr std::int64_t largest_sum = std::int64_t{1} << 62;

class WcnfWords {
 public:
  WcnfWords(std::string_view text, const std::string& name) : rest_(text), name_(name) {}

  std::size_t line() const { return line_; }
  [[noreturn]] void fail(const std::string& message) const { throw InputError(name_, line_, message); }
  [[noreturn]] void fail_unsupported(const std::string& message) const {
    throw UnsupportedFormula(name_, line_, message);
  }

  // The next word of this line; empty at its end.
  std::string_view in_line() {
    while (!rest_.empty() && is_blank(rest_.front())) rest_.remove_prefix(1);
    std::size_t length = 0;
    while (length < rest_.size() && rest_[length] != '\n' && !is_blank(rest_[length])) ++length;
    const std::string_view word = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return word;
  }
  // The next word of this or a later line, skipping comments; empty at the end of the file.
  std::string_view in_file() {
    while (true) {
      const std::string_view word = in_line();
      if (word.empty()) {
        if (rest_.empty()) return word;
        rest_.remove_prefix(1);
        ++line_;
      } else if (word.front() == 'c') {
        rest_.remove_prefix(std::min(rest_.find('\n'), rest_.size()));
      } else {
        return word;
      }
    }
  }

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

  std::string_view rest_;
  const std::string& name_;
  std::size_t line_ = 1;
};

// Only digits; nothing for anything else and for numbers that do not fit into 63 bits.
std::optional<std::int64_t> natural_number(std::string_view word) {
  if (word.empty() || !std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; }))
    return std::nullopt;
  return whole_number(word);
}

class WcnfFormulaParser {
 public:
  WcnfFormulaParser(std::string_view text, const std::string& name) : words_(text, name) {}

  WcnfFormula parse() {
    for (std::string_view word = words_.in_file(); !word.empty(); word = words_.in_file()) {
      if (word.front() == 'p') {
        parse_header(word);
      } else {
        parse_clause(word);
      }
    }
    if (announced_clauses_ && clauses_.size() != static_cast<std::size_t>(*announced_clauses_))
      words_.fail(fmt::format("{} clauses, the p line announces {}", clauses_.size(), *announced_clauses_));
    return make_formula();
  }

 private:
  enum class Format { unknown, modern, classic, cnf };
  struct Clause {
    std::vector<Lit> literals;           // sorted, different
    std::optional<std::int64_t> weight;  // hard if there is none
  };

  std::int64_t number(std::string_view word, std::string_view expected) const {
    const auto value = natural_number(word);
    if (!value) words_.fail(fmt::format("'{}', expected {}", printable(word, 40), expected));
    return *value;
  }

  void parse_header(std::string_view word) {
    if (format_ != Format::unknown || word != "p") words_.fail("expected one p line, before all clauses");
    const std::string_view kind = words_.in_line();
    if (kind != "wcnf" && kind != "cnf") words_.fail("expected 'p wcnf' or 'p cnf'");
    format_ = kind == "cnf" ? Format::cnf : Format::classic;
    const std::int64_t variables = number(words_.in_line(), "the number of variables");
    if (variables > most_variables) words_.fail_unsupported("too many variables");
    announced_variables_ = static_cast<std::uint32_t>(variables);
    announced_clauses_ = number(words_.in_line(), "the number of clauses");
    std::string_view last = words_.in_line();
    if (!last.empty() && format_ == Format::classic) {
      // A top beyond 63 bits makes only weights beyond 63 bits hard, and those are unsupported.
      top_ = std::string(last);
      if (!is_number(last) || is_zero(last)) words_.fail("expected the weight of hard clauses, 1 or more");
      last = words_.in_line();
    }
    if (!last.empty()) words_.fail("expected the end of the p line");
  }

  void parse_clause(std::string_view word) {
    if (format_ == Format::unknown) format_ = Format::modern;
    Clause clause;
    const bool marked = format_ == Format::modern && word == "h";
    if (!marked && format_ != Format::cnf) clause.weight = weight_of(word);
    if (format_ == Format::cnf) {
      while (add_literal(clause, word)) word = words_.in_file();
    } else {
      while (add_literal(clause, format_ == Format::modern ? words_.in_line() : words_.in_file())) {
      }
    }
    if (format_ == Format::modern && !words_.in_line().empty())
      words_.fail("expected the end of the line after the 0 that ends a clause");
    std::sort(clause.literals.begin(), clause.literals.end());
    clause.literals.erase(std::unique(clause.literals.begin(), clause.literals.end()), clause.literals.end());
    clauses_.push_back(std::move(clause));
  }

  // Nothing if it is the weight of hard clauses.
  std::optional<std::int64_t> weight_of(std::string_view word) const {
    if (!is_number(word)) words_.fail(fmt::format("'{}', expected a weight", printable(word, 40)));
    if (!top_.empty() && !is_less(word, top_)) return std::nullopt;
    const auto weight = natural_number(word);
    if (!weight || *weight > largest_sum) words_.fail_unsupported("weights of more than 2^62");
    return weight;
  }

  static bool is_number(std::string_view word) {
    return !word.empty() &&
           std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
  }
  static bool is_zero(std::string_view digits) {
    return digits.find_first_not_of('0') == std::string_view::npos;
  }
  // For numbers of any length.
  static bool is_less(std::string_view a, std::string_view b) {
    a.remove_prefix(std::min(a.find_first_not_of('0'), a.size()));
    b.remove_prefix(std::min(b.find_first_not_of('0'), b.size()));
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  }

  bool add_literal(Clause& clause, std::string_view word) {
    const bool negated = word.starts_with('-');
    const std::int64_t variable =
        number(negated ? word.substr(1) : word, "a literal or the 0 that ends the clause");
    if (variable == 0) {
      if (negated) words_.fail("'-0', expected a literal or the 0 that ends the clause");
      return false;
    }
    if (announced_clauses_ && variable > announced_variables_)
      words_.fail(fmt::format("variable {}, the p line announces {}", variable, announced_variables_));
    if (variable > most_variables) words_.fail_unsupported("too many variables");
    clause.literals.push_back(Lit::of({static_cast<std::uint32_t>(variable - 1)}, negated));
    largest_variable_ = std::max(largest_variable_, static_cast<std::uint32_t>(variable));
    return true;
  }

  static bool has_opposites(const std::vector<Lit>& sorted) {
    return std::adjacent_find(sorted.begin(), sorted.end(), [](Lit a, Lit b) { return b == ~a; }) !=
           sorted.end();
  }

  WcnfFormula make_formula() {
    WcnfFormula result;
    result.file_variables = std::max(announced_variables_, largest_variable_);
    PbFormula& formula = result.formula;
    formula.variables = result.file_variables;
    formula.has_objective = true;
    std::map<Lit, std::int64_t> costs;  // of variables
    std::int64_t total = 0;
    const auto add_clause = [&](const std::vector<Lit>& literals) {
      std::vector<PbConstraint::Term> terms;
      for (const Lit literal : literals) terms.push_back({1, literal});
      add_constraint(formula, normal_constraint(terms, 1));
    };
    for (Clause& clause : clauses_) {
      if (!clause.weight) {
        add_clause(clause.literals);
        continue;
      }
      const std::int64_t weight = *clause.weight;
      if (weight > largest_sum - total) words_.fail_unsupported("weights that sum up to more than 2^62");
      total += weight;
      if (weight == 0 || has_opposites(clause.literals)) continue;
      if (clause.literals.empty()) {
        result.offset += weight;
      } else if (clause.literals.size() == 1) {
        const Lit literal = clause.literals.front();
        if (literal.negated()) {
          costs[~literal] += weight;
        } else {  // w ~x is w - w x
          result.offset += weight;
          costs[literal] -= weight;
        }
      } else {
        const Lit paid = Lit::positive({formula.variables++});
        if (formula.variables > most_variables) words_.fail_unsupported("too many variables");
        clause.literals.push_back(paid);
        add_clause(clause.literals);
        costs[paid] = weight;
      }
    }
    for (const auto& [literal, cost] : costs) {
      if (cost != 0) formula.objective.push_back({cost, literal});
    }
    return result;
  }

  WcnfWords words_;
  Format format_ = Format::unknown;
  std::uint32_t announced_variables_ = 0, largest_variable_ = 0;
  std::optional<std::int64_t> announced_clauses_;
  std::string top_;  // digits; empty if there is none
  std::vector<Clause> clauses_;
};

}  // namespace

WcnfFormula parse_wcnf_formula(std::string_view text, const std::string& name) {
  return WcnfFormulaParser(text, name).parse();
}

}  // namespace bnnplan::checking
