// Checking proofs. A proof is a list of lines (1.2) or of statements ended by ';' (3.0); see docs/proofs.md
// for the rules. Nothing is taken on trust: each clause is derived again by unit propagation, each solution
// is evaluated in every constraint, and the numbers of the conclusion are compared.
//
// Why a contradiction proves what is claimed. New variables (red) are functions of those before them, so a
// solution of the formula determines them. At every moment each constraint, even a deleted one, holds for all
// solutions of the formula that are better than the best solution shown so far (if any was shown by o or
// soli):
//   - rup and pol add consequences of constraints for which this is true.
//   - red adds the two halves of a definition, of a variable that has not occurred before
//     (definition.cpp). They define it as a function of the others, and state nothing about the others.
//   - A solution is accepted only if it is better than all before it. So "better than the best" only ever
//     gets stronger, and what followed from the weaker one still holds. It is never deleted: otherwise a
//     worse solution could come after it, while what was derived from it is still there.
//   - Deletion does not affect this. The formula itself is never deleted, so every solution is one of
//     the formula.
// A constraint that nothing satisfies then shows that no solution is better than the best, or that there is
// none. After solutions that were excluded (v) it shows neither, and is refused.
#include "bnnplan/check/proof_check.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "bnnplan/base/checked.hpp"
#include "bnnplan/base/input_error.hpp"
#include "bnnplan/check/cutting_planes.hpp"
#include "bnnplan/check/definition.hpp"
#include "bnnplan/check/pb_words.hpp"
#include "bnnplan/check/proof_statements.hpp"
#include "bnnplan/check/unit_propagator.hpp"

namespace bnnplan::checking {

namespace {

constexpr std::uint32_t deleted = 0xffffffff;

class ProofChecker {
 public:
  ProofChecker(const PbFormula& formula, std::string_view proof)
      : formula_(formula),
        reader_(proof, formula.variables),
        propagator_(formula.variables),
        known_(formula.variables, true),
        largest_variable_(formula.variables + most_gaps + static_cast<std::int64_t>(proof.size())) {
    for (const PbConstraint& constraint : formula.constraints) add(constraint, Origin::formula);
  }

  ProofCheck run(LimitWatch* watch) {
    try {
      read_header();
      while (reader_.next(statement_)) {
        if (watch != nullptr) watch->check();
        if (ended_) fail("more lines after the end");
        step();
      }
      if (!by_lines_ && !ended_) fail("the proof stops without 'end pseudo-Boolean proof'");
      if (first_half_) fail("the proof stops after half of a definition");
      if (by_lines_ && !concluded_ && excluded_ > 0) result_.claim = ProofCheck::Claim::satisfiable;
      if (result_.claim == ProofCheck::Claim::nothing) fail("the proof ends without a result");
      result_.accepted = true;
    } catch (const ProofRefusal& refusal) {
      result_.refusal = refusal.what();
    } catch (const OverflowError& error) {
      result_.refusal = fmt::format("line {}: {}", statement_.line, error.what());
    }
    return result_;
  }

 private:
  enum class Origin : std::uint8_t { formula, derived, solution };
  // Every variable up to the largest takes memory, so there may not be many more of them than the proof can
  // name.
  static constexpr std::int64_t most_gaps = 1'000'000;
  static constexpr std::size_t most_on_stack = 1000;  // these take memory as well

  [[noreturn]] void fail(const std::string& message) const {
    throw ProofRefusal(fmt::format("line {}: {}", statement_.line, message));
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
    if (rule == "red") return define();
    if (first_half_) fail("expected the other half of a definition");
    if (rule == "rup") return derive();
    if (rule == "pol") return combine();
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

  // Accepts variables of the formula, variables defined before, and the one that is being defined.
  Lit literal(std::string_view text, std::optional<Var> defined = std::nullopt) const {
    const std::optional<Lit> literal = literal_of(text, most_variables);
    if (!literal) fail(fmt::format("'{}', expected a literal such as x1 or ~x1", printable(text)));
    const Var variable = literal->var();
    if (variable != defined && (variable.index >= known_.size() || !known_[variable.index]))
      fail(
          fmt::format("variable '{}' is not in the formula", printable(text.substr(text[0] == '~' ? 1 : 0))));
    return *literal;
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

  // Parses the words from 1 up to `end`: terms, '>=', a number.
  PbConstraint constraint_until(std::size_t end, std::optional<Var> defined = std::nullopt) const {
    if (end < 3 || word(end - 2) != ">=") fail(fmt::format("expected '{}', terms, '>=', a number", word(0)));
    if ((end - 3) % 2 != 0) fail("expected pairs of a coefficient and a literal");
    std::vector<PbConstraint::Term> terms;
    for (std::size_t i = 1; i + 2 < end; i += 2)
      terms.push_back({number(word(i)), literal(word(i + 1), defined)});
    PbConstraint constraint = normal_constraint(terms, number(word(end - 1)));
    total_of(constraint);  // so that sums of coefficients do not overflow below
    return constraint;
  }

  void derive() {
    std::size_t count = words();
    if (by_lines_) {
      if (word(count - 1) != ";") fail("unterminated constraint, expected ';'");
      --count;
    }
    const PbConstraint constraint = constraint_until(count);
    if (!propagator_.implies(constraint)) fail("the constraint does not follow by unit propagation");
    add(constraint, Origin::derived);
    ++result_.steps;
  }

  // In reverse Polish notation: numbers of constraints and literals (which are at least 0) are pushed onto a
  // stack, and the operations pop them.
  void combine() {
    std::vector<PbConstraint> stack;
    for (std::size_t i = 1; i < words(); ++i) {
      if (stack.size() > most_on_stack) fail(fmt::format("more than {} constraints at once", most_on_stack));
      const std::string_view next = word(i + 1);
      if (word(i) == "+") {
        if (stack.size() < 2) fail("'+' without two constraints before it");
        const PbConstraint last = std::move(stack.back());
        stack.pop_back();
        stack.back() = sum_of(stack.back(), last);
      } else if (word(i) == "s") {
        if (stack.empty()) fail("'s' without a constraint before it");
        stack.back() = saturated(std::move(stack.back()));
      } else if (next == "*" || next == "d") {
        const std::int64_t factor = number(word(i));
        if (factor < 1) fail(fmt::format("'{} {}', expected a number above 0", factor, next));
        if (stack.empty()) fail(fmt::format("'{}' without a constraint before it", next));
        stack.back() = next == "*" ? multiplied(std::move(stack.back()), factor)
                                   : divided_up(std::move(stack.back()), factor);
        ++i;
      } else if (next == "w") {
        const Lit variable = literal(word(i));
        if (variable.negated()) fail("'w' after a negated literal, expected a variable");
        if (stack.empty()) fail("'w' without a constraint before it");
        stack.back() = weakened(std::move(stack.back()), variable.var());
        ++i;
      } else if (whole_number(word(i))) {
        stack.push_back(propagator_.constraint(rows_[place_of_id(word(i))]));
      } else {
        stack.push_back({{{1, literal(word(i))}}, 0});
      }
    }
    if (stack.size() != 1) fail(fmt::format("'pol' leaves {} constraints, expected one", stack.size()));
    add(stack.back(), Origin::derived);
    ++result_.steps;
  }

  // Half of a definition. The other half is the statement before or after it.
  void define() {
    const std::size_t count = words();
    const std::string_view separator = by_lines_ ? ";" : ":";
    if (count < 7 || word(count - 4) != separator || word(count - 2) != "->" ||
        (word(count - 1) != "0" && word(count - 1) != "1"))
      fail(fmt::format("expected 'red', a constraint, '{}', a variable, '->', 0 or 1", separator));
    const std::optional<Lit> name = literal_of(word(count - 3), largest_variable_);
    if (!name || name->negated())
      fail(fmt::format("'{}', expected a variable of at most x{}", printable(word(count - 3)),
                       largest_variable_));
    const Var variable = name->var();
    if (!first_half_ && variable.index < known_.size())
      fail(fmt::format("variable 'x{}' is not new", std::int64_t{variable.index} + 1));
    DefinitionHalf half{variable, word(count - 1) == "1", constraint_until(count - 4, variable)};
    if (const std::string flaw = flaw_of_half(half); !flaw.empty()) fail(flaw);
    if (!first_half_) {
      known_.resize(variable.index + 1, false);
      propagator_.grow(variable.index + 1);
    } else if (const std::string flaw = flaw_of_pair(*first_half_, half); !flaw.empty()) {
      fail(flaw);
    }
    definitions_.emplace(rows_.size(), variable);
    add(half.constraint, Origin::derived);
    ++result_.steps;
    if (first_half_) {
      known_[variable.index] = true;
      first_half_.reset();
    } else {
      first_half_ = std::move(half);
    }
  }

  void erase() {
    if (word(1) != "id" || words() < 3) fail("expected 'del id' and numbers of constraints");
    for (std::size_t i = 2; i < words(); ++i) {
      const std::size_t place = place_of_id(word(i));
      if (origins_[place] == Origin::formula) fail("only derived constraints may be deleted");
      if (origins_[place] == Origin::solution) fail("the constraint of a solution may not be deleted");
      propagator_.remove(rows_[place]);
      rows_[place] = deleted;
      if (const auto definition = definitions_.find(place); definition != definitions_.end()) {
        listed_.resize(known_.size());
        listed_[definition->second.index] = true;
        definitions_.erase(definition);
      }
    }
  }

  void solution(bool improving) {
    if (improving && !formula_.has_objective) fail("the formula has no objective to improve");
    std::vector<Lit> literals;
    for (std::size_t i = 1; i < words(); ++i) literals.push_back(literal(word(i)));
    if (!propagator_.satisfied_by(literals, listed_))
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
    std::vector<PbConstraint::Term> others;  // version 1.2 continues with other solutions
    for (const Lit given : literals) others.push_back({1, ~given});
    add(normal_constraint(others, 1), Origin::solution);
  }

  // Of the solution that the propagator has just checked.
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
    if (!contradictory_[place]) fail(fmt::format("constraint {} is not a contradiction", place + 1));
    if (excluded_ > 0) fail("a contradiction proves nothing after solutions that were only excluded");
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
  std::vector<bool> known_;  // variables that may be used: of the formula, or defined
  std::int64_t largest_variable_;
  std::optional<DefinitionHalf> first_half_;          // waiting for the other half
  std::unordered_map<std::size_t, Var> definitions_;  // halves, by place
  // Variables that have lost half of their definition. Whether their values follow from a solution then
  // depends on how a checker propagates, and VeriPB does not find all of it, so solutions must list them.
  std::vector<bool> listed_;
  std::vector<std::uint32_t> rows_;  // of ids from 1
  std::vector<Origin> origins_;
  std::vector<bool> contradictory_;
  ProofStatement statement_;
  ProofCheck result_;
  bool by_lines_ = true, formula_stated_ = false, outputs_ = false, concluded_ = false, ended_ = false;
  std::uint64_t improved_ = 0, excluded_ = 0;
};

}  // namespace

ProofCheck check_proof(const PbFormula& formula, std::string_view proof, LimitWatch* watch) {
  return ProofChecker(formula, proof).run(watch);
}

}  // namespace bnnplan::checking
