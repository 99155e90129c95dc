// Minimising.
//
//   improving   find a solution, demand a better one by the native bound row, until there is none
//   cores       assume that every objective literal is false; a set of assumptions that cannot hold together
//               (a core) raises the lower bound by its least weight, and its literals are counted by new
//               native neurons "at least 2, 3, ... of the core", each made when the one before was in a core
//               (OLL; Andres et al., Morgado et al.)
//   alternate   both in turns on one solver: what one learns the other uses. Cores that take no more than
//               ten conflicts each come first: what is a matter of counting they prove at once.
//
// Measured: on the published problems improving alone is best (56,000 conflicts, 67,000 with cores in turns),
// and cores alone leave six unproved. On rings, which are covering problems, it is the other way round:
// cores alone 812 conflicts, in turns 25,000, and improving alone leaves half of them unproved after 5 s.
#include "cdcl/optimise.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <map>

#include "base/checked.hpp"

namespace bnnplan {

namespace {

constexpr std::uint64_t share_of_cores = 4;
constexpr std::int64_t no_upper = std::numeric_limits<std::int64_t>::max();

class Optimiser {
  struct Sum {  // the literals of a core, and the outputs of its counters from "at least 2" on
    std::vector<Lit> literals, outputs;
  };
  struct Counter {  // at least k of a sum
    std::size_t sum, k;
  };

 public:
  Optimiser(Solver& solver, const std::vector<WeightedLit>& objective, const OptimiseOptions& options,
            const OptimiseEvents& events, LimitWatch& watch)
      : solver_(solver), objective_(objective), options_(options), events_(events), watch_(watch) {
    std::vector<WeightedLit> saved;
    for (const WeightedLit& term : objective) {
      assert(term.coefficient > 0 && weights_.count(term.literal) == 0 && weights_.count(~term.literal) == 0);
      saved.push_back({term.coefficient, ~term.literal});
      most_ = checked_add(most_, term.coefficient);
      weights_[term.literal] = term.coefficient;
    }
    bound_row_ = solver.add_movable_row(saved, 0);
    solver.pause = [this] { return take_known_upper_later(); };
  }
  ~Optimiser() { solver_.pause = nullptr; }

  OptimiseEnd run() {
    if (events_.raised) events_.raised(0);
    const bool alternate = options_.strategy == OptimiseStrategy::alternate;
    bool by_cores = options_.strategy == OptimiseStrategy::cores ||
                    (alternate && !options_.first && options_.first_cores > 0);
    std::uint64_t turn = options_.first_turn, for_a_core = options_.first_cores;
    while (lower_ < upper_) {
      import_upper();
      if (lower_ >= upper_) break;
      const std::uint64_t budget = !alternate ? ~std::uint64_t{0} : by_cores ? for_a_core : turn;
      const Answer answer = by_cores ? core_turn(budget) : improving_turn(budget);
      if (answer == Answer::satisfiable && options_.first) return OptimiseEnd::found;
      if (answer == Answer::unsatisfiable && solver_.inconsistent()) {
        raise(upper_);
        return OptimiseEnd::finished;
      }
      if (lower_ < upper_ && watch_.reason() != StopReason::none) return OptimiseEnd::stopped;
      if (answer == Answer::unknown && !better_known_ && alternate) {
        by_cores = !by_cores;
        if (by_cores) {
          for_a_core = turn / share_of_cores;
          turn += turn / 2;
        }
      }
    }
    return OptimiseEnd::finished;
  }

 private:
  Answer improving_turn(std::uint64_t budget) {
    const Answer answer = solver_.solve({}, budget);
    if (answer == Answer::satisfiable) take_model();
    return answer;
  }

  Answer core_turn(std::uint64_t budget) {
    std::vector<Lit> assumptions;
    for (const auto& [literal, weight] : weights_) {
      if (weight > 0) assumptions.push_back(~literal);
    }
    if (const std::uint64_t seed = solver_.options().seed; seed != 0) {  // other cores, other plans
      const auto key = [&](Lit literal) { return (literal.code + seed) * 0x9e3779b97f4a7c15u; };
      std::sort(assumptions.begin(), assumptions.end(), [&](Lit a, Lit b) { return key(a) < key(b); });
    }
    const Answer answer = solver_.solve(assumptions, budget);
    if (answer == Answer::satisfiable) {
      take_model();
    } else if (answer == Answer::unsatisfiable && !solver_.inconsistent()) {
      relax(solver_.core());
    }
    return answer;
  }

  // A core: at least one of its literals is true, so the objective is at least as large as the least weight
  // more. What was taken from each of them is charged again for every further one that is true. The counter
  // "at least k" comes into being when "at least k - 1" has been in a core.
  void relax(const std::vector<Lit>& core) {
    std::int64_t least = no_upper;
    for (const Lit assumption : core) least = std::min(least, weights_[~assumption]);
    assert(!core.empty() && least > 0 && least < no_upper);
    raise(lower_ + least);
    std::vector<Lit> literals;
    for (const Lit assumption : core) {
      const Lit literal = ~assumption;
      weights_[literal] -= least;
      assert(weights_[literal] >= 0);
      literals.push_back(literal);
      const auto counter = counters_.find(literal);
      if (counter != counters_.end()) count_one_more(counter->second, least);
    }
    solver_.add_clause(literals);
    if (literals.size() > 1) {
      sums_.push_back({literals, {}});
      count_one_more({sums_.size() - 1, 1}, least);
    }
  }

  // After at least k of a sum: makes the counter of at least k + 1, or charges more for it.
  void count_one_more(Counter after, std::int64_t weight) {
    Sum& sum = sums_[after.sum];
    const std::size_t k = after.k + 1;
    assert(k >= 2 && sum.outputs.size() + 2 >= k);  // counters come into being one after the other
    if (k > sum.literals.size()) return;
    if (sum.outputs.size() < k - 1) {  // outputs[i] is at least i + 2
      const NeuronView counter{Lit::positive(solver_.new_variable()), sum.literals,
                               static_cast<std::int32_t>(k)};
      solver_.add_layer({&counter, 1});
      if (!sum.outputs.empty()) solver_.add_clause({sum.outputs.back(), ~counter.output});
      sum.outputs.push_back(counter.output);
      counters_.emplace(counter.output, Counter{after.sum, k});
    }
    weights_[sum.outputs[k - 2]] += weight;
  }

  void take_model() {
    std::int64_t value = 0;
    for (const WeightedLit& term : objective_)
      value += solver_.model_value(term.literal) ? term.coefficient : 0;
    if (options_.best_phases) solver_.keep_model_as_phases();
    if (value >= upper_) return;
    assert(value >= lower_);
    upper_ = value;
    if (events_.improved) events_.improved(value);
    if (!options_.first) demand_better();
  }

  // sum of weight * (not literal) >= most - (upper - 1)
  void demand_better() {
    assert(upper_ < no_upper);
    solver_.raise_bound(bound_row_, most_ - upper_ + 1);
  }

  bool take_known_upper_later() {
    if (events_.tick) events_.tick();
    return better_known_ = events_.known_upper && events_.known_upper() < upper_;
  }

  void import_upper() {
    better_known_ = false;
    if (!events_.known_upper) return;
    const std::int64_t known = events_.known_upper();
    if (known >= upper_) return;
    upper_ = known;
    demand_better();
  }

  // What a core says holds for solutions below the upper value only, so that value is a limit to it.
  void raise(std::int64_t lower) {
    lower = std::min(lower, upper_);
    if (lower <= lower_) return;
    lower_ = lower;
    assert(lower_ <= upper_);
    if (events_.raised && lower != no_upper) events_.raised(lower);
  }

  Solver& solver_;
  const std::vector<WeightedLit>& objective_;
  const OptimiseOptions& options_;
  const OptimiseEvents& events_;
  LimitWatch& watch_;
  std::map<Lit, std::int64_t> weights_;  // of literals that are assumed to be false
  std::vector<Sum> sums_;
  std::map<Lit, Counter> counters_;
  bool better_known_ = false;
  std::int64_t most_ = 0, lower_ = 0, upper_ = no_upper;
  std::uint32_t bound_row_ = 0;
};

}  // namespace

OptimiseEnd optimise(Solver& solver, const std::vector<WeightedLit>& objective,
                     const OptimiseOptions& options, const OptimiseEvents& events, LimitWatch& watch) {
  return Optimiser(solver, objective, options, events, watch).run();
}

}  // namespace bnnplan
