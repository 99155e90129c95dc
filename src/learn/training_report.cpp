// Training results, for programs, and as lines and a picture for people.
#include "bnnplan/learn/training_report.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "bnnplan/base/count_text.hpp"
#include "bnnplan/base/input_error.hpp"
#include "bnnplan/base/markup.hpp"

namespace bnnplan::learning {

namespace {

// The drawing area and its axes: epochs to the right, a logarithm upwards.
class Plot {
 public:
  Plot(std::size_t epochs, double low, double high)
      : epochs_(std::max<std::size_t>(epochs, 2)),
        low_(std::floor(std::log10(low))),
        high_(std::max(low_ + 1, std::ceil(std::log10(high)))) {}

  double x(std::size_t epoch) const {
    return left + (right - left) * static_cast<double>(epoch) / static_cast<double>(epochs_ - 1);
  }
  double y(double value) const {
    const double logarithm = std::log10(std::max(value, std::pow(10.0, low_)));
    return bottom - (bottom - top) * (logarithm - low_) / (high_ - low_);
  }

  std::string axes() const {
    std::string text;
    for (double power = low_; power <= high_; ++power) {
      const double at = y(std::pow(10.0, power));
      text += fmt::format("<line class=\"grid\" x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>\n", left,
                          right, at, at);
      text += fmt::format("<text class=\"tick\" x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}{:g}</text>\n",
                          left - 6, at + 4, power == low_ ? "0 to " : "", std::pow(10.0, power));
    }
    for (int i = 0; i <= 4; ++i) {
      const std::size_t epoch = (epochs_ - 1) * static_cast<std::size_t>(i) / 4;
      text += fmt::format("<text class=\"tick\" x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n",
                          x(epoch), bottom + 18, epoch + 1);
    }
    text += fmt::format("<text class=\"tick\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">epoch</text>\n",
                        (left + right) / 2, bottom + 36);
    return text;
  }

  // The left margin has room for "0 to 1e-07", the longest label.
  static constexpr int width = 720, height = 400, left = 96, right = 700, top = 56, bottom = 340;

 private:
  std::size_t epochs_;
  double low_, high_;  // powers of ten
};

// Light or dark, following the reader's system.
constexpr const char* curve_style =
    "<style>text{fill:#1b1f27}.b{fill:#fff}.grid{stroke:#e3e4e0}.tick{font-size:12px;fill:#5d6675}"
    ".c0{stroke:#4c6a92}.c1{stroke:#c1543b}.c2{stroke:#3f8f5b}"
    "@media(prefers-color-scheme:dark){text{fill:#e8ebf1}.b{fill:#171b22}.grid{stroke:#2a303b}"
    ".tick{fill:#9aa5b6}.c0{stroke:#8fb0dc}.c1{stroke:#ff9078}.c2{stroke:#6fd296}}</style>\n";

std::string polyline(const Plot& plot, const std::vector<double>& values, std::size_t curve) {
  // A picture needs no more points than it has pixels.
  const std::size_t step = std::max<std::size_t>(1, values.size() / 1000);
  std::string points;
  for (std::size_t i = 0; i < values.size(); i += step) {
    points += fmt::format("{:.1f},{:.1f} ", plot.x(i), plot.y(values[i]));
  }
  return fmt::format("<polyline class=\"c{}\" fill=\"none\" stroke-width=\"1.5\" points=\"{}\"/>\n", curve,
                     points);
}

std::string duration_text(double seconds) {
  const auto whole = static_cast<long>(seconds + 0.5);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{}:{:02} min", whole / 60, whole % 60);
  return fmt::format("{}:{:02} h", whole / 3600, whole / 60 % 60);
}

}  // namespace

JsonObject error_fields(const Errors& errors) {
  return {{"samples", errors.samples},
          {"wrong_transitions", errors.wrong_transitions},
          {"transition_error", errors.transition_rate()},
          {"bits", errors.bits},
          {"wrong_bits", errors.wrong_bits},
          {"bit_error", errors.bit_rate()}};
}

JsonObject epoch_fields(const EpochRecord& record) {
  return {{"restart", record.restart},
          {"epoch", record.epoch},
          {"loss", record.loss},
          {"train_error", record.train.transition_rate()},
          {"test_error", record.test.transition_rate()},
          {"density", record.density},
          {"seconds", record.seconds},
          {"best", record.best}};
}

JsonObject tried_fields(const Tried& tried) {
  return {{"how", tried.how},
          {"shape", tried.shape},
          {"train", error_fields(tried.train)},
          {"validation", error_fields(tried.validation)},
          {"weights", tried.weights},
          {"seconds", tried.seconds}};
}

Answer training_answer(const TrainingReport& report, const TrainResult& result,
                       const std::string& network_file) {
  Answer answer;
  answer.add_text("network", network_file);
  answer.add("data", report.data_file);
  answer.add("lines", report.lines);
  answer.add("distinct_transitions", report.distinct_rows);
  answer.add("contradictory_lines", report.contradictions);
  answer.add("trained_distinct_transitions", report.trained_rows);
  answer.add("distinct", report.distinct);
  answer.add("how", report.how);
  answer.add("shape", report.shape);
  answer.add("density", density(result.network));
  answer.add("seed", report.seed);
  answer.add("restart", result.best.restart);
  answer.add("epoch", result.best.epoch);
  answer.add("interrupted", result.interrupted);
  answer.add("seconds", result.seconds);
  answer.say(fmt::format("wrote {} ({}, density {:.3f}; {}{}, {:.1f} s{})\n", printable(network_file),
                         report.shape, density(result.network), report.how,
                         report.tries > 1 ? fmt::format(", the best of {} tries", report.tries) : "",
                         result.seconds, result.interrupted ? ", interrupted" : ""));
  JsonObject parts;
  for (const auto& [name, errors] : report.errors) {
    parts.push_back({name, error_fields(errors)});
    if (errors.samples == 0) continue;
    answer.say(fmt::format("{:<9}{} of {} wrong ({}), {} of {} ({})\n", name, errors.wrong_transitions,
                           count_text(errors.samples, "transition"), percent_text(errors.transition_rate()),
                           errors.wrong_bits, count_text(errors.bits, "bit"),
                           percent_text(errors.bit_rate())));
  }
  answer.add("errors", std::move(parts));
  answer.add("history", json_array_of(result.history, epoch_fields));
  return answer;
}

std::string training_curve_svg(const TrainingReport& report, const TrainResult& result) {
  struct Curve {
    const char* name;
    std::vector<double> values;
  };
  Curve curves[] = {{"loss", {}}, {"train error", {}}, {"test error", {}}};
  double low = 1, high = 0.1;
  for (const EpochRecord& record : result.history) {
    curves[0].values.push_back(record.loss);
    curves[1].values.push_back(record.train.transition_rate());
    if (record.test.samples > 0) curves[2].values.push_back(record.test.transition_rate());
  }
  for (const Curve& curve : curves) {
    for (const double value : curve.values) {
      high = std::max(high, value);
      if (value > 0) low = std::min(low, value);
    }
  }
  const Plot plot(result.history.size(), std::max(low, 1e-7), high);
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
      "font-family=\"sans-serif\">\n"
      "{5}<rect class=\"b\" width=\"{0}\" height=\"{1}\"/>\n"
      "<text x=\"{2}\" y=\"22\" font-size=\"15\">{3} on {4}</text>\n",
      Plot::width, Plot::height, Plot::left, markup_escaped(report.shape), markup_escaped(report.data_file),
      curve_style);
  svg += plot.axes();
  int at = Plot::left;
  for (std::size_t i = 0; i < std::size(curves); ++i) {
    const Curve& curve = curves[i];
    if (curve.values.empty()) continue;
    svg += polyline(plot, curve.values, i);
    svg += fmt::format("<path class=\"c{}\" stroke-width=\"4\" d=\"M{} 35h14\"/>\n", i, at);
    svg += fmt::format("<text class=\"tick\" x=\"{}\" y=\"40\">{}</text>\n", at + 20, curve.name);
    at += 120;
  }
  return svg + "</svg>\n";
}

std::string tried_text(const Tried& tried) {
  if (tried.shape.empty())
    return fmt::format("{}: too many conditions, or stopped ({:.1f} s)", tried.how, tried.seconds);
  std::string text =
      fmt::format("{}: {}, {}, wrong in training {} of {}", tried.how, tried.shape,
                  count_text(tried.weights, "weight"), tried.train.wrong_transitions, tried.train.samples);
  if (tried.validation.samples > 0)
    text +=
        fmt::format(", in validation {} of {}", tried.validation.wrong_transitions, tried.validation.samples);
  return text + fmt::format(" ({:.1f} s)", tried.seconds);
}

std::string percent_text(double rate) {
  const double percent = 100 * rate;
  return percent == 0 ? "0 %" : fmt::format("{:.3g} %", percent);
}

std::string epoch_text(const EpochRecord& record, const TrainOptions& options) {
  std::string text;
  if (options.restarts > 1) text += fmt::format("run {}/{}  ", record.restart, options.restarts);
  text += fmt::format("epoch {}/{}  loss {:.4g}  train error {}", record.epoch, options.epochs, record.loss,
                      percent_text(record.train.transition_rate()));
  if (record.test.samples > 0) text += "  test error " + percent_text(record.test.transition_rate());
  if (options.sparse) text += fmt::format("  density {:.3f}", record.density);
  return text + (record.best ? "  (best)" : "");
}

std::string live_text(const EpochRecord& record, const TrainOptions& options) {
  const double done = (record.restart - 1.0) * options.epochs + record.epoch;
  const double all = static_cast<double>(options.restarts) * options.epochs;
  return fmt::format("{}  at most {} left", epoch_text(record, options),
                     duration_text(record.seconds / done * (all - done)));
}

}  // namespace bnnplan::learning
