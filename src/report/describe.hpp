#pragma once

#include <string>
#include <utility>
#include <vector>

#include "network/network.hpp"
#include "problem/plan_file.hpp"
#include "problem/problem.hpp"

namespace bnnplan {

// What `bnnplan info` prints: a few lines that say what a file holds.
std::string describe(const Problem& problem);
std::string describe(const Network& network);
std::string describe(const PlanSummary& plan);

// The same of anything else: what, and what is said of it.
using Fact = std::pair<std::string, std::string>;
std::string describe_facts(const std::vector<Fact>& facts);

}  // namespace bnnplan
