#pragma once

#include "bnnplan/engines/engine.hpp"

namespace bnnplan::engines {

// Conflict-driven search over the unrolled network, with neurons as native constraints. Writes a proof if the
// request names a file for it.
Outcome run_neuron(const Problem& problem, const EngineRequest& request);

}  // namespace bnnplan::engines
