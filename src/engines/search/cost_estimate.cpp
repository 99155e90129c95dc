// Estimates of the cost to go, as pattern databases (Culberson, Schaeffer: Pattern databases, 1998) with the
// cost divided among them (Edelkamp: Automated creation of pattern database search heuristics, 2006).
//
// A projection P is a problem over some of the bits. Every step of the whole problem is one of P, and its
// cost there is the sum of its terms that are in P. Let b(P) be the sum of P's negative coefficients, so that
// a step of P costs c(P) >= 0 above b(P), and
//
//   V(P, k, s) = the least sum of c(P) over all paths of k steps from s to a goal of P,  infinite if none.
//
// A step of the whole problem costs at least  sum of c(P) + B  over all projections, where B is the sum of
// all negative coefficients: no term is in two projections, and one that is in none costs no less than its
// share of B. Its extra cost is that minus the cost L of the cheapest step, so it is at least sum of c(P) + D
// with  D = B - L <= 0. Hence
//
//   h(k, s) = max(0,  sum of V(P, k, s) + k D)
//
// is admissible, and consistent: V(P, k, s) <= c(P) + V(P, k-1, s') for every step from s to s', so
// h(k, s) <= extra cost + h(k-1, s').
//
// Long horizons. Layers are kept up to K steps; beyond, V is replaced by U(P, s), the least over all numbers
// of steps, which is no larger, and consistent: U(s) <= c + U(s') <= c + V(K, s').
//
// Waiting. A node that stands for all later layers may be left with any number of steps up to k, and its
// estimate is the minimum of h(j, s) over j <= k; beyond K that is sum of U + k D, since D <= 0. For a state
// that itself waits at no extra cost, consistency makes it h(k, s): a node's estimate does not fall when it
// is found to wait. It is consistent over the steps from such a node, as h is.
//
// Weights. If step t has weight w_t (a discount), k steps are the last k, so their weights are known: V is
// over weighted costs, and k D becomes D times the sum of the last k weights. U would not be admissible, so
// there are no estimates if K is less than the horizon; and nothing waits.
//
// Cost: all pairs of a state and an action of each projection once, by compiled steps, a few milliseconds;
// then one pass over the edges per layer; one lookup in each table per estimate.
#include "bnnplan/engines/search/cost_estimate.hpp"

#include <algorithm>
#include <array>

#include "bnnplan/base/limits.hpp"
#include "bnnplan/engines/search/action_table.hpp"
#include "bnnplan/engines/search/step_program.hpp"
#include "bnnplan/engines/search/step_solver.hpp"

namespace bnnplan::engines {

namespace {

// Edges processed, over all layers and projections.
constexpr std::size_t most_layer_edges = std::size_t{1} << 22;
constexpr std::uint32_t most_layers = 256;

std::int64_t negative_part(const std::vector<Term>& terms) {
  std::int64_t sum = 0;
  for (const Term& term : terms) sum += std::min<std::int64_t>(0, term.coefficient);
  return sum;
}

}  // namespace

// All steps of a projection, by the state they start in.
struct CostEstimate::Graph {
  struct Edge {
    std::uint32_t next;
    std::int64_t cost;
  };
  std::vector<std::uint64_t> first;  // by state, and one more
  std::vector<Edge> edges;
  std::vector<bool> goal;
};

CostEstimate::CostEstimate(const PackedProblem& problem, std::int64_t least_step_cost,
                           const StepWeights& weights) {
  const auto projections = find_projections(problem.problem);
  std::vector<Graph> graphs;
  std::size_t edges = 1;
  for (const Projection& projection : projections) {
    graphs.push_back(make_graph(projection));
    edges += graphs.back().edges.size() + graphs.back().goal.size();
  }
  per_step_ = negative_part(problem.problem.objective.terms) - least_step_cost;
  most_steps_ = static_cast<std::uint32_t>(std::min({std::size_t{most_layers}, most_layer_edges / edges,
                                                     static_cast<std::size_t>(problem.problem.horizon)}));
  const int horizon = problem.problem.horizon;
  if (!weights.empty()) {
    if (most_steps_ < static_cast<std::uint32_t>(horizon)) return;
    rest_.push_back(0);
    for (int steps = 1; steps <= horizon; ++steps)
      rest_.push_back(rest_.back() + weights.of(horizon - steps + 1) * per_step_);
  }
  for (std::size_t i = 0; i < projections.size(); ++i) add_table(projections[i], graphs[i], weights, horizon);
}

CostEstimate::Graph CostEstimate::make_graph(const Projection& projection) {
  const PackedProblem packed(projection.problem);
  const StepProgram program(packed);
  StepProgram::Workspace workspace;
  LimitWatch unlimited{Limits{}};  // a projection is small
  ActionTable actions(packed, unlimited, 0);
  std::size_t classes = 0;
  while (actions.make_class(classes)) ++classes;
  StepSolver solver(packed, unlimited);

  Graph graph;
  const std::uint64_t states = std::uint64_t{1} << projection.state.size();
  const std::int64_t base = negative_part(projection.problem.objective.terms);
  const std::uint64_t nothing = 0;
  std::vector<StepProgram::Pair> pairs;
  Words found;
  for (std::uint64_t state = 0; state < states; ++state) {
    graph.first.push_back(graph.edges.size());
    graph.goal.push_back(packed.goal.hold(&state));
    if (!packed.state_constraints.hold(&state)) continue;
    const auto add = [&](ActionId action, std::uint64_t next) {
      const std::int64_t cost = actions.cost(action) + packed.next_cost.evaluate(nullptr, nullptr, &next);
      graph.edges.push_back({static_cast<std::uint32_t>(next), cost - base});
    };
    for (ActionId first = 0; first < actions.size(); first += lane_count) {
      const auto end = static_cast<ActionId>(std::min<std::size_t>(first + lane_count, actions.size()));
      if (program.useful()) {
        pairs.clear();
        for (ActionId action = first; action < end; ++action) {
          pairs.push_back({&state, actions.bits(action), &nothing});
        }
        program.run(pairs, workspace);
      }
      for (ActionId action = first; action < end; ++action) {
        if (program.useful() && !workspace.open(action - first)) {
          if (workspace.single(action - first)) add(action, *workspace.next(action - first));
          continue;
        }
        if (!all_hold(packed.joint_constraints, actions.bits(action), &state)) continue;
        found.clear();
        solver.append_successors(&state, actions.bits(action), &nothing, found);
        for (const std::uint64_t next : found) add(action, next);
      }
    }
    // Of several edges to the same state the cheapest is enough.
    const auto begin = graph.edges.begin() + static_cast<std::ptrdiff_t>(graph.first.back());
    std::sort(begin, graph.edges.end(), [](const Graph::Edge& a, const Graph::Edge& b) {
      return a.next != b.next ? a.next < b.next : a.cost < b.cost;
    });
    graph.edges.erase(
        std::unique(begin, graph.edges.end(),
                    [](const Graph::Edge& a, const Graph::Edge& b) { return a.next == b.next; }),
        graph.edges.end());
  }
  graph.first.push_back(graph.edges.size());
  return graph;
}

void CostEstimate::add_table(const Projection& projection, const Graph& graph, const StepWeights& weights,
                             int horizon) {
  Table table;
  table.size = graph.goal.size();
  for (std::uint32_t i = 0; i < projection.state.size(); ++i) table.index.add(projection.state[i], i);
  table.layers.resize((std::size_t{most_steps_} + 1) * table.size);
  const auto best_step = [&](std::size_t state, const std::int64_t* after, std::int64_t weight) {
    std::int64_t best = infinite;
    for (std::uint64_t i = graph.first[state]; i < graph.first[state + 1]; ++i) {
      const Graph::Edge& edge = graph.edges[i];
      if (after[edge.next] < infinite) best = std::min(best, weight * edge.cost + after[edge.next]);
    }
    return best;
  };
  for (std::size_t state = 0; state < table.size; ++state) {
    table.layers[state] = graph.goal[state] ? 0 : infinite;
  }
  for (std::uint32_t steps = 1; steps <= most_steps_; ++steps) {
    const std::int64_t* after = table.layers.data() + (steps - 1) * table.size;
    std::int64_t* layer = table.layers.data() + steps * table.size;
    const std::int64_t weight = weights.of(horizon - static_cast<int>(steps) + 1);
    for (std::size_t state = 0; state < table.size; ++state) layer[state] = best_step(state, after, weight);
  }
  if (!weights.empty()) {
    tables_.push_back(std::move(table));
    return;
  }
  table.any_steps.assign(table.layers.begin(),
                         table.layers.begin() + static_cast<std::ptrdiff_t>(table.size));
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t state = 0; state < table.size; ++state) {
      const std::int64_t better = best_step(state, table.any_steps.data(), 1);
      if (better >= table.any_steps[state]) continue;
      table.any_steps[state] = better;
      changed = true;
    }
  }
  tables_.push_back(std::move(table));
}

std::int64_t CostEstimate::of_steps(const std::uint64_t* state, std::uint32_t steps) const {
  std::int64_t sum = rest_.empty() ? steps * per_step_ : rest_[steps];
  for (const Table& table : tables_) {
    std::uint64_t number = 0;
    table.index.apply(state, &number);
    const std::int64_t value =
        steps <= most_steps_ ? table.layers[steps * table.size + number] : table.any_steps[number];
    if (value >= infinite) return infinite;
    sum += value;
  }
  return std::max<std::int64_t>(0, sum);
}

std::int64_t CostEstimate::of_at_most(const std::uint64_t* state, std::uint32_t steps) const {
  if (steps > most_steps_) return of_steps(state, steps);
  std::int64_t best = infinite;
  for (std::uint32_t k = 0; k <= steps; ++k) best = std::min(best, of_steps(state, k));
  return best;
}

std::size_t CostEstimate::bytes() const {
  std::size_t bytes = 0;
  for (const Table& table : tables_)
    bytes += (table.layers.size() + table.any_steps.size()) * sizeof(std::int64_t);
  return bytes;
}

}  // namespace bnnplan::engines
