#pragma once

#include <string>

namespace bnnplan::testing {

// Files that the project ships, and most tests begin with.
inline const std::string models = BNNPLAN_SOURCE_DIR "/models/";
inline const std::string corridor = models + "corridor.toml";
inline const std::string corridor_plan = models + "corridor.plan.json";

}  // namespace bnnplan::testing
