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
  py::dict answer = fields_of(verify_answer(*network, query, outcome, run.seconds()));
  answer["found"] = !outcome.values.empty();
  answer["proved"] = outcome.status == Status::optimal || outcome.status == Status::infeasible;
  answer["values"] = texts_of(outcome.values);
  answer["changed_class"] = outcome.changed_class;
  answer["changed_scores"] = texts_of(outcome.changed_scores);
  answer["distance"] = exact_text(outcome.distance);
  answer["lower_bound"] = exact_text(outcome.lower_bound);
  answer["decided_by"] = std::string(outcome.decided_by);
  answer["proof_written"] = outcome.proof_written;
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

// None if there is none.
template <class Values>
py::object model_array(const std::optional<Values>& values) {
  if (!values) return py::none();
  py::array_t<bool> model(static_cast<py::ssize_t>(values->size()));
  std::transform(values->begin(), values->end(), model.mutable_data(), [](auto bit) { return bit == 1; });
  return model;
}

// For a proof the text that the formula was parsed from is needed.
py::dict run_maxsat(const Wcnf& formula, const std::string& text, const std::string& name,
                    const py::dict& options) {
  LimitedRun<MaxSatCall> run(options, options_of);
  MaxSatCall& call = run.request;
  std::string no_proof;
  const MaxSatOutcome outcome = run.answer([&] {
    MaxSatOutcome found = solve_maxsat(formula, call);
    call.limits = call.limits.after(run.seconds());
    if (!call.proof.empty()) no_proof = write_maxsat_proof(text, name, found, call);
    return found;
  });
  py::dict answer = fields_of(answer_of(outcome));
  answer["model"] = model_array(outcome.model);
  answer["proof_written"] = !call.proof.empty() && no_proof.empty();
  answer["no_proof"] = no_proof;
  return run.told(answer);
}

py::dict run_pseudo_boolean(const std::string& text, const std::string& name, const py::dict& options) {
  LimitedRun<PbRequest> run(options, options_of);
  const PbOutcome outcome =
      run.answer([&] { return solve_pseudo_boolean(parse_opb(text, name), run.request); });
  py::dict answer = fields_of(answer_of(outcome));
  answer["model"] = model_array(outcome.values);
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
