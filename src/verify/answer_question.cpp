// The portfolio of a question. In turns, each about four times as long as the one before:
//
//   local search   for an upper bound; by annealing if only the largest flip counts or nothing else was found
//   first layer    all sets of its neurons that can change within a budget: a lower bound, often the end
//   enumeration    of all sets of flips up to a cost, as far as feasible: a lower bound, often the end
//   solver         for what is left, with both bounds
//
// Turns are measured in evaluations and conflicts, not in time, so that answers are reproducible.
#include "bnnplan/verify/answer_question.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "bnnplan/engines/pseudo_boolean/solve_pb.hpp"
#include "bnnplan/verify/annealing.hpp"
#include "bnnplan/verify/enumerate.hpp"
#include "bnnplan/verify/first_layer_search.hpp"
#include "bnnplan/verify/local_search.hpp"
#include "bnnplan/verify/question_formula.hpp"

namespace bnnplan::verification {

namespace {

constexpr std::uint64_t first_turn = 1'000'000;          // evaluations
constexpr std::uint64_t share_of_local_search = 4;       // gets one part of this many of a turn
constexpr std::uint64_t evaluations_a_conflict = 5'000;  // a conflict takes about as long
constexpr std::uint64_t turns_of_neurons = 8;            // for the first layer, in turns
constexpr double cheap_start = 2'500;                    // evaluations
constexpr double turns_to_the_end = 100;
constexpr std::int64_t no_upper = std::numeric_limits<std::int64_t>::max();

class QuestionRun {
 public:
  QuestionRun(const FlipQuestion& question, const QuestionRequest& request)
      : question_(question), request_(request), watch_(request.limits) {}

  QuestionAnswer run() {
    if (question_.budget) upper_ = *question_.budget + 1;
    const Property::Node& whole = question_.property.nodes.back();
    if (whole.kind == Property::Kind::any && whole.children.empty()) {  // nothing to look for
      raise(no_upper);
      answer_.decided_by = "structure";
    } else if (question_.implications.empty() && FlipNetwork::is_possible(*question_.network)) {
      take_turns();
    } else {
      solve(~std::uint64_t{0});
    }
    answer_.decided = is_decided();
    answer_.best = best_;
    if (best_) answer_.cost = upper_;
    if (!answer_.decided) answer_.decided_by = {};
    if (lower_ != no_upper) answer_.lower_bound = lower_;
    if (!request_.proof.empty()) prove();
    answer_.stopped = watch_.reason();
    return std::move(answer_);
  }

 private:
  bool is_decided() const { return lower_ >= upper_ || (question_.budget && best_); }

  void take_turns() {
    const FlipNetwork flips(question_);
    if (flips.start_margin() >= 0) return take({}, "local search");
    raise(1);
    // Answers that are near enough, or questions that are small enough, need no search.
    enumerate(flips, cheap_start, has_first_layer(question_) ? 1 : turns_to_the_end);
    search_neurons(flips, first_turn / 20);
    enumerate(flips, cheap_start, turns_to_the_end);
    for (std::uint64_t turn = first_turn; !is_decided() && !watch_.should_stop(); turn *= 4) {
      search(flips, turn / share_of_local_search);
      if (is_decided() || watch_.should_stop()) return;
      search_neurons(flips, turns_of_neurons * turn);
      if (is_decided() || watch_.should_stop()) return;
      enumerate(flips, static_cast<double>(turn), turns_to_the_end);
      if (is_decided() || watch_.should_stop()) return;
      solve(turn / evaluations_a_conflict);
    }
  }

  void search(const FlipNetwork& flips, std::uint64_t turn) {
    LocalSearchOptions options;
    options.evaluations = turn;
    options.below = upper_;
    options.enough = question_.budget ? upper_ - 1 : lower_;
    options.seed = request_.limits.seed + turn;
    if (question_.largest) {  // descents as well: they take other paths
      options.evaluations /= 2;
      if (const auto set = anneal_flips(question_, flips, options, watch_)) take(*set, "local search");
      if (is_decided()) return;
      options.below = upper_;
    }
    auto set = find_flips(question_, flips, options, watch_);
    if (!set && !question_.largest) set = anneal_flips(question_, flips, options, watch_);
    if (set) take(*set, "local search");
  }

  // Budget by budget, each a quarter more than what is excluded: the work depends on the budget more than on
  // anything else. The question's own budget is tried as a whole first; if that is too much, smaller ones at
  // least give a bound.
  void search_neurons(const FlipNetwork& flips, std::uint64_t work) {
    if (!has_first_layer(question_)) return;
    std::int64_t all = 0;
    for (const Flip& flip : question_.flips) all += flip.cost;
    const std::uint64_t work_for_bounds = work / 4;
    bool whole = question_.budget.has_value();
    while (!is_decided()) {
      const std::int64_t last = std::min(upper_ - 1, all);
      const std::int64_t budget = whole ? last : std::min(last, lower_ + lower_ / 4);
      const EnumerationOutcome found = search_first_layer(question_, flips, budget, work, watch_);
      answer_.evaluations += found.evaluations;
      if (found.best) {
        take(*found.best, "first layer");
      } else if (found.complete) {
        answer_.decided_by = "first layer";
        raise(budget >= all ? no_upper : budget + 1);
      } else if (whole) {
        whole = false;
        work = work_for_bounds;
      } else {
        return;
      }
    }
  }

  // To the end if that takes no more than `turns` turns: it is certain to end. Otherwise as far as one turn
  // goes.
  void enumerate(const FlipNetwork& flips, double turn, double turns) {
    if (is_decided()) return;
    std::int64_t all = 0;
    for (const Flip& flip : question_.flips) all = question_.largest ? flip.cost : all + flip.cost;
    const std::int64_t last = std::min(upper_ - 1, all);
    const std::vector<SetCount> counts = count_sets(question_, last, turns * turn);
    std::int64_t budget = counts.empty() ? last : -1;
    for (std::size_t i = 0; i < counts.size() && counts[i].sets <= turns * turn; ++i) {
      if (i + 1 == counts.size()) {
        budget = last;
      } else if (counts[i].sets <= turn) {
        budget = counts[i].budget;
      }
    }
    if (budget < std::min(lower_, last)) return;
    const EnumerationOutcome found = enumerate_flips(question_, flips, budget, watch_);
    answer_.evaluations += found.evaluations;
    if (found.best) take(*found.best, "enumeration");
    if (!found.complete) return;
    answer_.decided_by = "enumeration";
    if (found.best) {
      raise(upper_);
    } else {
      // Nothing costs more than all flips together.
      raise(budget >= all ? no_upper : budget + 1);
    }
  }

  // The solver continues from turn to turn.
  void solve(std::uint64_t conflicts) {
    if (!solver_) solver_.emplace(question_, solver_request());
    take_outcome(*solver_, conflicts);
  }

  engines::PbRequest solver_request() const {
    engines::PbRequest request;
    request.limits = request_.limits;
    request.limits.seconds = time_left(request.limits.seconds, watch_.seconds());
    return request;
  }

  // A question as a formula, and its solver.
  struct QuestionSolver {
    model::PbFormula formula;
    engines::PbRequest request;
    engines::PbSolver solver;

    QuestionSolver(const FlipQuestion& question, engines::PbRequest asked)
        : formula(question_formula(question)), request(std::move(asked)), solver(formula, request) {}
    std::uint64_t conflicts = 0;
  };

  void take_outcome(QuestionSolver& by, std::uint64_t conflicts) {
    if (best_ && !question_.budget) by.solver.offer(formula_values(question_, *best_));
    const engines::PbOutcome found = by.solver.run(conflicts);
    answer_.conflicts += found.conflicts - std::exchange(by.conflicts, found.conflicts);
    answer_.proof_written = found.proof_written;
    if (found.stopped != StopReason::none) watch_.stop(found.stopped);
    if (found.values) take(flips_in(question_, *found.values), "solver");
    if (found.lower_bound && !question_.budget) raise(*found.lower_bound);
    if (found.status == Status::infeasible) raise(no_upper);
    if (lower_ >= upper_) answer_.decided_by = "solver";
  }

  void take(const FlipSet& set, std::string_view by) {
    if (request_.check) request_.check(set);
    const std::int64_t cost = cost_of(question_, set);
    if (best_ && cost >= upper_) return;
    best_ = set;
    upper_ = cost;
    answer_.decided_by = by;
    tell();
  }

  void raise(std::int64_t lower) {
    lower = std::min(lower, upper_);
    if (lower <= lower_) return;
    lower_ = lower;
    tell();
  }

  void tell() {
    if (!request_.bounds || lower_ == no_upper) return;
    request_.bounds(lower_, best_ ? std::optional(upper_) : std::nullopt);
  }

  // Regardless of who found the answer, the proof is the solver's, which gets the answer to start from. An
  // input found within an epsilon is its own proof.
  void prove() {
    if (!is_decided() || (question_.budget && best_)) return;
    const std::string_view by = answer_.decided_by;
    engines::PbRequest request = solver_request();
    request.proof = request_.proof;
    request.proof_version = request_.proof_version;
    QuestionSolver solver(question_, std::move(request));
    take_outcome(solver, ~std::uint64_t{0});
    answer_.decided_by = by;
  }

  const FlipQuestion& question_;
  const QuestionRequest& request_;
  LimitWatch watch_;
  std::optional<FlipSet> best_;
  std::int64_t lower_ = 0, upper_ = no_upper;
  std::optional<QuestionSolver> solver_;
  QuestionAnswer answer_;
};

}  // namespace

QuestionAnswer answer_question(const FlipQuestion& question, const QuestionRequest& request) {
  return QuestionRun(question, request).run();
}

}  // namespace bnnplan::verification
