#pragma once

// The benchmark suite: make_suite(options) writes the 45 problems as files, with an index of their optima (suite/suite.hpp).

#include "base/input_error.hpp"
#include "suite/suite.hpp"
