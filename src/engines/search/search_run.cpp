// The shared part of a search: setup, checking limits, and turning a path of states into a plan. A path needs
// no actions: the edge between two states names one, and the auxiliary values of a step are solved again. If
// the problem has symmetries, the path consists of canonical states, which RealPath undoes.
#include "bnnplan/engines/search/search_run.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "bnnplan/base/count_text.hpp"
#include "bnnplan/engines/search/real_path.hpp"

namespace bnnplan::engines {

namespace {

constexpr double report_interval = 0.1;

BitValues unpack(const std::uint64_t* words, std::uint32_t bits) {
  BitValues values(bits);
  for (std::uint32_t i = 0; i < bits; ++i) values[i] = bit_of(words, i) ? 1 : 0;
  return values;
}

}  // namespace

SearchRun::SearchRun(const Problem& source, const EngineRequest& what)
    : problem(source),
      request(what),
      watch(what.limits),
      packed(source),
      actions(packed, watch, what.limits.seed),
      bounds(what) {}

void SearchRun::renew() {
  Limits limits = request.limits;
  // The graph's memory is counted by the callers of the watch, which also counts the memory of the process.
  const std::size_t known = graph ? graph->bytes() : 0;
  limits.memory_bytes += std::min(known, std::numeric_limits<std::size_t>::max() - limits.memory_bytes);
  watch.restart(limits);
  bounds = BoundLog(request);
  at_rest = nullptr;
  is_kept = true;
  peak_bytes = 0;
  last_progress_ = 0;
}

bool SearchRun::begin() {
  watch.check_time();
  if (!actions.make_class(0)) return false;
  if (!graph) {
    // Symmetry is not used with a proof, which is about the states as they are.
    if (use_symmetry && request.proof.empty()) symmetry = CanonicalStates(packed, find_symmetry(problem));
    graph.emplace(packed, symmetry, actions, watch);
  }
  last_evaluations_ = graph->evaluations();
  const std::int64_t least_step = actions[0].cost + packed.least_next_cost;
  weights = step_weights(problem);
  if (horizon_of_estimate_ != problem.horizon) estimate.emplace(packed, least_step, weights);
  horizon_of_estimate_ = problem.horizon;
  least_total_ = total_weight(weights, problem.horizon) * (problem.objective.constant + least_step);
  raise_lower(0);
  return true;
}

std::vector<StateId> SearchRun::initial_states() {
  const std::uint32_t first_state = problem.action.bit_count();
  const std::uint32_t bits = problem.state.bit_count();
  BitSearch search(first_state + bits + problem.auxiliary.bit_count(), watch);
  add_step_constraints(search, problem);
  std::vector<StateId> states;
  if (!search.start()) return states;
  std::vector<std::uint32_t> choices;
  for (std::uint32_t i = 0; i < bits; ++i) {
    choices.push_back(first_state + i);
    if (problem.initial[i] != unknown_bit && !search.assign(first_state + i, problem.initial[i] == 1))
      return states;
  }
  Words words, scratch;
  graph->clear_marks();
  search.enumerate(choices, {}, [&] {
    words.assign(packed.state_words, 0);
    for (std::uint32_t i = 0; i < bits; ++i) {
      if (search.value(first_state + i) == 1) set_bit(words.data(), i);
    }
    if (!packed.refused.empty()) {
      words.back() = packed.refused.root(words.data());
      if (words.back() == RefusedTrie::refused) {
        check_limits(0, 0);
        return true;
      }
    }
    symmetry.make_canonical(words.data(), scratch);
    const StateId state = graph->add_state(words.data());
    if (graph->alive(state) && graph->mark(state)) states.push_back(state);
    if (states.size() % 4096 == 1) check_limits(0, 3 * states.size() * sizeof(StateId));
    return true;
  });
  return states;
}

void SearchRun::check_limits(int layer, std::size_t own_bytes) {
  const std::size_t bytes = graph->bytes() + estimate->bytes() + own_bytes;
  peak_bytes = std::max(peak_bytes, bytes);
  if (at_rest) at_rest();
  watch.check_time();
  watch.check_memory(bytes);
  const double now = watch.seconds();
  if (request.callbacks.progress && now - last_progress_ >= report_interval) {
    const auto evaluations = static_cast<double>(graph->evaluations() - last_evaluations_);
    Progress progress;
    progress.seconds = now;
    progress.activity =
        fmt::format("layer {} of {}, {}, {:.2f} M evaluations/s", layer, problem.horizon,
                    count_text(graph->state_count(), "state"), evaluations / (now - last_progress_) / 1e6);
    progress.memory_bytes = watch.process_bytes(bytes);
    progress.lower_bound = bounds.lower();
    progress.best_cost = bounds.upper();
    request.callbacks.progress(progress);
    last_progress_ = now;
    last_evaluations_ = graph->evaluations();
  }
}

std::int64_t SearchRun::interchangeable() const {
  std::size_t blocks = 0;
  for (const BlockGroup& group : symmetry.groups()) blocks += group.blocks.size();
  return static_cast<std::int64_t>(blocks);
}

std::int64_t SearchRun::extra_cost(const Path& path) const {
  std::int64_t sum = 0;
  for (std::size_t t = 0; t + 1 < path.size(); ++t) {
    sum += extra_cost(graph->edge_between(path[t], path[t + 1]), t);
  }
  return sum;
}

Plan SearchRun::make_plan(const Path& path) const {
  std::vector<PathStep> steps;
  std::int64_t extra = 0;
  Edge edge{no_index, 0};
  for (std::size_t t = 0; t + 1 < path.size(); ++t) {
    const bool repeated = t > 0 && path[t - 1] == path[t] && path[t] == path[t + 1];  // by waiting
    if (!repeated) edge = graph->edge_between(path[t], path[t + 1]);
    steps.push_back({graph->words(path[t]), actions.bits(edge.action), graph->words(edge.next)});
    extra += extra_cost(edge, t);
  }
  return make_plan(steps, extra);
}

Plan SearchRun::make_plan(std::span<const PathStep> path, std::int64_t extra) const {
  LimitWatch unlimited{Limits{}};  // a plan that was found is reported regardless of the limits
  StepSolver steps(packed, unlimited);
  const std::uint32_t bits = problem.state.bit_count();
  Plan plan;
  RealPath real(packed, symmetry, path[0].state);
  plan.initial = unpack(real.state().data(), bits);
  bool stayed = false;  // in the same state, by the last step
  for (const PathStep& of_path : path) {
    if (stayed && of_path.next == of_path.state) {  // waiting, often for most of a long plan
      plan.steps.push_back(plan.steps.back());
      continue;
    }
    const Words before = real.state();
    real.follow(steps, of_path.state, of_path.action, of_path.next);
    const std::uint64_t *action = real.action().data(), *next = real.state().data();
    PlanStep& step = plan.steps.emplace_back();
    const BitValues action_bits = unpack(action, problem.action.bit_count());
    step.action.assign(action_bits.begin(), action_bits.end());
    if (!steps.trivial()) step.auxiliary = steps.auxiliary_values(before.data(), action, next).value();
    step.state = unpack(next, bits);
    stayed = real.state() == before;
  }
  plan.cost = cost_in_units(problem, total_cost(extra));
  return plan;
}

void SearchRun::improve(std::int64_t extra_cost, const Path& path) {
  bounds.improve({watch.seconds(), total_cost(extra_cost), [&] { return make_plan(path); }});
}

void SearchRun::conclude(Outcome& outcome) {
  outcome.seconds = watch.seconds();
  outcome.bounds = bounds.finish(outcome.seconds);
  if (outcome.status != Status::infeasible) outcome.lower_bound = bounds.lower();
}

}  // namespace bnnplan::engines
