// What a file holds, whatever kind of file it is.
#include <algorithm>

#include <bnnplan/report.hpp>
#include <fmt/format.h>

#include "bnnplan/base/count_text.hpp"
#include "bnnplan/formats/wcnf_reader.hpp"
#include "bnnplan/learn/data_set.hpp"
#include "bnnplan/network/network_file.hpp"
#include "bnnplan/problem/plan_file.hpp"
#include "bnnplan/rddl/language/syntax.hpp"
#include "bnnplan/report/describe.hpp"

namespace bnnplan {

namespace {

std::string describe_data(const learning::DataSet& data) {
  return reporting::describe_facts(
      {{"data set", fmt::format("{}, {} distinct", count_text(data.sample_row.size(), "transition"),
                                data.distinct_rows())},
       {"inputs", count_text(data.input_names.size(), "bit")},
       {"outputs", count_text(data.output_names.size(), "bit")},
       {"contradictory", count_text(data.contradictions, "transition")}});
}

std::string describe_rddl(const rddl::RddlFile& file) {
  std::vector<reporting::Fact> facts;
  for (const rddl::RddlDomain& domain : file.domains) {
    const auto count = [&](rddl::FluentRole role) {
      return std::count_if(domain.fluents.begin(), domain.fluents.end(),
                           [&](const rddl::FluentDeclaration& fluent) { return fluent.role == role; });
    };
    facts.emplace_back("domain", domain.name);
    facts.emplace_back(
        "fluents", fmt::format("{} state, {} action, {} intermediate, {} non-fluent",
                               count(rddl::FluentRole::state), count(rddl::FluentRole::action),
                               count(rddl::FluentRole::intermediate), count(rddl::FluentRole::non_fluent)));
    facts.emplace_back("constraints", fmt::format("{}, {}, {}", domain.constraints.size(),
                                                  count_text(domain.invariants.size(), "invariant"),
                                                  count_text(domain.goals.size(), "goal")));
  }
  for (const rddl::RddlNonFluents& block : file.non_fluents)
    facts.emplace_back("non-fluents", fmt::format("{} of domain {}", block.name, block.domain));
  for (const rddl::RddlInstance& instance : file.instances) {
    facts.emplace_back("instance", fmt::format("{} of domain {}", instance.name, instance.domain));
    facts.emplace_back("horizon", instance.horizon ? fmt::format("{}", *instance.horizon) : "not stated");
  }
  if (facts.empty()) throw InputError(*file.name, "there is no domain and no instance in this file");
  return reporting::describe_facts(facts);
}

std::string describe_formula(const formats::Wcnf& formula) {
  return reporting::describe_facts(
      {{"formula", fmt::format("{}, {} hard and {}", count_text(formula.variables, "variable"),
                               formula.hard.size(), count_text(formula.soft.size(), "soft clause"))}});
}

}  // namespace

std::string info(const InputText& input, const ReadOptions& options) {
  const std::string &text = input.text, &name = input.name;
  const FileKind kind = kind_of(text, name).value_or(FileKind::problem);
  const auto as = [&](FileKind expected, const auto& read) { return read_as(expected, input, read); };
  switch (kind) {
    case FileKind::network:
      return as(kind, [&] { return reporting::describe(parse_network(text, name)); });
    case FileKind::plan:
      return as(kind, [&] { return reporting::describe(parse_plan_summary(text, name)); });
    case FileKind::data:
      return as(kind, [&] { return describe_data(learning::parse_data_set(text, name)); });
    case FileKind::rddl:
      return as(kind, [&] { return describe_rddl(rddl::parse_rddl(text, name)); });
    case FileKind::formula:
      return as(kind, [&] { return describe_formula(formats::parse_wcnf(text, name)); });
    default:  // not a kind that is described: the error says what the file is
      return as(FileKind::problem,
                [&] { return reporting::describe(parse_problem(text, name, input.folder, options)); });
  }
}

}  // namespace bnnplan
