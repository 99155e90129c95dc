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
  Answer answer;
  JsonArray domains, instances;
  for (const rddl::RddlDomain& domain : file.domains) {
    const auto count = [&](rddl::FluentRole role) {
      return std::count_if(domain.fluents.begin(), domain.fluents.end(),
                           [&](const rddl::FluentDeclaration& fluent) { return fluent.role == role; });
    };
    Answer one;
    add_fact(one, "domain", printable(domain.name), domain.name);
    add_fact(one, "fluents",
             fmt::format("{} state, {} action, {} intermediate, {} non-fluent",
                         count(rddl::FluentRole::state), count(rddl::FluentRole::action),
                         count(rddl::FluentRole::intermediate), count(rddl::FluentRole::non_fluent)),
             domain.fluents.size());
    add_fact(one, "constraints",
             fmt::format("{}, {}, {}", domain.constraints.size(),
                         count_text(domain.invariants.size(), "invariant"),
                         count_text(domain.goals.size(), "goal")),
             domain.constraints.size());
    answer.say(one.text);
    domains.emplace_back(std::move(one.fields));
  }
  const auto say_block = [&](const char* label, const std::string& name, const std::string& domain) {
    answer.say(fact_line(label, printable(fmt::format("{} of domain {}", name, domain))));
  };
  for (const rddl::RddlNonFluents& block : file.non_fluents)
    say_block("non-fluents", block.name, block.domain);
  for (const rddl::RddlInstance& instance : file.instances) {
    say_block("instance", instance.name, instance.domain);
    answer.say(fact_line("horizon", instance.horizon ? std::to_string(*instance.horizon) : "not stated"));
    instances.emplace_back(
        JsonObject{{"instance", instance.name}, {"domain", instance.domain}, {"horizon", instance.horizon}});
  }
  if (answer.text.empty()) throw InputError(*file.name, "there is no domain and no instance in this file");
  answer.add("domains", std::move(domains));
  answer.add("instances", std::move(instances));
  return answer;
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
  using reporting::describe;
  if (kind == FileKind::network) return as(kind, [&] { return describe(parse_network(text, name)); });
  if (kind == FileKind::plan) return as(kind, [&] { return describe(parse_plan_summary(text, name)); });
  if (kind == FileKind::data)
    return as(kind, [&] { return describe_data(learning::parse_data_set(text, name)); });
  if (kind == FileKind::rddl) return as(kind, [&] { return describe_rddl(rddl::parse_rddl(text, name)); });
  if (kind == FileKind::formula)
    return as(kind, [&] { return describe_formula(formats::parse_wcnf(text, name)); });
  return as(FileKind::problem,  // also if it is of a kind that is not described: the error says so
            [&] { return describe(parse_problem(text, name, input.folder, options)); });
}

}  // namespace bnnplan
