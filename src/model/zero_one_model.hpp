#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bnnplan/base/linear_row.hpp"
#include "bnnplan/base/literal.hpp"

namespace bnnplan::model {

// The parts of a model, by which sizes are reported. Layers of the network are numbered from 1.
enum class PartKind : std::uint8_t { initial, goal, global, known, refused, layer, objective };

struct Part {
  PartKind kind = PartKind::global;
  std::uint16_t layer = 0;
  friend auto operator<=>(const Part&, const Part&) = default;
};

std::string part_name(Part part);  // "initial", "layer 2"

struct ModelRow {
  LinearRow row;
  Part part;
};

struct ModelNeuron {
  ReifiedAtLeast neuron;
  std::int32_t step = 1;    // t, from 1
  std::uint16_t layer = 1;  // from 1
};

// The variable layout. Step t = 1..H has a block of variables: state s^t, action a^t, auxiliary, then the
// hidden neurons layer by layer; the state s^(H+1) is at the end. Network inputs and outputs have no
// variables of their own: they are those of a^t, s^t and s^(t+1).
struct ModelLayout {
  std::int32_t horizon = 0;
  std::uint32_t state_bits = 0, action_bits = 0, auxiliary_bits = 0;
  std::vector<std::uint32_t> hidden;  // neurons of each layer except the last

  std::uint32_t hidden_bits() const;
  std::uint32_t step_size() const;
  std::uint32_t variable_count() const;

  Var state(std::int32_t t, std::uint32_t bit) const;  // t = 1..H+1
  Var action(std::int32_t t, std::uint32_t bit) const;
  Var auxiliary(std::int32_t t, std::uint32_t bit) const;
  Var neuron(std::int32_t t, std::uint32_t layer, std::uint32_t index) const;  // layer from 1, index from 0

  // Does the variable belong to the problem (state, action, auxiliary) and not to a hidden neuron?
  bool is_problem_variable(Var v) const;
};

// The problem as one 0-1 program: minimise the objective subject to all rows and neurons. Plain data, in the
// middle of everything: the unroller makes it, the simplifier shrinks it, all formats and engines read it.
struct ZeroOneModel {
  ModelLayout layout;
  std::vector<ModelRow> rows;
  std::vector<ModelNeuron> neurons;  // by step, then by layer

  // cost * 10^decimals = offset + sum of weight * literal, with positive weights and distinct variables.
  std::vector<WeightedLit> objective;
  std::int64_t offset = 0;
  int decimals = 0;

  // For names: the bits of one step, and the name of the problem.
  std::vector<std::string> state_names, action_names, auxiliary_names;
  std::string problem_name;
};

// Adds the row "cost * 10^decimals <= bound".
void add_cost_bound(ZeroOneModel& model, std::int64_t bound);

// robot-at[$x21| $y12]@3 for a state, action or auxiliary bit of step 3, neuron 2.17@4 for neuron 17 (from 1)
// of layer 2 in step 4.
std::string variable_name(const ZeroOneModel& model, Var v);

}  // namespace bnnplan::model
