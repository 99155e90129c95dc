#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "bnnplan/verify/verify.hpp"

namespace bnnplan::verification {

// A question about two networks as one about a network made of both. Its flips may be of bits that only one
// of the two reads, if they cut the range of a number at different places.
struct JointQuestion {
  std::unique_ptr<const Network> network;  // what the question is about
  FlipQuestion question;

  // For a bit of the joint network: the number that it belongs to, and where it is cut.
  struct Source {
    std::uint32_t input = 0;
    mpq_class threshold = 0;
  };
  std::vector<Source> sources;
  // What the numbers may be, and the centre.
  std::vector<NumericInput> numbers;
  std::vector<mpq_class> values;
};

// The input for a set of flips: of all inputs with these bits, the one nearest to the centre.
std::vector<mpq_class> values_of(const JointQuestion& joint, const FlipSet& set);

// Is there an input of the region to which the two give different answers? The first network declares what a
// number may be. Networks whose outputs are bits are compared by these. Throws InputError if they have
// different numbers of inputs or outputs, only one of them is a classifier, or they read a number by
// different thresholds and the region's norm is not linf.
JointQuestion make_equal_question(const Network& first, const Network& second, const Region& region,
                                  Equality by);
bool are_different(const Network& first, const Network& second, Equality by,
                   std::span<const mpq_class> values);

// Is there an input of the region for which it moves the other way?
JointQuestion make_monotone_question(const Network& network, const MonotoneQuery& query);
bool goes_the_other_way(const Network& network, const MonotoneQuery& query, std::span<const mpq_class> lower,
                        std::span<const mpq_class> upper);

// The inputs found are checked by the reference inference on each network alone.
struct JointOutcome {
  Status status = Status::unknown;              // none: they are equal, or it is monotone
  std::vector<mpq_class> values;                // a counterexample
  std::vector<mpq_class> other_values;          // monotone: the input with the larger number
  std::vector<mpq_class> scores, other_scores;  // of the two
  mpq_class distance, lower_bound;              // from the centre, if there is one
  StopReason stopped = StopReason::none;
  bool proof_written = false;
  std::string_view decided_by;
  std::uint64_t evaluations = 0, conflicts = 0;
};
JointOutcome compare_networks(const Network& first, const Network& second, const Region& region, Equality by,
                              const VerifyRequest& request = {});
JointOutcome check_monotone(const Network& network, const MonotoneQuery& query,
                            const VerifyRequest& request = {});

}  // namespace bnnplan::verification
