#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "bnnplan/encode/lower.hpp"
#include "bnnplan/model/zero_one_model.hpp"
#include "bnnplan/problem/problem.hpp"

namespace bnnplan::testing {

// A way from a problem to its optimum by a solver of others: the problem is unrolled and simplified or not,
// written in a format, solved, and the answer decoded and replayed. The solvers are packages that `make test`
// installs.
struct SolverRoute {
  std::string_view name;    // "clasp on OPB"
  std::string_view format;  // of `encode --to`
  bool simplified;
  std::vector<std::string> command;  // FILE and SOLUTION stand for the files
};

std::span<const SolverRoute> solver_routes();
const SolverRoute& solver_route(std::string_view name);

// The solver's own mistake: its values are not a solution of the file it was given. (clasp 3.3.5 loses a half
// of some equations of an OPB file: with -1 x1 >= 0 and +1 x1 +3 x2 = 1 it sets both to 0.)
struct SolverMistake : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The text of a solver's answer to the model in a file.
using Solver = std::function<std::string(const std::filesystem::path& file)>;

// The optimal cost by this route, nothing if the solver says that there is no plan. Files are written into
// `folder`. Throws SolverMistake, and std::runtime_error if the solver proves nothing or gives a plan that
// the checker refuses.
std::optional<std::int64_t> cost_by_route(const Problem& problem, const SolverRoute& route,
                                          const std::filesystem::path& folder,
                                          const encoding::LoweringOptions& options = {});

// The same with a solver of one's own in the place of the route's command.
std::optional<std::int64_t> cost_by_route(const Problem& problem, const SolverRoute& route,
                                          const std::filesystem::path& folder,
                                          const encoding::LoweringOptions& options, const Solver& solver);

// The same for a model that is the unrolled problem with rows of one's own. It is written as it is.
std::optional<std::int64_t> cost_by_route(const Problem& problem, const model::ZeroOneModel& model,
                                          const SolverRoute& route, const std::filesystem::path& folder,
                                          const encoding::LoweringOptions& options = {});

// Whether cadical finds a plan of at most this cost by way of a CNF file. Throws std::runtime_error too.
bool feasible_by_cadical(const Problem& problem, std::int64_t bound, const std::filesystem::path& folder);

}  // namespace bnnplan::testing
