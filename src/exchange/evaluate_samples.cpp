// Runs a network on data: numbers become packed bits, in batches that stay in the cache, and these become
// classes or outputs. A factor between the data and the network (pixels from 0 to 255 for a network that
// takes 0 to 1) divides the thresholds instead of multiplying the data, which is exact. Ties are the samples
// for which the opposite tie rule gives another class.
#include "bnnplan/exchange/evaluate_samples.hpp"

#include <algorithm>
#include <span>
#include <unordered_map>

#include <fmt/format.h>

#include "bnnplan/base/count_text.hpp"
#include "bnnplan/base/csv_line.hpp"
#include "bnnplan/base/exact_number.hpp"
#include "bnnplan/base/input_error.hpp"
#include "bnnplan/base/text_file.hpp"
#include "bnnplan/network/input_bits.hpp"
#include "bnnplan/network/packed_classifier.hpp"
#include "bnnplan/network/packed_inference.hpp"

namespace bnnplan::exchange {

namespace {

constexpr std::size_t batch = 256;

// The same network for numbers that have yet to be multiplied by `factor`.
Network for_scaled(Network network, const mpq_class& factor) {
  if (!has_numbers(network)) throw InputError("a scale is given, but the inputs of the network are bits");
  for (auto& number : network.numbers) {
    if (!number) continue;
    number->threshold /= factor;
    number->low /= factor;
    number->high /= factor;
    number->step /= factor;
  }
  return network;
}

// A row as named in messages.
std::string place_of(const Samples& samples, std::size_t row) {
  return !samples.lines.empty() || samples.rows == 1 ? "" : fmt::format("sample {}: ", row + 1);
}

class SampleRun {
 public:
  SampleRun(const Network& network, const Samples& samples, const std::string& name)
      : network_(network), samples_(samples), name_(name), bits_(network) {
    if (samples.columns != network.inputs.size() && samples.rows > 0)
      throw InputError(name, fmt::format("{} per sample, expected {}, one for each input of the network",
                                         count_text(samples.columns, "number"), network.inputs.size()));
  }

  // Calls `each(first, count, packed)` for each batch in turn.
  template <class Each>
  void run(const Each& each) const {
    const std::size_t words = words_of(network_.inputs.size());
    std::vector<std::uint64_t> packed(batch * words);
    for (std::size_t first = 0; first < samples_.rows; first += batch) {
      const std::size_t count = std::min(batch, samples_.rows - first);
      for (std::size_t i = 0; i < count; ++i) pack(first + i, packed.data() + i * words);
      each(first, count, packed.data());
    }
  }

 private:
  void pack(std::size_t row, std::uint64_t* words) const {
    if (samples_.bytes.empty()) {
      pack(row, std::span<const double>(samples_.numbers), words);
    } else {
      pack(row, std::span<const std::uint8_t>(samples_.bytes), words);
    }
  }

  template <class Number>
  void pack(std::size_t row, std::span<const Number> numbers, std::uint64_t* words) const {
    const auto values = numbers.subspan(row * samples_.columns, samples_.columns);
    const std::size_t bad = bits_.first_not_allowed(values);
    if (bad < values.size()) {
      throw InputError(name_, samples_.lines.empty() ? 0 : samples_.lines[row],
                       fmt::format("{}{} for the input '{}', which is {}", place_of(samples_, row),
                                   values[bad], printable(network_.inputs[bad]), range_text(network_, bad)));
    }
    bits_.pack(values, words);
  }

  const Network& network_;
  const Samples& samples_;
  const std::string& name_;
  InputBits bits_;
};

void classify(const Network& network, const SampleRun& run, bool scores, Evaluation& evaluation) {
  Network opposite = network;
  opposite.tie = network.tie == ClassTie::lowest ? ClassTie::highest : ClassTie::lowest;
  const PackedClassifier classifier(network), other(opposite);
  ClassifierWorkspace workspace;
  std::vector<std::uint32_t> others(batch);
  evaluation.classes.resize(evaluation.samples);
  if (scores) evaluation.agreeing.resize(evaluation.samples * network.scores.size());
  run.run([&](std::size_t first, std::size_t count, const std::uint64_t* packed) {
    std::uint32_t* classes = evaluation.classes.data() + first;
    classifier.classify(packed, count, classes, workspace);
    other.classify(packed, count, others.data(), workspace);
    for (std::size_t i = 0; i < count; ++i) evaluation.ties += classes[i] != others[i] ? 1 : 0;
    if (scores)
      classifier.count_agreeing(packed, count, evaluation.agreeing.data() + first * network.scores.size(),
                                workspace);
  });
}

void compute_outputs(const Network& network, const SampleRun& run, Evaluation& evaluation) {
  const PackedNetwork packed_network(network);
  Workspace workspace;
  const std::size_t words = packed_network.output_words();
  std::vector<std::uint64_t> outputs(batch * words);
  run.run([&](std::size_t, std::size_t count, const std::uint64_t* packed) {
    packed_network.evaluate(packed, count, outputs.data(), workspace);
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t o = 0; o < network.outputs.size(); ++o)
        evaluation.outputs.push_back(outputs[i * words + o / 64] >> o % 64 & 1);
    }
  });
}

// A label is the name of a class, or, if no class name is a number, its index from 0.
class LabelTable {
 public:
  explicit LabelTable(const Network& network) {
    bool numbers = false;
    for (std::size_t c = 0; c < network.outputs.size(); ++c) {
      classes_.emplace(network.outputs[c], c);
      numbers |= network.outputs[c].find_first_not_of("0123456789") == std::string::npos;
    }
    for (std::size_t c = 0; c < network.outputs.size() && !numbers; ++c)
      classes_.emplace(std::to_string(c), c);
  }

  std::size_t find(const std::string& label, const std::string& file, std::size_t line) const {
    const auto found = classes_.find(label);
    if (found == classes_.end())
      throw InputError(file, line, fmt::format("label '{}' is not a class of the network", printable(label)));
    return found->second;
  }

 private:
  std::unordered_map<std::string, std::size_t> classes_;
};

struct Labels {
  std::vector<std::string> labels;
  std::string file;
  std::vector<std::size_t> lines;
};

Labels read_labels(const std::filesystem::path& path) {
  Labels labels{{}, path.string(), {}};
  const std::string bytes = read_sample_bytes(path);
  if (is_csv(path)) {
    LineReader lines(bytes);
    for (std::string_view line; lines.next(line);) {
      if (trimmed(line).empty()) continue;
      const auto fields = csv_fields(line, labels.file, lines.number(), "label");
      if (fields.size() != 1) throw InputError(labels.file, lines.number(), "expected one label per line");
      labels.labels.push_back(fields[0]);
      labels.lines.push_back(lines.number());
    }
    return labels;
  }
  const Samples samples = parse_samples(bytes, labels.file);
  if (samples.columns != 1 && samples.rows > 0)
    throw InputError(labels.file,
                     fmt::format("{} per label, expected one", count_text(samples.columns, "number")));
  for (const std::uint8_t label : samples.bytes) labels.labels.push_back(std::to_string(label));
  for (const double label : samples.numbers) labels.labels.push_back(fmt::format("{}", label));
  return labels;
}

void count_right(const Network& network, Labels labels, const std::string& file, Evaluation& evaluation) {
  if (!is_classifier(network))
    throw InputError(labels.file, "labels are given, but the network outputs bits, not classes");
  // A separate label file may have a header.
  if (labels.labels.size() == evaluation.samples + 1 && !labels.lines.empty()) {
    labels.labels.erase(labels.labels.begin());
    labels.lines.erase(labels.lines.begin());
  }
  if (labels.labels.size() != evaluation.samples)
    throw InputError(labels.file, fmt::format("{}, but {} in {}", count_text(labels.labels.size(), "label"),
                                              count_text(evaluation.samples, "sample"), printable(file)));
  const LabelTable table(network);
  std::size_t right = 0;
  for (std::size_t i = 0; i < evaluation.samples; ++i) {
    const std::size_t label =
        table.find(labels.labels[i], labels.file, labels.lines.empty() ? 0 : labels.lines[i]);
    if (label == evaluation.classes[i]) ++right;
  }
  evaluation.right = right;
}

void compare_outputs(const Network& network, const std::vector<std::uint8_t>& expected,
                     Evaluation& evaluation) {
  const std::size_t width = network.outputs.size();
  evaluation.output_errors.assign(width, 0);
  std::size_t right = 0;
  for (std::size_t i = 0; i < evaluation.samples; ++i) {
    bool same = true;
    for (std::size_t o = 0; o < width; ++o) {
      const bool wrong = expected[i * width + o] != evaluation.outputs[i * width + o];
      if (wrong) ++evaluation.output_errors[o];
      same &= !wrong;
    }
    if (same) ++right;
  }
  evaluation.right = right;
}

// Pictures, stacked as rows.
Samples read_pictures(const std::vector<std::filesystem::path>& files) {
  Samples all;
  for (const auto& file : files) {
    const Samples one = parse_samples(read_sample_bytes(file), file.string());
    if (one.rows != 1 || one.bytes.empty())
      throw InputError(file.string(), "not a picture: several files must all be pictures (.png)");
    if (all.rows > 0 && one.columns != all.columns)
      throw InputError(file.string(), fmt::format("{}, but the previous pictures have {}",
                                                  count_text(one.columns, "pixel"), all.columns));
    all.columns = one.columns;
    all.rows += 1;
    all.bytes.insert(all.bytes.end(), one.bytes.begin(), one.bytes.end());
  }
  return all;
}

}  // namespace

mpq_class score_at(const Score& score, std::int32_t agreeing) {
  return score.scale * (2 * agreeing - fan_in(score.weights)) + score.bias;
}

Evaluation evaluate_samples(const Network& network, const Samples& samples, const EvalOptions& options,
                            const std::string& name) {
  if (options.scale && *options.scale <= 0) throw InputError("the scale is not positive");
  const Network scaled = options.scale ? for_scaled(network, *options.scale) : network;
  Evaluation evaluation;
  evaluation.samples = samples.rows;
  const SampleRun run(scaled, samples, name);
  if (is_classifier(network)) {
    classify(scaled, run, options.scores, evaluation);
  } else {
    if (options.scores) throw InputError("scores are requested, but the network outputs bits");
    compute_outputs(scaled, run, evaluation);
  }
  return evaluation;
}

Evaluation evaluate_samples(const Network& network, const std::vector<std::filesystem::path>& files,
                            const EvalOptions& options) {
  if (files.empty()) throw InputError("no samples");
  const std::string name = files.front() == "-" ? "<stdin>" : files.front().string();
  const bool csv = files.size() == 1 && is_csv(files.front());
  if (!csv && !options.label_column.empty())
    throw InputError(name, "a label column is given, but this is not a .csv file: expected a file of labels");
  if (!options.label_column.empty() && options.labels)
    throw InputError("both a label column and a file of labels are given, expected one");
  CsvSamples data;
  if (csv) {
    data = parse_csv_samples(
        read_sample_bytes(files.front()), name,
        {network.inputs, is_classifier(network) ? std::vector<std::string>{} : network.outputs,
         options.label_column});
  } else {
    data.inputs =
        files.size() == 1 ? parse_samples(read_sample_bytes(files.front()), name) : read_pictures(files);
  }
  Evaluation evaluation = evaluate_samples(network, data.inputs, options, name);
  if (options.labels) {
    count_right(network, read_labels(*options.labels), name, evaluation);
  } else if (!data.labels.empty()) {
    count_right(network, {std::move(data.labels), name, data.inputs.lines}, name, evaluation);
  } else if (!data.expected.empty()) {
    compare_outputs(network, data.expected, evaluation);
  }
  return evaluation;
}

std::string evaluation_csv(const Network& network, const Evaluation& evaluation) {
  std::string text;
  const std::size_t width = network.outputs.size();
  const bool classes = is_classifier(network), scores = !evaluation.agreeing.empty();
  if (classes) text += "class";
  for (std::size_t o = 0; o < width && (!classes || scores); ++o) {
    const std::string& name = network.outputs[o];
    text += fmt::format("{}{}", text.empty() ? "" : ",",
                        csv_field(classes ? fmt::format("score[{}]", name) : name));
  }
  text += '\n';
  for (std::size_t i = 0; i < evaluation.samples; ++i) {
    if (classes) text += csv_field(network.outputs[evaluation.classes[i]]);
    for (std::size_t o = 0; o < width && (!classes || scores); ++o) {
      if (classes || o > 0) text += ',';
      if (classes) {
        text += exact_text(score_at(network.scores[o], evaluation.agreeing[i * width + o]));
      } else {
        text += evaluation.outputs[i * width + o] != 0 ? '1' : '0';
      }
    }
    text += '\n';
  }
  return text;
}

}  // namespace bnnplan::exchange
