#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <gmpxx.h>

#include "bnnplan/check/question_rows.hpp"
#include "bnnplan/query/verify_query.hpp"

namespace bnnplan::checking {

// The inputs near a given one, as bits that may be flipped. A number enters a network as the bit
// x >= threshold, so of all its changes only the least one that flips the bit matters.
struct Flips {
  struct Flip {
    std::uint32_t input;
    std::int64_t cost;
  };
  std::vector<bool> bits;   // of the given input
  std::vector<Flip> flips;  // cheapest first
  bool largest = false;     // the most expensive flip counts, not the sum
  mpq_class unit = 1;       // of the costs
  std::optional<std::int64_t> budget;
  // If the first bit is 1, so is the second.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> implications;
};

// What an input may be, for bits 0 or 1 with a threshold of 1; and the index k of the first number
// low + k step that reaches a threshold, and of the last.
NumericInput range_of(const Network& network, std::size_t input);
mpz_class first_reaching(const NumericInput& range, const mpq_class& threshold);
mpz_class last_of(const NumericInput& range);

// Throws InputError if the numbers are not allowed or distances do not fit into 46 bits in their unit.
Flips flips_of(const Network& network, const verification::Region& region);

// A variable for each bit, which says that it is flipped, and the constraints on them; returns the bits.
std::vector<Lit> add_flips(QuestionRows& rows, const Flips& flips);

// What flips cost: the objective or, with a budget, a constraint.
void add_costs(QuestionRows& rows, const Flips& flips);

}  // namespace bnnplan::checking
