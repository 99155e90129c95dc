// The portfolio of a query. In turns, each about four times as long as the one before:
//
//   local search   for an upper bound
//   enumeration    of all sets of flips up to a cost, as far as their number allows: a lower bound, often the end
//   solver         for what is left, with both bounds
//
// Turns are measured in evaluations and conflicts, not in time, so that answers can be repeated.
#include "verify/verify.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "engines/pseudo_boolean/solve_pb.hpp"
#include "network/reference_inference.hpp"
#include "verify/enumerate.hpp"
#include "verify/local_search.hpp"
#include "verify/question_formula.hpp"

namespace bnnplan {

namespace {

constexpr std::uint64_t first_turn = 1'000'000;          // evaluations
constexpr std::uint64_t share_of_local_search = 4;       // of a turn: one in so many
constexpr std::uint64_t evaluations_a_conflict = 5'000;  // a conflict takes about as long
constexpr double cheap_start = 2'500;                    // evaluations, too
constexpr double turns_to_the_end = 100;
constexpr std::int64_t no_upper = std::numeric_limits<std::int64_t>::max();

class VerifyRun {
 public:
  VerifyRun(const Network& network, const VerifyQuery& query, const VerifyRequest& request)
      : network_(network),
        query_(query),
        request_(request),
        watch_(request.limits),
        question_(make_question(network, query)) {}

  VerifyOutcome run() {
    outcome_.scores = reference_scores(network_, question_.bits);
    if (question_.budget) upper_ = *question_.budget + 1;
    if (is_classified_otherwise(network_, query_, query_.values)) {
      take({}, "local search");
    } else {
      raise(1);
      if (FlipNetwork::is_possible(network_)) {
        take_turns();
      } else {
        solve(~std::uint64_t{0});
      }
    }
    conclude();
    if (!request_.proof.empty()) prove();
    outcome_.stopped = watch_.reason();
    return std::move(outcome_);
  }

 private:
  bool is_decided() const { return lower_ >= upper_ || (question_.budget && best_); }

  void take_turns() {
    const FlipNetwork flips(question_);
    enumerate(flips, cheap_start);  // what is near enough, or small enough, needs no search
    for (std::uint64_t turn = first_turn; !is_decided() && !watch_.should_stop(); turn *= 4) {
      search(flips, turn / share_of_local_search);
      if (is_decided() || watch_.should_stop()) return;
      enumerate(flips, static_cast<double>(turn));
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
    if (const auto set = find_flips(question_, flips, options, watch_)) take(*set, "local search");
  }

  // To the end if that is no more than a hundred turns: it is sure to come. Otherwise as far as one turn goes.
  void enumerate(const FlipNetwork& flips, double turn) {
    std::int64_t all = 0;
    for (const Flip& flip : question_.flips) all = question_.largest ? flip.cost : all + flip.cost;
    const std::int64_t last = std::min(upper_ - 1, all);
    const std::vector<SetCount> counts = count_sets(question_, last, turns_to_the_end * turn);
    std::int64_t budget = counts.empty() ? last : -1;
    for (std::size_t i = 0; i < counts.size() && counts[i].sets <= turns_to_the_end * turn; ++i) {
      if (i + 1 == counts.size()) {
        budget = last;
      } else if (counts[i].sets <= turn) {
        budget = counts[i].budget;
      }
    }
    if (budget < std::min(lower_, last)) return;
    const EnumerationOutcome found = enumerate_flips(question_, flips, budget, watch_);
    outcome_.evaluations += found.evaluations;
    if (found.best) take(*found.best, "enumeration");
    if (!found.complete) return;
    outcome_.decided_by = "enumeration";
    if (found.best) {
      raise(upper_);
    } else {
      // Beyond the costs of all flips together there is nothing.
      raise(budget >= all ? no_upper : budget + 1);
    }
  }

  void solve(std::uint64_t conflicts, const std::filesystem::path& proof = {}) {
    const PbFormula formula = question_formula(question_);
    PbRequest request;
    request.limits = request_.limits;
    if (request.limits.seconds)
      request.limits.seconds = std::max(0.0, *request.limits.seconds - watch_.seconds());
    request.most_conflicts = conflicts;
    request.proof = proof;
    request.proof_version = request_.proof_version;
    BitValues known;
    if (best_ && !question_.budget) {
      known = formula_values(question_, *best_);
      request.known = &known;
    }
    const PbOutcome found = solve_pseudo_boolean(formula, request);
    outcome_.conflicts += found.conflicts;
    outcome_.proof_written = found.proof_written;
    if (found.stopped != StopReason::none && found.stopped != StopReason::too_large)
      watch_.stop(found.stopped);
    if (found.values) take(flips_in(question_, *found.values), "solver");
    if (found.lower_bound && !question_.budget) raise(*found.lower_bound);
    if (found.status == PbStatus::unsatisfiable) raise(no_upper);
    if (lower_ >= upper_) outcome_.decided_by = "solver";
  }

  // The last word on every set that an engine gives.
  void take(const FlipSet& set, std::string_view by) {
    const std::int64_t cost = cost_of(question_, set);
    std::vector<mpq_class> values = changed_values(question_, query_, set);
    if (!is_classified_otherwise(network_, query_, values))
      throw std::logic_error("an input was found that is classified as the one given");
    const mpq_class far = distance(query_.norm, query_.values, values);
    if (far != question_.unit * cost || (question_.budget && cost > *question_.budget))
      throw std::logic_error("an input was found at another distance than it should be");
    if (best_ && cost >= upper_) return;
    best_ = set;
    upper_ = cost;
    outcome_.values = std::move(values);
    outcome_.distance = far;
    outcome_.decided_by = by;
    tell();
  }

  void raise(std::int64_t lower) {
    lower = std::min(lower, upper_);
    if (lower <= lower_) return;
    lower_ = lower;
    tell();
  }

  void tell() {
    if (!request_.callbacks.bounds || lower_ == no_upper) return;
    std::optional<mpq_class> upper;
    if (best_) upper = outcome_.distance;
    request_.callbacks.bounds(question_.unit * lower_, upper);
  }

  void conclude() {
    if (best_) {
      outcome_.status = is_decided() ? VerifyStatus::nearest : VerifyStatus::found;
      const BitValues bits = binarize(network_, outcome_.values);
      outcome_.changed_scores = reference_scores(network_, bits);
      outcome_.changed_class = best_class(outcome_.changed_scores, network_.tie);
    } else {
      outcome_.status = is_decided() ? VerifyStatus::none : VerifyStatus::unknown;
    }
    if (!is_decided()) outcome_.decided_by = {};
    if (lower_ != no_upper) outcome_.lower_bound = question_.unit * lower_;
  }

  // Whoever found the answer, the proof is the solver's, which gets the answer to start from. What is found within an
  // epsilon is its own proof.
  void prove() {
    if (!is_decided() || (question_.budget && best_)) return;
    const std::string_view by = outcome_.decided_by;
    solve(~std::uint64_t{0}, request_.proof);
    outcome_.decided_by = by;
  }

  const Network& network_;
  const VerifyQuery& query_;
  const VerifyRequest& request_;
  LimitWatch watch_;
  const FlipQuestion question_;
  std::optional<FlipSet> best_;
  std::int64_t lower_ = 0, upper_ = no_upper;
  VerifyOutcome outcome_;
};

}  // namespace

VerifyOutcome verify(const Network& network, const VerifyQuery& query, const VerifyRequest& request) {
  return VerifyRun(network, query, request).run();
}

}  // namespace bnnplan
