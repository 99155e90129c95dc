#pragma once

// What files hold, and pages for browsers.
//
//   std::cout << bnnplan::info({"corridor.toml", "models", text}).text;
//   const bnnplan::Report report = bnnplan::report(problem, "corridor.toml", {{"plan.json", "", plan_text}});
//   bnnplan::write_text_file("corridor.html", report.page);

#include <string>
#include <vector>

#include <bnnplan/check.hpp>
#include <bnnplan/problem.hpp>

#include "bnnplan/api/file_kind.hpp"
#include "bnnplan/base/option.hpp"
#include "bnnplan/report/report_page.hpp"

namespace bnnplan {

using reporting::report_page;

// What a file of any kind holds: a problem, network, plan, data set, domain or formula. Throws InputError.
Answer info(const InputText& file, const ReadOptions& options = {});

struct ReportOptions {
  std::vector<std::string> proofs;  // files
  DomainFiles world;                // also replay the plans there
};
std::vector<Option> options_of(ReportOptions& options);

struct Report {
  std::string page;
  std::vector<reporting::ReportPlan> plans;
  std::vector<std::string> refusals;  // of plans that the true domain refuses, a line each; they are shown
  bool other_reward = false;          // the model promises another reward for a plan than the domain gives
};

// Replays results for the problem, checks the proofs, and makes a page of both. Requires at least one plan.
// Throws InputError, and RefusedReport if a plan or a proof is wrong.
Report report(const Problem& problem, const std::string& problem_file, const std::vector<InputText>& plans,
              const ReportOptions& options = {});

}  // namespace bnnplan
