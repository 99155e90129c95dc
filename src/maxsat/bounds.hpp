#pragma once

#include <functional>
#include <optional>

#include "bnnplan/maxsat/core_oracle.hpp"

namespace bnnplan::maxsat {

// What a search must know of the problem that its oracle solves, and its callbacks.
struct BoundEvents {
  // The cost of the oracle's model.
  std::function<formats::Weight(const CoreOracle& oracle)> cost;
  // Called when the oracle's model has this cost, less than all before.
  std::function<void(const CoreOracle& oracle, formats::Weight cost)> improved;
  // Called when no model costs less than this; rises from call to call.
  std::function<void(formats::Weight lower)> raised;
  // The cost of the best model known elsewhere, if there is one. May be empty.
  std::function<std::optional<formats::Weight>()> known_upper = nullptr;
};

// The cost of the best model, here or elsewhere, and the lower bound of a run.
class Bounds {
 public:
  // With `enough`: a model of the oracle of at most this cost ends the search, as if it were the best.
  explicit Bounds(BoundEvents events, std::optional<formats::Weight> enough = {})
      : events_(std::move(events)), enough_(enough) {}

  // Takes the oracle's model if it is better than the best. Requires that its last answer was satisfiable.
  // Returns the cost of that model.
  formats::Weight offer_model(const CoreOracle& oracle);

  // Another search has a model of this cost: only better ones matter from now on. The second asks
  // events.known_upper.
  void offer_upper(formats::Weight cost);
  void take_known_upper();

  // No model is cheaper than `lower`, or none is cheaper than the best: this is what a search proves after it
  // has excluded models that are not improvements (hardening.hpp).
  void raise_lower(formats::Weight lower);

  std::optional<formats::Weight> upper() const { return upper_; }
  formats::Weight lower() const { return lower_; }
  bool closed() const { return has_enough_ || (upper_ && lower_ == *upper_); }

 private:
  void set_lower(formats::Weight lower);

  BoundEvents events_;
  std::optional<formats::Weight> enough_;
  bool has_enough_ = false;
  std::optional<formats::Weight> upper_;
  formats::Weight lower_ = 0;
  formats::Weight claimed_lower_ = 0;  // the largest argument of raise_lower
};

}  // namespace bnnplan::maxsat
