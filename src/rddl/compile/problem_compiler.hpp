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

// Per state bit: whether it is an output of the network. Outputs that are not state bits are ignored;
// connect_network reports them.
std::vector<bool> learned_bits(const VariableList& state, const std::optional<Network>& network);

// Throws InputError unless the learned bits are exactly those of the named fluents (or ground variables), at
// the line of the unexpected output if `lines` is given. Requires that `state` has the state variables of the
// model.
void check_learned(const GroundModel& model, const VariableList& state, const Network& network,
                   const std::vector<std::string>& names, const NetworkNameLines* lines);

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
  std::optional<int> function_decimals() const;
  bool hindsight() const { return options_.determinization.method == Determinization::Method::hindsight; }
  static Determinization determinization_of(const CompileOptions& options);
  int simulated_steps() const;
  GivenRanges all_ranges() const;
  bool is_variable(const std::string& name) const;
  const NetworkNameLines* network_lines() const;

  void begin(const SourcePlace& place, std::string what);
  void report(int table_bits, double share);
  Tabulation tabulated(NodeId node, const std::vector<TableVariable>& inputs, const RowFilter& filter,
                       const std::vector<Interval>& ranges);
  std::vector<const GroundCondition*> conditions() const;

  void declare(bool all_intermediate);
  std::uint32_t new_auxiliary(Variable variable, const Interval& range);
  std::uint32_t new_slot(const Variable& variable, const Interval& range, bool next);
  std::uint32_t new_gate(bool boolean, const Interval& range);
  std::string smaller_numbers() const;  // advice
  void end_at_termination();
  void name_slot(std::uint32_t slot, const Variable& variable, bool next);
  void declare_intermediate(bool all);
  Interval range_of(NodeId node);
  std::set<std::uint32_t> needed_intermediate() const;

  std::optional<std::vector<TableVariable>> support(NodeId node) const;
  std::vector<TableVariable> support_or_refuse(NodeId node, const SourcePlace& place,
                                               std::string_view what) const;
  RowFilter filter_for(const std::vector<TableVariable>& inputs) const;
  std::vector<Cube> cover(const TruthTable& must, const TruthTable& may, const SourcePlace& place,
                          std::string_view what);

  void write_condition(Section section, const GroundCondition& condition);
  void write_conjunct(Section section, NodeId node, bool negated, const SourcePlace& place);
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
  const std::vector<Interval>& natural_ranges();

  void read_action_limit();
  void write_object_ranges();

  void write_definitions();
  void define(std::uint32_t target, NodeId node, const std::vector<bool>& skipped, const SourcePlace& place,
              const std::string& what);
  bool define_linear(std::uint32_t target, NodeId node);
  bool define_rounded(std::uint32_t target, NodeId node);

  void read_reward();
  bool tables_suffice(NodeId reward);
  NodeId product_of(const std::vector<NodeId>& factors, const SourcePlace& place);
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
