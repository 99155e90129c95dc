// Irredundant sums of products between two bounds (Minato 1993, after Morreale 1970), on truth tables:
//
//   cover(L, U), by an input x:   R0 = cover(L0 - U1, U0)      cubes that need ~x
//                                 R1 = cover(L1 - U0, U1)      cubes that need x
//                                 Rd = cover((L0 - R0) + (L1 - R1), U0 U1)
//                                 R  = ~x R0 + x R1 + Rd
//
// L is what must be covered, U what may be; in between are the don't-cares. A cube of R0 covers something
// outside of U1, so its ~x cannot be dropped: all cubes are prime, and none is redundant. Up to 3^n steps in
// theory, but a table that has become empty or full ends the recursion, inputs it does not depend on are
// skipped, and tables of up to six inputs are single words: for transition functions it is close to linear in
// the table.
#include "bnnplan/rddl/compile/prime_cover.hpp"

#include <algorithm>
#include <span>

namespace bnnplan::rddl {

namespace {

constexpr std::uint64_t full = ~std::uint64_t{0};
// Rows of a word in which input i is 1.
constexpr std::uint64_t input_rows[6] = {0xaaaaaaaaaaaaaaaa, 0xcccccccccccccccc, 0xf0f0f0f0f0f0f0f0,
                                         0xff00ff00ff00ff00, 0xffff0000ffff0000, 0xffffffff00000000};

using Words = std::vector<std::uint64_t>;
using WordsView = std::span<const std::uint64_t>;

class Coverer {
 public:
  Coverer(std::size_t limit, const std::function<void()>& tick) : limit_(limit), tick_(tick) {}

  bool too_many() const { return cubes_.size() > limit_; }
  std::vector<Cube>& cubes() { return cubes_; }

  // Adds cubes, each with the literals of `prefix`, and returns the rows they cover.
  Words cover(WordsView lower, WordsView upper, int inputs, Cube prefix) {
    constexpr std::size_t words_between_ticks = 1 << 18;
    work_ += lower.size();
    if (tick_ && work_ >= words_between_ticks) {
      work_ = 0;
      tick_();
    }
    if (too_many() || std::all_of(lower.begin(), lower.end(), [](std::uint64_t w) { return w == 0; })) {
      return Words(lower.size(), 0);
    }
    if (inputs <= 6) return {cover_word(lower[0], upper[0], inputs, prefix)};
    if (std::all_of(upper.begin(), upper.end(), [](std::uint64_t w) { return w == full; })) {
      cubes_.push_back(prefix);
      return Words(lower.size(), full);
    }
    const std::size_t half = lower.size() / 2;
    const WordsView l0 = lower.first(half), l1 = lower.subspan(half), u0 = upper.first(half),
                    u1 = upper.subspan(half);
    const std::uint32_t bit = 1u << (inputs - 1);
    if (std::equal(l0.begin(), l0.end(), l1.begin()) && std::equal(u0.begin(), u0.end(), u1.begin())) {
      return doubled(cover(l0, u0, inputs - 1, prefix));
    }
    Words rest0(half), rest1(half);
    for (std::size_t i = 0; i < half; ++i) {
      rest0[i] = l0[i] & ~u1[i];
      rest1[i] = l1[i] & ~u0[i];
    }
    const Words r0 = cover(rest0, u0, inputs - 1, {prefix.mask | bit, prefix.values});
    const Words r1 = cover(rest1, u1, inputs - 1, {prefix.mask | bit, prefix.values | bit});
    for (std::size_t i = 0; i < half; ++i) {
      rest0[i] = (l0[i] & ~r0[i]) | (l1[i] & ~r1[i]);
      rest1[i] = u0[i] & u1[i];
    }
    const Words both = cover(rest0, rest1, inputs - 1, prefix);
    Words result = doubled(both);
    for (std::size_t i = 0; i < half; ++i) {
      result[i] |= r0[i];
      result[half + i] |= r1[i];
    }
    return result;
  }

 private:
  static Words doubled(Words words) {
    const std::size_t half = words.size();
    words.resize(2 * half);
    std::copy_n(words.begin(), half, words.begin() + static_cast<std::ptrdiff_t>(half));
    return words;
  }

  // The same within one word. Functions of fewer than six inputs are repeated to fill the word.
  std::uint64_t cover_word(std::uint64_t lower, std::uint64_t upper, int inputs, Cube prefix) {
    if (lower == 0 || too_many()) return 0;
    if (upper == full) {
      cubes_.push_back(prefix);
      return full;
    }
    const int x = inputs - 1;
    const int shift = 1 << x;
    const auto negative = [&](std::uint64_t w) {
      w &= ~input_rows[x];
      return w | w << shift;
    };
    const auto positive = [&](std::uint64_t w) {
      w &= input_rows[x];
      return w | w >> shift;
    };
    const std::uint64_t l0 = negative(lower), l1 = positive(lower), u0 = negative(upper),
                        u1 = positive(upper);
    if (l0 == l1 && u0 == u1) return cover_word(lower, upper, x, prefix);
    const std::uint32_t bit = 1u << x;
    const std::uint64_t r0 = cover_word(l0 & ~u1, u0, x, {prefix.mask | bit, prefix.values});
    const std::uint64_t r1 = cover_word(l1 & ~u0, u1, x, {prefix.mask | bit, prefix.values | bit});
    const std::uint64_t both = cover_word((l0 & ~r0) | (l1 & ~r1), u0 & u1, x, prefix);
    return (r0 & ~input_rows[x]) | (r1 & input_rows[x]) | both;
  }

  std::size_t limit_;
  const std::function<void()>& tick_;
  std::size_t work_ = 0;  // words since the last tick
  std::vector<Cube> cubes_;
};

// A table of fewer than six inputs, repeated to fill its word.
Words filled(const TruthTable& table) {
  Words words = table.words;
  for (int i = table.inputs; i < 6; ++i) {
    const int shift = 1 << i;
    words[0] &= (std::uint64_t{1} << shift) - 1;
    words[0] |= words[0] << shift;
  }
  return words;
}

}  // namespace

std::optional<std::vector<Cube>> prime_cover(const TruthTable& lower, const TruthTable& upper,
                                             std::size_t limit, const std::function<void()>& tick) {
  Coverer coverer(limit, tick);
  const Words low = filled(lower), high = filled(upper);
  coverer.cover(low, high, lower.inputs, {});
  if (coverer.too_many()) return std::nullopt;
  return std::move(coverer.cubes());
}

}  // namespace bnnplan::rddl
