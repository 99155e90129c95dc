// To a solver and back: the problem over its horizon is one 0-1 model, which is simplified where it becomes
// clauses, and written; model variable v is variable v of the file either way, so an answer is read by the
// layout of the model alone.
#include <set>
#include <vector>

#include <bnnplan/encode.hpp>
#include <fmt/format.h>

#include "bnnplan/base/checked.hpp"
#include "bnnplan/base/decimal.hpp"
#include "bnnplan/base/limits.hpp"
#include "bnnplan/base/output_file.hpp"
#include "bnnplan/base/text_file.hpp"
#include "bnnplan/engines/external/judge_answer.hpp"
#include "bnnplan/model/simplify.hpp"
#include "bnnplan/model/unroll.hpp"

namespace bnnplan {

namespace {

void bound_cost(ZeroOneModel& model, const std::string& text) {
  try {
    const auto bound = parse_decimal(text);
    if (!bound)
      throw OptionError(
          fmt::format("{} is '{}', expected a number", option_name("cost-at-most"), printable(text)));
    // Costs are multiples of 10^-decimals: more digits in the bound are rounded down.
    Decimal rounded = *bound;
    while (rounded.exponent < -model.decimals) {
      const std::int64_t digits = rounded.digits / 10 - (rounded.digits % 10 < 0 ? 1 : 0);
      rounded = digits == 0 ? Decimal{} : Decimal{digits, rounded.exponent + 1};
    }
    add_cost_bound(model, scaled(rounded, model.decimals));
  } catch (const OverflowError&) {
    throw OptionError(
        fmt::format("{} is '{}', which is too large", option_name("cost-at-most"), printable(text)));
  }
}

LimitWatch watch_of(const EncodeOptions& options) {
  Limits limits;
  limits.interrupt = options.interrupt;
  return LimitWatch(limits);
}

// The answer does not say to which file of ours it is: with the objective over literals or over variables,
// of the model as unrolled or simplified. The unrolled ones are known at once, so they are tried first.
std::vector<std::int64_t> possible_values(const Problem& problem, std::int64_t cost, std::int64_t value) {
  std::set<std::int64_t> values;
  const auto add = [&](const ZeroOneModel& model) {
    for (const ModelFormat& format : model_formats())
      values.insert(checked_add(cost, checked_negate(objective_offset(format, model))));
  };
  ZeroOneModel model = model::begin_unroll(problem);
  add(model);
  if (!values.contains(value)) {
    model::require_room_for_model(problem);
    model::unroll_rest(problem, model, nullptr);
    add(model::simplify(std::move(model)).model);
  }
  return {values.begin(), values.end()};
}

}  // namespace

ZeroOneModel model_of(const Problem& problem, const EncodeOptions& options) {
  model::require_room_for_model(problem);
  LimitWatch watch = watch_of(options);
  ZeroOneModel model = model::unroll(problem, &watch);
  if (options.cost_at_most) bound_cost(model, *options.cost_at_most);
  return model;
}

void write_model(ZeroOneModel model, const EncodeOptions& options, const std::filesystem::path& path) {
  check_options(options, options_of);
  const ModelFormat* format = find_model_format(options.format);
  const auto neurons = encoding::neuron_encoding_named(options.neurons);
  OutputFile file(path);
  LimitWatch watch = watch_of(options);
  encoding::LoweringOptions lowering(*neurons);
  lowering.watch = &watch;
  if (options.simplify.value_or(format->clauses)) {
    // An answer is recognised by the value of the objective, so that what only the bound fixes stays in it.
    const bool bounded = options.cost_at_most && format->objective;
    if (bounded) model.rows.pop_back();
    model = model::simplify(std::move(model), &watch).model;
    if (bounded) bound_cost(model, *options.cost_at_most);
  }
  format->write(model, lowering, file);
  watch.check();
  file.commit();
}

void encode(const Problem& problem, const EncodeOptions& options, const std::filesystem::path& file) {
  write_model(model_of(problem, options), options, file);
}

Outcome outcome_of_answer(const Problem& problem, std::string_view answer, std::string_view name,
                          const DecodeOptions& options) {
  const ModelLayout layout = model::layout_of(problem);
  engines::AskedQuestion question{problem, layout, false, "the solver", {}};
  question.values_of_cost = [&](std::int64_t cost, std::int64_t value) {
    return possible_values(problem, cost, value);
  };
  question.perhaps_cnf = true;
  formats::FileNumbering numbering;
  if (!options.map.empty()) {
    numbering =
        formats::parse_numbering(read_text_file(options.map), options.map.string(), layout.variable_count());
    question.numbering = &numbering;
  }
  return engines::judge_answer(answer, name, question);
}

}  // namespace bnnplan
