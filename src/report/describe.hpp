#pragma once

#include <string>
#include <utility>
#include <vector>

#include "bnnplan/network/network.hpp"
#include "bnnplan/problem/plan_file.hpp"
#include "bnnplan/problem/problem.hpp"

namespace bnnplan::reporting {

// What `bnnplan info` prints: a few lines about the contents of a file.
std::string describe(const Problem& problem);
std::string describe(const Network& network);
std::string describe(const PlanSummary& plan);

// The same for anything else, from pairs of a label and a value.
using Fact = std::pair<std::string, std::string>;
std::string describe_facts(const std::vector<Fact>& facts);

}  // namespace bnnplan::reporting
