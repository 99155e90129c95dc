// Proofs as data: constraints are numbered only when the text is written, so that shrinking a proof keeps
// every reference right.
#include "proof_steps.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace bnnplan::fuzz {

namespace {

std::string literal_text(Lit literal) {
  return fmt::format("{}x{}", literal.negated() ? "~" : "", literal.var().index + 1);
}

std::string terms_text(const Terms& terms) {
  std::string text;
  for (const auto& [coefficient, literal] : terms)
    text += fmt::format("{} {} ", coefficient, literal_text(literal));
  return text;
}

// The numbers of what the steps add; 0 for those that add nothing.
std::vector<std::size_t> numbers_of_steps(const ProofDraft& draft) {
  std::size_t last = draft.formula.constraints();
  std::vector<std::size_t> numbers;
  for (const ProofStep& step : draft.steps) {
    const bool adds =
        step.kind != ProofStep::Kind::erase && (step.kind != ProofStep::Kind::show || draft.by_lines);
    numbers.push_back(adds ? ++last : 0);
  }
  return numbers;
}

std::string target_text(Target target, const std::vector<std::size_t>& numbers) {
  switch (target.kind) {
    case Target::Kind::formula:
      return fmt::format("{}", target.index + 1);
    case Target::Kind::step:
      return fmt::format("{}", numbers[static_cast<std::size_t>(target.index)]);
    case Target::Kind::number:
      break;
  }
  return fmt::format("{}", target.index);
}

std::string sum_text(const SumWord& word, const std::vector<std::size_t>& numbers) {
  switch (word.kind) {
    case SumWord::Kind::constraint:
      return target_text(word.target, numbers);
    case SumWord::Kind::literal:
      return literal_text(word.literal);
    case SumWord::Kind::add:
      return "+";
    case SumWord::Kind::multiply:
      return fmt::format("{} *", word.number);
    case SumWord::Kind::divide:
      return fmt::format("{} d", word.number);
    case SumWord::Kind::saturate:
      return "s";
    case SumWord::Kind::weaken:
      break;
  }
  return literal_text(word.literal) + " w";
}

std::string step_text(const ProofStep& step, bool by_lines, const std::vector<std::size_t>& numbers) {
  std::string text;
  switch (step.kind) {
    case ProofStep::Kind::derive:
      return fmt::format("rup {}>= {} ;\n", terms_text(step.terms), step.bound);
    case ProofStep::Kind::combine:
      text = "pol";
      for (const SumWord& word : step.sum) text += " " + sum_text(word, numbers);
      break;
    case ProofStep::Kind::define:
      return fmt::format("red {}>= {} {} x{} -> {}{}", terms_text(step.terms), step.bound,
                         by_lines ? ";" : ":", step.literals[0].var().index + 1,
                         step.literals[0].negated() ? 0 : 1, by_lines ? "\n" : " ;\n");
    case ProofStep::Kind::erase:
      text = "del id";
      for (const Target target : step.targets) text += " " + target_text(target, numbers);
      break;
    case ProofStep::Kind::improve:
      text = by_lines ? "o" : "soli";
      break;
    case ProofStep::Kind::show:
      text = by_lines ? "v" : "sol";
      break;
  }
  for (const Lit literal : step.literals) text += " " + literal_text(literal);
  return text + (by_lines ? "\n" : " ;\n");
}

std::string end_text(const ProofEnd& end, bool by_lines, const std::vector<std::size_t>& numbers) {
  if (end.kind == ProofEnd::Kind::open) return "";
  const std::string id = target_text(end.target, numbers);
  if (by_lines) return end.kind == ProofEnd::Kind::satisfiable ? "" : fmt::format("c {}\n", id);
  std::string conclusion = "SAT";
  if (end.kind == ProofEnd::Kind::unsatisfiable) conclusion = "UNSAT : " + id;
  if (end.kind == ProofEnd::Kind::bounds || end.kind == ProofEnd::Kind::contradiction)
    conclusion = fmt::format("BOUNDS {} : {} {}", end.lower, id, end.upper);
  return fmt::format("output NONE ;\nconclusion {} ;\nend pseudo-Boolean proof ;\n", conclusion);
}

// The target after those of `kind` at `from` to `from + count` are removed; nothing if it was one of them.
std::optional<Target> shifted(Target target, Target::Kind kind, std::int64_t from, std::int64_t count) {
  if (target.kind != kind || target.index < from) return target;
  if (target.index < from + count) return std::nullopt;
  target.index -= count;
  return target;
}

void shift_targets(ProofDraft& draft, Target::Kind kind, std::size_t from, std::size_t count) {
  const auto first = static_cast<std::int64_t>(from), length = static_cast<std::int64_t>(count);
  for (ProofStep& step : draft.steps) {
    std::vector<Target> kept;
    for (const Target target : step.targets) {
      if (const auto moved = shifted(target, kind, first, length)) kept.push_back(*moved);
    }
    step.targets = std::move(kept);
    std::vector<SumWord> words;
    for (SumWord word : step.sum) {
      const auto moved = shifted(word.target, kind, first, length);
      if (!moved && word.kind == SumWord::Kind::constraint) continue;
      word.target = moved.value_or(Target{});
      words.push_back(word);
    }
    step.sum = std::move(words);
  }
  const auto end = shifted(draft.end.target, kind, first, length);
  end ? draft.end.target = *end : draft.end.target = Target{};
}

}  // namespace

std::size_t FormulaDraft::constraints() const {
  std::size_t count = 0;
  for (const Row& row : rows) count += row.equation ? 2 : 1;
  return count;
}

std::string opb_text(const FormulaDraft& formula) {
  std::string text;
  if (formula.objective) text = fmt::format("min: {};\n", terms_text(*formula.objective));
  for (const auto& row : formula.rows)
    text += fmt::format("{}{} {} ;\n", terms_text(row.terms), row.equation ? "=" : ">=", row.bound);
  return text;
}

std::string proof_text(const ProofDraft& draft) {
  const std::vector<std::size_t> numbers = numbers_of_steps(draft);
  std::string text = fmt::format("pseudo-Boolean proof version {}\nf {}{}", draft.by_lines ? "1.2" : "3.0",
                                 draft.formula.constraints(), draft.by_lines ? "\n" : " ;\n");
  for (const ProofStep& step : draft.steps) text += step_text(step, draft.by_lines, numbers);
  return text + end_text(draft.end, draft.by_lines, numbers);
}

ProofDraft without_step(const ProofDraft& draft, std::size_t step) {
  ProofDraft smaller = draft;
  smaller.steps.erase(smaller.steps.begin() + static_cast<std::ptrdiff_t>(step));
  shift_targets(smaller, Target::Kind::step, step, 1);
  return smaller;
}

ProofDraft without_row(const ProofDraft& draft, std::size_t row) {
  ProofDraft smaller = draft;
  std::size_t first = 0;
  for (std::size_t i = 0; i < row; ++i) first += draft.formula.rows[i].equation ? 2 : 1;
  const std::size_t count = draft.formula.rows[row].equation ? 2 : 1;
  smaller.formula.rows.erase(smaller.formula.rows.begin() + static_cast<std::ptrdiff_t>(row));
  shift_targets(smaller, Target::Kind::formula, first, count);
  return smaller;
}

}  // namespace bnnplan::fuzz
