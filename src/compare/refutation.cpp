// Every plan was replayed by the checker before its cost arrives here, so a plan is evidence and a claim is
// not: if they contradict each other, the claim is wrong. Of several different claims, all those above the
// cheapest plan are refuted; there is no vote.
#include "bnnplan/compare/refutation.hpp"

#include <map>
#include <set>

#include <fmt/format.h>

#include "bnnplan/problem/worth.hpp"

namespace bnnplan::comparison {

std::vector<RunRecord> with_refutations(std::vector<RunRecord> runs, const std::vector<RunRecord>& known,
                                        const std::vector<Task>& tasks) {
  std::set<std::string> rewards;  // tasks with a reward
  for (const Task& task : tasks) {
    if (task.maximize) rewards.insert(task.name);
  }
  struct Evidence {
    std::string entrant;
    Decimal cost;
  };
  std::map<std::pair<std::string, std::string>, Evidence> cheapest;  // by task and digest
  for (const std::vector<RunRecord>* list : {&static_cast<const std::vector<RunRecord>&>(runs), &known}) {
    for (const RunRecord& run : *list) {
      if (!run.cost) continue;
      const auto [found, added] =
          cheapest.try_emplace({run.task, run.digest}, Evidence{run.entrant, *run.cost});
      if (!added && *run.cost < found->second.cost) found->second = {run.entrant, *run.cost};
    }
  }
  for (RunRecord& run : runs) {
    const auto found = cheapest.find({run.task, run.digest});
    if (found == cheapest.end() || run.status == "error") continue;
    const auto& [entrant, cost] = found->second;
    const auto bound = run.status == "optimal" ? run.cost : run.lower_bound;
    const bool none = run.status == "infeasible";
    if (!none && !(bound && cost < *bound)) continue;
    const bool maximize = rewards.contains(run.task);
    run.status = "refuted";
    run.message =
        fmt::format("{} has a plan of {}, but {} claims that {}", entrant, worth_text(maximize, cost),
                    run.entrant, none ? "there is none" : bound_text(maximize, *bound, "none"));
  }
  return runs;
}

}  // namespace bnnplan::comparison
