#pragma once

#include "bnnplan/engines/engine.hpp"

namespace bnnplan::engines {

// The search engine: see Engine. Its parts are in this folder; docs/engines.md explains the idea.
Outcome run_search(const Problem& problem, const EngineRequest& request);

}  // namespace bnnplan::engines
