#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "bnnplan/base/checked.hpp"
#include "bnnplan/rddl/compile/compile_problem.hpp"
#include "bnnplan/rddl/compile/gate_writer.hpp"
#include "bnnplan/rddl/compile/problem_writer.hpp"
#include "bnnplan/rddl/compile/step_conditions.hpp"
#include "bnnplan/rddl/compile/tabulate.hpp"

namespace bnnplan::rddl {

// One compilation, implemented in compile_problem.cpp (variables), condition_clauses.cpp,
// definition_clauses.cpp and reward_form.cpp.
class ProblemCompiler {
 public:
  ProblemCompiler(const GroundModel& model, const CompileOptions& options);
  Problem compile();
  const GivenRanges& simulated() const { return simulated_; }
  Problem variables_only();

 private:
  // A variable in addition to those of the model, and its definition: an auxiliary one, or the next value of
  // a state variable made for the reward.
  struct Extra {
    std::uint32_t slot;
    NodeId node;
  };

  int horizon() const;
  // One more than the finest real fluent.
  std::optional<int> function_decimals() const;
  bool hindsight() const { return options_.determinization.method == Determinization::Method::hindsight; }
  static Determinization determinization_of(const CompileOptions& options);
  int simulated_steps() const;
  GivenRanges all_ranges() const;
  bool is_variable(const std::string& name) const;
  const NetworkNameLines* network_lines() const;

  // Set what is being compiled, and how far it has got; both check the limits.
  void begin(const SourcePlace& place, std::string what);
  void report(int table_bits, double share);
  // Tables become clauses in two steps: rows are evaluated, then covered, twice for each bit. Which takes
  // longer depends on how regular the table is.
  Tabulation tabulated(NodeId node, const std::vector<TableVariable>& inputs, const RowFilter& filter,
                       const std::vector<Interval>& ranges);
  std::vector<const GroundCondition*> conditions() const;

  // Variables: state and action of the model, the intermediate ones that are needed, those of the reward.
  void declare(bool all_intermediate);
  // A new auxiliary variable with this range.
  std::uint32_t new_auxiliary(Variable variable, const Interval& range);
  std::uint32_t new_gate(bool boolean, const Interval& range);
  std::string smaller_numbers() const;  // advice
  // An auxiliary variable is true once the episode is over: then the state stays the same, everything is
  // legal and the reward is 0.
  void end_at_termination();
  void name_slot(std::uint32_t slot, const Variable& variable, bool next);
  // In the order of definitions, because the range of a variable follows from those it depends on.
  void declare_intermediate(bool all);
  // The values of an expression at legal steps: exact if it can be tabulated, otherwise by intervals.
  Interval range_of(NodeId node);
  std::set<std::uint32_t> needed_intermediate() const;

  // The support of a node as inputs of a table; nothing if it has too many bits.
  std::optional<std::vector<TableVariable>> support(NodeId node) const;
  std::vector<TableVariable> support_or_refuse(NodeId node, const SourcePlace& place,
                                               std::string_view what) const;
  RowFilter filter_for(const std::vector<TableVariable>& inputs) const;
  std::vector<Cube> cover(const TruthTable& must, const TruthTable& may, const SourcePlace& place,
                          std::string_view what);

  void write_condition(Section section, const GroundCondition& condition);
  void write_conjunct(Section section, NodeId node, bool negated, const SourcePlace& place);
  // Whether the condition is an or of literals.
  bool collect_clause(NodeId node, bool negated, std::vector<ProblemWriter::Literal>& literals) const;
  void watch_last_state(NodeId node, bool negated, const SourcePlace& place);
  NodeId of_next_state(NodeId id);
  void tabulate_condition(Section section, NodeId node, bool negated, const SourcePlace& place);
  template <class Work>
  void with_place(const SourcePlace& place, Work work) const {
    try {
      work();
    } catch (const OverflowError&) {
      throw RddlError(
          place, "compiling this needs numbers of more than 64 bits: expected numbers with fewer digits, " +
                     smaller_numbers());
    } catch (const std::overflow_error& error) {  // from new_gate
      throw RddlError(place, error.what());
    }
  }
  // What the bits alone allow: a bound that comes only from a constraint must be written.
  const std::vector<Interval>& natural_ranges();

  // At most max_nondefault_actions actions differ from their default. For a Boolean, "differs" is a literal;
  // otherwise it is an auxiliary variable.
  void read_action_limit();
  // The bits of an object can encode numbers that no object has.
  void write_object_ranges();

  void write_definitions();
  void define(std::uint32_t target, NodeId node, const std::vector<bool>& skipped, const SourcePlace& place,
              const std::string& what);
  bool define_linear(std::uint32_t target, NodeId node);
  // A linear form rounded down: target <= form < target + 1.
  bool define_rounded(std::uint32_t target, NodeId node);
  static LinearForm negative(const LinearForm& form);

  // The reward as a linear form over actions, next state and the observers made for everything else.
  void read_reward();
  // Whether the non-linear parts of the reward are whole numbers that can be tabulated.
  bool tables_suffice(NodeId reward);
  NodeId product_of(const std::vector<NodeId>& factors, const SourcePlace& place);
  // The slot of the next value of a state variable that copies a part of the reward.
  std::uint32_t observer_for(NodeId node, const std::string& name);
  std::uint32_t new_observer(const Variable& variable, const Interval& range, NodeId node);
  void finish_objective();
  void put_discount();

  GroundModel model_;  // a copy: compiling adds a few expressions
  const CompileOptions& options_;
  GivenRanges simulated_;
  BitLayout layout_;
  Problem problem_;
  ProblemWriter writer_;
  std::vector<bool> learned_;       // per state bit
  StepConditions step_conditions_;  // hold at every step, so other rows of tables do not matter
  std::vector<Extra> extras_;
  std::optional<LinearForm> reward_;  // times multiple_
  std::int64_t multiple_ = 1;
  std::optional<LinearComparison> action_limit_;
  std::vector<Interval> natural_ranges_;
  std::uint32_t next_extra_slot_ = 0;
  std::size_t gate_count_ = 0;
  std::size_t watched_count_ = 0;  // by watch_last_state
  GateWriter gates_;
  CompileProgress progress_;
};

}  // namespace bnnplan::rddl
