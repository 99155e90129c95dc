#pragma once

#include <string>
#include <string_view>

#include "bnnplan/base/answer.hpp"
#include "bnnplan/network/network.hpp"
#include "bnnplan/problem/plan_file.hpp"
#include "bnnplan/problem/problem.hpp"

namespace bnnplan::reporting {

// What `bnnplan info` says of the contents of a file.
Answer describe(const Problem& problem);
Answer describe(const Network& network);
Answer describe(const PlanSummary& plan);

// A line of it: a label, which is the name of a field, too, and its value for people and for programs.
void add_fact(Answer& answer, std::string name, std::string_view text, JsonValue value);
std::string fact_line(std::string_view label, std::string_view text);

}  // namespace bnnplan::reporting
