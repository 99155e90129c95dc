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

using reporting::add_fact, reporting::fact_line;

Answer describe_data(const learning::DataSet& data) {
  const std::size_t lines = data.sample_row.size(), distinct = data.distinct_rows();
  Answer answer;
  answer.say(
      fact_line("data set", fmt::format("{}, {} distinct", count_text(lines, "transition"), distinct)));
  answer.add("transitions", lines);
  answer.add("distinct", distinct);
  add_fact(answer, "inputs", count_text(data.input_names.size(), "bit"), json_array_of(data.input_names));
  add_fact(answer, "outputs", count_text(data.output_names.size(), "bit"), json_array_of(data.output_names));
  add_fact(answer, "contradictory", count_text(data.contradictions, "transition"), data.contradictions);
  return answer;
}

Answer describe_rddl(const rddl::RddlFile& file) {
  Answer all;
  JsonArray domains, non_fluents, instances;
  for (const rddl::RddlDomain& domain : file.domains) {
    const auto count = [&](rddl::FluentRole role) {
      return std::count_if(domain.fluents.begin(), domain.fluents.end(),
                           [&](const rddl::FluentDeclaration& fluent) { return fluent.role == role; });
    };
    const auto state = count(rddl::FluentRole::state), action = count(rddl::FluentRole::action),
               intermediate = count(rddl::FluentRole::intermediate),
               constant = count(rddl::FluentRole::non_fluent);
    Answer one;
    add_fact(one, "domain", printable(domain.name), domain.name);
    add_fact(
        one, "fluents",
        fmt::format("{} state, {} action, {} intermediate, {} non-fluent", state, action, intermediate,
                    constant),
        JsonObject{
            {"state", state}, {"action", action}, {"intermediate", intermediate}, {"non_fluent", constant}});
    add_fact(one, "constraints",
             fmt::format("{}, {}, {}", domain.constraints.size(),
                         count_text(domain.invariants.size(), "invariant"),
                         count_text(domain.goals.size(), "goal")),
             domain.constraints.size());
    one.add("invariants", domain.invariants.size());
    one.add("goals", domain.goals.size());
    all.say(one.text);
    domains.emplace_back(std::move(one.fields));
  }
  const auto of_domain = [&](const char* label, const auto& block) {
    all.say(fact_line(label, printable(fmt::format("{} of domain {}", block.name, block.domain))));
    return JsonObject{{"name", block.name}, {"domain", block.domain}};
  };
  for (const rddl::RddlNonFluents& block : file.non_fluents)
    non_fluents.emplace_back(of_domain("non-fluents", block));
  for (const rddl::RddlInstance& instance : file.instances) {
    JsonObject one = of_domain("instance", instance);
    one.push_back({"horizon", instance.horizon});
    instances.emplace_back(std::move(one));
    all.say(fact_line("horizon", instance.horizon ? std::to_string(*instance.horizon) : "not stated"));
  }
  if (all.text.empty()) throw InputError(*file.name, "there is no domain and no instance in this file");
  all.add("domains", std::move(domains));
  all.add("non_fluents", std::move(non_fluents));
  all.add("instances", std::move(instances));
  return all;
}

Answer describe_formula(const formats::Wcnf& formula) {
  Answer answer;
  answer.say(
      fact_line("formula", fmt::format("{}, {} hard and {}", count_text(formula.variables, "variable"),
                                       formula.hard.size(), count_text(formula.soft.size(), "soft clause"))));
  answer.add("variables", formula.variables);
  answer.add("hard", formula.hard.size());
  answer.add("soft", formula.soft.size());
  return answer;
}

}  // namespace

Answer info(const InputText& input, const ReadOptions& options) {
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
