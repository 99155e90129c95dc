#pragma once

#include <cstdint>
#include <optional>

#include "maxsat/load_formula.hpp"
#include "maxsat/maxsat.hpp"

namespace bnnplan {

// The best model and the bounds of a run; tells the callbacks.
class Bounds {
 public:
  Bounds(const Wcnf& formula, const VariableMap& map, const MaxSatCallbacks& callbacks)
      : formula_(formula), map_(map), callbacks_(callbacks) {}

  // Takes the solver's model if it is better than the best. Requires that its last answer was satisfiable.
  // Returns the cost of that model.
  Weight offer_model(const SatSolver& sat);

  // No model is cheaper than `lower`, or none is cheaper than the best: what search proves after it has
  // excluded models that are no improvement (hardening.hpp).
  void raise_lower(Weight lower);

  std::optional<Weight> upper() const { return upper_; }
  Weight lower() const { return lower_; }
  bool closed() const { return upper_ && lower_ == *upper_; }
  const std::optional<MaxSatModel>& model() const { return model_; }

 private:
  Weight cost_in_solver(const SatSolver& sat) const;
  void set_lower(Weight lower);

  const Wcnf& formula_;
  const VariableMap& map_;
  const MaxSatCallbacks& callbacks_;
  std::optional<MaxSatModel> model_;
  std::optional<Weight> upper_;
  Weight lower_ = 0;
  Weight claimed_lower_ = 0;  // what raise_lower was told
};

}  // namespace bnnplan
