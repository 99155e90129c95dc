// The options of questions to a network.
#include "cli/query_options.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/exact_number.hpp"
#include "base/input_error.hpp"
#include "cli/file_kind.hpp"
#include "cli/options.hpp"
#include "network/network_file.hpp"
#include "network/reference_inference.hpp"
#include "verify/input_values.hpp"
#include "verify/question_formula.hpp"

namespace bnnplan {

namespace {

std::vector<std::string> words(std::span<const std::string_view> names) {
  return {names.begin(), names.end()};
}

template <class Value>
Value value_named(std::span<const std::string_view> names, const std::string& name) {
  return static_cast<Value>(std::find(names.begin(), names.end(), name) - names.begin());
}

std::size_t class_named(const Network& network, const std::string& name, const char* option) {
  const auto found = std::find(network.outputs.begin(), network.outputs.end(), name);
  if (found != network.outputs.end()) return static_cast<std::size_t>(found - network.outputs.begin());
  std::string classes;
  for (std::size_t c = 0; c < network.outputs.size() && c < 20; ++c)
    classes += (c > 0 ? ", " : "") + network.outputs[c];
  throw InputError(fmt::format("{}: the network has no class '{}', its classes are {}{}", option,
                               printable(name, 40), printable(classes, 120),
                               network.outputs.size() > 20 ? ", ..." : ""));
}

}  // namespace

void QueryOptions::add_to(CLI::App& command) {
  command
      .add_option("--image", image,
                  "The input: a picture (.png, 8 bits of grey), a NumPy array (.npy), or text with numbers")
      ->type_name("FILE");
  command.add_flag("--transpose", transpose, "The network takes the picture column by column");
  command.add_option("--label", label, "The class that the input has")->type_name("CLASS");
  command
      .add_option("--target", target, "The class that a changed input should have (any other if not given)")
      ->type_name("CLASS");
  CLI::Option* least = command
                           .add_option("--minimal", minimal,
                                       "Ask for the nearest input that is classified otherwise, by this norm")
                           ->check(one_of(words(norm_names)))
                           ->type_name("NORM");
  CLI::Option* radius = command
                            .add_option("--epsilon", epsilon,
                                        "Ask whether an input within this distance is classified otherwise")
                            ->type_name("E")
                            ->excludes(least);
  command.add_option("--norm", norm, "The norm of --epsilon")
      ->check(one_of(words(norm_names)))
      ->needs(radius)
      ->type_name("NORM");
  command
      .add_option(
          "--ties", ties,
          "What counts as classified otherwise: another score is at least as large as the label's\n"
          "(label-loses, the default, as published instances have it), or the network's own answer is "
          "another one\n(network, the default of --explain)")
      ->check(one_of(words(tie_rule_names)))
      ->type_name("RULE");
  CLI::Option* other =
      command
          .add_option(
              "--equal", equal,
              "Ask whether this network gives the same answers: on all inputs, or, with --image, near it")
          ->type_name("OTHER.bnn");
  command.add_option("--equal-by", equal_by, "What has to be the same: classes (default) or scores")
      ->check(one_of(words(equality_names)))
      ->needs(other)
      ->type_name("WHAT");
  CLI::Option* rises =
      command
          .add_option("--monotone", monotone, "Ask whether an output goes one way only when this input grows")
          ->type_name("INPUT")
          ->excludes(other);
  command.add_option("--output", output, "The output that --monotone asks about: a class, or an output bit")
      ->needs(rises)
      ->type_name("OUTPUT");
  command.add_option("--direction", direction, "increasing (default) or decreasing")
      ->check(one_of({"increasing", "decreasing"}))
      ->needs(rises)
      ->type_name("WAY");
  command
      .add_option("--monotone-by", monotone_by,
                  "score (default), or class: where the output is the network's answer, it stays so")
      ->check(one_of({"score", "class"}))
      ->needs(rises)
      ->type_name("WHAT");
}

bool QueryOptions::is_vnnlib() const {
  return file.ends_with(".vnnlib") || file.ends_with(".vnnlib.gz") || file.ends_with(".vnnlib.xz");
}

Region QueryOptions::region(const Network& network) const {
  Region region;
  if (image.empty()) {
    if (!minimal.empty() || !epsilon.empty())
      throw InputError("--image is missing: --minimal and --epsilon ask about what is near an input");
    return region;
  }
  const VerifyQuery query = without_input(network);
  region.values = read_allowed_values(image, network, transpose);
  region.norm = query.norm;
  region.epsilon = query.epsilon;
  return region;
}

Equality QueryOptions::equality() const { return value_named<Equality>(equality_names, equal_by); }

MonotoneQuery QueryOptions::monotone_query(const Network& network) const {
  MonotoneQuery query;
  const auto found = std::find(network.inputs.begin(), network.inputs.end(), monotone);
  if (found == network.inputs.end()) {
    const std::string near = nearest_name(monotone, network.inputs);
    throw InputError(
        fmt::format("--monotone: the network has no input '{}'{}", printable(monotone, 40),
                    near.empty() ? "" : fmt::format(", did you mean '{}'?", printable(near, 40))));
  }
  query.input = static_cast<std::size_t>(found - network.inputs.begin());
  if (output.empty()) throw InputError("--output is missing: the output that --monotone asks about");
  query.output = class_named(network, output, "--output");
  query.increasing = direction == "increasing";
  query.by_class = monotone_by == "class";
  if (query.by_class && !is_classifier(network))
    throw InputError("--monotone-by class: the network is not a classifier");
  query.region = region(network);
  if (query.region.values && !query.region.epsilon)
    throw InputError("--monotone asks about a region: --epsilon E --norm NORM, not --minimal");
  return query;
}

ExplainQuery QueryOptions::explain_query(const Network& network, const std::string& kind) const {
  if (image.empty()) throw InputError("--image is missing: the input whose class is to be explained");
  if (!minimal.empty()) throw InputError("--explain does not go with --minimal");
  if (!norm.empty() && norm != "linf")
    throw InputError("--explain takes --epsilon by linf: how far each of the other inputs may change");
  ExplainQuery query;
  query.values = read_allowed_values(image, network, transpose);
  query.label = label.empty() ? reference_class(network, binarize(network, query.values))
                              : class_named(network, label, "--label");
  query.ties = ties.empty() ? TieRule::network : value_named<TieRule>(tie_rule_names, ties);
  query.kind = value_named<ExplanationKind>(explanation_names, kind);
  if (!epsilon.empty()) query.epsilon = epsilon_value();
  return query;
}

QueryFile QueryOptions::file_query(const Network& network) const {
  const InputText input = read_input(file);
  return parse_query_file(input.text, file, network);
}

VnnLibQuery QueryOptions::vnnlib_query(const Network& network) const {
  const InputText input = read_input(file);
  return parse_vnnlib(input.text, input.name, network);
}

QueryOptions::Formula QueryOptions::formula(const Network& network) const {
  return with_file_of_numbers(file_of_numbers(), [&] { return formula_of_question(network); });
}

QueryOptions::Formula QueryOptions::formula_of_question(const Network& network) const {
  const auto of = [](LinearQuestion question) {
    return Formula{std::move(question.formula), question.unit, question.offset};
  };
  if (is_vnnlib()) return of(make_linear_question(network, vnnlib_query(network).query));
  if (is_file()) return of(make_linear_question(network, file_query(network).query));
  if (!equal.empty()) {
    const Network other = read_network_argument(equal, true);
    const JointQuestion joint = make_equal_question(network, other, region(network), equality());
    return {question_formula(joint.question), joint.question.unit};
  }
  if (!monotone.empty()) {
    const JointQuestion joint = make_monotone_question(network, monotone_query(network));
    return {question_formula(joint.question), joint.question.unit};
  }
  const FlipQuestion question = make_question(network, read(network));
  return {question_formula(question), question.unit};
}

mpq_class QueryOptions::epsilon_value() const {
  const auto value = parse_exact(epsilon);
  if (!value || *value < 0)
    throw InputError(fmt::format("--epsilon: '{}' is not a number from 0 on", printable(epsilon, 40)));
  return *value;
}

VerifyQuery QueryOptions::without_input(const Network& network) const {
  if (minimal.empty() && epsilon.empty())
    throw InputError("nothing is asked: --minimal NORM or --epsilon E --norm NORM is missing");
  if (!epsilon.empty() && norm.empty()) throw InputError("--epsilon needs --norm");
  VerifyQuery query;
  if (!target.empty()) query.target = class_named(network, target, "--target");
  query.norm = value_named<Norm>(norm_names, minimal.empty() ? norm : minimal);
  if (!ties.empty()) query.ties = value_named<TieRule>(tie_rule_names, ties);
  if (!epsilon.empty()) query.epsilon = epsilon_value();
  return query;
}

VerifyQuery QueryOptions::read(const Network& network) const {
  if (image.empty()) throw InputError("--image is missing: the input that is asked about");
  if (label.empty()) throw InputError("--label is missing: the class that the input has");
  VerifyQuery query = without_input(network);
  query.label = class_named(network, label, "--label");
  query.values = read_allowed_values(image, network, transpose);
  return query;
}

Network read_network_argument(const std::string& file, bool any_network) {
  const InputText input = read_input(file);
  Network network = read_as(FileKind::network, input, [&] { return parse_network(input.text, input.name); });
  if (!any_network && !is_classifier(network))
    throw InputError(input.name, "the network is not a classifier: it has no scores");
  return network;
}

}  // namespace bnnplan
