#pragma once

#include <string>
#include <string_view>

#include "verify/verify.hpp"

namespace bnnplan {

// "nearest", "robust" (with an epsilon), ...
std::string_view status_word(Status status, bool epsilon);

// The answer as text: what was asked and found, which inputs change, the scores before and after.
std::string verify_text(const Network& network, const VerifyQuery& query, const VerifyOutcome& outcome,
                        double seconds);

// The same as one JSON object (docs/verify.md). Numbers without a finite decimal are strings such as "1/3".
std::string verify_json(const Network& network, const VerifyQuery& query, const VerifyOutcome& outcome,
                        double seconds);

}  // namespace bnnplan
