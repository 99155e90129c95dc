// Networks stored as NumPy arrays. The name of an array says what it is:
//
//   layer0/weight  layer0/bias  layer0/gamma /beta /mean /variance     or  layer0/weight  layer0/threshold
//   scores/weight  scores/bias  [scores/scale, or gamma ... variance]  scores/tie
//   input/gamma /beta /mean /variance, or input/threshold;  input/low /high /step
//   input/names  output/names  record/lines  epsilon
//
// where / may also be . or _ (so that the names can be arguments of numpy.savez). Names as Chainer writes
// them for networks of input_bn, blocks/0/lin, blocks/0/bn, ..., output_lin are translated to these first.
#include "bnnplan/exchange/npz_network.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "bnnplan/base/binary_file.hpp"
#include "bnnplan/base/exact_number.hpp"
#include "bnnplan/base/input_error.hpp"
#include "bnnplan/exchange/import_notes.hpp"
#include "bnnplan/exchange/weight_stack.hpp"

namespace bnnplan::exchange {

namespace {

struct Renaming {
  std::string_view from, to;
};

constexpr std::array chainer_fields = {Renaming{"W", "weight"}, Renaming{"b", "bias"},
                                       Renaming{"avg_mean", "mean"}, Renaming{"avg_var", "variance"}};
constexpr std::array layer_fields = {"weight", "bias",     "gamma",     "beta",
                                     "mean",   "variance", "threshold", "scale"};
constexpr std::array input_fields = {"gamma", "beta", "mean", "variance", "threshold",
                                     "low",   "high", "step", "names"};
constexpr std::array fraction_fields = {"bias", "scale", "threshold", "low", "high", "step"};
constexpr std::size_t layer_limit = 10'000;

template <class Fields>
bool is_one_of(std::string_view name, const Fields& fields) {
  return std::find(fields.begin(), fields.end(), name) != fields.end();
}

// "blocks/3/lin/W" becomes "layer3/weight".
std::string without_chainer(const std::string& name) {
  const auto slash = name.rfind('/');
  if (slash == std::string::npos) return name;
  std::string group = name.substr(0, slash), field = name.substr(slash + 1);
  for (const Renaming& renaming : chainer_fields)
    if (field == renaming.from) field = renaming.to;
  if (group == "input_bn") {
    group = "input";
  } else if (group == "output_lin" || group == "output_bn") {
    group = "scores";
  } else if (group.starts_with("blocks/") && (group.ends_with("/lin") || group.ends_with("/bn"))) {
    group = "layer" + group.substr(7, group.rfind('/') - 7);
  }
  return group + '/' + field;
}

// The parts of layer0/weight, layer0.weight and layer0_weight.
std::pair<std::string, std::string> group_and_field(const std::string& name) {
  const auto cut = name.find_last_of("/._");
  if (cut == std::string::npos) return {name, ""};
  return {name.substr(0, cut), name.substr(cut + 1)};
}

std::optional<std::size_t> layer_number(std::string_view group) {
  std::size_t number = 0;
  if (!group.starts_with("layer")) return std::nullopt;
  group.remove_prefix(5);
  const auto [end, error] = std::from_chars(group.data(), group.data() + group.size(), number);
  if (error != std::errc() || end != group.data() + group.size()) return std::nullopt;
  return number;
}

using Fields = std::map<std::string, NpyArray>;

class NpzStack {
 public:
  explicit NpzStack(const std::string& file) { stack_.file = file; }

  WeightStack of(std::vector<NamedArray> arrays) {
    for (NamedArray& array : arrays) place(std::move(array));
    if (const NpyArray* epsilon = find("epsilon", "")) {
      if (epsilon->tensor.values.size() != 1) fail("epsilon", "expected one number");
      epsilon_ = exact_positive(epsilon->tensor.values[0]);
    }
    std::size_t next = 0;
    for (const auto& [number, fields] : layers_) {
      if (number != next++)
        fail(fmt::format("layer{}", next - 1), "missing: layers are numbered from 0, without gaps");
      stack_.layers.push_back(linear(fmt::format("layer{}", number), fields));
    }
    if (const auto scores = groups_.find("scores"); scores != groups_.end()) {
      stack_.layers.push_back(linear("scores", scores->second));
      stack_.scores = true;
      if (const NpyArray* tie = find("scores", "tie")) stack_.class_tie = tie_of(*tie);
    }
    if (groups_.contains("input")) set_inputs(groups_.at("input"));
    if (const NpyArray* names = find("output", "names")) stack_.output_names = texts("output/names", *names);
    if (const NpyArray* lines = find("record", "lines"))
      stack_.record = record_lines(texts("record/lines", *lines));
    return std::move(stack_);
  }

 private:
  [[noreturn]] void fail(std::string_view place, std::string_view what) const {
    throw InputError(stack_.file, fmt::format("{}: {}", printable(place), what));
  }

  void place(NamedArray array) {
    const std::string plain = without_chainer(array.name);
    const auto [group, field] = group_and_field(plain);
    if (field == "N") return;  // the number of samples Chainer has seen
    const std::optional<std::size_t> number = layer_number(group);
    const bool known =
        (number && *number < layer_limit && is_one_of(field, layer_fields) && field != "scale") ||
        (group == "scores" && (is_one_of(field, layer_fields) || field == "tie")) ||
        (group == "input" && is_one_of(field, input_fields)) || (group == "output" && field == "names") ||
        (group == "record" && field == "lines") || (group == "epsilon" && field.empty());
    if (!known)
      fail(array.name,
           "not the name of an array of a network, expected a name such as layer0/weight, layer0/mean, "
           "scores/bias, "
           "input/low or epsilon");
    const bool text = field == "names" || field == "tie" || field == "lines";
    if (text && !array.array.is_text) fail(array.name, "numbers, expected text");
    if (!text && array.array.is_text) {
      if (!is_one_of(field, fraction_fields)) fail(array.name, "text, expected numbers");
      read_fractions(array);
    }
    Fields& fields = number ? layers_[*number] : groups_[group];
    if (!fields.emplace(field, std::move(array.array)).second) fail(array.name, "duplicate, under two names");
  }

  // Numbers that are not doubles may be written as text: 1/255.
  void read_fractions(NamedArray& array) const {
    for (const std::string& text : array.array.texts) {
      const auto number = parse_exact(text);
      if (!number)
        fail(array.name, fmt::format("'{}', expected numbers, or text such as 1/255", printable(text)));
      array.array.tensor.fractions.push_back(*number);
      array.array.tensor.values.push_back(nearest_double(*number));
    }
  }

  const NpyArray* find(const std::string& group, const std::string& field) const {
    const auto at = groups_.find(group);
    if (at == groups_.end()) return nullptr;
    const auto found = at->second.find(field);
    return found == at->second.end() ? nullptr : &found->second;
  }

  static std::optional<Tensor> optional(const Fields& fields, const std::string& field) {
    const auto found = fields.find(field);
    if (found == fields.end()) return std::nullopt;
    return found->second.tensor;
  }
  Tensor required(const std::string& place, const Fields& fields, const std::string& field) const {
    const auto found = fields.find(field);
    if (found == fields.end()) fail(place + "/" + field, "missing");
    return found->second.tensor;
  }

  mpq_class exact_positive(double value) const {
    if (!(value >= 0 && value <= 1e300)) fail("epsilon", "expected a number of at least 0");
    return mpq_class(value);
  }

  std::optional<NormArrays> norm(const std::string& place, const Fields& fields) const {
    const bool has = std::any_of(fields.begin(), fields.end(), [](const auto& field) {
      return field.first == "gamma" || field.first == "beta" || field.first == "mean" ||
             field.first == "variance";
    });
    if (!has) return std::nullopt;
    return NormArrays{place,
                      required(place, fields, "mean"),
                      required(place, fields, "variance"),
                      optional(fields, "gamma"),
                      optional(fields, "beta"),
                      epsilon_};
  }

  LinearArrays linear(const std::string& place, const Fields& fields) const {
    LinearArrays layer{place,
                       required(place, fields, "weight"),
                       optional(fields, "bias"),
                       norm(place, fields),
                       optional(fields, "threshold"),
                       optional(fields, "scale")};
    if (layer.threshold && (layer.bias || layer.norm || place == "scores"))
      fail(place, "a threshold together with a bias or a normalisation, or for scores");
    if (layer.scale && layer.norm) fail(place, "a scale together with a normalisation");
    return layer;
  }

  void set_inputs(const Fields& fields) {
    stack_.input_norm = norm("input", fields);
    stack_.input_threshold = optional(fields, "threshold");
    stack_.low = optional(fields, "low");
    stack_.high = optional(fields, "high");
    stack_.step = optional(fields, "step");
    if (stack_.input_norm && stack_.input_threshold)
      fail("input", "a threshold together with a normalisation");
    if (const auto names = fields.find("names"); names != fields.end())
      stack_.input_names = texts("input/names", names->second);
  }

  std::vector<std::string> texts(std::string_view place, const NpyArray& array) const {
    if (array.tensor.shape.size() != 1) fail(place, "expected an array of one dimension");
    return array.texts;
  }
  ClassTie tie_of(const NpyArray& array) const {
    if (array.texts.size() == 1 && array.texts[0] == "lowest") return ClassTie::lowest;
    if (array.texts.size() == 1 && array.texts[0] == "highest") return ClassTie::highest;
    fail("scores/tie", "expected 'lowest' or 'highest'");
  }

  WeightStack stack_;
  std::map<std::size_t, Fields> layers_;
  std::map<std::string, Fields> groups_;
  std::optional<mpq_class> epsilon_;
};

std::vector<NamedArray> read_npy_folder(const std::filesystem::path& path) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(path))
    if (entry.path().extension() == ".npy") files.push_back(entry.path());
  if (files.empty()) throw InputError(path.string(), "no .npy files in this folder");
  std::sort(files.begin(), files.end());
  std::vector<NamedArray> arrays;
  std::size_t numbers = 0;
  for (const auto& file : files) {
    arrays.push_back({file.stem().string(), parse_npy(read_binary_file(file), file.string())});
    numbers += arrays.back().array.tensor.values.size();
    if (numbers > tensor_limit)
      throw InputError(path.string(), fmt::format("more than {} numbers in all", tensor_limit));
  }
  return arrays;
}

}  // namespace

ImportedNetwork npz_network(std::vector<NamedArray> arrays, const std::string& file,
                            const ImportOptions& options) {
  return imported_network(NpzStack(file).of(std::move(arrays)), options);
}

ImportedNetwork read_npz_network(const std::filesystem::path& path, const ImportOptions& options) {
  const std::string file = path.string();
  if (std::filesystem::is_directory(path)) return npz_network(read_npy_folder(path), file, options);
  const std::string bytes = read_binary_file(path);
  if (bytes.starts_with("\x93NUMPY"))
    throw InputError(file, "a single array (.npy), expected an archive (.npz) or a folder of named arrays");
  return npz_network(parse_npz(bytes, file), file, options);
}

}  // namespace bnnplan::exchange
