// Networks as C. Bits are packed into words of 64 as in our own inference, and a neuron is one popcount per
// word:
//
//   on  <=>  popcount((bits ^ weights) & present) <= fan-in - threshold
//
// Numbers are compared with the smallest double not below their threshold, which is exact for doubles. The
// scores of a classifier are integers in the order of the scores, looked up by the number of disagreeing
// inputs. So the C code has integers and comparisons only, and gives the same bits everywhere.
#include "bnnplan/exchange/write_c.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "bnnplan/base/exact_number.hpp"
#include "bnnplan/network/score_order.hpp"

namespace bnnplan::exchange {

namespace {

constexpr std::array c_keywords = {
    "auto",   "break",    "case",     "char",     "const", "continue", "default", "do",     "double",
    "else",   "enum",     "extern",   "float",    "for",   "goto",     "if",      "inline", "int",
    "long",   "register", "restrict", "return",   "short", "signed",   "sizeof",  "static", "struct",
    "switch", "typedef",  "union",    "unsigned", "void",  "volatile", "while"};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// A C string literal, escaped so that nothing in it can end it or be misread by a compiler.
std::string c_text(std::string_view text) {
  std::string literal = "\"";
  for (const char c : text) {
    const bool plain = c >= ' ' && c <= '~' && c != '"' && c != '\\' && c != '?';
    literal += plain ? std::string(1, c) : fmt::format("\\{:03o}", static_cast<unsigned char>(c));
  }
  return literal + '"';
}

// Values between braces, eight per line.
std::string table(const std::vector<std::string>& values) {
  std::string text = "{";
  for (std::size_t i = 0; i < values.size(); ++i)
    text += fmt::format("{}{}", i == 0 ? "\n  " : i % 8 == 0 ? ",\n  " : ", ", values[i]);
  return text + "\n};\n";
}

constexpr std::string_view functions = R"(
static int NAME_popcount(uint64_t word) {
  word -= word >> 1 & UINT64_C(0x5555555555555555);
  word = (word & UINT64_C(0x3333333333333333)) + (word >> 2 & UINT64_C(0x3333333333333333));
  word = (word + (word >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
  return (int)((word * UINT64_C(0x0101010101010101) & UINT64_C(0xffffffffffffffff)) >> 56);
}

/* How many of the inputs that a neuron looks at disagree with its weights. */
static int32_t NAME_disagreeing(const uint64_t *bits, const uint64_t *weights, const uint64_t *present, size_t words) {
  int32_t count = 0;
  size_t i;
  for (i = 0; i < words; ++i) count += NAME_popcount((bits[i] ^ weights[i]) & present[i]);
  return count;
}
)";

constexpr std::string_view layer_function = R"(
static void NAME_layer(const uint64_t *bits, const uint64_t *weights, const uint64_t *present, const int32_t *allowed,
                       size_t words, size_t neurons, uint64_t *outputs) {
  size_t n;
  for (n = 0; n < (neurons + 63) / 64; ++n) outputs[n] = 0;
  for (n = 0; n < neurons; ++n) {
    if (NAME_disagreeing(bits, weights + n * words, present + n * words, words) <= allowed[n])
      outputs[n / 64] |= UINT64_C(1) << n % 64;
  }
}
)";

class CWriter {
 public:
  CWriter(const Network& network, std::string_view name) : network_(network), name_(name) {}

  std::string text() {
    add_head();
    for (std::size_t l = 0; l < network_.layers.size(); ++l) add_layer_tables(l);
    if (is_classifier(network_)) add_score_tables();
    if (has_numbers(network_)) add_thresholds();
    add_text(functions);
    if (!network_.layers.empty()) add_text(layer_function);
    add_entry();
    return text_;
  }

 private:
  // Replaces NAME in the text by the network's name.
  void add_text(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t found = std::min(text.find("NAME", at), text.size());
      text_ += text.substr(at, found - at);
      if (found < text.size()) text_ += name_;
      at = found + 4;
    }
  }

  std::string input_type() const { return has_numbers(network_) ? "double" : "unsigned char"; }

  void add_head() {
    const bool classes = is_classifier(network_);
    add_text(fmt::format("/* A binarized neural network of the shape {}, written by bnnplan.\n\n",
                         shape_text(network_)));
    add_text(
        classes
            ? fmt::format("   int NAME_class(const {} *inputs) gives the number of the class, from 0.\n",
                          input_type())
            : fmt::format("   void NAME_evaluate(const {} *inputs, unsigned char *outputs) gives 0 or 1 for "
                          "each output.\n",
                          input_type()));
    add_text(
        has_numbers(network_)
            ? "   The inputs are numbers in the network's own units; those that are bits are 0 and 1. */\n"
            : "   The inputs are bits: 0, or anything else for 1. */\n");
    add_text(fmt::format(
        "#include <stddef.h>\n#include <stdint.h>\n\nenum {{ NAME_INPUTS = {}, NAME_{} = {} }};\n\n",
        network_.inputs.size(), classes ? "CLASSES" : "OUTPUTS", network_.outputs.size()));
    const auto add_names = [&](std::string_view what, const std::vector<std::string>& names) {
      std::vector<std::string> values;
      for (const std::string& name : names) values.push_back(c_text(name));
      add_text(fmt::format("const char *const NAME_{}[{}] = ", what, names.size()));
      text_ += table(values);  // not add_text: NAME may be part of an input's name
    };
    add_names("input_names", network_.inputs);
    add_names(classes ? "class_names" : "output_names", network_.outputs);
  }

  // The weights and the mask of non-zero weights, as words of 64 bits.
  template <class Neurons>
  void add_words(const std::string& suffix, const Neurons& neurons, const std::vector<bool>& constant) {
    std::vector<std::string> weights, present;
    const std::size_t inputs = neurons.front().weights.size();
    for (std::size_t n = 0; n < neurons.size(); ++n) {
      for (std::size_t first = 0; first < inputs; first += 64) {
        std::uint64_t positive = 0, there = 0;
        for (std::size_t i = first; i < std::min(first + 64, inputs) && !constant[n]; ++i) {
          positive |= std::uint64_t{neurons[n].weights[i] > 0} << (i - first);
          there |= std::uint64_t{neurons[n].weights[i] != 0} << (i - first);
        }
        weights.push_back(fmt::format("UINT64_C(0x{:x})", positive));
        present.push_back(fmt::format("UINT64_C(0x{:x})", there));
      }
    }
    add_text(fmt::format("static const uint64_t NAME_weights_{}[{}] = {}", suffix, weights.size(),
                         table(weights)));
    add_text(fmt::format("static const uint64_t NAME_present_{}[{}] = {}", suffix, present.size(),
                         table(present)));
  }

  // Constant neurons read no inputs; `allowed` decides their output.
  void add_layer_tables(std::size_t number) {
    const Layer& layer = network_.layers[number];
    std::vector<std::string> allowed;
    std::vector<bool> constant;
    for (const Neuron& neuron : layer.neurons) {
      const std::int32_t inputs = fan_in(neuron.weights);
      const bool always = neuron.threshold <= 0, never = neuron.threshold > inputs;
      constant.push_back(always || never);
      allowed.push_back(fmt::format("{}", always ? 0 : never ? -1 : inputs - neuron.threshold));
    }
    const std::string suffix = fmt::format("{}", number);
    add_words(suffix, layer.neurons, constant);
    add_text(
        fmt::format("static const int32_t NAME_allowed_{}[{}] = {}", suffix, allowed.size(), table(allowed)));
  }

  void add_score_tables() {
    add_words("scores", network_.scores, std::vector<bool>(network_.scores.size(), false));
    std::vector<std::string> all, none_disagree;
    for (const auto& keys : score_keys(network_)) {
      for (const std::int64_t key : keys) all.push_back(fmt::format("INT64_C({})", key));
      none_disagree.push_back(fmt::format("{}", all.size() - 1));
    }
    add_text(
        "/* The scores of each class by the number of agreeing inputs, as integers in their order, and where "
        "those\n"
        "   with no disagreeing input are. */\n");
    add_text(fmt::format("static const int64_t NAME_keys[{}] = {}", all.size(), table(all)));
    add_text(
        fmt::format("static const int32_t NAME_best[{}] = {}", none_disagree.size(), table(none_disagree)));
  }

  void add_thresholds() {
    std::vector<std::string> thresholds;
    for (const auto& number : network_.numbers) {
      const double threshold = number ? smallest_decimal_at_least(number->threshold) : 1.0;
      // A range may exceed all doubles; actual values do not.
      thresholds.push_back(
          fmt::format("{:.17g}", std::clamp(threshold, -1.7976931348623157e308, 1.7976931348623157e308)));
    }
    add_text(
        fmt::format("static const double NAME_thresholds[{}] = {}", thresholds.size(), table(thresholds)));
  }

  void add_entry() {
    const bool classes = is_classifier(network_);
    const auto words = [](std::size_t bits) { return (bits + 63) / 64; };
    std::size_t widest = words(network_.inputs.size());
    for (const Layer& layer : network_.layers) widest = std::max(widest, words(layer.neurons.size()));
    add_text(classes ? fmt::format("\nint NAME_class(const {} *inputs) {{\n", input_type())
                     : fmt::format("\nvoid NAME_evaluate(const {} *inputs, unsigned char *outputs) {{\n",
                                   input_type()));
    add_text(fmt::format("  uint64_t a[{}] = {{0}}, b[{}] = {{0}};\n  size_t i;\n", widest, widest));
    if (classes) add_text("  int best = 0;\n  int64_t best_key = 0;\n");
    add_text(fmt::format("  for (i = 0; i < NAME_INPUTS; ++i) a[i / 64] |= (uint64_t)({}) << i % 64;\n",
                         has_numbers(network_) ? "inputs[i] >= NAME_thresholds[i]" : "inputs[i] != 0"));
    const char* from = "a";
    const char* to = "b";
    std::size_t width = network_.inputs.size();
    for (std::size_t l = 0; l < network_.layers.size(); ++l) {
      const std::size_t neurons = network_.layers[l].neurons.size();
      add_text(
          fmt::format("  NAME_layer({}, NAME_weights_{}, NAME_present_{}, NAME_allowed_{}, {}, {}, {});\n",
                      from, l, l, l, words(width), neurons, to));
      std::swap(from, to);
      width = neurons;
    }
    if (!classes) {
      add_text(
          fmt::format("  for (i = 0; i < NAME_OUTPUTS; ++i) outputs[i] = (unsigned char)({}[i / 64] >> i % "
                      "64 & 1);\n}}\n",
                      from));
      return;
    }
    if (network_.layers.empty()) add_text("  (void)b;\n");
    add_text(fmt::format(
        "  for (i = 0; i < NAME_CLASSES; ++i) {{\n"
        "    const int64_t key = NAME_keys[NAME_best[i] - NAME_disagreeing({0}, NAME_weights_scores + i * "
        "{1},\n"
        "                                                        NAME_present_scores + i * {1}, {1})];\n"
        "    if (i == 0 || key {2} best_key) {{\n"
        "      best = (int)i;\n"
        "      best_key = key;\n"
        "    }}\n"
        "  }}\n"
        "  return best;\n"
        "}}\n",
        from, words(width), network_.tie == ClassTie::highest ? ">=" : ">"));
  }

  const Network& network_;
  std::string_view name_;
  std::string text_;
};

}  // namespace

std::string c_text(const Network& network, std::string_view name) { return CWriter(network, name).text(); }

bool is_c_name(std::string_view name) {
  if (name.empty() || !is_letter(name.front())) return false;
  if (!std::all_of(name.begin(), name.end(), [](char c) { return is_letter(c) || is_digit(c); }))
    return false;
  return std::find(c_keywords.begin(), c_keywords.end(), name) == c_keywords.end();
}

std::string c_name_of(std::string_view text) {
  std::string name;
  for (const char c : text) name += is_letter(c) || is_digit(c) ? c : '_';
  if (name.empty() || is_digit(name.front())) name.insert(0, "n");
  if (!is_c_name(name)) name += '_';
  return name;
}

}  // namespace bnnplan::exchange
