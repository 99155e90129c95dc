// How promise and world converged, as one page: what was promised in each round, and how far the world
// followed the plan.
#include <algorithm>

#include <fmt/format.h>

#include "bnnplan/base/count_text.hpp"
#include "bnnplan/base/markup.hpp"
#include "bnnplan/discover/discovery_text.hpp"
#include "bnnplan/problem/worth.hpp"

namespace bnnplan::discovery {

namespace {

constexpr const char* style =
    "<style>:root{color-scheme:light dark}body{font:16px/1.5 "
    "system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}"
    "table{border-collapse:collapse;font-variant-numeric:tabular-nums}td,th{padding:.2rem "
    ".8rem;text-align:right;"
    "border-bottom:1px solid "
    "#8884}td:last-child,th:last-child{text-align:left}.yes{color:#2a8a4a}.no{color:#c1543b}"
    "svg{width:100%;height:auto}pre{white-space:pre-wrap}</style>";

// Questions on the x axis, steps on the y axis: how many steps of the plan the world followed.
std::string picture(const Discovered& found) {
  constexpr double width = 800, height = 200, margin = 40;
  const double questions = static_cast<double>(std::max<std::size_t>(found.questions, 1));
  const double steps = std::max(found.problem.horizon, 1);
  const auto x = [&](double q) { return margin + (width - 2 * margin) * q / questions; };
  const auto y = [&](double s) { return height - margin - (height - 2 * margin) * s / steps; };
  std::string points;
  for (const DiscoverRound& round : found.rounds) {
    if (!round.promised) continue;
    const double went = round.holds ? steps : round.parts - 1;
    points += fmt::format("<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" fill=\"currentColor\"/>",
                          round.holds ? "yes" : "no", x(static_cast<double>(round.questions)), y(went));
  }
  return fmt::format(
      "<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"How many steps of each plan the world followed\">"
      "<g fill=\"currentColor\" font-size=\"13\"><text x=\"{}\" y=\"{}\" text-anchor=\"middle\">questions "
      "asked: {}</text>"
      "<text x=\"4\" y=\"16\">steps that the world followed (of {})</text></g>"
      "<path d=\"M{} {}H{}M{} {}V{}\" stroke=\"currentColor\" fill=\"none\" opacity=\".4\"/>{}</svg>\n",
      width, height, width / 2, height - 8, found.questions, found.problem.horizon, margin, y(0),
      width - margin, margin, y(0), y(steps), points);
}

}  // namespace

std::string discovery_page(const Discovered& found, const std::string& title, const std::string& check) {
  std::string text = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width\"><title>{0}</title>{1}</head><body>\n<h1>{0}</h1>\n<pre>{2}{3}</pre>\n",
      markup_escaped(title), style, markup_escaped(discovery_answer(found).text), markup_escaped(check));
  text += "<h2>How promise and world came together</h2>\n" + picture(found);
  text +=
      "<table><tr><th>round</th><th>transitions</th><th>promised</th><th>explored</th><th>questions</"
      "th><th>the "
      "world</th></tr>\n";
  for (std::size_t i = 0; i < found.rounds.size(); ++i) {
    const DiscoverRound& round = found.rounds[i];
    text += fmt::format(
        "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td class=\"{}\">{}</td></tr>\n", i + 1,
        round.facts, round.promised ? worth_number(found.problem, *round.promised) : "no plan",
        round.explored, round.questions, round.holds ? "yes" : "no",
        round.holds      ? "does what the plan says"
        : round.promised ? fmt::format("diverges after step {}", round.parts)
                         : "");
  }
  return text + "</table>\n</body></html>\n";
}

}  // namespace bnnplan::discovery
