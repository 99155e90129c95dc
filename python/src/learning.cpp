// Learning from arrays, and what data says of a plan.
#include <bnnplan/evidence.hpp>
#include <bnnplan/learn.hpp>
#include <fmt/format.h>

#include "core.hpp"
#include "interruption.hpp"
#include "options.hpp"

namespace bnnplan::python {

namespace {

std::vector<std::uint64_t> packed(const Bytes& bytes, std::size_t columns, const char* what) {
  if (bytes.ndim() != 2 || static_cast<std::size_t>(bytes.shape(1)) != columns)
    throw InputError(fmt::format("{} has to have rows of {} values, one per name", what, columns));
  const auto rows = static_cast<std::size_t>(bytes.shape(0));
  std::vector<std::uint64_t> words(rows * words_of(columns));
  const std::size_t bad = pack_rows(bytes.data(), rows, columns, words.data());
  if (bad < rows * columns)
    throw InputError(fmt::format("{}: row {}, column {} is {}, expected 0 or 1", what, bad / columns,
                                 bad % columns, bytes.data()[bad]));
  return words;
}

// A dictionary of what was learned, and what was raised while it did, or None.
py::tuple run_learn(const TransitionArrays& arrays, const py::dict& given,
                    const std::optional<TransitionArrays>& also,
                    const std::optional<TransitionArrays>& measure, const py::object& progress,
                    const py::object& tried) {
  DataSet data = data_of(arrays, "the data");
  Interruption interruption;
  auto options = options_from<LearnOptions>(given, options_of);
  options.limits.interrupt = interruption.flag();
  if (!progress.is_none()) {
    options.progress = [&](const std::string&, const EpochRecord& record) {
      interruption.call([&] { progress(python_of(epoch_fields(record))); });
    };
  }
  if (!tried.is_none()) {
    options.tried = [&](const Tried& one) {
      interruption.call([&] { tried(python_of(tried_fields(one))); });
    };
  }
  if (also) options.also = data_of(*also, "also");
  if (measure) options.measure = data_of(*measure, "measure");
  const Learned learned = work_interruptibly(interruption, [&] { return learn(std::move(data), options); });
  py::dict answer = fields_of(answer_of(learned));
  answer["network"] = CoreNetwork(learned.training.network);
  answer["curve"] =
      learned.training.history.empty() ? std::string() : training_curve_svg(learned.report, learned.training);
  return py::make_tuple(answer, interruption.raised());
}

py::dict run_evidence(const CorePlan& plan, const TransitionArrays& arrays) {
  const Evidence evidence = evidence_of(*plan.problem, plan.plan, data_of(arrays, "the data"));
  const Answer told = answer_of(evidence);
  py::dict answer = fields_of(told);
  answer["errors"] = python_of(error_fields(evidence.measured));
  answer["seen"] = evidence.seen;
  answer["contradicted"] = evidence.contradicted;
  answer["text"] = told.text;
  return answer;
}

}  // namespace

DataSet data_of(const TransitionArrays& arrays, const std::string& name) {
  const auto& [inputs, outputs, input_names, output_names] = arrays;
  const auto in = packed(inputs, input_names.size(), "X");
  const auto out = packed(outputs, output_names.size(), "Y");
  if (inputs.shape(0) != outputs.shape(0))
    throw InputError(fmt::format("X has {} rows and Y {}", inputs.shape(0), outputs.shape(0)));
  return collect_rows(name, input_names, output_names, in.data(), out.data(),
                      static_cast<std::size_t>(inputs.shape(0)));
}

py::tuple arrays_of(const DataSet& data) {
  const std::size_t lines = data.sample_row.size();
  const auto expand = [&](const std::vector<std::uint64_t>& rows, std::size_t columns) {
    py::array_t<bool> array({lines, columns});
    auto* bytes = reinterpret_cast<std::uint8_t*>(array.mutable_data());
    for (std::size_t line = 0; line < lines; ++line)
      unpack_rows(rows.data() + data.sample_row[line] * words_of(columns), 1, columns,
                  bytes + line * columns);
    return array;
  };
  return py::make_tuple(expand(data.inputs, data.input_names.size()),
                        expand(data.outputs, data.output_names.size()), data.input_names, data.output_names);
}

void bind_learning(py::module_& module) {
  module.def("learn", &run_learn);
  module.def("evidence", &run_evidence);
  module.def("read_data_set", [](const std::filesystem::path& path, const BitCounts& bits) {
    DataOptions options;
    for (const auto& [name, column] : bits) {
      if (column.first < 1 || column.first > 32) throw InputError("a column has 1 to 32 bits");
      options.bits[name] = {column.first, column.second};
    }
    return arrays_of(read_data_set(path, options));
  });
}

}  // namespace bnnplan::python
