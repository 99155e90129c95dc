// The words of a proof, statement by statement. Version 1.2 has one statement per line, and comments after
// '*'; version 3.0 ends each with ';', and has comments after '%'.
#include "bnnplan/check/proof_statements.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace bnnplan::checking {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

}  // namespace

bool StatementReader::next(ProofStatement& statement) {
  statement.words.clear();
  while (!rest_.empty()) {
    const char c = rest_[0];
    if (c == '\n') {
      ++line_;
      rest_.remove_prefix(1);
      if (by_lines && !statement.words.empty()) return true;
    } else if (is_blank(c)) {
      rest_.remove_prefix(1);
    } else if (statement.words.empty() && c == (by_lines ? '*' : '%')) {
      rest_.remove_prefix(std::min(rest_.find('\n'), rest_.size()));
    } else {
      if (statement.words.empty()) statement.line = line_;
      std::size_t length = 0;
      while (length < rest_.size() && rest_[length] != '\n' && !is_blank(rest_[length]) &&
             rest_[length] != ';')
        ++length;
      if (length == 0) length = 1;  // ';'
      if (statement.words.size() == most_words_)
        throw ProofRefusal(
            fmt::format("line {}: a statement of more than {} words", statement.line, most_words_));
      statement.words.push_back(rest_.substr(0, length));
      rest_.remove_prefix(length);
      if (!by_lines && statement.words.back() == ";") {
        statement.words.pop_back();
        return true;
      }
    }
  }
  if (statement.words.empty()) return false;
  if (!by_lines)
    throw ProofRefusal(fmt::format("line {}: unterminated statement, expected ';'", statement.line));
  return true;
}

}  // namespace bnnplan::checking
