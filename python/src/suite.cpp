// The benchmark suites as files.
#include <bnnplan/suite.hpp>

#include "core.hpp"
#include "interruption.hpp"
#include "options.hpp"

namespace bnnplan::python {

namespace {

using Names = std::vector<std::string>;

std::function<void(const SuiteProgress&)> told_to(const py::object& progress, Interruption& interruption) {
  if (progress.is_none()) return {};
  return [&progress, &interruption](const SuiteProgress& told) {
    interruption.call([&] { progress(told.done, told.all, told.name, told.activity, told.finished); });
  };
}

SuiteSource source_named(const std::string& name) {
  return name == "ladder"      ? SuiteSource::ladder
         : name == "published" ? SuiteSource::published
                               : SuiteSource::shipped;
}

py::dict run_suite(const std::filesystem::path& output, const std::string& source,
                   const std::filesystem::path& folder, const py::dict& given, const py::object& progress) {
  Interruption interruption;
  auto options = options_from<SuiteOptions>(given, options_of);
  options.source = source_named(source);
  options.folder = folder;
  options.output = output;
  options.version = BNNPLAN_VERSION;
  options.limits.interrupt = interruption.flag();
  options.progress = told_to(progress, interruption);
  const SuiteResult made = work_interruptibly(interruption, [&] { return make_suite(options); });
  py::dict answer = fields_of(answer_of(options, made));
  answer["raised"] = interruption.raised();
  return answer;
}

}  // namespace

void bind_suite(py::module_& module) {
  module.def("suite", &run_suite);
  module.def("ladder_names", [](const py::dict& given) {
    auto options = options_from<SuiteOptions>(given, options_of);
    options.source = SuiteSource::ladder;
    Names names;
    for (const WantedProblem& problem : wanted_problems(options)) names.push_back(problem.name);
    return names;
  });
}

}  // namespace bnnplan::python
