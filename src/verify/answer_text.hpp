#pragma once

#include <string>

#include "verify/answer_linear.hpp"
#include "verify/count.hpp"
#include "verify/explain.hpp"
#include "verify/query_file.hpp"
#include "verify/two_networks.hpp"

namespace bnnplan {

// Answers to the other questions of `bnnplan verify`, as text and as one JSON object (docs/verify.md).

std::string equal_text(const Network& first, const Region& region, const JointOutcome& outcome,
                       double seconds);
std::string equal_json(const Network& first, const Region& region, const JointOutcome& outcome,
                       double seconds);

std::string monotone_text(const Network& network, const MonotoneQuery& query, const JointOutcome& outcome,
                          double seconds);
std::string monotone_json(const Network& network, const MonotoneQuery& query, const JointOutcome& outcome,
                          double seconds);

std::string explanation_text(const Network& network, const ExplainQuery& query, const Explanation& answer,
                             double seconds);
std::string explanation_json(const Network& network, const ExplainQuery& query, const Explanation& answer,
                             double seconds);

std::string count_text_of(CountOf what, const CountOutcome& outcome, double seconds);
std::string count_json(CountOf what, const CountOutcome& outcome, double seconds);

std::string query_text(const Network& network, const QueryFile& file, const LinearOutcome& outcome,
                       double seconds);
std::string query_json(const Network& network, const QueryFile& file, const LinearOutcome& outcome,
                       double seconds);

}  // namespace bnnplan
