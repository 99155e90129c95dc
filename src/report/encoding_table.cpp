// The table of sizes. "own" are the variables that a part has itself (hidden neurons of a layer, and the
// problem's variables on the total), "made" those of encodings.
#include "bnnplan/report/encoding_table.hpp"

#include <map>

#include <fmt/format.h>

#include "bnnplan/base/count_text.hpp"
#include "bnnplan/base/stopwatch.hpp"
#include "bnnplan/model/simplify.hpp"

namespace bnnplan::reporting {

namespace {

struct Columns {
  std::map<model::Part, encoding::PartSize> parts;
  double seconds = 0;

  encoding::PartSize total() const {
    encoding::PartSize sum;
    for (const auto& [part, size] : parts) {
      sum.constraints += size.constraints;
      sum.size += size.size;
    }
    return sum;
  }
};

Columns columns(const model::ZeroOneModel& model, const encoding::LoweringOptions& options) {
  const Stopwatch watch;
  encoding::CountingSink counter;
  Columns result;
  for (const encoding::PartSize& size : encoding::lower(model, options, counter))
    result.parts[size.part] = size;
  result.seconds = watch.seconds();
  return result;
}

std::string line(std::string_view name, const encoding::PartSize& before, const encoding::PartSize& after) {
  return fmt::format("{:<11}{:>12}{:>12}{:>12}  {:>12}{:>12}{:>12}\n", name, before.constraints,
                     before.size.variables, before.size.clauses, after.constraints, after.size.variables,
                     after.size.clauses);
}

}  // namespace

std::string encoding_table(const model::ZeroOneModel& model, const encoding::LoweringOptions& options) {
  const Columns before = columns(model, options);
  const Stopwatch watch;
  const model::SimplifiedModel simplified = model::simplify(model);
  const double simplify_seconds = watch.seconds();
  const Columns after = columns(simplified.model, options);

  std::map<model::Part, std::pair<encoding::PartSize, encoding::PartSize>> rows;
  for (const auto& [part, size] : before.parts) rows[part].first = size;
  for (const auto& [part, size] : after.parts) rows[part].second = size;

  std::string text = fmt::format("{:<11}{:^36}  {:^36}\n", "", "as unrolled", "simplified");
  text += fmt::format("{:<11}{:>12}{:>12}{:>12}  {:>12}{:>12}{:>12}\n", "part", "constraints", "variables",
                      "clauses", "constraints", "variables", "clauses");
  for (const auto& [part, sizes] : rows) text += line(model::part_name(part), sizes.first, sizes.second);
  const std::int64_t own = model.layout.variable_count();
  encoding::PartSize model_variables;
  model_variables.size.variables = own;
  text += line("model", model_variables, model_variables);
  encoding::PartSize total_before = before.total(), total_after = after.total();
  total_before.size.variables += own;
  total_after.size.variables += own;
  text += line("total", total_before, total_after);
  text += fmt::format("objective  {}, offset {}\n", count_text(simplified.model.objective.size(), "literal"),
                      simplified.model.offset);
  const model::SimplifyReport& report = simplified.report;
  text += fmt::format(
      "simplified {} fixed, neurons: {} constant, {} merged, {} unused, inputs: {} fixed, "
      "{} cancelled; "
      "rows: {} removed, {} shortened; {}\n",
      count_text(report.fixed_problem_variables, "problem variable"), report.constant_neurons,
      report.merged_neurons, report.unused_neurons, report.removed_inputs, report.cancelled_inputs,
      report.removed_rows, report.shortened_rows, count_text(report.rounds, "round"));
  if (report.infeasible) text += "simplification found that there is no plan\n";
  text += fmt::format("seconds    {:.3f} to lower as unrolled, {:.3f} to simplify, {:.3f} to lower\n",
                      before.seconds, simplify_seconds, after.seconds);
  return text;
}

}  // namespace bnnplan::reporting
