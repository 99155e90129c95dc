// Network files: a versioned text format that people can read and a diff can show:
//
//   bnn 1
//   shape 3:2:1              inputs : neurons of each layer
//   inputs                   one name per line
//     move
//     at.0
//     at.1
//   outputs
//     at.1'
//   layer                    one line per neuron: a weight per input, then how it decides
//     +-0 >= 1
//     ++- norm 0.25 1.0 1e-5 -0.9 0.3      (mean variance epsilon gamma beta: as trained, folded on reading)
//   layer
//     +- >= 2
//   end
//
// Version 2 has three more sections, each only where it is needed:
//
//   bnn 2
//   shape 2:3:2
//   inputs
//     width
//     red
//   numbers                  one line per input: the bit of a number, and its possible values
//     >= 127.5 from 0 to 255 step 1
//     bit
//   outputs                  the classes
//     cat
//     dog
//   layer
//     ++ >= 1
//     -+ >= 2
//     +0 >= 1
//   scores lowest            instead of the last layer, and which of the best classes wins (lowest, highest);
//     +-+ * 1 + -0.5         then `rounded`, if a root remained. Score = 1 * (agreeing - disagreeing) + -0.5
//     --0 * 3/7 + 0
//   record                   lines about the origin of the network, kept verbatim
//     | imported from pets.onnx
//   end
//
// Blank lines and lines that start with # are skipped. The shape comes first and the end is marked, so that a
// truncated file is always refused.
#include "bnnplan/network/network_file.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <unordered_set>

#include <fmt/format.h>

#include "bnnplan/base/count_text.hpp"
#include "bnnplan/base/exact_number.hpp"
#include "bnnplan/base/input_error.hpp"
#include "bnnplan/base/text_file.hpp"

namespace bnnplan {

namespace {

constexpr std::string_view first_version = "bnn 1";
constexpr std::string_view second_version = "bnn 2";
constexpr std::size_t width_limit = 1 << 20;

class NetworkParser {
 public:
  NetworkParser(std::string_view text, std::string_view file) : lines_(text), file_(file) {}

  Network parse(NetworkNameLines& places) {
    const std::string_view header = expect_line("'bnn 1' or 'bnn 2'");
    if (header != first_version && header != second_version) {
      if (header.substr(0, 4) == "bnn ") {
        fail(fmt::format("unknown version '{}', expected 'bnn 1' or 'bnn 2'", printable(header)));
      }
      fail("not a network file: the first line is not 'bnn 1' or 'bnn 2'");
    }
    const bool second = header == second_version;
    const std::vector<std::size_t> widths = parse_shape(expect_line("'shape WIDTH:WIDTH...'"));
    Network network;
    expect_keyword("inputs");
    network.inputs = parse_names("input", widths.front(), places.inputs);
    std::string_view keyword = expect_line("'outputs'");
    if (second && keyword == "numbers") {
      parse_numbers(network);
      keyword = expect_line("'outputs'");
    }
    if (keyword != "outputs") fail(fmt::format("'{}', expected 'outputs'", printable(keyword)));
    network.outputs = parse_names("output", widths.back(), places.outputs);
    for (std::size_t l = 1; l < widths.size(); ++l) {
      const bool last = second && l + 1 == widths.size();
      const std::string_view start = expect_line(last ? "'layer' or 'scores'" : "'layer'");
      if (last && start.substr(0, 6) == "scores") {
        parse_scores(network, start.substr(6), widths[l], widths[l - 1]);
        continue;
      }
      if (start != "layer")
        fail(fmt::format("'{}', expected {}", printable(start), last ? "'layer' or 'scores'" : "'layer'"));
      Layer& layer = network.layers.emplace_back();
      for (std::size_t i = 0; i < widths[l]; ++i) {
        const std::string_view line =
            expect_line(fmt::format("neuron {} of {} of layer {}", i + 1, widths[l], l));
        layer.neurons.push_back(parse_neuron(line, widths[l - 1]));
      }
    }
    std::string_view line = expect_line("'end'");
    if (second && line == "record") {
      while ((line = expect_line("'end'")).front() == '|')
        network.record.emplace_back(line.substr(0, 2) == "| " ? line.substr(2) : line.substr(1));
    }
    if (line != "end") fail(fmt::format("'{}', expected 'end'", printable(line)));
    if (next_line(line)) fail(fmt::format("'{}' after the end of the network", printable(line)));
    return network;
  }

 private:
  [[noreturn]] void fail(std::string_view message) const {
    throw InputError(file_, std::max<std::size_t>(lines_.number(), 1), message);  // 1 for an empty file
  }

  bool next_line(std::string_view& line) {
    while (lines_.next(line)) {
      line = trimmed(line);
      if (!line.empty() && line.front() != '#') return true;
    }
    return false;
  }

  std::string_view expect_line(std::string_view what) {
    std::string_view line;
    if (!next_line(line)) fail(fmt::format("the file ends, expected {}", what));
    return line;
  }

  void expect_keyword(std::string_view keyword) {
    const std::string_view line = expect_line(fmt::format("'{}'", keyword));
    if (line != keyword) fail(fmt::format("'{}', expected '{}'", printable(line), keyword));
  }

  std::vector<std::size_t> parse_shape(std::string_view line) {
    if (line.substr(0, 6) != "shape ") fail("expected 'shape' and the widths, such as 'shape 13:36:9'");
    line = trimmed(line.substr(6));
    std::vector<std::size_t> widths;
    while (true) {
      std::size_t width = 0;
      const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), width);
      if (error == std::errc::invalid_argument) fail("bad shape, expected widths such as 13:36:9");
      if (error != std::errc() || width < 1 || width > width_limit) {
        fail(fmt::format("a layer has a width from 1 to {}", width_limit));
      }
      widths.push_back(width);
      line.remove_prefix(static_cast<std::size_t>(end - line.data()));
      if (line.empty()) break;
      if (line.front() != ':') fail("bad shape, expected widths such as 13:36:9");
      line.remove_prefix(1);
    }
    if (widths.size() < 2) fail("a network has inputs and at least one layer, such as 'shape 13:36:9'");
    return widths;
  }

  std::vector<std::string> parse_names(std::string_view what, std::size_t count,
                                       std::vector<std::size_t>& places) {
    std::vector<std::string> names;
    std::unordered_set<std::string_view> seen;
    for (std::size_t i = 0; i < count; ++i) {
      const std::string_view line = expect_line(fmt::format("the name of {} {} of {}", what, i + 1, count));
      if (!seen.insert(line).second) fail(fmt::format("duplicate {} '{}'", what, printable(line)));
      names.emplace_back(line);
      places.push_back(lines_.number());
    }
    return names;
  }

  // Removes the first word from the text and returns it.
  static std::string_view take_word(std::string_view& text) {
    text = trimmed(text);
    const std::string_view word = text.substr(0, text.find_first_of(" \t"));
    text = trimmed(text.substr(word.size()));
    return word;
  }

  mpq_class parse_number(std::string_view text) {
    const auto number = parse_exact(text);
    if (!number) fail(fmt::format("bad number '{}', expected one such as 0.5 or 1/255", printable(text)));
    return *number;
  }

  // Removes a keyword and the number after it from the text and returns the number.
  mpq_class take_number(std::string_view& text, std::string_view keyword, std::string_view form) {
    if (take_word(text) != keyword) fail(fmt::format("expected '{}'", form));
    return parse_number(take_word(text));
  }

  void parse_numbers(Network& network) {
    constexpr std::string_view form = ">= THRESHOLD from LOW to HIGH step STEP";
    for (const std::string& name : network.inputs) {
      std::string_view line =
          expect_line(fmt::format("'bit' or the threshold of input '{}'", printable(name)));
      auto& number = network.numbers.emplace_back();
      if (line == "bit") continue;
      number.emplace();
      number->threshold = take_number(line, ">=", form);
      number->low = take_number(line, "from", form);
      number->high = take_number(line, "to", form);
      number->step = take_number(line, "step", form);
      if (!line.empty()) fail(fmt::format("'{}' after the number", printable(line)));
      if (number->low > number->high) fail("the range of a number is empty");
      if (number->step <= 0) fail("the step of a number is not positive");
    }
    const auto is_bit = [](const auto& number) { return !number; };
    if (std::all_of(network.numbers.begin(), network.numbers.end(), is_bit)) network.numbers.clear();
  }

  void parse_scores(Network& network, std::string_view words, std::size_t classes, std::size_t width) {
    const std::string_view tie = take_word(words), rounded = take_word(words);
    if ((tie != "lowest" && tie != "highest") || (!rounded.empty() && rounded != "rounded") || !words.empty())
      fail("expected 'scores lowest' or 'scores highest', and perhaps 'rounded'");
    network.tie = tie == "lowest" ? ClassTie::lowest : ClassTie::highest;
    network.rounded = rounded == "rounded";
    for (std::size_t i = 0; i < classes; ++i) {
      constexpr std::string_view form = "* SCALE + BIAS";
      std::string_view line = expect_line(fmt::format("class {} of {}", i + 1, classes));
      Score& score = network.scores.emplace_back();
      score.weights = parse_weights(line, width);
      score.scale = take_number(line, "*", form);
      score.bias = take_number(line, "+", form);
      if (!line.empty()) fail(fmt::format("'{}' after the class", printable(line)));
      if (score.scale <= 0) fail("the scale of a score is not positive");
    }
  }

  // Removes the weights from the front of the line and returns them.
  std::vector<std::int8_t> parse_weights(std::string_view& line, std::size_t width) {
    std::vector<std::int8_t> weights;
    weights.reserve(width);
    while (!line.empty() && (line.front() == '+' || line.front() == '-' || line.front() == '0')) {
      weights.push_back(line.front() == '+' ? 1 : line.front() == '-' ? -1 : 0);
      line.remove_prefix(1);
    }
    if (weights.size() != width) {
      fail(
          fmt::format("the neuron has {} (+ - 0), expected {}", count_text(weights.size(), "weight"), width));
    }
    return weights;
  }

  Neuron parse_neuron(std::string_view line, std::size_t width) {
    std::vector<std::int8_t> weights = parse_weights(line, width);
    line = trimmed(line);
    if (line.substr(0, 2) == ">=") return {std::move(weights), parse_threshold(trimmed(line.substr(2)))};
    if (line.substr(0, 5) == "norm ") return parse_norm(std::move(weights), line.substr(5));
    fail(fmt::format("'{}' after the weights, expected '>= THRESHOLD' or 'norm ...'", printable(line)));
  }

  std::int32_t parse_threshold(std::string_view text) {
    std::int32_t threshold = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), threshold);
    if (error == std::errc::result_out_of_range) fail("threshold too large");
    if (error != std::errc() || end != text.data() + text.size()) {
      fail(fmt::format("bad threshold '{}', expected an integer", printable(text)));
    }
    return threshold;
  }

  Neuron parse_norm(std::vector<std::int8_t> weights, std::string_view text) {
    double numbers[5];
    for (double& number : numbers) {
      text = trimmed(text);
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
      if (error == std::errc::invalid_argument)
        fail("expected five numbers: mean variance epsilon gamma beta");
      if (error != std::errc())
        fail("a batch normalisation parameter is out of the range of double precision");
      text.remove_prefix(static_cast<std::size_t>(end - text.data()));
      if (!text.empty() && text.front() != ' ' && text.front() != '\t') {
        fail("expected five numbers: mean variance epsilon gamma beta");
      }
    }
    if (!trimmed(text).empty()) fail(fmt::format("'{}' after the neuron", printable(trimmed(text))));
    const TrainedNeuron trained{std::move(weights),
                                {numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]}};
    if (const char* fault = batch_norm_fault(trained.norm)) fail(fault);
    return fold(trained);
  }

  LineReader lines_;
  std::string file_;
};

std::string weights_text(const std::vector<std::int8_t>& weights) {
  std::string text;
  for (const std::int8_t weight : weights) text += weight > 0 ? '+' : weight < 0 ? '-' : '0';
  return text;
}

std::string numbers_text(const Network& network) {
  std::string text = "numbers\n";
  for (const auto& number : network.numbers) {
    text += number ? fmt::format("  >= {} from {} to {} step {}\n", exact_text(number->threshold),
                                 exact_text(number->low), exact_text(number->high), exact_text(number->step))
                   : "  bit\n";
  }
  return text;
}

std::string scores_text(const Network& network) {
  std::string text = fmt::format("scores {}{}\n", network.tie == ClassTie::lowest ? "lowest" : "highest",
                                 network.rounded ? " rounded" : "");
  for (const Score& score : network.scores) {
    text += fmt::format("  {} * {} + {}\n", weights_text(score.weights), exact_text(score.scale),
                        exact_text(score.bias));
  }
  return text;
}

}  // namespace

Network parse_network(std::string_view text, std::string_view file_name, NetworkNameLines* lines) {
  NetworkNameLines places{std::string(file_name), {}, {}};
  Network network = NetworkParser(text, file_name).parse(places);
  if (lines != nullptr) *lines = std::move(places);
  return network;
}

Network read_network(const std::filesystem::path& path, NetworkNameLines* lines) {
  return parse_network(read_text_file(path), path.string(), lines);
}

bool is_network_name(std::string_view name) {
  return !name.empty() && trimmed(name) == name && name.front() != '#' &&
         name.find_first_of("\r\n") == std::string_view::npos;
}

std::string network_text(const Network& network) {
  const bool second = has_numbers(network) || is_classifier(network) || !network.record.empty();
  std::string text =
      fmt::format("{}\nshape {}\ninputs\n", second ? second_version : first_version, shape_text(network));
  for (const std::string& name : network.inputs) text += fmt::format("  {}\n", name);
  if (has_numbers(network)) text += numbers_text(network);
  text += "outputs\n";
  for (const std::string& name : network.outputs) text += fmt::format("  {}\n", name);
  for (const Layer& layer : network.layers) {
    text += "layer\n";
    for (const Neuron& neuron : layer.neurons)
      text += fmt::format("  {} >= {}\n", weights_text(neuron.weights), neuron.threshold);
  }
  if (is_classifier(network)) text += scores_text(network);
  if (!network.record.empty()) text += "record\n";
  for (const std::string& line : network.record) text += fmt::format("  | {}\n", line);
  return text + "end\n";
}

void write_network(const std::filesystem::path& path, const Network& network) {
  write_text_file(path, network_text(network));
}

}  // namespace bnnplan
