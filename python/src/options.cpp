// Keyword arguments as options, and the table of options that the signatures of the package are made from.
#include "options.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <bnnplan/check.hpp>
#include <bnnplan/closed_loop.hpp>
#include <bnnplan/discover.hpp>
#include <bnnplan/encode.hpp>
#include <bnnplan/exchange.hpp>
#include <bnnplan/maxsat.hpp>
#include <bnnplan/pseudo_boolean.hpp>
#include <bnnplan/suite.hpp>
#include <bnnplan/verify.hpp>
#include <fmt/format.h>

namespace bnnplan::python {

namespace {

const char* kind_words(OptionKind kind) {
  switch (kind) {
    case OptionKind::flag:
      return "True or False";
    case OptionKind::integer:
      return "a whole number";
    case OptionKind::number:
      return "a number";
    case OptionKind::text:
      return "a text";
    case OptionKind::texts:
      return "a list of texts";
    case OptionKind::integers:
      return "a list of whole numbers";
  }
  __builtin_unreachable();
}

std::optional<std::int64_t> integer_of(const py::handle& given) {
  if (PyFloat_Check(given.ptr()) != 0) {
    const double real = PyFloat_AsDouble(given.ptr());
    if (real != std::floor(real) || std::abs(real) > 9e15) return std::nullopt;
    return static_cast<std::int64_t>(real);
  }
  if (PyIndex_Check(given.ptr()) == 0 || PyBool_Check(given.ptr()) != 0) return std::nullopt;
  const auto number = py::reinterpret_steal<py::object>(PyNumber_Index(given.ptr()));
  if (!number) {  // an array of several numbers
    PyErr_Clear();
    return std::nullopt;
  }
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
  if (overflow != 0) return std::nullopt;
  return value;
}

std::optional<std::string> text_of(const py::handle& given) {
  if (py::isinstance<py::str>(given)) {
    try {
      return given.cast<std::string>();
    } catch (const py::cast_error&) {  // half of a pair of surrogates
      PyErr_Clear();
      return std::nullopt;
    }
  }
  if (py::hasattr(given, "__fspath__")) return given.cast<std::filesystem::path>().string();
  return std::nullopt;
}

// monostate if it is of another kind.
OptionValue value_of(OptionKind kind, const py::handle& given) {
  switch (kind) {
    case OptionKind::flag:
      if (PyBool_Check(given.ptr()) != 0 ||
          py::str(py::type::of(given).attr("__name__")).cast<std::string>() == "bool_")
        return given.cast<bool>();
      return {};
    case OptionKind::integer:
      if (const auto integer = integer_of(given)) return *integer;
      return {};
    case OptionKind::number: {
      if (PyBool_Check(given.ptr()) != 0 || py::isinstance<py::str>(given)) return {};
      const double number = PyFloat_AsDouble(given.ptr());
      if (PyErr_Occurred() == nullptr) return number;
      PyErr_Clear();
      return {};
    }
    case OptionKind::text:
      if (auto text = text_of(given)) return *text;
      return {};
    case OptionKind::texts: {
      std::vector<std::string> texts;
      const auto add = [&](const py::handle& each) {  // whether it is a text
        const auto text = py::isinstance<py::str>(each) ? text_of(each) : std::nullopt;
        if (text) texts.push_back(*text);
        return text.has_value();
      };
      if (py::isinstance<py::str>(given)) return add(given) ? OptionValue(texts) : OptionValue();
      if (!py::isinstance<py::iterable>(given)) return {};
      for (const py::handle each : given) {
        if (!add(each)) return {};
      }
      return texts;
    }
    case OptionKind::integers: {
      if (py::isinstance<py::str>(given) || !py::isinstance<py::iterable>(given)) return {};
      std::vector<std::int64_t> integers;
      for (const py::handle each : given) {
        const auto integer = integer_of(each);
        if (!integer) return {};
        integers.push_back(*integer);
      }
      return integers;
    }
  }
  __builtin_unreachable();
}

py::object python_value(const OptionValue& value) {
  return std::visit(
      [](const auto& held) -> py::object {
        if constexpr (std::is_same_v<std::decay_t<decltype(held)>, std::monostate>) {
          return py::none();
        } else {
          return py::cast(held);
        }
      },
      value);
}

std::string keyword(std::string name) {
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

template <class Options>
std::vector<Option> described() {
  static Options options;
  return options_of(options);
}

// Names, defaults, kinds, help texts and allowed words.
py::list option_table(const std::string& command) {
  std::vector<Option> options = command == "plan"       ? described<PlanOptions>()
                                : command == "read"     ? described<ReadOptions>()
                                : command == "check"    ? described<CheckOptions>()
                                : command == "decode"   ? described<DecodeOptions>()
                                : command == "import"   ? described<ImportOptions>()
                                : command == "export"   ? described<ExportOptions>()
                                : command == "eval"     ? described<EvalOptions>()
                                : command == "learn"    ? described<LearnOptions>()
                                : command == "discover" ? described<DiscoverySettings>()
                                : command == "compile"  ? described<CompileOptions>()
                                : command == "simulate" ? described<SimulateOptions>()
                                : command == "run"      ? described<ClosedLoopOptions>()
                                : command == "encode"   ? described<EncodeOptions>()
                                : command == "suite"    ? described<SuiteOptions>()
                                : command == "maxsat"   ? described<MaxSatCall>()
                                : command == "pb"       ? described<PbRequest>()
                                                        : described<VerifyRequest>();
  py::list table;
  for (const Option& option : options)
    table.append(py::make_tuple(keyword(option.name), python_value(option.field.get()),
                                kind_words(option.field.kind),
                                with_option_names(option.help, OptionStyle::python), option.field.words));
  return table;
}

}  // namespace

void set_options(const std::vector<Option>& options, const py::dict& given) {
  for (const auto& [key, value] : given) {
    const auto name = key.cast<std::string>();
    const auto found = std::find_if(options.begin(), options.end(), [&](const Option& option) {
      return keyword(option.name) == name ||
             (!option.former_name.empty() && keyword(option.former_name) == name);
    });
    if (found == options.end()) {
      std::vector<std::string> names;
      for (const Option& option : options) names.push_back(keyword(option.name));
      throw py::type_error(
          fmt::format("unexpected keyword argument '{}'{}", printable(name), did_you_mean(name, names)));
    }
    if (value.is_none()) continue;
    const OptionValue converted = value_of(found->field.kind, value);
    if (converted == OptionValue("") && converted == found->field.get()) continue;  // its default
    const auto refuse = [&](const std::string& expected) {
      std::string written = name;  // it may be the former name
      std::replace(written.begin(), written.end(), '_', '-');
      throw OptionError(fmt::format("{} is {}, expected {}", option_name(written),
                                    printable(py::repr(value).cast<std::string>(), 80), expected));
    };
    if (std::holds_alternative<std::monostate>(converted)) {
      const std::string range = refusal(*found, std::numeric_limits<std::int64_t>::min());
      if (PyLong_CheckExact(value.ptr()) != 0 && !range.empty()) refuse(range);  // of more than 64 bits
      throw py::type_error(fmt::format("{}= is {}, expected {}", name,
                                       printable(py::repr(value).cast<std::string>(), 80),
                                       kind_words(found->field.kind)));
    }
    if (const std::string expected = refusal(*found, converted); !expected.empty()) refuse(expected);
    found->field.set(converted);
  }
}

void bind_options(py::module_& module) { module.def("option_table", &option_table); }

}  // namespace bnnplan::python
