// Questions without a problem: how near to an input a classifier errs, and formulas for the MaxSAT solver.
#include <cstdlib>

#include <bnnplan/maxsat.hpp>
#include <bnnplan/verify.hpp>
#include <fmt/format.h>

#include "base/exact_number.hpp"
#include "core.hpp"
#include "interruption.hpp"

namespace bnnplan::python {

namespace {

mpq_class exact(const std::string& text, const char* what) {
  auto value = parse_exact(text);
  if (!value) throw InputError(fmt::format("{} is '{}', expected a number", what, printable(text)));
  return *value;
}

template <class Names>
std::size_t index_of(const Names& names, const std::string& name, const char* what) {
  std::size_t index = 0;
  for (const auto& known : names) {
    if (known == name) return index;
    ++index;
  }
  throw InputError(fmt::format("unknown {} '{}'", what, printable(name)));
}

std::vector<std::string> texts(const std::vector<mpq_class>& numbers) {
  std::vector<std::string> result;
  for (const mpq_class& number : numbers) result.push_back(exact_text(number));
  return result;
}

py::dict run_verify(const CoreNetwork& core, const std::vector<std::string>& values, std::size_t label,
                    const std::optional<std::size_t>& target, const std::string& norm,
                    const std::optional<std::string>& epsilon, const std::string& ties,
                    const std::optional<double>& seconds, const std::optional<double>& memory_bytes,
                    std::uint64_t seed, const std::filesystem::path& proof, const py::object& progress) {
  const auto network = core.network;
  VerifyQuery query;
  for (const std::string& value : values) query.values.push_back(exact(value, "an input"));
  query.label = label;
  query.target = target;
  query.norm = static_cast<Norm>(index_of(norm_names, norm, "norm"));
  if (epsilon) query.epsilon = exact(*epsilon, "epsilon");
  query.ties = static_cast<TieRule>(index_of(tie_rule_names, ties, "rule for ties"));
  Interruption interruption;
  RunControl control = control_of(seconds, memory_bytes, 1, seed);
  control.interrupt = interruption.flag();
  VerifyRequest request;
  request.limits = limits_of(control);
  request.proof = proof;
  if (!progress.is_none()) {
    request.callbacks.bounds = [&](const mpq_class& lower, const std::optional<mpq_class>& upper) {
      interruption.call([&] {
        progress(exact_text(lower), upper ? py::object(py::str(exact_text(*upper))) : py::object(py::none()));
      });
    };
  }
  const VerifyOutcome outcome =
      work_interruptibly(interruption, [&] { return verify(*network, query, request); });
  interruption.raise_again();
  py::dict answer;
  answer["status"] = std::string(status_word(outcome.status, query.epsilon.has_value()));
  answer["found"] = !outcome.values.empty();
  answer["values"] = texts(outcome.values);
  answer["scores"] = texts(outcome.scores);
  answer["changed_scores"] = texts(outcome.changed_scores);
  answer["changed_class"] = outcome.changed_class;
  answer["distance"] = exact_text(outcome.distance);
  answer["lower_bound"] = exact_text(outcome.lower_bound);
  answer["proof_written"] = outcome.proof_written;
  answer["decided_by"] = std::string(outcome.decided_by);
  answer["proved"] = outcome.status == VerifyStatus::nearest || outcome.status == VerifyStatus::none;
  return answer;
}

Lit literal(long long dimacs) {
  if (dimacs == 0 || std::llabs(dimacs) > static_cast<long long>(largest_wcnf_variable))
    throw InputError(fmt::format("{} is no literal: expected a number from 1 to {}, negative for a negation",
                                 dimacs, largest_wcnf_variable));
  const Lit positive = Lit::positive({static_cast<std::uint32_t>(std::llabs(dimacs) - 1)});
  return dimacs > 0 ? positive : ~positive;
}

std::vector<Lit> clause(const std::vector<long long>& numbers) {
  std::vector<Lit> literals;
  for (const long long number : numbers) literals.push_back(literal(number));
  return literals;
}

py::dict run_maxsat(const Wcnf& formula, const std::optional<double>& seconds,
                    const std::optional<double>& memory_bytes, std::uint64_t seed,
                    const std::string& strategy) {
  Interruption interruption;
  RunControl control = control_of(seconds, memory_bytes, 1, seed);
  control.interrupt = interruption.flag();
  MaxSatRequest request;
  request.limits = limits_of(control);
  if (strategy == "improve") {
    request.options.strategy = MaxSatStrategy::improve;
  } else if (strategy != "core") {
    throw InputError("strategy is core or improve");
  }
  const MaxSatOutcome outcome =
      work_interruptibly(interruption, [&] { return solve_maxsat(formula, request); });
  interruption.raise_again();
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
  return answer;
}

}  // namespace

void bind_questions(py::module_& module) {
  module.def("verify", &run_verify);
  py::class_<Wcnf>(module, "Wcnf")
      .def(py::init<>())
      .def_static(
          "read", [](const std::filesystem::path& path) { return read_wcnf(path); },
          py::call_guard<py::gil_scoped_release>())
      .def_static(
          "parse", [](const std::string& text, const std::string& name) { return parse_wcnf(text, name); },
          py::call_guard<py::gil_scoped_release>())
      .def("add_hard",
           [](Wcnf& self, const std::vector<long long>& numbers) { self.add_hard(clause(numbers)); })
      .def("add_soft", [](Wcnf& self, const std::vector<long long>& numbers,
                          Weight weight) { self.add_soft(clause(numbers), weight); })
      .def("solve", &run_maxsat);
  module.def("read_input_values", [](const std::filesystem::path& path, const CoreNetwork& network) {
    return texts(read_input_values(path, *network.network));
  });
}

}  // namespace bnnplan::python
