// Exploration: what data sets of transitions are made of. Random numbers are drawn without the distributions
// of the standard library, whose results are not the same everywhere.
#include "rddl/explore.hpp"

#include <random>

#include <fmt/format.h>

#include "base/input_error.hpp"

namespace bnnplan {

namespace {

// 0 .. count - 1. The bias of multiply-and-shift is below count / 2^64.
std::uint64_t below(std::mt19937_64& random, std::uint64_t count) {
  return static_cast<std::uint64_t>((static_cast<unsigned __int128>(random()) * count) >> 64);
}

// Draws a legal action; false if there is none (as far as the policy can tell).
class ActionSource {
 public:
  ActionSource(const Simulator& simulator, const BitLayout& layout, const ExploreOptions& options)
      : simulator_(simulator), layout_(layout), random_(options.seed) {
    if (options.policy == ExplorationPolicy::uniform_legal) actions_.emplace(simulator, layout);
  }

  bool draw(const StateValues& state, ActionValues& action) {
    if (!actions_) return draw_until_legal(state, action);
    actions_->find(state, legal_);
    if (legal_.empty()) return false;
    action = actions_->candidates()[legal_[below(random_, legal_.size())]];
    return true;
  }

 private:
  bool draw_until_legal(const StateValues& state, ActionValues& action) {
    constexpr int attempts = 1000;
    const std::uint32_t first = simulator_.model().first_action();
    action.resize(simulator_.model().action.size());
    for (int attempt = 0; attempt < attempts; ++attempt) {
      for (std::size_t i = 0; i < action.size(); ++i) {
        const Interval& range = layout_.ranges[first + i];
        const auto count = static_cast<std::uint64_t>(range.high.numerator - range.low.numerator) + 1;
        action[i] = range.low.numerator + static_cast<std::int64_t>(below(random_, count));
      }
      if (simulator_.legal(state, action)) return true;
    }
    action = simulator_.default_action();
    return simulator_.legal(state, action);
  }

  const Simulator& simulator_;
  const BitLayout& layout_;
  std::mt19937_64 random_;
  std::optional<LegalActions> actions_;
  std::vector<std::uint32_t> legal_;
};

void refuse_broken(const Simulator& simulator, const StateValues& next) {
  const std::string broken = simulator.broken_invariant(next);
  if (broken.empty()) return;
  const GroundModel& model = simulator.model();
  std::string text;
  for (std::size_t i = 0; i < next.size() && text.size() < 400; ++i) {
    if (next[i] != 0)
      text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", model.state[i].name, next[i]);
  }
  throw InputError(*model.file_names.front(),
                   fmt::format("a legal step breaks the {}: it leads to {}", broken, printable(text, 400)));
}

}  // namespace

ExplorationCounts explore(const Simulator& simulator, const BitLayout& layout, const ExploreOptions& options,
                          const TransitionVisitor& visit) {
  ActionSource source(simulator, layout, options);
  ExplorationCounts counts;
  StateValues state, next;
  ActionValues action;
  for (std::uint64_t episode = 0; episode < options.episodes; ++episode) {
    state = simulator.initial_state();
    for (std::uint64_t step = 0; step < options.steps; ++step) {
      if (!source.draw(state, action)) {
        if (step == 0) {
          throw InputError(*simulator.model().file_names.back(), "no action is legal in the initial state");
        }
        ++counts.dead_ends;
        break;
      }
      simulator.step(state, action, next);
      refuse_broken(simulator, next);
      visit(state, action, next);
      ++counts.transitions;
      std::swap(state, next);
    }
  }
  return counts;
}

ExplorationCounts explore_exhaustively(const Simulator& simulator, const BitLayout& layout,
                                       const TransitionVisitor& visit) {
  const LegalActions actions(simulator, layout);
  ExplorationCounts counts;
  std::vector<std::uint32_t> legal;
  for_each_state(simulator, layout, {}, [&](const StateValues& state) {
    actions.find(state, legal);
    if (legal.empty()) ++counts.dead_ends;
    for (const std::uint32_t number : legal) {
      const ActionValues& action = actions.candidates()[number];
      const StateValues next = simulator.step(state, action);
      refuse_broken(simulator, next);
      visit(state, action, next);
      ++counts.transitions;
    }
  });
  return counts;
}

}  // namespace bnnplan
