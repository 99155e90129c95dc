// The course that the world takes, in the variables of the problem: what a plan promises and what the domain
// does can then be compared variable by variable, in text, JSON and on a page.
#include "bnnplan/api/world_course.hpp"

#include <algorithm>

#include "bnnplan/base/input_error.hpp"

namespace bnnplan {

bool is_exact(const rddl::Simulator& domain) {
  const auto real = [](const rddl::GroundVariable& variable) {
    return variable.kind == rddl::ValueKind::real;
  };
  const rddl::GroundModel& model = domain.model();
  return !domain.is_random() && std::none_of(model.state.begin(), model.state.end(), real) &&
         std::none_of(model.action.begin(), model.action.end(), real);
}

std::vector<BitValues> world_states(rddl::Simulator& domain, const Problem& problem, const Plan& plan,
                                    const rddl::Replay& world) {
  const rddl::ProblemBinding binding(domain.model(), problem);
  std::vector<BitValues> states;
  for (std::size_t t = 0; t < world.states.size() && t <= plan.steps.size(); ++t) {
    states.push_back(t == 0 ? plan.initial : plan.steps[t - 1].state);
    binding.put_state(world.states[t], states.back());
  }
  return states;
}

reporting::WorldCourse world_course(rddl::Simulator& domain, const Problem& problem, const Plan& plan) {
  if (!is_exact(domain))
    throw InputError(*domain.model().file_names.back(),
                     "the domain is random or has real fluents, so that no single course can be shown: "
                     "expected one that is "
                     "neither, or `check`, which runs the plan in it many times");
  const rddl::Replay world = rddl::replay(domain, problem, plan);
  reporting::WorldCourse course;
  course.states = world_states(domain, problem, plan, world);
  for (const rddl::Rational& reward : world.rewards) course.rewards.push_back(to_string(reward));
  course.reward = to_string(world.reward);
  course.parts = world.diverges;
  course.difference = world.difference;
  course.violation = world.violation;
  course.start = world.start;
  return course;
}

}  // namespace bnnplan
