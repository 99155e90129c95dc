#pragma once

#include <string>

#include "network/network.hpp"
#include "problem/plan_file.hpp"
#include "problem/problem.hpp"

namespace bnnplan {

// What `bnnplan info` prints: a few lines that say what a file holds.
std::string describe(const Problem& problem);
std::string describe(const Network& network);
std::string describe(const PlanSummary& plan);

}  // namespace bnnplan
