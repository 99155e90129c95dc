// The module bnnplan._core: errors of the library as exceptions of Python, and the parts of the module.
#include "core.hpp"

#include <fmt/format.h>

#include "bnnplan/base/checked.hpp"
#include "bnnplan/base/input_error.hpp"
#include "bnnplan/base/limits.hpp"
#include "unlocked.hpp"

namespace bnnplan::python {

namespace {

// Bytes that are not UTF-8, in the name of a file for example, as Python has them in such names.
py::object python_text(const std::string& text) {
  return py::reinterpret_steal<py::object>(
      PyUnicode_DecodeUTF8(text.data(), static_cast<py::ssize_t>(text.size()), "surrogateescape"));
}

}  // namespace

py::object python_of(const JsonValue& value) {
  if (const bool* flag = value.boolean()) return py::bool_(*flag);
  if (const std::string* text = value.string()) return python_text(*text);
  if (const JsonNumber* number = value.number()) {
    const py::str text(number->text);
    if (number->measured) return py::float_(text);
    if (number->text.find_first_not_of("-0123456789") == std::string::npos) return py::int_(text);
    return text;
  }
  if (const JsonArray* elements = value.array()) {
    py::list list;
    for (const JsonValue& element : *elements) list.append(python_of(element));
    return list;
  }
  if (const JsonObject* members = value.object()) {
    py::dict fields;
    for (const JsonMember& member : *members) fields[python_text(member.name)] = python_of(member.value);
    return fields;
  }
  return py::none();
}

py::dict fields_of(const Answer& answer) { return python_of(answer.fields); }

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

namespace {

// Names of options are written as keyword arguments.
void raise_input_error(const InputError& error) {
  const py::object type = py::module_::import("bnnplan.errors").attr("InputError");
  const py::object line = error.line() > 0 ? py::object(py::int_(error.line())) : py::object(py::none());
  const py::object file = error.file().empty() ? py::object(py::none()) : python_text(error.file());
  PyErr_SetObject(type.ptr(), type(python_text(error.text(OptionStyle::python)), file, line,
                                   python_text(with_option_names(error.message(), OptionStyle::python)))
                                  .ptr());
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
  bind_options(module);
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
