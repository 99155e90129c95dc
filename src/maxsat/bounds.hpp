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
  std::int64_t offer_model(const SatSolver& sat);

  // No model is cheaper than `lower`, or none is cheaper than the best: what search proves after it has
  // excluded models that are no improvement (hardening.hpp).
  void raise_lower(std::int64_t lower);

  std::optional<std::int64_t> upper() const { return upper_; }
  std::int64_t lower() const { return lower_; }
  bool closed() const { return upper_ && lower_ == *upper_; }
  const std::optional<MaxSatModel>& model() const { return model_; }

 private:
  std::int64_t cost_in_solver(const SatSolver& sat) const;
  void set_lower(std::int64_t lower);

  const Wcnf& formula_;
  const VariableMap& map_;
  const MaxSatCallbacks& callbacks_;
  std::optional<MaxSatModel> model_;
  std::optional<std::int64_t> upper_;
  std::int64_t lower_ = 0;
  std::int64_t claimed_lower_ = 0;  // what raise_lower was told
};

}  // namespace bnnplan
