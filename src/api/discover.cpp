// Discovery with worlds of both kinds. A domain is compiled with a network that stands for all of its state,
// so that the problem knows constraints, goal and reward and nothing of what steps do; the simulator is asked
// for that.
#include <utility>

#include <bnnplan/discover.hpp>
#include <bnnplan/plan.hpp>
#include <fmt/format.h>

#include "bnnplan/base/text_file.hpp"
#include "bnnplan/discover/program_world.hpp"
#include "bnnplan/discover/simulator_world.hpp"
#include "bnnplan/discover/world_facts.hpp"
#include "bnnplan/problem/open_transitions.hpp"
#include "bnnplan/problem/step_weights.hpp"
#include "bnnplan/problem/worth.hpp"
#include "bnnplan/rddl/compile/planning_model.hpp"
#include "bnnplan/report/plan_table.hpp"

namespace bnnplan {

namespace {

std::int64_t cost_of_worth(const Problem& problem, const Decimal& worth) {
  if (-worth.exponent > cost_decimals(problem))
    throw InputError(fmt::format("{} has more decimals than the objective of the problem", to_string(worth)));
  const std::int64_t units = scaled(worth, cost_decimals(problem));
  return problem.objective.maximize ? -units : units;
}

ModelRecord record_of(const Discovered& found) {
  ModelRecord record;
  record.data_file = "data.csv";
  record.data_fingerprint = data_fingerprint(found.data);
  record.transitions = record.distinct = found.data.sample_row.size();
  record.learned_by = "cover, few inputs, of what discover asked";
  const Errors errors = evaluate(*found.problem.network, found.data, whole(found.data));
  record.parts.push_back(
      {"train", errors.wrong_transitions, errors.samples, errors.wrong_bits, errors.bits, {}});
  return record;
}

Discovered run(Problem problem, discovery::World& world, const DiscoverySettings& settings) {
  if (settings.horizon) set_horizon(problem, *settings.horizon);
  if (problem.horizon == 0) throw InputError("the problem states no horizon");
  check_options(settings, options_of);
  DiscoverOptions options = settings;
  options.limits = on_this_machine(settings.limits);
  if (settings.until_worth) options.until_cost = cost_of_worth(problem, *settings.until_worth);
  const Stopwatch clock;
  options.plan = [&](const Problem& believed) {
    PlanOptions plan_options;
    plan_options.limits = options.limits.after(clock.seconds());
    return plan(believed, plan_options);
  };
  std::size_t number = 0;
  const Problem& variables = problem;
  if (settings.numbered_round)
    options.round = [&](const DiscoverRound& round) { settings.numbered_round(variables, ++number, round); };
  Discovered found = discover(problem, world, options);
  if (found.data.sample_row.empty()) return found;
  set_model_record(*found.problem.network, record_of(found));
  return found;
}

// What the domain does with the plan; "" if the world is not a domain.
std::string check_text(const Discovery& discovery) {
  if (!discovery.check || !discovery.check->world) return "";
  const std::string& promise = discovery.check->promise;
  return replay_text(*discovery.check->world) + (promise.empty() ? "" : promise + "\n");
}

}  // namespace

Discovery discover(const std::filesystem::path& domain, const std::filesystem::path& instance,
                   const DiscoverySettings& settings) {
  return discover(
      rddl::read_ground_model(domain, instance, settings.compile.instance_name, settings.compile.goals),
      settings);
}

Discovery discover(const rddl::GroundModel& model, const DiscoverySettings& settings) {
  CompileOptions compile_options = settings.compile;
  Simulator simulator(rddl::planning_model(model, compile_options.determinization));
  const Problem variables = compile_variables(model, compile_options.bits);
  std::vector<std::uint32_t> all(variables.state.bit_count());
  for (std::uint32_t bit = 0; bit < all.size(); ++bit) all[bit] = bit;
  if (all.empty())
    throw rddl::RddlError(model.instance_place, "the domain has no state: there is nothing to find out");
  compile_options.network = staying_network(variables, all);
  compile_options.network_file = "network.bnn";
  if (settings.horizon) compile_options.horizon = settings.horizon;
  const Problem problem = compile_problem(model, compile_options);
  discovery::SimulatorWorld world(simulator, problem);
  Discovery discovery{run(problem, world, settings), std::nullopt};
  if (discovery.found.plan)
    discovery.check = check(discovery.found.problem, *discovery.found.plan, &simulator);
  return discovery;
}

Discovery discover(Problem problem, const std::vector<std::string>& program,
                   const DiscoverySettings& settings) {
  const Problem variables = problem;
  discovery::ProgramWorld world(variables, program);
  return {run(std::move(problem), world, settings), std::nullopt};
}

Discovery discover(Problem problem, discovery::World& world, const DiscoverySettings& settings) {
  if (!problem.network) leave_open(problem);
  validate(problem);
  return {run(std::move(problem), world, settings), std::nullopt};
}

Answer answer_of(const Discovery& discovery, const TextStyle& style) {
  const Discovered& found = discovery.found;
  Answer answer = discovery::discovery_answer(found);
  if (found.plan) {
    add_plan(answer, found.problem, *found.plan);
    answer.text = reporting::plan_table(found.problem, *found.plan, 200, style) + "\n" + answer.text;
  }
  answer.add("promise", text_or_null(discovery.check ? discovery.check->promise : ""));
  answer.say(check_text(discovery));
  return answer;
}

void write_discovery(const std::filesystem::path& folder, const Discovery& discovery) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw InputError(folder.string(), fmt::format("cannot be made: {}", error.message()));
  const Discovered& found = discovery.found;
  write_text_file(folder / "data.csv", discovery::data_text(found.data));
  write_problem(folder / "problem.toml", found.problem);
  if (found.plan) {
    Outcome outcome = found.outcome;
    outcome.plan = found.plan;
    outcome.cost = found.cost;
    outcome.status = found.optimal_in_model ? Status::optimal : Status::feasible;
    write_text_file(folder / "plan.json", outcome_json(found.problem, outcome));
  }
  write_text_file(
      folder / "index.html",
      discovery_page(found, fmt::format("Discovering {}", found.problem.name), check_text(discovery)));
}

}  // namespace bnnplan
