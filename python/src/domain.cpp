// Domains in RDDL: compiled, simulated into arrays, acted in. A simulator has a scratch of its own, so
// whatever works without the interpreter lock gets a copy of it.
#include <cmath>

#include <bnnplan/closed_loop.hpp>
#include <bnnplan/episode.hpp>
#include <bnnplan/pseudo_boolean.hpp>
#include <bnnplan/replanner.hpp>
#include <fmt/format.h>

#include "bnnplan/base/text_file.hpp"
#include "bnnplan/rddl/ground/evaluate.hpp"
#include "bnnplan/rddl/language/syntax.hpp"
#include "bnnplan/rddl/language/task.hpp"
#include "core.hpp"
#include "exact_values.hpp"
#include "interruption.hpp"
#include "limited_run.hpp"

namespace bnnplan::python {

namespace {

const char* kind_name(rddl::ValueKind kind) {
  switch (kind) {
    case rddl::ValueKind::boolean:
      return "bool";
    case rddl::ValueKind::integer:
      return "int";
    case rddl::ValueKind::real:
      return "real";
    case rddl::ValueKind::object:
      return "object";
  }
  __builtin_unreachable();
}

py::object python_value(const rddl::GroundVariable& variable, std::int64_t value) {
  switch (variable.kind) {
    case rddl::ValueKind::boolean:
      return py::bool_(value != 0);
    case rddl::ValueKind::real:
      return py::float_(rddl::real_of_value(value));
    case rddl::ValueKind::integer:
    case rddl::ValueKind::object:
      return py::int_(value);
  }
  __builtin_unreachable();
}

std::int64_t value_from(const rddl::GroundVariable& variable, const py::handle& given) {
  const auto refuse = [&](const char* expected) {
    throw InputError(fmt::format("'{}' is {}, expected {}", printable(variable.name),
                                 printable(py::repr(given).cast<std::string>()), expected));
  };
  const py::object number = py::reinterpret_steal<py::object>(PyNumber_Float(given.ptr()));
  if (!number) {
    PyErr_Clear();
    refuse("a number");
  }
  const auto real = number.cast<double>();
  if (variable.kind == rddl::ValueKind::real) {
    if (!std::isfinite(real)) refuse("a finite number");
    return rddl::value_of_real(real);
  }
  if (!(std::abs(real) < 9e15) || real != std::floor(real)) refuse("a whole number");
  const auto value = static_cast<std::int64_t>(real);
  if (variable.kind == rddl::ValueKind::boolean && value != 0 && value != 1) refuse("0 or 1");
  if (variable.kind == rddl::ValueKind::object && (value < 0 || value >= variable.object_count))
    refuse("the number of an object");
  return value;
}

py::list describe_variables(const std::vector<rddl::GroundVariable>& variables, const rddl::BitLayout& ranges,
                            std::uint32_t first) {
  py::list result;
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const rddl::GroundVariable& variable = variables[i];
    const rddl::Interval& range = ranges.ranges[first + i];
    py::object low = py::none(), high = py::none();
    if (variable.kind != rddl::ValueKind::real && range.known) {
      low = py::int_(rddl::ceiling(range.low));
      high = py::int_(rddl::floor(range.high));
    }
    result.append(py::make_tuple(variable.name, variable.fluent, variable.arguments, kind_name(variable.kind),
                                 python_value(variable, variable.initial), low, high));
  }
  return result;
}

py::list state_variables(const CoreDomain& self) {
  const rddl::GroundModel& model = self.simulator->model();
  return describe_variables(model.state, rddl::make_known_ranges(model), 0);
}

py::list action_variables(const CoreDomain& self) {
  const rddl::GroundModel& model = self.simulator->model();
  return describe_variables(model.action, rddl::make_known_ranges(model), model.first_action());
}

// Links the files again: goals are linked with them.
CoreProblem run_compile(const CoreDomain& self, const py::dict& given, const CoreNetwork* network,
                        const std::string& network_file, const py::dict& limits) {
  auto options = options_from<CompileOptions>(given, options_of);
  if (network != nullptr) options.network = *network->network;
  options.network_file = network_file;
  LimitedRun<PbRequest> run(limits, options_of);
  LimitWatch watch(run.request.limits);
  options.watch = &watch;
  Problem problem = run.answer([&] { return compile_problem(self.model(options.goals), options); });
  run.interruption.raise_again();
  return CoreProblem(std::move(problem));
}

struct Stop {};  // thrown through the simulation when it is interrupted

py::tuple run_simulate(const CoreDomain& self, const py::dict& given) {
  Simulator simulator = *self.simulator;
  auto options = options_from<SimulateOptions>(given, options_of);
  Interruption interruption;
  options.progress = [&](std::uint64_t) {
    if (interruption.stopped()) throw Stop();
  };
  const DataSet data = work_interruptibly(interruption, [&] { return simulate(simulator, options); });
  interruption.raise_again();
  return arrays_of(data);
}

py::dict run_closed_loop(const CoreDomain& self, const std::string& policy, const py::dict& given,
                         const py::dict& compile, const CoreNetwork* network, const py::object& progress) {
  Simulator simulator = *self.simulator;
  auto options = options_from<ClosedLoopOptions>(given, options_of);
  set_options(options_of(options.compile), compile);
  if (network != nullptr) options.compile.network = *network->network;
  options.compile.network_file = "network.bnn";
  Interruption interruption;
  options.limits.interrupt = interruption.flag();
  options.progress = [&](std::uint64_t episode) {
    if (interruption.stopped()) throw Stop();
    if (!progress.is_none()) interruption.call([&] { progress(episode); });
  };
  const auto chosen = value_named<Policy>(policy_names, policy, "policy");
  const PolicyResult result =
      work_interruptibly(interruption, [&] { return run_policy(simulator, chosen, options); });
  interruption.raise_again();
  return fields_of(answer_of(chosen, result));
}

// A world that is acted in; it holds the lock all the time.
class CoreEpisode {
 public:
  CoreEpisode(const CoreDomain& domain, std::uint64_t seed) : episode_(*domain.simulator, seed) {
    const std::vector<rddl::GroundVariable>& actions = episode_.domain().model().action;
    for (std::size_t i = 0; i < actions.size(); ++i) places_.emplace(actions[i].name, i);
  }

  void restart(std::uint64_t seed) { episode_.restart(seed); }
  py::dict state() const { return values(episode_.domain().model().state, episode_.state()); }
  bool ended() { return episode_.ended(); }
  std::string broken_invariant() { return episode_.broken_invariant(); }
  std::string illegal_because(const py::dict& action) {
    return episode_.domain().illegal_because(episode_.state(), action_of(action));
  }
  double act(const py::dict& action) { return episode_.act(action_of(action)); }
  py::object draw_legal() {
    ActionValues action;
    if (!episode_.draw_legal(action)) return py::none();
    return values(episode_.domain().model().action, action);
  }
  bool goal_reached() { return episode_.domain().goal_reached(episode_.state()); }

 private:
  static py::dict values(const std::vector<rddl::GroundVariable>& variables,
                         const std::vector<std::int64_t>& held) {
    py::dict result;
    for (std::size_t i = 0; i < variables.size(); ++i)
      result[py::str(variables[i].name)] = python_value(variables[i], held[i]);
    return result;
  }

  // What it does not mention has its default.
  ActionValues action_of(const py::dict& given) const {
    ActionValues action = episode_.domain().default_action();
    const std::vector<rddl::GroundVariable>& variables = episode_.domain().model().action;
    for (const auto& [key, value] : given) {
      if (!py::isinstance<py::str>(key)) throw InputError("an action names its variables by texts");
      const auto name = key.cast<std::string>();
      const auto place = places_.find(name);
      if (place == places_.end()) {
        std::vector<std::string> names;
        for (const rddl::GroundVariable& variable : variables) names.push_back(variable.name);
        const std::string near = nearest_name(name, names);
        throw InputError(
            fmt::format("unknown action '{}'{}", printable(name),
                        near.empty() ? "" : fmt::format(", did you mean '{}'?", printable(near))));
      }
      action[place->second] = value_from(variables[place->second], value);
    }
    return action;
  }

  Episode episode_;
  std::map<std::string, std::size_t> places_;
};

// Plans from a state on, again and again.
class CoreReplanner {
 public:
  CoreReplanner(CoreProblem& problem, const py::dict& options)
      : problem_(problem.finished()),
        replanner_(*problem_, options_from<PlanOptions>(options, options_of).limits) {}

  py::tuple plan(const py::array_t<std::int8_t, py::array::c_style>& bits, std::int64_t horizon) {
    if (busy_) throw InputError("this planner is planning already, in another thread");
    if (bits.ndim() != 1) throw InputError("a state is an array of one dimension");
    const BitValues initial(bits.data(), bits.data() + bits.shape(0));
    for (const BitValue bit : initial) {
      if (bit < -1 || bit > 1) throw InputError("a bit of a state is 0, 1 or, if it is not known, -1");
    }
    busy_ = true;
    struct Free {
      bool& busy;
      ~Free() { busy = false; }
    } const free{busy_};
    Interruption interruption;
    Outcome outcome = work_interruptibly(
        interruption, [&] { return replanner_.plan(initial, horizon, interruption.flag()); });
    auto of_state = std::make_shared<Problem>(replanner_.problem());
    return py::make_tuple(CoreOutcome{std::move(of_state), std::move(outcome)}, interruption.raised());
  }

 private:
  SharedProblem problem_;
  Replanner replanner_;
  bool busy_ = false;  // behind the lock
};

}  // namespace

CoreDomain::CoreDomain(std::string text_of_domain, std::string file_of_domain, std::string text_of_instance,
                       std::string file_of_instance, std::string name)
    : domain_text(std::move(text_of_domain)),
      domain_file(std::move(file_of_domain)),
      instance_text(std::move(text_of_instance)),
      instance_file(std::move(file_of_instance)),
      instance_name(std::move(name)),
      simulator(std::make_shared<Simulator>(model({}))) {}

rddl::GroundModel CoreDomain::model(const std::vector<std::string>& goals) const {
  return rddl::ground(rddl::link_rddl(rddl::parse_rddl(domain_text, domain_file),
                                      rddl::parse_rddl(instance_text, instance_file), instance_name, goals));
}

void bind_domain(py::module_& module) {
  py::class_<CoreDomain>(module, "Domain")
      .def_static(
          "load",
          [](const std::filesystem::path& domain, const std::filesystem::path& instance,
             const std::string& name) {
            return CoreDomain(read_text_file(domain, rddl::largest_rddl_file), domain.string(),
                              read_text_file(instance, rddl::largest_rddl_file), instance.string(), name);
          },
          py::call_guard<Unlocked>())
      .def(py::pickle(
          [](const CoreDomain& self) {
            return py::make_tuple(py::bytes(self.domain_text), py::bytes(self.domain_file),
                                  py::bytes(self.instance_text), py::bytes(self.instance_file),
                                  py::bytes(self.instance_name));
          },
          [](const py::tuple& state) {
            const auto text = [&](std::size_t i) { return state[i].cast<std::string>(); };
            return CoreDomain(text(0), text(1), text(2), text(3), text(4));
          }))
      .def_property_readonly("domain_name",
                             [](const CoreDomain& self) { return self.simulator->model().domain_name; })
      .def_property_readonly("instance_name",
                             [](const CoreDomain& self) { return self.simulator->model().instance_name; })
      .def_property_readonly("horizon",
                             [](const CoreDomain& self) { return self.simulator->model().horizon; })
      .def_property_readonly(
          "discount", [](const CoreDomain& self) { return rddl::real_of(self.simulator->model().discount); })
      .def_property_readonly("is_random", [](const CoreDomain& self) { return self.simulator->is_random(); })
      .def("state_variables", &state_variables)
      .def("action_variables", &action_variables)
      .def("compile", &run_compile)
      .def("simulate", &run_simulate)
      .def("run_policy", &run_closed_loop);

  py::class_<CoreEpisode>(module, "Episode")
      .def(py::init<const CoreDomain&, std::uint64_t>())
      .def("restart", &CoreEpisode::restart)
      .def("state", &CoreEpisode::state)
      .def("ended", &CoreEpisode::ended)
      .def("broken_invariant", &CoreEpisode::broken_invariant)
      .def("goal_reached", &CoreEpisode::goal_reached)
      .def("illegal_because", &CoreEpisode::illegal_because)
      .def("act", &CoreEpisode::act)
      .def("draw_legal", &CoreEpisode::draw_legal);

  py::class_<CoreReplanner>(module, "Replanner")
      .def(py::init<CoreProblem&, const py::dict&>())
      .def("plan", &CoreReplanner::plan);
}

}  // namespace bnnplan::python
