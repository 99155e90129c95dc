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
//
// A name with parentheses is a fluent and one with square brackets a function, so that a domain may have a
// fluent gamma(?x); only distributions and the oldest functions (abs, min, ...) may also have parentheses.
#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "bnnplan/base/checked.hpp"
#include "bnnplan/rddl/language/syntax.hpp"
#include "bnnplan/rddl/language/token_stream.hpp"

namespace bnnplan::rddl {

namespace {

struct BinaryOperator {
  std::string_view symbol;
  Operation operation;
  int strength;
};

constexpr BinaryOperator binary_operators[] = {
    {"<=>", Operation::equivalent, 1}, {"=>", Operation::implies, 2},    {"|", Operation::logical_or, 3},
    {"^", Operation::logical_and, 4},  {"&", Operation::logical_and, 4}, {"==", Operation::equal, 5},
    {"~=", Operation::unequal, 5},     {"<", Operation::less, 5},        {"<=", Operation::at_most, 5},
    {">", Operation::greater, 5},      {">=", Operation::at_least, 5},   {"+", Operation::add, 6},
    {"-", Operation::add, 6},          {"*", Operation::multiply, 7},    {"/", Operation::divide, 7}};
constexpr int unary_strength = 8;

struct ExactFunction {
  std::string_view name;
  Operation operation;
  std::size_t least, most;  // operands
  bool parentheses;         // may be used instead of brackets
};

constexpr ExactFunction exact_functions[] = {{"abs", Operation::absolute, 1, 1, true},
                                             {"ceil", Operation::ceiling, 1, 1, true},
                                             {"floor", Operation::floor, 1, 1, true},
                                             {"min", Operation::minimum, 2, 1000, true},
                                             {"max", Operation::maximum, 2, 1000, true},
                                             {"mod", Operation::modulo, 2, 2, true},
                                             {"div", Operation::integer_division, 2, 2, true},
                                             {"round", Operation::round, 1, 1, false},
                                             {"sgn", Operation::sign, 1, 1, false},
                                             {"pow", Operation::power, 2, 2, false}};

struct Aggregate {
  std::string_view name;
  Operation operation;
  Distribution distribution = Distribution::discrete;
};

constexpr Aggregate aggregates[] = {
    {"forall_", Operation::logical_and},
    {"exists_", Operation::logical_or},
    {"sum_", Operation::add},
    {"prod_", Operation::multiply},
    {"min_", Operation::minimum},
    {"max_", Operation::maximum},
    {"avg_", Operation::average},
    {"argmin_", Operation::argument_of_minimum},
    {"argmax_", Operation::argument_of_maximum},
    {"Discrete_", Operation::random},
    {"UnnormDiscrete_", Operation::random, Distribution::unnormalized_discrete}};

// Recognised, so that the error can name them.
constexpr std::string_view random_vectors[] = {"Dirichlet", "Multinomial", "MultivariateNormal",
                                               "MultivariateStudent"};
constexpr std::string_view matrix_functions[] = {"det_", "inverse", "pinverse"};

template <class Names>
bool contains(const Names& names, std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

// Counts calls of this parser: an operator and a bracket count one each.
constexpr int nesting_limit = 2 * expression_depth_limit;

[[noreturn]] void too_deep(const SourcePlace& place) {
  throw RddlError(place,
                  fmt::format("the expression is nested deeper than {} levels", expression_depth_limit));
}

RddlExpression leaf(Operation operation, const SourcePlace& place, std::string_view name) {
  RddlExpression result;
  result.operation = operation;
  result.place = place;
  result.name = name;
  return result;
}

RddlExpression literal_number(const SourcePlace& place, const Number& number, ValueKind kind) {
  RddlExpression result;
  result.place = place;
  result.number = number;
  result.type.kind = kind;
  return result;
}

RddlExpression make(Operation operation, const SourcePlace& place, std::vector<RddlExpression> operands) {
  RddlExpression result = leaf(operation, place, "");
  result.operands = std::move(operands);
  for (const RddlExpression& operand : result.operands)
    result.depth = std::max(result.depth, operand.depth + 1);
  if (result.depth > expression_depth_limit) too_deep(place);
  return result;
}

template <class... Operands>
RddlExpression make_of(Operation operation, const SourcePlace& place, Operands... each) {
  std::vector<RddlExpression> operands;
  (operands.push_back(std::move(each)), ...);
  return make(operation, place, std::move(operands));
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

class ExpressionReader {
 public:
  explicit ExpressionReader(TokenStream& tokens) : tokens_(tokens) {}

  RddlExpression expression(int weakest = 0) {
    if (++nesting_ > nesting_limit) too_deep(tokens_.place());
    RddlExpression result = binary(weakest);
    --nesting_;
    return result;
  }

  RddlExpression literal() {
    const Token& token = tokens_.peek();
    if (token.kind == TokenKind::enumeration || token.kind == TokenKind::object) return symbol();
    if (token.kind == TokenKind::name && !token.primed) return is_word() ? word() : symbol();
    const bool negative = tokens_.accept("-");
    if (tokens_.peek().kind != TokenKind::number) {
      tokens_.fail_expected("a value: true, false, a number, an object or an @enumeration value");
    }
    RddlExpression result = number();
    if (negative) result.number = negated(result.number);
    return result;
  }

 private:
  RddlExpression binary(int weakest) {
    RddlExpression left = unary();
    // Whether `left` was built by this loop: (a + b) + c is a chain only without the brackets, so that errors
    // are reported where the brackets are.
    bool chained = false;
    while (const BinaryOperator* found = binary_operator()) {
      if (found->strength < weakest) break;
      const SourcePlace place = tokens_.take().place;
      RddlExpression right = expression(found->strength + 1);
      if (found->symbol == "-") right = make_of(Operation::negate, place, std::move(right));
      const Operation operation = found->operation;
      const bool chains = operation == Operation::logical_and || operation == Operation::logical_or ||
                          operation == Operation::add || operation == Operation::multiply;
      if (chained && chains && left.operation == operation) {
        left.depth = std::max(left.depth, right.depth + 1);
        if (left.depth > expression_depth_limit) too_deep(place);
        left.operands.push_back(std::move(right));
      } else {
        left = make_of(operation, place, std::move(left), std::move(right));
      }
      chained = true;
    }
    return left;
  }

  const BinaryOperator* binary_operator() const {
    for (const BinaryOperator& candidate : binary_operators) {
      if (tokens_.at_symbol(candidate.symbol)) return &candidate;
    }
    return nullptr;
  }

  RddlExpression unary() {
    const SourcePlace place = tokens_.place();
    if (tokens_.accept("~")) return make_of(Operation::logical_not, place, expression(unary_strength));
    if (tokens_.accept("-")) return make_of(Operation::negate, place, expression(unary_strength));
    if (tokens_.accept("+")) return expression(unary_strength);
    switch (tokens_.peek().kind) {
      case TokenKind::number:
        return number();
      case TokenKind::variable:
        return leaf(Operation::parameter, place, tokens_.take().text);
      case TokenKind::enumeration:
      case TokenKind::object:
        return symbol();
      case TokenKind::name:
        return named();
      default:
        if (tokens_.at_symbol("(") || tokens_.at_symbol("[")) return bracketed("");
        tokens_.fail_expected("an expression");
    }
  }

  RddlExpression symbol() {
    const Token& token = tokens_.take();
    return leaf(Operation::symbol, token.place, token.text);
  }

  RddlExpression number() {
    const Token& token = tokens_.take();
    Number number;
    try {
      const auto decimal = parse_decimal(token.text);
      if (!decimal) throw RddlError(token.place, fmt::format("bad number '{}'", printable(token.text)));
      number = exact_number(rational_of(*decimal));
    } catch (const OverflowError&) {
      number = nearest_double(token);
    }
    const bool whole = number.exact && token.text.find_first_of(".eE") == std::string_view::npos;
    return literal_number(token.place, number, whole ? ValueKind::integer : ValueKind::real);
  }

  // true, false, pos-inf and neg-inf.
  bool is_word() const {
    return tokens_.at_name("true") || tokens_.at_name("false") || tokens_.at_name("pos-inf") ||
           tokens_.at_name("neg-inf");
  }

  RddlExpression word() {
    const Token& token = tokens_.take();
    if (token.text == "true" || token.text == "false")
      return literal_number(token.place, exact_number(token.text == "true" ? 1 : 0), ValueKind::boolean);
    const double infinite = std::numeric_limits<double>::infinity();
    return literal_number(token.place, inexact_number(token.text == "pos-inf" ? infinite : -infinite),
                          ValueKind::real);
  }

  RddlExpression conditional() {
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

  RddlExpression selection() {
    const SourcePlace place = tokens_.take().place;
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

  RddlExpression named() {
    if (is_word()) return word();
    if (tokens_.at_name("if")) return conditional();
    if (tokens_.at_name("switch")) return selection();
    for (const Aggregate& aggregate : aggregates) {
      if (tokens_.at_name(aggregate.name)) return aggregation(aggregate);
    }
    const Token token = tokens_.take();
    const bool brackets = tokens_.at_symbol("["), parentheses = tokens_.at_symbol("(");
    if (token.primed || (!brackets && !parentheses && token.text != "det_")) return fluent(token);
    if (token.text == "KronDelta" || token.text == "DiracDelta") return bracketed("after the distribution");
    if (const DistributionEntry* distribution = distribution_named(token.text)) {
      RddlExpression result =
          distribution->parameters == 0
              ? discrete_call(token.place)
              : make(Operation::random, token.place, call_operands(token, distribution->parameters));
      result.distribution = distribution->distribution;
      return result;
    }
    if (contains(random_vectors, token.text)) {
      throw RddlError(token.place, fmt::format("random vectors are not supported yet: '{}'", token.text));
    }
    if (contains(matrix_functions, token.text) && !parentheses) {
      throw RddlError(token.place,
                      fmt::format("matrix function '{}' is not supported yet, only cholesky is", token.text));
    }
    for (const ExactFunction& function : exact_functions) {
      if (function.name == token.text && (brackets || function.parentheses))
        return make(function.operation, token.place, call_operands(token, function.least, function.most));
    }
    if (!brackets) return fluent(token);
    if (token.text == "cholesky") return cholesky_call(token.place);
    if (const auto function = math_function_named(token.text)) {
      RddlExpression result =
          make(Operation::math, token.place, call_operands(token, entry_of(*function).operands));
      result.function = *function;
      return result;
    }
    throw RddlError(token.place,
                    fmt::format("unknown function '{}' (a fluent has its arguments in parentheses)",
                                printable(token.text)));
  }

  RddlExpression fluent(const Token& token) {
    std::vector<RddlExpression> arguments;
    if (tokens_.accept("(") && !tokens_.accept(")")) {
      do {
        const TokenKind kind = tokens_.peek().kind;
        if (kind == TokenKind::number || kind == TokenKind::symbol || kind == TokenKind::end)
          tokens_.fail_expected(
              "an argument: a ?variable, an object, an @enumeration value or a fluent with such values");
        arguments.push_back(expression());
      } while (tokens_.accept(","));
      tokens_.expect(")", ", or");
    }
    RddlExpression result = make(Operation::fluent, token.place, std::move(arguments));
    result.name = token.text;
    result.primed = token.primed;
    return result;
  }

  RddlExpression bracketed(std::string_view what) {
    const bool square = tokens_.at_symbol("[");
    tokens_.expect(square ? "[" : "(", what);
    RddlExpression result = expression();
    tokens_.expect(square ? "]" : ")", "an operator or");
    return result;
  }

  std::vector<RddlExpression> call_operands(const Token& name, std::size_t least, std::size_t most = 0) {
    const bool square = tokens_.accept("[");
    if (!square) tokens_.expect("(", "after the name of a function");
    std::vector<RddlExpression> operands;
    do operands.push_back(expression());
    while (tokens_.accept(","));
    tokens_.expect(square ? "]" : ")", ", or");
    const std::size_t given = operands.size();
    if (given < least || given > std::max(least, most)) {
      throw RddlError(name.place, fmt::format("'{}' has {} operand{}, expected {}{}", name.text, given,
                                              given == 1 ? "" : "s", least, most > least ? " or more" : ""));
    }
    return operands;
  }

  // Discrete(type, @a : 0.5, @b : 0.3, @c : otherwise), where otherwise is the remaining probability.
  RddlExpression discrete_call(const SourcePlace& place) {
    const bool square = tokens_.accept("[");
    if (!square) tokens_.expect("(", "after the distribution");
    const std::string type = tokens_.expect_name("the name of a type");
    std::vector<RddlExpression> operands;
    bool rest = false;
    while (!rest && tokens_.accept(",")) {
      operands.push_back(literal());
      tokens_.expect(":", "after a value");
      const SourcePlace start = tokens_.place();
      rest = tokens_.accept_name("otherwise");
      if (!rest) {
        operands.push_back(expression());
        continue;
      }
      std::vector<RddlExpression> left = {literal_number(start, exact_number(1), ValueKind::integer)};
      for (std::size_t i = 1; i < operands.size(); i += 2)
        left.push_back(make_of(Operation::negate, start, operands[i]));
      operands.push_back(make(Operation::add, start, std::move(left)));
    }
    tokens_.expect(square ? "]" : ")", ", or");
    if (operands.empty()) throw RddlError(place, "a discrete distribution without values");
    RddlExpression result = make(Operation::random, place, std::move(operands));
    result.name = type;
    return result;
  }

  // cholesky[row=?r, col=?c][m(?r, ?c)]: the entry of the factor L of m = L L^T in that row and column.
  RddlExpression cholesky_call(const SourcePlace& place) {
    tokens_.expect("[", "after 'cholesky'");
    std::vector<BoundVariable> bound;
    for (const std::string_view key : {"row", "col"}) {
      if (!bound.empty()) tokens_.expect(",", "after the row");
      if (!tokens_.accept_name(key)) tokens_.fail_expected(fmt::format("'{} = ?variable'", key));
      tokens_.expect("=", "before a variable");
      bound.push_back(bound_variable());
    }
    tokens_.expect("]", "after the column");
    RddlExpression result = make_of(Operation::cholesky, place, bracketed("after row and column"));
    result.bound = std::move(bound);
    return result;
  }

  BoundVariable bound_variable() {
    BoundVariable variable;
    variable.place = tokens_.place();
    variable.name = tokens_.expect_variable();
    return variable;
  }

  RddlExpression aggregation(const Aggregate& aggregate) {
    const SourcePlace place = tokens_.take().place;
    tokens_.expect("{", "before the variables of a quantifier");
    std::vector<BoundVariable> bound;
    do {
      bound.push_back(bound_variable());
      tokens_.expect(":", "before the type of a variable");
      bound.back().type_place = tokens_.place();
      bound.back().type_name = tokens_.expect_name("the name of a type");
    } while (tokens_.accept(","));
    tokens_.expect("}", ", or");
    const bool names_one = aggregate.operation == Operation::random ||
                           aggregate.operation == Operation::argument_of_minimum ||
                           aggregate.operation == Operation::argument_of_maximum;
    if (names_one && bound.size() > 1)
      throw RddlError(bound[1].place,
                      fmt::format("'{}' gives one object, expected one variable", aggregate.name));
    RddlExpression result = make_of(Operation::aggregate, place, expression());
    result.aggregated = aggregate.operation;
    result.distribution = aggregate.distribution;
    result.bound = std::move(bound);
    return result;
  }

  TokenStream& tokens_;
  int nesting_ = 0;
};

}  // namespace

RddlExpression parse_rddl_expression(TokenStream& tokens) { return ExpressionReader(tokens).expression(); }

RddlExpression parse_rddl_literal(TokenStream& tokens) { return ExpressionReader(tokens).literal(); }

}  // namespace bnnplan::rddl
