#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bnnplan/network/network_file.hpp"
#include "bnnplan/problem/problem.hpp"
#include "bnnplan/rddl/ground/ground.hpp"

namespace bnnplan::rddl {

// Per state bit: whether it is an output of the network. Outputs that are not state bits are ignored;
// connect_network reports them.
std::vector<bool> learned_bits(const VariableList& state, const std::optional<Network>& network);

// Throws InputError unless the learned bits are exactly those of the named fluents (or ground variables), at
// the line of the unexpected output if `lines` is given. Requires that `state` has the state variables of the
// model.
void check_learned(const GroundModel& model, const VariableList& state, const Network& network,
                   const std::vector<std::string>& names, const NetworkNameLines* lines);

}  // namespace bnnplan::rddl
