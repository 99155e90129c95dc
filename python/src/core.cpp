// The module bnnplan._core: errors of the library as exceptions of Python, and the parts of the module.
#include "core.hpp"

#include <cmath>

#include <fmt/format.h>

#include "base/checked.hpp"
#include "base/limits.hpp"
#include "unlocked.hpp"

namespace bnnplan::python {

Decimal decimal_of_text(const std::string& text, const char* what) {
  try {
    if (const auto value = parse_decimal(text)) return *value;
  } catch (const OverflowError&) {
    throw InputError(fmt::format("{} {} does not fit into 64 bits", what, printable(text)));
  }
  throw InputError(fmt::format("{} is '{}', expected a decimal number", what, printable(text)));
}

py::object cost_or_none(const Problem& problem, const std::optional<std::int64_t>& cost) {
  if (!cost) return py::none();
  return py::str(to_string(cost_in_units(problem, *cost)));
}

RunControl control_of(std::optional<double> seconds, std::optional<double> memory_bytes, unsigned threads,
                      std::uint64_t seed) {
  if (seconds && !(*seconds >= 0 && std::isfinite(*seconds)))
    throw InputError("time_limit has to be a number of seconds, 0 or more");
  if (memory_bytes && !(*memory_bytes >= 1 && *memory_bytes < 1e18))
    throw InputError("memory_limit has to be a number of MiB above 0");
  if (threads > 1024) throw InputError(fmt::format("{} threads, expected at most 1024", threads));
  RunControl control;
  control.seconds = seconds;
  if (memory_bytes) control.memory_bytes = static_cast<std::size_t>(*memory_bytes);
  control.threads = threads;
  control.seed = seed;
  return control;
}

namespace {

// Bytes that are no UTF-8, in the name of a file for example, as Python has them in such names.
py::object python_text(const std::string& text) {
  return py::reinterpret_steal<py::object>(
      PyUnicode_DecodeUTF8(text.data(), static_cast<py::ssize_t>(text.size()), "surrogateescape"));
}

void raise_input_error(const InputError& error) {
  const py::object type = py::module_::import("bnnplan.errors").attr("InputError");
  const py::object line = error.line() > 0 ? py::object(py::int_(error.line())) : py::object(py::none());
  const py::object file = error.file().empty() ? py::object(py::none()) : python_text(error.file());
  PyErr_SetObject(type.ptr(),
                  type(python_text(error.what()), file, line, python_text(error.message())).ptr());
}

}  // namespace

}  // namespace bnnplan::python

PYBIND11_MODULE(_core, module) {
  using namespace bnnplan::python;
  module.doc() = "The C++ side of bnnplan: import bnnplan instead.";
  module.attr("version") = BNNPLAN_VERSION;
  py::register_exception_translator([](std::exception_ptr pointer) {
    try {
      if (pointer) std::rethrow_exception(pointer);
    } catch (const bnnplan::InputError& error) {
      raise_input_error(error);
    } catch (const bnnplan::OverflowError& error) {
      raise_input_error(bnnplan::InputError(error.what()));
    } catch (const bnnplan::LimitReached&) {
      PyErr_SetString(PyExc_TimeoutError, "a limit was reached");
    } catch (const std::filesystem::filesystem_error& error) {
      PyErr_SetString(PyExc_OSError, error.what());
    }
  });
  RunningWork::stop_at_exit();
  bind_problem(module);
  bind_network(module);
  bind_planning(module);
  bind_domain(module);
  bind_learning(module);
  bind_discovery(module);
  bind_questions(module);
  bind_properties(module);
  bind_suite(module);
}
