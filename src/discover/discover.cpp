// The loop between a model and its world: learn from what was seen, plan in the model, try the plan in the
// world. Where the world does something else, that is the next thing to learn; if the model has no plan, ask
// what promises to teach the most.
//
// The model is built by covering (learn/cover.hpp), which is right on everything seen: the same mistake is
// never made twice, so the loop ends in any finite world. What was never seen is guessed by analogy
// (analogy.hpp) for everything that can be reached from the initial state, up to some thousand pairs, and the
// network covers these guesses as well: plans rely on what is likely, not on whatever a covering happens to
// predict there. An optimistic guess is refuted by the plan that relies on it. A pessimistic one is not; so
// if there is no plan, the guesses about one family of variables are left out (hope). A guess never proves
// anything: what could refute a plan is the frontier (frontier.hpp), the pairs that a cheaper plan could
// begin with and that were never asked. `prove` asks them.
//
// What to ask without a plan: the pair with the most combinations of one action bit and one state bit that
// were never seen together (novelty, Lipovetzky and Geffner 2012, of pairs of facts), preferably where
// guesses about such actions were wrong before, and first of all actions that never did anything. One at a
// time; after many questions, a hundredth of their number at a time, so that a large world needs few rounds.
#include "bnnplan/discover/discover.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "bnnplan/base/input_error.hpp"
#include "bnnplan/base/random.hpp"
#include "bnnplan/discover/analogy.hpp"
#include "bnnplan/discover/frontier.hpp"
#include "bnnplan/learn/cover.hpp"
#include "bnnplan/learn/evaluate.hpp"

namespace bnnplan::discovery {

namespace {

constexpr std::size_t most_frontier = 50'000;
constexpr std::size_t most_guesses = 4'000;
constexpr std::size_t most_conditions = std::size_t{1} << 20;
constexpr int episode_steps = 100;        // of a random walk, before it begins again
constexpr std::size_t asked_share = 100;  // explore questions / asked_share at a time
constexpr std::size_t proof_share = 10;

// Whether an action bit (or no action bit) was seen together with a value of a state bit.
class Novelty {
 public:
  explicit Novelty(const Problem& problem)
      : states_(problem.state.bit_count()), seen_((problem.action.bit_count() + 1) * states_ * 2, false) {}

  std::size_t of(const BitValues& state, const BitValues& action) const {
    std::size_t fresh = 0;
    visit(state, action, [&](std::size_t place) { fresh += seen_[place] ? 0 : 1; });
    return fresh;
  }

  void see(const BitValues& state, const BitValues& action) {
    visit(state, action, [&](std::size_t place) { seen_[place] = true; });
  }

 private:
  template <class Visit>
  void visit(const BitValues& state, const BitValues& action, const Visit& at) const {
    bool idle = true;
    const auto all = [&](std::size_t row) {
      for (std::size_t bit = 0; bit < states_; ++bit)
        at((row * states_ + bit) * 2 + (state[bit] == 1 ? 1 : 0));
    };
    for (std::size_t i = 0; i < action.size(); ++i) {
      if (action[i] != 1) continue;
      idle = false;
      all(i);
    }
    if (idle) all(action.size());
  }

  std::size_t states_;
  std::vector<bool> seen_;
};

class Discovery {
 public:
  Discovery(Problem problem, World& world, const DiscoverOptions& options)
      : world_(world),
        options_(options),
        facts_(problem),
        analogy_(problem),
        novelty_(problem),
        watch_(options.limits),
        random_(options.limits.seed) {
    result_.problem = std::move(problem);
    result_.obstacle = frontier_obstacle(result_.problem);
    for (const std::uint32_t bit : result_.problem.network_outputs) learned_.push_back(bit);
  }

  Discovered run() {
    try {
      while (turn()) {
      }
    } catch (const OutOfQuestions&) {
      result_.out_of_questions = true;
    }
    conclude();
    return std::move(result_);
  }

 private:
  struct OutOfQuestions {};

  // With the actions of one kind.
  struct Experience {
    std::size_t asked = 0, wrong = 0;  // wrong: how often the guess was
    bool effective = false;            // one of them changed something
  };

  Problem& problem() { return result_.problem; }

  // Returns false at the end.
  bool turn() {
    if (watch_.should_stop()) return false;
    if (facts_.size() > 0) learn();
    DiscoverRound round;
    round.facts = facts_.size();
    result_.outcome = options_.plan(problem());
    // Nor will there be room for the next plan.
    if (!result_.outcome.plan && result_.outcome.stopped == StopReason::memory)
      watch_.stop(StopReason::memory);
    if (!result_.outcome.plan && guessing() && facts_.size() > 0) hope();
    round.status = result_.outcome.status;
    round.promised = result_.outcome.plan ? result_.outcome.cost : std::nullopt;
    const bool go_on = result_.outcome.plan ? try_plan(round) : explore(std::nullopt, round);
    round.questions = result_.questions;
    round.seconds = watch_.seconds();
    result_.rounds.push_back(round);
    if (options_.round) options_.round(round);
    return go_on;
  }

  // If there is no plan, a guess may be too pessimistic: an effect seen in some places is assumed everywhere.
  // Is there a plan if one family of variables changes only where it was seen to? Then try that plan.
  void hope() {
    for (std::size_t family = 0; family < analogy_.families() && !watch_.should_stop(); ++family) {
      if (!analogy_.has_rules(family)) continue;
      learn(family);
      const engines::Outcome outcome = options_.plan(problem());
      if (!outcome.plan) continue;
      result_.outcome = outcome;
      return;
    }
    learn();
  }

  bool guessing() const { return options_.asking == Asking::by_plan && result_.obstacle.empty(); }

  void learn(std::size_t resting = Analogy::none) {
    const learning::DataSet data = with_guesses(resting).data();
    learning::CoverOptions cover_options;
    cover_options.few_inputs = true;
    cover_options.most_conditions = most_conditions;
    cover_options.threads = options_.limits.threads;
    cover_options.interrupt = options_.limits.interrupt;
    std::optional<Network> network = learning::cover(data, learning::whole(data), cover_options);
    if (!network) return;
    problem().network = std::move(*network);
    connect_network(problem());
  }

  // The facts, and the guesses that follow by analogy for everything that a plan could reach, up to a limit.
  WorldFacts with_guesses(std::size_t resting) {
    WorldFacts all = facts_;
    if (!guessing()) return all;
    if (resting == Analogy::none &&
        !analogy_.learn(facts_, options_.limits.threads, options_.limits.interrupt))
      return all;
    std::vector<BitValues> layer{problem().initial};
    std::unordered_set<std::string> reached{std::string(layer[0].begin(), layer[0].end())};
    for (int step = 1; step <= problem().horizon && !layer.empty(); ++step) {
      std::vector<BitValues> next_layer;
      for (const BitValues& state : layer) {
        if (watch_.should_stop()) return all;
        for (const BitValues& action : actions_in(state)) {
          const std::size_t known = all.find(state, action);
          const BitValues next =
              known != WorldFacts::none ? all[known].next : analogy_.next(state, action, resting);
          if (known == WorldFacts::none) {
            if (all.size() - facts_.size() >= most_guesses) return all;
            all.add(state, action, next);
          }
          if (reached.emplace(next.begin(), next.end()).second) next_layer.push_back(next);
        }
      }
      layer = std::move(next_layer);
    }
    return all;
  }

  const std::vector<BitValues>& actions_in(const BitValues& state) {
    const auto [at, added] = actions_.try_emplace(std::string(state.begin(), state.end()));
    if (added) at->second = legal_actions(problem(), state, watch_);
    return at->second;
  }

  // Returns whether the loop continues.
  bool try_plan(DiscoverRound& round) {
    const Plan& plan = *result_.outcome.plan;
    round.parts = first_difference(plan, [&](const BitValues& state, const BitValues& action) {
      return options_.asking == Asking::random ? world_after(state, action) : ask(state, action);
    });
    round.holds = round.parts == 0;
    if (!round.holds) return options_.asking == Asking::by_plan || explore(std::nullopt, round);
    if (!result_.plan || *result_.outcome.cost <= result_.cost) {
      result_.plan = plan;
      result_.cost = *result_.outcome.cost;
    }
    if (options_.until_cost && result_.cost <= *options_.until_cost) return false;
    if (!options_.prove && !options_.until_cost) return false;
    return explore(result_.cost, round);
  }

  // The step after which the world's state, by next(state, action), differs from the plan's; 0 if it never
  // does.
  template <class Next>
  int first_difference(const Plan& plan, const Next& next) const {
    BitValues state = plan.initial;
    for (std::size_t t = 0; t < plan.steps.size(); ++t) {
      const PlanStep& step = plan.steps[t];
      const BitValues world = next(state, step.action);
      if (std::any_of(learned_.begin(), learned_.end(),
                      [&](std::uint32_t bit) { return world[bit] != step.state[bit]; }))
        return static_cast<int>(t) + 1;
      state = step.state;
    }
    return 0;
  }

  // All statements about the world rely on remembered answers, so the plan is replayed once more without
  // them.
  void play() {
    if (result_.plan) {
      const int step = first_difference(*result_.plan, [&](const BitValues& state, const BitValues& action) {
        return world_after(state, action);
      });
      if (step > 0)
        throw InputError(
            fmt::format("the world is not deterministic: step {} of the plan, which held before, ends "
                        "in another state when the plan is replayed from the start",
                        step));
    }
    world_.expect_silence();
  }

  // Asks for the newest pairs that a plan below this cost could begin with. Returns false if there are none.
  bool explore(std::optional<std::int64_t> below, DiscoverRound& round) {
    // A proof requires that all of them are asked.
    const bool all = options_.prove && below;
    const std::size_t wanted =
        std::max<std::size_t>(1, result_.questions / (all ? proof_share : asked_share));
    if (options_.asking == Asking::random) {
      for (round.explored = 0; round.explored < wanted; ++round.explored) walk();
      return true;
    }
    if (!result_.obstacle.empty()) {
      // The known part of the state is not enough to search it; use episodes instead. It ends when these meet
      // nothing new.
      constexpr std::size_t most_known_steps = 20'000;
      for (std::size_t steps = 0; round.explored < wanted && steps < most_known_steps; ++steps) {
        const std::size_t known = facts_.size();
        walk();
        if (facts_.size() > known) {
          ++round.explored;
          steps = 0;
        }
        if (watch_.should_stop()) break;
      }
      return !below && round.explored > 0;
    }
    Frontier open = frontier(problem(), facts_, below, most_frontier, watch_);
    while (round.explored < wanted && !open.pairs.empty()) {
      std::size_t best = 0;
      double most = -1;
      for (std::size_t i = 0; i < open.pairs.size(); ++i) {
        const double worth = worth_asking(open.pairs[i]);
        if (worth <= most) continue;
        best = i;
        most = worth;
      }
      ask(open.pairs[best].state, open.pairs[best].action);
      open.pairs.erase(open.pairs.begin() + static_cast<std::ptrdiff_t>(best));
      ++round.explored;
    }
    return round.explored > 0;
  }

  // How much a question is likely to teach: the more of it is new, and the more often the guess was wrong
  // about such actions, the better. Actions that never did anything come first: there must be a place where
  // they do.
  double worth_asking(const UnseenPair& pair) const {
    const auto found = experience_.find(analogy_.kind_of_action(pair.action));
    const Experience known = found == experience_.end() ? Experience{} : found->second;
    const double wrong = (1.0 + static_cast<double>(known.wrong)) / (2.0 + static_cast<double>(known.asked));
    const double worth = wrong * static_cast<double>(1 + novelty_.of(pair.state, pair.action));
    const bool idle = std::find(pair.action.begin(), pair.action.end(), BitValue{1}) == pair.action.end();
    if (idle) return worth - 1e-6;  // of two equally promising pairs, prefer the one with an action
    return known.asked > 0 && !known.effective ? worth + 1e6 : worth;
  }

  // One step of an episode of random legal actions.
  void walk() {
    if (episode_.empty() || steps_ == std::max(episode_steps, problem().horizon)) {
      episode_ = problem().initial;
      std::replace(episode_.begin(), episode_.end(), unknown_bit, BitValue{0});
      steps_ = 0;
    }
    std::vector<BitValues> actions = legal_actions(problem(), episode_, watch_);
    if (actions.empty()) {
      if (steps_ == 0) throw InputError("no action is allowed in the initial state");
      episode_.clear();
      return;
    }
    const BitValues& action = actions[random_.below(actions.size())];
    ++steps_;
    const std::size_t known = facts_.find(episode_, action);
    if (known != WorldFacts::none) {
      if (options_.asking == Asking::random) count_question();
      episode_ = facts_[known].next;
    } else {
      episode_ = ask(episode_, action);
    }
  }

  void count_question() {
    if (result_.questions >= options_.most_questions) throw OutOfQuestions();
    ++result_.questions;
  }

  // Asks the world, and remembers the answer.
  BitValues ask(const BitValues& state, const BitValues& action) {
    const std::size_t known = facts_.find(state, action);
    if (known != WorldFacts::none) return facts_[known].next;
    count_question();
    BitValues next = world_after(state, action);
    Experience& experience = experience_[analogy_.kind_of_action(action)];
    ++experience.asked;
    experience.wrong += analogy_.next(state, action) != next ? 1 : 0;
    experience.effective |= state != next;
    novelty_.see(state, action);
    facts_.add(state, action, next);
    return next;
  }

  BitValues world_after(const BitValues& state, const BitValues& action) {
    std::string why;
    std::optional<BitValues> next = world_.next(state, action, why);
    if (!next)
      throw InputError(fmt::format(
          "the world refuses an action that the problem allows{}: expected a constraint that forbids it",
          why.empty() ? "" : fmt::format(" ({})", printable(why))));
    for (const std::uint32_t bit : learned_) {
      if ((*next)[bit] == unknown_bit)
        throw InputError(fmt::format("the world does not give '{}' after a step",
                                     printable(problem().state.bit_name(bit))));
    }
    // Bits that the model does not learn follow from known transitions; for a walk they do not matter.
    std::replace(next->begin(), next->end(), unknown_bit, BitValue{0});
    return *next;
  }

  void conclude() {
    result_.stopped = watch_.reason();
    result_.data = facts_.data();
    const engines::Outcome& outcome = result_.outcome;
    result_.optimal_in_model =
        result_.plan && outcome.status == Status::optimal && outcome.cost == result_.cost;
    // A signal may have ended the world as well, which then cannot be asked any more.
    if (options_.limits.interrupt != nullptr && *options_.limits.interrupt)
      result_.stopped = StopReason::interrupted;
    if (result_.stopped == StopReason::interrupted) return;
    play();
    if (result_.plan) result_.world = WorldStatus::valid;
    if (!result_.obstacle.empty() || facts_.size() == 0 || options_.asking == Asking::random) return;
    if (!result_.plan && outcome.status != Status::infeasible) return;
    LimitWatch watch{Limits{}};
    const Frontier open = frontier(
        problem(), facts_, result_.plan ? std::optional(result_.cost) : std::nullopt, most_frontier, watch);
    result_.unseen = open.pairs.size();
    result_.unseen_complete = open.complete;
    if (!open.complete || !open.pairs.empty()) return;
    // The planner's answer counts only if its model is right on everything seen.
    const learning::DataSet& data = result_.data;
    if (evaluate(*problem().network, data, learning::whole(data)).wrong_transitions > 0) return;
    if (result_.plan && result_.optimal_in_model) result_.world = WorldStatus::optimal;
    if (!result_.plan) result_.world = WorldStatus::infeasible;
  }

  World& world_;
  const DiscoverOptions& options_;
  WorldFacts facts_;
  Analogy analogy_;
  std::unordered_map<std::string, std::vector<BitValues>> actions_;  // legal in a state
  std::map<std::string, Experience> experience_;
  Novelty novelty_;
  LimitWatch watch_;
  Random random_;
  std::vector<std::uint32_t> learned_;  // state bits
  BitValues episode_;                   // where the random walk is
  int steps_ = 0;
  Discovered result_;
};

}  // namespace

Discovered discover(Problem problem, World& world, const DiscoverOptions& options) {
  return Discovery(std::move(problem), world, options).run();
}

}  // namespace bnnplan::discovery
