#pragma once

// What the files of the module _core share. Everything here is thin: each class holds one of the library's
// and hands over numbers as NumPy arrays, exact ones as text. The package around it (python/bnnplan/) is what
// people see.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <bnnplan/build.hpp>
#include <bnnplan/domain.hpp>
#include <bnnplan/learn.hpp>
#include <bnnplan/network.hpp>
#include <bnnplan/plan.hpp>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "bnnplan/base/answer.hpp"

namespace bnnplan::python {

namespace py = pybind11;

using Bytes = py::array_t<std::uint8_t, py::array::c_style>;
using SharedProblem = std::shared_ptr<const Problem>;

// A problem that is being built. Plans keep the problem they are for as it was.
class CoreProblem {
 public:
  explicit CoreProblem(std::string name) : builder_(std::move(name)) {}
  explicit CoreProblem(Problem problem) : builder_(std::move(problem)) {}

  const Problem& problem() const { return builder_.problem(); }
  ProblemBuilder& change() {
    snapshot_.reset();
    return builder_;
  }
  // As it is now; with what is missing or impossible as an InputError.
  SharedProblem finished() {
    builder_.finished();
    if (!snapshot_) snapshot_ = std::make_shared<const Problem>(builder_.problem());
    return snapshot_;
  }

 private:
  ProblemBuilder builder_;
  SharedProblem snapshot_;
};

// A network, and what inference makes of it when it is first asked.
struct CoreNetwork {
  explicit CoreNetwork(Network made) : network(std::make_shared<const Network>(std::move(made))) {}

  std::shared_ptr<const Network> network;
  std::shared_ptr<const PackedNetwork> packed;
  std::shared_ptr<const PackedClassifier> classifier;
  std::shared_ptr<const InputBits> input_bits;
};

struct CorePlan {
  SharedProblem problem;
  Plan plan;  // says everything, if it comes from an engine or the checker
};

struct CoreOutcome {
  SharedProblem problem;
  Outcome outcome;
};

// The texts stay with a domain, so that it can be compiled with other goals, and sent elsewhere without its
// files.
struct CoreDomain {
  CoreDomain(std::string domain_text, std::string domain_file, std::string instance_text,
             std::string instance_file, std::string instance_name);
  rddl::GroundModel model(const std::vector<std::string>& goals) const;

  std::string domain_text, domain_file, instance_text, instance_file, instance_name;
  std::shared_ptr<Simulator> simulator;  // with a scratch of its own: long work takes a copy
};

// Answers as Python has them: whole numbers are ints, measured ones floats, other exact ones texts.
py::object python_of(const JsonValue& value);
py::dict fields_of(const Answer& answer);

// Exact numbers as text.
Decimal decimal_of_text(const std::string& text, const char* what);
py::object cost_or_none(const Problem& problem, const std::optional<std::int64_t>& cost);

// Of an integer: how many bits, and whether it is signed.
using BitCounts = std::map<std::string, std::pair<int, bool>>;

// Transitions as arrays: X, Y and the names of their columns, and back. A mistake is an InputError.
using TransitionArrays = std::tuple<Bytes, Bytes, std::vector<std::string>, std::vector<std::string>>;
py::tuple arrays_of(const DataSet& data);
DataSet data_of(const TransitionArrays& arrays, const std::string& name);

void bind_options(py::module_& module);
void bind_problem(py::module_& module);
void bind_network(py::module_& module);
void bind_planning(py::module_& module);
void bind_domain(py::module_& module);
void bind_learning(py::module_& module);
void bind_discovery(py::module_& module);
void bind_questions(py::module_& module);
void bind_properties(py::module_& module);
void bind_suite(py::module_& module);

}  // namespace bnnplan::python
