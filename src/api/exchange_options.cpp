// The options of networks of other tools and of running networks on data. Numbers are exact, so they are
// given as texts such as 0.5, 1e-5 and 1/255.
#include <bnnplan/exchange.hpp>
#include <fmt/format.h>

#include "base/exact_number.hpp"

namespace bnnplan {

namespace {

using Pair = std::pair<mpq_class, mpq_class>;

OptionField exact(std::optional<mpq_class>& place) {
  auto* at = &place;
  OptionField made{OptionKind::text, [=] { return *at ? OptionValue(exact_text(**at)) : OptionValue(); },
                   [=](const OptionValue& value) { *at = parse_exact(std::get<std::string>(value)); }};
  made.expected = [](const std::string& text) {
    return parse_exact(text) ? "" : "a number such as 0.5, 1e-5 or 1/255";
  };
  return made;
}

std::optional<Pair> parse_pair(const std::string& text, char between) {
  const auto cut = text.find(between);
  if (cut == text.npos) return std::nullopt;
  const auto low = parse_exact(text.substr(0, cut)), high = parse_exact(text.substr(cut + 1));
  return low && high ? std::optional(Pair(*low, *high)) : std::nullopt;
}

OptionField exact_pair(std::optional<Pair>& place, char between) {
  auto* at = &place;
  OptionField made{
      OptionKind::text,
      [=] {
        return *at ? OptionValue(exact_text((*at)->first) + between + exact_text((*at)->second))
                   : OptionValue();
      },
      [=](const OptionValue& value) { *at = parse_pair(std::get<std::string>(value), between); }};
  made.expected = [=](const std::string& text) {
    return parse_pair(text, between) ? "" : fmt::format("two numbers such as 0{}1", between);
  };
  return made;
}

}  // namespace

std::vector<Option> options_of(ImportOptions& options) {
  using namespace describing;
  return {
      {.name = "range",
       .field = exact_pair(options.range, ':'),
       .help = "The inputs are numbers from LOW to HIGH, as you give them",
       .unit = "LOW:HIGH"},
      {.name = "step",
       .field = exact(options.step),
       .help = "How far apart these numbers are: 1 for pixels",
       .unit = "S"},
      {.name = "scale",
       .field = exact(options.scale),
       .help = "Inputs are multiplied by F before the network's own first step: 1/255 for\npixels that it "
               "wants from 0 to 1",
       .unit = "F"},
      {.name = "bits",
       .field = exact_pair(options.bits, ','),
       .help = "The inputs are bits, and the network reads these two numbers for them",
       .unit = "LOW,HIGH"},
      {.name = "tie",
       .field = words<std::optional<ZeroGives>>(options.tie, {{"0", ZeroGives::zero}, {"1", ZeroGives::one}}),
       .help = "What sign gives at 0; needed where some input may reach it",
       .unit = "BIT"},
      {.name = "class-tie",
       .field = words<std::optional<ClassTie>>(
           options.class_tie, {{"lowest", ClassTie::lowest}, {"highest", ClassTie::highest}}),
       .help = "Which of several classes with the best score is given (default: lowest)",
       .unit = "WHICH"},
      {.name = "classes",
       .field = field(options.classes),
       .help = "Names of the classes, or of the output bits",
       .unit = "NAME,..."},
      {.name = "epsilon",
       .field = exact(options.epsilon),
       .help = "Epsilon of the batch normalisations; PyTorch's own default is 1e-5",
       .unit = "E"},
      {.name = "latent",
       .field = field(options.latent),
       .help = "The weights are real numbers of which the sign counts"},
      {.name = "order",
       .field = field(options.order),
       .help = "The modules in the order in which they are used: fc1,bn1,fc2 (default: the file's, if "
               "only that fits)",
       .unit = "MODULE,..."},
      {.name = "outputs",
       .field = words<std::optional<bool>>(options.scores, {{"scores", true}, {"bits", false}}),
       .help = "What the last layer gives: scores (default) or bits",
       .unit = "WHAT"}};
}

std::vector<Option> options_of(ImportOptions& options, NetworkSource source) {
  std::vector<Option> all = options_of(options);
  std::erase_if(all, [&](const Option& option) {
    if (option.name == "order") return source != NetworkSource::torch;
    const bool in_onnx = option.name == "epsilon" || option.name == "latent" || option.name == "outputs";
    return in_onnx && source == NetworkSource::onnx;
  });
  return all;
}

std::vector<Option> options_of(EvalOptions& options) {
  using namespace describing;
  return {
      {.name = "label",
       .field = field(options.label_column),
       .help = "The column of INPUTS.csv that has the right class",
       .unit = "COLUMN"},
      {.name = "labels",
       .field = field(options.labels),
       .help = "A file of the right classes: idx, .npy, or .csv with one column",
       .unit = "FILE"},
      {.name = "scale",
       .field = exact(options.scale),
       .help = "Give the network F times each number: 1/255 for pixels that it wants from 0 to 1",
       .unit = "F"},
      {.name = "scores", .field = field(options.scores), .help = "Also the scores of all classes, exactly"}};
}

std::vector<Option> options_of(ExportOptions& options) {
  using namespace describing;
  return {{.name = "to",
           .field = words(options.target, {{"onnx", NetworkTarget::onnx},
                                           {"qonnx", NetworkTarget::qonnx},
                                           {"npz", NetworkTarget::npz},
                                           {"c", NetworkTarget::c}}),
           .help = "onnx: standard operators, for any runtime; qonnx: with BipolarQuant, as Brevitas and\n"
                   "FINN have it; npz: arrays of NumPy; c: one file of C without dependencies",
           .unit = "FORMAT",
           .former_name = "format"}};
}

}  // namespace bnnplan
