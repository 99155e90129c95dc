// Random formulas of all families for `maxsat`: brute force if they are small, clasp for all, and our solver
// with the techniques that the seed switches on, a proof, checked, and the incremental solver, which gets the
// clauses in two halves. All must agree. A failing formula is shrunk to a small WCNF file, clause by clause
// and literal by literal.
//
//   random_wcnf [--seed S] [--count N] [--seconds T] [--out FOLDER]
//
// `--pretend-wrong maxsat` falsifies our answer, to see the machinery find, shrink and report.
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bnnplan/base/text_file.hpp"
#include "bnnplan/check/proof_check.hpp"
#include "bnnplan/check/wcnf_formula.hpp"
#include "bnnplan/engines/pseudo_boolean/prove_maxsat.hpp"
#include "bnnplan/formats/solver_answer.hpp"
#include "bnnplan/formats/wcnf_reader.hpp"
#include "bnnplan/maxsat/formula_check.hpp"
#include "bnnplan/maxsat/incremental_maxsat.hpp"
#include "bnnplan/maxsat/maxsat.hpp"
#include "campaign.hpp"
#include "isolated.hpp"
#include "support/brute_force.hpp"
#include "support/formula_families.hpp"
#include "support/random_maxsat_options.hpp"
#include "support/run_program.hpp"
#include "support/temporary_folder.hpp"

namespace bnnplan::fuzz {

namespace {

using testing::below;
using testing::Random;
using Cost = std::optional<formats::Weight>;

std::string cost_text(Cost cost) { return cost ? fmt::format("{}", *cost) : "unsatisfiable"; }

formats::Wcnf make_formula(std::uint64_t seed) {
  Random random(seed);
  const std::int64_t heaviest = std::vector<std::int64_t>{1, 1, 5, 100, 1'000'000}[seed / 8 % 5];
  const auto size = [&](std::int64_t least, std::int64_t most) {
    return static_cast<std::uint32_t>(least + below(random, most - least + 1));
  };
  switch (seed % 8) {
    case 0:
      return testing::random_three_sat(random, size(3, 25), 1 + static_cast<double>(below(random, 40)) / 10,
                                       heaviest);
    case 1: {
      const std::uint32_t variables = size(2, 16);
      return testing::max_two_sat(random, variables, size(1, 5 * variables), heaviest);
    }
    case 2: {
      const std::uint32_t vertices = size(3, 20);
      return testing::vertex_cover(random, vertices, size(1, 2 * vertices), heaviest);
    }
    case 3: {
      const std::uint32_t vertices = size(3, 12);
      return testing::max_cut(random, vertices, size(1, 2 * vertices), heaviest);
    }
    case 4:
      return testing::set_cover(random, size(2, 15), size(2, 15), heaviest);
    case 5:
      return testing::scheduling(random, size(2, 5), size(2, 4), size(0, 5), heaviest);
    case 6:
      return testing::unrolled_circuit(random, size(2, 6), size(1, 4), heaviest);
    default:
      return testing::wild_formula(random, size(1, 12), heaviest);
  }
}

// With a limit it may end without a proof: with most techniques off and weights that have nothing in common,
// there are cores without end. What it reports must still be true.
std::string by_ourselves(const formats::Wcnf& formula, const maxsat::MaxSatOptions& options,
                         std::optional<double> seconds, Cost expected, bool pretend) {
  maxsat::MaxSatRequest request;
  request.options = options;
  request.limits.seconds = seconds;
  std::string failure;
  request.callbacks.lower_bound = [&](formats::Weight bound) {
    if (expected && bound > *expected) failure = fmt::format("lower bound {} above the optimum", bound);
  };
  maxsat::MaxSatOutcome outcome = maxsat::solve_maxsat(formula, request);
  if (pretend && outcome.cost) ++*outcome.cost;
  if (!failure.empty()) return failure;
  const bool proved = outcome.status == Status::optimal || outcome.status == Status::infeasible;
  if (!proved && !seconds) return "maxsat did not finish";
  if (!proved && outcome.cost && (!expected || *outcome.cost < *expected))
    return fmt::format("maxsat has {}, the optimum is {}", cost_text(outcome.cost), cost_text(expected));
  if (proved && outcome.cost != expected)
    return fmt::format("maxsat says {}, expected {}", cost_text(outcome.cost), cost_text(expected));
  if (!outcome.cost) return "";
  if (maxsat::falsified_hard_clause(formula, *outcome.model)) return "the model falsifies a hard clause";
  if (!pretend && maxsat::cost_of_model(formula, *outcome.model) != *outcome.cost)
    return "the model costs something else";
  return "";
}

// Nothing if clasp does not answer, as for formulas without a relevant variable.
std::optional<Cost> by_clasp(const formats::Wcnf& formula) {
  const testing::TemporaryFolder folder;
  const std::string file = folder.write("f.wcnf", testing::wcnf_text(formula, testing::WcnfFormat::classic));
  const std::string text = testing::run_program({"clasp", "--quiet=1", file}).output;
  const formats::SolverAnswer answer = formats::parse_solver_answer(text, "clasp", formula.variables);
  if (answer.status == Status::infeasible) return Cost();
  if (!answer.has_values) return std::nullopt;
  maxsat::MaxSatModel model;
  for (const BitValue value : answer.values) model.push_back(value == 1);
  return maxsat::cost_of_model(formula, model);
}

// A proof that the checker accepts shows the optimum; one that it rejects should not have been written.
std::string by_proof(const formats::Wcnf& formula, Cost expected) {
  const testing::TemporaryFolder folder;
  const std::string text = testing::wcnf_text(formula, testing::WcnfFormat::modern);
  const checking::WcnfFormula asked = checking::parse_wcnf_formula(text, "formula");
  engines::PbRequest request;
  request.limits.seconds = 5;
  request.proof = folder / "proof.pbp";
  const engines::MaxSatProof proof =
      engines::prove_maxsat(formats::parse_wcnf(text, "formula"), nullptr, request);
  if (!proof.written) return "";  // not in time
  if (proof.cost != expected)
    return fmt::format("proved {}, expected {}", cost_text(proof.cost), cost_text(expected));
  const checking::ProofCheck check = checking::check_proof(asked.formula, read_text_file(request.proof));
  if (!check.accepted) return "the checker refuses the proof: " + check.refusal;
  const bool right = expected ? check.claim == checking::ProofCheck::Claim::optimal &&
                                    static_cast<formats::Weight>(check.value + asked.offset) == *expected
                              : check.claim == checking::ProofCheck::Claim::infeasible;
  return right ? "" : "the checker accepts the proof of something else";
}

// Half of the hard clauses first, their optimum, then the rest.
std::string by_incremental(const formats::Wcnf& formula, Cost expected) {
  maxsat::IncrementalMaxSat solver;
  while (solver.variables() < formula.variables) solver.new_variable();
  for (std::size_t i = 0; i < formula.soft.size(); ++i) {
    const Lit paid = solver.new_variable();
    std::vector<Lit> clause(formula.soft[i].begin(), formula.soft[i].end());
    clause.push_back(paid);
    solver.add(clause);
    solver.set_weight(paid, formula.weights[i]);
  }
  maxsat::IncrementalMaxSat::Request request;
  request.limits.seconds = 5;
  Cost before;
  for (std::size_t i = 0; i <= formula.hard.size(); ++i) {
    if (i == formula.hard.size() / 2) {
      const maxsat::MaxSatOutcome half = solver.solve({}, request);
      if (half.stopped != StopReason::none) return "";
      before = half.cost;
    }
    if (i < formula.hard.size()) solver.add(formula.hard[i]);
  }
  const maxsat::MaxSatOutcome whole = solver.solve({}, request);
  if (whole.stopped != StopReason::none) return "";
  if (whole.cost != expected)
    return fmt::format("incrementally {}, expected {}", cost_text(whole.cost), cost_text(expected));
  if (expected && (!before || *before > *expected)) return "half of the clauses cost more than all of them";
  return "";
}

std::string failure_of(const formats::Wcnf& formula, std::uint64_t seed, const std::string& pretend_wrong) {
  const formats::Wcnf again =
      formats::parse_wcnf(testing::wcnf_text(formula, testing::WcnfFormat::modern), "again");
  std::optional<Cost> expected = by_clasp(formula);
  if (formula.variables <= 14) {
    const Cost least = testing::brute_force_cost(formula);
    if (expected && least != *expected)
      return fmt::format("clasp says {}, expected {}", cost_text(*expected), cost_text(least));
    expected = least;
  }
  if (!expected) return "clasp does not answer";
  const bool pretend = pretend_wrong == "maxsat";
  Random random(seed + 1);
  const std::string usual = by_ourselves(again, {}, std::nullopt, *expected, pretend);
  if (!usual.empty()) return usual;
  const std::string proof = by_proof(again, *expected);
  if (!proof.empty()) return proof;
  const std::string incremental = by_incremental(again, *expected);
  if (!incremental.empty()) return incremental;
  constexpr double most_seconds = 5;
  return by_ourselves(again, testing::random_maxsat_options(random), most_seconds, *expected, pretend);
}

// The formula as a list of clauses that can be removed.
struct Draft {
  struct Clause {
    std::vector<Lit> literals;
    std::optional<formats::Weight> weight;  // unset: hard
  };
  std::vector<Clause> clauses;

  explicit Draft(const formats::Wcnf& formula) {
    for (std::size_t i = 0; i < formula.hard.size(); ++i)
      clauses.push_back({{formula.hard[i].begin(), formula.hard[i].end()}, std::nullopt});
    for (std::size_t i = 0; i < formula.soft.size(); ++i)
      clauses.push_back({{formula.soft[i].begin(), formula.soft[i].end()}, formula.weights[i]});
  }

  formats::Wcnf formula() const {
    formats::Wcnf result;
    for (const Clause& clause : clauses)
      clause.weight ? result.add_soft(clause.literals, *clause.weight) : result.add_hard(clause.literals);
    return result;
  }
};

void shrink(Shrinking<Draft>& formula) {
  for (std::size_t length = formula.best().clauses.size() / 2; length > 0; length /= 2) {
    for (std::size_t end = formula.best().clauses.size(); end >= length; end -= std::min(end, length)) {
      if (end > formula.best().clauses.size() || end == 0) break;
      Draft draft = formula.best();
      const auto last = draft.clauses.begin() + static_cast<std::ptrdiff_t>(end);
      draft.clauses.erase(last - static_cast<std::ptrdiff_t>(length), last);
      formula.attempt(std::move(draft));
    }
  }
  for (std::size_t i = 0; i < formula.best().clauses.size(); ++i) {
    formula.drop_each([i](auto& draft) -> auto& { return draft.clauses[i].literals; });
    if (formula.best().clauses[i].weight.value_or(1) <= 1) continue;
    Draft draft = formula.best();
    draft.clauses[i].weight = 1;
    formula.attempt(std::move(draft));
  }
}

int run(const CampaignOptions& options) {
  constexpr int most_seconds = 120;
  return run_campaign(options, [&](std::uint64_t seed) {
    const auto isolated = [&](const Draft& tried) {
      return run_isolated([&] { return failure_of(tried.formula(), seed, options.pretend_wrong); },
                          most_seconds);
    };
    const auto text = [](const Draft& tried) {
      return testing::wcnf_text(tried.formula(), testing::WcnfFormat::modern);
    };
    return failure_shrunk<Draft>(options, fmt::format("formula-{}", seed), ".wcnf", Draft(make_formula(seed)),
                                 {isolated, text, shrink});
  });
}

}  // namespace

}  // namespace bnnplan::fuzz

int main(int argc, char** argv) { return bnnplan::fuzz::run(bnnplan::fuzz::parse_campaign(argc, argv)); }
