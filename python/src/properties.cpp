// The other questions to networks: are two equal, is one monotone, what explains a class, how many inputs are
// classified otherwise, and any linear property.
#include <bnnplan/verify.hpp>
#include <fmt/format.h>

#include "bnnplan/base/text_file.hpp"
#include "core.hpp"
#include "exact_values.hpp"
#include "limited_run.hpp"

namespace bnnplan::python {

namespace {

using VerifyRun = LimitedRun<VerifyRequest>;

verification::Region region_of(const std::optional<std::vector<std::string>>& values, const std::string& norm,
                               const std::optional<std::string>& epsilon) {
  verification::Region region;
  if (!values) {
    if (epsilon) throw InputError("epsilon needs an input, x, that it is a distance from");
    return region;
  }
  region.values = exact_of(*values, "an input");
  region.norm = value_named<verification::Norm>(verification::norm_names, norm, "norm");
  if (epsilon) region.epsilon = exact_of(*epsilon, "epsilon");
  return region;
}

py::dict joint_answer(const Answer& told, const JointOutcome& outcome) {
  py::dict answer = fields_of(told);
  answer["holds"] = outcome.status == Status::infeasible;
  answer["known"] = outcome.status != Status::unknown;
  answer["nearest"] = outcome.status == Status::optimal;
  answer["values"] = texts_of(outcome.values);
  answer["other_values"] = texts_of(outcome.other_values);
  answer["scores"] = texts_of(outcome.scores);
  answer["other_scores"] = texts_of(outcome.other_scores);
  answer["distance"] = exact_text(outcome.distance);
  answer["decided_by"] = std::string(outcome.decided_by);
  return answer;
}

py::dict run_equal(const CoreNetwork& first, const CoreNetwork& second, const std::string& by,
                   const std::optional<std::vector<std::string>>& values, const std::string& norm,
                   const std::optional<std::string>& epsilon, const py::dict& options) {
  const auto left = first.network, right = second.network;
  const verification::Region region = region_of(values, norm, epsilon);
  const auto equality = value_named<Equality>(equality_names, by, "by");
  VerifyRun run(options, options_of);
  const JointOutcome outcome =
      run.answer([&] { return compare_networks(*left, *right, region, equality, run.request); });
  return run.told(joint_answer(equal_answer(*left, region, outcome, run.seconds()), outcome));
}

py::dict run_monotone(const CoreNetwork& core, std::size_t input, std::size_t output, bool increasing,
                      bool by_class, const std::optional<std::vector<std::string>>& values,
                      const std::string& norm, const std::optional<std::string>& epsilon,
                      const py::dict& options) {
  const auto network = core.network;
  const MonotoneQuery query{input, output, increasing, by_class, region_of(values, norm, epsilon)};
  VerifyRun run(options, options_of);
  const JointOutcome outcome = run.answer([&] { return check_monotone(*network, query, run.request); });
  return run.told(joint_answer(monotone_answer(*network, query, outcome, run.seconds()), outcome));
}

py::dict run_explain(const CoreNetwork& core, const std::vector<std::string>& values, std::size_t label,
                     const std::string& kind, const std::optional<std::string>& epsilon,
                     const std::string& ties, const py::dict& options, const py::object& progress) {
  const auto network = core.network;
  ExplainQuery query;
  query.values = exact_of(values, "an input");
  query.label = label;
  query.ties = value_named<verification::TieRule>(verification::tie_rule_names, ties, "ties");
  if (epsilon) query.epsilon = exact_of(*epsilon, "epsilon");
  query.kind = value_named<ExplanationKind>(explanation_names, kind, "kind");
  VerifyRun run(options, options_of);
  ExplainCallbacks callbacks;
  if (!progress.is_none()) {
    callbacks.progress = [&](std::size_t size, std::size_t at_least) {
      run.interruption.call([&] { progress(size, at_least); });
    };
  }
  const Explanation found =
      run.answer([&] { return explain(*network, query, run.request.limits, callbacks); });
  py::dict answer = fields_of(explanation_answer(*network, query, found, run.seconds()));
  answer["found"] = found.found;
  answer["inputs"] = found.inputs;
  answer["is_minimal"] = found.is_minimal;
  answer["is_smallest"] = found.is_smallest;
  answer["at_least"] = found.at_least;
  return run.told(answer);
}

py::dict run_count(const CoreNetwork& core, const std::vector<std::string>& values, std::size_t label,
                   const std::optional<std::size_t>& target, const std::string& norm,
                   const std::string& epsilon, const std::string& ties, const std::string& what,
                   const py::dict& options) {
  const auto network = core.network;
  const verification::VerifyQuery query = query_of(values, label, target, norm, epsilon, ties);
  const auto counted = value_named<CountOf>(count_of_names, what, "what");
  VerifyRun run(options, options_of);
  const CountOutcome outcome =
      run.answer([&] { return count_misclassified(*network, query, counted, run.request.limits); });
  return run.told(fields_of(count_answer(counted, outcome, run.seconds())));
}

// A question as the text of a file: TOML, or VNN-LIB.
py::dict run_ask(const CoreNetwork& core, const std::string& text, const std::filesystem::path& file,
                 bool vnnlib, const py::dict& options) {
  const auto network = core.network;
  VerifyRun run(options, options_of);
  const auto answer = [&](const QueryFile& file, const VnnLibQuery* as_read) {
    const LinearOutcome outcome =
        run.answer([&] { return answer_linear(*network, file.query, run.request); });
    py::dict fields = fields_of(query_answer(*network, file, outcome, run.seconds()));
    if (as_read != nullptr) fields["vnnlib"] = vnnlib_result(*as_read, outcome);
    return run.told(fields);
  };
  if (!vnnlib) return answer(parse_query_file(text, file, *network), nullptr);
  const VnnLibQuery query = parse_vnnlib(text, file.string(), *network);
  return answer({query.query}, &query);
}

// A page with the input, as it was changed, and the difference; or, with a list of inputs, with these marked.
std::string picture_page_of(const CoreNetwork& core, std::size_t width, std::size_t height,
                            const std::vector<std::string>& values, const std::vector<std::string>& changed,
                            const std::vector<std::string>& scores,
                            const std::vector<std::string>& changed_scores,
                            const std::optional<std::vector<std::uint32_t>>& explained,
                            const std::string& title, const std::string& text) {
  const Network& network = *core.network;
  const PictureShape shape{width, height, false};
  const std::vector<mpq_class> input = exact_of(values, "an input");
  const std::vector<Panel> panels = explained
                                        ? explanation_panels(network, shape, input, *explained)
                                        : change_panels(network, shape, input, exact_of(changed, "an input"));
  return picture_page(title, panels, text, network, exact_of(scores, "a score"),
                      exact_of(changed_scores, "a score"));
}

}  // namespace

void bind_properties(py::module_& module) {
  module.def("equal", &run_equal);
  module.def("monotone", &run_monotone);
  module.def("explain", &run_explain);
  module.def("count", &run_count);
  module.def("ask", &run_ask);
  module.def("read_text", [](const std::filesystem::path& path) { return read_text_file(path); });
  module.def("picture_page", &picture_page_of);
}

}  // namespace bnnplan::python
