// The expression parser, by precedence climbing. From weak to strong:
//
//   if, exists_{}, sum_{} ...  (reach as far to the right as they can)
//   <=>   =>   |   ^ &   == ~= < <= > >=   + -   * /   unary ~ - +
//
// all binary operators to the left, as in the grammars of rddlsim, pyRDDLGym and prost. Those name ~ between
// & and the comparisons in their tables, but their rule for it has the precedence of the unary minus:
// ~a == b is (~a) == b. Chains of one associative operator and of else-ifs become one node with many
// operands, so that long sums and case distinctions are flat; all other nesting is limited, because
// everything later recurses over it.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/checked.hpp"
#include "rddl/language/syntax.hpp"
#include "rddl/language/token_stream.hpp"

namespace bnnplan {

namespace {

constexpr std::array distributions = {"Bernoulli",
                                      "Beta",
                                      "Binomial",
                                      "Cauchy",
                                      "ChiSquare",
                                      "DiracDelta",
                                      "Dirichlet",
                                      "Discrete",
                                      "Exponential",
                                      "Gamma",
                                      "Geometric",
                                      "Gompertz",
                                      "Gumbel",
                                      "Kumaraswamy",
                                      "Laplace",
                                      "Multinomial",
                                      "MultivariateNormal",
                                      "MultivariateStudent",
                                      "NegativeBinomial",
                                      "Normal",
                                      "Pareto",
                                      "Poisson",
                                      "Student",
                                      "Uniform",
                                      "UnnormDiscrete",
                                      "Weibull"};

constexpr std::array unsupported_functions = {"acos",  "asin",  "atan", "cos",     "cosh", "exp", "fmod",
                                              "gamma", "hypot", "ln",   "lngamma", "log",  "pow", "round",
                                              "sgn",   "sin",   "sinh", "sqrt",    "tan",  "tanh"};

struct Function {
  std::string_view name;
  Operation operation;
  std::size_t least, most;  // operands
};

constexpr Function functions[] = {
    {"abs", Operation::absolute, 1, 1},        {"ceil", Operation::ceiling, 1, 1},
    {"floor", Operation::floor, 1, 1},         {"min", Operation::minimum, 2, 1000},
    {"max", Operation::maximum, 2, 1000},      {"mod", Operation::modulo, 2, 2},
    {"div", Operation::integer_division, 2, 2}};

struct Aggregate {
  std::string_view name;
  Operation operation;
};

constexpr Aggregate aggregates[] = {
    {"forall_", Operation::logical_and}, {"exists_", Operation::logical_or}, {"sum_", Operation::add},
    {"prod_", Operation::multiply},      {"min_", Operation::minimum},       {"max_", Operation::maximum}};

struct BinaryOperator {
  std::string_view symbol;
  Operation operation;
  int strength;
};

// Of calls of this parser: an operator and a bracket are one each.
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

template <class Names>
bool contains(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
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
    RddlExpression result;
    result.place = token.place;
    if (token.kind == TokenKind::enumeration || token.kind == TokenKind::object) return symbol();
    if (tokens_.at_name("true") || tokens_.at_name("false")) return truth();
    if (token.kind == TokenKind::name && !token.primed) return symbol();
    const bool negative = tokens_.accept("-");
    if (tokens_.peek().kind != TokenKind::number) {
      tokens_.fail_expected("a value: true, false, a number, an object or an @enumeration value");
    }
    result = number();
    if (negative) result.number = Rational{} - result.number;
    return result;
  }

 private:
  [[noreturn]] static void too_deep(const SourcePlace& place) {
    throw RddlError(place,
                    fmt::format("the expression is nested deeper than {} levels", expression_depth_limit));
  }

  static RddlExpression make(Operation operation, const SourcePlace& place,
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

  static RddlExpression make(Operation operation, const SourcePlace& place, RddlExpression a) {
    std::vector<RddlExpression> operands;
    operands.push_back(std::move(a));
    return make(operation, place, std::move(operands));
  }

  static RddlExpression make(Operation operation, const SourcePlace& place, RddlExpression a,
                             RddlExpression b) {
    std::vector<RddlExpression> operands;
    operands.push_back(std::move(a));
    operands.push_back(std::move(b));
    return make(operation, place, std::move(operands));
  }

  const BinaryOperator* binary_operator() const {
    if (tokens_.peek().kind != TokenKind::symbol) return nullptr;
    for (const BinaryOperator& candidate : binary_operators) {
      if (candidate.symbol == tokens_.peek().text) return &candidate;
    }
    return nullptr;
  }

  RddlExpression binary(int weakest) {
    RddlExpression left = unary();
    // Whether `left` was built by this loop: (a + b) + c is a chain only without the brackets, so that the
    // place of an error stays where its brackets are.
    bool chained = false;
    while (const BinaryOperator* found = binary_operator()) {
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

  RddlExpression unary() {
    const SourcePlace place = tokens_.place();
    if (tokens_.accept("~")) return make(Operation::logical_not, place, expression(unary_strength));
    if (tokens_.accept("-")) return make(Operation::negate, place, expression(unary_strength));
    if (tokens_.accept("+")) return expression(unary_strength);
    return primary();
  }

  RddlExpression primary() {
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

  RddlExpression truth() {
    RddlExpression result;
    result.place = tokens_.place();
    result.number = make_rational(tokens_.take().text == "true" ? 1 : 0);
    result.type.kind = ValueKind::boolean;
    return result;
  }

  RddlExpression symbol() {
    RddlExpression result;
    result.operation = Operation::symbol;
    result.place = tokens_.place();
    result.name = tokens_.take().text;
    return result;
  }

  RddlExpression number() {
    const Token& token = tokens_.take();
    RddlExpression result;
    result.place = token.place;
    try {
      const auto decimal = parse_decimal(token.text);
      if (!decimal) throw RddlError(token.place, fmt::format("bad number '{}'", printable(token.text)));
      result.number = rational_of(*decimal);
    } catch (const OverflowError&) {
      throw RddlError(token.place,
                      fmt::format("number '{}' is too large or too precise: it does not fit into 64 bits",
                                  printable(token.text)));
    }
    result.type.kind =
        token.text.find_first_of(".eE") == std::string_view::npos ? ValueKind::integer : ValueKind::real;
    return result;
  }

  RddlExpression named() {
    const Token token = tokens_.peek();
    if (!token.primed) {
      if (token.text == "true" || token.text == "false") return truth();
      if (token.text == "if") return conditional();
      if (token.text == "switch") return selection();
      for (const Aggregate& aggregate : aggregates) {
        if (aggregate.name == token.text) return aggregation(aggregate.operation);
      }
    }
    tokens_.take();
    const bool call = tokens_.at_symbol("(") || tokens_.at_symbol("[");
    if (call && !token.primed) {
      if (token.text == "KronDelta") return kron_delta();
      if (contains(distributions, token.text)) {
        throw RddlError(token.place,
                        fmt::format("random distribution '{}': only deterministic RDDL is supported, "
                                    "expected KronDelta(...) or a plain expression",
                                    token.text));
      }
      for (const Function& function : functions) {
        if (function.name == token.text) return function_call(function, token.place);
      }
      if (contains(unsupported_functions, token.text)) {
        throw RddlError(token.place, fmt::format("function '{}' is not supported, expected one of abs, ceil, "
                                                 "floor, min, max, mod, div",
                                                 token.text));
      }
    }
    return fluent(token);
  }

  RddlExpression fluent(const Token& token) {
    RddlExpression result;
    result.operation = Operation::fluent;
    result.place = token.place;
    result.name = token.text;
    result.primed = token.primed;
    if (!tokens_.accept("(")) return result;
    std::vector<RddlExpression> arguments;
    do {
      const Token& argument = tokens_.peek();
      const bool plain = argument.kind == TokenKind::name && !argument.primed;
      if (argument.kind == TokenKind::variable) {
        arguments.push_back(primary());
      } else if (plain || argument.kind == TokenKind::object || argument.kind == TokenKind::enumeration) {
        arguments.push_back(symbol());
      } else {
        tokens_.fail_expected("an argument: a ?variable, an object or an @enumeration value");
      }
    } while (tokens_.accept(","));
    tokens_.expect(")", ", or");
    result.operands = std::move(arguments);
    result.depth = 2;
    return result;
  }

  RddlExpression bracketed(std::string_view what) {
    const bool square = tokens_.at_symbol("[");
    tokens_.expect(square ? "[" : "(", what);
    RddlExpression result = expression();
    tokens_.expect(square ? "]" : ")", "an operator or");
    return result;
  }

  // Deterministic: the value itself.
  RddlExpression kron_delta() { return bracketed("behind KronDelta"); }

  RddlExpression function_call(const Function& function, const SourcePlace& place) {
    const bool square = tokens_.accept("[");
    if (!square) tokens_.expect("(", "behind the name of a function");
    std::vector<RddlExpression> operands;
    do operands.push_back(expression());
    while (tokens_.accept(","));
    tokens_.expect(square ? "]" : ")", ", or");
    if (operands.size() < function.least || operands.size() > function.most) {
      throw RddlError(place, fmt::format("'{}' has {} operand{}, expected {}{}", function.name,
                                         operands.size(), operands.size() == 1 ? "" : "s", function.least,
                                         function.most > function.least ? " or more" : ""));
    }
    return make(function.operation, place, std::move(operands));
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
    const SourcePlace place = tokens_.place();
    tokens_.take();
    std::vector<RddlExpression> operands;
    operands.push_back(bracketed("behind 'switch'"));
    tokens_.expect("{", "behind what is switched on");
    bool with_default = false;
    do {
      if (tokens_.accept_name("default")) {
        with_default = true;
      } else {
        if (!tokens_.accept_name("case")) tokens_.fail_expected("'case' or 'default'");
        operands.push_back(literal());
      }
      tokens_.expect(":", "behind the label");
      operands.push_back(expression());
    } while (!with_default && tokens_.accept(","));
    tokens_.expect("}", with_default ? "behind the default an operator or" : "an operator, ',' or");
    if (operands.size() < 3) throw RddlError(place, "a switch without a case");
    return make(Operation::selection, place, std::move(operands));
  }

  RddlExpression aggregation(Operation operation) {
    const SourcePlace place = tokens_.place();
    tokens_.take();
    tokens_.expect("{", "before the variables of a quantifier");
    std::vector<BoundVariable> bound;
    do {
      BoundVariable variable;
      variable.place = tokens_.place();
      if (tokens_.peek().kind != TokenKind::variable) tokens_.fail_expected("a ?variable");
      variable.name = tokens_.take().text;
      tokens_.expect(":", "before the type of a variable");
      variable.type_place = tokens_.place();
      variable.type_name = tokens_.expect_name("the name of a type");
      bound.push_back(std::move(variable));
    } while (tokens_.accept(","));
    tokens_.expect("}", ", or");
    RddlExpression result = make(Operation::aggregate, place, expression());
    result.aggregated = operation;
    result.bound = std::move(bound);
    return result;
  }

  TokenStream& tokens_;
  int nesting_ = 0;
};

}  // namespace

RddlExpression parse_rddl_expression(TokenStream& tokens) { return ExpressionReader(tokens).expression(); }

RddlExpression parse_rddl_literal(TokenStream& tokens) { return ExpressionReader(tokens).literal(); }

}  // namespace bnnplan
