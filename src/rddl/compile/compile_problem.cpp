// From a ground model to a problem: names and bits first, then conditions (condition_clauses.cpp), then
// definitions (definition_clauses.cpp). The two difficult parts are kept apart: linear expressions are
// recognised (linear_form.cpp), the others are tabulated (tabulate.cpp) and covered by prime implicants.
// Intermediate fluents are not inlined but become auxiliary variables: a table over them is small where one
// over their definitions would not be (the survival of the agent in cellda depends on 13 bits with them, on
// more without).
#include "bnnplan/rddl/compile/compile_problem.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include <fmt/format.h>

#include "bnnplan/base/count_text.hpp"
#include "bnnplan/base/option.hpp"
#include "bnnplan/problem/step_weights.hpp"
#include "bnnplan/rddl/compile/domain_view.hpp"
#include "bnnplan/rddl/compile/problem_compiler.hpp"

namespace bnnplan::rddl {

ProblemCompiler::ProblemCompiler(const GroundModel& model, const CompileOptions& options)
    : model_(planning_model(model, determinization_of(options), options.precision)),
      options_(options),
      simulated_(options.precision.empty()
                     ? GivenRanges()
                     : simulated_ranges(model, model_, options.ranges, simulated_steps())),
      layout_(make_bit_layout(model_, options.bits, options.reachable_ranges ? horizon() : 0, all_ranges())),
      gates_(model_.nodes, writer_, layout_.ranges,
             {[this](bool boolean, const Interval& range) { return new_gate(boolean, range); },
              [this](std::uint32_t slot, NodeId node) {
                extras_.push_back({slot, node});
              },
              [this](NodeId node) { return support(node).has_value(); },
              [this](NodeId node) { return range_of(node); }, function_decimals()}) {}

Problem ProblemCompiler::compile() {
  declare(false);
  learned_ = learned_bits(layout_.state, options_.network);
  if (!options_.learned.empty()) {
    if (!options_.network)
      throw OptionError(fmt::format("{} requires {}: what is learned is what a network gives",
                                    option_name("learned"), option_name("network")));
    check_learned(model_, layout_.state, *options_.network, options_.learned, network_lines());
  }
  for (const GroundCondition* condition : conditions()) write_condition(Section::constraints, *condition);
  if (action_limit_) writer_.comparison(Section::constraints, *action_limit_);
  write_object_ranges();
  for (const GroundCondition& goal : model_.goals) write_condition(Section::goal, goal);
  for (const GroundCondition& invariant : model_.invariants) write_condition(Section::goal, invariant);
  write_definitions();
  writer_.finish(problem_);
  finish_objective();
  put_discount();
  problem_.network = options_.network;
  problem_.network_file = options_.network_file;
  connect_network(problem_, network_lines());
  if (hindsight()) {
    problem_.longest = static_cast<int>(model_.state.back().object_count);
  } else {
    problem_.view = domain_view(model_, problem_);
  }
  if (options_.reachable_ranges)
    problem_.longest = problem_.longest > 0 ? std::min(problem_.longest, horizon()) : horizon();
  try {
    if (options_.horizon) set_horizon(problem_, *options_.horizon);
    validate(problem_);
  } catch (const InputError& error) {
    if (is_discounted(problem_)) throw RddlError(model_.instance_place, error.message());
    throw;
  }
  return std::move(problem_);
}

Problem ProblemCompiler::variables_only() {
  declare(true);
  return std::move(problem_);
}

int ProblemCompiler::horizon() const {
  const std::int64_t steps = options_.horizon.value_or(model_.horizon);
  if (steps < 1 || steps > horizon_limit)
    throw RddlError(model_.instance_place, "reachable ranges need a horizon");
  return static_cast<int>(steps);
}

// One more than the finest real fluent.
std::optional<int> ProblemCompiler::function_decimals() const {
  if (options_.precision.empty()) return std::nullopt;
  int most = 0;
  for (const auto* list : {&model_.state, &model_.action}) {
    for (const GroundVariable& variable : *list) most = std::max(most, variable.decimals);
  }
  return most + 1;
}

Determinization ProblemCompiler::determinization_of(const CompileOptions& options) {
  Determinization result = options.determinization;
  if (result.steps == 0 && options.horizon) result.steps = static_cast<int>(*options.horizon);
  return result;
}

int ProblemCompiler::simulated_steps() const {
  const std::int64_t steps = options_.horizon.value_or(model_.horizon);
  return static_cast<int>(steps < 1 ? 40 : std::min<std::int64_t>(steps, 200));
}

GivenRanges ProblemCompiler::all_ranges() const {
  GivenRanges all = simulated_;
  for (const auto& [name, range] : options_.ranges) all[name] = range;
  const GivenRanges own = all;
  for (int future = 2; hindsight() && future <= options_.determinization.futures; ++future) {
    for (const auto& [name, range] : own) {
      if (is_variable(name)) all[fmt::format("{}#{}", name, future)] = range;
    }
  }
  return all;
}

bool ProblemCompiler::is_variable(const std::string& name) const {
  return std::any_of(model_.state.begin(), model_.state.end(),
                     [&](const GroundVariable& variable) { return variable.name == name; });
}

const NetworkNameLines* ProblemCompiler::network_lines() const {
  return options_.network_lines ? &*options_.network_lines : nullptr;
}

// Set what is being compiled, and how far it has got; both check the limits.
void ProblemCompiler::begin(const SourcePlace& place, std::string what) {
  progress_.place = place;
  progress_.what = std::move(what);
  progress_.covered = progress_.covers = 0;
  report(0, 0);
}

void ProblemCompiler::report(int table_bits, double share) {
  if (options_.watch != nullptr) options_.watch->check();
  progress_.table_bits = table_bits;
  progress_.table_share = share;
  if (options_.progress) options_.progress(progress_);
}

// Variables: state and action of the model, the intermediate ones that are needed, those of the reward.
void ProblemCompiler::declare(bool all_intermediate) {
  problem_.name = model_.instance_name;
  problem_.horizon = model_.horizon;
  problem_.state = layout_.state;
  problem_.action = layout_.action;
  for (const auto& [list, first, next] :
       {std::tuple(&layout_.state, 0u, false), std::tuple(&layout_.action, model_.first_action(), false),
        std::tuple(&layout_.state, model_.first_next(), true)}) {
    for (std::uint32_t i = 0; i < list->variables.size(); ++i) name_slot(first + i, list->variables[i], next);
  }
  std::vector<std::int64_t> initial;
  for (const GroundVariable& variable : model_.state) initial.push_back(variable.initial);
  problem_.initial.clear();
  append_bits(layout_.state, initial, problem_.initial);
  next_extra_slot_ = model_.slot_count();
  end_at_termination();
  for (const GroundCondition* condition : conditions()) step_conditions_.add(model_.nodes, condition->node);
  declare_intermediate(all_intermediate);
  read_action_limit();
  read_reward();
}

// A new auxiliary variable with this range.
std::uint32_t ProblemCompiler::new_auxiliary(Variable variable, const Interval& range) {
  const std::uint32_t slot = new_slot(variable, range, false);
  problem_.auxiliary.add(std::move(variable));
  return slot;
}

std::uint32_t ProblemCompiler::new_slot(const Variable& variable, const Interval& range, bool next) {
  const std::uint32_t slot = next_extra_slot_++;
  layout_.ranges.resize(slot + 1, {false, {}, {}});
  layout_.ranges[slot] = range;
  name_slot(slot, variable, next);
  return slot;
}

std::string ProblemCompiler::smaller_numbers() const {
  if (options_.precision.empty()) return "smaller ranges";
  return fmt::format("smaller ranges, or a coarser {} of reals", option_name("precision"));
}

std::uint32_t ProblemCompiler::new_gate(bool boolean, const Interval& range) {
  Variable variable{.name = fmt::format("gate[{}]", ++gate_count_)};
  if (!boolean) {
    const std::int64_t low = floor(range.low), high = ceiling(range.high);
    constexpr std::int64_t most = std::int64_t{1} << (most_variable_bits - 1);
    if (low < -most || high >= (low < 0 ? most : 2 * most)) {
      throw std::overflow_error(
          fmt::format("compiling this needs a whole number from {} to {}, more than {} bits: expected {}",
                      low, high, most_variable_bits, smaller_numbers()));
    }
    variable = variable_for_range(variable.name, low, high);
  }
  return new_auxiliary(std::move(variable), range);
}

// An auxiliary variable is true once the episode is over: then the state stays the same, everything is legal
// and the reward is 0.
void ProblemCompiler::end_at_termination() {
  if (!model_.termination) return;
  NodePool& nodes = model_.nodes;
  const SourcePlace place = model_.termination->place;
  const std::uint32_t slot = new_auxiliary({.name = "terminated"}, interval_of(0, 1));
  extras_.push_back({slot, model_.termination->node});
  const NodeId over = nodes.variable(slot, NodeKind::boolean, place);
  for (GroundDefinition& definition : model_.order) {
    if (definition.slot < model_.first_next()) continue;
    GroundVariable& state = model_.state[definition.slot - model_.first_next()];
    const NodeId stays =
        nodes.variable(definition.slot - model_.first_next(), node_kind(state.kind), state.place);
    definition.node = nodes.make(Operation::choose, {over, stays, definition.node}, state.place);
    state.definition = definition.node;
  }
  for (GroundCondition& constraint : model_.constraints)
    constraint.node = nodes.make(Operation::logical_or, {over, constraint.node}, constraint.place);
  const NodeId nothing = nodes.constant(Rational{}, NodeKind::integer);
  if (model_.reward) model_.reward = nodes.make(Operation::choose, {over, nothing, *model_.reward}, place);
}

void ProblemCompiler::name_slot(std::uint32_t slot, const Variable& variable, bool next) {
  writer_.name_slot(slot, {variable, next});
}

// In the order of definitions, because the range of a variable follows from those it depends on.
void ProblemCompiler::declare_intermediate(bool all) {
  const std::set<std::uint32_t> needed = all ? std::set<std::uint32_t>() : needed_intermediate();
  for (const GroundDefinition& definition : model_.order) {
    const std::uint32_t slot = definition.slot;
    const bool intermediate = slot >= model_.first_intermediate() && slot < model_.first_next();
    if (!intermediate || (!all && !needed.contains(slot))) continue;
    if (model_.variable(slot).observed || model_.variable(slot).kind == ValueKind::real) continue;
    begin(model_.variable(slot).place, fmt::format("the range of '{}'", model_.variable(slot).name));
    const Variable variable =
        intermediate_variable(model_, options_.bits, slot, range_of(definition.node), layout_);
    name_slot(slot, variable, false);
    problem_.auxiliary.add(variable);
  }
}

std::set<std::uint32_t> ProblemCompiler::needed_intermediate() const {
  std::set<std::uint32_t> needed;
  std::vector<NodeId> open;
  const std::vector<bool> learned = learned_bits(layout_.state, options_.network);
  for (std::uint32_t i = 0; i < model_.state.size(); ++i) {
    const auto first = learned.begin() + layout_.state.first_bit[i];
    const auto last = learned.begin() + layout_.state.first_bit[i + 1];
    if (std::find(first, last, false) != last) open.push_back(model_.state[i].definition);
  }
  for (const GroundCondition* condition : conditions()) open.push_back(condition->node);
  if (model_.reward) open.push_back(*model_.reward);
  while (!open.empty()) {
    const NodeId node = open.back();
    open.pop_back();
    for (const std::uint32_t slot : slots_of(model_.nodes, node)) {
      if (slot < model_.first_intermediate() || slot >= model_.first_next()) continue;
      if (needed.insert(slot).second) open.push_back(model_.variable(slot).definition);
    }
  }
  return needed;
}

Problem compile_problem(const GroundModel& model, const CompileOptions& options,
                        std::vector<std::string>* notes) {
  ProblemCompiler compiler(model, options);
  if (notes != nullptr) {
    for (std::string& note : precision_notes(model, options.precision, compiler.simulated()))
      notes->push_back(std::move(note));
  }
  Problem problem = compiler.compile();
  if (notes != nullptr && problem.objective.multiple > 1)
    notes->push_back(fmt::format("the objective is {} times the reward, so that its numbers are decimal",
                                 problem.objective.multiple));
  return problem;
}

std::vector<std::string> compile_notes(const GroundModel& model, const CompileOptions& options) {
  std::vector<std::string> notes;
  if (has_random_parts(model))
    notes.push_back(fmt::format("random outcomes: {}", determinization_text(options.determinization)));
  if (options.determinization.method == Determinization::Method::hindsight) {
    notes.push_back(fmt::format("the reward is the mean over {} under the same actions (x, x#2, ...)",
                                count_text(options.determinization.futures, "future")));
  }
  const auto observed = std::count_if(model.intermediate.begin(), model.intermediate.end(),
                                      [](const GroundVariable& variable) { return variable.observed; });
  if (observed > 0)
    notes.push_back(fmt::format("{} left out: the state is known", count_text(observed, "observation")));
  if (model.discount != make_rational(1)) {
    const std::string number = to_string(model.discount);
    if (options.ignore_discount) {
      notes.push_back(fmt::format("a discount of {} is ignored: rewards are summed", number));
    } else if (options.discount_digits > 0) {
      const double error = 0.5 * std::pow(10.0, -options.discount_digits);
      notes.push_back(
          fmt::format("a discount of {}, its weights rounded to {}: each is within {:.1g} of {}^(t-1)",
                      number, count_text(options.discount_digits, "decimal"), error, number));
    } else {
      notes.push_back(fmt::format("a discount of {}: step t counts {}^(t-1)", number, number));
    }
  }
  for (const std::string& goal : options.goals) notes.push_back(fmt::format("goal: {}", printable(goal)));
  if (options.reachable_ranges) {
    notes.push_back(
        fmt::format("unbounded integers get the range reachable in {} steps: not valid for longer plans",
                    options.horizon.value_or(model.horizon)));
  }
  return notes;
}

Problem compile_variables(const GroundModel& model, const GivenBits& bits) {
  CompileOptions options;
  options.bits = bits;
  return ProblemCompiler(model, options).variables_only();
}

}  // namespace bnnplan::rddl
