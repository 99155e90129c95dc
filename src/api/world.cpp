// An episode of a domain. Luck and drawn actions have sources of their own, so that what the world does depends on the seed
// and on the actions alone, however they were chosen.
#include <algorithm>
#include <optional>
#include <utility>

#include <bnnplan/world.hpp>

#include "rddl/simulate/action_sampler.hpp"
#include "rddl/simulate/open_actions.hpp"

namespace bnnplan {

struct World::Episode {
  Episode(Simulator simulator, std::uint64_t seed)
      : domain(std::move(simulator)), luck(seed), choices(seed + 1), state(domain.initial_state()) {}

  // Where every action variable has a known range, all legal joint actions are drawn alike.
  void prepare_actions() {
    const GroundModel& model = domain.model();
    ranges = make_known_ranges(model);
    const auto first = ranges.ranges.begin() + model.first_action();
    const bool bounded = std::all_of(first, first + static_cast<std::ptrdiff_t>(model.action.size()),
                                     [](const Interval& range) { return range.known; });
    if (bounded) {
      uniform.emplace(domain, ranges, choices);
    } else {
      open.emplace(domain, ranges, choices);
    }
  }

  Simulator domain;
  SimulationRandom luck, choices;
  StateValues state, next;
  BitLayout ranges;  // it and what follows: made when an action is first drawn
  std::optional<ActionSampler> uniform;
  std::optional<OpenActions> open;
};

World::World(Simulator domain, std::uint64_t seed)
    : episode_(std::make_unique<Episode>(std::move(domain), seed)) {}
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;
World::~World() = default;

const Simulator& World::domain() const { return episode_->domain; }
const StateValues& World::state() const { return episode_->state; }

void World::restart(std::uint64_t seed) {
  episode_->luck.seed(seed);
  episode_->choices.seed(seed + 1);
  episode_->state = episode_->domain.initial_state();
}

bool World::ended() const {
  const Episode& episode = *episode_;
  return episode.domain.terminated(episode.state) || !broken_invariant().empty() ||
         !episode.domain.dead_because(episode.state).empty();
}

std::string World::broken_invariant() const { return episode_->domain.broken_invariant(episode_->state); }

double World::act(const ActionValues& action) {
  Episode& episode = *episode_;
  episode.domain.step(episode.state, action, episode.next, &episode.luck);
  const double reward = episode.domain.step_reward(&episode.luck).real;
  std::swap(episode.state, episode.next);
  return reward;
}

bool World::draw_legal(ActionValues& action) {
  Episode& episode = *episode_;
  if (!episode.uniform && !episode.open) episode.prepare_actions();
  return episode.uniform ? episode.uniform->draw(episode.state, action)
                         : episode.open->draw(episode.state, action);
}

}  // namespace bnnplan
