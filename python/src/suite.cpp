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

// Of the 45 problems; all formats, one after the other.
py::dict run_suite(const std::filesystem::path& output, const std::filesystem::path& folder, bool published,
                   const Names& formats, const std::string& packing, const std::string& family,
                   const Names& only, const std::optional<double>& seconds, unsigned threads,
                   const py::object& progress) {
  Interruption interruption;
  SuiteOptions options;
  options.source = published ? SuiteSource::published : SuiteSource::shipped;
  options.folder = folder;
  options.output = output;
  check_packing(packing);
  options.packing = packing;
  options.family = family;
  options.only = only;
  options.limits = limits_for(seconds, threads, interruption);
  options.progress = told_to(progress, interruption);
  std::vector<const ModelFormat*> wanted;
  for (const std::string& name : formats) wanted.push_back(format_named(name));
  const SuiteResult all = work_interruptibly(interruption, [&] {
    SuiteResult sum;
    for (const ModelFormat* format : wanted) {
      options.format = format;
      SuiteResult result = make_suite(options);
      sum.entries = std::move(result.entries);
      sum.made += result.made;
      sum.kept += result.kept;
      sum.unproved += result.unproved;
      if (result.interrupted) break;
    }
    return sum;
  });
  py::dict answer;
  answer["raised"] = interruption.raised();
  answer["index"] = suite_index_text(all.entries);
  answer["made"] = all.made;
  answer["kept"] = all.kept;
  answer["unproved"] = all.unproved;
  return answer;
}

ExtendedOptions ladder_options(std::uint64_t seed, const std::string& family, const Names& only) {
  ExtendedOptions options;
  options.seed = seed;
  options.family = family;
  options.only = only;
  options.version = BNNPLAN_VERSION;
  return options;
}

py::dict run_ladder(const std::filesystem::path& output, const std::filesystem::path& domains,
                    const Names& formats, const std::string& packing, const std::string& family,
                    const Names& only, std::uint64_t seed, const std::string& neurons, bool gap_free,
                    bool proof, const Names& engines, const std::string& submission,
                    const std::optional<double>& seconds, unsigned threads, const py::object& progress) {
  Interruption interruption;
  ExtendedOptions options = ladder_options(seed, family, only);
  options.output = output;
  options.domains = domains;
  for (const std::string& name : formats) options.formats.push_back(format_named(name));
  const auto encoding = neuron_encoding_named(neurons);
  if (!encoding) throw InputError(fmt::format("unknown encoding of neurons '{}'", printable(neurons)));
  options.neurons = *encoding;
  check_packing(packing);
  options.packing = packing;
  options.gap_free = gap_free;
  options.proof = proof;
  options.engines = engines;
  options.limits = limits_for(seconds, threads, interruption);
  options.progress = told_to(progress, interruption);
  if (!submission.empty() && submission != "maxsat" && submission != "pb")
    throw InputError(fmt::format("a submission to '{}', expected maxsat or pb", printable(submission)));
  const SubmissionResult made = work_interruptibly(interruption, [&] {
    if (!submission.empty())
      return make_submission(submission == "pb" ? Competition::pb : Competition::maxsat, options);
    SubmissionResult result;
    result.suite = make_extended_suite(options);
    return result;
  });
  py::dict answer;
  answer["raised"] = interruption.raised();
  answer["index"] = extended_index_text(made.suite.entries);
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
  module.def("ladder", &run_ladder);
  module.def("ladder_names", [](std::uint64_t seed, const std::string& family, const Names& only) {
    Names names;
    for (const LadderProblem& problem : wanted_ladder(ladder_options(seed, family, only)))
      names.push_back(problem.name());
    return names;
  });
}

}  // namespace bnnplan::python
