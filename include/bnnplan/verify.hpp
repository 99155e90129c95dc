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
//   verify_answer, equal_answer, ...  the answers for people and for programs; verify/answers.hpp
//   labelled_files, verify_files      one question to all inputs of a folder
//   formula_of(network, query)        the pseudo-Boolean formula that a proof is about, by the checker:
//                                     check_proof(formula_of(network, query).formula, proof)
//   make_question, question_formula   the question in integers, and the same formula for solvers
//
//   compare_networks, check_monotone  are two networks equal, is an output monotone; verify/two_networks.hpp
//   explain                           which inputs fix the class; verify/explain.hpp
//   count_misclassified               how many inputs of a region are classified otherwise; verify/count.hpp
//   answer_linear                     any linear property of inputs and outputs (LinearQuery); from files:
//                                     parse_query_file (TOML), parse_vnnlib
//   change_panels, picture_page       pictures of the input, the changed input, the difference
//   (verify/picture.hpp)

#include <optional>
#include <string>
#include <vector>

#include "bnnplan/base/input_error.hpp"
#include "bnnplan/base/option.hpp"
#include "bnnplan/check/question_formula.hpp"
#include "bnnplan/query/input_values.hpp"
#include "bnnplan/query/query_file.hpp"
#include "bnnplan/query/vnnlib.hpp"
#include "bnnplan/verify/answer_linear.hpp"
#include "bnnplan/verify/answers.hpp"
#include "bnnplan/verify/count.hpp"
#include "bnnplan/verify/explain.hpp"
#include "bnnplan/verify/picture.hpp"
#include "bnnplan/verify/question_formula.hpp"
#include "bnnplan/verify/two_networks.hpp"
#include "bnnplan/verify/verify.hpp"
#include "bnnplan/verify/verify_folder.hpp"

namespace bnnplan {

using checking::formula_of, checking::QuestionFormula;
using verification::answer_linear, verification::are_different, verification::beside_each_other,
    verification::change_panels, verification::check_monotone, verification::compare_networks,
    verification::count_answer, verification::count_misclassified, verification::count_of_names,
    verification::CountOf, verification::CountOutcome, verification::equal_answer, verification::Equality,
    verification::equality_names, verification::explain, verification::ExplainCallbacks,
    verification::ExplainQuery, verification::Explanation, verification::explanation_answer,
    verification::explanation_names, verification::explanation_panels, verification::ExplanationKind,
    verification::folder_headline, verification::folder_row_text, verification::folder_summary_text,
    verification::FolderRow, verification::FolderSummary, verification::JointOutcome,
    verification::labelled_files, verification::LabelledFile, verification::LinearOutcome,
    verification::make_equal_question, verification::make_monotone_question, verification::monotone_answer,
    verification::MonotoneQuery, verification::Panel, verification::panels_text,
    verification::parse_query_file, verification::parse_vnnlib, verification::picture_page,
    verification::picture_shape, verification::PictureShape, verification::query_answer,
    verification::QueryFile, verification::question_formula, verification::read_allowed_values,
    verification::read_input_values, verification::status_word, verification::values_of, verification::verify,
    verification::verify_answer, verification::verify_files, verification::VerifyOutcome,
    verification::VerifyRequest, verification::vnnlib_result, verification::vnnlib_status,
    verification::VnnLibQuery, verification::write_opb;

// What is asked, as the options of `bnnplan verify`: classes and inputs by name, an input as a file.
struct VerifyOptions {
  std::string query;  // a file; the question that is not asked by the other options
  std::string image, label, target;
  bool transpose = false;
  std::optional<verification::Norm> minimal, norm;
  std::optional<mpq_class> epsilon;
  std::optional<verification::TieRule> ties;
  std::string equal;  // another network
  std::optional<Equality> equal_by;
  std::string monotone, output, direction = "increasing", monotone_by = "score";
  std::optional<ExplanationKind> explain;
  std::optional<CountOf> count;
  std::string folder;
  VerifyRequest request;
};
std::vector<Option> options_of(VerifyRequest& request);  // limits, seed, proof
std::vector<Option> options_of(VerifyOptions& options);

// The question that the options ask; of a folder, without the input and its label. Throw OptionError for
// options that are missing, wrong, or do not go together, and InputError for files.
verification::VerifyQuery verify_query(const VerifyOptions& options, const Network& network);
verification::VerifyQuery folder_query(const VerifyOptions& options, const Network& network);
verification::Region verify_region(const VerifyOptions& options,
                                   const Network& network);  // all inputs without an image
MonotoneQuery monotone_query(const VerifyOptions& options, const Network& network);
ExplainQuery explain_query(const VerifyOptions& options, const Network& network);

}  // namespace bnnplan
