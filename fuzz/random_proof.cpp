// Looks for false proofs that the checker accepts. Random text is rejected at once and teaches nothing; so
// this writes random *steps*: a small formula, then clauses and rows to derive, sums, definitions of new
// variables (also halves, wrong ones, and ones of old variables), solutions, deletions, in either version,
// keeping each step that the checker lets pass. So a proof grows in which every line was accepted, whatever
// it is worth, and now and then it is ended in every possible way. What is then accepted is compared with
// trying every assignment.
//
// One seed is a hundred proofs. A failure is shrunk to a file that can be kept in fuzz/corpus/proof.
//
//   random_proof [--seed S] [--count N] [--seconds T] [--out FOLDER]
//
// `--pretend-wrong checker` falsifies the checker's result, to see the machinery find, shrink and report.
#include <array>
#include <filesystem>
#include <string>

#include <fmt/format.h>

#include "bnnplan/base/input_error.hpp"
#include "bnnplan/base/text_file.hpp"
#include "bnnplan/check/proof_check.hpp"
#include "campaign.hpp"
#include "isolated.hpp"
#include "proof_steps.hpp"
#include "proof_truth.hpp"
#include "support/formula_families.hpp"

namespace bnnplan::fuzz {

namespace {

using testing::below;
using testing::Random;

constexpr int proofs_of_a_seed = 100;

struct Counts {
  std::uint64_t proofs = 0, steps = 0, sums = 0, definitions = 0, optimal = 0, infeasible = 0,
                satisfiable = 0;
};

bool chance(Random& random, int percent) { return below(random, 100) < percent; }

// Mostly small numbers; otherwise those at which 64-bit sums overflow.
std::int64_t coefficient(Random& random, bool large) {
  if (large && chance(random, 40)) {
    constexpr std::array<std::int64_t, 6> ends = {INT64_MAX,     INT64_MAX - 1, INT64_MAX / 2,
                                                  INT64_MIN + 1, INT64_MIN,     INT64_MAX / 3};
    return ends[static_cast<std::size_t>(below(random, static_cast<std::int64_t>(ends.size())))];
  }
  return below(random, 9) - (chance(random, 30) ? 4 : 0);
}

Lit random_literal(Random& random, std::uint32_t variables) {
  return Lit::of({static_cast<std::uint32_t>(below(random, variables))}, chance(random, 50));
}

Terms random_terms(Random& random, std::uint32_t variables, std::int64_t most, bool large) {
  Terms terms;
  for (std::int64_t count = below(random, most + 1); count > 0; --count)
    terms.push_back({coefficient(random, large), random_literal(random, variables)});
  return terms;
}

Terms random_clause(Random& random, std::uint32_t variables, std::int64_t most) {
  Terms terms;
  for (std::int64_t count = below(random, most + 1); count > 0; --count)
    terms.push_back({1, random_literal(random, variables)});
  return terms;
}

FormulaDraft random_formula(Random& random, std::uint32_t variables, bool large) {
  FormulaDraft formula;
  if (chance(random, 85)) formula.objective = random_terms(random, variables, variables + 1, large);
  for (std::int64_t count = below(random, 6); count > 0; --count) {
    FormulaDraft::Row row;
    if (chance(random, 60)) {
      row.terms = random_clause(random, variables, 3);
      row.bound = 1;
    } else {
      row.terms = random_terms(random, variables, variables + 1, large);
      row.equation = chance(random, 20);
      row.bound = coefficient(random, large);
    }
    if (!row.terms.empty()) formula.rows.push_back(row);
  }
  return formula;
}

Target random_target(Random& random, const ProofDraft& draft) {
  const auto steps = static_cast<std::int64_t>(draft.steps.size());
  const auto constraints = static_cast<std::int64_t>(draft.formula.constraints());
  if (chance(random, 80) && steps > 0) return {Target::Kind::step, below(random, steps)};
  if (chance(random, 80) && constraints > 0) return {Target::Kind::formula, below(random, constraints)};
  return {Target::Kind::number, below(random, constraints + steps + 3) - 1};
}

ProofStep random_sum(Random& random, const ProofDraft& draft, std::uint32_t variables, bool large) {
  ProofStep step;
  step.kind = ProofStep::Kind::combine;
  const auto add = [&](SumWord::Kind kind, std::int64_t number = 0) {
    step.sum.push_back({kind, random_target(random, draft), random_literal(random, variables), number});
  };
  add(SumWord::Kind::constraint);
  for (std::int64_t count = below(random, 5); count > 0; --count) {
    const std::int64_t operation = below(random, 100);
    if (operation < 50) {
      add(chance(random, 80) ? SumWord::Kind::constraint : SumWord::Kind::literal);
      if (chance(random, 30)) add(SumWord::Kind::multiply, coefficient(random, large));
      add(SumWord::Kind::add);
    } else if (operation < 65) {
      add(SumWord::Kind::multiply, coefficient(random, large));
    } else if (operation < 85) {
      add(SumWord::Kind::divide, coefficient(random, large));
    } else {
      add(operation < 92 ? SumWord::Kind::saturate : SumWord::Kind::weaken);
    }
  }
  return step;
}

// Half of a definition, mostly a right one: the other half if one comes before it. Now and then a number, a
// literal or the variable is wrong.
ProofStep random_half(Random& random, const ProofDraft& draft, std::uint32_t variables, bool large) {
  ProofStep step;
  step.kind = ProofStep::Kind::define;
  const bool other = !draft.steps.empty() && draft.steps.back().kind == ProofStep::Kind::define;
  const Lit fresh = other ? ~draft.steps.back().literals[0]
                          : Lit::of({chance(random, 90) ? variables : variables - 1}, chance(random, 50));
  step.literals = {chance(random, 95) ? fresh : ~fresh};
  std::int64_t total = 0;
  if (other) {
    for (auto [weight, literal] : draft.steps.back().terms) {
      if (literal.var() == fresh.var()) continue;
      if (weight < INT64_MAX / 8 && weight > INT64_MIN / 8) total += weight;
      if (chance(random, 5)) weight = coefficient(random, large);
      step.terms.push_back({weight, chance(random, 95) ? ~literal : literal});
    }
    const std::int64_t bound = draft.steps.back().bound;
    step.bound = bound > INT64_MIN / 2 && bound < INT64_MAX / 2 ? total + 1 - bound : 1;
    if (chance(random, 20)) step.bound += below(random, 3) - 1;
  } else {
    step.terms = random_terms(random, variables, variables, large);
    step.bound = coefficient(random, large);
  }
  step.terms.push_back({chance(random, 90) ? step.bound : coefficient(random, large), step.literals[0]});
  return step;
}

// Over `variables`, of which the formula has the first `own`.
ProofStep random_step(Random& random, const ProofDraft& draft, std::uint32_t own, std::uint32_t variables,
                      bool large) {
  ProofStep step;
  const std::int64_t kind = below(random, 100);
  if (kind < 12) return random_sum(random, draft, variables, large);
  if (kind < 22 || (!draft.steps.empty() && draft.steps.back().kind == ProofStep::Kind::define && kind < 60))
    return random_half(random, draft, variables, large);
  if (kind < 55) {
    step.kind = ProofStep::Kind::derive;
    if (chance(random, 75)) {
      step.terms = random_clause(random, variables, 2);
      step.bound = 1;
    } else {
      step.terms = random_terms(random, variables, variables + 1, large);
      step.bound = coefficient(random, large);
    }
    return step;
  }
  if (kind < 75) {
    step.kind = ProofStep::Kind::erase;
    for (std::int64_t count = chance(random, 80) ? 1 : 2; count > 0; --count)
      step.targets.push_back(random_target(random, draft));
    return step;
  }
  step.kind = kind < 95 ? ProofStep::Kind::improve : ProofStep::Kind::show;
  const int left_out = chance(random, 70) ? 0 : 30;
  for (std::uint32_t variable = 0; variable < own; ++variable) {
    if (!chance(random, left_out)) step.literals.push_back(Lit::of({variable}, chance(random, 50)));
  }
  // Some of the defined variables, as if half of a definition were missing.
  for (std::uint32_t variable = own; variable < variables; ++variable) {
    if (chance(random, 30)) step.literals.push_back(Lit::of({variable}, chance(random, 50)));
  }
  // A literal given twice, or with its opposite, or of a variable that is in no constraint.
  if (chance(random, 10)) step.literals.push_back(random_literal(random, variables + 1));
  return step;
}

// Every way to end a proof with what has been derived: the last steps as contradictions, and values that have
// been seen or are plausible.
std::vector<ProofEnd> ends_of(const ProofDraft& draft, std::int64_t value) {
  std::vector<ProofEnd> ends = {{ProofEnd::Kind::satisfiable, {}, 0, 0}};
  std::vector<Target> targets;
  for (std::size_t i = draft.steps.size(); i-- > 0 && targets.size() < 2;)
    targets.push_back({Target::Kind::step, static_cast<std::int64_t>(i)});
  if (draft.formula.constraints() > 0) targets.push_back({Target::Kind::formula, 0});
  for (const Target target : targets) {
    if (draft.by_lines) {
      ends.push_back({ProofEnd::Kind::contradiction, target, 0, 0});
      continue;
    }
    ends.push_back({ProofEnd::Kind::unsatisfiable, target, 0, 0});
    ends.push_back({ProofEnd::Kind::bounds, target, value, value});
    if (value == INT64_MAX) continue;
    ends.push_back({ProofEnd::Kind::bounds, target, value + 1, value});
    ends.push_back({ProofEnd::Kind::bounds, target, value + 1, value + 1});
  }
  return ends;
}

// Whether the checker lets it pass: only the end is missing.
bool unfinished(const checking::ProofCheck& check) {
  return check.accepted || check.refusal.ends_with("the proof ends without a result") ||
         check.refusal.ends_with("stops after half of a definition") ||
         check.refusal.ends_with("stops without 'end pseudo-Boolean proof'");
}

// "" if the proof is rejected, or if its claim is true.
std::string failure_of(const checking::PbFormula& formula, const ProofDraft& draft,
                       const std::string& pretend_wrong, Counts& counts) {
  checking::ProofCheck check = checking::check_proof(formula, proof_text(draft));
  if (!check.accepted) return "";
  counts.optimal += check.claim == checking::ProofCheck::Claim::optimal ? 1 : 0;
  counts.infeasible += check.claim == checking::ProofCheck::Claim::infeasible ? 1 : 0;
  counts.satisfiable += check.claim == checking::ProofCheck::Claim::satisfiable ? 1 : 0;
  if (pretend_wrong == "checker" && check.claim == checking::ProofCheck::Claim::optimal) check.value -= 1;
  return untrue_claim(draft.formula, check);
}

std::string failure_of(const ProofDraft& draft, const std::string& pretend_wrong) {
  Counts ignored;
  return failure_of(checking::parse_opb(opb_text(draft.formula), "formula"), draft, pretend_wrong, ignored);
}

// Grows one proof. True if it can be ended so that something untrue is accepted; the draft is then that
// proof.
bool grow(Random& random, ProofDraft& draft, const std::string& pretend_wrong, Counts& counts) {
  const auto own = static_cast<std::uint32_t>(1 + below(random, 4));
  std::uint32_t variables = own;  // including the defined ones
  const bool large = chance(random, 15);
  draft.formula = random_formula(random, variables, large);
  draft.by_lines = chance(random, 50);
  ++counts.proofs;
  checking::PbFormula formula;
  try {
    formula = checking::parse_opb(opb_text(draft.formula), "formula");
  } catch (const InputError&) {
    return false;  // numbers that do not fit
  }
  std::int64_t value = 0;
  for (std::int64_t tries = 10 + below(random, 40); tries > 0; --tries) {
    draft.steps.push_back(random_step(random, draft, own, variables, large));
    const checking::ProofCheck check = checking::check_proof(formula, proof_text(draft));
    if (!unfinished(check)) {
      draft.steps.pop_back();
      continue;
    }
    ++counts.steps;
    value = check.value;
    if (draft.steps.back().kind == ProofStep::Kind::combine) ++counts.sums;
    const std::size_t size = draft.steps.size();
    if (size > 1 && draft.steps[size - 1].kind == ProofStep::Kind::define &&
        draft.steps[size - 2].kind == ProofStep::Kind::define &&
        draft.steps[size - 1].literals[0].var() == draft.steps[size - 2].literals[0].var()) {
      ++counts.definitions;
      variables = draft.steps[size - 1].literals[0].var().index + 1;
    }
    if (!chance(random, 20)) continue;
    // Add the contradiction if it can be derived, so that there is something to conclude with.
    ProofDraft ended = draft;
    ended.steps.push_back({ProofStep::Kind::derive, {}, 1, {}, {}, {}});
    if (!unfinished(checking::check_proof(formula, proof_text(ended)))) ended.steps.pop_back();
    for (const ProofEnd& end : ends_of(ended, value)) {
      ended.end = end;
      if (failure_of(formula, ended, pretend_wrong, counts).empty()) continue;
      draft = ended;
      return true;
    }
  }
  return false;
}

void shrink(Shrinking<ProofDraft>& proof) {
  for (std::size_t i = proof.best().steps.size(); i-- > 0;) {
    if (i < proof.best().steps.size()) proof.attempt(without_step(proof.best(), i));
  }
  for (std::size_t i = proof.best().formula.rows.size(); i-- > 0;) {
    if (i < proof.best().formula.rows.size()) proof.attempt(without_row(proof.best(), i));
  }
  for (std::size_t i = 0; i < proof.best().formula.rows.size(); ++i)
    proof.drop_each([i](auto& draft) -> auto& { return draft.formula.rows[i].terms; });
}

std::string file_text(const ProofDraft& draft) {
  return opb_text(draft.formula) + "===\n" + proof_text(draft);
}

int run(const CampaignOptions& options) {
  Counts counts;
  const auto untrue = [&](const ProofDraft& draft) { return failure_of(draft, options.pretend_wrong); };
  const int code = run_campaign(options, [&](std::uint64_t seed) -> std::string {
    Random random(seed);
    for (int i = 0; i < proofs_of_a_seed; ++i) {
      ProofDraft draft;
      if (grow(random, draft, options.pretend_wrong, counts))
        return failure_shrunk<ProofDraft>(options, fmt::format("proof-{}", seed), ".txt", draft,
                                          {untrue, file_text, shrink});
    }
    return "";
  });
  fmt::print(
      "{} proofs, {} accepted steps, of them {} sums and {} definitions; accepted ends: {} optimal, {} "
      "infeasible, {} satisfiable\n",
      counts.proofs, counts.steps, counts.sums, counts.definitions, counts.optimal, counts.infeasible,
      counts.satisfiable);
  return code;
}

}  // namespace

}  // namespace bnnplan::fuzz

int main(int argc, char** argv) { return bnnplan::fuzz::run(bnnplan::fuzz::parse_campaign(argc, argv)); }
