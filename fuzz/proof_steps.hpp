#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bnnplan/check/pb_formula.hpp"

namespace bnnplan::fuzz {

using Terms = std::vector<checking::PbConstraint::Term>;

// A small formula as written, row by row.
struct FormulaDraft {
  struct Row {
    Terms terms;
    bool equation = false;
    std::int64_t bound = 0;
  };
  std::optional<Terms> objective;
  std::vector<Row> rows;

  std::size_t constraints() const;  // an equation counts as two
};

// What a step of a proof refers to: a constraint of the formula (its index from 0), what an earlier step
// added, or just a number, which may be anything.
struct Target {
  enum class Kind : std::uint8_t { formula, step, number } kind = Kind::number;
  std::int64_t index = 0;
};

// A word of a sum, in reverse Polish notation.
struct SumWord {
  enum class Kind : std::uint8_t { constraint, literal, add, multiply, divide, saturate, weaken } kind;
  Target target;            // constraint
  Lit literal;              // literal, weaken
  std::int64_t number = 0;  // multiply, divide
};

struct ProofStep {
  enum class Kind : std::uint8_t {
    derive,   // terms >= bound, by unit propagation
    combine,  // a sum
    define,   // terms >= bound, half of a definition of literals[0], which makes it true
    erase,    // targets
    improve,  // a solution, given by literals; what follows is better
    show      // a solution, given by literals
  } kind = Kind::derive;
  Terms terms;
  std::int64_t bound = 0;
  std::vector<Lit> literals;
  std::vector<Target> targets;
  std::vector<SumWord> sum;
};

struct ProofEnd {
  enum class Kind : std::uint8_t {
    open,
    contradiction,
    unsatisfiable,
    bounds,
    satisfiable
  } kind = Kind::open;
  Target target;
  std::int64_t lower = 0, upper = 0;
};

// A proof as steps that refer to each other, so that one can be removed and the numbers of the others adjust.
struct ProofDraft {
  FormulaDraft formula;
  bool by_lines = true;  // version 1.2; otherwise 3.0
  std::vector<ProofStep> steps;
  ProofEnd end;
};

std::string opb_text(const FormulaDraft& formula);
std::string proof_text(const ProofDraft& draft);

// Removes a step, or a row of the formula, and everything that refers to it.
ProofDraft without_step(const ProofDraft& draft, std::size_t step);
ProofDraft without_row(const ProofDraft& draft, std::size_t row);

}  // namespace bnnplan::fuzz
