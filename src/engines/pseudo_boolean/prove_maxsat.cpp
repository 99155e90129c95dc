// Proofs for MaxSAT. CaDiCaL finds the optimum; what it learned is not available as a proof (Debian's version
// has no tracer that reports the origin of a lemma in an incremental run), so a solver that logs every step
// proves it again, starting from the best model. Core-guided search and search from above take turns, as for
// any pseudo-Boolean formula: cores, counters and sums are in the proof (cdcl/core_proof.cpp).
#include "bnnplan/engines/pseudo_boolean/prove_maxsat.hpp"

#include <algorithm>
#include <cassert>
#include <map>

namespace bnnplan::engines {

namespace {

// The clauses as constraints, in the order of the file, as in check/wcnf_formula.hpp: a soft clause of
// several literals has one more, which pays for it.
class ClausesAsRows {
 public:
  explicit ClausesAsRows(const formats::Wcnf& wcnf) {
    assert(wcnf.weight_sum <= formats::Weight{1} << 62);
    formula.variables = wcnf.variables;
    formula.has_objective = true;
    std::size_t hard = 0;
    for (std::size_t i = 0; i < wcnf.soft.size(); ++i) {
      for (; hard < wcnf.hard.size() && hard < wcnf.hard_before[i]; ++hard) add_row(sorted(wcnf.hard[hard]));
      add_soft(sorted(wcnf.soft[i]), static_cast<std::int64_t>(wcnf.weights[i]));
    }
    for (; hard < wcnf.hard.size(); ++hard) add_row(sorted(wcnf.hard[hard]));
    for (const auto& [literal, cost] : costs_) {
      if (cost != 0) formula.objective.push_back({cost, literal});
    }
  }

  model::PbFormula formula;
  std::int64_t offset = 0;  // the cost of an assignment is `offset` plus its value in the formula

 private:
  static std::vector<Lit> sorted(std::span<const Lit> clause) {
    std::vector<Lit> literals(clause.begin(), clause.end());
    std::sort(literals.begin(), literals.end());
    literals.erase(std::unique(literals.begin(), literals.end()), literals.end());
    return literals;
  }

  void add_row(const std::vector<Lit>& literals) {
    std::vector<WeightedLit> terms;
    for (const Lit literal : literals) terms.push_back({1, literal});
    formula.add(std::move(terms), 1);
  }

  void add_soft(std::vector<Lit> literals, std::int64_t weight) {
    const bool always_true = std::adjacent_find(literals.begin(), literals.end(),
                                                [](Lit a, Lit b) { return b == ~a; }) != literals.end();
    if (weight == 0 || always_true) return;
    if (literals.size() > 1) {
      const Lit paid = Lit::positive({formula.variables++});
      costs_[paid] = weight;
      literals.push_back(paid);
      add_row(literals);
    } else if (literals.empty()) {
      offset += weight;
    } else if (literals.front().negated()) {
      costs_[~literals.front()] += weight;
    } else {  // w ~x is w - w x
      offset += weight;
      costs_[literals.front()] -= weight;
    }
  }

  std::map<Lit, std::int64_t> costs_;  // of variables
};

// The file's variables as they are; a variable after them, which pays for the soft clause that contains it,
// is true if the rest of its clause is false.
BitValues values_of(const model::PbFormula& formula, std::uint32_t file_variables,
                    const maxsat::MaxSatModel& model) {
  BitValues values(formula.variables);
  std::copy_n(model.begin(), std::min<std::size_t>(model.size(), file_variables), values.begin());
  for (const model::AtLeastRow& clause : formula.constraints) {
    const auto paid = std::find_if(clause.terms.begin(), clause.terms.end(), [&](const WeightedLit& term) {
      return term.literal.var().index >= file_variables;
    });
    if (paid == clause.terms.end()) continue;
    const bool satisfied =
        std::any_of(clause.terms.begin(), clause.terms.end(), [&](const WeightedLit& term) {
          return term.literal != paid->literal &&
                 (values[term.literal.var().index] != 0) != term.literal.negated();
        });
    values[paid->literal.var().index] = satisfied ? 0 : 1;
  }
  return values;
}

}  // namespace

MaxSatProof prove_maxsat(const formats::Wcnf& wcnf, const maxsat::MaxSatModel* known, PbRequest request) {
  const ClausesAsRows rows(wcnf);
  request.callbacks = {};
  PbSolver solver(rows.formula, request);
  if (known != nullptr) solver.offer(values_of(rows.formula, wcnf.variables, *known));
  const PbOutcome outcome = solver.run();
  MaxSatProof proof;
  proof.status = outcome.status;
  proof.written = outcome.proof_written;
  proof.stopped = outcome.stopped;
  if (outcome.values) {
    proof.model.emplace(wcnf.variables);
    for (std::uint32_t v = 0; v < wcnf.variables; ++v) (*proof.model)[v] = (*outcome.values)[v] != 0;
    proof.cost = static_cast<formats::Weight>(rows.offset + *outcome.value);
  }
  return proof;
}

}  // namespace bnnplan::engines
