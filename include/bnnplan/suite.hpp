#pragma once

// The benchmark suites: make_suite(options) writes the 45 problems, or a ladder of new ones of any size, as
// files, with an index of their optima (suite/suite.hpp).

#include <vector>

#include "base/input_error.hpp"
#include "base/option.hpp"
#include "suite/suite.hpp"

namespace bnnplan {

using suite::make_suite;
using suite::suite_problems;
using suite::SuiteOptions;
using suite::SuiteProblem;
using suite::SuiteProgress;
using suite::SuiteResult;
using suite::SuiteSource;
using suite::take_suite_part;
using suite::wanted_problems;
using suite::WantedProblem;

std::vector<Option> options_of(SuiteOptions& options);  // all but its source and callbacks

}  // namespace bnnplan
