// The benchmark suites as files. Indexes are handed over as the text of their file.
#include <bnnplan/suite.hpp>
#include <fmt/format.h>

#include "core.hpp"
#include "interruption.hpp"

namespace bnnplan::python {

namespace {

using Names = std::vector<std::string>;

const ModelFormat* format_named(const std::string& name) {
  const ModelFormat* format = find_model_format(name);
  if (format == nullptr) throw InputError(fmt::format("unknown format '{}'", printable(name)));
  return format;
}

void check_packing(const std::string& packing) {
  if (!packing.empty() && packing != "gz" && packing != "xz")
    throw InputError(fmt::format("files packed by '{}', expected gz or xz", printable(packing)));
}

std::function<void(const SuiteProgress&)> told_to(const py::object& progress, Interruption& interruption) {
  if (progress.is_none()) return {};
  return [&progress, &interruption](const SuiteProgress& told) {
    interruption.call([&] { progress(told.done, told.all, told.name, told.activity, told.finished); });
  };
}

Limits limits_for(const std::optional<double>& seconds, unsigned threads, const Interruption& interruption) {
  RunControl control = control_of(seconds, std::nullopt, threads, 0);
  control.interrupt = interruption.flag();
  return limits_of(control);
}

SuiteSource source_named(const std::string& name) {
  return name == "ladder"      ? SuiteSource::ladder
         : name == "published" ? SuiteSource::published
                               : SuiteSource::shipped;
}

py::dict run_suite(const std::filesystem::path& output, const std::string& source,
                   const std::filesystem::path& folder, const Names& formats, const std::string& packing,
                   const std::string& family, const Names& only, std::uint64_t seed,
                   const std::string& neurons, bool gap_free, bool proof, const Names& engines,
                   const std::string& submission, const std::optional<double>& seconds, unsigned threads,
                   const py::object& progress) {
  Interruption interruption;
  SuiteOptions options;
  options.source = source_named(source);
  options.folder = folder;
  options.output = output;
  for (const std::string& name : formats) options.formats.push_back(format_named(name));
  const auto encoding = neuron_encoding_named(neurons);
  if (!encoding) throw InputError(fmt::format("unknown encoding of neurons '{}'", printable(neurons)));
  options.neurons = *encoding;
  check_packing(packing);
  options.packing = packing;
  options.gap_free = gap_free;
  options.proof = proof;
  options.engines = engines;
  options.seed = seed;
  options.family = family;
  options.only = only;
  options.version = BNNPLAN_VERSION;
  options.limits = limits_for(seconds, threads, interruption);
  options.progress = told_to(progress, interruption);
  if (!submission.empty() && submission != "maxsat" && submission != "pb")
    throw InputError(fmt::format("a submission to '{}', expected maxsat or pb", printable(submission)));
  const SubmissionResult made = work_interruptibly(interruption, [&] {
    if (!submission.empty())
      return make_submission(submission == "pb" ? Competition::pb : Competition::maxsat, options);
    SubmissionResult result;
    result.suite = make_suite(options);
    return result;
  });
  py::dict answer;
  answer["raised"] = interruption.raised();
  answer["index"] = suite_index_text(made.suite.entries);
  answer["made"] = made.suite.made;
  answer["kept"] = made.suite.kept;
  answer["unproved"] = made.suite.unproved;
  answer["proofs"] = made.suite.proofs;
  answer["archive"] = made.archive;
  return answer;
}

}  // namespace

void bind_suite(py::module_& module) {
  module.def("suite", &run_suite);
  module.def("ladder_names", [](std::uint64_t seed, const std::string& family, const Names& only) {
    SuiteOptions options;
    options.source = SuiteSource::ladder;
    options.seed = seed;
    options.family = family;
    options.only = only;
    Names names;
    for (const WantedProblem& problem : wanted_problems(options)) names.push_back(problem.name);
    return names;
  });
}

}  // namespace bnnplan::python
