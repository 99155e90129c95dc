#pragma once

#include <functional>
#include <optional>

#include "maxsat/core_oracle.hpp"

namespace bnnplan {

// What a search has to know of the problem that its oracle works on, and whom it tells.
struct BoundEvents {
  // What the oracle's model costs.
  std::function<Weight(const CoreOracle& oracle)> cost;
  // The oracle's model costs this, less than all before.
  std::function<void(const CoreOracle& oracle, Weight cost)> improved;
  // No model costs less than this; rises from call to call.
  std::function<void(Weight lower)> raised;
  // What a model of somebody else costs, if there is one. May be empty.
  std::function<std::optional<Weight>()> known_upper = nullptr;
};

// The cost of the best model, here or elsewhere, and the lower bound of a run.
class Bounds {
 public:
  explicit Bounds(BoundEvents events) : events_(std::move(events)) {}

  // Takes the oracle's model if it is better than the best. Requires that its last answer was satisfiable.
  // Returns the cost of that model.
  Weight offer_model(const CoreOracle& oracle);

  // Somebody else has a model of this cost: only better ones matter from now on. The second asks who knows.
  void offer_upper(Weight cost);
  void take_known_upper();

  // No model is cheaper than `lower`, or none is cheaper than the best: what search proves after it has
  // excluded models that are no improvement (hardening.hpp).
  void raise_lower(Weight lower);

  std::optional<Weight> upper() const { return upper_; }
  Weight lower() const { return lower_; }
  bool closed() const { return upper_ && lower_ == *upper_; }

 private:
  void set_lower(Weight lower);

  BoundEvents events_;
  std::optional<Weight> upper_;
  Weight lower_ = 0;
  Weight claimed_lower_ = 0;  // what raise_lower was told
};

}  // namespace bnnplan
