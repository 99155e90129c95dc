// Rows without negated literals (at_least_row.cpp), divided by the common divisor of the coefficients.
#include "bnnplan/model/plain_row.hpp"

#include <numeric>

#include "bnnplan/base/checked.hpp"
#include "bnnplan/model/at_least_row.hpp"

namespace bnnplan::model {

namespace {

// 6 x + 4 y >= 3 is 3 x + 2 y >= 2. An equation whose bound is not a multiple cannot hold: it becomes 0 >= 1.
void divide_by_common_divisor(PlainRow& row) {
  std::int64_t divisor = 0;
  for (const auto& [coefficient, variable] : row.terms) divisor = std::gcd(divisor, coefficient);
  if (divisor <= 1) return;
  const std::int64_t remainder = ((row.bound % divisor) + divisor) % divisor;
  if (row.comparison == Comparison::equal && remainder != 0) {
    row = {{}, Comparison::at_least, 1};
    return;
  }
  for (auto& [coefficient, variable] : row.terms) coefficient /= divisor;
  row.bound = (row.bound - remainder) / divisor;
  if (row.comparison == Comparison::at_least && remainder != 0) ++row.bound;
}

}  // namespace

PlainRow plain_row(const LinearRow& row) {
  const VariableSum sum = sum_over_variables(row.terms);
  PlainRow plain{{}, row.comparison, checked_add(row.bound, sum.shift)};
  for (const auto& [coefficient, literal] : sum.terms) plain.terms.push_back({coefficient, literal.var()});
  divide_by_common_divisor(plain);
  return plain;
}

std::vector<PlainRow> plain_rows(const ReifiedAtLeast& neuron) {
  const auto n = static_cast<std::int64_t>(neuron.inputs.size());
  const std::int64_t k = neuron.threshold;
  if (k <= 0) return {plain_row({{{1, neuron.output}}, Comparison::at_least, 1})};
  if (k > n) return {plain_row({{{1, neuron.output}}, Comparison::at_most, 0})};
  LinearRow enough{{}, Comparison::at_least, 0};
  for (const Lit lit : neuron.inputs) enough.terms.push_back({1, lit});
  LinearRow too_few = enough;
  enough.terms.push_back({-k, neuron.output});
  too_few.terms.push_back({-(n - k + 1), neuron.output});
  too_few.comparison = Comparison::at_most;
  too_few.bound = k - 1;
  return {plain_row(enough), plain_row(too_few)};
}

PlainObjective plain_objective(const ZeroOneModel& model) {
  PlainObjective objective{{}, model.offset};
  for (const auto& [weight, literal] : model.objective) {
    if (literal.negated()) objective.offset = checked_add(objective.offset, weight);
    objective.terms.push_back({literal.negated() ? -weight : weight, literal.var()});
  }
  return objective;
}

void for_each_plain_row(const ZeroOneModel& model, const std::function<void(const PlainRow&)>& visit) {
  for (const ModelRow& entry : model.rows) visit(plain_row(entry.row));
  for (const ModelNeuron& entry : model.neurons) {
    for (const PlainRow& row : plain_rows(entry.neuron)) visit(row);
  }
}

}  // namespace bnnplan::model
