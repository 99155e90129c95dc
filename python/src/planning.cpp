// Planning, checking, and problems for solvers of others.
#include <algorithm>
#include <cstring>

#include <bnnplan/check.hpp>
#include <bnnplan/encode.hpp>
#include <bnnplan/evidence.hpp>
#include <bnnplan/pseudo_boolean.hpp>
#include <fmt/format.h>

#include "bnnplan/report/plan_picture.hpp"
#include "bnnplan/report/report_page.hpp"
#include "bnnplan/report/report_plan.hpp"
#include "core.hpp"
#include "interruption.hpp"
#include "limited_run.hpp"

namespace bnnplan::python {

namespace {

// One row per step (and the initial state, for states).
Bytes bit_table(const std::vector<const BitValues*>& rows, std::size_t columns) {
  Bytes table({rows.size(), columns});
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (rows[row]->size() != columns) throw InputError("the plan does not say everything");
    std::memcpy(table.mutable_data() + row * columns, rows[row]->data(), columns);
  }
  return table;
}

Bytes actions_of(const CorePlan& self) {
  std::vector<const BitValues*> rows;
  for (const PlanStep& step : self.plan.steps) rows.push_back(&step.action);
  return bit_table(rows, self.problem->action.bit_count());
}

Bytes auxiliary_of(const CorePlan& self) {
  std::vector<const BitValues*> rows;
  for (const PlanStep& step : self.plan.steps) rows.push_back(&step.auxiliary);
  return bit_table(rows, self.problem->auxiliary.bit_count());
}

Bytes states_of(const CorePlan& self) {
  std::vector<const BitValues*> rows = {&self.plan.initial};
  for (const PlanStep& step : self.plan.steps) rows.push_back(&step.state);
  return bit_table(rows, self.problem->state.bit_count());
}

py::dict statistics_of(const Outcome& outcome) {
  py::dict result;
  for (const auto& [name, value] : outcome.statistics)
    result[py::str(name)] = std::visit([](const auto& held) { return py::cast(held); }, value);
  return result;
}

py::list bounds_of(const CoreOutcome& self) {
  py::list result;
  for (const BoundPoint& point : self.outcome.bounds)
    result.append(py::make_tuple(point.seconds, cost_or_none(*self.problem, point.lower),
                                 cost_or_none(*self.problem, point.upper)));
  return result;
}

// A plan as what pickles keep of it, and back.
py::object plan_state(const Problem& problem, const std::optional<Plan>& plan) {
  return plan ? py::object(py::bytes(plan_json(problem, *plan))) : py::none();
}

std::optional<Plan> plan_of_state(const Problem& problem, const py::handle& state) {
  if (state.is_none()) return std::nullopt;
  return parse_plan(state.cast<std::string>(), "the plan", problem);
}

SharedProblem problem_of_state(const py::handle& state) {
  return std::make_shared<const Problem>(state.cast<const CoreProblem&>().problem());
}

py::tuple outcome_state(const CoreOutcome& self) {
  const Outcome& o = self.outcome;
  py::list bounds, statistics;
  for (const BoundPoint& point : o.bounds)
    bounds.append(py::make_tuple(point.seconds, point.lower, point.upper));
  for (const auto& [name, value] : o.statistics) statistics.append(py::make_tuple(name, value));
  return py::make_tuple(CoreProblem(*self.problem), plan_state(*self.problem, o.plan),
                        static_cast<int>(o.status), o.cost, o.lower_bound, static_cast<int>(o.stopped),
                        py::make_tuple(o.engine, o.proof, o.claimed_by, o.among, o.resumed_from, o.checkpoint,
                                       o.checkpoint_error, o.domain_reward),
                        o.seconds, bounds, statistics, o.shortest);
}

CoreOutcome outcome_of_state(const py::tuple& state) {
  CoreOutcome made{problem_of_state(state[0]), {}};
  Outcome& o = made.outcome;
  o.plan = plan_of_state(*made.problem, state[1]);
  o.status = static_cast<Status>(state[2].cast<int>());
  o.cost = state[3].cast<std::optional<std::int64_t>>();
  o.lower_bound = state[4].cast<std::optional<std::int64_t>>();
  o.stopped = static_cast<StopReason>(state[5].cast<int>());
  const auto texts = state[6].cast<std::vector<std::string>>();
  std::size_t next = 0;
  for (std::string* text : {&o.engine, &o.proof, &o.claimed_by, &o.among, &o.resumed_from, &o.checkpoint,
                            &o.checkpoint_error, &o.domain_reward})
    *text = texts.at(next++);
  o.seconds = state[7].cast<double>();
  for (const py::handle point : state[8]) {
    const auto parts = point.cast<py::tuple>();
    o.bounds.push_back({parts[0].cast<double>(), parts[1].cast<std::optional<std::int64_t>>(),
                        parts[2].cast<std::optional<std::int64_t>>()});
  }
  for (const py::handle one : state[9]) {
    const auto parts = one.cast<py::tuple>();
    o.statistics.emplace_back(parts[0].cast<std::string>(), parts[1].cast<Statistic>());
  }
  o.shortest = state[10].cast<int>();
  return made;
}

std::optional<CorePlan> plan_of(const CoreOutcome& self) {
  if (!self.outcome.plan) return std::nullopt;
  return CorePlan{self.problem, *self.outcome.plan};
}

// Returns the outcome, and what was raised while it ran, or None.
py::tuple run_plan(CoreProblem& core, const std::optional<std::int64_t>& horizon, const py::dict& given,
                   const CoreDomain* repair, const py::object& progress) {
  SharedProblem problem = core.finished();
  Interruption interruption;
  auto options = options_from<PlanOptions>(given, options_of);
  if (options.shortest || (horizon && *horizon != problem->horizon)) {
    auto longer = std::make_shared<Problem>(*problem);
    longer->horizon = 0;
    if (horizon) set_horizon(*longer, *horizon);
    problem = std::move(longer);
  }
  options.limits.interrupt = interruption.flag();
  std::optional<Simulator> domain;
  if (repair != nullptr) options.repair = &domain.emplace(*repair->simulator);
  if (!progress.is_none()) {
    options.callbacks.progress = [&](const Progress& told) {
      interruption.call([&] {
        progress(told.seconds, told.activity, cost_or_none(*problem, told.lower_bound),
                 cost_or_none(*problem, told.best_cost), told.memory_bytes);
      });
    };
  }
  Outcome outcome = work_interruptibly(interruption, [&] { return plan(*problem, options); });
  if (options.shortest) problem = std::make_shared<Problem>(problem_of(outcome, *problem));
  return py::make_tuple(CoreOutcome{problem, std::move(outcome)}, interruption.raised());
}

// `optimum` is that of the domain itself, compiled and planned in, or None.
py::dict run_check(CoreProblem& core, const CorePlan& plan, const CoreDomain* domain, const py::dict& given,
                   const CoreOutcome* optimum) {
  const SharedProblem problem = core.finished();
  std::optional<Simulator> simulator;
  if (domain != nullptr) simulator.emplace(*domain->simulator);
  Interruption interruption;
  auto options = options_from<CheckOptions>(given, options_of);
  options.interrupt = interruption.flag();
  const CheckResult result = work_interruptibly(
      interruption, [&] { return check(*problem, plan.plan, simulator ? &*simulator : nullptr, options); });
  interruption.raise_again();
  py::dict answer = fields_of(answer_of(*problem, plan.plan, "", result));
  answer["accepted"] = result.accepted;
  if (result.model.accepted) {
    Problem of_plan = *problem;
    of_plan.horizon = static_cast<int>(result.model.plan.steps.size());
    answer["plan"] = CorePlan{std::make_shared<const Problem>(std::move(of_plan)), result.model.plan};
  }
  if (result.world) answer["domain_reward"] = to_string(result.world->reward);
  if (optimum != nullptr) {
    const DomainOptimum best{*optimum->problem, optimum->outcome};
    const Answer gap = answer_of(best, result);
    answer["gap"] = fields_of(gap)["gap"];
    answer["gap_text"] = gap.text;
  }
  return answer;
}

void run_encode(CoreProblem& core, const py::dict& given, const std::filesystem::path& path) {
  const SharedProblem problem = core.finished();
  auto options = options_from<EncodeOptions>(given, options_of);
  if (problem->horizon <= 0) throw InputError("the problem states no horizon: give it one");
  Interruption interruption;
  options.interrupt = interruption.flag();
  work_interruptibly(interruption, [&] {
    encode(*problem, options, path);
    return true;
  });
  interruption.raise_again();
}

py::dict run_check_proof(CoreProblem& core, const std::filesystem::path& path) {
  const SharedProblem problem = core.finished();
  if (problem->horizon <= 0) throw InputError("the problem states no horizon: give it one");
  LimitedRun<PbRequest> run({}, options_of);
  const ProblemProof proof = run.answer([&] {
    LimitWatch watch(run.request.limits);
    return check_proof(*problem, read_text_file(path, largest_proof()), &watch);
  });
  run.interruption.raise_again();
  return fields_of(answer_of(proof.check, {"cost", cost_json(*problem, proof.cost)}));
}

std::string page_of(const std::vector<CoreOutcome>& outcomes, const std::string& problem_file) {
  if (outcomes.empty()) throw InputError("a page needs at least one plan");
  const Problem& problem = *outcomes.front().problem;
  std::vector<reporting::ReportPlan> plans;
  for (const CoreOutcome& outcome : outcomes)
    plans.push_back(reporting::parse_report_plan(outcome_json(*outcome.problem, outcome.outcome),
                                                 outcome.outcome.engine, problem));
  return reporting::report_page(problem, problem_file, plans);
}

// The page of one plan, whatever it says of its own.
std::string page_of_plan(const CorePlan& self) {
  const Problem& problem = *self.problem;
  return reporting::report_page(
      problem, problem.name.empty() ? "the problem" : problem.name,
      {reporting::parse_report_plan(plan_json(problem, self.plan), "the plan", problem)});
}

// The initial state drawn in text, as the problem's view says; empty without a view, or if the planner has to
// choose some of it.
std::string picture_of(const CoreProblem& self) {
  const Problem& problem = self.problem();
  if (std::find(problem.initial.begin(), problem.initial.end(), unknown_bit) != problem.initial.end())
    return "";
  Plan start;
  start.initial = problem.initial;
  return reporting::plan_picture(problem, start, {});
}

}  // namespace

void bind_planning(py::module_& module) {
  py::class_<CorePlan>(module, "Plan")
      .def(py::pickle(
          [](const CorePlan& self) {
            return py::make_tuple(
                CoreProblem(*self.problem), plan_state(*self.problem, self.plan),
                self.plan.cost ? py::object(py::str(to_string(*self.plan.cost))) : py::object(py::none()));
          },
          [](const py::tuple& state) {
            CorePlan made{problem_of_state(state[0]), {}};
            made.plan = plan_of_state(*made.problem, state[1]).value();
            if (!state[2].is_none())
              made.plan.cost = decimal_of_text(state[2].cast<std::string>(), "the cost");
            return made;
          }))
      .def_property_readonly("actions", &actions_of)
      .def_property_readonly("states", &states_of)
      .def_property_readonly("auxiliary", &auxiliary_of)
      .def_property_readonly("problem", [](const CorePlan& self) { return CoreProblem(*self.problem); })
      .def("json", [](const CorePlan& self) { return plan_json(*self.problem, self.plan); })
      .def("__len__", [](const CorePlan& self) { return self.plan.steps.size(); });

  py::class_<CoreOutcome>(module, "Outcome")
      .def(py::pickle(&outcome_state, &outcome_of_state))
      .def_property_readonly(
          "status", [](const CoreOutcome& self) { return std::string(status_text(self.outcome.status)); })
      .def_property_readonly("plan", &plan_of)
      .def_property_readonly(
          "cost", [](const CoreOutcome& self) { return cost_or_none(*self.problem, self.outcome.cost); })
      .def_property_readonly(
          "lower_bound",
          [](const CoreOutcome& self) { return cost_or_none(*self.problem, self.outcome.lower_bound); })
      .def_property_readonly("maximizes",
                             [](const CoreOutcome& self) { return self.problem->objective.maximize; })
      .def_property_readonly(
          "stopped",
          [](const CoreOutcome& self) { return std::string(stop_reason_text(self.outcome.stopped)); })
      .def_property_readonly("engine", [](const CoreOutcome& self) { return self.outcome.engine; })
      .def_property_readonly("proof", [](const CoreOutcome& self) { return self.outcome.proof; })
      .def_property_readonly("claimed_by", [](const CoreOutcome& self) { return self.outcome.claimed_by; })
      .def_property_readonly("domain_reward",
                             [](const CoreOutcome& self) { return self.outcome.domain_reward; })
      .def_property_readonly("seconds", [](const CoreOutcome& self) { return self.outcome.seconds; })
      .def_property_readonly("horizon", [](const CoreOutcome& self) { return self.problem->horizon; })
      .def_property_readonly("excluded",
                             [](const CoreOutcome& self) { return std::max(0, self.outcome.excluded()); })
      .def_property_readonly("bounds", &bounds_of)
      .def_property_readonly("statistics",
                             [](const CoreOutcome& self) { return statistics_of(self.outcome); })
      .def_property_readonly("problem", [](const CoreOutcome& self) { return CoreProblem(*self.problem); })
      .def("json", [](const CoreOutcome& self) { return outcome_json(*self.problem, self.outcome); })
      .def("text", [](const CoreOutcome& self, bool picture) {
        TextStyle style;
        style.options = OptionStyle::python;
        return outcome_text(*self.problem, self.outcome, style, picture);
      });

  module.def("plan", &run_plan);
  module.def("parse_plan", [](CoreProblem& core, const std::string& text, const std::string& name) {
    const SharedProblem problem = core.finished();
    return CorePlan{problem, parse_plan(text, name, *problem)};
  });
  module.def("check", &run_check);
  module.def("check_proof", &run_check_proof);
  module.def("encode", &run_encode);
  module.def("decode", [](CoreProblem& core, const std::string& answer, const std::string& name,
                          const py::dict& given) {
    const SharedProblem problem = core.finished();
    if (problem->horizon <= 0) throw InputError("the problem states no horizon: give it one");
    return CoreOutcome{
        problem, outcome_of_answer(*problem, answer, name, options_from<DecodeOptions>(given, options_of))};
  });
  module.def("report_page", &page_of);
  module.def("plan_page", &page_of_plan);
  module.def("picture", &picture_of);
  module.def("engine_names", [] {
    std::vector<std::string> names;
    for (const Engine& engine : all_engines()) names.emplace_back(engine.name);
    return names;
  });
  module.def("format_names", [] {
    std::vector<std::string> names;
    for (const auto& format : model_formats()) names.emplace_back(format.name);
    return names;
  });
}

}  // namespace bnnplan::python
