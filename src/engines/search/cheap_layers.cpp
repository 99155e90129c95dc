// Layer by layer, forward, without estimates: states are left out only because of the cost so far, which a
// checker can see for itself. Successors that the search has computed are already in the graph.
#include "bnnplan/engines/search/cheap_layers.hpp"

#include <algorithm>

namespace bnnplan::engines {

namespace {

constexpr std::size_t batch_size = 4096;

class Exploration {
 public:
  Exploration(SearchRun& run, CheapLayers& found, std::size_t most) : run_(run), found_(found), most_(most) {
    std::int64_t least = 0;
    for (const Term& term : run.problem.objective.terms) least += std::min<std::int64_t>(term.coefficient, 0);
    found.extra_to_cost = run.actions[0].cost + run.packed.least_next_cost - least;
  }

  bool explore(std::span<const StateId> initial) {
    auto& layers = found_.layers;
    layers.emplace_back();
    for (const StateId state : initial) layers.back().push_back({state, 0});
    for (int t = 1; t < run_.problem.horizon; ++t) {
      compute_edges(layers.back());
      follow_edges(layers.back());
      count_ += next_.size();
      if (count_ > most_) return false;
      run_.check_limits(t, count_ * sizeof(CheapLayers::Node));
      layers.push_back(std::move(next_));
      next_ = {};
    }
    return true;
  }

 private:
  // Class by class, as long as they are cheap enough.
  void compute_edges(const std::vector<CheapLayers::Node>& layer) {
    SuccessorGraph& graph = *run_.graph;
    std::vector<StateId> batch;
    bool more = true;
    while (more) {
      more = false;
      for (std::size_t i = 0; i < layer.size(); ++i) {
        const auto [state, cost] = layer[i];
        const std::size_t index = graph.classes(state);
        if (run_.actions.make_class(index)) {
          const std::int64_t least = run_.weight(found_.layers.size() - 1) *
                                     (run_.actions[index].cost - run_.actions[0].cost + found_.extra_to_cost);
          if (least < found_.below - cost) batch.push_back(state);
        }
        if (batch.size() == batch_size || (i + 1 == layer.size() && !batch.empty())) {
          graph.expand(batch, count_ * sizeof(CheapLayers::Node));
          batch.clear();
          more = true;
        }
      }
    }
  }

  void follow_edges(const std::vector<CheapLayers::Node>& layer) {
    const SuccessorGraph& graph = *run_.graph;
    place_.assign(graph.state_limit(), no_index);
    for (const auto& [state, cost] : layer) {
      for (std::uint32_t block = graph.first_block(state); block != no_index;
           block = graph.block(block).next_block) {
        const EdgeBlock& edges = graph.block(block);
        for (std::uint64_t i = edges.begin; i < edges.begin + edges.count; ++i) {
          const Edge& edge = graph.edge(i);
          const std::int64_t step = found_.cost_of(run_, edge, found_.layers.size() - 1);
          if (!graph.alive(edge.next) || step >= found_.below - cost) continue;
          if (place_[edge.next] == no_index) {
            place_[edge.next] = static_cast<std::uint32_t>(next_.size());
            next_.push_back({edge.next, cost + step});
          } else {
            std::int64_t& known = next_[place_[edge.next]].cost;
            known = std::min(known, cost + step);
          }
        }
      }
    }
  }

  SearchRun& run_;
  CheapLayers& found_;
  std::size_t most_, count_ = 0;
  std::vector<CheapLayers::Node> next_;
  std::vector<std::uint32_t> place_;  // position of a state in next_
};

}  // namespace

std::optional<CheapLayers> find_cheap_layers(SearchRun& run, std::span<const StateId> initial,
                                             std::int64_t below, std::size_t most) {
  CheapLayers found;
  found.below = below;
  if (!Exploration(run, found, most).explore(initial)) return std::nullopt;
  return found;
}

}  // namespace bnnplan::engines
