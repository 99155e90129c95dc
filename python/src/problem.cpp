// Problems: read, written, built.
#include <algorithm>

#include <pybind11/operators.h>

#include "bnnplan/report/describe.hpp"
#include "core.hpp"
#include "options.hpp"
#include "unlocked.hpp"

namespace bnnplan::python {

namespace {

Place place_of(const std::string& name) {
  if (name == "state") return Place::state;
  if (name == "action") return Place::action;
  if (name == "auxiliary") return Place::auxiliary;
  throw InputError("a variable is one of state, action and auxiliary");
}

py::list variables_of_list(const VariableList& list) {
  py::list result;
  for (const Variable& variable : list.variables)
    result.append(py::make_tuple(variable.name, variable.boolean, variable.bits, variable.twos_complement,
                                 variable.scale));
  return result;
}

std::vector<std::string> constraint_texts(const std::vector<LinearConstraint>& constraints) {
  std::vector<std::string> texts;
  for (const LinearConstraint& constraint : constraints) texts.push_back(constraint.text);
  return texts;
}

}  // namespace

void bind_problem(py::module_& module) {
  py::class_<CoreProblem>(module, "Problem")
      .def(py::init<std::string>(), py::arg("name"))
      .def_static("read",
                  [](const std::filesystem::path& path, const py::dict& given) {
                    const auto options = options_from<ReadOptions>(given, options_of);
                    const Unlocked unlocked;
                    return CoreProblem(read_problem(path, options));
                  })
      .def_static(
          "parse",
          [](const std::string& text, const std::string& name, const std::filesystem::path& folder) {
            return CoreProblem(parse_problem(text, name, folder));
          },
          py::arg("text"), py::arg("name"), py::arg("folder"), py::call_guard<Unlocked>())
      .def(py::pickle(
          [](const CoreProblem& self) {
            const Problem& problem = self.problem();
            return py::make_tuple(
                py::bytes(problem_text(problem)),
                problem.network ? py::object(py::bytes(network_text(*problem.network))) : py::none(),
                problem.network_file);
          },
          [](const py::tuple& state) {
            std::optional<Network> network;
            if (!state[1].is_none()) network = parse_network(state[1].cast<std::string>(), "the network");
            Problem problem =
                restore_problem(state[0].cast<std::string>(), "the problem", std::move(network));
            problem.network_file = state[2].cast<std::string>();  // may be chosen before there is a network
            return CoreProblem(std::move(problem));
          }))
      .def("copy", [](const CoreProblem& self) { return CoreProblem(self.problem()); })
      .def("write", [](CoreProblem& self,
                       const std::filesystem::path& path) { write_problem(path, *self.finished()); })
      .def("text", [](const CoreProblem& self) { return problem_text(self.problem()); })
      .def("describe", [](const CoreProblem& self) { return reporting::describe(self.problem()).text; })
      .def("finish", [](CoreProblem& self) { self.finished(); })
      .def("add_variable",
           [](CoreProblem& self, const std::string& place, const std::string& name, bool boolean, int bits,
              bool is_signed, int scale) {
             self.change().add_variable(place_of(place), {name, boolean, bits, is_signed, scale});
           })
      .def("set_initial",
           [](CoreProblem& self, const std::string& name, const std::string& value) {
             self.change().set_initial(name, decimal_of_text(value, "the initial value"));
           })
      .def("free_initial",
           [](CoreProblem& self, const std::string& name) { self.change().free_initial(name); })
      .def("add_constraint",
           [](CoreProblem& self, const std::string& text) { self.change().add_constraint(text); })
      .def("add_goal", [](CoreProblem& self, const std::string& text) { self.change().add_goal(text); })
      .def("set_objective", [](CoreProblem& self, const std::string& text,
                               bool maximize) { self.change().set_objective(text, maximize); })
      .def("clear_goals", [](CoreProblem& self) { self.change().clear_goals(); })
      .def("clear_objective", [](CoreProblem& self) { self.change().clear_objective(); })
      .def("set_network", [](CoreProblem& self, const CoreNetwork& network,
                             const std::string& file) { self.change().set_network(*network.network, file); })
      .def("set_network_file",
           [](CoreProblem& self, const std::string& file) { self.change().set_network_file(file); })
      .def("set_horizon", [](CoreProblem& self, std::int64_t horizon) { self.change().set_horizon(horizon); })
      .def("set_name", [](CoreProblem& self, const std::string& name) { self.change().set_name(name); })
      .def_property_readonly("name", [](const CoreProblem& self) { return self.problem().name; })
      .def_property_readonly("horizon", [](const CoreProblem& self) { return self.problem().horizon; })
      .def_property_readonly("network_file",
                             [](const CoreProblem& self) { return self.problem().network_file; })
      .def_property_readonly("network",
                             [](const CoreProblem& self) -> std::optional<CoreNetwork> {
                               if (!self.problem().network) return std::nullopt;
                               return CoreNetwork(*self.problem().network);
                             })
      .def("variables",
           [](const CoreProblem& self, const std::string& place) {
             return variables_of_list(variables_at(self.problem(), place_of(place)));
           })
      .def_property_readonly("initial",
                             [](const CoreProblem& self) {
                               const BitValues& bits = self.problem().initial;
                               return py::array_t<std::int8_t>(static_cast<py::ssize_t>(bits.size()),
                                                               bits.data());
                             })
      .def_property_readonly(
          "constraints", [](const CoreProblem& self) { return constraint_texts(self.problem().constraints); })
      .def_property_readonly(
          "transitions", [](const CoreProblem& self) { return constraint_texts(self.problem().transitions); })
      .def_property_readonly("goals",
                             [](const CoreProblem& self) { return constraint_texts(self.problem().goal); })
      .def_property_readonly("objective",
                             [](const CoreProblem& self) { return self.problem().objective.text; })
      .def_property_readonly("maximizes",
                             [](const CoreProblem& self) { return self.problem().objective.maximize; })
      .def("equals", [](const CoreProblem& a, const CoreProblem& b) { return a.problem() == b.problem(); });

  module.def("name_in_expression", [](const std::string& name) { return name_in_expression(name); });
  module.def(
      "read_fd_sat_plan",
      [](const std::filesystem::path& folder, const std::string& domain, const std::string& instance) {
        return CoreProblem(read_fd_sat_plan(folder, domain, instance));
      },
      py::arg("folder"), py::arg("domain"), py::arg("instance"));
}

}  // namespace bnnplan::python
