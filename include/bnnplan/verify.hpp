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

#include <optional>
#include <string>
#include <vector>

#include "base/input_error.hpp"
#include "base/option.hpp"
#include "verify/answer_linear.hpp"
#include "verify/answers.hpp"
#include "verify/count.hpp"
#include "verify/explain.hpp"
#include "verify/input_values.hpp"
#include "verify/picture.hpp"
#include "verify/query_file.hpp"
#include "verify/question_formula.hpp"
#include "verify/two_networks.hpp"
#include "verify/verify.hpp"
#include "verify/verify_folder.hpp"
#include "verify/vnnlib.hpp"

namespace bnnplan {

using verification::answer_linear;
using verification::are_different;
using verification::beside_each_other;
using verification::change_panels;
using verification::check_monotone;
using verification::compare_networks;
using verification::count_answer;
using verification::count_misclassified;
using verification::count_of_names;
using verification::CountOf;
using verification::CountOutcome;
using verification::equal_answer;
using verification::Equality;
using verification::equality_names;
using verification::explain;
using verification::ExplainCallbacks;
using verification::ExplainQuery;
using verification::Explanation;
using verification::explanation_answer;
using verification::explanation_names;
using verification::explanation_panels;
using verification::ExplanationKind;
using verification::flips_in;
using verification::folder_headline;
using verification::folder_row_text;
using verification::folder_summary_text;
using verification::FolderRow;
using verification::FolderSummary;
using verification::formula_values;
using verification::goes_the_other_way;
using verification::JointOutcome;
using verification::JointQuestion;
using verification::labelled_files;
using verification::LabelledFile;
using verification::LinearOutcome;
using verification::make_equal_question;
using verification::make_monotone_question;
using verification::monotone_answer;
using verification::MonotoneQuery;
using verification::Panel;
using verification::panels_text;
using verification::parse_query_file;
using verification::parse_vnnlib;
using verification::picture_page;
using verification::picture_shape;
using verification::PictureShape;
using verification::query_answer;
using verification::QueryFile;
using verification::question_formula;
using verification::read_allowed_values;
using verification::read_input_values;
using verification::status_word;
using verification::transposed;
using verification::values_of;
using verification::verify;
using verification::verify_answer;
using verification::verify_files;
using verification::VerifyCallbacks;
using verification::VerifyOutcome;
using verification::VerifyRequest;
using verification::vnnlib_result;
using verification::vnnlib_status;
using verification::VnnLibQuery;
using verification::write_opb;

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
