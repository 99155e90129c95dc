// A view for the report page. The keys are those used by the scripts of the page.
#include "bnnplan/view/view_json.hpp"

namespace bnnplan::view {

namespace {

JsonArray cell_json(const ViewCell& cell) { return {cell.x, cell.y}; }

JsonObject thing_json(const GridThing& thing) {
  const char* kind = thing_kind_names[static_cast<std::size_t>(thing.kind)];
  JsonObject fields = {{"kind", kind}, {"name", thing.name.empty() ? kind : thing.name}};
  if (thing.at) fields.push_back({"at", cell_json(*thing.at)});
  if (thing.coordinates) {
    fields.push_back({"x", thing.coordinates->first});
    fields.push_back({"y", thing.coordinates->second});
  }
  if (!thing.cells.empty())
    fields.push_back(
        {"cells", json_array_of(thing.cells, [](const auto& row) { return json_array_of(row); })});
  if (thing.shown) fields.push_back({"shown", JsonArray{thing.shown->variable, !thing.shown->negated}});
  return fields;
}

struct ViewJson {
  JsonObject operator()(const GridView& view) const {
    return {{"kind", "grid"},
            {"width", view.width},
            {"height", view.height},
            {"walls", json_array_of(view.walls, cell_json)},
            {"things", json_array_of(view.things, thing_json)}};
  }

  JsonObject operator()(const StockView& view) const {
    return {{"kind", "stock"},
            {"stock", view.stock},
            {"order", view.order},
            {"orderSize", view.order_size},
            {"capacity", view.capacity},
            {"month", view.month},
            {"demand", json_array_of(view.demand)}};
  }

  JsonObject operator()(const GraphView& view) const {
    const auto node_json = [](const GraphNode& node) {
      return JsonObject{
          {"name", node.name}, {"running", node.running}, {"age", node.age}, {"reboot", node.reboot}};
    };
    const auto link_json = [](const auto& link) { return JsonArray{link.first, link.second}; };
    return {{"kind", "graph"},
            {"oldest", view.oldest},
            {"nodes", json_array_of(view.nodes, node_json)},
            {"links", json_array_of(view.links, link_json)}};
  }
};

}  // namespace

JsonValue view_json(const View& view) { return std::visit(ViewJson(), view); }

}  // namespace bnnplan::view
