#pragma once

// Comparisons of engines and other solvers:
//
//   bnnplan::BenchOptions options;
//   options.problems = {"models/corridor.toml@7-12"};
//   options.engines = {"search", "maxsat"};
//   options.solvers = {"opb: clasp"};
//   options.program = "/usr/bin/bnnplan";
//   options.folder = "results";
//   std::cout << bnnplan::bench(options).table;

#include <vector>

#include "bnnplan/base/option.hpp"
#include "bnnplan/compare/bench.hpp"

namespace bnnplan {

using comparison::BenchResult, comparison::compare;

std::vector<Option> options_of(comparison::BenchOptions& options);  // all but problems, files and callbacks

// Runs everything that is not in the folder yet, each run in its own process, and checks that the answers
// agree (compare/bench.hpp). Throws OptionError and InputError.
BenchResult bench(const comparison::BenchOptions& options);

}  // namespace bnnplan
