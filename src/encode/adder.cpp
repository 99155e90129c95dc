// The sum in binary, compared with the bound (Warners 1998; Een and Soerensson 2006 for coefficients).
//
// One bucket of literals for each power of two. From the lowest bucket up, three literals of a bucket become
// their sum, which stays, and their carry, which goes into the next bucket:
//
//   full adder   sum = a xor b xor c   8 clauses;   carry = at least two of a, b, c   6 clauses
//   half adder   sum = a xor b         4 clauses;   carry = a and b                   3 clauses
//
// and when one literal is left in each bucket, these are the sum. "sum >= bound" is then a chain with one
// gate per bit, from the lowest: at a 1 of the bound  ge = bit and ge', at a 0  ge = bit or ge'.
//
// By far the smallest encoding, 5 to 14 clauses per input, but unit propagation does not see through it:
// three inputs of which two are true have no known sum bit. Use it only if the others are hopelessly large.

#include <cassert>
#include <cstdint>
#include <utility>
#include <vector>

#include "bnnplan/encode/cardinality_encodings.hpp"
#include "bnnplan/encode/weighted_encodings.hpp"
#include "bnnplan/encode/weighted_sum.hpp"

namespace bnnplan::encoding {

namespace {

using Bucket = BinarySum::value_type;

void add_full_adder(Lit a, Lit b, Lit c, Bucket& bucket, Bucket& next, ClauseSink& sink) {
  const Lit sum = sink.new_variable();
  const Lit carry = sink.new_variable();
  sink.add({a, b, c, ~sum});
  sink.add({a, ~b, ~c, ~sum});
  sink.add({~a, b, ~c, ~sum});
  sink.add({~a, ~b, c, ~sum});
  sink.add({~a, ~b, ~c, sum});
  sink.add({~a, b, c, sum});
  sink.add({a, ~b, c, sum});
  sink.add({a, b, ~c, sum});
  add_direct(std::vector<Lit>{a, b, c}, 2, carry, Implication::both, sink);
  bucket.push_back(sum);
  next.push_back(carry);
}

void add_half_adder(Lit a, Lit b, Bucket& bucket, Bucket& next, ClauseSink& sink) {
  const Lit sum = sink.new_variable();
  const Lit carry = sink.new_variable();
  sink.add({a, b, ~sum});
  sink.add({~a, ~b, ~sum});
  sink.add({~a, b, sum});
  sink.add({a, ~b, sum});
  sink.add({~a, ~b, carry});
  sink.add({a, ~carry});
  sink.add({b, ~carry});
  bucket.push_back(sum);
  next.push_back(carry);
}

// Returns the bits of the sum of all buckets.
BinarySum add_up(BinarySum buckets, ClauseSink& sink) {
  for (std::size_t i = 0; i < buckets.size(); ++i) {
    std::size_t done = 0;  // the front of the bucket is used up: taking the oldest keeps the tree shallow
    while (buckets[i].size() - done > 1) {
      if (i + 1 == buckets.size()) buckets.emplace_back();
      Bucket& bucket = buckets[i];
      const Lit a = bucket[done];
      const Lit b = bucket[done + 1];
      if (bucket.size() - done == 2) {
        done += 2;
        add_half_adder(a, b, bucket, buckets[i + 1], sink);
      } else {
        const Lit c = bucket[done + 2];
        done += 3;
        add_full_adder(a, b, c, bucket, buckets[i + 1], sink);
      }
    }
    buckets[i].erase(buckets[i].begin(), buckets[i].begin() + static_cast<std::ptrdiff_t>(done));
  }
  return buckets;
}

// output <-> a and b, or output <-> a or b.
void add_gate(bool is_and, Lit a, Lit b, Lit output, ClauseSink& sink) {
  add_direct(std::vector<Lit>{a, b}, is_and ? 2 : 1, output, Implication::both, sink);
}

// The chain of gates that compares bits with a bound, with its constant beginning removed.
struct Gate {
  bool is_and = false;  // of the bit and the previous gate; meaningless for the first
  Lit bit;
};

std::vector<Gate> comparison_gates(const BinarySum& bits, std::int64_t bound) {
  std::vector<Gate> gates;
  bool constant = true;  // the result so far, while there is no gate: nothing >= nothing
  for (std::size_t i = 0; i < bits.size(); ++i) {
    const bool bound_bit = i < 63 && (bound >> i & 1) != 0;
    if (bits[i].empty()) {
      if (!bound_bit) continue;
      gates.clear();
      constant = false;
    } else if (!gates.empty() || constant == bound_bit) {
      gates.push_back({bound_bit, bits[i][0]});
    }
  }
  return gates;
}

// output <-> bits >= bound. Requires 1 <= bound <= the largest possible sum.
void compare(const BinarySum& bits, std::int64_t bound, Lit output, ClauseSink& sink) {
  const std::vector<Gate> gates = comparison_gates(bits, bound);
  assert(!gates.empty());
  Lit so_far = gates.front().bit;
  for (std::size_t i = 1; i < gates.size(); ++i) {
    const Lit next = i + 1 == gates.size() ? output : sink.new_variable();
    add_gate(gates[i].is_and, gates[i].bit, so_far, next, sink);
    so_far = next;
  }
  if (gates.size() == 1) {
    sink.add({~so_far, output});
    sink.add({so_far, ~output});
  }
}

}  // namespace

BinarySum binary_sum(std::span<const SumTerm> terms, ClauseSink& sink) {
  BinarySum buckets;
  for (const SumTerm& term : terms) {
    std::size_t bit = 0;
    for (std::uint64_t rest = term.weight; rest != 0; rest >>= 1, ++bit) {
      if (bit == buckets.size()) buckets.emplace_back();
      if ((rest & 1) != 0) buckets[bit].push_back(term.literal);
    }
  }
  return add_up(std::move(buckets), sink);
}

void encode_adder_sum(const WeightedAtLeast& constraint, Lit output, ClauseSink& sink) {
  compare(binary_sum(sum_terms(constraint), sink), constraint.bound, output, sink);
}

void encode_adder(const ReifiedAtLeast& neuron, ClauseSink& sink) {
  compare(add_up({neuron.inputs}, sink), neuron.threshold, neuron.output, sink);
}

}  // namespace bnnplan::encoding
