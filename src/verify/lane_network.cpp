// 256 candidates at once. A bit of the network that is not the same in all of them is 256 bits, one for each,
// and a neuron counts bits in all lanes together: full adders on vectors, five instructions for 256 additions
// of one bit. Neurons that no lane can change (bounds as in layer_bounds) are skipped, and those that no lane
// does change are not propagated.
//
//   counter + sum over changed inputs of  +1 or -1  >= 0      with  -x = (not x) - 1:
//   ones among  (x if it raises, not x if it lowers)  >=  those that lower - counter
//
// In a network of 784:200:100:100:100:10, with eight neurons of the first layer that each change in half of
// the lanes, this takes some 10 ns per candidate; one by one (flip_network) they take 200.
#include "bnnplan/verify/lane_network.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <numeric>

#include "bnnplan/network/carry_save.hpp"

namespace bnnplan::verification {

namespace {

using Vector = Slice<lanes / 64>;  // one register with AVX2, otherwise two

constexpr std::size_t most_planes = 64;

// The lanes whose sum is at least `bound`, which is 1 or more and fits into the planes.
[[gnu::always_inline]] inline void at_least(const Vector* planes, std::size_t count, std::uint64_t bound,
                                            LaneBits& result) {
  Vector reached = ~Vector{};
  for (std::size_t p = 0; p < count; ++p)
    reached = (bound >> p & 1) != 0 ? (planes[p] & reached) : (planes[p] | reached);
  store_slice(result.words.data(), reached);
}

// The lanes in which a neuron with this counter changes.
[[gnu::always_inline]] inline void count_changes(std::span<const std::uint32_t> codes, const LaneParts* parts,
                                                 const std::uint8_t* moves, std::int32_t counter,
                                                 LaneBits& changes) {
  Vector planes[16] = {};
  const std::size_t count = codes.size(), end = std::bit_width(count);
  std::int64_t lowering = 0;
  const auto take = [&](std::size_t i, Vector & to) __attribute__((always_inline)) {
    const std::uint8_t move = moves[codes[i]];
    lowering += move == 2 ? 1 : 0;
    load_slice(parts[i][move].words.data(), to);
  };
  std::size_t i = 0;
  for (; i + 4 <= count; i += 4) {
    Vector a, b, c, d, twos, more, fours;
    take(i, a);
    take(i + 1, b);
    take(i + 2, c);
    take(i + 3, d);
    add_two(planes[0], a, b, twos);
    add_two(planes[0], c, d, more);
    add_two(planes[1], twos, more, fours);
    add_through(planes, 2, end, fours);
  }
  for (; i < count; ++i) {
    Vector a;
    take(i, a);
    add_through(planes, 0, end, a);
  }
  const std::int64_t bound = lowering - counter;
  assert(bound >= 1 && bound <= static_cast<std::int64_t>(count));  // otherwise it is not uncertain
  at_least(planes, end, static_cast<std::uint64_t>(bound), changes);
  if (counter >= 0) {
    for (std::uint64_t& word : changes.words) word = ~word;
  }
}

bool is_none(const LaneBits& bits) {
  return (bits.words[0] | bits.words[1] | bits.words[2] | bits.words[3]) == 0;
}

void fill(LaneBits& bits, bool value) { bits.words.fill(value ? ~std::uint64_t{0} : 0); }

LaneParts parts_of(const LaneBits& in) {
  LaneParts parts;
  parts[1] = in;
  for (std::size_t w = 0; w < in.words.size(); ++w) parts[2].words[w] = ~in.words[w];
  return parts;
}

}  // namespace

LaneNetwork::LaneNetwork(const FlipNetwork& network, InstructionSet set)
    : network_(network),
      kernels_(column_kernels(set)),
      count_changes_(&select(set, Compiled<count_changes>::portable, Compiled<count_changes>::avx2)) {
  const std::span<const FlipNetwork::Layer> all = network.layers();
  assert(all.size() >= 2);
  std::size_t widest = all.front().width;
  for (const FlipNetwork::Layer& from : all.subspan(1, all.size() - 2)) {
    Layer layer{from.width, from.columns.size() / from.width, from.columns, {}};
    layer.moves.resize(layer.width * layer.codes);
    for (std::size_t code = 0; code < layer.codes; ++code) {
      for (std::size_t n = 0; n < layer.width; ++n) {
        const std::int16_t move = layer.up[code * layer.width + n];
        layer.moves[n * layer.codes + code] = move == 0 ? 0 : move > 0 ? 1 : 2;
      }
    }
    for (std::int16_t& number : layer.up) number = std::max<std::int16_t>(number, 0);
    widest = std::max(widest, layer.width);
    layers_.push_back(std::move(layer));
  }
  const FlipNetwork::Layer& scores = all.back();
  last_codes_ = scores.columns.size() / scores.width;
  for (const ScoreCondition& condition : network.question().property.conditions) {
    std::int64_t unit = 0;
    for (std::uint32_t code = 0; code < last_codes_; ++code) {
      std::int64_t gain = 0;
      for (const auto& [score, factor] : condition.terms) gain += factor * scores.column(code)[score];
      gains_.push_back(gain);
      unit = std::gcd(unit, gain);
    }
    units_.push_back(std::max<std::int64_t>(unit, 1));
    for (std::size_t i = gains_.size() - last_codes_; i < gains_.size(); ++i) gains_[i] /= units_.back();
  }
  uncertain_.resize(widest);
  up_.resize(widest);
  down_.resize(widest);
  nodes_.resize(network.question().property.nodes.size());
}

// Computes from the changes below a layer the changes in it.
void LaneNetwork::take_layer(const Layer& layer, const std::int16_t* counters) {
  for (std::size_t i = 0; i < codes_.size(); ++i) {
    up_[i] = layer.up.data() + codes_[i] * layer.width;
    down_[i] = layer.up.data() + (codes_[i] ^ 1) * layer.width;
  }
  const std::size_t count = kernels_.widen(counters, {up_.data(), codes_.size()},
                                           {down_.data(), codes_.size()}, layer.width, uncertain_.data());
  next_.clear();
  std::size_t left = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t neuron = uncertain_[i] / 2;
    const std::uint8_t* moves = layer.moves.data() + neuron * layer.codes;
    LaneBits changes;
    count_changes_(codes_, parts_.data(), moves, counters[neuron], changes);
    if (is_none(changes)) continue;
    uncertain_[left++] = uncertain_[i];
    next_.push_back(parts_of(changes));
  }
  codes_.assign(uncertain_.begin(), uncertain_.begin() + static_cast<std::ptrdiff_t>(left));
  parts_.swap(next_);
}

// slack + unit * (sum of gains) >= 0, with  -g x = g (not x) - g; false if it holds in no lane.
bool LaneNetwork::take_condition(std::size_t condition, std::int64_t slack, LaneBits& holds) const {
  const std::int64_t* gains = gains_.data() + condition * last_codes_;
  const std::int64_t unit = units_[condition];
  std::int64_t most = 0, lost = 0;
  for (const std::uint32_t code : codes_) {
    most += std::max<std::int64_t>(gains[code], 0);
    lost -= std::min<std::int64_t>(gains[code], 0);
  }
  // The bound on the sums, which are `lost` larger than they are; rounded up.
  const std::int64_t needed = slack >= 0 ? -(slack / unit) : (-slack + unit - 1) / unit;
  if (most < needed) {
    fill(holds, false);
    return false;
  }
  if (-lost >= needed) {
    fill(holds, true);
    return true;
  }
  Vector planes[most_planes] = {};
  const std::size_t end = std::bit_width(static_cast<std::uint64_t>(most + lost));
  for (std::size_t i = 0; i < codes_.size(); ++i) {
    const std::int64_t gain = gains[codes_[i]];
    Vector part;
    load_slice(parts_[i][gain > 0 ? 1 : 2].words.data(), part);
    for (std::uint64_t left = static_cast<std::uint64_t>(gain < 0 ? -gain : gain); left != 0;
         left &= left - 1) {
      Vector x = part;
      add_through(planes, static_cast<std::size_t>(std::countr_zero(left)), end, x);
    }
  }
  at_least(planes, end, static_cast<std::uint64_t>(needed + lost), holds);
  return !is_none(holds);
}

bool LaneNetwork::evaluate(const std::int16_t* state, std::span<const Change> changes, LaneBits& holds) {
  codes_.clear();
  parts_.clear();
  for (const Change& change : changes) {
    codes_.push_back(change.code);
    parts_.push_back(parts_of(change.in));
  }
  for (const Layer& layer : layers_) {
    take_layer(layer, state);
    state += layer.width;
  }
  const Property& property = network_.question().property;
  for (std::size_t n = 0; n < property.nodes.size(); ++n) {
    const Property::Node& node = property.nodes[n];
    if (node.kind == Property::Kind::condition) {
      take_condition(node.condition, slack(property.conditions[node.condition], state), nodes_[n]);
      continue;
    }
    const bool all = node.kind == Property::Kind::all;
    fill(nodes_[n], all);
    for (const std::uint32_t child : node.children) {
      for (std::size_t w = 0; w < nodes_[n].words.size(); ++w) {
        std::uint64_t& word = nodes_[n].words[w];
        word = all ? word & nodes_[child].words[w] : word | nodes_[child].words[w];
      }
    }
  }
  holds = nodes_.back();
  return !is_none(holds);
}

}  // namespace bnnplan::verification
