// Checking proofs. A proof is a list of lines (1.2) or of statements ended by ';' (3.0); see docs/proofs.md
// for the rules. What is accepted is what is right, not what looks right: each clause is derived again by
// unit propagation, each solution is evaluated in every constraint, the numbers of the conclusion are
// compared.
//
// Why a contradiction proves what is claimed. At every moment each constraint, also a deleted one, holds for
// all solutions of the formula that are better than the best solution shown so far (if any was shown by o or
// soli):
//   - rup adds what follows from constraints of which this is true.
//   - A solution is let in only if it is better than all before it. So "better than the best" only ever gets
//     stronger, and what followed from the weaker one still holds. It is never deleted: otherwise a worse
//     solution could come after it, while what was derived from it is still there.
//   - Deleting takes nothing away from this. The formula itself is never deleted, so every solution is one of
//     the formula.
// A constraint that nothing satisfies then says that no solution is better than the best, or that there is
// none. After solutions that were excluded (v) it says neither, and is refused.
#include "check/proof_check.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>

#include "base/checked.hpp"
#include "base/input_error.hpp"
#include "check/pb_words.hpp"
#include "check/unit_propagator.hpp"

namespace bnnplan {

namespace {

constexpr std::uint32_t deleted = 0xffffffff;

struct Refusal : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Statement {
  std::vector<std::string_view> words;
  std::size_t line = 1;
};

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

// Cuts a proof into statements.
class StatementReader {
 public:
  // A statement names each variable once, if it makes sense; numbers of constraints to delete are given in
  // portions.
  StatementReader(std::string_view text, std::uint32_t variables)
      : rest_(text), most_words_(1'000'000 + std::size_t{4} * variables) {}

  bool by_lines = true;  // version 1.2; otherwise a statement ends with ';'

  // False at the end. Of a statement the final ';' is left out.
  bool next(Statement& statement) {
    statement.words.clear();
    while (!rest_.empty()) {
      const char c = rest_[0];
      if (c == '\n') {
        ++line_;
        rest_.remove_prefix(1);
        if (by_lines && !statement.words.empty()) return true;
      } else if (is_blank(c)) {
        rest_.remove_prefix(1);
      } else if (statement.words.empty() && c == (by_lines ? '*' : '%')) {
        rest_.remove_prefix(std::min(rest_.find('\n'), rest_.size()));
      } else {
        if (statement.words.empty()) statement.line = line_;
        std::size_t length = 0;
        while (length < rest_.size() && rest_[length] != '\n' && !is_blank(rest_[length]) &&
               rest_[length] != ';')
          ++length;
        if (length == 0) length = 1;  // ';'
        if (statement.words.size() == most_words_)
          throw Refusal(
              fmt::format("line {}: a statement of more than {} words", statement.line, most_words_));
        statement.words.push_back(rest_.substr(0, length));
        rest_.remove_prefix(length);
        if (!by_lines && statement.words.back() == ";") {
          statement.words.pop_back();
          return true;
        }
      }
    }
    if (statement.words.empty()) return false;
    if (!by_lines)
      throw Refusal(fmt::format("line {}: a statement without its end, expected ';'", statement.line));
    return true;
  }

 private:
  std::string_view rest_;
  std::size_t most_words_;
  std::size_t line_ = 1;
};

class ProofChecker {
 public:
  ProofChecker(const PbFormula& formula, std::string_view proof)
      : formula_(formula), reader_(proof, formula.variables), propagator_(formula.variables) {
    for (const PbConstraint& constraint : formula.constraints) add(constraint, Origin::formula);
  }

  ProofCheck run() {
    try {
      read_header();
      while (reader_.next(statement_)) {
        if (ended_) fail("more lines after the end");
        step();
      }
      if (!by_lines_ && !ended_) fail("the proof stops without 'end pseudo-Boolean proof'");
      if (by_lines_ && !concluded_ && excluded_ > 0) result_.claim = ProofCheck::Claim::satisfiable;
      if (result_.claim == ProofCheck::Claim::nothing) fail("the proof ends without a result");
      result_.accepted = true;
    } catch (const Refusal& refusal) {
      result_.refusal = refusal.what();
    } catch (const OverflowError& error) {
      result_.refusal = fmt::format("line {}: {}", statement_.line, error.what());
    }
    return result_;
  }

 private:
  enum class Origin : std::uint8_t { formula, derived, solution };

  [[noreturn]] void fail(const std::string& message) const {
    throw Refusal(fmt::format("line {}: {}", statement_.line, message));
  }

  std::string_view word(std::size_t i) const {
    return i < statement_.words.size() ? statement_.words[i] : std::string_view();
  }
  std::size_t words() const { return statement_.words.size(); }

  void read_header() {
    if (!reader_.next(statement_)) fail("an empty proof, expected 'pseudo-Boolean proof version'");
    if (words() != 4 || word(0) != "pseudo-Boolean" || word(1) != "proof" || word(2) != "version")
      fail("expected 'pseudo-Boolean proof version 1.2' or '... 3.0'");
    if (word(3) != "1.2" && word(3) != "3.0")
      fail(fmt::format("proof version '{}', expected 1.2 or 3.0", printable(word(3))));
    by_lines_ = reader_.by_lines = word(3) == "1.2";
  }

  void step() {
    const std::string_view rule = word(0);
    if (concluded_ && rule != "end") fail("more lines after the conclusion");
    if (outputs_ && rule != "conclusion" && rule != "end") fail("expected 'conclusion' after 'output'");
    if (rule == "f") return formula_line();
    if (!formula_stated_) fail("expected 'f' with the number of constraints first");
    if (rule == "rup") return derive();
    if (rule == "del") return erase();
    if (by_lines_) {
      if (rule == "o") return solution(true);
      if (rule == "v") return solution(false);
      if (rule == "c") return contradiction();
    } else {
      if (rule == "soli") return solution(true);
      if (rule == "sol") return solution(false);
      if (rule == "output") return output();
      if (rule == "conclusion") return conclusion();
      if (rule == "end") return end();
    }
    fail(fmt::format("unknown rule '{}'", printable(rule)));
  }

  std::int64_t number(std::string_view text) const {
    const std::optional<std::int64_t> value = whole_number(text);
    if (!value) fail(fmt::format("'{}', expected a whole number", printable(text)));
    return *value;
  }

  Lit literal(std::string_view text) const {
    const std::optional<Lit> known = literal_of(text, formula_.variables);
    if (known) return *known;
    if (literal_of(text, most_variables))
      fail(
          fmt::format("variable '{}' is not in the formula", printable(text.substr(text[0] == '~' ? 1 : 0))));
    fail(fmt::format("'{}', expected a literal such as x1 or ~x1", printable(text)));
  }

  static std::int64_t total_of(const PbConstraint& constraint) {
    std::int64_t total = 0;
    for (const auto& term : constraint.terms) total = checked_add(total, term.coefficient);
    return total;
  }

  void add(const PbConstraint& constraint, Origin origin) {
    origins_.push_back(origin);
    contradictory_.push_back(total_of(constraint) < constraint.bound);
    rows_.push_back(propagator_.add(constraint));
  }

  std::size_t place_of_id(std::string_view text) const {
    const std::int64_t id = number(text);
    if (id < 1 || id > static_cast<std::int64_t>(rows_.size()))
      fail(fmt::format("there is no constraint {}, expected 1 to {}", id, rows_.size()));
    if (rows_[static_cast<std::size_t>(id - 1)] == deleted)
      fail(fmt::format("constraint {} was deleted", id));
    return static_cast<std::size_t>(id - 1);
  }

  void formula_line() {
    if (formula_stated_) fail("a second 'f'");
    formula_stated_ = true;
    if (words() != 2 || number(word(1)) != static_cast<std::int64_t>(formula_.constraints.size()))
      fail(fmt::format("the formula has {} constraints (an equation counts as two), the proof says '{}'",
                       formula_.constraints.size(), printable(word(1))));
  }

  void derive() {
    std::size_t count = words();
    if (by_lines_) {
      if (word(count - 1) != ";") fail("a constraint without its end, expected ';'");
      --count;
    }
    if (count < 3 || word(count - 2) != ">=") fail("expected 'rup', terms, '>=', a number");
    std::vector<PbConstraint::Term> terms;
    if ((count - 3) % 2 != 0) fail("expected pairs of a coefficient and a literal");
    for (std::size_t i = 1; i + 2 < count; i += 2) terms.push_back({number(word(i)), literal(word(i + 1))});
    const PbConstraint constraint = normal_constraint(terms, number(word(count - 1)));
    total_of(constraint);  // sums of coefficients do not overflow below
    if (!propagator_.implies(constraint)) fail("the constraint does not follow by unit propagation");
    add(constraint, Origin::derived);
    ++result_.steps;
  }

  void erase() {
    if (word(1) != "id" || words() < 3) fail("expected 'del id' and numbers of constraints");
    for (std::size_t i = 2; i < words(); ++i) {
      const std::size_t place = place_of_id(word(i));
      if (origins_[place] == Origin::formula) fail("only derived constraints may be deleted");
      if (origins_[place] == Origin::solution) fail("what a solution demands may not be deleted");
      propagator_.remove(rows_[place]);
      rows_[place] = deleted;
    }
  }

  void solution(bool improving) {
    if (improving && !formula_.has_objective) fail("the formula has no objective to improve");
    std::vector<Lit> literals;
    for (std::size_t i = 1; i < words(); ++i) literals.push_back(literal(word(i)));
    if (!propagator_.satisfied_by(literals))
      fail("the solution violates a constraint or leaves something open");
    const std::int64_t value = objective_value();
    if (formula_.has_objective && result_.solutions > 0 && value >= result_.value)
      fail(fmt::format("a solution of value {} after one of value {}, expected a better one", value,
                       result_.value));
    ++result_.solutions;
    result_.value = value;
    if (improving) {
      std::vector<PbConstraint::Term> terms = formula_.objective;
      for (auto& term : terms) term.coefficient = checked_negate(term.coefficient);
      ++improved_;
      add(normal_constraint(terms, checked_add(checked_negate(value), 1)), Origin::solution);
      return;
    }
    ++excluded_;
    if (!by_lines_) return;
    std::vector<PbConstraint::Term> others;  // version 1.2 goes on to other solutions
    for (const Lit given : literals) others.push_back({1, ~given});
    add(normal_constraint(others, 1), Origin::solution);
  }

  // Of the solution that the propagator has just seen.
  std::int64_t objective_value() const {
    std::int64_t value = 0;
    for (const auto& [coefficient, objective_literal] : formula_.objective) {
      const std::int8_t given = propagator_.values()[objective_literal.code];
      if (given == 0) fail("the solution leaves a variable of the objective open");
      if (given > 0) value = checked_add(value, coefficient);
    }
    return value;
  }

  void claim_bound(std::size_t place) {
    if (!contradictory_[place]) fail(fmt::format("constraint {} is no contradiction", place + 1));
    if (excluded_ > 0) fail("a contradiction says nothing after solutions that were only excluded");
    result_.claim = improved_ > 0 ? ProofCheck::Claim::optimal : ProofCheck::Claim::infeasible;
  }

  void contradiction() {
    if (words() != 2) fail("expected 'c' and the number of a constraint");
    claim_bound(place_of_id(word(1)));
    concluded_ = true;
  }

  void output() {
    if (words() != 2 || word(1) != "NONE") fail("expected 'output NONE'");
    outputs_ = true;
  }

  void conclusion() {
    if (!outputs_) fail("expected 'output NONE' before the conclusion");
    concluded_ = true;
    if (word(1) == "NONE" && words() == 2) return;
    if (word(1) == "SAT" && words() == 2) {
      if (result_.solutions == 0) fail("the conclusion SAT without a solution");
      result_.claim = ProofCheck::Claim::satisfiable;
    } else if (word(1) == "UNSAT" && words() == 4 && word(2) == ":") {
      if (result_.solutions > 0) fail("the conclusion UNSAT after a solution");
      claim_bound(place_of_id(word(3)));
    } else if (word(1) == "BOUNDS" && words() == 6 && word(3) == ":") {
      if (improved_ == 0) fail("the conclusion BOUNDS without a solution");
      claim_bound(place_of_id(word(4)));
      if (number(word(2)) != result_.value || number(word(5)) != result_.value)
        fail(fmt::format("bounds {} and {}, but the best solution has the value {}", number(word(2)),
                         number(word(5)), result_.value));
    } else {
      fail("expected 'conclusion' with NONE, SAT, UNSAT : ID, or BOUNDS LOWER : ID UPPER");
    }
  }

  void end() {
    if (!concluded_ || words() != 3 || word(1) != "pseudo-Boolean" || word(2) != "proof")
      fail("expected a conclusion, then 'end pseudo-Boolean proof'");
    ended_ = true;
  }

  const PbFormula& formula_;
  StatementReader reader_;
  UnitPropagator propagator_;
  std::vector<std::uint32_t> rows_;  // of ids from 1
  std::vector<Origin> origins_;
  std::vector<bool> contradictory_;
  Statement statement_;
  ProofCheck result_;
  bool by_lines_ = true, formula_stated_ = false, outputs_ = false, concluded_ = false, ended_ = false;
  std::uint64_t improved_ = 0, excluded_ = 0;
};

}  // namespace

ProofCheck check_proof(const PbFormula& formula, std::string_view proof) {
  return ProofChecker(formula, proof).run();
}

}  // namespace bnnplan
