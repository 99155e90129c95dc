// Linear properties of inputs and outputs: their meaning, and for which inputs they hold.
#include "bnnplan/query/linear_query.hpp"

#include <utility>

namespace bnnplan::verification {

namespace {

void add_terms(std::map<std::uint32_t, mpq_class>& to, const std::map<std::uint32_t, mpq_class>& from,
               const mpq_class& factor) {
  for (const auto& [index, coefficient] : from) {
    mpq_class& sum = to[index];
    sum += coefficient * factor;
    if (sum == 0) to.erase(index);
  }
}

}  // namespace

void LinearSum::add(const LinearSum& other, const mpq_class& factor) {
  add_terms(inputs, other.inputs, factor);
  add_terms(outputs, other.outputs, factor);
  constant += other.constant * factor;
}

mpq_class LinearSum::value(std::span<const mpq_class> input_values,
                           std::span<const mpq_class> output_values) const {
  mpq_class sum = constant;
  for (const auto& [index, coefficient] : inputs) sum += coefficient * input_values[index];
  for (const auto& [index, coefficient] : outputs) sum += coefficient * output_values[index];
  return sum;
}

LinearCondition LinearCondition::negated() const {
  LinearCondition result;
  result.sum.add(sum, -1);
  result.strict = !strict;
  return result;
}

std::uint32_t add_relation(LinearProperty& property, const LinearSum& left, Relation relation,
                           const LinearSum& right) {
  LinearSum above = left, below = right;
  above.add(right, -1);  // left - right
  below.add(left, -1);
  switch (relation) {
    case Relation::at_least:
      return property.add({std::move(above), false});
    case Relation::more:
      return property.add({std::move(above), true});
    case Relation::at_most:
      return property.add({std::move(below), false});
    case Relation::less:
      return property.add({std::move(below), true});
    case Relation::equal:
    case Relation::different: {
      const bool strict = relation == Relation::different;
      const std::uint32_t one = property.add({std::move(above), strict});
      const std::uint32_t other = property.add({std::move(below), strict});
      return property.add(strict ? LinearProperty::Kind::any : LinearProperty::Kind::all, {one, other});
    }
  }
  __builtin_unreachable();
}

std::uint32_t add_negated(LinearProperty& property, std::uint32_t node) {
  const LinearProperty::Node here = property.nodes[node];
  if (here.kind == LinearProperty::Kind::condition)
    return property.add(property.conditions[here.condition].negated());
  std::vector<std::uint32_t> children;
  for (const std::uint32_t child : here.children) children.push_back(add_negated(property, child));
  return property.add(
      here.kind == LinearProperty::Kind::all ? LinearProperty::Kind::any : LinearProperty::Kind::all,
      std::move(children));
}

bool holds(const LinearProperty& property, std::uint32_t node, std::span<const mpq_class> inputs,
           std::span<const mpq_class> outputs) {
  const LinearProperty::Node& here = property.nodes[node];
  if (here.kind == LinearProperty::Kind::condition) {
    const LinearCondition& condition = property.conditions[here.condition];
    const mpq_class value = condition.sum.value(inputs, outputs);
    return condition.strict ? value > 0 : value >= 0;
  }
  const bool all = here.kind == LinearProperty::Kind::all;
  for (const std::uint32_t child : here.children) {
    if (holds(property, child, inputs, outputs) != all) return !all;
  }
  return all;
}

}  // namespace bnnplan::verification
