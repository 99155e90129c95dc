#pragma once

// The benchmark suites: make_suite(options) writes the 45 problems, or a ladder of new ones of any size, as
// files, with an index of their optima (suite/suite.hpp).

#include <vector>

#include "bnnplan/base/answer.hpp"
#include "bnnplan/base/input_error.hpp"
#include "bnnplan/base/option.hpp"
#include "bnnplan/suite/suite.hpp"

namespace bnnplan {

using suite::make_suite, suite::SuiteOptions, suite::SuiteProgress, suite::SuiteResult, suite::SuiteSource,
    suite::take_suite_part, suite::wanted_problems, suite::WantedProblem;

std::vector<Option> options_of(SuiteOptions& options);  // all but its source and callbacks

// What was written, and the whole index.
Answer answer_of(const SuiteOptions& options, const SuiteResult& result);

}  // namespace bnnplan
