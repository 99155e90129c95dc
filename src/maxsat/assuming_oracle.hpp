#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_set>
#include <vector>

#include "bnnplan/maxsat/core_oracle.hpp"
#include "bnnplan/maxsat/known_core.hpp"

namespace bnnplan::maxsat {

// An oracle for a sequence of searches under different assumptions of the caller. What a search adds to it
// stays valid: the assumptions that an answer needed become part of it. It remembers cores and counters, so
// that the next search need not find them again.
class AssumingOracle final : public CoreOracle {
 public:
  explicit AssumingOracle(CoreOracle& oracle) : oracle_(oracle) {}  // keeps a reference

  // Begins a search under these assumptions, and ends it. What the search excluded to improve on its own
  // models is forgotten at the end.
  void begin_search(std::span<const Lit> assumptions);
  void end_search();

  // The cores of earlier searches that hold under the assumptions of this one, for
  // CoreGuidedSearch::take_known_cores. The spans are valid until the search takes a core of its own.
  std::vector<KnownCore> known_cores() const;

  using encoding::ClauseSink::add;
  Lit new_variable() override { return oracle_.new_variable(); }
  void add(std::span<const Lit> clause) override { oracle_.add(clause); }
  std::uint32_t variables() const override { return oracle_.variables(); }
  void freeze(Lit literal) override { oracle_.freeze(literal); }
  void prefer(Lit literal) override { oracle_.prefer(literal); }

  using CoreOracle::solve;
  SatAnswer solve(std::span<const Lit> assumptions, std::optional<int> conflict_limit) override;
  bool value(Lit literal) const override { return oracle_.value(literal); }
  // Without the assumptions of begin_search(): empty if those alone have no model, or no better one.
  const std::vector<Lit>& core() const override { return core_; }

  Counter add_counter(std::span<const Lit> inputs) override;
  Lit output(const Counter& counter, std::size_t count) override { return oracle_.output(counter, count); }
  // Core-guided search does not use these, and they could not be retracted.
  BoundedSum add_bounded_sum(std::vector<CostTerm> terms, formats::Weight largest) override;
  void tighten(const BoundedSum& sum, formats::Weight largest) override;

  void took_core(std::span<const Lit> cost_literals, formats::Weight weight) override;
  void add_core(std::span<const Lit> cost_literals) override;
  void add_count(const Counter& counter, std::size_t count) override;
  void exclude(Lit cost_literal) override;

  std::int64_t calls() const override { return oracle_.calls(); }
  std::int64_t conflicts() const override { return oracle_.conflicts(); }

 private:
  using Condition = std::vector<Lit>;  // the assumptions that were needed
  struct KeptCore {
    std::vector<Lit> literals;  // as in the search that found it
    Condition condition;
    std::optional<Counter> counter;
    std::vector<Condition> counts;  // counts[i]: the condition of "at least i + 2 are true"
  };

  bool holds(const Condition& condition) const;  // regardless of what the search is improving on
  bool is_better(const Condition& now, const Condition& before) const;
  KeptCore* find(std::span<const Lit> literals);
  void add_under(const Condition& condition, std::span<const Lit> clause);

  CoreOracle& oracle_;
  std::vector<Lit> assumed_;
  std::unordered_set<std::uint32_t> assumed_codes_;
  std::optional<Lit> improving_;  // implies what exclude() excluded in this search
  std::vector<Lit> core_, all_assumptions_;
  Condition condition_;  // of the last core
  std::vector<KeptCore> kept_;
  std::map<std::vector<Lit>, std::size_t> kept_by_literals_;  // sorted
  std::map<std::size_t, std::size_t> kept_by_counter_;        // by index
};

}  // namespace bnnplan::maxsat
