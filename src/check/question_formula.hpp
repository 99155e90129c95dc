#pragma once

#include <gmpxx.h>

#include "bnnplan/check/pb_formula.hpp"
#include "bnnplan/network/network.hpp"
#include "bnnplan/query/linear_query.hpp"
#include "bnnplan/query/verify_query.hpp"

namespace bnnplan::checking {

// The formula that a proof about a question to a network refers to, the one that `verify --opb` writes, built
// here from the network and the question without the code of verify/. A distance or value is
// unit * (value of the objective) + offset.
struct QuestionFormula {
  PbFormula formula;
  mpq_class unit = 1, offset = 0;
};

// How near is an input that is classified otherwise?
QuestionFormula formula_of(const Network& network, const verification::VerifyQuery& query);

// Is there an input to which two networks give different answers?
QuestionFormula formula_of(const Network& first, const Network& second, const verification::Region& region,
                           verification::Equality by);

// Is there an input for which an output moves the other way?
QuestionFormula formula_of(const Network& network, const verification::MonotoneQuery& query);

// Is there an input with a linear property, and which has the least value of a sum?
QuestionFormula formula_of(const Network& network, const verification::LinearQuery& query);

// All throw InputError for what cannot be asked, and if numbers do not fit into 64 bits in a common unit.

}  // namespace bnnplan::checking
