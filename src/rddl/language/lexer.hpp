#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bnnplan/rddl/language/source_place.hpp"

namespace bnnplan::rddl {

enum class TokenKind : std::uint8_t {
  name,         // robot-at, exists_
  variable,     // ?x
  enumeration,  // @red
  object,       // $x1
  number,       // 12, 0.5, 1e-3
  symbol,       // one of <=> => <= >= == ~= and single characters
  end
};

struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view text;  // without the leading ? @ $; points into the text given to tokenize
  bool primed = false;    // a name followed by '
  SourcePlace place;
};

// The tokens of RDDL text, the last one of kind `end`. Comments are // to the end of the line and /* to */. A
// name consists of letters, digits and _, and of - directly before one of these, so `a-b` is a name and
// `a - b` a difference. Throws RddlError for anything that is not a token.
std::vector<Token> tokenize(std::string_view text, const std::string* file_name);

// A token as an error message shows it: 'x', '?x', the end of the file.
std::string shown(const Token& token);

}  // namespace bnnplan::rddl
