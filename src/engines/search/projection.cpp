// Finding independent parts of a problem. A next-state bit that is not a network output depends on the bits
// of the rows it is in, and through auxiliary variables on those of further rows. A set of state bits that
// contains all state bits its next values depend on is closed; the closed set of a bit is a candidate.
// Candidates inside others are dropped, and two that have a term of the objective in common are merged if the
// result is small enough. Nothing here can make an estimate wrong, only weak: for any set of bits, a row that
// has others is kept as
//
//   sum inside >= bound - (largest sum outside),     sum inside <= bound - (least sum outside)
//
// which every step of the whole problem satisfies.
#include "bnnplan/engines/search/projection.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace bnnplan::engines {

namespace {

// State and action bits of a projection together: 8192 pairs of a state and an action are examined.
constexpr std::size_t most_bits = 13;

// Bits that belong together; all by number within their place.
struct Part {
  std::set<std::uint32_t> state, action, auxiliary;

  bool small() const { return state.size() + action.size() <= most_bits; }
  void add(const Part& other) {
    state.insert(other.state.begin(), other.state.end());
    action.insert(other.action.begin(), other.action.end());
    auxiliary.insert(other.auxiliary.begin(), other.auxiliary.end());
  }
  bool contains(Bit bit) const {
    const auto& set = bit.place == Place::action ? action : bit.place == Place::auxiliary ? auxiliary : state;
    return set.count(bit.index) > 0;
  }
};

class ProjectionFinder {
 public:
  explicit ProjectionFinder(const Problem& problem) : problem_(problem) {
    for (const LinearConstraint& row : problem.constraints) add_row(row);
    for (const LinearConstraint& row : problem.transitions) add_row(row);
    learned_.resize(problem.state.bit_count(), false);
    for (const std::uint32_t bit : problem.network_outputs) learned_[bit] = true;
  }

  std::vector<Projection> find() {
    std::vector<Part> parts;
    for (std::uint32_t bit = 0; bit < problem_.state.bit_count(); ++bit) {
      Part part;
      if (close(bit, part)) parts.push_back(std::move(part));
    }
    // Larger ones first: those inside another come after it.
    std::stable_sort(parts.begin(), parts.end(),
                     [](const Part& a, const Part& b) { return a.state.size() > b.state.size(); });
    std::vector<Part> kept;
    for (const Part& part : parts) {
      const bool inside = std::any_of(kept.begin(), kept.end(), [&](const Part& other) {
        return std::includes(other.state.begin(), other.state.end(), part.state.begin(), part.state.end());
      });
      if (!inside) kept.push_back(part);
    }
    merge(kept);

    std::vector<Projection> projections;
    std::vector<bool> taken(problem_.objective.terms.size(), false);
    for (const Part& part : kept) {
      Objective objective;
      for (std::size_t i = 0; i < taken.size(); ++i) {
        if (taken[i] || !part.contains(problem_.objective.terms[i].bit)) continue;
        taken[i] = true;
        objective.terms.push_back(problem_.objective.terms[i]);
      }
      if (!objective.terms.empty()) projections.push_back(project(part, objective));
    }
    // A single part that is the whole problem tells nothing that the search itself does not find out as fast.
    if (projections.size() == 1 && projections[0].state.size() == problem_.state.bit_count()) return {};
    return projections;
  }

 private:
  void add_row(const LinearConstraint& row) {
    const bool has_next = std::any_of(row.terms.begin(), row.terms.end(),
                                      [](const Term& term) { return term.bit.place == Place::next; });
    rows_of_next_.resize(problem_.state.bit_count());
    rows_of_auxiliary_.resize(problem_.auxiliary.bit_count());
    for (const Term& term : row.terms) {
      if (term.bit.place == Place::next) rows_of_next_[term.bit.index].push_back(&row);
      if (term.bit.place == Place::auxiliary && !has_next) rows_of_auxiliary_[term.bit.index].push_back(&row);
    }
  }

  // What the bit depends on, in any number of steps. False if that is too much, or if part of it comes from a
  // network.
  bool close(std::uint32_t bit, Part& part) const {
    std::vector<Bit> waiting;
    const auto add = [&](Bit found) {
      auto& set = found.place == Place::action      ? part.action
                  : found.place == Place::auxiliary ? part.auxiliary
                                                    : part.state;
      if (set.insert(found.index).second && found.place != Place::action) waiting.push_back(found);
    };
    add({Place::state, bit});
    while (!waiting.empty()) {
      const Bit next = waiting.back();
      waiting.pop_back();
      if (next.place == Place::state && learned_[next.index]) return false;
      const auto& rows =
          next.place == Place::auxiliary ? rows_of_auxiliary_[next.index] : rows_of_next_[next.index];
      for (const LinearConstraint* row : rows) {
        for (const Term& term : row->terms) {
          if (term.bit.place != Place::next) add(term.bit);
        }
        if (!part.small()) return false;
      }
    }
    return part.small();
  }

  void merge(std::vector<Part>& parts) const {
    for (std::size_t i = 0; i < parts.size(); ++i) {
      for (std::size_t j = i + 1; j < parts.size();) {
        Part both = parts[i];
        both.add(parts[j]);
        const bool common = std::any_of(
            problem_.objective.terms.begin(), problem_.objective.terms.end(),
            [&](const Term& term) { return parts[i].contains(term.bit) && parts[j].contains(term.bit); });
        if (common && both.small()) {
          parts[i] = std::move(both);
          parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(j));
          j = i + 1;
        } else {
          ++j;
        }
      }
    }
  }

  Projection project(const Part& part, Objective objective) const {
    Projection projection;
    Problem& result = projection.problem;
    result.horizon = problem_.horizon;
    const auto add_variables = [](VariableList& list, const std::set<std::uint32_t>& bits, char prefix) {
      for (const std::uint32_t bit : bits) list.add({.name = fmt::format("{}{}", prefix, bit)});
    };
    add_variables(result.state, part.state, 's');
    add_variables(result.action, part.action, 'a');
    add_variables(result.auxiliary, part.auxiliary, 'x');
    result.initial.assign(part.state.size(), unknown_bit);
    projection.state.assign(part.state.begin(), part.state.end());
    for (const LinearConstraint& row : problem_.constraints) project_row(row, part, result.constraints);
    for (const LinearConstraint& row : problem_.transitions) project_row(row, part, result.transitions);
    for (const LinearConstraint& row : problem_.goal) project_row(row, part, result.goal);
    for (Term& term : objective.terms) term.bit = renumbered(term.bit, part);
    result.objective = std::move(objective);
    return projection;
  }

  static Bit renumbered(Bit bit, const Part& part) {
    const auto& set = bit.place == Place::action      ? part.action
                      : bit.place == Place::auxiliary ? part.auxiliary
                                                      : part.state;
    return {bit.place, static_cast<std::uint32_t>(std::distance(set.begin(), set.find(bit.index)))};
  }

  static void project_row(const LinearConstraint& row, const Part& part,
                          std::vector<LinearConstraint>& rows) {
    std::vector<Term> inside;
    std::int64_t least = 0, largest = 0;  // of the bits outside
    std::int64_t least_inside = 0, largest_inside = 0;
    for (const Term& term : row.terms) {
      const bool negative = term.coefficient < 0;
      if (part.contains(term.bit)) {
        inside.push_back({term.coefficient, renumbered(term.bit, part)});
        (negative ? least_inside : largest_inside) += term.coefficient;
      } else {
        (negative ? least : largest) += term.coefficient;
      }
    }
    if (row.comparison != Comparison::at_most && least_inside < row.bound - largest) {
      rows.push_back({inside, Comparison::at_least, row.bound - largest, {}});
    }
    if (row.comparison != Comparison::at_least && largest_inside > row.bound - least) {
      rows.push_back({inside, Comparison::at_most, row.bound - least, {}});
    }
  }

  const Problem& problem_;
  std::vector<std::vector<const LinearConstraint*>> rows_of_next_, rows_of_auxiliary_;  // by bit
  std::vector<bool> learned_;
};

}  // namespace

std::vector<Projection> find_projections(const Problem& problem) { return ProjectionFinder(problem).find(); }

}  // namespace bnnplan::engines
