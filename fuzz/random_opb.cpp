// Random pseudo-Boolean formulas for `pb`: neurons in every way of writing them (either half first, either
// sign of the output, large constants, cycles, halves that do not fit), rows of one literal with any bound,
// opposite and repeated literals, objectives of negated literals, and coefficients near 2^62, where sums stop
// fitting; half of them whole networks whose inputs have costs and whose last layer is constrained. The
// answer and the proof are compared with trying every assignment of the formula as written. A rejected
// formula must be large.
//
//   random_opb [--seed S] [--count N] [--seconds T] [--out FOLDER]
//
// `--pretend-wrong pb` falsifies our answer, to see the machinery find, shrink and report.
#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "bnnplan/base/checked.hpp"
#include "bnnplan/base/text_file.hpp"
#include "bnnplan/engines/pseudo_boolean/solve_pb.hpp"
#include "bnnplan/formats/opb_reader.hpp"
#include "campaign.hpp"
#include "isolated.hpp"
#include "proof_truth.hpp"
#include "support/formula_families.hpp"
#include "support/temporary_folder.hpp"

namespace bnnplan::fuzz {

namespace {

using testing::below;
using testing::Random;

constexpr std::int64_t large_number = std::int64_t{1} << 62;

bool chance(Random& random, int percent) { return below(random, 100) < percent; }

std::int64_t coefficient(Random& random, bool large) {
  if (large && chance(random, 35)) {
    constexpr std::array<std::int64_t, 5> ends = {INT64_MAX - 1, large_number, large_number / 2,
                                                  large_number / 4, 3 * (large_number / 4)};
    const std::int64_t number = ends[static_cast<std::size_t>(below(random, 5))] + below(random, 3) - 1;
    return chance(random, 60) ? number : -number;
  }
  return below(random, 11) - 5;
}

Lit random_literal(Random& random, std::int64_t variables) {
  return Lit::of({static_cast<std::uint32_t>(below(random, variables))}, chance(random, 50));
}

Terms random_terms(Random& random, std::int64_t variables, std::int64_t most, bool large) {
  Terms terms;
  for (std::int64_t count = below(random, most + 1); count > 0; --count)
    terms.push_back({coefficient(random, large), random_literal(random, variables)});
  return terms;
}

// a ~x as a - a x, now and then.
void rewrite(Random& random, FormulaDraft::Row& row) {
  if (chance(random, 60)) return;
  for (auto& [coefficient, literal] : row.terms) {
    if (!literal.negated() || chance(random, 30)) continue;
    row.bound -= coefficient;
    coefficient = -coefficient;
    literal = ~literal;
  }
}

// output <-> at least k of the inputs, with any signs, as two rows that fit together.
std::array<FormulaDraft::Row, 2> neuron(Random& random, const std::vector<Var>& inputs, Lit output) {
  FormulaDraft::Row yes, no;
  for (const Var variable : inputs) {
    const Lit input = Lit::of(variable, chance(random, 50));
    yes.terms.push_back({1, input});
    no.terms.push_back({1, ~input});
  }
  const auto count = static_cast<std::int64_t>(inputs.size());
  yes.bound = 1 + below(random, count);
  no.bound = count - yes.bound + 1;
  yes.terms.push_back({yes.bound, ~output});
  no.terms.push_back({no.bound, output});
  return {std::move(yes), std::move(no)};
}

// The same among any other rows: over some variables, perhaps in a cycle, with larger constants, or halves
// that do not fit.
void add_neuron(Random& random, std::int64_t variables, bool large, FormulaDraft& formula) {
  const Lit output = random_literal(random, variables);
  std::vector<Var> inputs;
  for (std::uint32_t v = 0; v < variables; ++v) {
    if (v != output.var().index && !chance(random, 30)) inputs.push_back({v});
  }
  if (inputs.size() < 2) return;
  auto halves = neuron(random, inputs, output);
  if (chance(random, 40)) halves[0].terms.back().coefficient += large ? large_number / 2 : 1;
  if (chance(random, 15)) halves[1].bound += below(random, 3) - 1;
  if (chance(random, 50)) std::swap(halves[0], halves[1]);
  for (FormulaDraft::Row& row : halves) {
    if (chance(random, 10)) continue;
    rewrite(random, row);
    formula.rows.push_back(std::move(row));
  }
}

FormulaDraft make_network(Random& random, bool large) {
  FormulaDraft formula;
  std::uint32_t variables = 0;
  const auto new_layer = [&](std::int64_t size) {
    std::vector<Var> layer;
    for (; size > 0; --size) layer.push_back({variables++});
    return layer;
  };
  std::vector<Var> last = new_layer(2 + below(random, 3));
  formula.objective.emplace();
  for (const Var input : last)
    formula.objective->push_back({coefficient(random, large), Lit::of(input, chance(random, 40))});
  for (std::int64_t depth = 1 + below(random, 2); depth > 0; --depth) {
    std::vector<Var> layer = new_layer(2 + below(random, 2));
    for (const Var output : layer) {
      for (FormulaDraft::Row& row : neuron(random, last, Lit::positive(output)))
        formula.rows.push_back(std::move(row));
    }
    last = std::move(layer);
  }
  // Conditions, or some of which one must hold; inputs that are fixed, or claimed to be.
  const std::vector<Var> choices = new_layer(below(random, 3));
  for (std::size_t i = 0; i < std::max<std::size_t>(1, choices.size()); ++i) {
    FormulaDraft::Row row;
    row.bound = 1 + below(random, 2);
    for (const Var output : last)
      row.terms.push_back({1 + below(random, 2), Lit::of(output, chance(random, 50))});
    if (!choices.empty()) row.terms.push_back({row.bound, Lit::negative(choices[i])});
    formula.rows.push_back(std::move(row));
  }
  if (!choices.empty()) {
    FormulaDraft::Row& any = formula.rows.emplace_back();
    any.bound = 1;
    for (const Var choice : choices) any.terms.push_back({1, Lit::positive(choice)});
  }
  for (std::int64_t count = below(random, 3); count > 0; --count)
    formula.rows.push_back(
        {{{1 + below(random, 3), random_literal(random, 2)}}, false, below(random, 4) - 1});
  return formula;
}

FormulaDraft make_formula(std::uint64_t seed) {
  Random random(seed);
  const bool large = seed % 3 == 0;
  if (seed % 2 == 1) return make_network(random, large);
  const std::int64_t variables = 1 + below(random, 9);
  FormulaDraft formula;
  if (chance(random, 85)) formula.objective = random_terms(random, variables, variables + 2, large);
  for (std::int64_t count = below(random, 5); count > 0; --count)
    add_neuron(random, variables, large, formula);
  for (std::int64_t count = below(random, 5); count > 0; --count) {
    FormulaDraft::Row row;
    const std::int64_t most = chance(random, 40) ? 1 : 5;
    row.terms = random_terms(random, variables, most, large);
    row.equation = chance(random, 20);
    row.bound = coefficient(random, large && chance(random, 30)) / 2;
    formula.rows.push_back(std::move(row));
  }
  return formula;
}

// Too large to be solved: the objective or a row sums to half of what fits, or more.
bool is_large(const FormulaDraft& formula) {
  const auto sum_of = [](const Terms& terms) {
    __int128 sum = 0;
    for (const auto& [coefficient, literal] : terms)
      sum += coefficient < 0 ? -__int128{coefficient} : coefficient;
    return sum;
  };
  if (formula.objective && sum_of(*formula.objective) > large_number) return true;
  return std::any_of(formula.rows.begin(), formula.rows.end(), [&](const FormulaDraft::Row& row) {
    return sum_of(row.terms) + (row.bound < 0 ? -__int128{row.bound} : row.bound) > large_number;
  });
}

std::string failure_of(const FormulaDraft& draft, std::uint64_t seed, const std::string& pretend_wrong) {
  const testing::TemporaryFolder folder;
  engines::PbRequest request;
  request.limits.seed = seed % 3;
  if (seed / 2 % 2 == 0) request.proof = folder / "proof.pbp";
  model::PbFormula formula;
  engines::PbOutcome outcome;
  try {
    formula = formats::parse_opb(opb_text(draft), "formula");
    outcome = engines::solve_pseudo_boolean(formula, request);
  } catch (const formats::UnsupportedFormula&) {
    return is_large(draft) ? "" : "refused by the reader, though small";
  } catch (const OverflowError&) {
    return is_large(draft) ? "" : "refused by the solver, though small";
  }
  checking::ProofCheck answer;
  answer.value = formula.has_objective ? outcome.value.value_or(0) : 0;
  if (outcome.status == Status::infeasible) answer.claim = checking::ProofCheck::Claim::infeasible;
  if (outcome.status == Status::optimal) answer.claim = checking::ProofCheck::Claim::optimal;
  if (pretend_wrong == "pb") {
    answer.claim = checking::ProofCheck::Claim::optimal;
    ++answer.value;
  }
  if (const std::string untrue = untrue_claim(draft, answer); !untrue.empty()) return untrue;
  if (request.proof.empty()) return "";
  const checking::ProofCheck check =
      checking::check_proof(checking::parse_opb(opb_text(draft), "formula"), read_text_file(request.proof));
  if (!check.accepted && !check.refusal.ends_with(OverflowError().what()))
    return "the checker refuses the proof: " + check.refusal;
  return check.accepted ? untrue_claim(draft, check) : "";
}

void shrink(Shrinking<FormulaDraft>& formula) {
  formula.drop_each([](auto& draft) -> auto& { return draft.rows; });
  for (std::size_t i = 0; i < formula.best().rows.size(); ++i)
    formula.drop_each([i](auto& draft) -> auto& { return draft.rows[i].terms; });
  if (formula.best().objective) formula.drop_each([](auto& draft) -> auto& { return *draft.objective; });
}

int run(const CampaignOptions& options) {
  constexpr int most_seconds = 20;
  return run_campaign(options, [&](std::uint64_t seed) {
    const auto isolated = [&](const FormulaDraft& tried) {
      return run_isolated([&] { return failure_of(tried, seed, options.pretend_wrong); }, most_seconds);
    };
    return failure_shrunk<FormulaDraft>(options, fmt::format("formula-{}", seed), ".opb", make_formula(seed),
                                        {isolated, opb_text, shrink});
  });
}

}  // namespace

}  // namespace bnnplan::fuzz

int main(int argc, char** argv) { return bnnplan::fuzz::run(bnnplan::fuzz::parse_campaign(argc, argv)); }
