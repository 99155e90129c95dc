// A view for the report page. The keys are those used by the scripts of the page.
#include "view/view_json.hpp"

#include <fmt/format.h>

#include "base/json_text.hpp"

namespace bnnplan {

namespace {

template <class List, class Text>
std::string json_array(const List& list, Text text) {
  std::string result = "[";
  for (const auto& element : list) {
    if (result.size() > 1) result += ',';
    result += text(element);
  }
  return result + "]";
}

class ViewJson {
 public:
  std::string operator()(const GridView& view) const {
    const auto cell = [](const ViewCell& c) { return fmt::format("[{},{}]", c.x, c.y); };
    return fmt::format(
        "{{\"kind\":\"grid\",\"width\":{},\"height\":{},\"walls\":{},\"things\":{}}}", view.width,
        view.height, json_array(view.walls, cell), json_array(view.things, [&](const GridThing& thing) {
          const char* kind = thing_kind_names[static_cast<std::size_t>(thing.kind)];
          std::string text = fmt::format("{{\"kind\":\"{}\",\"name\":{}", kind,
                                         quoted_json(thing.name.empty() ? kind : thing.name));
          if (thing.at) text += fmt::format(",\"at\":{}", cell(*thing.at));
          if (thing.coordinates)
            text += fmt::format(",\"x\":{},\"y\":{}", thing.coordinates->first, thing.coordinates->second);
          if (!thing.cells.empty()) {
            text +=
                fmt::format(",\"cells\":{}", json_array(thing.cells, [](const auto& row) {
                              return json_array(row, [](const auto& variable) { return number(variable); });
                            }));
          }
          if (thing.shown)
            text += fmt::format(",\"shown\":[{},{}]", thing.shown->variable, !thing.shown->negated);
          return text + "}";
        }));
  }

  std::string operator()(const StockView& view) const {
    return fmt::format(
        "{{\"kind\":\"stock\",\"stock\":{},\"order\":{},\"orderSize\":{},\"capacity\":{},\"month\":{},"
        "\"demand\":[{}]}}",
        view.stock, number(view.order), number(view.order_size), number(view.capacity), number(view.month),
        fmt::join(view.demand, ","));
  }

  std::string operator()(const GraphView& view) const {
    return fmt::format(
        "{{\"kind\":\"graph\",\"oldest\":{},\"nodes\":{},\"links\":{}}}", number(view.oldest),
        json_array(view.nodes,
                   [](const GraphNode& node) {
                     return fmt::format("{{\"name\":{},\"running\":{},\"age\":{},\"reboot\":{}}}",
                                        quoted_json(node.name), number(node.running), number(node.age),
                                        number(node.reboot));
                   }),
        json_array(view.links,
                   [](const auto& link) { return fmt::format("[{},{}]", link.first, link.second); }));
  }

 private:
  template <class Number>
  static std::string number(const std::optional<Number>& value) {
    return value ? fmt::format("{}", *value) : "null";
  }
};

}  // namespace

std::string view_json(const View& view) { return std::visit(ViewJson(), view); }

}  // namespace bnnplan
