// Learning from arrays.
#include <algorithm>

#include <bnnplan/learn.hpp>
#include <fmt/format.h>

#include "core.hpp"
#include "interruption.hpp"

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

DataSet data_of(const Bytes& inputs, const Bytes& outputs, std::vector<std::string> input_names,
                std::vector<std::string> output_names, const char* what) {
  const auto in = packed(inputs, input_names.size(), "X");
  const auto out = packed(outputs, output_names.size(), "Y");
  if (inputs.shape(0) != outputs.shape(0))
    throw InputError(fmt::format("X has {} rows and Y {}", inputs.shape(0), outputs.shape(0)));
  return collect_rows(what, std::move(input_names), std::move(output_names), in.data(), out.data(),
                      static_cast<std::size_t>(inputs.shape(0)));
}

py::dict errors_of(const Errors& errors) {
  py::dict result;
  result["samples"] = errors.samples;
  result["wrong_transitions"] = errors.wrong_transitions;
  result["bits"] = errors.bits;
  result["wrong_bits"] = errors.wrong_bits;
  return result;
}

py::tuple record_of(const EpochRecord& record) {
  return py::make_tuple(record.restart, record.epoch, record.loss, record.train.transition_rate(),
                        record.test.transition_rate(), record.density, record.seconds, record.best);
}

// A dictionary of what was learned, and what was raised while it did, or None.
py::tuple run_learn(const Bytes& inputs, const Bytes& outputs, std::vector<std::string> input_names,
                    std::vector<std::string> output_names, const std::vector<std::size_t>& hidden, int epochs,
                    int restarts, std::uint64_t seed, bool stop_at_zero, bool sparse, double density,
                    std::size_t batch, double rate, unsigned threads, double test_share, bool distinct,
                    const py::object& progress) {
  DataSet data = data_of(inputs, outputs, std::move(input_names), std::move(output_names), "the data");
  if (std::find(hidden.begin(), hidden.end(), 0u) != hidden.end())
    throw InputError("a hidden layer has at least one neuron");
  if (epochs < 1 || restarts < 1 || batch < 1)
    throw InputError("epochs, restarts and batch have to be 1 or more");
  if (!(rate > 0 && rate <= 1000)) throw InputError("rate has to be a number above 0");
  if (!(density > 0 && density <= 1)) throw InputError("density has to be above 0 and at most 1");
  if (!(test_share >= 0 && test_share < 1)) throw InputError("test_share has to be from 0 to below 1");
  if (threads > 1024) throw InputError(fmt::format("{} threads, expected at most 1024", threads));
  Interruption interruption;
  LearnOptions options;
  TrainOptions& training = options.training;
  training.hidden = hidden;
  training.epochs = epochs;
  training.restarts = restarts;
  training.seed = seed;
  training.stop_at_zero = stop_at_zero;
  training.sparse = sparse;
  training.density = density;
  training.batch = batch;
  training.rate = rate;
  training.threads = threads;
  training.interrupt = interruption.flag();
  if (!progress.is_none()) {
    training.progress = [&](const EpochRecord& record) {
      interruption.call([&] { progress(*record_of(record)); });
    };
  }
  options.test_share = test_share;
  options.distinct = distinct;
  const Learned learned = work_interruptibly(interruption, [&] { return learn(std::move(data), options); });
  py::dict answer;
  answer["network"] = CoreNetwork(learned.training.network);
  py::list history;
  for (const EpochRecord& record : learned.training.history) history.append(record_of(record));
  answer["history"] = history;
  answer["seconds"] = learned.training.seconds;
  answer["lines"] = learned.report.lines;
  answer["distinct_rows"] = learned.report.distinct_rows;
  answer["contradictions"] = learned.report.contradictions;
  py::dict errors;
  for (const auto& [part, of_part] : learned.report.errors) errors[py::str(part)] = errors_of(of_part);
  answer["errors"] = errors;
  answer["curve"] = training_curve_svg(learned.report, learned.training);
  return py::make_tuple(answer, interruption.raised());
}

}  // namespace

void bind_learning(py::module_& module) {
  module.def("learn", &run_learn);
  module.def("read_data_set",
             [](const std::filesystem::path& path, const std::map<std::string, std::pair<int, bool>>& bits) {
               DataOptions options;
               for (const auto& [name, column] : bits) {
                 if (column.first < 1 || column.first > 32) throw InputError("a column has 1 to 32 bits");
                 options.bits[name] = {column.first, column.second};
               }
               const DataSet data = read_data_set(path, options);
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
                                     expand(data.outputs, data.output_names.size()), data.input_names,
                                     data.output_names);
             });
}

}  // namespace bnnplan::python
