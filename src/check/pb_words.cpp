// Numbers and literals of OPB files and proofs. For other readers the name of a variable is text: x7 and x07
// would be two variables to them and one to us, so only one spelling is accepted.
#include "bnnplan/check/pb_words.hpp"

#include <charconv>

namespace bnnplan::checking {

std::optional<std::int64_t> whole_number(std::string_view word) {
  if (word.starts_with('+')) {
    word.remove_prefix(1);
    if (word.starts_with('-')) return std::nullopt;
  }
  std::int64_t value = 0;
  const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || word.empty() || stop != word.data() + word.size()) return std::nullopt;
  return value;
}

std::optional<Lit> literal_of(std::string_view word, std::int64_t most) {
  const bool negated = word.starts_with('~');
  if (negated) word.remove_prefix(1);
  if (!word.starts_with('x')) return std::nullopt;
  word.remove_prefix(1);
  if (word.empty() || word[0] < '1') return std::nullopt;  // a sign or a zero
  const std::optional<std::int64_t> index = whole_number(word);
  if (!index || *index > most) return std::nullopt;
  return Lit::of({static_cast<std::uint32_t>(*index - 1)}, negated);
}

}  // namespace bnnplan::checking
