// The expression parser, by precedence climbing. From weak to strong:
//
//   if, exists_{}, sum_{} ...  (reach as far to the right as they can)
//   <=>   =>   |   ^ &   == ~= < <= > >=   + -   * /   unary ~ - +
//
// all binary operators left-associative, as in the grammars of rddlsim, pyRDDLGym and prost. Those list ~
// between & and the comparisons in their tables, but their rule for it has the precedence of the unary minus:
// ~a == b is (~a) == b. Chains of one associative operator and of else-ifs become one node with many
// operands, so that long sums and case distinctions are flat; all other nesting is limited, because
// everything later recurses over it.
#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "bnnplan/base/checked.hpp"
#include "bnnplan/rddl/language/expression_reader.hpp"

namespace bnnplan::rddl {

namespace {

struct BinaryOperator {
  std::string_view symbol;
  Operation operation;
  int strength;
};

// Counts calls of this parser: an operator and a bracket count one each.
constexpr int nesting_limit = 2 * expression_depth_limit;

constexpr BinaryOperator binary_operators[] = {
    {"<=>", Operation::equivalent, 1}, {"=>", Operation::implies, 2},    {"|", Operation::logical_or, 3},
    {"^", Operation::logical_and, 4},  {"&", Operation::logical_and, 4}, {"==", Operation::equal, 5},
    {"~=", Operation::unequal, 5},     {"<", Operation::less, 5},        {"<=", Operation::at_most, 5},
    {">", Operation::greater, 5},      {">=", Operation::at_least, 5},   {"+", Operation::add, 6},
    {"-", Operation::add, 6},          {"*", Operation::multiply, 7},    {"/", Operation::divide, 7}};
constexpr int unary_strength = 8;

bool is_chain(Operation operation) {
  return operation == Operation::logical_and || operation == Operation::logical_or ||
         operation == Operation::add || operation == Operation::multiply;
}

[[noreturn]] void too_deep(const SourcePlace& place) {
  throw RddlError(place,
                  fmt::format("the expression is nested deeper than {} levels", expression_depth_limit));
}

const BinaryOperator* binary_operator(const Token& token) {
  if (token.kind != TokenKind::symbol) return nullptr;
  for (const BinaryOperator& candidate : binary_operators) {
    if (candidate.symbol == token.text) return &candidate;
  }
  return nullptr;
}

// The nearest double of a number that is not a fraction in 64 bits, such as pi with 30 digits.
Number nearest_double(const Token& token) {
  double value = 0;
  const char* end = token.text.data() + token.text.size();
  const auto [stop, error] = std::from_chars(token.text.data(), end, value);
  if (stop != end || error != std::errc()) {
    throw RddlError(token.place,
                    fmt::format("number '{}' is too large or too small for a floating-point number",
                                printable(token.text)));
  }
  return inexact_number(value);
}

}  // namespace

RddlExpression ExpressionReader::expression(int weakest) {
  if (++nesting_ > nesting_limit) too_deep(tokens_.place());
  RddlExpression result = binary(weakest);
  --nesting_;
  return result;
}

RddlExpression ExpressionReader::literal() {
  const Token& token = tokens_.peek();
  if (token.kind == TokenKind::enumeration || token.kind == TokenKind::object) return symbol();
  if (tokens_.at_name("true") || tokens_.at_name("false")) return truth();
  if (tokens_.at_name("pos-inf") || tokens_.at_name("neg-inf")) return infinity();
  if (token.kind == TokenKind::name && !token.primed) return symbol();
  const bool negative = tokens_.accept("-");
  if (tokens_.peek().kind != TokenKind::number) {
    tokens_.fail_expected("a value: true, false, a number, an object or an @enumeration value");
  }
  RddlExpression result = number();
  if (negative) result.number = negated(result.number);
  return result;
}

RddlExpression ExpressionReader::make(Operation operation, const SourcePlace& place,
                                      std::vector<RddlExpression> operands) {
  RddlExpression result;
  result.operation = operation;
  result.place = place;
  result.operands = std::move(operands);
  for (const RddlExpression& operand : result.operands)
    result.depth = std::max(result.depth, operand.depth + 1);
  if (result.depth > expression_depth_limit) too_deep(place);
  return result;
}

RddlExpression ExpressionReader::make(Operation operation, const SourcePlace& place, RddlExpression a) {
  std::vector<RddlExpression> operands;
  operands.push_back(std::move(a));
  return make(operation, place, std::move(operands));
}

RddlExpression ExpressionReader::make(Operation operation, const SourcePlace& place, RddlExpression a,
                                      RddlExpression b) {
  std::vector<RddlExpression> operands;
  operands.push_back(std::move(a));
  operands.push_back(std::move(b));
  return make(operation, place, std::move(operands));
}

RddlExpression ExpressionReader::binary(int weakest) {
  RddlExpression left = unary();
  // Whether `left` was built by this loop: (a + b) + c is a chain only without the brackets, so that errors
  // are reported where the brackets are.
  bool chained = false;
  while (const BinaryOperator* found = binary_operator(tokens_.peek())) {
    if (found->strength < weakest) break;
    const SourcePlace place = tokens_.place();
    tokens_.take();
    RddlExpression right = expression(found->strength + 1);
    if (found->symbol == "-") right = make(Operation::negate, place, std::move(right));
    if (chained && is_chain(found->operation) && left.operation == found->operation) {
      left.depth = std::max(left.depth, right.depth + 1);
      if (left.depth > expression_depth_limit) too_deep(place);
      left.operands.push_back(std::move(right));
    } else {
      left = make(found->operation, place, std::move(left), std::move(right));
    }
    chained = true;
  }
  return left;
}

RddlExpression ExpressionReader::unary() {
  const SourcePlace place = tokens_.place();
  if (tokens_.accept("~")) return make(Operation::logical_not, place, expression(unary_strength));
  if (tokens_.accept("-")) return make(Operation::negate, place, expression(unary_strength));
  if (tokens_.accept("+")) return expression(unary_strength);
  return primary();
}

RddlExpression ExpressionReader::primary() {
  const Token& token = tokens_.peek();
  switch (token.kind) {
    case TokenKind::number:
      return number();
    case TokenKind::variable: {
      RddlExpression result;
      result.operation = Operation::parameter;
      result.place = token.place;
      result.name = tokens_.take().text;
      return result;
    }
    case TokenKind::enumeration:
    case TokenKind::object:
      return symbol();
    case TokenKind::name:
      return named();
    case TokenKind::symbol:
      for (const auto& [open, close] : {std::pair{"(", ")"}, std::pair{"[", "]"}}) {
        if (!tokens_.accept(open)) continue;
        RddlExpression result = expression();
        tokens_.expect(close, "an operator or");
        return result;
      }
      break;
    case TokenKind::end:
      break;
  }
  tokens_.fail_expected("an expression");
}

RddlExpression ExpressionReader::truth() {
  RddlExpression result;
  result.place = tokens_.place();
  result.number = exact_number(tokens_.take().text == "true" ? 1 : 0);
  result.type.kind = ValueKind::boolean;
  return result;
}

RddlExpression ExpressionReader::symbol() {
  RddlExpression result;
  result.operation = Operation::symbol;
  result.place = tokens_.place();
  result.name = tokens_.take().text;
  return result;
}

RddlExpression ExpressionReader::number() {
  const Token& token = tokens_.take();
  RddlExpression result;
  result.place = token.place;
  try {
    const auto decimal = parse_decimal(token.text);
    if (!decimal) throw RddlError(token.place, fmt::format("bad number '{}'", printable(token.text)));
    result.number = exact_number(rational_of(*decimal));
  } catch (const OverflowError&) {
    result.number = nearest_double(token);
  }
  const bool whole = result.number.exact && token.text.find_first_of(".eE") == std::string_view::npos;
  result.type.kind = whole ? ValueKind::integer : ValueKind::real;
  return result;
}

RddlExpression ExpressionReader::infinity() {
  RddlExpression result;
  result.place = tokens_.place();
  const double infinite = std::numeric_limits<double>::infinity();
  result.number = inexact_number(tokens_.take().text == "pos-inf" ? infinite : -infinite);
  result.type.kind = ValueKind::real;
  return result;
}

RddlExpression ExpressionReader::conditional() {
  const SourcePlace place = tokens_.place();
  std::vector<RddlExpression> operands;
  while (tokens_.accept_name("if")) {
    operands.push_back(expression());
    if (!tokens_.accept_name("then")) tokens_.fail_expected("an operator or 'then'");
    operands.push_back(expression());
    if (!tokens_.accept_name("else")) tokens_.fail_expected("an operator or 'else'");
  }
  operands.push_back(expression());
  return make(Operation::choose, place, std::move(operands));
}

RddlExpression ExpressionReader::selection() {
  const SourcePlace place = tokens_.place();
  tokens_.take();
  std::vector<RddlExpression> operands;
  operands.push_back(bracketed("after 'switch'"));
  tokens_.expect("{", "after the operand of switch");
  std::optional<RddlExpression> otherwise;
  do {
    const SourcePlace label = tokens_.place();
    const bool is_default = tokens_.accept_name("default");
    if (is_default && otherwise) throw RddlError(label, "a second default");
    if (!is_default) {
      if (!tokens_.accept_name("case")) tokens_.fail_expected("'case' or 'default'");
      operands.push_back(literal());
    }
    tokens_.expect(":", "after the label");
    if (is_default) {
      otherwise = expression();
    } else {
      operands.push_back(expression());
    }
  } while (tokens_.accept(","));
  tokens_.expect("}", "an operator, ',' or");
  if (otherwise) operands.push_back(std::move(*otherwise));
  return make(Operation::selection, place, std::move(operands));
}

RddlExpression parse_rddl_expression(TokenStream& tokens) { return ExpressionReader(tokens).expression(); }

RddlExpression parse_rddl_literal(TokenStream& tokens) { return ExpressionReader(tokens).literal(); }

}  // namespace bnnplan::rddl
