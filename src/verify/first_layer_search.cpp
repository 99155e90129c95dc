// Instead of all sets of flips, all sets of neurons of the first layer that change by them (crossing_flips):
// with 683 inputs there are 9 billion sets of four flips, but only some 34 of 200 neurons can change by them,
// and of those that need many flips only few together.
//
// With at most m flips, a neuron that needs more than m - 2 changes only if none of the flips harms it. Such
// neurons tell much about flips: each of them halves the possible ones. So, depth first, all sets T of such
// neurons are visited; for each T, with the flips P that are left, one of
//
//   all sets of the other neurons, which tell nothing about flips, added to T: 2^free candidates, 256 at
//     once (lane_network); after them, T and one more;
//   all sets of flips in P, if they are few (crossing_patterns): these cover everything that is added to T.
//
// A set of neurons that makes the property hold is an answer only if there are flips that change exactly
// these. Three flips of 683 inputs take some 0.05 s instead of 53 million evaluations, four take seconds.
#include "bnnplan/verify/first_layer_search.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>

#include "bnnplan/base/worker_pool.hpp"
#include "bnnplan/verify/crossing_flips.hpp"
#include "bnnplan/verify/crossing_patterns.hpp"
#include "bnnplan/verify/lane_network.hpp"

namespace bnnplan::verification {

namespace {

constexpr std::size_t most_neurons = 64;  // patterns of them are words
constexpr std::size_t low_neurons = 8;    // 2^8 candidates are lanes
constexpr std::size_t most_free = 40;
// The work per T, in candidates, and how many sets of flips take as long as a candidate.
constexpr double candidates_a_node = 200, sets_a_candidate = 0.5;
// Work is counted in single evaluations (flip_network): this many candidates or sets take as long as one.
constexpr std::uint64_t candidates_an_evaluation = 20, sets_an_evaluation = 60;
// Less work is done before threads have started.
constexpr std::uint64_t worth_threads = 1'000'000;

// The number of sets of at most m of n.
double sets_of(std::int32_t n, std::int32_t m) {
  double all = 0, exactly = 1;
  for (std::int32_t k = 0; k <= m && k <= n; ++k) {
    all += exactly;
    exactly = exactly * (n - k) / (k + 1);
  }
  return all;
}

std::int32_t count_of(const FlipBits& bits) {
  std::int32_t count = 0;
  for (const std::uint64_t one : bits) count += std::popcount(one);
  return count;
}

// Whether it is quicker to try all sets of `flips` flips, at most m at once, than to continue by neurons.
// Each of the `telling` neurons that are left halves the flips, so below d of them
//   time(d, telling) = least of  sets of flips / 2^d,  2^free + sum over i < telling of time(d + 1, i)
bool are_flips_quicker(std::int32_t flips, std::int32_t m, std::size_t telling, std::size_t free) {
  const double by_neurons =
      candidates_a_node + (free > most_free ? 1e30 : std::exp2(static_cast<double>(free)));
  const auto by_flips = [&](std::int32_t count) { return 100 + sets_of(count, m) / sets_a_candidate; };
  std::int32_t depth = 0;
  while (flips >> depth > m) ++depth;
  std::array<double, most_neurons + 1> below = {}, here = {};
  for (; depth >= 0; --depth) {
    double sum = by_neurons;
    for (std::size_t t = 0; t <= telling; ++t) {
      here[t] = std::min(by_flips(flips >> depth), sum);
      sum += below[t];
    }
    below = here;
  }
  return here[telling] >= by_flips(flips);
}

// What the threads of one search share.
struct Shared {
  const FlipQuestion& question;
  const FlipNetwork& network;
  const CrossingFlips& crossing;
  LimitWatch& watch;
  std::atomic<std::int64_t> work;  // work left
  std::atomic<bool> stopped = false;
  // The first part in which a set was found.
  std::atomic<std::size_t> found_at = ~std::size_t{0};
};

// A set T of neurons that have changed.
struct Node {
  FlipState state;                     // of the layers above the first
  FlipBits flips;                      // those that may be part of a set that changes T
  std::int32_t most = 0;               // at most this many of them at once
  std::vector<std::uint32_t> telling;  // neurons that may be added, and tell something about flips
  std::vector<std::uint32_t> free;     // those that tell nothing
  std::uint64_t pattern = 0;           // T
};

bool are_flips_quicker(const Node& node) {
  return are_flips_quicker(count_of(node.flips), node.most, node.telling.size(), node.free.size());
}

// One thread.
class FirstLayerWorker {
 public:
  explicit FirstLayerWorker(Shared& shared)
      : shared_(shared),
        question_(shared.question),
        network_(shared.network),
        crossing_(shared.crossing),
        patterns_(shared.question, shared.crossing),
        lanes_(shared.network),
        scratch_(shared.network.scratch()) {}

  std::uint64_t evaluations = 0;

  // Part 0 is the root itself, by flips or neurons, part i the sets whose first neuron is its i-th telling
  // one. The set found in the earliest part counts, so that the result does not depend on the threads.
  std::optional<FlipSet> run(const Node& root, std::size_t part) {
    part_ = part;
    best_.reset();
    if (part > 0) {
      std::uint64_t refused = 0;
      for (std::size_t i = 0; i + 1 < part; ++i) refused |= std::uint64_t{1} << root.telling[i];
      add(root, part - 1, refused);
    } else if (are_flips_quicker(root)) {
      try_flips(root, 0);
    } else {
      try_neurons(root);
    }
    flush();
    if (best_) {
      std::size_t first = shared_.found_at;
      while (part < first && !shared_.found_at.compare_exchange_weak(first, part)) {
      }
    }
    return std::move(best_);
  }

 private:
  bool ends() const { return best_ || shared_.stopped || shared_.found_at < part_; }

  void count_work(std::uint64_t work) {
    if (shared_.work.fetch_sub(static_cast<std::int64_t>(work)) <= static_cast<std::int64_t>(work))
      shared_.stopped = true;
    since_look_ += work;
    if (since_look_ < 4096) return;
    since_look_ = 0;
    if (shared_.watch.should_stop()) shared_.stopped = true;
  }

  // All sets that extend this one; `refused` are neurons that must not change.
  void visit(const Node& here, std::uint64_t refused) {
    if (are_flips_quicker(here)) return try_flips(here, refused);
    try_neurons(here);
    for (std::size_t i = 0; i < here.telling.size() && !ends(); ++i) {
      add(here, i, refused);
      refused |= std::uint64_t{1} << here.telling[i];
    }
  }

  void add(const Node& here, std::size_t place, std::uint64_t refused) {
    const std::uint32_t n = here.telling[place];
    const CrossingFlips::Neuron& neuron = crossing_.neurons()[n];
    Node next;
    next.pattern = here.pattern | std::uint64_t{1} << n;
    next.flips = here.flips;
    count_work(1);
    if (!crossing_.restrict(next.flips, members(next.pattern))) return;
    next.most = crossing_.affordable(next.flips);
    next.state.resize(here.state.size());
    // The margin of these states does not matter.
    network_.flip_neuron(neuron.code / 2, neuron.code % 2 != 0, here.state.data(), 0, next.state.data(),
                         scratch_);
    // With fewer flips, more neurons tell something.
    const auto sort_in = [&](std::uint32_t other) {
      const std::int32_t need = crossing_.neurons()[other].need;
      if (crossing_.affordable(next.flips, other) < need) return;
      (need > next.most - 2 ? next.telling : next.free).push_back(other);
    };
    for (std::size_t i = place + 1; i < here.telling.size(); ++i) sort_in(here.telling[i]);
    for (const std::uint32_t other : here.free) sort_in(other);
    visit(next, refused);
  }

  static std::vector<std::uint32_t> members(std::uint64_t pattern) {
    std::vector<std::uint32_t> neurons;
    for (; pattern != 0; pattern &= pattern - 1)
      neurons.push_back(static_cast<std::uint32_t>(std::countr_zero(pattern)));
    return neurons;
  }

  // T with any of the free neurons: the first ones as lanes, the others one after the other, as in a Gray
  // code.
  void try_neurons(const Node& here) {
    static constexpr std::uint64_t alternating[] = {0xaaaaaaaaaaaaaaaa, 0xcccccccccccccccc,
                                                    0xf0f0f0f0f0f0f0f0, 0xff00ff00ff00ff00,
                                                    0xffff0000ffff0000, 0xffffffff00000000};
    const std::size_t low = std::min(low_neurons, here.free.size()), high = here.free.size() - low;
    std::vector<LaneNetwork::Change> changes(low);
    for (std::size_t i = 0; i < low; ++i) {
      changes[i].code = crossing_.neurons()[here.free[i]].code;
      for (std::size_t w = 0; w < changes[i].in.words.size(); ++w)
        changes[i].in.words[w] = i < 6 ? alternating[i] : (w >> (i - 6) & 1) != 0 ? ~std::uint64_t{0} : 0;
    }
    FlipState state = here.state;
    std::uint64_t pattern = here.pattern;
    for (std::uint64_t step = 1;; ++step) {
      LaneBits holds;
      if (lanes_.evaluate(state.data(), changes, holds)) look_for_flips(here, low, pattern, holds);
      evaluations += std::uint64_t{1} << low;
      count_work((lanes + candidates_an_evaluation - 1) / candidates_an_evaluation);
      if (step == std::uint64_t{1} << high || ends()) return;
      const std::uint32_t n = here.free[low + static_cast<std::size_t>(std::countr_zero(step))];
      pattern ^= std::uint64_t{1} << n;
      const std::uint32_t code = crossing_.neurons()[n].code;
      const bool changed = (pattern >> n & 1) != 0;
      network_.flip_neuron(code / 2, (code % 2 != 0) == changed, state.data(), 0, state.data(), scratch_);
    }
  }

  // For neurons with which the property holds: looks for flips that change exactly them.
  void look_for_flips(const Node& here, std::size_t low, std::uint64_t pattern, const LaneBits& holds) {
    for (std::size_t lane = 0; lane < std::size_t{1} << low && !ends(); ++lane) {
      if ((holds.words[lane / 64] >> lane % 64 & 1) == 0) continue;
      std::uint64_t whole = pattern;
      for (std::size_t i = 0; i < low; ++i) {
        if ((lane >> i & 1) != 0) whole |= std::uint64_t{1} << here.free[i];
      }
      const std::vector<std::uint32_t> changed = members(whole);
      FlipBits flips = here.flips;
      if (!crossing_.restrict(flips, changed)) continue;
      const auto before = static_cast<std::uint64_t>(std::max<std::int64_t>(shared_.work, 1));
      std::uint64_t steps = before;
      best_ = crossing_.find(std::move(flips), changed, steps, shared_.watch);
      count_work(before - steps);
    }
  }

  // All sets of these flips that change T, and possibly other neurons, except for those already tried.
  void try_flips(const Node& here, std::uint64_t refused) {
    CrossingPatterns::Visit visit;
    visit.changed = here.pattern;
    visit.refused = refused;
    visit.found = [&](std::uint64_t pattern, const FlipSet& set) {
      candidates_[held_] = pattern;
      sets_[held_] = set;
      if (++held_ == lanes) flush();
      return !ends();
    };
    visit.went_on = [&](std::uint64_t sets) {
      count_work(sets / sets_an_evaluation + 1);
      return !ends();
    };
    patterns_.each_set(here.flips, visit);
  }

  // Evaluates the candidates collected.
  void flush() {
    if (held_ == 0) return;
    evaluations += held_;
    changes_.clear();
    std::uint64_t any = 0;
    for (std::size_t lane = 0; lane < held_; ++lane) any |= candidates_[lane];
    std::array<std::uint8_t, most_neurons> place;
    for (; any != 0; any &= any - 1) {
      const auto n = static_cast<std::size_t>(std::countr_zero(any));
      place[n] = static_cast<std::uint8_t>(changes_.size());
      changes_.push_back({crossing_.neurons()[n].code, {}});
    }
    for (std::size_t lane = 0; lane < held_; ++lane) {
      for (std::uint64_t left = candidates_[lane]; left != 0; left &= left - 1) {
        LaneBits& in = changes_[place[static_cast<std::size_t>(std::countr_zero(left))]].in;
        in.words[lane / 64] |= std::uint64_t{1} << lane % 64;
      }
    }
    LaneBits holds;
    if (lanes_.evaluate(network_.start().data() + network_.first_width(), changes_, holds)) {
      for (std::size_t lane = 0; lane < held_ && !best_; ++lane) {
        if ((holds.words[lane / 64] >> lane % 64 & 1) != 0) best_ = sets_[lane];
      }
    }
    held_ = 0;
    count_work(2 * lanes / candidates_an_evaluation);
  }

  Shared& shared_;
  const FlipQuestion& question_;
  const FlipNetwork& network_;
  const CrossingFlips& crossing_;
  CrossingPatterns patterns_;
  LaneNetwork lanes_;
  FlipNetwork::Scratch scratch_;
  std::uint64_t since_look_ = 0;
  std::size_t part_ = 0;
  std::optional<FlipSet> best_;
  std::vector<LaneNetwork::Change> changes_;
  std::array<std::uint64_t, lanes> candidates_;
  std::array<FlipSet, lanes> sets_;
  std::size_t held_ = 0;
};

Node root_node(const FlipNetwork& network, const CrossingFlips& crossing) {
  Node root;
  root.flips = crossing.all_flips();
  root.most = crossing.affordable(root.flips);
  root.state.assign(network.start().begin() + static_cast<std::ptrdiff_t>(network.first_width()),
                    network.start().end());
  for (std::uint32_t n = 0; n < crossing.neurons().size(); ++n) {
    (crossing.neurons()[n].need > root.most - 2 ? root.telling : root.free).push_back(n);
  }
  return root;
}

}  // namespace

bool has_first_layer(const FlipQuestion& question) {
  return !question.largest && !question.network->layers.empty();
}

EnumerationOutcome search_first_layer(const FlipQuestion& question, const FlipNetwork& network,
                                      std::int64_t budget, std::uint64_t& work, LimitWatch& watch) {
  assert(network.start_margin() < 0);
  const CrossingFlips crossing(question, network, budget);
  EnumerationOutcome outcome;
  if (crossing.neurons().size() > most_neurons) return outcome;
  const Node root = root_node(network, crossing);
  if (root.most > CrossingPatterns::most_flips) return outcome;
  constexpr auto most_work = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  Shared shared{question, network, crossing, watch, {static_cast<std::int64_t>(std::min(work, most_work))}};
  const std::size_t parts = are_flips_quicker(root) ? 1 : root.telling.size() + 1;
  const std::size_t threads = work >= worth_threads ? watch.limits().threads : 1;
  WorkerPool pool(static_cast<unsigned>(std::clamp<std::size_t>(threads, 1, parts)));
  std::vector<std::unique_ptr<FirstLayerWorker>> workers(pool.size());
  std::vector<std::optional<FlipSet>> found(parts);
  pool.run(parts, [&](unsigned worker, std::size_t part) {
    if (!workers[worker]) workers[worker] = std::make_unique<FirstLayerWorker>(shared);
    if (!shared.stopped && part < shared.found_at) found[part] = workers[worker]->run(root, part);
  });
  for (const auto& worker : workers) {
    if (worker) outcome.evaluations += worker->evaluations;
  }
  if (shared.found_at < parts) outcome.best = found[shared.found_at];
  outcome.complete = !shared.stopped;
  work = static_cast<std::uint64_t>(std::max<std::int64_t>(shared.work, 0));
  return outcome;
}

}  // namespace bnnplan::verification
