// Queries in TOML.
#include "bnnplan/query/query_file.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "bnnplan/base/exact_number.hpp"
#include "bnnplan/base/input_error.hpp"
#include "bnnplan/base/toml_text.hpp"
#include "bnnplan/query/input_values.hpp"
#include "bnnplan/query/linear_text.hpp"

namespace bnnplan::verification {

namespace {

class QueryReader {
 public:
  QueryReader(const toml::table& root, std::string_view text, const std::filesystem::path& file,
              const Network& network)
      : root_(root), text_(text), file_(file), network_(network), names_(network) {}

  QueryFile read() {
    check_keys(root_,
               std::array<std::string_view, 6>{"assume", "prove", "find", "minimize", "maximize", "region"});
    LinearProperty& property = result_.query.property;
    std::vector<std::uint32_t> parts;
    if (const toml::node* node = root_.get("region")) read_region(*node);
    if (const toml::node* node = root_.get("assume")) add_list(*node, "assume", parts);
    const toml::node* prove = root_.get("prove");
    const toml::node* find = root_.get("find");
    if (prove != nullptr && find != nullptr) fail(*find, "expected 'find' or 'prove', not both");
    if (find != nullptr) add_list(*find, "find", parts);
    if (prove != nullptr) {
      std::vector<std::uint32_t> claims;
      add_list(*prove, "prove", claims);
      parts.push_back(add_negated(property, property.add(LinearProperty::Kind::all, std::move(claims))));
      result_.query.prove = true;
    }
    property.add(LinearProperty::Kind::all, std::move(parts));
    read_objective();
    if (prove == nullptr && find == nullptr && !result_.query.minimize)
      throw InputError(file_.string(), "expected 'prove', 'find', 'minimize' or 'maximize'");
    return std::move(result_);
  }

 private:
  [[noreturn]] void fail(const toml::node& node, std::string_view message) const {
    throw InputError(file_.string(), node.source().begin.line, message);
  }

  template <class Names>
  void check_keys(const toml::table& table, const Names& known) const {
    for (const auto& [key, value] : table) {
      if (std::find(known.begin(), known.end(), key.str()) != known.end()) continue;
      fail(value,
           fmt::format("unknown key '{}'{}", printable(key.str(), 40), did_you_mean(key.str(), known)));
    }
  }

  std::string text_of(const toml::node& node, std::string_view what) const {
    const auto text = node.value_exact<std::string>();
    if (!text) fail(node, fmt::format("{} has to be a string", what));
    return *text;
  }

  std::uint32_t condition(const toml::node& node, std::string_view what) {
    const std::string text = text_of(node, what);
    try {
      return parse_linear_condition(text, names_, result_.query.property);
    } catch (const InputError& error) {
      fail(node, error.message());
    }
  }

  void add_list(const toml::node& node, std::string_view key, std::vector<std::uint32_t>& parts) {
    if (!node.is_array()) {
      parts.push_back(condition(node, fmt::format("'{}'", key)));
      return;
    }
    const std::string what = fmt::format("a condition of '{}'", key);
    for (const toml::node& element : *node.as_array()) {
      if (!element.is_array()) {
        parts.push_back(condition(element, what));
        continue;
      }
      std::vector<std::uint32_t> any;
      for (const toml::node& one : *element.as_array()) any.push_back(condition(one, what));
      parts.push_back(result_.query.property.add(LinearProperty::Kind::any, std::move(any)));
    }
  }

  void read_objective() {
    const toml::node* least = root_.get("minimize");
    const toml::node* most = root_.get("maximize");
    if (least != nullptr && most != nullptr) fail(*most, "expected 'minimize' or 'maximize', not both");
    const toml::node* node = least != nullptr ? least : most;
    if (node == nullptr) return;
    if (result_.query.prove) fail(*node, "'minimize' and 'maximize' cannot be combined with 'prove'");
    LinearSum sum;
    const std::string text = text_of(*node, least != nullptr ? "'minimize'" : "'maximize'");
    try {
      sum.add(parse_linear_sum(text, names_), most != nullptr ? -1 : 1);
    } catch (const InputError& error) {
      fail(*node, error.message());
    }
    result_.query.minimize = std::move(sum);
    result_.maximize = most != nullptr;
  }

  mpq_class number_of(const toml::node& node, std::string_view what) {
    TomlNumbers numbers(text_);
    std::optional<mpq_class> value;
    if (node.is_string()) {
      value = parse_exact(*node.value_exact<std::string>());
    } else if (const auto number = numbers.exact(node)) {
      value = parse_exact(to_string(*number));
    }
    if (!value) fail(node, fmt::format("{} has to be a number", what));
    return *value;
  }

  void read_region(const toml::node& node) {
    const toml::table* table = node.as_table();
    if (table == nullptr)
      fail(node, "'region' has to be a table: { around = \"FILE\", epsilon = E, norm = \"linf\" }");
    check_keys(*table, std::array<std::string_view, 4>{"around", "transpose", "epsilon", "norm"});
    const toml::node* around = table->get("around");
    const toml::node* epsilon = table->get("epsilon");
    const toml::node* norm = table->get("norm");
    if (around == nullptr || epsilon == nullptr || norm == nullptr)
      fail(node, "'region' needs 'around', 'epsilon' and 'norm'");
    bool transpose = false;
    if (const toml::node* turned = table->get("transpose")) {
      const auto value = turned->value_exact<bool>();
      if (!value) fail(*turned, "'transpose' has to be true or false");
      transpose = *value;
    }
    Region region;
    region.values =
        read_allowed_values(file_.parent_path() / text_of(*around, "'around'"), network_, transpose);
    region.epsilon = number_of(*epsilon, "'epsilon'");
    if (*region.epsilon < 0) fail(*epsilon, "'epsilon' is negative");
    const std::string name = text_of(*norm, "'norm'");
    const auto found = std::find(std::begin(norm_names), std::end(norm_names), name);
    if (found == std::end(norm_names)) fail(*norm, "'norm' has to be \"l0\", \"l1\", \"l2\" or \"linf\"");
    region.norm = static_cast<Norm>(found - std::begin(norm_names));
    result_.query.region = std::move(region);
  }

  const toml::table& root_;
  std::string_view text_;
  const std::filesystem::path& file_;
  const Network& network_;
  LinearNames names_;
  QueryFile result_;
};

}  // namespace

QueryFile parse_query_file(std::string_view text, const std::filesystem::path& file, const Network& network) {
  const toml::table root = parse_toml(text, file.string());
  return QueryReader(root, text, file, network).read();
}

}  // namespace bnnplan::verification
