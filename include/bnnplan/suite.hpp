#pragma once

// The benchmark suite: make_suite(options) writes the 45 problems as files, with an index of their optima (suite/suite.hpp).
// make_extended_suite(options) writes a ladder of new ones, of any size (suite/extended_suite.hpp); make_submission(competition, options) packs it
// for a competition (suite/submission.hpp).

#include "base/input_error.hpp"
#include "suite/extended_suite.hpp"
#include "suite/submission.hpp"
#include "suite/suite.hpp"
