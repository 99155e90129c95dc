#pragma once

// The benchmark suites: make_suite(options) writes the 45 problems, or a ladder of new ones of any size, as
// files, with an index of their optima (suite/suite.hpp).

#include <vector>

#include "base/input_error.hpp"
#include "base/option.hpp"
#include "suite/suite.hpp"

namespace bnnplan {

std::vector<Option> options_of(SuiteOptions& options);  // all but its source and callbacks

}  // namespace bnnplan
