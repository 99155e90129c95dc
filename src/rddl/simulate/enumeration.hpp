#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "bnnplan/base/random.hpp"
#include "bnnplan/rddl/ground/bit_layout.hpp"
#include "bnnplan/rddl/ground/evaluate.hpp"
#include "bnnplan/rddl/ground/ground.hpp"
#include "bnnplan/rddl/ground/linear_form.hpp"

namespace bnnplan::rddl {

// A number of assignments, or a lower bound on it.
struct AssignmentCount {
  std::uint64_t count = 0;
  bool exact = true;
};

// Enumerates assignments to some variables of a model, cutting off early those that a condition rules out.
// Keeps a reference to the model.
class Enumeration {
 public:
  // Variables are within the ranges of the layout.
  Enumeration(const GroundModel& model, const BitLayout& layout);

  // Skips assignments that surely break this condition. With `counted`, counted() afterwards tells how many
  // of the skipped ones satisfy all conditions that are not counted.
  void require(NodeId node, bool counted = false);

  // Reals have no interval, so nothing is recorded.
  void fix(std::uint32_t slot, std::int64_t value) {
    if (model_.variable(slot).kind != ValueKind::real) set_range(slot, point_interval(value));
  }

  // Whether no condition surely fails, given the ranges alone, or with this assignment as well.
  bool possible() const;
  bool possible_with(std::uint32_t slot, std::int64_t value);
  const Interval& range(std::uint32_t slot) const { return intervals_[slot]; }

  struct Search {
    std::vector<std::uint32_t> slots;        // the variables to assign, in this order
    std::optional<std::int64_t> nondefault;  // at most this many of them differ from the initial value
    std::size_t limit = 0;                   // partial assignments to visit
    SimulationRandom* random = nullptr;      // if given, values come in random order
    std::vector<std::pair<std::uint32_t, std::int64_t>> fixed = {};  // slots with only one value
  };
  enum class Ending : std::uint8_t { complete, stopped, limit_reached };

  // Calls visit(values of all slots) for every remaining assignment until it returns false. A visited
  // assignment may still break a condition.
  using Visitor = std::function<bool(std::span<const std::int64_t>)>;
  Ending run(const Search& search, const Visitor& visit);

  const AssignmentCount& counted() const { return counted_; }

 private:
  // A linear condition is stored as form <= 0, form < 0 or form == 0, with the range of the form for the
  // current ranges: a sum over a thousand actions is not added up again for each of them.
  struct Condition {
    NodeId node;
    bool counted;
    std::optional<FormComparison> linear;
    Rational low = {}, high = {};
  };
  struct Mention {
    std::uint32_t condition;
    Rational coefficient;  // in a linear one
  };
  enum class Verdict : std::uint8_t { possible, broken, counted };

  void assign(std::size_t position, std::int64_t nondefault);
  Verdict verdict(std::uint32_t slot) const;
  std::optional<LinearForm> tracked(Condition& condition) const;
  void set_range(std::uint32_t slot, const Interval& range);
  bool fails(const Condition& condition) const;
  void count_completions(std::size_t position);

  const GroundModel& model_;
  std::vector<Interval> intervals_;
  std::vector<Condition> conditions_;
  std::vector<std::vector<Mention>> by_slot_;  // conditions that mention it
  std::vector<std::int64_t> values_;
  AssignmentCount counted_;
  std::size_t visited_ = 0;
  std::size_t effort_ = 1;    // of evaluating all conditions once
  std::size_t counting_ = 0;  // effort of count_completions
  Ending ending_ = Ending::complete;
  const Search* search_ = nullptr;
  const Visitor* visit_ = nullptr;
};

}  // namespace bnnplan::rddl
