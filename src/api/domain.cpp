// Transitions of a domain go from the simulator through a table of bits into the lines of a file, one at a
// time, so that any number of them can be written, or into a data set.
#include <bnnplan/domain.hpp>
#include <fmt/format.h>

#include "bnnplan/api/returns.hpp"
#include "bnnplan/base/limits.hpp"
#include "bnnplan/base/output_file.hpp"
#include "bnnplan/rddl/simulate/transition_table.hpp"
#include "bnnplan/rddl/simulate/value_table.hpp"

namespace bnnplan {

namespace {

void refuse_more_than_fits(const SimulateOptions& options, std::size_t line_bytes,
                           const std::filesystem::path& file) {
  const auto free = free_space(file);
  const double bytes = static_cast<double>(options.explore.episodes) *
                       static_cast<double>(options.explore.steps) * static_cast<double>(line_bytes);
  if (!free || options.unique || bytes <= static_cast<double>(*free)) return;
  const bool large = bytes >= (1 << 30);
  const double unit = large ? 1 << 30 : 1 << 10;
  throw InputError(file.string(),
                   fmt::format("the transitions can take {:.1f} {}, and {:.1f} are free: expected fewer "
                               "{} or {}, fewer columns, {}, or a name ending in .gz",
                               bytes / unit, large ? "GiB" : "KiB", static_cast<double>(*free) / unit,
                               option_name("episodes"), option_name("steps"), option_name("unique")));
}

std::size_t most_remembered() {
  const std::size_t machine = machine_memory();
  return machine > 0 ? machine / 4 : std::size_t{1} << 30;
}

// Adds the transitions to a table, of bits or of lines.
template <class Table>
SimulationResult simulate_into(Table& table, Simulator& domain, const rddl::BitLayout& layout,
                               const SimulateOptions& options) {
  SimulationResult result;
  if (options.plan) {
    result.replay = replay(domain, variables_of(domain, options.bits), *options.plan);
    const Replay& course = *result.replay;
    for (std::size_t t = 0; t < course.actions.size(); ++t)
      table.add(course.states[t], course.actions[t], course.states[t + 1]);
  } else {
    std::uint64_t transitions = 0;
    const TransitionVisitor add = [&](const StateValues& state, const ActionValues& action,
                                      const StateValues& next) {
      table.add(state, action, next);
      if (options.progress) options.progress(++transitions);
    };
    result.counts = options.exhaustive ? explore_exhaustively(domain, layout, add)
                                       : explore(domain, layout, options.explore, add);
  }
  result.lines = table.size();
  return result;
}

SimulationResult simulate_values(Simulator& domain, const SimulateOptions& options,
                                 const rddl::ValueTable::LineWriter& write) {
  if (options.exhaustive || options.plan || options.unique || !options.inputs.empty() ||
      !options.outputs.empty())
    throw InputError("values are for episodes, and all columns are written");
  const rddl::BitLayout layout = options.explore.start == EpisodeStart::anywhere
                                     ? rddl::make_bit_layout(domain.model(), options.bits)
                                     : rddl::make_known_ranges(domain.model());
  rddl::ValueTable table(domain.model(), write);
  Returns returns(rddl::real_of(domain.model().discount));
  rddl::Number reward;
  std::span<const std::int64_t> intermediate;
  std::uint64_t transitions = 0;
  ExploreOptions explore_options = options.explore;
  explore_options.may_leave = true;
  explore_options.details = [&](const rddl::Number& of_step, std::span<const std::int64_t> values) {
    reward = of_step;
    intermediate = values;
    returns.add(reward.real);
  };
  explore_options.episode_ended = [&] { returns.end_episode(); };
  SimulationResult result;
  result.counts = explore(domain, layout, explore_options,
                          [&](const StateValues& state, const ActionValues& action, const StateValues& next) {
                            table.add(state, action, next, intermediate, reward);
                            if (options.progress) options.progress(++transitions);
                          });
  result.lines = table.size();
  result.mean_return = returns.mean();
  result.deviation = returns.deviation();
  return result;
}

}  // namespace

Problem compile(const std::filesystem::path& domain, const std::filesystem::path& instance,
                const CompileOptions& options, std::vector<std::string>* notes) {
  check_options(options, options_of);
  const rddl::GroundModel model =
      rddl::read_ground_model(domain, instance, options.instance_name, options.goals);
  if (notes != nullptr) *notes = compile_notes(model, options);
  return compile_problem(model, options, notes);
}

namespace {

// With the outcomes that the options ask for.
Simulator determinized(const Simulator& domain, SimulateOptions& options) {
  rddl::Determinization determinization = *options.determinization;
  if (determinization.method == rddl::Determinization::Method::hindsight)
    throw OptionError(
        fmt::format("{} is '{}', which is several futures at once, for planning: expected most-likely, mean, "
                    "threshold=P or sample=SEED",
                    option_name("determinize"), rddl::determinization_text(determinization)));
  determinization.observations = options.values;  // which has columns for them
  options.determinization.reset();
  return Simulator(rddl::planning_model(domain.model(), determinization));
}

}  // namespace

SimulationResult simulate(Simulator& domain, const SimulateOptions& options,
                          const std::filesystem::path& path) {
  check_options(options, options_of);
  if (SimulateOptions rest = options; rest.determinization) {
    Simulator chosen = determinized(domain, rest);
    return simulate(chosen, rest, path);
  }
  OutputFile file(path);
  if (options.values) {
    SimulationResult values =
        simulate_values(domain, options, [&](std::string_view line) { file.write(line); });
    file.commit();
    return values;
  }
  const rddl::BitLayout layout = rddl::make_bit_layout(domain.model(), options.bits);
  rddl::TransitionLines table(
      layout, options.inputs, options.outputs, options.unique,
      [&](std::string_view line) { file.write(line); }, most_remembered());
  if (!options.plan && !options.exhaustive) refuse_more_than_fits(options, table.line_bytes(), path);
  SimulationResult result = simulate_into(table, domain, layout, options);
  file.commit();
  return result;
}

DataSet simulate(Simulator& domain, const SimulateOptions& options) {
  check_options(options, options_of);
  if (SimulateOptions rest = options; rest.determinization) {
    Simulator chosen = determinized(domain, rest);
    return simulate(chosen, rest);
  }
  const rddl::BitLayout layout = rddl::make_bit_layout(domain.model(), options.bits);
  std::vector<std::uint64_t> inputs, outputs;
  rddl::TransitionTable table(
      layout, options.inputs, options.outputs, options.unique,
      [&](auto in, auto out) {
        inputs.insert(inputs.end(), in.begin(), in.end());
        outputs.insert(outputs.end(), out.begin(), out.end());
      },
      most_remembered());
  simulate_into(table, domain, layout, options);
  return collect_rows("the simulation", table.input_names(), table.output_names(), inputs.data(),
                      outputs.data(), table.size());
}

Problem variables_of(const Simulator& domain, const rddl::GivenBits& bits) {
  return compile_variables(domain.model(), bits);
}

}  // namespace bnnplan
