// Calls on domains: episode, simulate, compile, repair, discover, run_policy.
#include <algorithm>

#include <fmt/format.h>

#include "called_objects.hpp"

namespace bnnplan::fuzz {

namespace {

std::filesystem::path domain_file(const std::string& name) {
  return fmt::format("{}/domains/{}.rddl", BNNPLAN_SOURCE_DIR, name);
}

std::string family_of(const std::string& name) { return name.substr(0, name.find('_')); }

// The episode that the sequence keeps, restarted, against a new one of the same seed.
void call_episode(CalledObjects& objects, const Call& call) {
  const auto seed = static_cast<std::uint64_t>(call.number("seed"));
  Episode& kept = objects.episode(call.object);
  kept.restart(seed);
  Episode fresh(objects.domain(call.object), seed);
  ActionValues action, same;
  for (std::int64_t step = 0; step < call.number("to") && !kept.ended(); ++step) {
    const bool drawn = kept.draw_legal(action);
    require(fresh.draw_legal(same) == drawn && (!drawn || action == same),
            "another action with the same seed");
    if (!drawn) return;
    require(kept.domain().legal(kept.state(), action), "an illegal action is drawn");
    require(kept.act(action) == fresh.act(same) && kept.state() == fresh.state(),
            "another course with the same seed");
  }
}

void call_simulate(CalledObjects& objects, const Call& call) {
  SimulateOptions options;
  const bool allowed = set_options(options, call, objects);
  Simulator domain = objects.domain(call.object);
  const auto simulated = [&]() -> std::optional<DataSet> {
    try {
      return simulate(domain, options);
    } catch (const InputError&) {  // of options too: unknown fluents, or nothing to write
      return std::nullopt;
    }
  };
  const std::optional<DataSet> data = simulated();
  require(allowed || !data, "an option that is not allowed is accepted");
  if (allowed && call.options.empty()) require(data.has_value(), "refused");
  const std::optional<DataSet> again = simulated();
  require(
      data.has_value() == again.has_value() && (!data || data_fingerprint(*data) == data_fingerprint(*again)),
      "other transitions with the same seed");
  const testing::TemporaryFolder folder;
  try {
    const SimulationResult result = simulate(domain, options, folder / "data.csv");
    if (options.values || !data) return;
    require(result.lines == data->sample_row.size(), "another number of lines");
    require(data_fingerprint(read_data_set(folder / "data.csv")) == data_fingerprint(*data),
            "the file has other transitions");
  } catch (const InputError& error) {
    require(!allowed || !data || options.values, fmt::format("refused for a file: {}", error.what()));
  }
}

void call_compile(CalledObjects& objects, const Call& call) {
  CompileOptions options;
  const bool allowed = set_options(options, call, objects);
  Problem problem;
  try {
    problem = compile(domain_file(family_of(call.object)), domain_file(call.object), options);
  } catch (const InputError& error) {
    require(!call.options.empty(), fmt::format("refused: {}", error.what()));
    return;
  }
  require(allowed, "an option that is not allowed is accepted");
  const testing::TemporaryFolder folder;
  write_problem(folder / "problem.toml", problem);
  require(read_problem(folder / "problem.toml") == problem, "the problem does not read back the same");
}

void call_discover(CalledObjects& objects, const Call& call) {
  DiscoverySettings settings;
  const bool allowed = set_options(settings, call, objects);
  Cancellation cancellation(call);
  settings.limits.interrupt = cancellation.flag();
  settings.numbered_round = [&](const Problem&, std::size_t, const DiscoverRound&) { cancellation.tick(); };
  const rddl::GroundModel& model = objects.domain(call.object).model();
  Discovery discovery;
  try {
    discovery = discover(model, settings);
    require(allowed, "an option that is not allowed is accepted");
  } catch (const InputError& error) {
    const bool reason = !allowed || settings.until_worth || call.option("goal") ||
                        call.option("determinize") || call.option("bits");
    require(reason, fmt::format("refused: {}", error.what()));
    return;
  }
  const Discovered& found = discovery.found;
  require(found.questions <= settings.most_questions, "more questions than allowed");
  const bool complete = !cancellation.given() && !settings.limits.seconds &&
                        settings.limits.memory_bytes == Limits().memory_bytes;
  if (complete) require(found.stopped == StopReason::none, "stopped without a limit");
  if (found.plan) {
    require(discovery.check && discovery.check->accepted, "the plan does not hold in the world");
    require(check(found.problem, *found.plan).model.cost == found.cost, "the plan has another cost");
  }
  if (found.data.sample_row.empty()) return;
  if (found.stopped == StopReason::none)
    require(evaluate(*found.problem.network, found.data, whole(found.data)).wrong_transitions == 0,
            "the network contradicts what was seen");
  CompileOptions whole_domain = settings.compile;
  whole_domain.horizon = settings.horizon;
  const Problem truth = compile_problem(model, whole_domain);
  PlanOptions options;
  options.engine = "search";
  const Outcome optimum = plan(truth, options);
  if (found.world == WorldStatus::infeasible)
    require(optimum.status == Status::infeasible, "infeasible, but there is a plan");
  if (found.plan) require(optimum.cost && *optimum.cost <= found.cost, "cheaper than the optimum");
  if (found.world == WorldStatus::optimal)
    require(found.plan && found.cost == optimum.cost, "not the optimum of the world");
}

// A model that was compiled from the domain needs no repair.
void call_repair(CalledObjects& objects, const Call& call) {
  Simulator domain = objects.domain(call.object);
  CompileOptions compiling;
  compiling.horizon = call.number("to");
  const Problem problem = compile_problem(domain.model(), compiling);
  PlanOptions options;
  const Outcome alone = plan(problem, options);
  options.repair = &domain;
  BestSoFar best(problem, options);
  const Outcome repaired = plan(problem, options);
  require(alone.status == repaired.status && alone.cost == repaired.cost, "repair changes the optimum");
  require(!breaks_promise(problem, repaired),
          "the domain gives another reward than a model compiled from it");
  if (!repaired.plan) return;
  require(check(problem, *repaired.plan, &domain).accepted, "the domain refuses a repaired plan");
  require(best.outcome(StopReason::none).cost == repaired.cost, "the best plan so far is not the plan");
}

void call_run_policy(CalledObjects& objects, const Call& call) {
  ClosedLoopOptions options;
  const bool allowed = set_options(options, call, objects);
  const auto policy = static_cast<Policy>(call.number("policy"));
  Simulator domain = objects.domain(call.object);
  PolicyResult result;
  try {
    result = run_policy(domain, policy, options);
    require(allowed, "an option that is not allowed is accepted");
  } catch (const InputError& error) {
    const bool reason = !allowed || options.replan > options.lookahead || call.option("determinize") ||
                        call.option("precision") || call.option("range") || call.option("bits");
    require(reason, fmt::format("refused: {}", error.what()));
    return;
  }
  require(result.episodes == options.episodes, "another number of episodes");
  require(result.decisions <= options.episodes * options.steps, "more decisions than steps");
  if (policy == Policy::plan) return;  // among plans of equal cost, time decides
  const PolicyResult again = run_policy(domain, policy, options);
  require(again.mean == result.mean && again.decisions == result.decisions,
          "another course with the same seed");
}

}  // namespace

bool make_domain_call(CalledObjects& objects, const Call& call) {
  constexpr std::pair<std::string_view, void (*)(CalledObjects&, const Call&)> calls[] = {
      {"episode", call_episode},   {"simulate", call_simulate},     {"compile", call_compile},
      {"discover", call_discover}, {"run_policy", call_run_policy}, {"repair", call_repair},
  };
  for (const auto& [name, function] : calls) {
    if (name == call.name) return function(objects, call), true;
  }
  return false;
}

}  // namespace bnnplan::fuzz
