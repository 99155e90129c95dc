// Charts with a logarithmic axis of time. A picture is one SVG element with its own style sheet; colours are
// classes c0, c1, ..., one per entrant, and each series also has its own marker, so that the picture can be
// read without colours.
#include "compare/plots.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "base/markup.hpp"

namespace bnnplan {

namespace {

constexpr double fastest = 1e-4;  // seconds; shorter times are drawn here

std::string style() {
  static constexpr std::array light = {"#4446d8", "#c2510c", "#0b7a55", "#a3207f",
                                       "#0a6f94", "#7a6a0a", "#5d6675", "#bd3434"};
  static constexpr std::array dark = {"#9a9cff", "#ff9f5a", "#4fd29c", "#f07fce",
                                      "#5cc3ea", "#d6c34d", "#9aa5b6", "#ff8a80"};
  std::string text =
      "<style>text{font:12px system-ui,'DejaVu "
      "Sans',sans-serif;fill:#1b1f27}.s{fill:#5d6675}.g{stroke:#e3e4e0}"
      ".b{fill:#fff}.l{fill:none;stroke-width:2}.d{stroke:#5d6675;stroke-dasharray:5 4}.t{font-weight:600}";
  for (std::size_t i = 0; i < light.size(); ++i)
    text += fmt::format(".c{0}{{stroke:{1}}}.f{0}{{fill:{1}}}", i, light[i]);
  text +=
      "@media(prefers-color-scheme:dark){text{fill:#e8ebf1}.s{fill:#9aa5b6}.g{stroke:#2a303b}.b{fill:#171b22}"
      ".d{stroke:#9aa5b6}";
  for (std::size_t i = 0; i < dark.size(); ++i)
    text += fmt::format(".c{0}{{stroke:{1}}}.f{0}{{fill:{1}}}", i, dark[i]);
  return text + "}</style>\n";
}

std::string open_picture(double width, double height, std::string_view title) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" "
      "height=\"{1:.0f}\" role=\"img\">\n<title>{2}</title>\n{3}<rect class=\"b\" width=\"{0:.0f}\" "
      "height=\"{1:.0f}\" rx=\"8\"/>\n",
      width, height, markup_escaped(title), style());
}

std::string label(double x, double y, std::string_view text, std::string_view anchor,
                  std::string_view kind = "s") {
  return fmt::format("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", kind, x,
                     y, anchor, markup_escaped(text));
}

// The label of the vertical axis, reading upwards.
std::string upward_label(double x, double y, std::string_view text, std::string_view kind = "s") {
  return fmt::format(
      "<text class=\"{0}\" x=\"{1:.1f}\" y=\"{2:.1f}\" text-anchor=\"middle\" transform=\"rotate(-90 {1:.1f} "
      "{2:.1f})\">{3}</text>\n",
      kind, x, y, markup_escaped(text));
}

std::string marker(double x, double y, std::size_t series) {
  const std::size_t colour = series % 8;
  switch (series % 4) {
    case 0:
      return fmt::format("<circle class=\"f{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.5\"/>\n", colour, x, y);
    case 1:
      return fmt::format("<rect class=\"f{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"6.4\" height=\"6.4\"/>\n",
                         colour, x - 3.2, y - 3.2);
    case 2:
      return fmt::format("<path class=\"f{}\" d=\"M{:.1f} {:.1f}l4.4 7.4h-8.8z\"/>\n", colour, x, y - 4.6);
    default:
      return fmt::format("<path class=\"f{}\" d=\"M{:.1f} {:.1f}l4.4 4.4-4.4 4.4-4.4-4.4z\"/>\n", colour, x,
                         y - 4.4);
  }
}

std::string time_text(double seconds) {
  if (seconds < 0.9995e-3) return fmt::format("{:.3g} ms", seconds * 1e3);
  return seconds < 0.9995 ? fmt::format("{:.3g} ms", seconds * 1e3) : fmt::format("{:.4g} s", seconds);
}

// Seconds from `low` to `high`, powers of ten, along an axis.
struct TimeAxis {
  double low, high, from, to;  // places on the picture
  double at(double seconds) const {
    const double place = std::log10(std::clamp(seconds, low, high) / low) / std::log10(high / low);
    return from + (to - from) * place;
  }
  std::vector<double> ticks() const {
    std::vector<double> list;
    for (double tick = low; tick <= high * 1.001; tick *= 10) list.push_back(tick);
    return list;
  }
};

TimeAxis time_axis(const TimeTable& table, double from, double to) {
  double low = table.limit;
  for (const auto& row : table.seconds) {
    for (const auto& seconds : row) {
      if (seconds) low = std::min(low, std::max(*seconds, fastest));
    }
  }
  low = std::pow(10, std::floor(std::log10(low) + 1e-9));
  const double high = std::pow(10, std::ceil(std::log10(std::max(table.limit, low * 10)) - 1e-9));
  return {low, std::max(high, low * 10), from, to};
}

std::string series_line(const std::vector<std::pair<double, double>>& points, std::size_t series) {
  if (points.empty()) return "";
  std::string text = fmt::format("<path class=\"l c{}\" d=\"", series % 8);
  for (std::size_t i = 0; i < points.size(); ++i)
    text += fmt::format("{}{:.1f} {:.1f}", i == 0 ? "M" : "L", points[i].first, points[i].second);
  text += "\"/>\n";
  for (const auto& [x, y] : points) text += marker(x, y, series);
  return text;
}

std::string legend(const TimeTable& table, double x, double y) {
  std::string text;
  for (std::size_t e = 0; e < table.entrants.size(); ++e, y += 20) {
    text += fmt::format("<path class=\"l c{}\" d=\"M{:.1f} {:.1f}h22\"/>\n", e % 8, x, y - 4);
    text += marker(x + 11, y - 4, e) + label(x + 30, y, table.entrants[e].name, "start", "n");
  }
  return text;
}

}  // namespace

std::string cactus_plot(const TimeTable& table) {
  constexpr double width = 760, height = 400, left = 76, right = 540, top = 40, base = 340;
  const TimeAxis axis = time_axis(table, base, top);
  std::string text = open_picture(width, height, "Problems solved within a time");
  text += label(left, 22, "Problems solved within a time", "start", "t");
  for (const double tick : axis.ticks()) {
    text += fmt::format("<path class=\"g\" d=\"M{} {:.1f}H{}\"/>\n", left, axis.at(tick), right);
    text += label(left - 8, axis.at(tick) + 4, time_text(tick), "end");
  }
  const double tasks = std::max<double>(1, static_cast<double>(table.tasks.size()));
  const auto x = [&](double solved) { return left + (right - left) * solved / tasks; };
  const auto step = static_cast<std::size_t>(std::max(1.0, std::ceil(tasks / 9)));
  for (std::size_t solved = 0; solved <= table.tasks.size(); solved += step)
    text += label(x(static_cast<double>(solved)), base + 20, fmt::format("{}", solved), "middle");
  text += label((left + right) / 2, base + 42, "problems solved", "middle");
  text += upward_label(18, (top + base) / 2, "time");
  for (std::size_t e = 0; e < table.entrants.size(); ++e) {
    std::vector<double> times;
    for (const auto& seconds : table.seconds[e]) {
      if (seconds) times.push_back(*seconds);
    }
    std::sort(times.begin(), times.end());
    std::vector<std::pair<double, double>> points;
    for (std::size_t i = 0; i < times.size(); ++i)
      points.emplace_back(x(static_cast<double>(i + 1)), axis.at(times[i]));
    text += series_line(points, e);
  }
  return text + legend(table, right + 20, top + 14) + "</svg>\n";
}

std::string scatter_plot(const TimeTable& table, std::size_t first, std::size_t second) {
  constexpr double width = 620, height = 440, left = 80, right = 420, top = 40, base = 380;
  const TimeAxis across = time_axis(table, left, right), up = time_axis(table, base, top);
  const std::string names[] = {table.entrants[first].name, table.entrants[second].name};
  std::string text = open_picture(width, height, names[0] + " against " + names[1]);
  text += label(left, 22, fmt::format("{} against {}", names[0], names[1]), "start", "t");
  for (const double tick : across.ticks()) {
    text += fmt::format("<path class=\"g\" d=\"M{0} {1:.1f}H{2}M{3:.1f} {4}V{5}\"/>\n", left, up.at(tick),
                        right, across.at(tick), top, base);
    text += label(left - 8, up.at(tick) + 4, time_text(tick), "end");
    text += label(across.at(tick), base + 20, time_text(tick), "middle");
  }
  text += fmt::format("<path class=\"d\" d=\"M{} {}L{} {}\"/>\n", left, base, right, top);
  text += label((left + right) / 2, base + 44, names[0], "middle", "n");
  text += upward_label(20, (top + base) / 2, names[1], "n");
  const std::vector<std::string> families = families_of(table.tasks);
  for (std::size_t t = 0; t < table.tasks.size(); ++t) {
    const auto &a = table.seconds[first][t], &b = table.seconds[second][t];
    if (!a && !b) continue;
    const auto family = static_cast<std::size_t>(
        std::find(families.begin(), families.end(), table.tasks[t].family) - families.begin());
    text += fmt::format("<g><title>{}: {} and {}</title>{}</g>\n", markup_escaped(table.tasks[t].name),
                        a ? time_text(*a) : "not solved", b ? time_text(*b) : "not solved",
                        marker(across.at(a.value_or(across.high)), up.at(b.value_or(up.high)), family));
  }
  for (std::size_t f = 0; f < families.size(); ++f) {
    const double y = top + 14 + 20 * static_cast<double>(f);
    text += marker(right + 26, y - 4, f) + label(right + 38, y, families[f], "start", "n");
  }
  return text + "</svg>\n";
}

std::string horizon_plot(const TimeTable& table) {
  std::vector<std::string> families;
  for (const std::string& family : families_of(table.tasks)) {
    const auto count = std::count_if(table.tasks.begin(), table.tasks.end(),
                                     [&](const Task& task) { return task.family == family; });
    if (count > 1) families.push_back(family);
  }
  if (families.empty()) return "";
  constexpr double cell_width = 270, cell_height = 230, columns = 3;
  const auto rows = std::ceil(static_cast<double>(families.size()) / columns);
  const double used = std::min<double>(columns, static_cast<double>(families.size()));
  const double width = used * cell_width + 190, height = rows * cell_height + 16;
  std::string text = open_picture(width, height, "Time over the horizon");
  for (std::size_t f = 0; f < families.size(); ++f) {
    const double x0 = static_cast<double>(f % 3) * cell_width, y0 = static_cast<double>(f / 3) * cell_height;
    const double left = x0 + 76, right = x0 + cell_width - 14, top = y0 + 40, base = y0 + cell_height - 52;
    const TimeAxis axis = time_axis(table, base, top);
    text += label(left, y0 + 26, families[f], "start", "t");
    for (const double tick : axis.ticks()) {
      text += fmt::format("<path class=\"g\" d=\"M{:.1f} {:.1f}H{:.1f}\"/>\n", left, axis.at(tick), right);
      text += label(left - 6, axis.at(tick) + 4, time_text(tick), "end");
    }
    int shortest = 0, longest = 0;
    for (const Task& task : table.tasks) {
      if (task.family != families[f]) continue;
      shortest = shortest == 0 ? task.horizon : std::min(shortest, task.horizon);
      longest = std::max(longest, task.horizon);
    }
    const auto x = [&](int horizon) {
      return left + 8 + (right - left - 16) * (horizon - shortest) / std::max(1, longest - shortest);
    };
    const int step = std::max(1, (longest - shortest + 7) / 8);
    for (int horizon = shortest; horizon <= longest; horizon += step)
      text += label(x(horizon), base + 18, fmt::format("{}", horizon), "middle");
    text += label((left + right) / 2, base + 38, "horizon", "middle");
    text += upward_label(x0 + 16, (top + base) / 2, "time");
    for (std::size_t e = 0; e < table.entrants.size(); ++e) {
      std::vector<std::pair<double, double>> points;
      for (std::size_t t = 0; t < table.tasks.size(); ++t) {
        if (table.tasks[t].family == families[f] && table.seconds[e][t])
          points.emplace_back(x(table.tasks[t].horizon), axis.at(*table.seconds[e][t]));
      }
      std::sort(points.begin(), points.end());
      text += series_line(points, e);
    }
  }
  return text + legend(table, used * cell_width + 6, 44) + "</svg>\n";
}

}  // namespace bnnplan
