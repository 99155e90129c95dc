#pragma once

// The embedded MaxSAT solver.
//
//   const bnnplan::Wcnf formula = bnnplan::read_wcnf("formula.wcnf");
//   const bnnplan::MaxSatOutcome outcome = bnnplan::solve_maxsat(formula);
//
//   Wcnf                           plain data, formats/wcnf.hpp
//   read_wcnf(file)                WCNF of 2022, classic WCNF or CNF, also packed; parse_wcnf from text
//   solve_maxsat(formula, request) maxsat/maxsat.hpp
//   write_maxsat_proof(...)        a proof of its answer

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "bnnplan/base/answer.hpp"
#include "bnnplan/base/input_error.hpp"
#include "bnnplan/base/option.hpp"
#include "bnnplan/base/proof_version.hpp"
#include "bnnplan/formats/wcnf.hpp"
#include "bnnplan/formats/wcnf_reader.hpp"
#include "bnnplan/maxsat/maxsat.hpp"

namespace bnnplan {

using formats::FormulaTooLarge, formats::largest_wcnf_variable, formats::parse_wcnf, formats::read_wcnf,
    formats::Wcnf, formats::Weight;
using maxsat::MaxSatModel, maxsat::MaxSatOutcome, maxsat::MaxSatRequest, maxsat::MaxSatStrategy,
    maxsat::solve_maxsat;

// A request, and the file for a proof of its answer, if one is wanted.
struct MaxSatCall : MaxSatRequest {
  std::filesystem::path proof;
  ProofVersion proof_version = ProofVersion::v3_0;
};
std::vector<Option> options_of(MaxSatCall& call);  // strategy, time and memory limit, seed, proof

// The status, bounds and counts; the text has the last lines of the protocol of the MaxSAT Evaluation, with
// the model, as a string of 0 and 1 or as literals.
Answer answer_of(const MaxSatOutcome& outcome, bool literals = false);

// Proves an answer of solve_maxsat to the formula of this text again, by the pseudo-Boolean solver, and
// writes the proof. Returns why none is written; "" if it is. Throws InputError, and std::logic_error if the
// two solvers disagree, which cannot happen.
std::string write_maxsat_proof(std::string_view text, const std::string& name, const MaxSatOutcome& outcome,
                               const MaxSatCall& call);

}  // namespace bnnplan
