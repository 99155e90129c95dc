// Legal joint actions, all with the same probability if possible, without ever listing all of them: 76
// actions of which four may be chosen are 1.4 million. In this order:
//
//   list       up to 1000 joint actions: find those that are legal in the state, draw one of them
//   reject     draw from a set that contains all legal actions, uniformly, until one is legal
//   enumerate  all that are legal in this state, by depth-first search; the k-th one found replaces the
//              current choice with probability 1 / k
//   search     depth first with variables and values in random order; takes the first one. Not uniform.
//
// The set for rejection has, for each variable, the values that no condition rules out in this state
// (so preconditions of single actions cost no rejections), of which at most m may differ from the default.
// With c_i such values of variable i other than the default, the actions of variables i, i + 1, ... with at
// most k changes are
//
//   N(i, k) = N(i + 1, k) + c_i N(i + 1, k - 1)
//
// and with r(i, k) = N(i, k - 1) / N(i, k), which never overflows, variable i differs from its default with
// probability c r / (1 + c r) where r = r(i + 1, k). This is exact up to rounding.
#include "bnnplan/rddl/simulate/action_sampler.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "bnnplan/base/input_error.hpp"

namespace bnnplan::rddl {

namespace {

constexpr std::uint64_t most_values_tried = 64;  // of one variable; beyond that, all of its range
constexpr std::size_t most_ratios = 2'000'000;
constexpr std::size_t least_enumerated = 500;
constexpr std::size_t listing_effort = 20'000;
constexpr std::uint32_t rejections_without_hope = 10;

}  // namespace

ActionSampler::ActionSampler(Simulator& simulator, const BitLayout& layout, SimulationRandom& random,
                             const SamplingLimits& limits)
    : simulator_(simulator),
      random_(random),
      limits_(limits),
      constraints_(simulator.model(), layout),
      enumerated_(limits.enumerated) {
  const GroundModel& model = simulator.model();
  try {
    listed_.emplace(simulator, layout, EnumerationLimits{listing_effort, limits.listed});
  } catch (const InputError&) {  // too many
  }
  for (const GroundCondition& constraint : model.constraints) constraints_.require(constraint.node);
}

bool ActionSampler::draw(const StateValues& state, ActionValues& action) {
  if (listed_) {
    listed_->find(state, legal_);
    if (legal_.empty()) return false;
    action = listed_->candidates()[legal_[random_below(random_, legal_.size())]];
    return true;
  }
  // If no constraint reads the state, the choices are the same in all states.
  if (!choices_known_) {
    if (!read_choices(state)) return false;
    weigh();
    choices_known_ = simulator_.state_constraints() == 0;
  }
  const std::uint32_t tries =
      rejections_help_ ? limits_.rejections : std::min(limits_.rejections, rejections_without_hope);
  for (std::uint32_t i = 0; i < tries; ++i) {
    draw_candidate(action);
    rejections_help_ = simulator_.legal(state, action);
    if (rejections_help_) return true;
  }
  bool found = false;
  if (enumerate(state, action, found) == Enumeration::Ending::complete) {
    enumerated_ = std::min(2 * enumerated_, limits_.enumerated);
    return found;
  }
  // Similar states follow: for the next one, it will be too much as well.
  enumerated_ = std::min(std::max(enumerated_ / 4, least_enumerated), limits_.enumerated);
  return search(state, action);
}

// False if it is certain that no action is legal.
bool ActionSampler::read_choices(const StateValues& state) {
  const GroundModel& model = simulator_.model();
  for (std::uint32_t i = 0; i < state.size(); ++i) constraints_.fix(i, state[i]);
  if (!constraints_.possible()) return false;
  choices_.assign(model.action.size(), {});
  free_.clear();
  order_.slots.clear();
  order_.fixed.clear();
  order_.nondefault = model.max_nondefault_actions;
  std::size_t forced = 0;
  for (std::uint32_t i = 0; i < choices_.size(); ++i) {
    Choice& choice = choices_[i];
    const std::uint32_t slot = model.first_action() + i;
    const std::int64_t initial = model.action[i].initial;
    const std::int64_t low = constraints_.range(slot).low.numerator;
    const std::int64_t high = constraints_.range(slot).high.numerator;
    const auto size = static_cast<std::uint64_t>(high - low) + 1;
    choice.by_default = low <= initial && initial <= high && constraints_.possible_with(slot, initial);
    choice.whole_range = size > most_values_tried;
    if (choice.whole_range) {
      choice.other_count = size - (low <= initial && initial <= high ? 1 : 0);
    } else {
      for (std::int64_t value = low; value <= high; ++value) {
        if (value != initial && constraints_.possible_with(slot, value)) choice.others.push_back(value);
      }
      choice.other_count = choice.others.size();
    }
    if (choice.other_count == 0 && !choice.by_default) return false;
    // A variable with only one value is not worth a step of the search: of a thousand actions, few are
    // possible at a time.
    if (choice.other_count > (choice.by_default ? 0 : 1) || choice.whole_range) {
      order_.slots.push_back(slot);
    } else {
      order_.fixed.emplace_back(slot, choice.by_default ? initial : choice.others.front());
      if (!choice.by_default && order_.nondefault) --*order_.nondefault;
    }
    if (!choice.by_default) {
      ++forced;
    } else if (choice.other_count > 0) {
      free_.push_back(i);
    }
  }
  const auto most = static_cast<std::uint64_t>(
      model.max_nondefault_actions.value_or(static_cast<std::int64_t>(choices_.size())));
  if (forced > most) return false;
  most_others_ = static_cast<std::size_t>(std::min<std::uint64_t>(most - forced, free_.size()));
  return true;
}

// ratios_[i * (m + 1) + k] = r(i, k) over the free variables, if not all of them may differ.
void ActionSampler::weigh() {
  const std::size_t columns = most_others_ + 1;
  weighed_ = most_others_ < free_.size() && columns * (free_.size() + 1) <= most_ratios;
  if (!weighed_) return;
  ratios_.assign(columns * (free_.size() + 1), 1.0);
  ratios_[free_.size() * columns] = 0;
  for (std::size_t i = free_.size(); i-- > 0;) {
    const double* behind = &ratios_[(i + 1) * columns];
    double* here = &ratios_[i * columns];
    const auto others = static_cast<double>(choices_[free_[i]].other_count);
    here[0] = 0;
    for (std::size_t k = 1; k < columns; ++k) {
      here[k] = behind[k] * (1 + others * behind[k - 1]) / (1 + others * behind[k]);
    }
  }
}

void ActionSampler::draw_candidate(ActionValues& action) {
  action.resize(choices_.size());
  for (std::size_t i = 0; i < choices_.size(); ++i) {
    action[i] = choices_[i].by_default ? simulator_.model().action[i].initial : draw_other(i);
  }
  std::size_t left = most_others_;
  for (std::size_t i = 0; i < free_.size(); ++i) {
    const std::uint64_t others = choices_[free_[i]].other_count;
    bool differs;
    if (weighed_) {
      const double weight = static_cast<double>(others) * ratios_[(i + 1) * (most_others_ + 1) + left];
      differs = static_cast<double>(random_() >> 11) * 0x1p-53 < weight / (1 + weight);
      left -= differs ? 1 : 0;
    } else {
      differs = random_below(random_, others + 1) != 0;
    }
    if (differs) action[free_[i]] = draw_other(free_[i]);
  }
}

std::int64_t ActionSampler::draw_other(std::size_t variable) {
  const Choice& choice = choices_[variable];
  const std::uint64_t number = random_below(random_, choice.other_count);
  if (!choice.whole_range) return choice.others[number];
  const std::int64_t initial = simulator_.model().action[variable].initial;
  const auto slot = static_cast<std::uint32_t>(simulator_.model().first_action() + variable);
  const std::int64_t value = constraints_.range(slot).low.numerator + static_cast<std::int64_t>(number);
  return value < initial || initial < constraints_.range(slot).low.numerator ? value : value + 1;
}

Enumeration::Ending ActionSampler::enumerate(const StateValues& state, ActionValues& action, bool& found) {
  const std::uint32_t first = simulator_.model().first_action();
  ActionValues candidate(choices_.size());
  std::uint64_t legal = 0;
  Enumeration::Search all = order_;
  all.limit = enumerated_;
  const auto ending = constraints_.run(all, [&](std::span<const std::int64_t> values) {
    std::copy_n(values.begin() + first, candidate.size(), candidate.begin());
    if (simulator_.legal(state, candidate) && random_below(random_, ++legal) == 0) action = candidate;
    return true;
  });
  found = legal > 0;
  return ending;
}

bool ActionSampler::search(const StateValues& state, ActionValues& action) {
  const std::uint32_t first = simulator_.model().first_action();
  Enumeration::Search one = order_;
  one.limit = limits_.searched;
  one.random = &random_;
  for (std::size_t i = one.slots.size(); i > 1; --i) {
    std::swap(one.slots[i - 1], one.slots[random_below(random_, i)]);
  }
  action.resize(choices_.size());
  const auto ending = constraints_.run(one, [&](std::span<const std::int64_t> values) {
    std::copy_n(values.begin() + first, action.size(), action.begin());
    return !simulator_.legal(state, action);
  });
  if (ending == Enumeration::Ending::limit_reached) {
    throw InputError(*simulator_.model().file_names.back(),
                     fmt::format("no legal joint action was found in a state, although one may exist: {} "
                                 "combinations were tried, expected constraints on fewer actions at a time",
                                 limits_.searched));
  }
  if (ending == Enumeration::Ending::complete) return false;
  ++searched_;
  return true;
}

}  // namespace bnnplan::rddl
