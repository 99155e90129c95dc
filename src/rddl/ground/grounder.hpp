#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "bnnplan/rddl/ground/ground.hpp"

namespace bnnplan::rddl {

// Builds the ground model of a task: variables, values and the order of definitions in ground.cpp,
// expressions in ground_expression.cpp.
class Grounder {
 public:
  Grounder(const RddlTask& task, const GroundingLimits& limits);

  GroundModel run();

 private:
  std::size_t instance_count(const Fluent& fluent);
  void instantiate(const Fluent& fluent);
  std::vector<GroundVariable>& variables(FluentRole role);
  // The next combination of objects; false after the last.
  bool advance(std::vector<std::uint32_t>& objects, const std::vector<std::uint32_t>& types) const;
  void assign(const RddlAssignment& assignment);
  void define_all();
  std::size_t index_of_end(const Fluent& fluent) const;
  void ground_conditions(const std::vector<RddlCondition>& conditions, std::vector<GroundCondition>& result);
  void ground_termination();
  void sort_definitions();
  [[noreturn]] void cyclic(const std::vector<std::uint32_t>& path, std::uint32_t slot) const;

  NodeId ground(const RddlExpression& expression);
  NodeId combine(const RddlExpression& expression, std::vector<NodeId> operands);
  NodeId switched(const RddlExpression& expression, const std::vector<NodeId>& operands);
  NodeId drawn(const RddlExpression& expression);
  NodeId fluent(const RddlExpression& expression);
  NodeId instance(const RddlExpression& expression, std::size_t index);
  NodeId logical(const RddlExpression& expression);
  NodeId choose(const RddlExpression& expression);
  NodeId aggregate(const RddlExpression& expression);
  NodeId whole(std::int64_t number) {
    return model_.nodes.constant(make_rational(number), NodeKind::integer);
  }
  NodeId aggregated(const RddlExpression& expression, std::vector<NodeId> operands);
  NodeId cholesky(const RddlExpression& expression);

  // Arguments number the instances of a fluent, the last one running fastest.
  template <class Argument>
  std::size_t index_of(const Fluent& fluent, Argument argument) const {
    std::size_t index = 0;
    for (std::size_t i = 0; i < fluent.parameters.size(); ++i) {
      index = index * task_.types[fluent.parameters[i]].objects.size() + argument(i);
    }
    return index;
  }

  const RddlTask& task_;
  GroundingLimits limits_;
  GroundModel model_;
  // Per fluent: its first ground variable; non-fluents are numbered separately.
  std::vector<std::size_t> first_;
  std::unordered_map<std::size_t, Number> values_;  // of non-fluents that differ from their default
  std::unordered_set<std::size_t> initial_;         // state variables that the instance initialises
  std::size_t non_fluents_ = 0;                     // number of their instances
  std::vector<std::uint32_t> environment_;
  std::size_t total_ = 0;
  std::size_t visited_ = 0;
};

}  // namespace bnnplan::rddl
