// Pictures in text. A cell of a grid is two columns wide, which makes it about square; a thing is the first
// letter of its name, and a carried key is drawn next to its bearer.
#include "bnnplan/view/text_picture.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include "bnnplan/base/input_error.hpp"

namespace bnnplan::view {

namespace {

constexpr std::size_t most_frames = 60;
constexpr std::size_t widest_title = 12;
constexpr std::size_t gap = 3;  // columns between frames

class Picture {
 public:
  Picture(const PlanFrames& plan, const TextStyle& style) : plan_(plan), style_(style) {}

  std::string operator()(const GridView& view) const {
    const std::size_t columns = 2 * static_cast<std::size_t>(view.width);
    std::size_t width = std::max<std::size_t>(columns, 5);
    for (std::size_t frame = 1; frame <= plan_.steps; ++frame)
      width = std::max(width, title_of(frame, widest_title).second);
    if (columns > style_.width) return "";
    const std::size_t per_line = std::max<std::size_t>(1, (style_.width + gap) / (width + gap));
    const std::size_t frames = std::min(plan_.steps + 1, most_frames);
    std::string text;
    for (std::size_t first = 0; first < frames; first += per_line) {
      const std::size_t last = std::min(frames, first + per_line);
      if (first > 0) text += "\n";
      std::string line;
      for (std::size_t frame = first; frame < last; ++frame) {
        const auto [title, length] = title_of(frame, width);
        line += title + std::string(frame + 1 < last ? width - length + gap : 0, ' ');
      }
      text += line + "\n";
      std::vector<std::vector<std::string>> drawn;
      for (std::size_t frame = first; frame < last; ++frame) drawn.push_back(grid_lines(view, frame));
      for (std::size_t row = 0; row < static_cast<std::size_t>(view.height); ++row) {
        for (std::size_t i = 0; i < drawn.size(); ++i) {
          text += drawn[i][row];
          if (i + 1 < drawn.size()) text += std::string(width - columns + gap, ' ');
        }
        text += "\n";
      }
    }
    return text + rest_text();
  }

  std::string operator()(const StockView& view) const {
    std::string text =
        style_.weak(fmt::format("{:>5}  {:>5}  {:>6}  stock", "step", "order", "demand")) + "\n";
    const std::size_t frames = std::min(plan_.steps + 1, most_frames);
    std::int64_t most = 1;
    for (std::size_t frame = 0; frame < frames; ++frame)
      most = std::max(most, whole(plan_.state(frame, view.stock)));
    const auto room = static_cast<std::int64_t>(style_.width > 40 ? style_.width - 32 : 8);
    for (std::size_t frame = 0; frame < frames; ++frame) {
      std::string order, demand;
      if (frame > 0) {
        if (view.order) {
          const Decimal ordered = plan_.action(frame, *view.order);
          if (ordered.digits != 0)
            order = "+" + to_string(view.order_size ? ordered * make_decimal(*view.order_size, 0) : ordered);
        }
        if (!view.demand.empty()) {
          const std::int64_t month = view.month ? whole(plan_.state(frame - 1, *view.month))
                                                : static_cast<std::int64_t>((frame - 1) % view.demand.size());
          if (month >= 0 && month < static_cast<std::int64_t>(view.demand.size()))
            demand = fmt::format("{}", -view.demand[static_cast<std::size_t>(month)]);
        }
      }
      const Decimal stock = plan_.state(frame, view.stock);
      const std::int64_t length = most <= room ? whole(stock) : whole(stock) * room / most;
      std::string bar;
      for (std::int64_t i = 0; i < length; ++i) bar += style_.unicode ? "█" : "#";
      text += style_.weak(fmt::format("{:>5}", frame == 0 ? "start" : fmt::format("{}", frame)));
      text +=
          "  " + style_.good(fmt::format("{:>5}", order)) + "  " + style_.bad(fmt::format("{:>6}", demand));
      text += fmt::format("  {}{}{}\n", style_.strong(bar), bar.empty() ? "" : " ", to_string(stock));
    }
    return text + rest_text();
  }

  std::string operator()(const GraphView& view) const {
    std::size_t width = 4;
    for (const GraphNode& node : view.nodes) width = std::max(width, printable(node.name).size());
    if (7 + view.nodes.size() * (width + 2) > style_.width) return "";
    std::string text = fmt::format("{:>5}", "step");
    for (const GraphNode& node : view.nodes) text += fmt::format("  {:>{}}", printable(node.name), width);
    text = style_.weak(text) + "\n";
    const std::size_t frames = std::min(plan_.steps + 1, most_frames);
    for (std::size_t frame = 0; frame < frames; ++frame) {
      text += style_.weak(fmt::format("{:>5}", frame == 0 ? "start" : fmt::format("{}", frame)));
      for (const GraphNode& node : view.nodes) {
        const bool running = !node.running || plan_.state(frame, *node.running).digits != 0;
        const bool rebooted = frame > 0 && node.reboot && plan_.action(frame, *node.reboot).digits != 0;
        std::string shown = node.age ? to_string(plan_.state(frame, *node.age)) : "up";
        if (!running) shown = "down";
        if (rebooted) shown = "*" + shown;
        shown = fmt::format("{:>{}}", shown, width);
        text += "  " + (rebooted ? style_.strong(shown) : running ? shown : style_.bad(shown));
      }
      text += "\n";
    }
    return text + style_.weak("ages; * marks a reboot in this step") + "\n" + rest_text();
  }

 private:
  static std::int64_t whole(const Decimal& value) { return value.exponent < 0 ? 0 : scaled(value, 0); }

  // "3 left", cut to the width, and its length in columns.
  std::pair<std::string, std::size_t> title_of(std::size_t frame, std::size_t width) const {
    if (frame == 0) return {style_.weak("start"), 5};
    const std::string number = fmt::format("{}", frame);
    std::string actions = plan_.taken(frame);
    const std::size_t room = width > number.size() + 1 ? width - number.size() - 1 : 0;
    // Cut at whole characters.
    std::size_t length = 0, end = 0;
    while (end < actions.size() && length < room) {
      ++end;
      while (end < actions.size() && (static_cast<unsigned char>(actions[end]) & 0xc0) == 0x80) ++end;
      ++length;
    }
    actions.resize(end);
    return {style_.weak(number) + (actions.empty() ? "" : " " + style_.strong(actions)),
            number.size() + (actions.empty() ? 0 : 1 + length)};
  }

  std::optional<ViewCell> place_of(const GridThing& thing, const GridView& view, std::size_t frame) const {
    if (thing.shown && (plan_.state(frame, thing.shown->variable).digits != 0) == thing.shown->negated)
      return std::nullopt;
    if (thing.at) return thing.at;
    if (thing.coordinates) {
      const std::int64_t x = whole(plan_.state(frame, thing.coordinates->first));
      const std::int64_t y = whole(plan_.state(frame, thing.coordinates->second));
      if (x < 0 || x >= view.width || y < 0 || y >= view.height) return std::nullopt;
      return ViewCell{static_cast<int>(x), static_cast<int>(y)};
    }
    for (std::size_t y = 0; y < thing.cells.size(); ++y) {
      for (std::size_t x = 0; x < thing.cells[y].size(); ++x) {
        const auto& variable = thing.cells[y][x];
        if (variable && plan_.state(frame, *variable).digits != 0)
          return ViewCell{static_cast<int>(x), static_cast<int>(y)};
      }
    }
    return std::nullopt;
  }

  // Starts at the top.
  std::vector<std::string> grid_lines(const GridView& view, std::size_t frame) const {
    struct Cell {
      bool wall = false;
      const GridThing* thing = nullptr;  // the most important one
      bool carries = false;
    };
    std::vector<std::vector<Cell>> cells(static_cast<std::size_t>(view.height),
                                         std::vector<Cell>(static_cast<std::size_t>(view.width)));
    const auto at = [&](const ViewCell& place) -> Cell& {
      return cells[static_cast<std::size_t>(place.y)][static_cast<std::size_t>(place.x)];
    };
    for (const ViewCell& wall : view.walls) at(wall).wall = true;
    // In the order of ThingKind: moving things hide those that lie there.
    for (const GridThing& thing : view.things) {
      const auto place = place_of(thing, view, frame);
      if (!place) continue;
      Cell& cell = at(*place);
      if (thing.kind == ThingKind::key && !thing.at) {
        cell.carries = true;
      } else if (cell.thing == nullptr || thing.kind < cell.thing->kind) {
        cell.thing = &thing;
      }
    }
    std::vector<std::string> lines;
    for (auto row = cells.rbegin(); row != cells.rend(); ++row) {
      std::string& line = lines.emplace_back();
      for (const Cell& cell : *row) {
        if (cell.thing != nullptr) {
          line += thing_text(*cell.thing, cell.carries);
        } else if (cell.wall) {
          line += style_.weak(style_.unicode ? "██" : "##");
        } else {
          line += style_.weak(style_.unicode ? "· " : ". ");
        }
      }
    }
    return lines;
  }

  std::string thing_text(const GridThing& thing, bool carries) const {
    const std::string name =
        thing.name.empty() ? thing_kind_names[static_cast<std::size_t>(thing.kind)] : thing.name;
    const auto letter = static_cast<unsigned char>(name.front());
    std::string text(1, letter > 0x20 && letter < 0x7f ? static_cast<char>(std::toupper(letter)) : '?');
    text += carries ? 'k' : ' ';
    switch (thing.kind) {
      case ThingKind::agent:
        return style_.strong(text);
      case ThingKind::enemy:
        return style_.bad(text);
      case ThingKind::key:
        return style_.doubtful(text);
      case ThingKind::door:
      case ThingKind::goal:
        return style_.good(text);
    }
    __builtin_unreachable();
  }

  std::string rest_text() const {
    if (plan_.steps + 1 <= most_frames) return "";
    return style_.weak(fmt::format("({} more steps)", plan_.steps + 1 - most_frames)) + "\n";
  }

  const PlanFrames& plan_;
  const TextStyle& style_;
};

}  // namespace

std::string text_picture(const View& view, const PlanFrames& plan, const TextStyle& style) {
  return std::visit(Picture(plan, style), view);
}

}  // namespace bnnplan::view
