#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bnnplan/rddl/language/lexer.hpp"

namespace bnnplan::rddl {

// The tokens that the parser has yet to read.
class TokenStream {
 public:
  explicit TokenStream(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}  // the last one is `end`

  const Token& peek() const { return tokens_[next_]; }
  const Token& take() { return tokens_[next_ + 1 < tokens_.size() ? next_++ : next_]; }
  const SourcePlace& place() const { return peek().place; }

  bool at_symbol(std::string_view symbol) const {
    return peek().kind == TokenKind::symbol && peek().text == symbol;
  }
  bool at_name(std::string_view name) const {
    return peek().kind == TokenKind::name && !peek().primed && peek().text == name;
  }
  bool accept(std::string_view symbol);  // consumes it if it is next
  bool accept_name(std::string_view name);

  void expect(std::string_view symbol, std::string_view where);
  std::string expect_name(std::string_view what);
  std::string expect_variable();  // without its ?

  // "found 'x', expected ..."
  [[noreturn]] void fail_expected(std::string_view expected) const;

 private:
  std::vector<Token> tokens_;
  std::size_t next_ = 0;
};

using PlacedName = std::pair<std::string, SourcePlace>;

// Parses a whole expression and leaves the stream after it.
struct RddlExpression;
RddlExpression parse_rddl_expression(TokenStream& tokens);

// true, false, a number with or without sign, @value, $object or the name of an object.
RddlExpression parse_rddl_literal(TokenStream& tokens);

}  // namespace bnnplan::rddl
