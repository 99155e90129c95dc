// Conditions of a step, of every state and of the last one: linear comparisons are kept, an or of literals is
// a clause, other formulas over few bits are tabulated and the rows that break them covered by prime
// implicants, and large ones become gates.
#include <algorithm>

#include <fmt/format.h>

#include "bnnplan/rddl/compile/prime_cover.hpp"
#include "bnnplan/rddl/compile/problem_compiler.hpp"

namespace bnnplan::rddl {

std::vector<const GroundCondition*> ProblemCompiler::conditions() const {
  std::vector<const GroundCondition*> result;
  for (const GroundCondition& constraint : model_.constraints) result.push_back(&constraint);
  for (const GroundCondition& invariant : model_.invariants) result.push_back(&invariant);
  return result;
}

void ProblemCompiler::write_condition(Section section, const GroundCondition& condition) {
  for (const auto& [part, negated] : conjuncts_of(model_.nodes, condition.node))
    write_conjunct(section, part, negated, condition.place);
}

void ProblemCompiler::write_conjunct(Section section, NodeId node, bool negated, const SourcePlace& place) {
  const NodePool& pool = model_.nodes;
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
  if (section == Section::goal && !support(node)) return watch_last_state(node, negated, place);
  tabulate_condition(section, node, negated, place);
}

// Gates are auxiliary variables of a step, and the last state has no step. So a state variable records
// whether the condition holds in each state, by gates over the next state of the step that leads to it, and
// the goal is that variable.
void ProblemCompiler::watch_last_state(NodeId node, bool negated, const SourcePlace& place) {
  const Variable variable{.name = fmt::format("goal[{}]", ++watched_count_)};
  NodeId watched = of_next_state(node);
  if (negated) watched = model_.nodes.make(Operation::logical_not, {watched}, place);
  const Interval truth = interval_of(0, 1);
  new_observer(variable, truth, watched);
  const std::uint32_t now = new_slot(variable, truth, false);
  writer_.clause(Section::goal, {{{now, 0}, true}});
}

// Moves an expression from the state to the next state.
NodeId ProblemCompiler::of_next_state(NodeId id) {
  NodePool& nodes = model_.nodes;
  const Node node = nodes[id];
  const SourcePlace place = nodes.place(id);
  if (node.operation == Operation::constant) return id;
  if (node.operation == Operation::variable)
    return nodes.variable(model_.first_next() + node.first, node.kind, place);
  std::vector<NodeId> operands(nodes.operands(id).begin(), nodes.operands(id).end());
  for (NodeId& operand : operands) operand = of_next_state(operand);
  return nodes.like(node, std::move(operands), place);
}

// Whether the condition is an or of literals.
bool ProblemCompiler::collect_clause(NodeId node, bool negated,
                                     std::vector<ProblemWriter::Literal>& literals) const {
  const NodePool& pool = model_.nodes;
  const Operation operation = pool[node].operation;
  if (operation == Operation::logical_not) return collect_clause(pool.operands(node)[0], !negated, literals);
  if (operation == Operation::variable) {
    literals.push_back({{pool[node].first, 0}, !negated});
    return true;
  }
  if (operation != (negated ? Operation::logical_and : Operation::logical_or)) return false;
  const auto operands = pool.operands(node);
  return std::all_of(operands.begin(), operands.end(),
                     [&](NodeId operand) { return collect_clause(operand, negated, literals); });
}

void ProblemCompiler::tabulate_condition(Section section, NodeId node, bool negated,
                                         const SourcePlace& place) {
  const std::vector<TableVariable> inputs = support_or_refuse(node, place, "this condition");
  begin(place, "a condition");
  // Constraints need not hold in the last state: any value that the bits can encode may occur there.
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

// What the bits alone allow: a bound that comes only from a constraint must be written.
const std::vector<Interval>& ProblemCompiler::natural_ranges() {
  if (natural_ranges_.size() == layout_.ranges.size()) return natural_ranges_;
  natural_ranges_ = layout_.ranges;
  for (std::uint32_t slot = 0; slot < layout_.ranges.size(); ++slot) {
    if (!writer_.has(slot)) continue;
    const SlotVariable& variable = writer_.variable(slot);
    natural_ranges_[slot] = interval_of(lowest_value(variable), highest_value(variable));
  }
  return natural_ranges_;
}

// At most max_nondefault_actions actions differ from their default. For a Boolean, "differs" is a literal;
// otherwise it is an auxiliary variable.
void ProblemCompiler::read_action_limit() {
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
      const NodeId same = model_.nodes.make(Operation::equal, {value, usual}, variable.place);
      const NodeId node = model_.nodes.make(Operation::logical_not, {same}, variable.place);
      const std::uint32_t extra =
          new_auxiliary({.name = fmt::format("nondefault[{}]", variable.name)}, interval_of(0, 1));
      extras_.push_back({extra, node});
      differs.terms[extra] = make_rational(1);
    }
    limit.form.add(differs, make_rational(1));
  }
  action_limit_ = limit;
}

// The bits of an object can encode numbers that no object has.
void ProblemCompiler::write_object_ranges() {
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

}  // namespace bnnplan::rddl
