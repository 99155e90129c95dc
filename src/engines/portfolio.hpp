#pragma once

#include "engines/engine.hpp"

namespace bnnplan {

// The engine "auto": several engines on one problem, which share their bounds; the first proof ends all. The
// outcome says which engine found the plan and which proved it. Throws std::logic_error if engines contradict
// each other.
Outcome run_portfolio(const Problem& problem, const EngineRequest& request);

}  // namespace bnnplan
