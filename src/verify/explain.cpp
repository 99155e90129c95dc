// Abductive explanations. One solver holds the question "is there an input that is classified differently?";
// that an input keeps its value is an assumption. If there is none, the assumptions that were needed are an
// explanation.
//
// A minimal one by deletion: inputs are left out in groups that are halved where that fails (as in
// QuickXplain); local search looks for a counterexample first, since most questions have one, and the
// solver's cores leave out more than was asked.
//
// A smallest one by duality: an explanation meets every set of inputs whose change alone can change the
// class. So a smallest set that meets all such sets known so far is a lower bound; if it is an explanation it
// is a smallest one, and otherwise its counterexample is another such set (implicit hitting sets; Ignatiev
// and others, 2019).
#include "bnnplan/verify/explain.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "bnnplan/base/input_error.hpp"
#include "bnnplan/engines/pseudo_boolean/load_pb.hpp"
#include "bnnplan/engines/pseudo_boolean/solve_pb.hpp"
#include "bnnplan/verify/local_search.hpp"
#include "bnnplan/verify/question_formula.hpp"

namespace bnnplan::verification {

namespace {

constexpr std::uint64_t evaluations_a_question = 20'000;
constexpr std::uint64_t first_conflicts = 100;  // allowed per question; eight times as many in the next pass

using InputSet = std::vector<bool>;  // by flip of the question

// The query whose flips are all inputs that may differ at all.
VerifyQuery query_of(const Network& network, const ExplainQuery& query) {
  VerifyQuery result;
  result.values = query.values;
  result.label = query.label;
  result.ties = query.ties;
  result.norm = Norm::linf;
  if (query.epsilon) {
    result.epsilon = *query.epsilon;
  } else {
    mpq_class widest = 1;
    for (const auto& number : network.numbers) {
      if (number) widest = std::max(widest, mpq_class(number->high - number->low));
    }
    result.epsilon = widest;
  }
  return result;
}

class Explaining {
 public:
  Explaining(const Network& network, const ExplainQuery& query, const Limits& limits,
             const ExplainCallbacks& callbacks)
      : query_(query_of(network, query)),
        network_(network),
        callbacks_(callbacks),
        watch_(limits),
        question_(make_question(network, query_)),
        formula_(question_formula(question_)),
        solver_({.seed = limits.seed}, watch_) {
    if (is_classified_otherwise(network, query_, query_.values))
      throw InputError("the input is not classified as the label: there is nothing to explain");
    if (FlipNetwork::is_possible(network)) flips_.emplace(question_);
  }

  Explanation run(ExplanationKind kind) {
    const auto go_on = [&] { return !watch_.should_stop() && !watch_.exceeds_memory(solver_.bytes()); };
    if (engines::load_formula(formula_, engines::recognise_neurons(formula_), solver_, go_on)) {
      find_minimal();
      if (kind == ExplanationKind::smallest && result_.found) find_smallest();
    }
    if (result_.found) {
      for (std::uint32_t flip = 0; flip < best_.size(); ++flip) {
        if (best_[flip]) result_.inputs.push_back(question_.flips[flip].input);
      }
      std::sort(result_.inputs.begin(), result_.inputs.end());
    }
    result_.conflicts = solver_.statistics().conflicts + other_conflicts_;
    result_.stopped = watch_.reason();
    return std::move(result_);
  }

 private:
  enum class Fixed : std::uint8_t { yes, no, unknown };

  static std::size_t size_of(const InputSet& set) {
    return static_cast<std::size_t>(std::count(set.begin(), set.end(), true));
  }

  // Do these inputs fix the class? If so, `core_` is a subset that does. If not, `change_` are flips of other
  // inputs.
  Fixed asks(const InputSet& kept) {
    ++result_.questions;
    if (watch_.should_stop()) return Fixed::unknown;
    if (flips_) {
      FlipQuestion open = question_;
      open.flips.clear();
      std::vector<std::uint32_t> places;
      for (std::uint32_t flip = 0; flip < kept.size(); ++flip) {
        if (kept[flip]) continue;
        open.flips.push_back(question_.flips[flip]);
        places.push_back(flip);
      }
      LocalSearchOptions options;
      options.evaluations = evaluations_a_question;
      options.enough = *question_.budget;
      options.seed = result_.questions;
      if (auto found = find_flips(open, *flips_, options, watch_)) {
        for (std::uint32_t& flip : *found) flip = places[flip];
        return counterexample(std::move(*found));
      }
    }
    std::vector<Lit> assumptions;
    for (std::uint32_t flip = 0; flip < kept.size(); ++flip) {
      if (kept[flip]) assumptions.push_back(Lit::negative({question_.flips[flip].input}));
    }
    switch (solver_.solve(assumptions, conflicts_a_question_)) {
      case SatAnswer::unknown:
        return Fixed::unknown;
      case SatAnswer::satisfiable: {
        BitValues values(question_.bits.size());
        for (std::uint32_t i = 0; i < values.size(); ++i)
          values[i] = solver_.model_value(Lit::positive({i})) ? 1 : 0;
        return counterexample(flips_in(question_, values));
      }
      case SatAnswer::unsatisfiable:
        break;
    }
    core_.assign(kept.size(), false);
    std::vector<bool> in_core(question_.bits.size());
    for (const Lit literal : solver_.core()) in_core[literal.var().index] = true;
    for (std::uint32_t flip = 0; flip < kept.size(); ++flip)
      core_[flip] = kept[flip] && in_core[question_.flips[flip].input];
    return Fixed::yes;
  }

  Fixed counterexample(FlipSet set) {
    if (!is_classified_otherwise(network_, query_, changed_values(question_, set)))
      throw std::logic_error("an input was found that has the class of the given one");
    for (std::size_t i = set.size(); i-- > 0;) {  // drop flips that are not needed
      FlipSet less = set;
      less.erase(less.begin() + static_cast<std::ptrdiff_t>(i));
      if (is_classified_otherwise(network_, query_, changed_values(question_, less))) set = std::move(less);
    }
    change_ = std::move(set);
    changes_.push_back(change_);
    return Fixed::no;
  }

  void tell() {
    if (callbacks_.progress && result_.found) callbacks_.progress(size_of(best_), result_.at_least);
  }

  void keep(const InputSet& set) {
    if (result_.found && size_of(set) >= size_of(best_)) return;
    best_ = set;
    result_.found = true;
    tell();
  }

  // Leaves out inputs, starting from an explanation. Questions that take too long are asked again later. True
  // if what is left is proved minimal.
  bool reduce(InputSet& set) {
    std::vector<std::uint32_t> open;  // not yet known to be needed
    for (std::uint32_t flip = 0; flip < set.size(); ++flip) {
      if (set[flip]) open.push_back(flip);
    }
    for (conflicts_a_question_ = first_conflicts; !watch_.should_stop(); conflicts_a_question_ *= 8) {
      open = left_out(set, std::move(open));
      if (open.empty()) break;
    }
    return open.empty();
  }

  // One pass over the inputs that may be left out: returns the undecided ones.
  std::vector<std::uint32_t> left_out(InputSet& set, std::vector<std::uint32_t> open) {
    std::vector<std::uint32_t> unknown;
    std::size_t group = std::max<std::size_t>(open.size() / 2, 1);
    while (!open.empty() && !watch_.should_stop()) {
      group = std::min(group, open.size());
      InputSet less = set;
      for (std::size_t i = 0; i < group; ++i) less[open[open.size() - 1 - i]] = false;
      const Fixed answer = asks(less);
      if (answer == Fixed::yes) {
        set = core_;
        std::erase_if(open, [&](std::uint32_t flip) { return !set[flip]; });
        std::erase_if(unknown, [&](std::uint32_t flip) { return !set[flip]; });
        group *= 2;
        if (result_.found) keep(set);
        continue;
      }
      if (group == 1) {  // needed, or undecided
        if (answer == Fixed::unknown) unknown.push_back(open.back());
        open.pop_back();
        continue;
      }
      // If the change contains only one of the group, that one is needed.
      if (answer == Fixed::no) {
        std::vector<std::uint32_t> met;
        for (const std::uint32_t flip : change_) {
          if (set[flip]) met.push_back(flip);
        }
        if (met.size() == 1) {
          std::erase(open, met.front());
          continue;
        }
      }
      group = std::max<std::size_t>(group / 2, 1);
    }
    unknown.insert(unknown.end(), open.begin(), open.end());
    return unknown;
  }

  void find_minimal() {
    InputSet all(question_.flips.size(), true);
    // The solver's own core of everything is the first explanation; the answer cannot be "no", and takes no
    // conflicts.
    if (asks(all) == Fixed::yes) all = core_;
    if (watch_.should_stop()) return;
    result_.found = true;
    best_ = all;
    tell();
    result_.is_minimal = reduce(all);
    best_ = all;
    if (best_.empty() || size_of(best_) == 0) {
      result_.is_minimal = result_.is_smallest = true;
    }
  }

  // A smallest set that meets all known changes, if one was found within the limits.
  std::optional<InputSet> smallest_meeting() {
    model::PbFormula formula;
    formula.variables = static_cast<std::uint32_t>(question_.flips.size());
    formula.has_objective = true;
    for (std::uint32_t flip = 0; flip < formula.variables; ++flip)
      formula.objective.push_back({1, Lit::positive({flip})});
    for (const FlipSet& change : changes_) {
      std::vector<WeightedLit> terms;
      for (const std::uint32_t flip : change) terms.push_back({1, Lit::positive({flip})});
      formula.add(std::move(terms), 1);
    }
    engines::PbRequest request;
    request.limits = watch_.limits();
    request.limits.seconds = time_left(request.limits.seconds, watch_.seconds());
    const engines::PbOutcome outcome = engines::solve_pseudo_boolean(formula, request);
    other_conflicts_ += outcome.conflicts;
    if (outcome.lower_bound)
      result_.at_least = std::max(result_.at_least, static_cast<std::size_t>(*outcome.lower_bound));
    if (outcome.status != Status::optimal) return std::nullopt;
    InputSet set(question_.flips.size());
    for (std::size_t flip = 0; flip < set.size(); ++flip) set[flip] = (*outcome.values)[flip] != 0;
    return set;
  }

  void find_smallest() {
    while (!watch_.should_stop()) {
      std::sort(changes_.begin(), changes_.end());
      changes_.erase(std::unique(changes_.begin(), changes_.end()), changes_.end());
      const auto meeting = smallest_meeting();
      tell();
      if (result_.at_least >= size_of(best_)) break;
      if (!meeting) return;
      InputSet set = *meeting;
      // Collects disjoint changes, one after the other, until a set that meets all of them is an explanation.
      bool first = true;
      while (true) {
        conflicts_a_question_ = ~std::uint64_t{0};
        const Fixed answer = asks(set);
        if (answer == Fixed::unknown) return;
        if (answer == Fixed::yes) {
          set = core_;
          const bool minimal = !first && reduce(set);
          if (size_of(set) < size_of(best_)) result_.is_minimal = minimal;
          keep(set);
          break;
        }
        first = false;
        for (const std::uint32_t flip : change_) set[flip] = true;
      }
    }
    if (result_.at_least >= size_of(best_)) result_.is_minimal = result_.is_smallest = true;
  }

  const VerifyQuery query_;
  const Network& network_;
  const ExplainCallbacks& callbacks_;
  LimitWatch watch_;
  const FlipQuestion question_;
  const model::PbFormula formula_;
  cdcl::Solver solver_;
  std::optional<FlipNetwork> flips_;
  InputSet best_, core_;
  FlipSet change_;
  std::vector<FlipSet> changes_;
  std::uint64_t conflicts_a_question_ = first_conflicts, other_conflicts_ = 0;
  Explanation result_;
};

}  // namespace

Explanation explain(const Network& network, const ExplainQuery& query, const Limits& limits,
                    const ExplainCallbacks& callbacks) {
  return Explaining(network, query, limits, callbacks).run(query.kind);
}

}  // namespace bnnplan::verification
