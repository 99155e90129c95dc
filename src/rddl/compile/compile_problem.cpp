// From a ground model to a problem: names and bits first, then conditions, then definitions. The two things
// that need thought are kept apart: what is linear is recognised (linear_form.cpp), what is not is tabulated
// (tabulate.cpp) and covered by prime implicants (prime_cover.cpp), once for the ones and once for the zeros
// of each bit y of its value:
//
//   y or not cube   for every cube of a cover of the ones,     not y or not cube   for those of the zeros
//
// so that unit propagation alone gives y from its support. Intermediate fluents are not inlined but become
// auxiliary variables: a table over them is small where one over what they stand for would not be (the
// survival of the agent in cellda depends on 13 bits with them, on more without). Rows of a table whose value
// does not fit into its bits count as both: such a step is impossible.
#include "rddl/compile/compile_problem.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "base/checked.hpp"
#include "base/count_text.hpp"
#include "problem/name_table.hpp"
#include "rddl/compile/domain_facts.hpp"
#include "rddl/compile/gate_writer.hpp"
#include "rddl/compile/learned_bits.hpp"
#include "rddl/compile/prime_cover.hpp"
#include "rddl/compile/problem_writer.hpp"
#include "rddl/compile/tabulate.hpp"
#include "rddl/ground/linear_form.hpp"

namespace bnnplan {

namespace {

class ProblemCompiler {
 public:
  ProblemCompiler(const GroundModel& model, const CompileOptions& options)
      : model_(planning_model(model, options.determinization)),
        options_(options),
        layout_(make_bit_layout(model_, options.bits, options.reachable_ranges ? horizon() : 0)),
        gates_(model_.nodes, writer_, layout_.ranges,
               {[this](bool boolean, const Interval& range) { return new_gate(boolean, range); },
                [this](std::uint32_t slot, NodeId node) {
                  extras_.push_back({slot, node});
                },
                [this](NodeId node) { return support(node).has_value(); }}) {}

  Problem compile() {
    if (model_.discount != make_rational(1) && !options_.ignore_discount) {
      throw RddlError(model_.instance_place,
                      fmt::format("a discount of {} is not supported: the rewards of a problem "
                                  "are summed, expected 1.0, or --discount ignore",
                                  to_string(model_.discount)));
    }
    declare(false);
    learned_ = learned_bits(layout_.state, options_.network);
    if (!options_.learned.empty())
      check_learned(model_, layout_.state, options_.network.value(), options_.learned, network_lines());
    for (const GroundCondition* condition : conditions()) {
      write_condition(Section::constraints, condition->node, false, condition->place);
    }
    if (action_limit_) writer_.comparison(Section::constraints, *action_limit_);
    write_object_ranges();
    for (const GroundCondition& goal : model_.goals)
      write_condition(Section::goal, goal.node, false, goal.place);
    for (const GroundCondition& invariant : model_.invariants) {
      write_condition(Section::goal, invariant.node, false, invariant.place);
    }
    write_definitions();
    writer_.finish(problem_);
    finish_objective();
    problem_.network = options_.network;
    problem_.network_file = options_.network_file;
    connect_network(problem_, network_lines());
    problem_.view = domain_view(domain_facts(model_, problem_));
    if (options_.reachable_ranges) problem_.longest = horizon();
    if (options_.horizon) set_horizon(problem_, *options_.horizon);
    validate(problem_);
    return std::move(problem_);
  }

  Problem variables_only() {
    declare(true);
    return std::move(problem_);
  }

 private:
  // A variable beyond those of the model, and what it is defined as: an auxiliary one, or the next value of a
  // state variable made for the reward.
  struct Extra {
    std::uint32_t slot;
    NodeId node;
  };

  int horizon() const {
    const std::int64_t steps = options_.horizon.value_or(model_.horizon);
    if (steps < 1 || steps > horizon_limit)
      throw RddlError(model_.instance_place, "ranges by what can be reached need a horizon");
    return static_cast<int>(steps);
  }

  const NetworkNameLines* network_lines() const {
    return options_.network_lines ? &*options_.network_lines : nullptr;
  }

  // What is compiled now, and how far; both look at the limits.
  void begin(const SourcePlace& place, std::string what) {
    progress_.place = place;
    progress_.what = std::move(what);
    progress_.covered = progress_.covers = 0;
    report(0, 0);
  }
  void report(int table_bits, double share) {
    if (options_.watch != nullptr) options_.watch->check();
    progress_.table_bits = table_bits;
    progress_.table_share = share;
    if (options_.progress) options_.progress(progress_);
  }

  // The two parts of making clauses of a table: its rows are evaluated, then covered, twice for each bit. Which
  // of them takes longer depends on how regular the table is.
  Tabulation tabulated(NodeId node, const std::vector<TableVariable>& inputs, const RowFilter& filter,
                       const std::vector<Interval>& ranges) {
    const int bits = inputs.empty() ? 0 : inputs.back().first + inputs.back().bits;
    return tabulate(model_.nodes, node, inputs, filter, ranges, [&](std::size_t row) {
      report(bits, static_cast<double>(row) / static_cast<double>(std::size_t{1} << bits));
    });
  }

  std::vector<const GroundCondition*> conditions() const {
    std::vector<const GroundCondition*> result;
    for (const GroundCondition& constraint : model_.constraints) result.push_back(&constraint);
    for (const GroundCondition& invariant : model_.invariants) result.push_back(&invariant);
    return result;
  }

  // Variables: state and action of the model, those intermediate ones that are needed, those of the reward.
  void declare(bool all_intermediate) {
    problem_.name = model_.instance_name;
    problem_.horizon = model_.horizon;
    problem_.state = layout_.state;
    problem_.action = layout_.action;
    for (const auto& [list, first, next] :
         {std::tuple(&layout_.state, 0u, false), std::tuple(&layout_.action, model_.first_action(), false),
          std::tuple(&layout_.state, model_.first_next(), true)}) {
      for (std::uint32_t i = 0; i < list->variables.size(); ++i)
        name_slot(first + i, list->variables[i], next);
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
  std::uint32_t new_auxiliary(Variable variable, const Interval& range) {
    const std::uint32_t slot = next_extra_slot_++;
    layout_.ranges.resize(slot + 1, {false, {}, {}});
    layout_.ranges[slot] = range;
    name_slot(slot, variable, false);
    problem_.auxiliary.add(std::move(variable));
    return slot;
  }

  std::uint32_t new_gate(bool boolean, const Interval& range) {
    const std::string name = fmt::format("gate[{}]", ++gate_count_);
    Variable variable;
    variable.name = name;
    if (!boolean) variable = variable_for_range(name, floor(range.low), ceiling(range.high));
    return new_auxiliary(std::move(variable), range);
  }

  // An auxiliary variable says whether the episode is over: then the state stays, all is legal and nothing is gained.
  void end_at_termination() {
    if (!model_.termination) return;
    NodePool& nodes = model_.nodes;
    const SourcePlace place = model_.termination->place;
    Variable variable;
    variable.name = "terminated";
    const std::uint32_t slot = new_auxiliary(variable, {true, make_rational(0), make_rational(1)});
    extras_.push_back({slot, model_.termination->node});
    const NodeId over = nodes.variable(slot, NodeKind::boolean, place);
    for (GroundDefinition& definition : model_.order) {
      if (definition.slot < model_.first_next()) continue;
      GroundVariable& state = model_.state[definition.slot - model_.first_next()];
      const NodeId stays = nodes.variable(
          definition.slot - model_.first_next(),
          state.kind == ValueKind::boolean ? NodeKind::boolean : NodeKind::integer, state.place);
      definition.node = nodes.make(NodeOperation::choose, {over, stays, definition.node}, state.place);
      state.definition = definition.node;
    }
    for (GroundCondition& constraint : model_.constraints)
      constraint.node = nodes.make(NodeOperation::logical_or, {over, constraint.node}, constraint.place);
    const NodeId nothing = nodes.constant(Rational{}, NodeKind::integer);
    if (model_.reward)
      model_.reward = nodes.make(NodeOperation::choose, {over, nothing, *model_.reward}, place);
  }

  void name_slot(std::uint32_t slot, const Variable& variable, bool next) {
    writer_.name_slot(slot, {variable.name, next, variable.bits, variable.boolean, variable.twos_complement});
  }

  // In the order of definitions, because the range of one follows from those it depends on.
  void declare_intermediate(bool all) {
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

  // The values of an expression at legal steps: exact where it can be tabulated, else by intervals.
  Interval range_of(NodeId node) {
    const auto inputs = support(node);
    if (!inputs) return evaluate_interval(model_.nodes, node, layout_.ranges);
    const Tabulation table = tabulated(node, *inputs, filter_for(*inputs), layout_.ranges);
    Interval range{false, {}, {}};
    for (std::size_t row = 0; row < table.values.size(); ++row) {
      if (!table.possible[row]) continue;
      const Rational value = make_rational(table.values[row]);
      range = {true, range.known ? std::min(range.low, value) : value,
               range.known ? std::max(range.high, value) : value};
    }
    return range.known ? range : point_interval(0);  // no legal step at all
  }

  std::set<std::uint32_t> needed_intermediate() const {
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

  // The support of a node as inputs of a table; nothing if it has too many bits.
  std::optional<std::vector<TableVariable>> support(NodeId node) const {
    std::vector<TableVariable> inputs;
    int bits = 0;
    for (const std::uint32_t slot : slots_of(model_.nodes, node)) {
      const SlotVariable& variable = writer_.variable(slot);
      inputs.push_back({slot, bits, variable.bits, variable.twos_complement});
      bits += variable.bits;
      if (bits > options_.table_bits) return std::nullopt;
    }
    return inputs;
  }

  std::vector<TableVariable> support_or_refuse(NodeId node, const SourcePlace& place,
                                               std::string_view what) const {
    if (auto inputs = support(node)) return std::move(*inputs);
    int bits = 0;
    for (const std::uint32_t slot : slots_of(model_.nodes, node)) bits += writer_.variable(slot).bits;
    throw RddlError(place,
                    fmt::format("{} is not linear, and it depends on {} bits, too many to tabulate: expected "
                                "at most {} (interm-fluents for its parts help)",
                                what, bits, options_.table_bits));
  }

  RowFilter filter_for(const std::vector<TableVariable>& inputs) const {
    std::vector<std::uint32_t> slots;
    for (const TableVariable& input : inputs) slots.push_back(input.slot);
    return step_conditions_.about(slots, layout_.ranges);
  }

  std::vector<Cube> cover(const TruthTable& must, const TruthTable& may, const SourcePlace& place,
                          std::string_view what) {
    report(must.inputs, 1);
    auto cubes = prime_cover(must, may, options_.clause_limit, [&] { report(must.inputs, 1); });
    if (!cubes) {
      throw RddlError(place, fmt::format("{} needs more than {} clauses", what, options_.clause_limit));
    }
    ++progress_.covered;
    std::sort(cubes->begin(), cubes->end());
    return std::move(*cubes);
  }

  void write_condition(Section section, NodeId node, bool negated, const SourcePlace& place) {
    const NodePool& pool = model_.nodes;
    const NodeOperation operation = pool[node].operation;
    if (operation == NodeOperation::logical_not) {
      return write_condition(section, pool.operands(node)[0], !negated, place);
    }
    if (operation == (negated ? NodeOperation::logical_or : NodeOperation::logical_and)) {
      for (const NodeId operand : pool.operands(node)) write_condition(section, operand, negated, place);
      return;
    }
    if (negated ? surely_false(pool, node, natural_ranges()) : surely_true(pool, node, natural_ranges()))
      return;
    if (negated ? surely_true(pool, node, natural_ranges()) : surely_false(pool, node, natural_ranges())) {
      return writer_.falsity(section);
    }
    try {
      if (const auto comparison = linear_comparison(pool, node, negated)) {
        return writer_.comparison(section, *comparison);
      }
    } catch (const OverflowError& error) {
      throw RddlError(place, error.what());
    }
    std::vector<ProblemWriter::Literal> literals;
    if (collect_clause(node, negated, literals)) return writer_.clause(section, literals);
    if (section == Section::constraints && !support(node)) {
      begin(place, "a condition");
      return with_place(place, [&] { gates_.require(section, node, negated); });
    }
    tabulate_condition(section, node, negated, place);
  }

  // Whether the condition is an or of literals.
  bool collect_clause(NodeId node, bool negated, std::vector<ProblemWriter::Literal>& literals) const {
    const NodePool& pool = model_.nodes;
    const NodeOperation operation = pool[node].operation;
    if (operation == NodeOperation::logical_not)
      return collect_clause(pool.operands(node)[0], !negated, literals);
    if (operation == NodeOperation::variable) {
      literals.push_back({{pool[node].first, 0}, !negated});
      return true;
    }
    if (operation != (negated ? NodeOperation::logical_and : NodeOperation::logical_or)) return false;
    const auto operands = pool.operands(node);
    return std::all_of(operands.begin(), operands.end(),
                       [&](NodeId operand) { return collect_clause(operand, negated, literals); });
  }

  void tabulate_condition(Section section, NodeId node, bool negated, const SourcePlace& place) {
    const std::vector<TableVariable> inputs = support_or_refuse(node, place, "this condition");
    begin(place, "a condition");
    // Constraints need not hold in the last state: there, any value that the bits can say may occur.
    const auto& ranges = section == Section::goal ? natural_ranges() : layout_.ranges;
    const Tabulation table = tabulated(node, inputs, {}, ranges);
    TruthTable broken(table.inputs), may_be(table.inputs);
    for (std::size_t row = 0; row < broken.rows(); ++row) {
      const bool holds = (table.values[row] != 0) != negated;
      if (table.possible[row] && !holds) broken.set(row);
      if (!table.possible[row] || !holds) may_be.set(row);
    }
    progress_.covers = 1;
    for (const Cube& cube : cover(broken, may_be, place, "this condition")) {
      writer_.clause(section, writer_.excluding(table, cube));
    }
  }

  template <class Work>
  static void with_place(const SourcePlace& place, Work work) {
    try {
      work();
    } catch (const OverflowError& error) {
      throw RddlError(place, error.what());
    }
  }

  // What the bits alone allow: a bound that only a constraint gives must be written.
  const std::vector<Interval>& natural_ranges() {
    if (natural_ranges_.size() == layout_.ranges.size()) return natural_ranges_;
    natural_ranges_ = layout_.ranges;
    for (std::uint32_t slot = 0; slot < layout_.ranges.size(); ++slot) {
      if (!writer_.has(slot)) continue;
      const SlotVariable& variable = writer_.variable(slot);
      const std::int64_t low = variable.twos_complement ? -(std::int64_t{1} << (variable.bits - 1)) : 0;
      const std::int64_t high =
          (std::int64_t{1} << (variable.twos_complement ? variable.bits - 1 : variable.bits)) - 1;
      natural_ranges_[slot] = {true, make_rational(low), make_rational(high)};
    }
    return natural_ranges_;
  }

  // At most so many actions differ from their default. Differs is a literal for a Boolean, otherwise an
  // auxiliary variable.
  void read_action_limit() {
    if (!model_.max_nondefault_actions ||
        *model_.max_nondefault_actions >= static_cast<std::int64_t>(model_.action.size())) {
      return;
    }
    LinearComparison limit;
    limit.comparison = FormComparison::at_most_zero;
    limit.form.constant = make_rational(-*model_.max_nondefault_actions);
    for (std::uint32_t i = 0; i < model_.action.size(); ++i) {
      const std::uint32_t slot = model_.first_action() + i;
      const GroundVariable& variable = model_.action[i];
      LinearForm differs;
      if (variable.kind == ValueKind::boolean) {
        differs.constant = make_rational(variable.initial);
        differs.terms[slot] = make_rational(variable.initial != 0 ? -1 : 1);
      } else {
        const NodeId value = model_.nodes.variable(slot, NodeKind::integer, variable.place);
        const NodeId usual = model_.nodes.constant(make_rational(variable.initial), NodeKind::integer);
        const NodeId same = model_.nodes.make(NodeOperation::equal, {value, usual}, variable.place);
        const NodeId node = model_.nodes.make(NodeOperation::logical_not, {same}, variable.place);
        Variable auxiliary;
        auxiliary.name = fmt::format("nondefault[{}]", variable.name);
        const std::uint32_t extra = new_auxiliary(auxiliary, {true, make_rational(0), make_rational(1)});
        extras_.push_back({extra, node});
        differs.terms[extra] = make_rational(1);
      }
      limit.form.add(differs, make_rational(1));
    }
    action_limit_ = limit;
  }

  // The bits of an object can say numbers that no object has.
  void write_object_ranges() {
    for (std::uint32_t slot = 0; slot < model_.first_intermediate(); ++slot) {
      const GroundVariable& variable = model_.variable(slot);
      if (variable.kind != ValueKind::object) continue;
      if (variable.object_count == std::int64_t{1} << writer_.variable(slot).bits) continue;
      LinearComparison range;
      range.comparison = FormComparison::at_most_zero;
      range.form.terms[slot] = make_rational(1);
      range.form.constant = make_rational(1 - variable.object_count);
      writer_.comparison(Section::constraints, range);
      if (slot < model_.first_action()) writer_.comparison(Section::goal, range);
    }
  }

  void write_definitions() {
    progress_.definitions = extras_.size();
    for (const GroundDefinition& definition : model_.order)
      progress_.definitions += writer_.has(definition.slot);
    for (const GroundDefinition& definition : model_.order) {
      const std::uint32_t slot = definition.slot;
      if (!writer_.has(slot)) continue;
      const GroundVariable& variable = model_.variable(slot);
      std::vector<bool> skipped(static_cast<std::size_t>(writer_.variable(slot).bits), false);
      if (slot >= model_.first_next()) {
        const auto first = layout_.state.first_bit[slot - model_.first_next()];
        for (std::size_t b = 0; b < skipped.size(); ++b) skipped[b] = learned_[first + b];
      }
      define(slot, definition.node, skipped, variable.place, fmt::format("the cpf of '{}'", variable.name));
    }
    for (std::size_t i = 0; i < extras_.size(); ++i) {  // gates add some
      const Extra extra = extras_[i];
      const std::size_t bits = static_cast<std::size_t>(writer_.variable(extra.slot).bits);
      define(extra.slot, extra.node, std::vector<bool>(bits, false), model_.nodes.place(extra.node),
             fmt::format("'{}'", writer_.variable(extra.slot).name));
    }
  }

  void define(std::uint32_t target, NodeId node, const std::vector<bool>& skipped, const SourcePlace& place,
              const std::string& what) {
    ++progress_.definition;
    begin(place, what);
    if (std::find(skipped.begin(), skipped.end(), false) == skipped.end()) return;
    if (std::find(skipped.begin(), skipped.end(), true) == skipped.end() && define_linear(target, node))
      return;
    const bool whole = std::find(skipped.begin(), skipped.end(), true) == skipped.end();
    if (whole && !support(node)) return with_place(place, [&] { gates_.define(target, node); });
    const std::vector<TableVariable> inputs = support_or_refuse(node, place, what);
    const Tabulation table = tabulated(node, inputs, filter_for(inputs), layout_.ranges);
    const SlotVariable& variable = writer_.variable(target);
    const std::int64_t low = variable.twos_complement ? -(std::int64_t{1} << (variable.bits - 1)) : 0;
    const std::int64_t high = low + (std::int64_t{1} << variable.bits) - 1;
    progress_.covers = 2 * static_cast<int>(std::count(skipped.begin(), skipped.end(), false));
    for (int b = 0; b < variable.bits; ++b) {
      if (skipped[static_cast<std::size_t>(b)]) continue;
      for (const bool value : {true, false}) {
        TruthTable must(table.inputs), may(table.inputs);
        for (std::size_t row = 0; row < must.rows(); ++row) {
          const bool fits = table.values[row] >= low && table.values[row] <= high;
          const bool here = !fits || ((table.values[row] >> b & 1) != 0) == value;
          if (table.possible[row] && here) must.set(row);
          if (!table.possible[row] || here) may.set(row);
        }
        for (const Cube& cube : cover(must, may, place, what)) {
          std::vector<ProblemWriter::Literal> literals = {{{target, b}, value}};
          const auto excluding = writer_.excluding(table, cube);
          literals.insert(literals.end(), excluding.begin(), excluding.end());
          writer_.clause(Section::transitions, literals);
        }
      }
    }
  }

  bool define_linear(std::uint32_t target, NodeId node) {
    try {
      const auto form = linear_form(model_.nodes, node);
      if (!form || !is_integer(form->constant)) return false;
      for (const auto& [slot, coefficient] : form->terms) {
        if (!is_integer(coefficient)) return false;
      }
      writer_.equation(Section::transitions, target, *form);
      return true;
    } catch (const OverflowError&) {
      return false;
    }
  }

  // The reward as a linear form over actions, next state and the observers made for the rest.
  void read_reward() {
    if (!model_.reward) return;
    const SourcePlace place = model_.nodes.place(*model_.reward);
    try {
      const auto form =
          tables_suffice(*model_.reward)
              ? linear_form(model_.nodes, *model_.reward,
                            [&](const std::vector<NodeId>& factors) {
                              return std::optional(observer_for(product_of(factors, place), ""));
                            })
              : std::optional(gates_.value(*model_.reward));
      LinearForm allowed;
      allowed.constant = form->constant;
      for (const auto& [slot, coefficient] : form->terms) {
        const SlotVariable variable = writer_.variable(slot);
        const bool direct =
            variable.next || (slot >= model_.first_action() && slot < model_.first_intermediate());
        std::uint32_t used = slot;
        if (!direct) {
          const NodeKind kind = variable.boolean ? NodeKind::boolean : NodeKind::integer;
          used = observer_for(model_.nodes.variable(slot, kind, place), variable.name);
        }
        allowed.add(LinearForm{{{used, make_rational(1)}}, {}}, coefficient);
      }
      for (const auto& [slot, coefficient] : allowed.terms) need_decimal(coefficient, place);
      need_decimal(allowed.constant, place);
      reward_ = allowed;
    } catch (const OverflowError& error) {
      throw RddlError(place, error.what());
    }
  }

  // Whether the parts of the reward that are not linear are whole numbers that can be tabulated.
  bool tables_suffice(NodeId reward) {
    bool suffice = true;
    const SourcePlace place = model_.nodes.place(reward);
    linear_form(model_.nodes, reward, [&](const std::vector<NodeId>& factors) {
      const NodeId part = product_of(factors, place);
      suffice = suffice && model_.nodes[part].kind < NodeKind::real && support(part) &&
                evaluate_interval(model_.nodes, part, layout_.ranges).known;
      return std::optional<std::uint32_t>(0);
    });
    return suffice;
  }

  static void need_decimal(const Rational& number, const SourcePlace& place) {
    if (decimal_of(number)) return;
    throw RddlError(place,
                    fmt::format("the reward has the coefficient {}, which is no decimal number: expected a "
                                "multiple of the reward in which it is one",
                                to_string(number)));
  }

  NodeId product_of(const std::vector<NodeId>& factors, const SourcePlace& place) {
    return factors.size() == 1 ? factors.front() : model_.nodes.make(NodeOperation::multiply, factors, place);
  }

  // The slot of the next value of a state variable that repeats a part of the reward.
  std::uint32_t observer_for(NodeId node, const std::string& name) {
    const SourcePlace& place = model_.nodes.place(node);
    const Interval range = evaluate_interval(model_.nodes, node, layout_.ranges);
    if (model_.nodes[node].kind == NodeKind::real || !range.known) {
      throw RddlError(place,
                      "the reward is not linear, and this part of it is not an integer with known bounds");
    }
    const std::string full_name =
        fmt::format("reward[{}]", name.empty() ? std::to_string(extras_.size() + 1) : name);
    Variable variable;
    variable.name = full_name;
    if (model_.nodes[node].kind != NodeKind::boolean) {
      variable = variable_for_range(full_name, floor(range.low), ceiling(range.high));
    }
    const std::uint32_t slot = next_extra_slot_++;
    layout_.ranges.resize(slot + 1, {false, {}, {}});
    layout_.ranges[slot] = range;
    name_slot(slot, variable, true);
    problem_.state.add(variable);
    problem_.initial.resize(problem_.state.bit_count(), 0);
    extras_.push_back({slot, node});
    return slot;
  }

  void finish_objective() {
    if (!reward_ || (reward_->terms.empty() && reward_->constant == Rational{})) return;
    const bool cost = reward_->constant <= Rational{} &&
                      std::all_of(reward_->terms.begin(), reward_->terms.end(),
                                  [](const auto& term) { return term.second < Rational{}; });
    LinearForm shown;
    shown.add(*reward_, make_rational(cost ? -1 : 1));
    try {
      problem_.objective = parse_objective(writer_.sum_text(shown), !cost, problem_, NameTable(problem_));
    } catch (const ExpressionError& error) {
      throw InputError(fmt::format("the reward: {}", error.what()));
    }
  }

  GroundModel model_;  // a copy: compiling adds a few expressions
  const CompileOptions& options_;
  BitLayout layout_;
  Problem problem_;
  ProblemWriter writer_;
  std::vector<bool> learned_;       // per state bit
  StepConditions step_conditions_;  // hold at every step, so other rows of tables do not matter
  std::vector<Extra> extras_;
  std::optional<LinearForm> reward_;
  std::optional<LinearComparison> action_limit_;
  std::vector<Interval> natural_ranges_;
  std::uint32_t next_extra_slot_ = 0;
  std::size_t gate_count_ = 0;
  GateWriter gates_;
  CompileProgress progress_;
};

}  // namespace

Problem compile_problem(const GroundModel& model, const CompileOptions& options) {
  return ProblemCompiler(model, options).compile();
}

std::vector<std::string> compile_notes(const GroundModel& model, const CompileOptions& options) {
  std::vector<std::string> notes;
  if (has_random_parts(model))
    notes.push_back(fmt::format("random outcomes: {}", determinization_text(options.determinization)));
  const auto observed = std::count_if(model.intermediate.begin(), model.intermediate.end(),
                                      [](const GroundVariable& variable) { return variable.observed; });
  if (observed > 0)
    notes.push_back(fmt::format("{} left out: the state is known", count_text(observed, "observation")));
  if (model.discount != make_rational(1))
    notes.push_back(
        fmt::format("a discount of {} is ignored: rewards are summed", to_string(model.discount)));
  for (const std::string& goal : options.goals) notes.push_back(fmt::format("goal: {}", printable(goal)));
  if (options.reachable_ranges) {
    notes.push_back(
        fmt::format("ranges of integers without bounds are what {} steps reach: not for longer plans",
                    options.horizon.value_or(model.horizon)));
  }
  return notes;
}

Problem compile_variables(const GroundModel& model, const GivenBits& bits) {
  CompileOptions options;
  options.bits = bits;
  return ProblemCompiler(model, options).variables_only();
}

}  // namespace bnnplan
