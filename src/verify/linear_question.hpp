#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "check/pb_formula.hpp"
#include "verify/linear_query.hpp"
#include "verify/number_cuts.hpp"
#include "verify/verify.hpp"

namespace bnnplan {

// A linear query in integers. Where only outputs are spoken of, and every number has a range of its own, it is a question about
// flips, which all engines know; otherwise it is a formula, for the solver.
struct LinearQuestion {
  std::unique_ptr<const Network> network;  // with scores
  bool impossible = false;                 // no input is left
  std::optional<FlipQuestion> flips;
  PbFormula formula;  // what a proof is about, of both kinds
  // The objective: its value is (value of the formula) * unit + offset.
  mpq_class unit = 1, offset = 0;

  // How inputs are found in the values of the formula: by the cuts that they are beyond, or as an integer in binary.
  struct NumberCode {
    NumberRange range;
    std::vector<std::pair<Cut, Lit>> cuts;  // rising
    std::vector<Lit> digits;                // the number is range.lower + step * (sum of 2^j digit j)
  };
  std::vector<NumberCode> numbers;
};

// Throws InputError for what cannot be put into integers: a region by another norm than linf beside conditions on inputs;
// sums of several inputs whose numbers may be anything; coefficients that do not fit into 61 bits in their common unit.
LinearQuestion make_linear_question(const Network& network, const LinearQuery& query);

struct LinearOutcome {
  VerifyStatus status =
      VerifyStatus::unknown;  // nearest: there is one (the least, if something is minimised); none
  std::vector<mpq_class> values, outputs;       // of the input found, by the reference inference
  std::optional<mpq_class> value, lower_bound;  // of what is minimised
  StopReason stopped = StopReason::none;
  bool proof_written = false;
  std::string_view decided_by;
  std::uint64_t evaluations = 0, conflicts = 0;
};

// What is found is checked in rational numbers against the query as it was given.
LinearOutcome answer_linear(const Network& network, const LinearQuery& query,
                            const VerifyRequest& request = {});

}  // namespace bnnplan
