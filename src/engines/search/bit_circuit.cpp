// And-gates and exclusive-or gates with free negation, as in and-inverter graphs (Kuehlmann, Paruthi, Krohm,
// Ganai: Robust Boolean reasoning for equivalence checking and functional property verification, 2002): gates
// with the same inputs are merged by hashing.
//
// A linear row is counted in binary. The summands' binary digits are put into columns by weight, three bits
// of a column become one and a carry (a full adder, five gates) until one bit is left in each column, and the
// number is compared with the bound bit by bit. That is about 5 n gates for n summands of coefficient 1. Rows
// that are an "or" or an "and" in disguise, which most are, are recognised first.
#include "bnnplan/engines/search/bit_circuit.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <limits>
#include <numeric>

namespace bnnplan::engines {

namespace {

constexpr std::uint32_t gate_of(BitCircuit::Wire wire) { return wire >> 1; }

// splitmix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
std::uint64_t next_random(std::uint64_t& state) {
  std::uint64_t z = state += 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

}  // namespace

BitCircuit::BitCircuit() : gates_{{Gate::Kind::constant, 0, 0}}, samples_{Samples{}} {}

BitCircuit::Wire BitCircuit::add(Gate gate, const Samples& samples) {
  gates_.push_back(gate);
  samples_.push_back(samples);
  return static_cast<Wire>(2 * (gates_.size() - 1));
}

// Half of the samples have as many ones as zeros, a quarter few and a quarter many: states are often sparse.
BitCircuit::Wire BitCircuit::input() {
  Samples values;
  for (std::size_t i = 0; i < sample_words; ++i) {
    std::uint64_t word = next_random(random_);
    if (i % 4 == 2) word &= next_random(random_) & next_random(random_);
    if (i % 4 == 3) word |= next_random(random_) | next_random(random_);
    values[i] = word;
  }
  return add({Gate::Kind::input, static_cast<Wire>(inputs_++), 0}, values);
}

BitCircuit::Samples BitCircuit::samples(Wire wire) const {
  Samples values = samples_[gate_of(wire)];
  if ((wire & 1) != 0) {
    for (std::uint64_t& word : values) word = ~word;
  }
  return values;
}

BitCircuit::Wire BitCircuit::both(Wire a, Wire b) {
  if (a > b) std::swap(a, b);
  if (a == zero || a == negation(b)) return zero;
  if (a == one || a == b) return b;
  const auto [place, is_new] = known_[0].try_emplace(std::uint64_t{a} << 32 | b, 0);
  if (is_new) {
    Samples values = samples(a);
    const Samples other = samples(b);
    for (std::size_t i = 0; i < sample_words; ++i) values[i] &= other[i];
    place->second = add({Gate::Kind::both, a, b}, values);
  }
  return place->second;
}

BitCircuit::Wire BitCircuit::differ(Wire a, Wire b) {
  const Wire sign = (a ^ b) & 1;
  a &= ~Wire{1};
  b &= ~Wire{1};
  if (a > b) std::swap(a, b);
  if (a == b) return zero ^ sign;
  if (a == zero) return b ^ sign;
  const auto [place, is_new] = known_[1].try_emplace(std::uint64_t{a} << 32 | b, 0);
  if (is_new) {
    Samples values = samples(a);
    const Samples other = samples(b);
    for (std::size_t i = 0; i < sample_words; ++i) values[i] ^= other[i];
    place->second = add({Gate::Kind::differ, a, b}, values);
  }
  return place->second ^ sign;
}

BitCircuit::Wire BitCircuit::holds(std::span<const Summand> summands, Comparison comparison,
                                   std::int64_t bound) {
  Wire result = one;
  if (comparison != Comparison::at_most) result = at_least(summands, bound);
  if (comparison != Comparison::at_least) result = both(result, negation(at_least(summands, bound + 1)));
  return result;
}

// Makes all coefficients positive (c x = c - c ~x), makes every gate occur once, and moves constants into the
// bound.
BitCircuit::Wire BitCircuit::at_least(std::span<const Summand> summands, std::int64_t bound) {
  std::vector<Summand> sorted;
  for (const Summand& summand : summands) {
    if ((summand.wire & 1) != 0) {
      bound -= summand.coefficient;
      sorted.push_back({-summand.coefficient, negation(summand.wire)});
    } else {
      sorted.push_back(summand);
    }
  }
  std::sort(sorted.begin(), sorted.end(), [](const Summand& x, const Summand& y) { return x.wire < y.wire; });
  std::vector<Summand> positive;
  for (std::size_t i = 0; i < sorted.size();) {
    Summand summand{0, sorted[i].wire};
    for (; i < sorted.size() && sorted[i].wire == summand.wire; ++i)
      summand.coefficient += sorted[i].coefficient;
    if (summand.coefficient == 0 || summand.wire == zero) continue;
    if (summand.coefficient < 0) {
      bound -= summand.coefficient;
      summand = {-summand.coefficient, negation(summand.wire)};
    }
    positive.push_back(summand);
  }
  return sum_at_least(positive, bound);
}

BitCircuit::Wire BitCircuit::sum_at_least(std::span<const Summand> positive, std::int64_t bound) {
  std::int64_t total = 0, smallest = std::numeric_limits<std::int64_t>::max();
  for (const Summand& summand : positive) {
    assert(summand.coefficient > 0);
    total += summand.coefficient;
    smallest = std::min(smallest, summand.coefficient);
  }
  if (bound <= 0) return one;
  if (bound > total) return zero;
  if (bound <= smallest) {
    Wire result = zero;
    for (const Summand& summand : positive) result = either(result, summand.wire);
    return result;
  }
  if (bound > total - smallest) {
    Wire result = one;
    for (const Summand& summand : positive) result = both(result, summand.wire);
    return result;
  }

  std::vector<std::vector<Wire>> columns(
      static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(total))));
  for (const Summand& summand : positive) {
    for (std::size_t k = 0; summand.coefficient >> k != 0; ++k) {
      if ((summand.coefficient >> k & 1) != 0) columns[k].push_back(summand.wire);
    }
  }
  Wire result = one;  // the digits so far are at least those of the bound
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const auto carry = [&](Wire wire) {
      if (k + 1 < columns.size()) columns[k + 1].push_back(wire);  // else it is 0: the total fits
    };
    std::size_t at = 0;
    while (columns[k].size() - at >= 2) {
      const Wire a = columns[k][at], b = columns[k][at + 1];
      const Wire half = differ(a, b);
      if (columns[k].size() - at == 2) {
        carry(both(a, b));
        columns[k].push_back(half);
        at += 2;
        break;
      }
      const Wire c = columns[k][at + 2];
      carry(either(both(a, b), both(c, half)));
      columns[k].push_back(differ(half, c));
      at += 3;
    }
    const Wire digit = at < columns[k].size() ? columns[k][at] : zero;
    result = (bound >> k & 1) != 0 ? both(digit, result) : either(digit, result);
  }
  return result;
}

}  // namespace bnnplan::engines
