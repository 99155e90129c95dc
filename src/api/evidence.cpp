// "Proved" is about the model. Two things say more about the world: whether the data that the model was
// learned from has the transitions that the plan relies on, and how good the plan is beside the optimum of
// the domain itself.
#include <algorithm>
#include <unordered_map>

#include <bnnplan/evidence.hpp>
#include <fmt/format.h>

#include "bnnplan/base/count_text.hpp"
#include "bnnplan/base/json_text.hpp"
#include "bnnplan/problem/worth.hpp"

namespace bnnplan {

namespace {

std::string row_key(const std::uint64_t* words, std::size_t count) {
  return {reinterpret_cast<const char*>(words), count * sizeof(std::uint64_t)};
}

// What the best plan of the domain gives; none if there is none, or it is not known.
std::optional<rddl::Rational> best_reward(const DomainOptimum& optimum) {
  if (optimum.outcome.status != Status::optimal || !optimum.outcome.cost) return std::nullopt;
  return rddl::rational_of(cost_in_units(optimum.problem, *optimum.outcome.cost)) *
         rddl::make_rational(-1, optimum.problem.objective.multiple);
}

std::optional<rddl::Rational> gap(const DomainOptimum& optimum, const CheckResult& check) {
  const auto best = best_reward(optimum);
  if (!best || !check.world || !check.world->violation.empty()) return std::nullopt;
  return *best - check.world->reward / rddl::make_rational(check.world->multiple);
}

}  // namespace

DataOptions data_options_of(const Problem& problem) {
  DataOptions options;
  options.bits_of_problem = true;
  if (!problem.network) return options;
  const auto add = [&](const VariableList& list, std::uint32_t bit, const std::string& column,
                       std::vector<std::string>& columns) {
    const Variable& variable = list.variables[list.variable_of(bit)];
    // An integer of one bit may have a column with the name of its bit or with its own.
    const bool own_name = column == variable.name || column == variable.name + "'";
    if (!variable.boolean && !own_name)
      options.bits[variable.name] = {variable.bits, variable.twos_complement};
    if (std::find(columns.begin(), columns.end(), variable.name) == columns.end())
      columns.push_back(variable.name);
  };
  for (std::size_t i = 0; i < problem.network_inputs.size(); ++i) {
    const Bit bit = problem.network_inputs[i];
    add(bit.place == Place::action ? problem.action : problem.state, bit.index, problem.network->inputs[i],
        options.inputs);
  }
  for (std::size_t i = 0; i < problem.network_outputs.size(); ++i)
    add(problem.state, problem.network_outputs[i], problem.network->outputs[i], options.outputs);
  return options;
}

Evidence evidence_of(const Problem& problem, const Plan& plan, const DataSet& data) {
  if (!problem.network || is_classifier(*problem.network))
    throw InputError(
        "the problem has no network that gives bits of its state: there is nothing to compare the data with");
  DataSet ours;  // the same with the columns of the network, in its order
  ours.input_names = problem.network->inputs;
  ours.output_names = problem.network->outputs;
  const SampleSet all = add_rows(ours, data, data.name, "the network");
  Evidence evidence;
  evidence.data_file = data.name;
  evidence.measured = evaluate(*problem.network, ours, all);
  std::unordered_map<std::string, std::vector<std::uint32_t>> rows;
  for (const std::uint32_t row : all.rows) rows[row_key(ours.input(row), ours.input_words())].push_back(row);
  BitValues state = plan.initial;
  for (std::size_t t = 0; t < plan.steps.size(); ++t) {
    const PlanStep& step = plan.steps[t];
    std::vector<std::uint64_t> inputs(ours.input_words()), outputs(ours.output_words());
    for (std::size_t i = 0; i < problem.network_inputs.size(); ++i) {
      const Bit bit = problem.network_inputs[i];
      if ((bit.place == Place::action ? step.action : state)[bit.index] == 1)
        inputs[i / 64] |= std::uint64_t{1} << (i % 64);
    }
    for (std::size_t i = 0; i < problem.network_outputs.size(); ++i) {
      if (step.state[problem.network_outputs[i]] == 1) outputs[i / 64] |= std::uint64_t{1} << (i % 64);
    }
    const auto found = rows.find(row_key(inputs.data(), inputs.size()));
    evidence.seen.push_back(found != rows.end());
    if (found == rows.end()) {
      if (evidence.first_unseen == 0) evidence.first_unseen = t + 1;
    } else if (std::none_of(found->second.begin(), found->second.end(), [&](std::uint32_t row) {
                 return std::equal(outputs.begin(), outputs.end(), ours.output(row));
               })) {
      ++evidence.contradicted;
      if (evidence.first_contradicted == 0) evidence.first_contradicted = t + 1;
    }
    state = step.state;
  }
  return evidence;
}

Answer answer_of(const Evidence& evidence) {
  Answer answer;
  const Errors& errors = evidence.measured;
  answer.add("data", evidence.data_file);
  answer.add("wrong", errors.wrong_transitions);
  answer.add("transitions", errors.samples);
  answer.say(fmt::format("measured on {}: the network is wrong on {} of {}\n", printable(evidence.data_file),
                         errors.wrong_transitions, count_text(errors.samples, "transition")));
  const auto seen = std::count(evidence.seen.begin(), evidence.seen.end(), true);
  answer.add("plan_transitions_seen", seen);
  answer.say(fmt::format("{} of the plan's {} in the data", seen,
                         count_text(evidence.seen.size(), "transition is", "transitions are")));
  const auto add_step = [&](const char* name, std::size_t step) {
    answer.add(name, step == 0 ? JsonValue() : JsonValue(step));
  };
  add_step("first_unseen_step", evidence.first_unseen);
  if (evidence.first_unseen > 0)
    answer.say(fmt::format("; warning: step {} does what was never seen", evidence.first_unseen));
  answer.say("\n");
  add_step("first_contradicted_step", evidence.first_contradicted);
  if (evidence.contradicted > 0)
    answer.say(fmt::format("warning: after step {} the data has another state than the plan\n",
                           evidence.first_contradicted));
  return answer;
}

DomainOptimum domain_optimum(const std::filesystem::path& domain, const std::filesystem::path& instance,
                             int horizon, const CompileOptions& options, const Limits& limits) {
  CompileOptions compile_options = options;
  compile_options.network.reset();
  compile_options.horizon = horizon;
  DomainOptimum optimum{compile(domain, instance, compile_options), {}};
  set_horizon(optimum.problem, horizon);
  PlanOptions plan_options;
  plan_options.limits = limits;
  optimum.outcome = plan(optimum.problem, plan_options);
  return optimum;
}

Answer answer_of(const DomainOptimum& optimum, const CheckResult& check) {
  const Status status = optimum.outcome.status;
  const auto best = best_reward(optimum), lost = gap(optimum, check);
  const auto text_of_number = [](const std::optional<rddl::Rational>& value) {
    return value ? JsonValue(to_string(*value)) : JsonValue();
  };
  Answer answer;
  answer.add("domain_status", status_text(status));
  answer.add("domain_optimum", text_of_number(best));
  answer.add("gap", text_of_number(lost));
  if (best) {
    answer.say(fmt::format("the domain's own optimum: reward {}, proved; ", to_string(*best)));
    answer.say(!check.world                ? "what this plan is worth there is a mean over episodes\n"
               : !lost                     ? "this plan is not valid in the domain\n"
               : *lost == rddl::Rational{} ? "this plan has it: it is optimal in the domain, too\n"
                                           : fmt::format("this plan gives {} there, {} less\n",
                                                         to_string(check.world->reward), to_string(*lost)));
  } else {
    answer.say(status == Status::infeasible
                   ? "the domain's own optimum: there is no plan in the domain, proved\n"
                   : "the domain's own optimum is not known: the limits were reached first\n");
  }
  return answer;
}

}  // namespace bnnplan
