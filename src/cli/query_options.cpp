// The options of questions to a network.
#include "cli/query_options.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/exact_number.hpp"
#include "base/input_error.hpp"
#include "cli/file_kind.hpp"
#include "cli/options.hpp"
#include "network/network_file.hpp"
#include "verify/input_values.hpp"

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
      .add_option("--target", target, "The class that a changed input shall have (any other if not given)")
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
      .add_option("--ties", ties,
                  "What counts as classified otherwise: another score is at least as large as the label's\n"
                  "(label-loses, as published instances have it), or the network's own answer is another one "
                  "(network)")
      ->check(one_of(words(tie_rule_names)))
      ->type_name("RULE");
}

VerifyQuery QueryOptions::without_input(const Network& network) const {
  if (minimal.empty() && epsilon.empty())
    throw InputError("nothing is asked: --minimal NORM or --epsilon E --norm NORM is missing");
  if (!epsilon.empty() && norm.empty()) throw InputError("--epsilon needs --norm");
  VerifyQuery query;
  if (!target.empty()) query.target = class_named(network, target, "--target");
  query.norm = value_named<Norm>(norm_names, minimal.empty() ? norm : minimal);
  query.ties = value_named<TieRule>(tie_rule_names, ties);
  if (!epsilon.empty()) {
    query.epsilon = parse_exact(epsilon);
    if (!query.epsilon || *query.epsilon < 0)
      throw InputError(fmt::format("--epsilon: '{}' is no number from 0 on", printable(epsilon, 40)));
  }
  return query;
}

VerifyQuery QueryOptions::read(const Network& network) const {
  if (image.empty()) throw InputError("--image is missing: the input that is asked about");
  if (label.empty()) throw InputError("--label is missing: the class that the input has");
  VerifyQuery query = without_input(network);
  query.label = class_named(network, label, "--label");
  query.values = read_input_values(image, network, transpose);
  return query;
}

Network read_network_argument(const std::string& file) {
  const InputText input = read_input(file);
  Network network = read_as(FileKind::network, input, [&] { return parse_network(input.text, input.name); });
  if (!is_classifier(network)) throw InputError(input.name, "the network is no classifier: it has no scores");
  return network;
}

}  // namespace bnnplan
