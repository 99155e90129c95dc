#pragma once

#include <filesystem>
#include <string>

#include "bnnplan/problem/plan.hpp"
#include "bnnplan/problem/problem.hpp"

namespace bnnplan::reporting {

// Saves what is needed to reproduce a failure: the problem, its network and the plan, as NAME.toml, NAME.bnn
// and NAME.json in `folder` for an unused NAME. Returns the path of the problem file.
std::filesystem::path save_reproduction(const std::filesystem::path& folder, const Problem& problem,
                                        const Plan& plan);

}  // namespace bnnplan::reporting
