#pragma once

#include "bnnplan/engines/engine.hpp"

namespace bnnplan::engines {

// The engine "auto": several engines on one problem, sharing their bounds; the first proof ends all of them.
// The outcome states which engine found the plan and which proved it. Throws std::logic_error if engines
// contradict each other.
Outcome run_portfolio(const Problem& problem, const EngineRequest& request);

}  // namespace bnnplan::engines
