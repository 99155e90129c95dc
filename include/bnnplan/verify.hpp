#pragma once

// Questions to a classifier: how near to an input is one that it classifies otherwise?
//
//   const bnnplan::Network network = bnnplan::read_network("digits.bnn");
//   bnnplan::VerifyQuery query;
//   query.values = bnnplan::read_input_values("7.png", network);
//   query.label = 7;
//   const bnnplan::VerifyOutcome outcome = bnnplan::verify(network, query);
//
//   VerifyQuery                       the input, its class, a norm, a radius or none; verify/question.hpp
//   verify(network, query, request)   the nearest input that is classified differently, or that there is none
//   read_input_values(file, network)  an input from a picture, a NumPy array or text
//   verify_text, verify_json          the answer for people and for programs
//   labelled_files, verify_files      one question to all inputs of a folder
//   make_question, question_formula   the question in integers, and as the pseudo-Boolean formula that a
//                                     proof is about:
//                                     check_proof(question_formula(make_question(network, query)), proof)
//
//   compare_networks, check_monotone  are two networks equal, is an output monotone; verify/two_networks.hpp
//   explain                           which inputs fix the class; verify/explain.hpp
//   count_misclassified               how many inputs of a region are classified otherwise; verify/count.hpp
//   answer_linear                     any linear property of inputs and outputs (LinearQuery); from files:
//                                     parse_query_file (TOML), parse_vnnlib
//   change_panels, picture_page       pictures of the input, the changed input, the difference
//   (verify/picture.hpp)

#include <vector>

#include "base/input_error.hpp"
#include "base/option.hpp"
#include "verify/answer_linear.hpp"
#include "verify/answer_text.hpp"
#include "verify/count.hpp"
#include "verify/explain.hpp"
#include "verify/input_values.hpp"
#include "verify/picture.hpp"
#include "verify/query_file.hpp"
#include "verify/question_formula.hpp"
#include "verify/two_networks.hpp"
#include "verify/verify.hpp"
#include "verify/verify_folder.hpp"
#include "verify/verify_text.hpp"
#include "verify/vnnlib.hpp"

namespace bnnplan {

std::vector<Option> options_of(VerifyRequest& options);  // limits, seed, proof

}  // namespace bnnplan
