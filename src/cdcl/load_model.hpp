#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "bnnplan/cdcl/solver.hpp"
#include "bnnplan/model/zero_one_model.hpp"

namespace bnnplan::cdcl {

// Loads a 0-1 model into a solver, whole or piece by piece, with the same numbers of variables. A piece is
// no longer needed after it was loaded.
class ModelLoader {
 public:
  explicit ModelLoader(Solver& solver) : solver_(solver) {}

  // Creates the missing variables of steps 1..t, with the state after step t.
  void add_variables(const model::ModelLayout& layout, std::int32_t t);

  // Sets the order of decisions (free initial bits, then actions and auxiliary variables step by step) and,
  // for the objective's literals, phases that cost nothing. Requires all variables of the layout.
  void set_order(const model::ModelLayout& layout, const std::vector<WeightedLit>& objective);

  // Rows and neurons; all steps of a network share its weights.
  void add_rows(std::span<const model::ModelRow> rows);
  void add_neurons(std::span<const model::ModelNeuron> neurons);

 private:
  Solver& solver_;
  std::map<std::uint16_t, std::uint32_t> first_of_layer_;
};

// A whole model; the objective is left to the caller.
void load_model(const model::ZeroOneModel& model, Solver& solver);

}  // namespace bnnplan::cdcl
