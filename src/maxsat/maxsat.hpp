#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "base/limits.hpp"
#include "formats/wcnf.hpp"

namespace bnnplan {

class CoreOracle;

// One value per variable of the formula.
using MaxSatModel = std::vector<bool>;

// How to close in on the optimum.
enum class MaxSatStrategy : std::uint8_t {
  core,     // from below: relax one unsatisfiable core after the other (core_guided.hpp)
  improve,  // from above: demand a better model until there is none (solution_improving.hpp)
};

// Every technique can be switched off alone; the answer is the same. bench/maxsat_bench measures what each
// is worth.
struct MaxSatOptions {
  MaxSatStrategy strategy = MaxSatStrategy::core;
  bool at_most_one_detection = true;
  bool stratification = true;
  bool hardening = true;
  bool weight_aware_extraction = true;
  std::optional<int> extraction_conflicts;  // after so many in one call, cores that wait get their counters
  bool core_minimisation = true;
  bool core_exhaustion = true;
  // Core boosting: between turns of core-guided search, better models are demanded of what cores have made of the
  // objective. The first turns take so much effort (CoreOracle::effort), later ones more; none: cores alone.
  std::optional<std::int64_t> boosting = 2000;
  bool stable = false;  // few restarts: for formulas where propagating anew after each of them is what costs
};

enum class MaxSatStatus : std::uint8_t {
  optimal,        // proved
  satisfiable,    // a model, not proved optimal; or not as good as what somebody else has
  unsatisfiable,  // proved that the hard clauses have no model
  unknown         // no model: a limit was hit, or the lower bound is what somebody else's model costs
};

// What a run tells while it runs. Empty functions are not called.
struct MaxSatCallbacks {
  // A model better than all before, checked against the formula, and its cost.
  std::function<void(const MaxSatModel& model, Weight cost)> improvement;
  // No model costs less than this; rises from call to call.
  std::function<void(Weight lower_bound)> lower_bound;
  // What a model that somebody else has costs, if there is one: nothing as expensive is looked for any more.
  std::function<std::optional<Weight>()> known_upper;
};

struct MaxSatRequest {
  MaxSatOptions options;
  Limits limits;  // threads is not used: there is one
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
  MaxSatStatus status = MaxSatStatus::unknown;
  std::optional<MaxSatModel> model;  // the best; satisfies all hard clauses
  std::optional<Weight> cost;        // of the model: the weights of the soft clauses it falsifies
  Weight lower_bound = 0;            // always valid; equal to the cost if optimal; 0 if unsatisfiable
  StopReason stopped = StopReason::none;
  MaxSatStatistics statistics;
};

// Solves weighted partial MaxSAT. `formula` must live and stay the same until the call returns. The same
// formula, options and seed give the same run, unless a limit ends it.
// Throws std::logic_error if the SAT solver gives a model that violates a hard clause, which cannot happen.
MaxSatOutcome solve_maxsat(const Wcnf& formula, const MaxSatRequest& request = {});

// The same by another oracle than CaDiCaL (core_oracle.hpp). It has no variables yet; the limits are those of
// `watch`, and neither request.limits nor request.options.stable is used.
MaxSatOutcome solve_maxsat(const Wcnf& formula, const MaxSatRequest& request, CoreOracle& oracle,
                           LimitWatch& watch);

}  // namespace bnnplan
