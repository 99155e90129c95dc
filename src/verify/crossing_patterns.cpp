// Sets of flips by the neurons that they change. The counters of the neurons that can change at all are at
// most 64 bytes, two registers with AVX2: a flip is two subtractions, and two masks tell which counters are
// below 0. Most sets change the same neurons as an earlier one, which a table of recent patterns detects, so
// few have to be evaluated.
#include "bnnplan/verify/crossing_patterns.hpp"

#include <algorithm>
#include <bit>

namespace bnnplan::verification {

namespace {

constexpr std::size_t table_bits = 16;  // half a megabyte
constexpr std::uint64_t sets_at_once = 1 << 16;

}  // namespace

CrossingPatterns::CrossingPatterns(const FlipQuestion& question, const CrossingFlips& crossing,
                                   InstructionSet set)
    : kernels_(column_kernels(set)),
      question_(question),
      crossing_(crossing),
      start_(width, 2 * most_flips),  // the rest never changes
      moves_(question.flips.size() * width),
      known_(std::size_t{1} << table_bits) {
  const std::vector<CrossingFlips::Neuron>& neurons = crossing.neurons();
  for (std::size_t n = 0; n < neurons.size(); ++n) {
    start_[n] = static_cast<std::int8_t>(neurons[n].need - 1);
    for (std::uint32_t flip = 0; flip < question.flips.size(); ++flip) {
      if (has_flip(neurons[n].helping, flip)) moves_[flip * width + n] = 1;
      if (has_flip(neurons[n].harming, flip)) moves_[flip * width + n] = -1;
    }
  }
}

bool CrossingPatterns::each_set(const FlipBits& flips, const Visit& visit) {
  visit_ = &visit;
  chosen_.clear();
  rows_.clear();
  for (std::size_t w = 0; w < flips.size(); ++w) {
    for (std::uint64_t left = flips[w]; left != 0; left &= left - 1) {
      const std::size_t flip = w * 64 + static_cast<std::size_t>(std::countr_zero(left));
      chosen_.push_back(static_cast<std::uint32_t>(flip));
      rows_.insert(rows_.end(), moves_.begin() + static_cast<std::ptrdiff_t>(flip * width),
                   moves_.begin() + static_cast<std::ptrdiff_t>((flip + 1) * width));
    }
  }
  last_.resize(std::max(last_.size(), chosen_.size()));
  if (levels_.empty()) levels_.push_back(start_);
  set_.clear();
  sets_ = 0;
  return extend(0, crossing_.budget(), 0) && visit.went_on(sets_);
}

// All sets that extend this one by flips from `first` on, the sets with one more flip first.
bool CrossingPatterns::extend(std::size_t first, std::int64_t budget, std::size_t depth) {
  std::size_t end = first;
  while (end < chosen_.size() && question_.flips[chosen_[end]].cost <= budget) ++end;
  const std::int8_t* counters = levels_[depth].data();
  kernels_.signs(counters, rows_.data() + first * width, end - first, last_.data());
  const std::uint64_t changed = visit_->changed, looked_at = changed | visit_->refused;
  for (std::size_t i = first; i < end; ++i) {
    const std::uint64_t pattern = last_[i - first];
    if ((pattern & looked_at) != changed) continue;
    std::uint64_t& known = known_[(pattern * 0x9e3779b97f4a7c15) >> (64 - table_bits)];
    if (known == pattern) continue;
    known = pattern;
    set_.push_back(chosen_[i]);
    const bool goes_on = visit_->found(pattern, set_);
    set_.pop_back();
    if (!goes_on) return false;
  }
  sets_ += end - first;
  if (sets_ >= sets_at_once) {
    if (!visit_->went_on(sets_)) return false;
    sets_ = 0;
  }
  if (levels_.size() == depth + 1) levels_.push_back(start_);
  for (std::size_t i = first; i + 1 < end; ++i) {
    const std::int64_t left = budget - question_.flips[chosen_[i]].cost;
    if (question_.flips[chosen_[i + 1]].cost > left) break;  // the following ones cost no less
    const std::int8_t* row = rows_.data() + i * width;
    for (std::size_t n = 0; n < width; ++n)
      levels_[depth + 1][n] = static_cast<std::int8_t>(levels_[depth][n] - row[n]);
    set_.push_back(chosen_[i]);
    const bool goes_on = extend(i + 1, left, depth + 1);
    set_.pop_back();
    if (!goes_on) return false;
  }
  return true;
}

}  // namespace bnnplan::verification
