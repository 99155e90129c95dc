#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "bnnplan/maxsat/core_oracle.hpp"

namespace bnnplan::testing {

// An oracle that tries all assignments. Nothing is translated: an output of a counter is a variable that
// follows from the inputs ("at least count are true", both ways), and a bounded sum is added up. An
// assignment to a few variables is given up as soon as something cannot hold any more; that is a conflict.
class BruteForceOracle final : public maxsat::CoreOracle {
 public:
  // The cores that the interface allows: all assumptions whenever they fail, or no more than it takes.
  enum class Cores { all, minimal };
  explicit BruteForceOracle(Cores cores) : cores_(cores) {}

  using encoding::ClauseSink::add;
  Lit new_variable() override {
    definitions_.emplace_back();
    return Lit::positive({variables() - 1});
  }
  void add(std::span<const Lit> clause) override { clauses_.emplace_back(clause.begin(), clause.end()); }
  std::uint32_t variables() const override { return static_cast<std::uint32_t>(definitions_.size()); }

  using maxsat::CoreOracle::solve;
  SatAnswer solve(std::span<const Lit> assumptions, std::optional<int> conflict_limit) override {
    ++calls_;
    core_.assign(assumptions.begin(), assumptions.end());
    const SatAnswer answer = search(core_, conflict_limit);
    if (answer == SatAnswer::satisfiable) model_ = values_;
    if (answer != SatAnswer::unsatisfiable) return answer;
    if (search({}, std::nullopt) == SatAnswer::unsatisfiable) core_.clear();
    if (cores_ == Cores::minimal) minimise();
    return answer;
  }
  bool value(Lit literal) const override { return (model_[literal.var().index] > 0) != literal.negated(); }
  const std::vector<Lit>& core() const override { return core_; }

  Counter add_counter(std::span<const Lit> inputs) override {
    counters_.push_back({{inputs.begin(), inputs.end()}, {}});
    counters_.back().outputs.resize(inputs.size());
    return {counters_.size() - 1, inputs.size()};
  }
  Lit output(const Counter& counter, std::size_t count) override {
    auto& [inputs, outputs] = counters_[counter.index];
    std::optional<Lit>& output = outputs[count - 1];
    if (!output) {
      output = new_variable();
      definitions_.back() = {counter.index, count};
    }
    return *output;
  }
  BoundedSum add_bounded_sum(std::vector<maxsat::CostTerm> terms, formats::Weight largest) override {
    sums_.push_back({std::move(terms), largest});
    return {sums_.size() - 1};
  }
  void tighten(const BoundedSum& sum, formats::Weight largest) override {
    sums_[sum.index].largest = largest;
  }

  std::int64_t calls() const override { return calls_; }
  std::int64_t conflicts() const override { return conflicts_; }

 private:
  struct CountedInputs {
    std::vector<Lit> inputs;
    std::vector<std::optional<Lit>> outputs;
  };
  struct Definition {  // of a variable: at least `count` inputs of the counter; count 0: none, it is free
    std::size_t counter = 0, count = 0;
  };
  struct Sum {
    std::vector<maxsat::CostTerm> terms;
    formats::Weight largest = 0;
  };

  int value_of(Lit literal) const {  // 1, -1, or 0 if open
    const int value = values_[literal.var().index];
    return literal.negated() ? -value : value;
  }

  SatAnswer search(std::span<const Lit> assumptions, std::optional<int> conflict_limit) {
    values_.assign(variables(), 0);
    for (const Lit literal : assumptions) {
      if (definitions_[literal.var().index].count > 0) continue;  // follows; is compared with what it must be
      if (value_of(literal) < 0) return SatAnswer::unsatisfiable;
      values_[literal.var().index] = literal.negated() ? -1 : 1;
    }
    assumptions_ = assumptions;
    last_conflict_ = conflict_limit ? std::optional(conflicts_ + *conflict_limit) : std::nullopt;
    return search_from(0);
  }

  SatAnswer search_from(std::uint32_t variable) {
    if (!can_hold()) {
      ++conflicts_;
      return last_conflict_ && conflicts_ > *last_conflict_ ? SatAnswer::unknown : SatAnswer::unsatisfiable;
    }
    while (variable < variables() && (definitions_[variable].count > 0 || values_[variable] != 0)) ++variable;
    if (variable == variables()) return SatAnswer::satisfiable;
    for (const int value : {-1, 1}) {
      values_[variable] = value;
      const SatAnswer answer = search_from(variable + 1);
      if (answer != SatAnswer::unsatisfiable) return answer;
    }
    values_[variable] = 0;
    return SatAnswer::unsatisfiable;
  }

  // Could everything hold still, as far as one looks at each constraint alone? Exact if no variable is open.
  bool can_hold() {
    for (std::size_t v = 0; v < definitions_.size(); ++v) {  // inputs come before outputs
      const auto [counter, count] = definitions_[v];
      if (count == 0) continue;
      std::size_t are_true = 0, may_be_true = 0;
      for (const Lit input : counters_[counter].inputs) {
        are_true += value_of(input) > 0 ? 1 : 0;
        may_be_true += value_of(input) >= 0 ? 1 : 0;
      }
      values_[v] = are_true >= count ? 1 : may_be_true < count ? -1 : 0;
    }
    const auto is_false = [&](Lit literal) { return value_of(literal) < 0; };
    if (std::any_of(assumptions_.begin(), assumptions_.end(), is_false)) return false;
    for (const auto& clause : clauses_) {
      if (std::all_of(clause.begin(), clause.end(), is_false)) return false;
    }
    return std::all_of(sums_.begin(), sums_.end(), [&](const Sum& sum) {
      formats::Weight paid = 0;
      for (const maxsat::CostTerm& term : sum.terms) paid += value_of(term.literal) > 0 ? term.weight : 0;
      return paid <= sum.largest;
    });
  }

  void minimise() {
    for (std::size_t i = core_.size(); i-- > 0;) {
      std::vector<Lit> rest = core_;
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
      if (search(rest, std::nullopt) == SatAnswer::unsatisfiable) core_ = std::move(rest);
    }
  }

  Cores cores_;
  std::vector<Definition> definitions_;  // of the variables
  std::vector<std::vector<Lit>> clauses_;
  std::vector<CountedInputs> counters_;
  std::vector<Sum> sums_;
  std::vector<int> values_, model_;  // of the variables
  std::span<const Lit> assumptions_;
  std::optional<std::int64_t> last_conflict_;
  std::vector<Lit> core_;
  std::int64_t calls_ = 0, conflicts_ = 0;
};

}  // namespace bnnplan::testing
