// Recognising linear expressions. Booleans are 0 and 1, so ~x is 1 - x, and  if (x) then 3 else 1  is 1 + 2x.
#include "bnnplan/rddl/ground/linear_form.hpp"

namespace bnnplan::rddl {

void LinearForm::add(const LinearForm& other, const Rational& factor) {
  constant = constant + other.constant * factor;
  for (const auto& [slot, coefficient] : other.terms) {
    Rational& sum = terms[slot];
    sum = sum + coefficient * factor;
    if (sum == Rational{}) terms.erase(slot);
  }
}

LinearForm operator*(const LinearForm& form, const Rational& factor) {
  LinearForm result;
  result.add(form, factor);
  return result;
}

namespace {

const Rational one = {1, 1}, minus_one = {-1, 1};

class LinearReader {
 public:
  LinearReader(const NodePool& pool, const SlotForProduct& atom) : pool_(pool), atom_(atom) {}

  std::optional<LinearForm> read(NodeId id) const {
    std::optional<LinearForm> form = structural(id);
    return form ? form : atom({id});
  }

 private:
  std::optional<LinearForm> structural(NodeId id) const {
    // Copies, because `atom` may add expressions to the pool.
    const Node node = pool_[id];
    const auto in_pool = pool_.operands(id);
    const std::vector<NodeId> operands(in_pool.begin(), in_pool.end());
    LinearForm result;
    switch (node.operation) {
      case Operation::constant:
        if (node.kind == NodeKind::floating) return std::nullopt;
        result.constant = node.number;
        return result;
      case Operation::variable:
        result.terms[node.first] = one;
        return result;
      case Operation::logical_not: {
        const auto operand = read(operands[0]);
        if (!operand) return std::nullopt;
        result.constant = one;
        result.add(*operand, minus_one);
        return result;
      }
      case Operation::add:
        for (const NodeId operand : operands) {
          const auto form = read(operand);
          if (!form) return std::nullopt;
          result.add(*form, one);
        }
        return result;
      case Operation::multiply:
        return product(operands);
      case Operation::choose:
        return choice(operands);
      default:
        return std::nullopt;
    }
  }

  bool is_fraction(NodeId id) const { return pool_.is_constant(id) && pool_[id].kind != NodeKind::floating; }

  std::optional<LinearForm> atom(const std::vector<NodeId>& factors) const {
    const auto slot = atom_ ? atom_(factors) : std::nullopt;
    if (!slot) return std::nullopt;
    return LinearForm{{{*slot, one}}, {}};
  }

  std::optional<LinearForm> product(std::span<const NodeId> operands) const {
    Rational factor = one;
    std::vector<NodeId> open;
    for (const NodeId operand : operands) {
      if (is_fraction(operand)) {
        factor = factor * pool_[operand].number;
      } else {
        open.push_back(operand);
      }
    }
    const auto form = open.empty() ? LinearForm{{}, one} : open.size() == 1 ? read(open.front()) : atom(open);
    if (!form) return std::nullopt;
    return *form * factor;
  }

  std::optional<LinearForm> choice(std::span<const NodeId> operands) const {
    if (operands.size() != 3 || !is_fraction(operands[1]) || !is_fraction(operands[2])) return std::nullopt;
    const auto condition = read(operands[0]);
    if (!condition) return std::nullopt;
    LinearForm result;
    result.constant = pool_[operands[2]].number;
    result.add(*condition, pool_[operands[1]].number - pool_[operands[2]].number);
    return result;
  }

  const NodePool& pool_;
  const SlotForProduct& atom_;
};

}  // namespace

std::optional<LinearForm> linear_form(const NodePool& pool, NodeId node, const SlotForProduct& atom) {
  return LinearReader(pool, atom).read(node);
}

std::optional<LinearComparison> linear_comparison(const NodePool& pool, NodeId node, bool negated) {
  const Operation operation = pool[node].operation;
  if (operation != Operation::equal && operation != Operation::less && operation != Operation::at_most) {
    return std::nullopt;
  }
  const auto operands = pool.operands(node);
  const auto left = linear_form(pool, operands[0]);
  const auto right = linear_form(pool, operands[1]);
  if (!left || !right) return std::nullopt;
  LinearComparison result;
  if (operation == Operation::equal) {
    result.comparison = FormComparison::zero;
    result.form = *left;
    if (!negated) {
      result.form.add(*right, minus_one);
      return result;
    }
    const bool booleans =
        pool[operands[0]].kind == NodeKind::boolean && pool[operands[1]].kind == NodeKind::boolean;
    if (!booleans) return std::nullopt;
    result.form.add(*right, one);  // a ~= b: a + b == 1
    result.form.constant = result.form.constant - one;
    return result;
  }
  const bool strict = (operation == Operation::less) != negated;
  result.comparison = strict ? FormComparison::below_zero : FormComparison::at_most_zero;
  result.form.add(negated ? *right : *left, one);
  result.form.add(negated ? *left : *right, minus_one);
  return result;
}

}  // namespace bnnplan::rddl
