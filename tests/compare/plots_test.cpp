// The pictures: well-formed, with everybody in them, and nothing outside of their frame.
#include "compare/plots.hpp"

#include <cstdlib>

#include <gtest/gtest.h>

namespace bnnplan {
namespace {

TimeTable table() {
  TimeTable result;
  for (int horizon = 4; horizon <= 6; ++horizon) {
    Task task;
    task.family = "a<b";
    task.name = "a<b_" + std::to_string(horizon);
    task.horizon = horizon;
    result.tasks.push_back(task);
  }
  result.entrants = {{"ours & best", true, {}}, {"other", false, {}}, {"nothing", false, {}}};
  result.seconds = {
      {0.004, 0.00001, 0.02}, {1.5, 60.0, std::nullopt}, {std::nullopt, std::nullopt, std::nullopt}};
  result.limit = 60;
  return result;
}

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += what.size()) ++found;
  return found;
}

std::vector<double> numbers_after(const std::string& text, const std::string& what) {
  std::vector<double> numbers;
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos;) {
    at += what.size();
    numbers.push_back(std::strtod(text.c_str() + at, nullptr));
  }
  return numbers;
}

void check_picture(const std::string& svg) {
  EXPECT_EQ(svg.rfind("<svg ", 0), 0u);
  EXPECT_EQ(svg.substr(svg.size() - 7), "</svg>\n");
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
  EXPECT_EQ(svg.find("http", svg.find("http") + 1), std::string::npos) << "only the name of the format";
  EXPECT_EQ(svg.find("a<b"), std::string::npos) << "escaped";
  EXPECT_EQ(count(svg, "<text"), count(svg, "</text>"));
  const double width = numbers_after(svg, " width=\"").at(0), height = numbers_after(svg, " height=\"").at(0);
  for (const double x : numbers_after(svg, "cx=\"")) {
    EXPECT_GE(x, 0);
    EXPECT_LE(x, width);
  }
  for (const double y : numbers_after(svg, "cy=\"")) {
    EXPECT_GE(y, 0);
    EXPECT_LE(y, height);
  }
}

TEST(Plots, Cactus) {
  const std::string svg = cactus_plot(table());
  check_picture(svg);
  EXPECT_EQ(count(svg, "class=\"f0\""), 3u + 1u) << "three solved, one in the legend";
  EXPECT_EQ(count(svg, "class=\"f1\""), 2u + 1u);
  EXPECT_EQ(count(svg, "class=\"f2\""), 1u) << "only the legend";
  EXPECT_NE(svg.find("ours &amp; best"), std::string::npos);
  EXPECT_NE(svg.find("prefers-color-scheme:dark"), std::string::npos);
}

TEST(Plots, Scatter) {
  const std::string svg = scatter_plot(table(), 0, 1);
  check_picture(svg);
  EXPECT_EQ(count(svg, "<g><title>"), 3u);
  EXPECT_NE(svg.find("a&lt;b_6: 20 ms and not solved"), std::string::npos);
}

TEST(Plots, Horizon) {
  const std::string svg = horizon_plot(table());
  check_picture(svg);
  EXPECT_EQ(count(svg, ">horizon</text>"), 1u) << "what goes to the right";
  EXPECT_EQ(count(svg, ">time</text>"), 1u) << "and what upwards";
  TimeTable one = table();
  one.tasks.resize(1);
  for (auto& row : one.seconds) row.resize(1);
  EXPECT_EQ(horizon_plot(one), "") << "one horizon is not a curve";
  check_picture(cactus_plot(one));
}

TEST(Plots, WithoutAnythingSolved) {
  TimeTable none = table();
  for (auto& row : none.seconds) row.assign(3, std::nullopt);
  check_picture(cactus_plot(none));
  check_picture(scatter_plot(none, 0, 1));
  check_picture(horizon_plot(none));
}

}  // namespace
}  // namespace bnnplan
