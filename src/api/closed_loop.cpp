// The problem is compiled once; for each decision only its initial state and, towards the end of the episode,
// its horizon change (Replanner). What the domain draws depends on the seed and the episode alone, so that
// policies meet the same luck as long as they do the same.
#include <algorithm>
#include <cmath>
#include <optional>

#include <bnnplan/check.hpp>
#include <bnnplan/closed_loop.hpp>
#include <bnnplan/replanner.hpp>
#include <fmt/format.h>

#include "bnnplan/api/random_actions.hpp"
#include "bnnplan/api/returns.hpp"
#include "bnnplan/base/count_text.hpp"
#include "bnnplan/base/stopwatch.hpp"

namespace bnnplan {

namespace {

// Plans from a state on.
class Planner {
 public:
  Planner(const rddl::GroundModel& model, const ClosedLoopOptions& options, std::uint64_t steps)
      : replanner_(compiled(model, options, steps), options.limits), binding_(model, replanner_.problem()) {}

  // The actions of a plan with this number of steps, empty if there is no plan; and whether it is proved
  // optimal.
  std::vector<ActionValues> actions(const StateValues& state, std::uint64_t steps, bool& proved) {
    BitValues initial(replanner_.problem().initial.size(), 0);
    try {
      binding_.put_state(state, initial);
    } catch (const InputError&) {  // outside of the ranges of the problem
      proved = false;
      return {};
    }
    const Outcome outcome = replanner_.plan(initial, static_cast<std::int64_t>(steps));
    proved = outcome.status == Status::optimal;
    std::vector<ActionValues> result;
    if (!outcome.plan) return result;
    for (const PlanStep& step : outcome.plan->steps) result.push_back(binding_.action_values(step.action));
    return result;
  }

 private:
  static Problem compiled(rddl::GroundModel model, const ClosedLoopOptions& options, std::uint64_t steps) {
    model.goals.clear();
    CompileOptions compile_options = options.compile;
    compile_options.horizon = static_cast<std::int64_t>(steps + options.lookahead);
    // Discounted over the steps of a plan, not over those of an episode, which the ranges are for.
    compile_options.ignore_discount = true;
    compile_options.determinization.steps = static_cast<int>(options.lookahead);
    if (compile_options.determinization.method == rddl::Determinization::Method::hindsight)
      compile_options.horizon = static_cast<std::int64_t>(options.lookahead);
    Problem problem = compile_problem(model, compile_options);
    problem.view.reset();
    if (!options.compile.ignore_discount) discount(problem, model.discount, options);
    return problem;
  }

  // Exactly where that fits, otherwise rounded.
  static void discount(Problem& problem, const rddl::Rational& factor, const ClosedLoopOptions& options) {
    const auto decimal = decimal_of(factor);
    if (!decimal || decimal->digits <= 0 || Decimal{1, 0} < *decimal || problem.objective.text.empty())
      return;
    problem.objective.discount = *decimal;
    for (const int digits : {0, 9, 6}) {
      try {
        problem.objective.discount_digits = digits;
        set_horizon(problem, static_cast<std::int64_t>(options.lookahead));
        return;
      } catch (const InputError&) {  // its weights do not fit
      }
    }
    problem.objective.discount = {1, 0};
    problem.objective.discount_digits = 0;
  }

  Replanner replanner_;
  ProblemBinding binding_;
};

}  // namespace

PolicyResult run_policy(Simulator& domain, Policy policy, const ClosedLoopOptions& options) {
  check_options(options, options_of);
  if (options.replan > options.lookahead)
    throw OptionError(fmt::format("{} is larger than {}: a plan has no more steps than that",
                                  option_name("replan"), option_name("lookahead")));
  const rddl::GroundModel& model = domain.model();
  const std::uint64_t steps = options.steps > 0 ? options.steps : static_cast<std::uint64_t>(model.horizon);
  if (steps == 0)
    throw InputError(*model.file_names.back(), "the instance has no horizon: expected a number of steps");
  std::optional<Planner> planner;
  if (policy == Policy::plan) planner.emplace(model, options, steps);
  SimulationRandom choices(options.seed + 1);
  RandomActions random_actions(domain, choices);
  Returns returns(rddl::real_of(model.discount));
  PolicyResult result;
  Stopwatch clock;
  StateValues next;
  ActionValues action;
  for (std::uint64_t episode = 0; episode < options.episodes; ++episode) {
    if (options.progress) options.progress(episode);
    SimulationRandom luck(options.seed * 1'000'003 + episode);
    StateValues state = domain.initial_state();
    std::vector<ActionValues> planned;
    std::size_t used = 0;
    for (std::uint64_t step = 0; step < steps; ++step) {
      if (domain.terminated(state)) {
        ++result.ended;
        break;
      }
      const double before = clock.seconds();
      bool legal = false;
      if (policy == Policy::plan) {
        bool proved = true;
        if (used == planned.size() || used == options.replan) {
          planned = planner->actions(state, std::min(options.lookahead, steps - step), proved);
          used = 0;
          result.proved += proved && !planned.empty() ? 1 : 0;
          result.without_plan += planned.empty() ? 1 : 0;
        }
        if (used < planned.size()) {
          action = planned[used++];
          legal = domain.legal(state, action);
        }
      }
      if (!legal && policy != Policy::random) {
        action = domain.default_action();
        legal = domain.legal(state, action);
      }
      legal = legal || random_actions.draw(state, action);
      result.seconds += clock.seconds() - before;
      if (!legal) {
        ++result.ended;
        break;
      }
      ++result.decisions;
      domain.step(state, action, next, &luck);
      returns.add(domain.step_reward(&luck).real);
      std::swap(state, next);
      if (!domain.broken_invariant(state).empty()) {
        ++result.ended;
        break;
      }
    }
    returns.end_episode();
    ++result.episodes;
  }
  result.mean = returns.mean();
  result.deviation = returns.deviation();
  return result;
}

Answer answer_of(Policy policy, const PolicyResult& result) {
  const std::string_view name = policy_names[static_cast<std::size_t>(policy)];
  const double half = half_interval(result.deviation, result.episodes);
  const double milliseconds =
      result.decisions == 0 ? 0 : 1e3 * result.seconds / static_cast<double>(result.decisions);
  Answer answer;
  answer.add("policy", name);
  answer.add("episodes", result.episodes);
  answer.add("decisions", result.decisions);
  answer.add("mean", result.mean);
  answer.add("deviation", result.deviation);
  answer.add("half_interval", half);
  answer.add("seconds", result.seconds);
  answer.add("proved", result.proved);
  answer.add("without_plan", result.without_plan);
  answer.add("ended", result.ended);
  answer.say(fmt::format("{:<7} mean reward {:.6g} +- {:.3g} over {}, {:.3g} ms a decision", name,
                         result.mean, half, count_text(result.episodes, "episode"), milliseconds));
  if (result.ended > 0) answer.say(fmt::format(", {} ended early", result.ended));
  if (result.without_plan > 0) answer.say(fmt::format(", no plan {} times", result.without_plan));
  answer.say("\n");
  return answer;
}

}  // namespace bnnplan
