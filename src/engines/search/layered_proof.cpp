// A proof from the search. That a state can be left out of every plan cheaper than C is a lemma about the
// model, and the lemmas of a layer follow from those of the next one by unit propagation: given state and
// action, the whole network propagates. With
//
//   g(t, s)    the least cost of reaching state s in layer t, for all s where that is below C,
//   Rest(t)    the cost of steps t..H, a sum of literals of the model,
//
// the lemma of (t, s) is: if s^t = s, then Rest(t) >= C - g(t, s). Each is derived from layer H backwards:
//
//   R(t, k)    is a new variable, defined as Rest(t) >= k, for each k = C - g(t, s) of the layer
//   Z          is a new variable, defined as s^t = s
//   Z and the action a -> R(t, k)     by unit propagation, for each action: the next state s' follows; its
//              lemma gives R(t + 1, k'), and the step costs at least k - k', so Rest(t) >= k. This last
//              conclusion needs two sums at once, which propagation does not see; it is a row that is added
//              up once for each pair: the definition of R(t, k) and that of R(t + 1, k')
//   Z -> R(t, k)                      by unit propagation from these: the lemma
//
// Actions are split into cases (step_cases.cpp), so that those excluded by constraints or cost are not
// enumerated one by one. States that violate a constraint, last states without the goal, and steps that cost
// too much need no lemma; propagation sees them. If k is more than all steps from t on could ever cost, the
// state is a dead end, and R(t, k) is left out because it is never true; so it is everywhere if there is no
// plan at all.
//
// The end: in all initial states R(1, C) holds, which contradicts the demand for a cheaper plan. Everything
// is deleted as soon as the previous layer no longer needs it, so a checker never holds more than two layers.
// The size is about that of all definitions of states, plus a short line for each (state, action).
#include "bnnplan/engines/search/layered_proof.hpp"

#include <algorithm>

namespace bnnplan::engines {

namespace {

constexpr std::uint64_t most_literals = 100'000'000;  // about 800 MB
constexpr std::uint64_t literals_between_looks = 1 << 16;

}  // namespace

LayeredProof::LayeredProof(SearchRun& run, const model::ZeroOneModel& model, const CheapLayers& layers,
                           cdcl::ProofSink& sink)
    : run_(run),
      model_(model),
      layers_(layers),
      sink_(sink),
      cases_(run.packed, run.watch),
      variables_(model.layout.variable_count()) {
  std::int64_t step = 0;
  for (const Term& term : run.problem.objective.terms)
    step += term.coefficient < 0 ? -term.coefficient : term.coefficient;
  const StepWeights weights = step_weights(run.problem);
  rest_totals_.resize(static_cast<std::size_t>(run.problem.horizon));
  std::int64_t rest = 0;
  for (int t = run.problem.horizon; t >= 1; --t) {
    rest += weights.of(t) * step;
    rest_totals_[static_cast<std::size_t>(t - 1)] = rest;
  }
}

bool LayeredProof::write(std::uint64_t better) {
  if (layers_.below <= 0) return true;  // already a contradiction
  // Without layers the constraints allow no action.
  for (auto t = static_cast<int>(layers_.layers.size()); t >= 1; --t) {
    if (!write_layer(t)) return false;
  }
  if (!write_root()) return false;
  if (!next_bounds_.empty()) {
    const cdcl::ProofSummand summands[] = {{better}, {next_bounds_.at(layers_.below).number}};
    sink_.add_sum(summands);
  }
  return true;
}

// The least that the steps from t on must cost in a state reached at this cost; nothing if they cannot.
std::optional<std::int64_t> LayeredProof::least_rest(int t, std::int64_t cost) const {
  if (layers_.below == CheapLayers::unbounded) return std::nullopt;
  const std::int64_t least = layers_.below - cost;
  if (least > rest_totals_[static_cast<std::size_t>(t - 1)]) return std::nullopt;
  return least;
}

bool LayeredProof::write_layer(int t) {
  const auto& layer = layers_.layers[static_cast<std::size_t>(t - 1)];
  define_bounds(t);
  next_costs_.assign(run_.graph->state_limit(), -1);
  if (t < run_.problem.horizon) {
    for (const auto& [state, cost] : layers_.layers[static_cast<std::size_t>(t)]) next_costs_[state] = cost;
  }
  for (const CheapLayers::Node& node : layer) {
    if (!write_node(t, node)) return false;
  }
  // Nothing of the next layer is needed any more, and of this one only what a bound implies if it holds.
  drop(next_lasting_);
  for (const auto& [pair, number] : lemmas_) sink_.delete_clause(number);
  lemmas_.clear();
  for (const auto& [least, bound] : bounds_) {
    sink_.delete_clause(bound.number + 1);
    lasting_.push_back(bound.number);
  }
  std::swap(lasting_, next_lasting_);
  next_bounds_ = std::move(bounds_);
  bounds_.clear();
  return true;
}

void LayeredProof::define_bounds(int t) {
  const std::size_t first = run_.problem.objective.terms.size() * static_cast<std::size_t>(t - 1);
  const std::span<const WeightedLit> rest(model_.objective.data() + first, model_.objective.size() - first);
  for (const auto& [state, cost] : layers_.layers[static_cast<std::size_t>(t - 1)]) {
    const std::optional<std::int64_t> least = least_rest(t, cost);
    if (!least || bounds_.count(*least) > 0) continue;
    const Var variable = new_variable();
    bounds_[*least] = {variable, sink_.define(variable, rest, *least)};
    written_ += 2 * rest.size();
  }
}

bool LayeredProof::write_node(int t, const CheapLayers::Node& node) {
  const std::uint64_t* state = run_.graph->words(node.state);
  const std::optional<std::int64_t> least = least_rest(t, node.cost);
  const bool last = t == run_.problem.horizon;
  if (!last) add_lemmas(t, node);

  std::vector<WeightedLit> bits;
  for (std::uint32_t bit = 0; bit < model_.layout.state_bits; ++bit)
    bits.push_back({1, Lit::of(model_.layout.state(t, bit), !bit_of(state, bit))});
  head_.clear();
  std::uint64_t definition = 0;
  if (!bits.empty()) {
    const Var is_state = new_variable();
    definition = sink_.define(is_state, bits, static_cast<std::int64_t>(bits.size()));
    head_.push_back(Lit::negative(is_state));
    written_ += 2 * bits.size();
  }
  if (least) head_.push_back(Lit::positive(bounds_.at(*least).variable));

  const bool refuted = cases_.refute(
      {state, last,
       least ? std::optional((*least - 1) / run_.weight(static_cast<std::size_t>(t - 1))) : std::nullopt,
       [&](const std::uint64_t* next) {
         const StateId id = run_.graph->add_state(next);
         return !last && id < next_costs_.size() && next_costs_[id] >= 0;
       },
       [&](std::span<const std::uint32_t> made_true) { return add_case(made_true, t, false); }});
  if (!refuted) return false;
  // What remains is the lemma, which is the last case, and the half of the definition by which these bits
  // imply the state.
  lasting_.push_back(cases_of_node_.back());
  cases_of_node_.pop_back();
  drop(cases_of_node_);
  if (definition != 0) {
    sink_.delete_clause(definition);
    lasting_.push_back(definition + 1);
  }
  return true;
}

// All initial states: their bits are split into cases, and each has its lemma.
bool LayeredProof::write_root() {
  const Problem& problem = run_.problem;
  const std::uint32_t first_state = problem.action.bit_count();
  BitSearch search(first_state + problem.state.bit_count() + problem.auxiliary.bit_count(), run_.watch);
  add_step_constraints(search, problem);
  head_.clear();
  if (const auto bound = next_bounds_.find(layers_.below); bound != next_bounds_.end())
    head_.push_back(Lit::positive(bound->second.variable));
  const auto refuted = [&](std::span<const std::uint32_t> made_true) { return add_case(made_true, 1, true); };
  if (!search.start()) return refuted({});
  std::vector<std::uint32_t> choices;
  for (std::uint32_t i = 0; i < problem.state.bit_count(); ++i) {
    choices.push_back(first_state + i);
    if (problem.initial[i] != unknown_bit && !search.assign(first_state + i, problem.initial[i] == 1))
      return refuted({});
  }
  const std::size_t states = choices.size();
  for (std::uint32_t i = 0; i < first_state; ++i) choices.push_back(i);
  for (std::uint32_t i = 0; i < problem.auxiliary.bit_count(); ++i)
    choices.push_back(first_state + problem.state.bit_count() + i);
  const auto look = [&](std::size_t first_open) {
    return first_open >= states && !layers_.layers.empty() ? CaseSplit::Look::refuted : CaseSplit::Look::open;
  };
  return split_cases(search, {choices, look, refuted});
}

// The literal of a variable in the cases of a step.
Lit LayeredProof::literal_of(int t, std::uint32_t variable) const {
  const StepRows& rows = cases_.rows();
  const model::ModelLayout& layout = model_.layout;
  if (variable < rows.first_auxiliary()) return Lit::positive(layout.action(t, variable));
  if (variable < rows.first_next())
    return Lit::positive(layout.auxiliary(t, variable - rows.first_auxiliary()));
  return Lit::positive(layout.state(t + 1, variable - rows.first_next()));
}

// The literal of a variable in the cases of the initial state: action, state and auxiliary bits of the first
// step.
Lit LayeredProof::initial_literal_of(std::uint32_t variable) const {
  const model::ModelLayout& layout = model_.layout;
  if (variable < layout.action_bits) return Lit::positive(layout.action(1, variable));
  variable -= layout.action_bits;
  if (variable < layout.state_bits) return Lit::positive(layout.state(1, variable));
  return Lit::positive(layout.auxiliary(1, variable - layout.state_bits));
}

bool LayeredProof::add_case(std::span<const std::uint32_t> made_true, int t, bool of_root) {
  clause_ = head_;
  for (const std::uint32_t variable : made_true)
    clause_.push_back(~(of_root ? initial_literal_of(variable) : literal_of(t, variable)));
  const std::uint64_t number = sink_.add_clause(clause_);
  if (!of_root) cases_of_node_.push_back(number);
  const std::uint64_t before = written_;
  written_ += clause_.size() + 2;
  if (before / literals_between_looks == written_ / literals_between_looks) return true;
  run_.watch.check_time();
  return written_ <= most_literals;
}

// Adds the lemma for each pair of bounds that a step of the node connects.
void LayeredProof::add_lemmas(int t, const CheapLayers::Node& node) {
  const std::optional<std::int64_t> least = least_rest(t, node.cost);
  if (!least) return;
  const SuccessorGraph& graph = *run_.graph;
  for (std::uint32_t block = graph.first_block(node.state); block != no_index;
       block = graph.block(block).next_block) {
    const EdgeBlock& edges = graph.block(block);
    for (std::uint64_t i = edges.begin; i < edges.begin + edges.count; ++i) {
      const std::int64_t next_cost = next_costs_[graph.edge(i).next];
      if (next_cost < 0) continue;
      if (const auto next_least = least_rest(t + 1, next_cost)) add_lemma(*least, *next_least);
    }
  }
}

void LayeredProof::add_lemma(std::int64_t least, std::int64_t next_least) {
  const auto [found, is_new] = lemmas_.try_emplace({least, next_least}, 0);
  if (!is_new) return;
  const cdcl::ProofSummand summands[] = {{bounds_.at(least).number + 1},
                                         {next_bounds_.at(next_least).number}};
  found->second = sink_.add_sum(summands);
}

void LayeredProof::drop(std::vector<std::uint64_t>& numbers) {
  for (const std::uint64_t number : numbers) sink_.delete_clause(number);
  numbers.clear();
}

}  // namespace bnnplan::engines
