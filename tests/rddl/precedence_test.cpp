// How expressions without brackets are read. Random ones, with every operator there is, are read by the
// parser and by a shift-reduce parser such as yacc would make of the grammars of rddlsim, pyRDDLGym and
// prost: a precedence for every token and one for every rule; a rule is reduced unless the token ahead is
// stronger. All operators of these grammars associate to the left.
#include <functional>
#include <map>
#include <optional>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bnnplan/base/input_error.hpp"
#include "rddl/rddl_text.hpp"

namespace bnnplan::rddl {
namespace {

using Tokens = std::vector<std::string>;

// From weak to strong. The lists of the three grammars name ~ between & and ==, but no rule has that
// precedence: `NOT expr %prec UMINUS`.
constexpr int if_rule = 1, exists_rule = 2, forall_rule = 3, aggregation_rule = 4, unary_rule = 12;
const std::map<std::string, int> binary_precedence = {{"<=>", 5}, {"=>", 6}, {"|", 7},  {"^", 8},  {"&", 8},
                                                      {"==", 9},  {"~=", 9}, {"<", 9},  {"<=", 9}, {">", 9},
                                                      {">=", 9},  {"+", 10}, {"-", 10}, {"*", 11}, {"/", 11}};
const std::map<std::string, int> prefix_precedence = {{"~", unary_rule},
                                                      {"-", unary_rule},
                                                      {"+", unary_rule},
                                                      {"exists_{?x : t}", exists_rule},
                                                      {"forall_{?x : t}", forall_rule},
                                                      {"sum_{?x : t}", aggregation_rule},
                                                      {"prod_{?x : t}", aggregation_rule},
                                                      {"min_{?x : t}", aggregation_rule},
                                                      {"max_{?x : t}", aggregation_rule}};

std::string spaced(const Tokens& tokens) {
  std::string text;
  for (const std::string& token : tokens) text += (text.empty() ? "" : " ") + token;
  return text;
}

// Random tokens of an expression. Brackets are there only where the grammar has them: around conditions,
// cases and arguments.
class Generator {
 public:
  explicit Generator(std::uint64_t seed) : random_(seed) {}

  Tokens expression(std::size_t operators) {
    Tokens tokens;
    operand(tokens);
    for (std::size_t i = 0; i < operators; ++i) {
      tokens.push_back(any_of(binary_precedence));
      operand(tokens);
    }
    return tokens;
  }

 private:
  std::size_t below(std::size_t bound) { return random_() % bound; }

  std::string any_of(const std::map<std::string, int>& table) {
    return std::next(table.begin(), static_cast<std::ptrdiff_t>(below(table.size())))->first;
  }

  void nested(Tokens& tokens) {
    ++depth_;
    for (std::string& token : expression(below(3))) tokens.push_back(std::move(token));
    --depth_;
  }

  void operand(Tokens& tokens) {
    for (std::size_t count = below(3); count > 0; --count) {
      if (below(2) == 0) {
        tokens.push_back("~");
      } else if (depth_ < deepest && below(6) == 0) {
        tokens.insert(tokens.end(), {"if", "("});
        nested(tokens);
        tokens.insert(tokens.end(), {")", "then"});
        nested(tokens);
        tokens.push_back("else");
      } else {
        tokens.push_back(any_of(prefix_precedence));
      }
    }
    switch (depth_ < deepest ? below(14) : 13) {
      case 0:
        tokens.insert(tokens.end(), {"min", "["});
        nested(tokens);
        tokens.push_back(",");
        nested(tokens);
        tokens.push_back("]");
        return;
      case 1:
        tokens.insert(tokens.end(), {"switch", "(", "n", ")", "{", "case", "1", ":"});
        nested(tokens);
        tokens.insert(tokens.end(), {",", "default", ":"});
        nested(tokens);
        tokens.push_back("}");
        return;
      default:
        tokens.push_back(std::vector<std::string>{"a", "b", "c", "n", "2", "true"}[below(6)]);
    }
  }

  static constexpr int deepest = 3;
  int depth_ = 0;
  std::mt19937_64 random_;
};

// What both parsers write: every operator in brackets, x - y as x + (-y), and no unary plus.
std::string binary_text(const std::string& left, const std::string& symbol, const std::string& right) {
  return symbol == "-" ? fmt::format("({} + (- {}))", left, right)
                       : fmt::format("({} {} {})", left, symbol == "&" ? "^" : symbol, right);
}
std::string choice_text(const std::string& condition, const std::string& yes, const std::string& no) {
  return fmt::format("(if ({}) then {} else {})", condition, yes, no);
}
std::string prefix_text(const std::string& symbol, const std::string& operand) {
  return symbol == "+" ? operand : fmt::format("({} {})", symbol, operand);
}

class ShiftReduceParser {
 public:
  explicit ShiftReduceParser(const Tokens& tokens) : tokens_(tokens) {}

  std::string expression() {
    std::vector<Pending> stack;
    std::string value = operand(stack);
    for (;;) {
      const auto ahead =
          next_ < tokens_.size() ? binary_precedence.find(tokens_[next_]) : binary_precedence.end();
      const int precedence = ahead == binary_precedence.end() ? 0 : ahead->second;
      while (!stack.empty() && stack.back().precedence >= precedence) {
        value = stack.back().reduce(value);
        stack.pop_back();
      }
      if (precedence == 0) return value;
      ++next_;
      const std::string symbol = ahead->first;
      stack.push_back({precedence, [left = std::move(value), symbol](const std::string& right) {
                         return binary_text(left, symbol, right);
                       }});
      value = operand(stack);
    }
  }

 private:
  struct Pending {
    int precedence;  // of the rule
    std::function<std::string(const std::string&)> reduce;
  };

  std::string take() { return tokens_.at(next_++); }
  void expect(const std::string& token) { ASSERT_EQ(take(), token); }

  // Shifts what stands before an operand, and the operand.
  std::string operand(std::vector<Pending>& stack) {
    for (;;) {
      const std::string token = take();
      if (const auto prefix = prefix_precedence.find(token); prefix != prefix_precedence.end()) {
        stack.push_back(
            {prefix->second, [token](const std::string& value) { return prefix_text(token, value); }});
      } else if (token == "if") {
        expect("(");
        const std::string condition = expression();
        expect(")");
        expect("then");
        const std::string yes = expression();
        expect("else");
        stack.push_back(
            {if_rule, [=](const std::string& value) { return choice_text(condition, yes, value); }});
      } else if (token == "min") {
        expect("[");
        const std::string first = expression();
        expect(",");
        const std::string second = expression();
        expect("]");
        return fmt::format("min[{}, {}]", first, second);
      } else if (token == "switch") {
        for (const char* symbol : {"(", "n", ")", "{", "case", "1", ":"}) expect(symbol);
        const std::string first = expression();
        for (const char* symbol : {",", "default", ":"}) expect(symbol);
        const std::string second = expression();
        expect("}");
        return fmt::format("switch (n) {{ case 1 : {}, default : {} }}", first, second);
      } else {
        return token;
      }
    }
  }

  const Tokens& tokens_;
  std::size_t next_ = 0;
};

// The tree of the parser in the same form.
std::string tree_text(const RddlExpression& expression) {
  std::vector<std::string> operands;
  for (const RddlExpression& operand : expression.operands) operands.push_back(tree_text(operand));
  const auto chain = [&](const std::string& symbol) {
    std::string text = operands[0];
    for (std::size_t i = 1; i < operands.size(); ++i) text = binary_text(text, symbol, operands[i]);
    return text;
  };
  switch (expression.operation) {
    case Operation::constant:
      return expression.type.kind == ValueKind::boolean ? "true" : to_string(expression.number);
    case Operation::fluent:
      return expression.name;
    case Operation::logical_not:
      return prefix_text("~", operands[0]);
    case Operation::negate:
      return prefix_text("-", operands[0]);
    case Operation::logical_and:
      return chain("^");
    case Operation::logical_or:
      return chain("|");
    case Operation::implies:
      return chain("=>");
    case Operation::equivalent:
      return chain("<=>");
    case Operation::equal:
      return chain("==");
    case Operation::unequal:
      return chain("~=");
    case Operation::less:
      return chain("<");
    case Operation::at_most:
      return chain("<=");
    case Operation::greater:
      return chain(">");
    case Operation::at_least:
      return chain(">=");
    case Operation::add:
      return chain("+");
    case Operation::multiply:
      return chain("*");
    case Operation::divide:
      return chain("/");
    case Operation::minimum:
      return fmt::format("min[{}, {}]", operands[0], operands[1]);
    case Operation::selection:
      return fmt::format("switch ({}) {{ case {} : {}, default : {} }}", operands[0], operands[1],
                         operands[2], operands[3]);
    case Operation::choose: {
      std::string text = operands.back();
      for (std::size_t i = operands.size() - 1; i > 0; i -= 2)
        text = choice_text(operands[i - 2], operands[i - 1], text);
      return text;
    }
    case Operation::aggregate: {
      const std::map<Operation, std::string> names = {{Operation::logical_and, "forall_"},
                                                      {Operation::logical_or, "exists_"},
                                                      {Operation::add, "sum_"},
                                                      {Operation::multiply, "prod_"},
                                                      {Operation::minimum, "min_"},
                                                      {Operation::maximum, "max_"}};
      return prefix_text(names.at(expression.aggregated) + "{?x : t}", operands[0]);
    }
    default:
      ADD_FAILURE() << "no such operation here";
      return "";
  }
}

std::string domain_with_reward(const std::string& reward) {
  return fmt::format(
      "domain d {{ types {{ t : object; }}; pvariables {{ a : {{ state-fluent, bool, default = false }};"
      " b : {{ state-fluent, bool, default = false }}; c : {{ state-fluent, bool, default = false }};"
      " n : {{ state-fluent, int, default = 0 }}; }};"
      " cpfs {{ a' = a; b' = b; c' = c; n' = n; }}; reward = {}; }}",
      reward);
}

std::string read_as(const std::string& text) {
  return tree_text(*parse_rddl(domain_with_reward(text), "d.rddl").domains.front().reward);
}

TEST(Precedence, AsTheGrammarsSay) {
  for (const auto& [text, expected] : std::initializer_list<std::pair<const char*, const char*>>{
           {"~ a <= b", "((~ a) <= b)"},
           {"~ a + b > 1", "(((~ a) + b) > 1)"},
           {"~ a >= 0", "((~ a) >= 0)"},
           {"~ a * 3", "((~ a) * 3)"},
           {"~ a == b", "((~ a) == b)"},
           {"~ a ^ b", "((~ a) ^ b)"},
           {"~ ~ a == b", "((~ (~ a)) == b)"},
           {"~ - n * 2", "((~ (- n)) * 2)"},
           {"- n * 2", "((- n) * 2)"},
           {"n - 2 - 1", "((n + (- 2)) + (- 1))"},
           {"n / 2 / 2", "((n / 2) / 2)"},
           {"n / 2 * 2", "((n / 2) * 2)"},
           {"a => b => c", "((a => b) => c)"},
           {"a <=> b <=> c", "((a <=> b) <=> c)"},
           {"a <=> b => c", "(a <=> (b => c))"},
           {"a => b <=> c", "((a => b) <=> c)"},
           {"1 < n < 2", "((1 < n) < 2)"},
           {"a == b ~= c", "((a == b) ~= c)"},
           {"a == n + 1 ^ b | c => a", "((((a == (n + 1)) ^ b) | c) => a)"},
           {"a & b ^ c & a", "(((a ^ b) ^ c) ^ a)"},
           {"a ^ b == c", "(a ^ (b == c))"},
           {"a ^ sum_{?x : t} n * 2 + 1 > n | b", "(a ^ (sum_{?x : t} ((((n * 2) + 1) > n) | b)))"},
           {"~ exists_{?x : t} a ^ b => c", "(~ (exists_{?x : t} ((a ^ b) => c)))"},
           {"- sum_{?x : t} n + 1", "(- (sum_{?x : t} (n + 1)))"},
           {"n * if (a) then 1 else 2 + 3", "(n * (if (a) then 1 else (2 + 3)))"},
           {"~ if (a) then b else c == a", "(~ (if (a) then b else (c == a)))"}}) {
    EXPECT_EQ(read_as(text), expected) << text;
  }
}

TEST(Precedence, RandomExpressionsWithoutBrackets) {
  std::map<std::string, int> seen;
  for (std::uint64_t seed = 0; seed < 5000; ++seed) {
    const Tokens tokens = Generator(seed).expression(1 + seed % 8);
    for (const std::string& token : tokens) ++seen[token];
    const std::string text = spaced(tokens), expected = ShiftReduceParser(tokens).expression();
    ASSERT_EQ(read_as(text), expected) << text;
    ASSERT_EQ(read_as(expected), expected) << "with all its brackets";
  }
  for (const auto& [symbol, precedence] : binary_precedence) EXPECT_GT(seen[symbol], 500) << symbol;
  for (const auto& [symbol, precedence] : prefix_precedence) EXPECT_GT(seen[symbol], 500) << symbol;
  EXPECT_GT(seen["if"], 500);
  EXPECT_GT(seen["switch"], 500);
}

// The rewards in all states over a, b, c and n = -1 .. 2 ("-" where it cannot be computed), or nothing if the
// types are wrong.
std::optional<std::string> rewards(const std::string& text) {
  std::optional<Simulator> simulator;
  try {
    simulator.emplace(testing::model_of(domain_with_reward(text),
                                        "instance i { domain = d; objects { t : { o1, o2 }; }; }"));
  } catch (const InputError&) {
    return std::nullopt;
  }
  std::string result;
  for (std::int64_t i = 0; i < 32; ++i) {
    const StateValues state = {i & 1, i >> 1 & 1, i >> 2 & 1, (i >> 3) - 1};
    try {
      result += to_string(simulator->reward(state, {}, state)) + " ";
    } catch (const InputError&) {
      result += "- ";
    }
  }
  return result;
}

TEST(Precedence, BracketsThatAreThereAnywayChangeNoValue) {
  int valued = 0;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    const Tokens tokens = Generator(seed).expression(1 + seed % 4);
    const std::string text = spaced(tokens), bracketed = ShiftReduceParser(tokens).expression();
    const auto value = rewards(text);
    EXPECT_EQ(value, rewards(bracketed)) << text;
    valued += value.has_value();
  }
  EXPECT_GT(valued, 500);
  EXPECT_EQ(rewards("~ a * 3"), rewards("3 - 3 * a"));
  EXPECT_EQ(rewards("~ a <= b"), rewards("a | b"));
  EXPECT_EQ(rewards("~ a >= 0"), rewards("true"));
  EXPECT_EQ(rewards("~ a + b > 1"), rewards("(~a) ^ b"));
  EXPECT_EQ(rewards("~ n == 1"), std::nullopt);
}

}  // namespace
}  // namespace bnnplan::rddl
