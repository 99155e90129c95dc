// The objects of a sequence of calls. Problems that are small enough have an optimum by brute force; of the
// others every answer is compared with the bounds of all answers before it.
#include "called_objects.hpp"

#include <cstdlib>

#include <fmt/format.h>

#include "support/brute_force.hpp"
#include "support/random_network.hpp"
#include "support/random_problem.hpp"

namespace bnnplan::fuzz {

namespace {

constexpr int most_forced_steps = 4;  // of problems whose optimum is found by brute force

// random:17:3 as its words and numbers.
struct ObjectName {
  std::string kind;
  std::uint64_t first = 0, second = 0;
};

ObjectName parse_name(const std::string& text) {
  ObjectName name;
  const std::size_t colon = text.find(':');
  name.kind = text.substr(0, colon);
  if (colon == text.npos) return name;
  char* end = nullptr;
  name.first = std::strtoull(text.c_str() + colon + 1, &end, 10);
  if (*end == ':') name.second = std::strtoull(end + 1, nullptr, 10);
  return name;
}

Problem make_problem(const std::string& text) {
  const ObjectName name = parse_name(text);
  const int first = static_cast<int>(name.first), second = static_cast<int>(name.second);
  if (name.kind == "random") return testing::random_problem(name.first);
  if (name.kind == "shift") return testing::shift_register_problem(first, second);
  if (name.kind == "ring") return testing::ring_problem(first, second);
  if (name.kind == "dense")
    return testing::random_network_problem(name.first, {.state_bits = 3 + first % 6,
                                                        .action_bits = 2,
                                                        .goal_bits = 2,
                                                        .horizon = 2 + first % 4,
                                                        .hidden = {6 + first % 5}});
  throw InputError(fmt::format("'{}' is not a problem", text));
}

Network make_network(std::uint64_t seed) {
  bnnplan::Random random(seed);
  testing::RandomNetworkShape shape = testing::random_shape(random, 4);
  shape.scores = true;
  if (shape.widths.size() < 2) shape.widths.push_back(3);
  shape.widths.back() = std::max<std::size_t>(2, shape.widths.back());
  return testing::random_network(random, shape);
}

DataSet make_data(std::uint64_t seed) {
  bnnplan::Random random(seed);
  const std::size_t inputs = 1 + random.below(4), outputs = 1 + random.below(3), lines = 1 + random.below(24);
  std::string text;
  for (std::size_t i = 0; i < inputs; ++i) text += fmt::format("{}a{}", i == 0 ? "" : ",", i);
  for (std::size_t i = 0; i < outputs; ++i) text += fmt::format(",a{}'", i);
  text += "\n";
  const bool noisy = random.below(3) == 0;
  for (std::size_t line = 0; line < lines; ++line) {
    const std::uint64_t bits = random.next();
    std::uint64_t next = (bits & ((1u << inputs) - 1)) * (seed % 97 + 3) >> 1;  // some function
    if (noisy) next ^= random.next() & random.next();
    for (std::size_t i = 0; i < inputs; ++i) text += fmt::format("{}{}", i == 0 ? "" : ",", bits >> i & 1);
    for (std::size_t i = 0; i < outputs; ++i) text += fmt::format(",{}", next >> i & 1);
    text += "\n";
  }
  return parse_data_set(text, "data");
}

}  // namespace

const Problem& CalledObjects::problem(const std::string& name) {
  const std::lock_guard lock(mutex);
  const auto found = problems_.find(name);
  return found != problems_.end() ? found->second : problems_.emplace(name, make_problem(name)).first->second;
}

void CalledObjects::replace(const std::string& name, Problem problem) {
  const std::lock_guard lock(mutex);
  problems_.insert_or_assign(name, std::move(problem));
}

const Network& CalledObjects::network(const std::string& name) {
  const std::lock_guard lock(mutex);
  const auto found = networks_.find(name);
  if (found != networks_.end()) return found->second;
  return networks_.emplace(name, make_network(parse_name(name).first)).first->second;
}

DataSet CalledObjects::data(const std::string& name) {
  if (name.starts_with("data:")) return make_data(parse_name(name).first);
  const std::lock_guard lock(mutex);
  SimulateOptions options;
  options.explore.steps = 30;
  Simulator copy = domain(name);
  return simulate(copy, options);
}

Simulator& CalledObjects::domain(const std::string& name) {
  const std::lock_guard lock(mutex);
  const auto found = domains_.find(name);
  if (found != domains_.end()) return found->second;
  const std::string folder = BNNPLAN_SOURCE_DIR "/domains/";
  const std::string family = name.substr(0, name.find('_'));
  return domains_.emplace(name, Simulator(folder + family + ".rddl", folder + name + ".rddl")).first->second;
}

Episode& CalledObjects::episode(const std::string& name) {
  const auto found = episodes_.find(name);
  return found != episodes_.end() ? found->second
                                  : episodes_.emplace(name, Episode(domain(name))).first->second;
}

Replanner& CalledObjects::replanner(const std::string& name) {
  const auto found = replanners_.find(name);
  if (found != replanners_.end()) return found->second;
  return replanners_.try_emplace(name, problem(name), Limits()).first->second;
}

std::string CalledObjects::state_of(const std::string& name) {
  return fmt::format("{}@{}", name, problem(name).horizon);
}

CalledObjects::Known& CalledObjects::known(const std::string& name) {
  const auto [found, is_new] = known_.try_emplace(state_of(name));
  Known& result = found->second;
  if (is_new && name.starts_with("random:") && problem(name).horizon <= most_forced_steps) {
    result.lower = result.upper = testing::brute_force_cost(problem(name));
    result.infeasible = !result.upper;
  }
  return result;
}

CalledObjects::Optimum CalledObjects::optimum(const std::string& name) {
  const std::lock_guard lock(mutex);
  const Known& is = known(name);
  return {is.infeasible || (is.upper && is.lower == is.upper), is.upper};
}

std::optional<Plan> CalledObjects::best_plan(const std::string& name) {
  const std::lock_guard lock(mutex);
  return known(name).plan;
}

void CalledObjects::learn_bounds(const std::string& name, std::optional<std::int64_t> lower,
                                 std::optional<std::int64_t> upper, bool infeasible) {
  const std::lock_guard lock(mutex);
  Known& is = known(name);
  require(!infeasible || !is.upper, "infeasible, but there is a plan");
  require(!upper || !is.infeasible, "a plan, but it is infeasible");
  if (lower && is.upper) require(*lower <= *is.upper, fmt::format("bound {} above the optimum", *lower));
  if (upper && is.lower) require(*upper >= *is.lower, fmt::format("cost {} below the optimum", *upper));
  is.infeasible = is.infeasible || infeasible;
  if (lower && (!is.lower || *is.lower < *lower)) is.lower = lower;
  if (upper && (!is.upper || *is.upper > *upper)) is.upper = upper;
}

void CalledObjects::judge(const std::string& name, const Outcome& outcome, bool complete, bool first) {
  const Problem& of = problem(name);
  const bool has_plan = outcome.status == Status::optimal || outcome.status == Status::feasible;
  require(has_plan == outcome.plan.has_value() && has_plan == outcome.cost.has_value(),
          "a plan and its cost do not fit the status");
  if (complete)
    require(outcome.status == (first ? Status::feasible : Status::optimal) ||
                outcome.status == Status::infeasible,
            "unfinished without a limit");
  if (outcome.status == Status::unknown)
    require(outcome.stopped != StopReason::none, "unknown for no reason");
  const bool proved = outcome.status == Status::optimal && !first;
  if (proved && outcome.claimed_by.empty())
    require(outcome.lower_bound == outcome.cost, "optimal, but the lower bound is not the cost");
  learn_bounds(name, proved ? outcome.cost : outcome.lower_bound, outcome.cost,
               outcome.status == Status::infeasible);
  const BoundPoint* before = nullptr;
  for (const BoundPoint& point : outcome.bounds) {
    if (before != nullptr) {
      require(!before->lower || (point.lower && *point.lower >= *before->lower), "a lower bound falls");
      require(!before->upper || (point.upper && *point.upper <= *before->upper), "an upper bound rises");
    }
    before = &point;
  }
  if (!outcome.plan) return;
  const CheckResult checked = check(of, *outcome.plan);
  require(checked.accepted && pretend_wrong_ != "check",
          "the plan is refused by check: " + checked.model.violation);
  require(checked.model.cost == *outcome.cost, "check finds another cost");
  const Plan read = parse_plan(outcome_json(of, outcome), "result", of);
  require(read.steps == outcome.plan->steps && read.initial == outcome.plan->initial,
          "the plan is not read back from its file");
  const std::lock_guard lock(mutex);
  known(name).plan = outcome.plan;
}

Cancellation::Cancellation(const Call& call) {
  if (!call.option("cancel")) return;
  left_ = call.number("cancel");
  flag_ = *left_ == 0;
}

void Cancellation::tick() {
  if (left_ && --*left_ <= 0) flag_ = true;
}

void make_call(CalledObjects& objects, const Call& call) {
  try {
    require(make_planning_call(objects, call) || make_learning_call(objects, call) ||
                make_domain_call(objects, call),
            "there is no such call");
  } catch (const BrokenPromise& broken) {
    throw BrokenPromise{fmt::format("{}: {}", call.name, broken.text)};
  } catch (const std::exception& error) {
    throw BrokenPromise{fmt::format("{}: throws {}", call.name, error.what())};
  } catch (const LimitReached&) {
    throw BrokenPromise{fmt::format("{}: throws LimitReached", call.name)};
  }
}

}  // namespace bnnplan::fuzz
