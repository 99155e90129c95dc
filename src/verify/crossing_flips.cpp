// Which neurons of the first layer can change. A flip moves the counter of each neuron by 1 or 0, so with m
// flips only those change whose counter is within m of 0: some 8 of 200 for each flip, in a network of
// 784:200. For a neuron that needs d:
//
//   flips that help - flips that harm >= d
//
// so of m flips, one that harms is possible only if m - 2 >= d, and one that does nothing only if m - 1 >= d.
#include "bnnplan/verify/crossing_flips.hpp"

#include <algorithm>
#include <bit>

namespace bnnplan::verification {

namespace {

constexpr std::size_t word = 64;

void set_flip(FlipBits& bits, std::size_t flip) { bits[flip / word] |= std::uint64_t{1} << flip % word; }
void clear_flip(FlipBits& bits, std::size_t flip) { bits[flip / word] &= ~(std::uint64_t{1} << flip % word); }

FlipBits both(FlipBits a, const FlipBits& b) {
  for (std::size_t w = 0; w < a.size(); ++w) a[w] &= b[w];
  return a;
}

// Calls visit(flip) in the order of flips, until it returns false.
template <class Visit>
void each_flip(const FlipBits& bits, Visit visit) {
  for (std::size_t w = 0; w < bits.size(); ++w) {
    for (std::uint64_t left = bits[w]; left != 0; left &= left - 1) {
      if (!visit(w * word + static_cast<std::size_t>(std::countr_zero(left)))) return;
    }
  }
}

// The largest number of flips that are in both sets and together cost no more than the budget: the cheapest,
// which come first.
std::int32_t how_many(const FlipBits& a, const FlipBits& b, const FlipQuestion& question,
                      std::int64_t budget) {
  std::int32_t count = 0;
  for (std::size_t w = 0; w < a.size(); ++w) {
    for (std::uint64_t left = a[w] & b[w]; left != 0; left &= left - 1) {
      budget -= question.flips[w * word + static_cast<std::size_t>(std::countr_zero(left))].cost;
      if (budget < 0) return count;
      ++count;
    }
  }
  return count;
}

}  // namespace

CrossingFlips::CrossingFlips(const FlipQuestion& question, const FlipNetwork& network, std::int64_t budget)
    : question_(question), budget_(budget) {
  while (flips_ < question.flips.size() && question.flips[flips_].cost <= budget) ++flips_;
  const FlipNetwork::Layer& layer = network.layers().front();
  const std::size_t count = question.network->layers.front().neurons.size();
  for (std::uint32_t n = 0; n < count; ++n) {
    const std::int32_t counter = network.start()[n];
    Neuron neuron;
    const bool rises = counter < 0;
    neuron.code = 2 * n + (rises ? 1 : 0);
    neuron.need = rises ? -counter : counter + 1;
    neuron.helping.resize((flips_ + word - 1) / word);
    neuron.harming = neuron.helping;
    for (std::size_t flip = 0; flip < flips_; ++flip) {
      const std::uint32_t input = question.flips[flip].input;
      const std::int16_t move = layer.column(2 * input + (question.bits[input] == 0 ? 1 : 0))[n];
      if (move != 0) set_flip((move > 0) == rises ? neuron.helping : neuron.harming, flip);
    }
    if (how_many(neuron.helping, neuron.helping, question_, budget_) >= neuron.need)
      neurons_.push_back(std::move(neuron));
  }
  std::stable_sort(neurons_.begin(), neurons_.end(),
                   [](const Neuron& a, const Neuron& b) { return a.need > b.need; });
  moves_.resize(flips_ * neurons_.size());
  for (std::size_t n = 0; n < neurons_.size(); ++n) {
    const auto mark = [&](const FlipBits& flips, std::int8_t move) {
      each_flip(flips, [&](std::size_t flip) {
        moves_[flip * neurons_.size() + n] = move;
        return true;
      });
    };
    mark(neurons_[n].helping, 1);
    mark(neurons_[n].harming, -1);
  }
}

FlipBits CrossingFlips::all_flips() const {
  FlipBits bits((flips_ + word - 1) / word);
  for (std::size_t flip = 0; flip < flips_; ++flip) set_flip(bits, flip);
  return bits;
}

std::int32_t CrossingFlips::affordable(const FlipBits& flips) const {
  return how_many(flips, flips, question_, budget_);
}

std::int32_t CrossingFlips::affordable(const FlipBits& flips, std::uint32_t neuron) const {
  return how_many(flips, neurons_[neuron].helping, question_, budget_);
}

bool CrossingFlips::restrict(FlipBits& flips, const std::vector<std::uint32_t>& changed) const {
  std::int32_t most = affordable(flips);
  while (true) {
    for (const std::uint32_t n : changed) {
      const Neuron& neuron = neurons_[n];
      for (std::size_t w = 0; w < flips.size(); ++w) {
        if (most - 1 < neuron.need) {
          flips[w] &= neuron.helping[w];
        } else if (most - 2 < neuron.need) {
          flips[w] &= ~neuron.harming[w];
        }
      }
    }
    const std::int32_t now = affordable(flips);
    if (now == most) break;
    most = now;
  }
  return std::all_of(changed.begin(), changed.end(),
                     [&](std::uint32_t n) { return affordable(flips, n) >= neurons_[n].need; });
}

// A set under construction.
struct CrossingFlips::Choice {
  std::vector<bool> changes;          // by neuron: must it change?
  std::vector<std::int32_t> missing;  // by neuron: what it still needs to change
  FlipSet set;
};

std::optional<FlipSet> CrossingFlips::find(FlipBits flips, const std::vector<std::uint32_t>& changed,
                                           std::uint64_t& steps, LimitWatch& watch) const {
  Choice choice;
  choice.changes.resize(neurons_.size());
  for (const std::uint32_t n : changed) choice.changes[n] = true;
  for (const Neuron& neuron : neurons_) choice.missing.push_back(neuron.need);
  if (!choose(choice, std::move(flips), budget_, steps, watch)) return std::nullopt;
  std::sort(choice.set.begin(), choice.set.end());
  return std::move(choice.set);
}

// The neuron that is farthest from its goal has to be moved by one of these flips: each is tried, and then
// known not to be in the set.
bool CrossingFlips::choose(Choice& choice, FlipBits flips, std::int64_t budget, std::uint64_t& steps,
                           LimitWatch& watch) const {
  if (steps == 0) return false;
  --steps;
  if (steps % 4096 == 0 && watch.should_stop()) {
    steps = 0;
    return false;
  }
  std::int32_t farthest = 0;
  const FlipBits* moving = nullptr;
  for (std::size_t n = 0; n < neurons_.size(); ++n) {
    const std::int32_t far = choice.changes[n] ? choice.missing[n] : 1 - choice.missing[n];
    if (far <= farthest) continue;
    farthest = far;
    moving = choice.changes[n] ? &neurons_[n].helping : &neurons_[n].harming;
  }
  if (farthest == 0) return true;
  if (farthest > how_many(flips, *moving, question_, budget)) return false;
  bool found = false;
  each_flip(both(flips, *moving), [&](std::size_t flip) {
    const std::int64_t left = budget - question_.flips[flip].cost;
    if (left < 0) return false;
    clear_flip(flips, flip);
    const std::int8_t* moves = moves_.data() + flip * neurons_.size();
    for (std::size_t n = 0; n < neurons_.size(); ++n) choice.missing[n] -= moves[n];
    choice.set.push_back(static_cast<std::uint32_t>(flip));
    found = choose(choice, flips, left, steps, watch);
    if (!found) choice.set.pop_back();
    for (std::size_t n = 0; n < neurons_.size(); ++n) choice.missing[n] += moves[n];
    return !found && steps > 0;
  });
  return found;
}

}  // namespace bnnplan::verification
