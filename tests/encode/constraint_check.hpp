#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "bnnplan/encode/implication.hpp"
#include "encode/unit_propagation.hpp"

namespace bnnplan::encoding {

// Says whether an assignment of the literals of a constraint is allowed: bit i is set if literal i is true.
using Allowed = std::function<bool(std::uint32_t assignment)>;

// Checks clauses against what they should mean, over all assignments of `literals`, by brute force.
class ConstraintCheck {
 public:
  ConstraintCheck(const CollectingSink& formula, std::vector<Lit> literals, Allowed allowed)
      : propagation_(formula, formula.variables()), literals_(std::move(literals)) {
    for (std::uint32_t a = 0; a < 1u << literals_.size(); ++a) allowed_.push_back(allowed(a) ? 1 : 0);
  }

  // Exactly the allowed assignments extend to solutions of the clauses.
  ::testing::AssertionResult is_exact() {
    for (std::uint32_t a = 0; a < allowed_.size(); ++a) {
      if (propagation_.satisfiable(chosen(all(), a)) != (allowed_[a] != 0)) {
        return ::testing::AssertionFailure()
               << "assignment " << a << " should be " << (allowed_[a] ? "" : "not ") << "allowed";
      }
    }
    return ::testing::AssertionSuccess();
  }

  // Whatever part of the literals is assigned, unit propagation derives every literal that is implied, and
  // a conflict if there is no solution.
  ::testing::AssertionResult is_propagation_complete() {
    for (std::uint32_t known = 0; known <= all(); ++known) {
      for (std::uint32_t values = known;; values = (values - 1) & known) {
        if (!derives_all(known, values)) {
          return ::testing::AssertionFailure()
                 << "known " << known << " with values " << values << " is not propagated";
        }
        if (values == 0) break;
      }
    }
    return ::testing::AssertionSuccess();
  }

 private:
  std::uint32_t all() const { return static_cast<std::uint32_t>(allowed_.size()) - 1; }

  std::vector<Lit> chosen(std::uint32_t known, std::uint32_t values) const {
    std::vector<Lit> result;
    for (std::size_t i = 0; i < literals_.size(); ++i) {
      if ((known >> i & 1) != 0) result.push_back((values >> i & 1) != 0 ? literals_[i] : ~literals_[i]);
    }
    return result;
  }

  bool derives_all(std::uint32_t known, std::uint32_t values) {
    std::uint32_t can_be_true = 0;
    std::uint32_t can_be_false = 0;
    const std::uint32_t open = all() & ~known;
    for (std::uint32_t rest = open;; rest = (rest - 1) & open) {
      if (allowed_[values | rest] != 0) {
        can_be_true |= values | rest;
        can_be_false |= ~(values | rest);
      }
      if (rest == 0) break;
    }
    const bool consistent = propagation_.assume(chosen(known, values));
    if ((can_be_true | can_be_false) == 0) return !consistent;
    if (!consistent) return false;
    for (std::size_t i = 0; i < literals_.size(); ++i) {
      if ((can_be_false >> i & 1) == 0 && !propagation_.is_true(literals_[i])) return false;
      if ((can_be_true >> i & 1) == 0 && !propagation_.is_false(literals_[i])) return false;
    }
    return true;
  }

  UnitPropagation propagation_;
  std::vector<Lit> literals_;
  std::vector<char> allowed_;
};

inline bool allows(Implication implication, bool output, bool holds) {
  return (!goes_to_output(implication) || !holds || output) &&
         (!goes_from_output(implication) || !output || holds);
}

}  // namespace bnnplan::encoding
