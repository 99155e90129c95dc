// A page shows only what was checked: plans are replayed, proofs are checked, and what the true domain does
// is computed here, not taken from a file.
#include <bnnplan/report.hpp>
#include <fmt/format.h>

#include "bnnplan/api/world_course.hpp"
#include "bnnplan/base/text_file.hpp"
#include "bnnplan/problem/worth.hpp"

namespace bnnplan {

namespace {

void replay_in_domain(rddl::Simulator domain, Problem problem, Report& report) {
  for (reporting::ReportPlan& shown : report.plans) {
    if (!shown.plan) continue;
    set_horizon(problem, shown.horizon);
    shown.world = world_course(domain, problem, *shown.plan);
    if (!shown.world->violation.empty()) {
      report.refusals.push_back(fmt::format("{}: refused by the domain: {}", printable(shown.file),
                                            printable(shown.world->violation, 1000)));
    } else if (!promise_text(problem, shown.cost, shown.world->reward).empty()) {
      report.other_reward = true;
    }
  }
}

}  // namespace

Report report(const Problem& problem, const std::string& problem_file, const std::vector<InputText>& plans,
              const ReportOptions& options) {
  check_options(options, options_of);
  Report made;
  for (const InputText& plan : plans)
    made.plans.push_back(read_as(
        FileKind::plan, plan, [&] { return reporting::parse_report_plan(plan.text, plan.name, problem); }));
  for (const std::string& file : options.proofs) {
    const std::string proof = read_text_file(file, largest_proof());
    if (const auto kind = kind_of(proof, file); kind && *kind != FileKind::proof)
      throw *wrong_kind(FileKind::proof, file, proof);
    reporting::add_report_proof(proof, file, problem, made.plans);
  }
  if (!options.world.domain.empty())
    replay_in_domain(rddl::Simulator(options.world.domain, options.world.instance), problem, made);
  made.page = report_page(problem, problem_file, made.plans);
  return made;
}

}  // namespace bnnplan
