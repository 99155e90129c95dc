// The page consists of the files in page/, which the build embeds (cmake/embed.cmake): page.html with the
// placeholders {{title}}, {{style}}, {{script}}, {{data}} and {{text}}. The data is in a script element of
// type application/json; every < in it is written as a JSON escape, so nothing in a problem's names can end
// the element or begin another.
#include "bnnplan/report/report_page.hpp"

#include <fmt/format.h>

#include "bnnplan/base/markup.hpp"
#include "bnnplan/problem/worth.hpp"
#include "bnnplan/report/page_files.hpp"
#include "bnnplan/report/plan_table.hpp"
#include "bnnplan/report/words.hpp"

namespace bnnplan::reporting {

namespace {

std::string script_escaped(std::string_view json) {
  std::string result;
  result.reserve(json.size());
  for (const char c : json) {
    if (c == '<') {
      result += "\\u003c";
    } else {
      result += c;
    }
  }
  return result;
}

// What is known about a result, and on whose authority.
std::string standing_text(const Problem& problem, const ReportPlan& report) {
  if (report.proved && !report.proved->optimum)
    return fmt::format("there is no plan, proved by {}", report.proved->file);
  if (report.proved && report.plan && report.cost == *report.proved->optimum)
    return fmt::format("an optimal plan, proved by {}", report.proved->file);
  if (report.proved) {
    const char* standing = report.plan ? "not optimal"
                           : report.claims.status == "infeasible"
                               ? "the file claims that there is no plan, which is wrong"
                               : "no plan";
    return fmt::format("{}: the best plan has {}, proved by {}", standing,
                       worth_text(problem, *report.proved->optimum), report.proved->file);
  }
  if (!report.claims.status.empty())
    return fmt::format("the file claims: {}",
                       claim_text(report.claims.status, report.claims.among, report.claims.claimed_by,
                                  report.claims.resumed_from));
  return report.plan ? "a valid plan" : "no plan";
}

std::string world_text(const WorldCourse& world) {
  return fmt::format(
      "{}\n{}\n\n",
      world.parts == 0
          ? "model and domain agree on every state"
          : fmt::format("model and domain diverge at step {}: {}", world.parts, world.difference),
      world.violation.empty() ? fmt::format("valid in the domain, total reward {}", world.reward)
                              : fmt::format("refused by the domain: {}", world.violation));
}

// For readers without JavaScript: the plans as text.
std::string plain_text(const Problem& problem, const std::vector<ReportPlan>& plans) {
  std::string text;
  for (const ReportPlan& report : plans) {
    text += fmt::format("{}: {}\n", report.file, standing_text(problem, report));
    if (report.plan) {
      text += fmt::format("{}\n\n{}\n", worth_text(problem, report.cost), plan_table(problem, *report.plan));
      if (report.world) text += world_text(*report.world);
    }
  }
  return text;
}

}  // namespace

std::string report_page(const Problem& problem, const std::string& problem_file,
                        const std::vector<ReportPlan>& plans) {
  const std::string title = problem.name.empty() ? problem_file : problem.name;
  std::string page;
  std::string_view rest = page_html();
  while (true) {
    const std::size_t begin = rest.find("{{");
    page += rest.substr(0, begin);
    if (begin == rest.npos) return page;
    const std::size_t end = rest.find("}}", begin);
    const std::string_view place = rest.substr(begin + 2, end - begin - 2);
    rest.remove_prefix(end + 2);
    if (place == "title") {
      page += markup_escaped(title);
    } else if (place == "style") {
      page += page_css();
    } else if (place == "script") {
      page += page_js();
    } else if (place == "data") {
      page += script_escaped(report_data(problem, problem_file, plans));
    } else if (place == "text") {
      page += markup_escaped(plain_text(problem, plans));
    }
  }
}

}  // namespace bnnplan::reporting
