// Questions without a problem: how near to an input a classifier errs, and formulas for the MaxSAT solver.
#include <algorithm>
#include <cstdlib>

#include <bnnplan/maxsat.hpp>
#include <bnnplan/pseudo_boolean.hpp>
#include <bnnplan/verify.hpp>
#include <fmt/format.h>

#include "core.hpp"
#include "exact_values.hpp"
#include "limited_run.hpp"

namespace bnnplan::python {

namespace {

py::dict run_verify(const CoreNetwork& core, const std::vector<std::string>& values, std::size_t label,
                    const std::optional<std::size_t>& target, const std::string& norm,
                    const std::optional<std::string>& epsilon, const std::string& ties,
                    const py::dict& options, const py::object& progress) {
  const auto network = core.network;
  const verification::VerifyQuery query = query_of(values, label, target, norm, epsilon, ties);
  LimitedRun<VerifyRequest> run(options, options_of);
  VerifyRequest& request = run.request;
  if (!progress.is_none()) {
    request.callbacks.bounds = [&](const mpq_class& lower, const std::optional<mpq_class>& upper) {
      run.interruption.call([&] {
        progress(exact_text(lower), upper ? py::object(py::str(exact_text(*upper))) : py::object(py::none()));
      });
    };
  }
  const VerifyOutcome outcome = run.answer([&] { return verify(*network, query, request); });
  py::dict answer;
  answer["status"] = std::string(status_word(outcome.status, query.epsilon.has_value()));
  answer["found"] = !outcome.values.empty();
  answer["values"] = texts_of(outcome.values);
  answer["scores"] = texts_of(outcome.scores);
  answer["changed_scores"] = texts_of(outcome.changed_scores);
  answer["changed_class"] = outcome.changed_class;
  answer["distance"] = exact_text(outcome.distance);
  answer["lower_bound"] = exact_text(outcome.lower_bound);
  answer["proof_written"] = outcome.proof_written;
  answer["decided_by"] = std::string(outcome.decided_by);
  answer["proved"] = outcome.status == Status::optimal || outcome.status == Status::infeasible;
  return run.told(answer);
}

Lit literal(long long dimacs) {
  if (dimacs == 0 || std::llabs(dimacs) > static_cast<long long>(largest_wcnf_variable))
    throw InputError(
        fmt::format("{} is not a literal: expected a number from 1 to {}, negative for a negation", dimacs,
                    largest_wcnf_variable));
  const Lit positive = Lit::positive({static_cast<std::uint32_t>(std::llabs(dimacs) - 1)});
  return dimacs > 0 ? positive : ~positive;
}

std::vector<Lit> clause(const std::vector<long long>& numbers) {
  std::vector<Lit> literals;
  for (const long long number : numbers) literals.push_back(literal(number));
  return literals;
}

py::dict run_maxsat(const Wcnf& formula, const py::dict& options) {
  LimitedRun<MaxSatRequest> run(options, options_of);
  const MaxSatOutcome outcome = run.answer([&] { return solve_maxsat(formula, run.request); });
  static const char* const words[] = {"optimal", "satisfiable", "unsatisfiable", "unknown"};
  py::dict answer;
  answer["status"] = words[static_cast<int>(outcome.status)];
  answer["cost"] = outcome.cost ? py::object(py::int_(*outcome.cost)) : py::object(py::none());
  answer["lower_bound"] = outcome.lower_bound;
  if (outcome.model) {
    py::array_t<bool> model(static_cast<py::ssize_t>(outcome.model->size()));
    std::copy(outcome.model->begin(), outcome.model->end(), model.mutable_data());
    answer["model"] = model;
  } else {
    answer["model"] = py::none();
  }
  answer["conflicts"] = outcome.statistics.conflicts;
  answer["cores"] = outcome.statistics.cores;
  return run.told(answer);
}

py::dict run_pseudo_boolean(const std::string& text, const std::string& name, const py::dict& options) {
  LimitedRun<PbRequest> run(options, options_of);
  const PbOutcome outcome =
      run.answer([&] { return solve_pseudo_boolean(parse_opb(text, name), run.request); });
  static const char* const words[] = {"optimal", "satisfiable", "unsatisfiable", "unknown"};
  py::dict answer;
  answer["status"] = words[static_cast<int>(outcome.status)];
  answer["value"] = outcome.value;
  answer["lower_bound"] = outcome.lower_bound;
  answer["model"] = py::none();
  if (outcome.values) {
    py::array_t<bool> model(static_cast<py::ssize_t>(outcome.values->size()));
    std::transform(outcome.values->begin(), outcome.values->end(), model.mutable_data(),
                   [](BitValue bit) { return bit == 1; });
    answer["model"] = model;
  }
  answer["conflicts"] = outcome.conflicts;
  answer["neurons"] = outcome.neurons;
  return run.told(answer);
}

}  // namespace

void bind_questions(py::module_& module) {
  module.def("verify", &run_verify);
  py::class_<Wcnf>(module, "Wcnf")
      .def(py::init<>())
      .def_static(
          "read", [](const std::filesystem::path& path) { return read_wcnf(path); },
          py::call_guard<Unlocked>())
      .def_static(
          "parse", [](const std::string& text, const std::string& name) { return parse_wcnf(text, name); },
          py::call_guard<Unlocked>())
      .def("add_hard",
           [](Wcnf& self, const std::vector<long long>& numbers) { self.add_hard(clause(numbers)); })
      .def("add_soft", [](Wcnf& self, const std::vector<long long>& numbers,
                          Weight weight) { self.add_soft(clause(numbers), weight); })
      .def("solve", &run_maxsat);
  module.def("pseudo_boolean", &run_pseudo_boolean);
  module.def("read_input_values", [](const std::filesystem::path& path, const CoreNetwork& network) {
    return texts_of(read_input_values(path, *network.network));
  });
}

}  // namespace bnnplan::python
