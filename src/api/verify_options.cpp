// The options of questions to networks, and what they ask.
#include <algorithm>

#include <bnnplan/verify.hpp>
#include <fmt/format.h>

#include "bnnplan/api/option_fields.hpp"
#include "bnnplan/network/reference_inference.hpp"

namespace bnnplan {

namespace {

std::size_t class_named(const Network& network, const std::string& name, const char* option) {
  const auto found = std::find(network.outputs.begin(), network.outputs.end(), name);
  if (found != network.outputs.end()) return static_cast<std::size_t>(found - network.outputs.begin());
  std::string classes;
  for (std::size_t c = 0; c < network.outputs.size() && c < 20; ++c)
    classes += (c > 0 ? ", " : "") + network.outputs[c];
  throw InputError(fmt::format("{}: the network has no class '{}', its classes are {}{}", option_name(option),
                               printable(name, 40), printable(classes, 120),
                               network.outputs.size() > 20 ? ", ..." : ""));
}

std::string missing(std::string_view option, std::string_view what) {
  return fmt::format("{} is missing: {}", option_name(option), what);
}

// All but the limits, which may stand for those of the machine.
void check_question(VerifyOptions options) {
  options.request.limits = {};
  check_options(options, options_of);
}

}  // namespace

std::vector<Option> options_of(VerifyRequest& request) {
  using namespace describing;
  std::vector<Option> all = limit_options(request.limits);
  option_named(all, "threads").help =
      "Threads of the search over the first layer (all of the machine if not given)";
  add(all, proof_options(field(request.proof), request.proof_version));
  option_named(all, "proof").help =
      "Write a VeriPB proof that nothing is nearer, or that the network is robust here";
  return all;
}

std::vector<Option> options_of(VerifyOptions& options) {
  using namespace describing;
  std::vector<Option> all = {
      {.name = "query",
       .field = field(options.query),
       .help = "A question as a file: linear conditions in TOML, or VNN-LIB 1.0 or 2.0 (.vnnlib)",
       .unit = "FILE",
       .excludes = {"image", "label", "target", "minimal", "epsilon", "equal", "monotone", "explain", "count",
                    "all"},
       .positional = true},
      {"image", field(options.image),
       "The input: a picture (.png, 8 bits of grey), a NumPy array (.npy), or text with numbers", "FILE"},
      {"transpose", field(options.transpose), "The network takes the picture column by column"},
      {"label", field(options.label), "The class that the input has", "CLASS"},
      {"target", field(options.target), "The class that a changed input should have (any other if not given)",
       "CLASS"},
      {"minimal", words(options.minimal, verification::norm_names),
       "Ask for the nearest input that is classified otherwise, by this norm", "NORM"},
      {.name = "epsilon",
       .field = exact(options.epsilon, false),
       .help = "Ask whether an input within this distance is classified otherwise",
       .unit = "E",
       .excludes = {"minimal"}},
      {.name = "norm",
       .field = words(options.norm, verification::norm_names),
       .help = fmt::format("The norm of {}", option_name("epsilon")),
       .unit = "NORM",
       .needs = {"epsilon"}},
      {"ties", words(options.ties, verification::tie_rule_names),
       fmt::format(
           "What counts as classified otherwise: another score is at least as large as the label's\n"
           "(label-loses, the default, as published instances have it), or the network's own answer is "
           "another one\n(network, the default of {})",
           option_name("explain")),
       "RULE"},
      {.name = "equal",
       .field = field(options.equal),
       .help =
           fmt::format("Ask whether this network gives the same answers: on all inputs, or, with {}, near it",
                       option_name("image")),
       .unit = "OTHER.bnn",
       .excludes = {"label", "target", "monotone", "explain", "count", "all"}},
      {.name = "equal-by",
       .field = words(options.equal_by, equality_names),
       .help = "What has to be the same: classes (default) or scores",
       .unit = "WHAT",
       .needs = {"equal"}},
      {.name = "monotone",
       .field = field(options.monotone),
       .help = "Ask whether an output goes one way only when this input grows",
       .unit = "INPUT",
       .excludes = {"label", "target", "minimal", "explain", "count", "all"}},
      {.name = "output",
       .field = field(options.output),
       .help =
           fmt::format("The output that {} asks about: a class, or an output bit", option_name("monotone")),
       .unit = "OUTPUT",
       .needs = {"monotone"}},
      {.name = "direction",
       .field = one_of(options.direction, {"increasing", "decreasing"}),
       .help = "increasing (default) or decreasing",
       .unit = "WAY",
       .needs = {"monotone"}},
      {.name = "monotone-by",
       .field = one_of(options.monotone_by, {"score", "class"}),
       .help = "score (default), or class: where the output is the network's answer, it stays so",
       .unit = "WHAT",
       .needs = {"monotone"}},
      {.name = "explain",
       .field = words(options.explain, explanation_names),
       .help = fmt::format(
           "Ask which inputs fix the class: a set none of which can be left out (minimal), or one of\n"
           "the fewest (smallest). With {} the others change by no more than this",
           option_name("epsilon")),
       .unit = "KIND",
       .excludes = {"target", "minimal", "count", "all", "proof"}},
      {.name = "count",
       .field = words(options.count, count_of_names),
       .help =
           fmt::format("Count what is classified otherwise within {}: patterns of bits, or inputs (values)",
                       option_name("epsilon")),
       .unit = "WHAT",
       .excludes = {"all", "proof"}},
      {.name = "all",
       .field = field(options.folder),
       .help = "Ask about all inputs of a folder, NAME_labelCLASS.png or CLASS/NAME.png: a table, and the\n"
               "share that is proved robust. Limits are for each input",
       .unit = "FOLDER",
       .excludes = {"image", "label", "proof"}}};
  add(all, options_of(options.request));
  return all;
}

verification::VerifyQuery folder_query(const VerifyOptions& options, const Network& network) {
  check_question(options);
  if (!options.minimal && !options.epsilon)
    throw OptionError(fmt::format("nothing is asked: {} NORM or {} E {} NORM is missing",
                                  option_name("minimal"), option_name("epsilon"), option_name("norm")));
  if (options.epsilon && !options.norm)
    throw OptionError(option_name("epsilon") + " needs " + option_name("norm"));
  verification::VerifyQuery query;
  if (!options.target.empty()) query.target = class_named(network, options.target, "target");
  query.norm = options.minimal ? *options.minimal : *options.norm;
  query.ties = options.ties.value_or(verification::TieRule::label_loses);
  query.epsilon = options.epsilon;
  return query;
}

verification::VerifyQuery verify_query(const VerifyOptions& options, const Network& network) {
  if (options.image.empty()) throw OptionError(missing("image", "the input that is asked about"));
  if (options.label.empty()) throw OptionError(missing("label", "the class that the input has"));
  verification::VerifyQuery query = folder_query(options, network);
  query.label = class_named(network, options.label, "label");
  query.values = read_allowed_values(options.image, network, options.transpose);
  return query;
}

verification::Region verify_region(const VerifyOptions& options, const Network& network) {
  check_question(options);
  if (!options.image.empty()) {
    const verification::VerifyQuery query = folder_query(options, network);
    return {read_allowed_values(options.image, network, options.transpose), query.norm, query.epsilon};
  }
  if (options.minimal || options.epsilon)
    throw OptionError(missing("image", option_name("minimal") + " and " + option_name("epsilon") +
                                           " ask about what is near an input"));
  return {};
}

MonotoneQuery monotone_query(const VerifyOptions& options, const Network& network) {
  const auto found = std::find(network.inputs.begin(), network.inputs.end(), options.monotone);
  if (found == network.inputs.end()) {
    throw InputError(fmt::format("{}: the network has no input '{}'{}", option_name("monotone"),
                                 printable(options.monotone, 40),
                                 did_you_mean(options.monotone, network.inputs)));
  }
  if (options.output.empty())
    throw OptionError(missing("output", "the output that " + option_name("monotone") + " asks about"));
  const bool by_class = options.monotone_by == "class";
  if (by_class && !is_classifier(network))
    throw InputError(option_name("monotone-by=class") + ": the network is not a classifier");
  return {static_cast<std::size_t>(found - network.inputs.begin()),
          class_named(network, options.output, "output"), options.direction == "increasing", by_class,
          verify_region(options, network)};
}

ExplainQuery explain_query(const VerifyOptions& options, const Network& network) {
  check_question(options);
  if (options.image.empty()) throw OptionError(missing("image", "the input whose class is to be explained"));
  if (options.norm.value_or(verification::Norm::linf) != verification::Norm::linf)
    throw OptionError(option_name("explain") + " takes " + option_name("epsilon") +
                      " by linf: how far each of the other inputs may change");
  ExplainQuery query;
  query.values = read_allowed_values(options.image, network, options.transpose);
  query.label = options.label.empty() ? reference_class(network, binarize(network, query.values))
                                      : class_named(network, options.label, "label");
  query.ties = options.ties.value_or(verification::TieRule::network);
  query.epsilon = options.epsilon;
  query.kind = options.explain.value_or(ExplanationKind::minimal);
  return query;
}

}  // namespace bnnplan
