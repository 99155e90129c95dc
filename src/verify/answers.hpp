#pragma once

#include <string_view>

#include "bnnplan/base/answer.hpp"
#include "bnnplan/query/query_file.hpp"
#include "bnnplan/verify/answer_linear.hpp"
#include "bnnplan/verify/count.hpp"
#include "bnnplan/verify/explain.hpp"
#include "bnnplan/verify/two_networks.hpp"

namespace bnnplan::verification {

// "nearest", "robust" (with an epsilon), ...
std::string_view status_word(Status status, bool epsilon);

// The answers to the questions of `bnnplan verify`: their fields (docs/verify.md), and the text for people,
// with what was found and the scores there. Numbers without a finite decimal are texts such as "1/3".
Answer verify_answer(const Network& network, const VerifyQuery& query, const VerifyOutcome& outcome,
                     double seconds);
Answer equal_answer(const Network& first, const Region& region, const JointOutcome& outcome, double seconds);
Answer monotone_answer(const Network& network, const MonotoneQuery& query, const JointOutcome& outcome,
                       double seconds);
Answer explanation_answer(const Network& network, const ExplainQuery& query, const Explanation& found,
                          double seconds);
Answer count_answer(CountOf what, const CountOutcome& outcome, double seconds);
Answer query_answer(const Network& network, const QueryFile& file, const LinearOutcome& outcome,
                    double seconds);

}  // namespace bnnplan::verification
