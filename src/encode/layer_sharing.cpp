// What the neurons of a layer can share, and how to find it.
//
// Take two neurons that read the same n inputs with random signs. Let S be the inputs that both read with the
// same sign and D those they read with different signs. The first counts S + D, the second S + not D. Sort S
// and D once, each about n/2 inputs; then each neuron is one position of a merge of the two, the second with
// D read from its other end (shared_layer.cpp), and takes n + 1 clauses. Alone each neuron would have to sort
// two halves of its own: so pairs halve the cost.
//
// Two pairs refine each other in the same way. Every block of one is cut by every block of the other into the
// part where the signs agree and the part where they differ: 2 x 2 x 2 = 8 blocks of n/8 inputs, from which
// all four blocks of n/2 are merged. And so on with groups of 4, 8, ... neurons, until blocks are so small
// that merging costs more than it saves. Inputs that only one of the groups reads form separate blocks.
//
// The groups to pair are chosen by price. The gain of every possible pair is estimated, pairs are taken
// greedily, best first, and then improved by exchanging partners of two pairs while that helps. The first
// level matters most: of two neurons with |S| far from |D| the larger block needs only |D| + 1 of its
// positions, and trained neurons are often very similar. Equal and opposite neurons are the extreme case.
//
// Measured for 128 neurons of 128 random signs each (docs/encodings.md): 2.6 times fewer clauses and 2.6
// times fewer variables than 128 separate networks. The obvious alternative, cutting the inputs into blocks
// of about log2(128) columns and sorting each of the few sign patterns of a block once, shares only the cheap
// lowest levels of the merge trees, and saves a seventh.
//
// Cost: g^2/2 estimates per level for g groups, a few milliseconds for 128 neurons.

#include "bnnplan/encode/layer_sharing.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <utility>

#include "bnnplan/encode/signed_set.hpp"

namespace bnnplan::encoding {

namespace {

std::size_t as_index(int i) { return static_cast<std::size_t>(i); }

// Prices of whole windows, looked up millions of times: in plain arrays, filled on demand.
class FullPrices {
 public:
  FullPrices(SortingPrices& prices, int largest)
      : prices_(prices),
        stride_(as_index(largest) + 1),
        sorting_(stride_, kUnknown),
        merging_(stride_ * stride_, kUnknown) {}

  std::int64_t sorting(int n) {
    std::int64_t& price = sorting_[as_index(n)];
    if (price == kUnknown) price = sorting(n, {1, n});
    return price;
  }
  std::int64_t sorting(int n, Window window) {
    return prices_.size(n, window).price(prices_.merges().variable_price());
  }
  std::int64_t merging(int p, int q) {
    std::int64_t& price = merging_[as_index(p) * stride_ + as_index(q)];
    if (price == kUnknown) {
      price = prices_.merges().size(p, q, {1, p + q}).price(prices_.merges().variable_price());
    }
    return price;
  }

  // The price of merging sorted parts into one, smallest first; of a neuron's last merge only one position is
  // made. Modifies the sizes.
  std::int64_t uniting(std::vector<int>& sizes, bool is_neuron) {
    std::sort(sizes.begin(), sizes.end(), std::greater<>());
    std::int64_t price = 0;
    while (sizes.size() > 1) {
      const int p = sizes.back();
      sizes.pop_back();
      const int q = sizes.back();
      sizes.pop_back();
      price += is_neuron && sizes.empty() ? p + q + 1 : merging(p, q);
      sizes.insert(std::upper_bound(sizes.begin(), sizes.end(), p + q, std::greater<>()), p + q);
    }
    return price;
  }

 private:
  static constexpr std::int64_t kUnknown = -1;

  SortingPrices& prices_;
  std::size_t stride_;
  std::vector<std::int64_t> sorting_;
  std::vector<std::int64_t> merging_;
};

// Finds a good partner for each of `count` groups from the gains of all pairs: pairs with a positive gain,
// each group in at most one.
class Matching {
 public:
  explicit Matching(std::size_t count) : count_(count), gains_(count * count), partner_(count, kNone) {}

  std::int64_t& gain(std::size_t i, std::size_t j) {
    return gains_[std::min(i, j) * count_ + std::max(i, j)];
  }

  std::vector<std::pair<std::size_t, std::size_t>> solve() {
    match_greedily();
    while (exchange_partners()) {
    }
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    for (std::size_t i = 0; i < count_; ++i) {
      if (partner_[i] != kNone && i < partner_[i]) pairs.emplace_back(i, partner_[i]);
    }
    return pairs;
  }

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  void match_greedily() {
    std::vector<std::pair<std::size_t, std::size_t>> candidates;
    for (std::size_t i = 0; i < count_; ++i) {
      for (std::size_t j = i + 1; j < count_; ++j) {
        if (gain(i, j) > 0) candidates.emplace_back(i, j);
      }
    }
    std::stable_sort(candidates.begin(), candidates.end(), [&](const auto& a, const auto& b) {
      return gain(a.first, a.second) > gain(b.first, b.second);
    });
    for (const auto& [i, j] : candidates) {
      if (partner_[i] == kNone && partner_[j] == kNone) marry(i, j);
    }
  }

  void marry(std::size_t i, std::size_t j) {
    partner_[i] = j;
    partner_[j] = i;
  }

  bool exchange_partners() {
    bool changed = false;
    for (std::size_t a = 0; a < count_; ++a) {
      for (std::size_t c = a + 1; c < count_; ++c) {
        const std::size_t b = partner_[a];
        const std::size_t d = partner_[c];
        if (b == kNone || d == kNone || b == c) continue;
        if (gain(a, c) > 0 && gain(b, d) > 0 && gain(a, c) + gain(b, d) > gain(a, b) + gain(c, d)) {
          marry(a, c);
          marry(b, d);
          changed = true;
        }
      }
    }
    return changed;
  }

  std::size_t count_;
  std::vector<std::int64_t> gains_;
  std::vector<std::size_t> partner_;
};

class SharingPlanner {
 public:
  SharingPlanner(std::span<const ReifiedAtLeast> neurons, SortingPrices& prices)
      : neurons_(neurons),
        variables_(variables_of(neurons)),
        prices_(prices),
        full_prices_(prices, static_cast<int>(variables_.size())) {}

  LayerSharing plan() {
    for (const ReifiedAtLeast& neuron : neurons_) add_neuron(neuron);
    while (pair_groups()) {
    }
    return arrange();
  }

 private:
  struct Block {
    SignedSet set;
    int size = 0;
    std::vector<BlockUse> parts;
    int place = -1;  // in the result, once it is placed
  };

  // Neurons with the blocks of which they are unions.
  struct Group {
    std::vector<int> blocks;
    // For each column: 2 * its block (the number of blocks if in none) + its sign there.
    std::vector<std::uint32_t> labels;
    std::int64_t price = 0;  // of sorting the blocks as they are
    int threshold = 0;       // of a single neuron, with the sign of its block; otherwise 0

    bool is_single() const { return threshold != 0; }
  };

  static std::vector<Var> variables_of(std::span<const ReifiedAtLeast> neurons) {
    std::vector<Var> variables;
    for (const ReifiedAtLeast& neuron : neurons) {
      for (const Lit input : neuron.inputs) variables.push_back(input.var());
    }
    std::sort(variables.begin(), variables.end());
    variables.erase(std::unique(variables.begin(), variables.end()), variables.end());
    return variables;
  }

  Block& block(int index) { return blocks_[as_index(index)]; }
  int size_of(BlockUse use) { return block(use.block).size; }

  // The block of a set; a set and its negation share one.
  BlockUse block_of(SignedSet set) {
    const bool negated = set.starts_negated();
    if (negated) set.negate();
    const auto [known, is_new] = known_.try_emplace(set, static_cast<int>(blocks_.size()));
    if (is_new) {
      const int size = set.size();
      blocks_.push_back({std::move(set), size, {}, -1});
    }
    return {known->second, negated};
  }

  void add_neuron(const ReifiedAtLeast& neuron) {
    SignedSet set((variables_.size() + 63) / 64);
    for (const Lit input : neuron.inputs) {
      const auto place = std::lower_bound(variables_.begin(), variables_.end(), input.var());
      set.insert(static_cast<std::size_t>(place - variables_.begin()), input.negated());
    }
    const BlockUse use = block_of(std::move(set));
    const int n = size_of(use);
    Group group;
    group.blocks = {use.block};
    group.threshold = use.negated ? n + 1 - neuron.threshold : neuron.threshold;
    group.price = prices_.size_at_least(n, neuron.threshold).price(prices_.merges().variable_price());
    set_labels(group);
    groups_.push_back(std::move(group));
    whole_.push_back(use);
  }

  void set_labels(Group& group) {
    group.labels.assign(variables_.size(), 2 * static_cast<std::uint32_t>(group.blocks.size()));
    for (std::uint32_t i = 0; i < group.blocks.size(); ++i) {
      block(group.blocks[i]).set.for_each([&](std::size_t column, bool negated) {
        group.labels[column] = 2 * i + (negated ? 1 : 0);
      });
    }
  }

  // What pairing two single neurons saves, with the windows that their thresholds leave.
  std::int64_t gain_of_pairing_singles(const Group& one, const Group& other) {
    const Block& a = block(one.blocks[0]);
    const Block& b = block(other.blocks[0]);
    const auto [equal, opposite] = a.set.count_equal_and_opposite(b.set);
    const int common = equal + opposite;
    if (common == 0) return 0;
    std::int64_t price = a.size + 1 + b.size + 1;
    if (common == a.size && common == b.size) {
      price +=
          full_prices_.sorting(equal, window_in_pair(equal, opposite, one.threshold, other.threshold, false));
      price += full_prices_.sorting(opposite,
                                    window_in_pair(opposite, equal, one.threshold, other.threshold, true));
      return one.price + other.price - price;
    }
    price += full_prices_.sorting(equal) + full_prices_.sorting(opposite);
    for (const Block* whole : {&a, &b}) {
      price += full_prices_.sorting(whole->size - common);
      if (whole->size == common) continue;
      // Three parts: the two smaller ones are merged, then the neuron reads one position.
      const std::array<int, 3> sizes{equal, opposite, whole->size - common};
      const int largest = *std::max_element(sizes.begin(), sizes.end());
      const int smallest = *std::min_element(sizes.begin(), sizes.end());
      price += full_prices_.merging(smallest, whole->size - largest - smallest);
    }
    return one.price + other.price - price;
  }

  // The positions of a block of `size`, next to one of `rest`, that are read by two neurons which read the
  // other block with the same signs and, if `mirrored`, this one with opposite signs.
  static Window window_in_pair(int size, int rest, int threshold, int other_threshold, bool mirrored) {
    const Window one = needed_of_first(size, rest, {threshold, threshold});
    const Window other = needed_of_first(size, rest, {other_threshold, other_threshold});
    return hull(one, mirrored ? Window{size + 1 - other.last, size + 1 - other.first} : other);
  }

  // What refining the blocks of both groups by each other saves. Counts all pieces in one pass over the
  // columns.
  std::int64_t gain_of_pairing(const Group& one, const Group& other) {
    if (one.is_single() && other.is_single()) return gain_of_pairing_singles(one, other);
    // Pieces of hardly more than one literal save nothing.
    if (one.blocks.size() * other.blocks.size() > variables_.size()) return 0;
    const std::size_t width = 2 * (other.blocks.size() + 1);
    piece_sizes_.assign((one.blocks.size() + 1) * width, 0);
    for (std::size_t column = 0; column < variables_.size(); ++column) {
      const std::uint32_t x = one.labels[column];
      const std::uint32_t y = other.labels[column];
      ++piece_sizes_[(x >> 1) * width + (y ^ (x & 1))];
    }
    std::int64_t price = 0;
    for (std::size_t i = 0; i < one.blocks.size(); ++i) {
      std::int32_t* const sizes = &piece_sizes_[i * width];
      pieces_.clear();
      for (std::size_t j = 0; j + 2 < width; ++j) add_piece(sizes[j], price);
      add_piece(sizes[width - 2] + sizes[width - 1], price);
      price += full_prices_.uniting(pieces_, one.is_single());
    }
    for (std::size_t j = 0; j < other.blocks.size(); ++j) {
      pieces_.clear();
      std::int64_t paid_above = 0;
      for (std::size_t i = 0; i < one.blocks.size(); ++i) {
        add_piece(piece_sizes_[i * width + 2 * j], paid_above);
        add_piece(piece_sizes_[i * width + 2 * j + 1], paid_above);
      }
      const std::int32_t* const not_in_one = &piece_sizes_[one.blocks.size() * width];
      add_piece(not_in_one[2 * j] + not_in_one[2 * j + 1], price);
      price += full_prices_.uniting(pieces_, other.is_single());
    }
    return one.price + other.price - price;
  }

  void add_piece(int size, std::int64_t& price) {
    if (size == 0) return;
    pieces_.push_back(size);
    price += full_prices_.sorting(size);
  }

  // One level: false if no pair saves anything.
  bool pair_groups() {
    Matching matching(groups_.size());
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      for (std::size_t j = i + 1; j < groups_.size(); ++j) {
        matching.gain(i, j) = gain_of_pairing(groups_[i], groups_[j]);
      }
    }
    std::vector<Group> next;
    std::vector<bool> paired(groups_.size());
    for (const auto& [i, j] : matching.solve()) {
      next.push_back(combine(groups_[i], groups_[j]));
      paired[i] = paired[j] = true;
    }
    if (next.empty()) return false;
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      if (!paired[i]) next.push_back(std::move(groups_[i]));
    }
    groups_ = std::move(next);
    return true;
  }

  Group combine(const Group& one, const Group& other) {
    Group refined;
    std::vector<std::vector<BlockUse>> parts_of_other(other.blocks.size());
    std::vector<SignedSet> left_of_other;
    for (const int y : other.blocks) left_of_other.push_back(block(y).set);
    const auto add_block = [&](const SignedSet& set) {
      const BlockUse use = block_of(set);
      refined.blocks.push_back(use.block);
      refined.price += full_prices_.sorting(size_of(use));
      return use;
    };
    for (const int x : one.blocks) {
      std::vector<BlockUse> parts;
      SignedSet left = block(x).set;
      for (std::size_t j = 0; j < other.blocks.size(); ++j) {
        for (const bool opposite : {false, true}) {
          const SignedSet piece = block(x).set.common(block(other.blocks[j]).set, opposite);
          if (piece.size() == 0) continue;
          const BlockUse use = add_block(piece);
          parts.push_back(use);
          parts_of_other[j].push_back({use.block, use.negated != opposite});
          left.remove(piece);
          left_of_other[j].remove(piece);
        }
      }
      if (left.size() > 0) parts.push_back(add_block(left));
      set_parts(x, std::move(parts));
    }
    for (std::size_t j = 0; j < other.blocks.size(); ++j) {
      if (left_of_other[j].size() > 0) parts_of_other[j].push_back(add_block(left_of_other[j]));
      set_parts(other.blocks[j], std::move(parts_of_other[j]));
    }
    set_labels(refined);
    return refined;
  }

  // The first decomposition of a block is kept: another group may have had the same block. A single part is
  // the block itself.
  void set_parts(int index, std::vector<BlockUse> parts) {
    if (block(index).parts.empty() && parts.size() > 1) block(index).parts = std::move(parts);
  }

  // Replaces parts by their unions, smallest first, until two are left.
  void unite_until_two(std::vector<BlockUse>& parts) {
    while (parts.size() > 2) {
      std::stable_sort(parts.begin(), parts.end(),
                       [&](BlockUse a, BlockUse b) { return size_of(a) > size_of(b); });
      const BlockUse one = parts.back();
      parts.pop_back();
      const BlockUse other = parts.back();
      SignedSet set = block(one.block).set;
      if (one.negated != other.negated) set.negate();
      set.unite(block(other.block).set);
      if (other.negated) set.negate();
      const BlockUse both = block_of(std::move(set));
      set_parts(both.block,
                {{one.block, one.negated != both.negated}, {other.block, other.negated != both.negated}});
      parts.back() = both;
    }
  }

  std::vector<BlockUse> split(int index, int count) {
    SignedSet rest = block(index).set;
    SignedSet first = rest.take_first(count);
    const BlockUse one = block_of(std::move(first));
    return {one, block_of(std::move(rest))};
  }

  // Puts a block into the result, after its parts; returns its position.
  int place_of(int index, LayerSharing& sharing) {
    if (block(index).place >= 0) return block(index).place;
    const int n = block(index).size;
    std::vector<BlockUse> parts = block(index).parts;
    unite_until_two(parts);
    if (parts.empty() && n > 1) {
      const int count = prices_.split(n, {1, n});
      if (count > 0) parts = split(index, count);
    }
    SharedBlock shared;
    for (const BlockUse part : parts) shared.parts.push_back({place_of(part.block, sharing), part.negated});
    block(index).set.for_each([&](std::size_t column, bool negated) {
      shared.literals.push_back(Lit::of(variables_[column], negated));
    });
    block(index).place = static_cast<int>(sharing.blocks.size());
    sharing.blocks.push_back(std::move(shared));
    return block(index).place;
  }

  LayerSharing arrange() {
    LayerSharing sharing;
    for (std::size_t i = 0; i < whole_.size(); ++i) {
      const BlockUse whole = whole_[i];
      std::vector<BlockUse> parts = block(whole.block).parts;
      if (parts.empty())
        parts = split(whole.block, prices_.split_at_least(size_of(whole), neurons_[i].threshold));
      unite_until_two(parts);
      std::array<BlockUse, 2> two;
      for (const std::size_t side : {0, 1})
        two[side] = {place_of(parts[side].block, sharing), parts[side].negated != whole.negated};
      sharing.neurons.push_back(two);
    }
    return sharing;
  }

  std::span<const ReifiedAtLeast> neurons_;
  std::vector<Var> variables_;
  SortingPrices& prices_;
  FullPrices full_prices_;
  std::vector<Block> blocks_;
  std::unordered_map<SignedSet, int, SignedSet::Hash> known_;
  std::vector<BlockUse> whole_;  // of each neuron
  std::vector<Group> groups_;
  std::vector<std::int32_t> piece_sizes_;
  std::vector<int> pieces_;
};

}  // namespace

LayerSharing plan_layer_sharing(std::span<const ReifiedAtLeast> neurons, SortingPrices& prices) {
  return SharingPlanner(neurons, prices).plan();
}

}  // namespace bnnplan::encoding
