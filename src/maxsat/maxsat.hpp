#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "bnnplan/base/limits.hpp"
#include "bnnplan/base/status.hpp"
#include "bnnplan/formats/wcnf.hpp"

namespace bnnplan::maxsat {

class CoreOracle;

// One value per variable of the formula.
using MaxSatModel = std::vector<bool>;

// How to approach the optimum.
enum class MaxSatStrategy : std::uint8_t {
  core,     // from below: relax one unsatisfiable core after the other (core_guided.hpp)
  improve,  // from above: demand a better model until there is none (solution_improving.hpp)
};

// Each technique can be switched off on its own; the answer is the same. bench/maxsat_bench measures what
// each is worth.
struct MaxSatOptions {
  MaxSatStrategy strategy = MaxSatStrategy::core;
  bool at_most_one_detection = true;
  bool stratification = true;
  bool hardening = true;
  bool weight_aware_extraction = true;
  std::optional<int> extraction_conflicts;  // after this many in one call, waiting cores get their counters
  bool core_minimisation = true;
  bool core_exhaustion = true;
  // Core boosting: between turns of core-guided search, better models are demanded for the objective that
  // cores have left. The first turns take this much effort (CoreOracle::effort), later ones more; nothing:
  // cores alone.
  std::optional<std::int64_t> boosting = 2000;
  // Few restarts: for formulas in which propagating again after each restart is the main cost.
  bool stable = false;
};

// Callbacks during a run. Empty functions are not called.
struct MaxSatCallbacks {
  // A model better than all before, checked against the formula, and its cost.
  std::function<void(const MaxSatModel& model, formats::Weight cost)> improvement;
  // No model costs less than this; rises from call to call.
  std::function<void(formats::Weight lower_bound)> lower_bound;
  // The cost of the best model known elsewhere, if there is one: the search then only looks for cheaper ones.
  std::function<std::optional<formats::Weight>()> known_upper;
};

struct MaxSatRequest {
  MaxSatOptions options;
  Limits limits;  // threads is ignored: there is only one
  MaxSatCallbacks callbacks;
};

struct MaxSatStatistics {
  std::int64_t sat_calls = 0;
  std::int64_t conflicts = 0;
  std::int64_t cores = 0;
  std::int64_t core_literals = 0;            // of all cores together, as they were relaxed
  std::int64_t removed_by_minimisation = 0;  // literals
  std::int64_t raised_by_exhaustion = 0;     // bounds of counters
  std::int64_t hardened = 0;                 // literals
  std::int64_t at_most_ones = 0;             // groups found
};

struct MaxSatOutcome {
  Status status = Status::unknown;
  std::optional<MaxSatModel> model;     // the best; satisfies all hard clauses
  std::optional<formats::Weight> cost;  // of the model: the weights of the soft clauses it falsifies
  formats::Weight lower_bound = 0;      // always valid; equal to the cost if optimal; 0 if unsatisfiable
  StopReason stopped = StopReason::none;
  MaxSatStatistics statistics;
};

// Solves weighted partial MaxSAT. `formula` must stay alive and unchanged until the call returns. The same
// formula, options and seed give the same run, unless a limit ends it. Throws std::logic_error if the SAT
// solver returns a model that violates a hard clause, which cannot happen.
MaxSatOutcome solve_maxsat(const formats::Wcnf& formula, const MaxSatRequest& request = {});

// The same with another oracle instead of CaDiCaL (core_oracle.hpp). The oracle must have no variables yet;
// the limits are those of `watch`, and neither request.limits nor request.options.stable is used.
MaxSatOutcome solve_maxsat(const formats::Wcnf& formula, const MaxSatRequest& request, CoreOracle& oracle,
                           LimitWatch& watch);

}  // namespace bnnplan::maxsat
