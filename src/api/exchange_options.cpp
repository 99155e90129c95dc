// The options of networks of other tools and of running networks on data. Numbers are exact, so they are
// given as texts such as 0.5, 1e-5 and 1/255.
#include <bnnplan/exchange.hpp>
#include <fmt/format.h>

#include "bnnplan/api/option_fields.hpp"

namespace bnnplan {

namespace {

using Pair = std::pair<mpq_class, mpq_class>;

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
      {"range", exact_pair(options.range, ':'), "The inputs are numbers from LOW to HIGH, as you give them",
       "LOW:HIGH"},
      {"step", exact(options.step), "How far apart these numbers are: 1 for pixels", "S"},
      {"scale", exact(options.scale),
       "Inputs are multiplied by F before the network's own first step: 1/255 for\npixels that it wants from "
       "0 to 1",
       "F"},
      {"bits", exact_pair(options.bits, ','),
       "The inputs are bits, and the network reads these two numbers for them", "LOW,HIGH"},
      {"tie", words<std::optional<ZeroGives>>(options.tie, {{"0", ZeroGives::zero}, {"1", ZeroGives::one}}),
       "What sign gives at 0; needed where some input may reach it", "BIT"},
      {"class-tie",
       words<std::optional<ClassTie>>(options.class_tie,
                                      {{"lowest", ClassTie::lowest}, {"highest", ClassTie::highest}}),
       "Which of several classes with the best score is given (default: lowest)", "WHICH"},
      {"classes", field(options.classes), "Names of the classes, or of the output bits", "NAME,..."},
      {"epsilon", exact(options.epsilon),
       "Epsilon of the batch normalisations; PyTorch's own default is 1e-5", "E"},
      {"latent", field(options.latent), "The weights are real numbers of which the sign counts"},
      {"order", field(options.order),
       "The modules in the order in which they are used: fc1,bn1,fc2 (default: the file's, if only that "
       "fits)",
       "MODULE,..."},
      {"outputs", words<std::optional<bool>>(options.scores, {{"scores", true}, {"bits", false}}),
       "What the last layer gives: scores (default) or bits", "WHAT"}};
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
      {"label", field(options.label_column), "The column of INPUTS.csv that has the right class", "COLUMN"},
      {"labels", field(options.labels), "A file of the right classes: idx, .npy, or .csv with one column",
       "FILE"},
      {"scale", exact(options.scale),
       "Give the network F times each number: 1/255 for pixels that it wants from 0 to 1", "F"},
      {"scores", field(options.scores), "Also the scores of all classes, exactly"}};
}

std::vector<Option> options_of(ExportOptions& options) {
  using namespace describing;
  return {{"to",
           words(options.target, {{"onnx", NetworkTarget::onnx},
                                  {"qonnx", NetworkTarget::qonnx},
                                  {"npz", NetworkTarget::npz},
                                  {"c", NetworkTarget::c}}),
           "onnx: standard operators, for any runtime; qonnx: with BipolarQuant, as Brevitas and\n"
           "FINN have it; npz: arrays of NumPy; c: one file of C without dependencies",
           "FORMAT"}};
}

}  // namespace bnnplan
