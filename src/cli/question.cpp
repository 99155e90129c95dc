// Questions to a network: their files, and the formulas that proofs are about.
#include "bnnplan/cli/question.hpp"

#include "bnnplan/cli/file_kind.hpp"
#include "bnnplan/cli/options.hpp"
#include "bnnplan/network/network_file.hpp"

namespace bnnplan::cli {

QueryFile read_query_file(const std::string& file, const Network& network) {
  const InputText input = read_input(file);
  return parse_query_file(input.text, file, network);
}

VnnLibQuery read_vnnlib(const std::string& file, const Network& network) {
  const InputText input = read_input(file);
  return parse_vnnlib(input.text, input.name, network);
}

Network read_network_argument(const std::string& file, bool any_network) {
  const InputText input = read_input(file);
  Network network = read_as(FileKind::network, input, [&] { return parse_network(input.text, input.name); });
  if (!any_network && !is_classifier(network))
    throw InputError(input.name, "the network is not a classifier: it has no scores");
  return network;
}

AskedFormula asked_formula(const VerifyOptions& options, const Network& network) {
  const auto of_flips = [](const verification::FlipQuestion& question) {
    return AskedFormula{question_formula(question), question.unit};
  };
  return verification::with_file_of_numbers(file_of_numbers(options), [&] {
    if (!options.query.empty()) {
      verification::LinearQuestion question = verification::make_linear_question(
          network, is_vnnlib(options.query) ? read_vnnlib(options.query, network).query
                                            : read_query_file(options.query, network).query);
      return AskedFormula{std::move(question.formula), question.unit, question.offset};
    }
    if (!options.equal.empty()) {
      const Network other = read_network_argument(options.equal, true);
      return of_flips(make_equal_question(network, other, verify_region(options, network),
                                          options.equal_by.value_or(Equality::classes))
                          .question);
    }
    if (!options.monotone.empty())
      return of_flips(make_monotone_question(network, monotone_query(options, network)).question);
    return of_flips(verification::make_question(network, verify_query(options, network)));
  });
}

}  // namespace bnnplan::cli
