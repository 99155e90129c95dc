// The lexer: one pass over the bytes, with the line and column of every token. A number is only delimited
// here; the parser reads its value, so that errors are about numbers.
#include "bnnplan/rddl/language/lexer.hpp"

#include <fmt/format.h>

namespace bnnplan::rddl {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

constexpr std::size_t most_tokens = 2'000'000;  // a hundred times the largest instance of the competitions

bool in_name(char c) { return is_letter(c) || is_digit(c); }

class Lexer {
 public:
  Lexer(std::string_view text, const std::string* file_name) : text_(text), file_(file_name) {
    if (text_.starts_with("\xef\xbb\xbf")) text_.remove_prefix(3);  // a byte order mark
  }

  std::vector<Token> run() {
    std::vector<Token> tokens;
    while (true) {
      skip_blanks_and_comments();
      if (tokens.size() == most_tokens)
        throw RddlError(place(), fmt::format("too large: more than {} tokens", most_tokens));
      tokens.push_back(next());
      if (tokens.back().kind == TokenKind::end) return tokens;
    }
  }

 private:
  char at(std::size_t offset = 0) const {
    return cursor_ + offset < text_.size() ? text_[cursor_ + offset] : '\0';
  }

  SourcePlace place() const { return {file_, line_, static_cast<std::uint32_t>(cursor_ - line_start_ + 1)}; }

  void advance(std::size_t count) {
    for (const std::size_t end = cursor_ + count; cursor_ < end; ++cursor_) {
      if (text_[cursor_] == '\n') {
        ++line_;
        line_start_ = cursor_ + 1;
      }
    }
  }

  void skip_blanks_and_comments() {
    while (cursor_ < text_.size()) {
      const char c = at();
      if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
        advance(1);
      } else if (c == '/' && at(1) == '/' && at(2) == '!') {
        advance(3);  // for us the rest of the line is text, for other programs a comment
      } else if (c == '/' && at(1) == '/') {
        const auto end = text_.find('\n', cursor_);
        advance((end == std::string_view::npos ? text_.size() : end) - cursor_);
      } else if (c == '/' && at(1) == '*') {
        const auto end = text_.find("*/", cursor_ + 2);
        if (end == std::string_view::npos) throw RddlError(place(), "unterminated comment, expected */");
        advance(end + 2 - cursor_);
      } else {
        return;
      }
    }
  }

  Token next() {
    const char c = at();
    if (cursor_ >= text_.size()) return {TokenKind::end, {}, false, place()};
    if (is_letter(c)) return name(TokenKind::name, 0);
    if (c == '?' || c == '@' || c == '$') {
      if (!in_name(at(1))) throw RddlError(place(), fmt::format("'{}' is not followed by a name", c));
      return name(c == '?' ? TokenKind::variable : c == '@' ? TokenKind::enumeration : TokenKind::object, 1);
    }
    if (is_digit(c) || (c == '.' && is_digit(at(1)))) return number();
    for (const std::string_view symbol : {"<=>", "=>", "<=", ">=", "==", "~="}) {
      if (text_.substr(cursor_, symbol.size()) == symbol) return take(TokenKind::symbol, symbol.size());
    }
    if (std::string_view("{}()[],;:=<>+-*/^&|~").find(c) != std::string_view::npos) {
      return take(TokenKind::symbol, 1);
    }
    // Show a multi-byte character whole.
    std::size_t length = 1;
    while ((static_cast<unsigned char>(at(length)) & 0xc0) == 0x80) ++length;
    throw RddlError(
        place(),
        fmt::format("unexpected character '{}'{}", printable(text_.substr(cursor_, length)),
                    c == '!' ? (at(1) == '=' ? ", expected ~= for unequal" : ", expected ~ for not") : ""));
  }

  Token take(TokenKind kind, std::size_t length, std::size_t skipped = 0) {
    const Token token{kind, text_.substr(cursor_ + skipped, length - skipped), false, place()};
    advance(length);
    return token;
  }

  Token name(TokenKind kind, std::size_t skipped) {
    std::size_t length = skipped;
    while (in_name(at(length)) || (at(length) == '-' && in_name(at(length + 1)) && length > skipped))
      ++length;
    Token token = take(kind, length, skipped);
    if (kind == TokenKind::name && at() == '\'') {
      token.primed = true;
      advance(1);
    }
    return token;
  }

  Token number() {
    std::size_t length = 0;
    while (is_digit(at(length)) || at(length) == '.') ++length;
    if (at(length) == 'e' || at(length) == 'E') {
      const std::size_t sign = at(length + 1) == '+' || at(length + 1) == '-' ? 1 : 0;
      if (is_digit(at(length + 1 + sign))) {
        length += 1 + sign;
        while (is_digit(at(length))) ++length;
      }
    }
    // What follows without a blank belongs to the number, so that 3x is one bad number and not two tokens.
    while (in_name(at(length))) ++length;
    return take(TokenKind::number, length);
  }

  std::string_view text_;
  const std::string* file_;
  std::size_t cursor_ = 0;
  std::size_t line_start_ = 0;
  std::uint32_t line_ = 1;
};

}  // namespace

std::vector<Token> tokenize(std::string_view text, const std::string* file_name) {
  return Lexer(text, file_name).run();
}

std::string shown(const Token& token) {
  if (token.kind == TokenKind::end) return "the end of the file";
  const std::string_view sign = token.kind == TokenKind::variable      ? "?"
                                : token.kind == TokenKind::enumeration ? "@"
                                : token.kind == TokenKind::object      ? "$"
                                                                       : "";
  return fmt::format("'{}{}{}'", sign, printable(token.text), token.primed ? "'" : "");
}

}  // namespace bnnplan::rddl
