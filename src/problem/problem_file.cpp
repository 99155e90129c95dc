// Reads problem files (problem_text.cpp writes them). toml++ gives the tree with the line of every node; here
// each section is turned into its part of the problem. toml++ sorts tables by name, so they are put back into
// file order first: the order of declaration is the order of bits.
#include "bnnplan/problem/problem_file.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <sstream>

#include <fmt/format.h>

#include "bnnplan/base/checked.hpp"
#include "bnnplan/base/input_error.hpp"
#include "bnnplan/base/text_file.hpp"
#include "bnnplan/base/toml_text.hpp"
#include "bnnplan/network/network_file.hpp"
#include "bnnplan/problem/expression.hpp"
#include "bnnplan/problem/name_table.hpp"
#include "bnnplan/problem/open_transitions.hpp"
#include "bnnplan/problem/score_terms.hpp"
#include "bnnplan/problem/step_weights.hpp"
#include "bnnplan/problem/variable_value.hpp"
#include "bnnplan/view/view_file.hpp"

namespace bnnplan {

namespace {

constexpr std::array known_keys = {
    "name",      "horizon",         "longest", "network",     "minimize",    "maximize", "reward-multiple",
    "discount",  "discount-digits", "goal",    "constraints", "transitions", "state",    "action",
    "auxiliary", "initial",         "refused", "view"};

struct Entry {
  std::string_view key;
  const toml::node* value;
};

std::vector<Entry> in_file_order(const toml::table& table) {
  std::vector<std::pair<toml::source_position, Entry>> entries;
  for (const auto& [key, value] : table) entries.push_back({key.source().begin, {key.str(), &value}});
  std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Entry> ordered;
  for (const auto& [position, entry] : entries) ordered.push_back(entry);
  return ordered;
}

std::string kind_of(const toml::node& node) {
  std::ostringstream text;
  text << node.type();
  return text.str();
}

class ProblemReader {
 public:
  ProblemReader(const toml::table& root, std::string_view text, std::string_view file,
                const std::filesystem::path& folder, References references, bool open = false)
      : root_(root), numbers_(text), file_(file), folder_(folder), references_(references), open_(open) {}

  // Reads what problem_text has written, for a problem that had this network and need not be complete.
  Problem restore(std::optional<Network> network) {
    restores_ = true;
    problem_.network = std::move(network);
    return read();
  }

  Problem read() {
    for (const Entry& entry : in_file_order(root_)) {
      if (std::find(known_keys.begin(), known_keys.end(), entry.key) == known_keys.end()) {
        fail(*entry.value,
             fmt::format("unknown key '{}'{}", printable(entry.key), did_you_mean(entry.key, known_keys)));
      }
    }
    if (const toml::node* node = root_.get("name")) problem_.name = string(*node, "name");
    read_variables("action", Place::action, problem_.action);
    read_variables("state", Place::state, problem_.state);
    read_variables("auxiliary", Place::auxiliary, problem_.auxiliary);
    if (problem_.state.variables.empty() && !restores_)
      throw InputError(file_, "the problem has no [state] variables");
    read_network_reference();  // a classifier adds state variables and names of scores
    read_initial();
    problem_.constraints = read_constraints("constraints", Scope::step);
    problem_.transitions = read_constraints("transitions", Scope::transition);
    make_transitions_of_scores();
    problem_.goal = read_constraints("goal", Scope::goal);
    read_objective();
    read_refused();
    if (const toml::table* table = section("view"))
      problem_.view = view::read_view(*table, view_scope(problem_, names_), file_);
    try {
      if (open_) leave_open(problem_);
      if (!restores_) validate(problem_);
      if (const toml::node* node = root_.get("longest")) read_longest(*node);
      if (const toml::node* node = root_.get("horizon")) read_horizon(*node);
    } catch (const InputError& error) {
      throw error.file().empty() ? InputError(file_, error.message()) : error;
    }
    return std::move(problem_);
  }

 private:
  [[noreturn]] void fail(const toml::node& node, std::string_view message) const {
    throw InputError(file_, node.source().begin.line, message);
  }

  std::string string(const toml::node& node, std::string_view what) const {
    const auto value = node.value_exact<std::string>();
    if (!value) fail(node, fmt::format("'{}' is {}, expected a string", what, kind_of(node)));
    return *value;
  }

  void read_longest(const toml::node& node) {
    const auto value = node.value_exact<std::int64_t>();
    if (!value) fail(node, fmt::format("'longest' is {}, expected an integer", kind_of(node)));
    if (*value < 1 || *value > horizon_limit)
      fail(node, fmt::format("longest {} is out of range, expected 1 to {}", *value, horizon_limit));
    problem_.longest = static_cast<int>(*value);
  }

  void read_horizon(const toml::node& node) {
    const auto value = node.value_exact<std::int64_t>();
    if (!value) fail(node, fmt::format("'horizon' is {}, expected an integer", kind_of(node)));
    if (restores_ && *value >= 1 && *value <= horizon_limit) {
      problem_.horizon = static_cast<int>(*value);
      return;
    }
    try {
      set_horizon(problem_, *value);
    } catch (const InputError& error) {
      fail(node, error.message());
    }
  }

  const toml::table* section(std::string_view name) const {
    const toml::node* node = root_.get(name);
    if (node == nullptr) return nullptr;
    if (!node->is_table())
      fail(*node, fmt::format("'{}' is {}, expected a table [{}]", name, kind_of(*node), name));
    return node->as_table();
  }

  void read_variables(std::string_view name, Place place, VariableList& list) {
    const toml::table* table = section(name);
    if (table == nullptr) return;
    for (const Entry& entry : in_file_order(*table)) {
      const Variable variable = read_variable(entry);
      const std::uint32_t first = list.bit_count();
      try {
        const auto index = static_cast<std::uint32_t>(list.variables.size());
        names_.add(variable, {place, index, first, static_cast<std::uint32_t>(variable.bits)});
      } catch (const InputError& error) {
        fail(*entry.value, error.message());
      }
      list.add(variable);
    }
  }

  Variable read_variable(const Entry& entry) const {
    Variable variable;
    variable.name = entry.key;
    const std::string shown = printable(entry.key);
    if (entry.value->is_string()) {
      if (string(*entry.value, shown) == "bool") return variable;
      fail(*entry.value, fmt::format("variable '{}' is neither \"bool\" nor {{ bits = N }}", shown));
    }
    if (!entry.value->is_table()) {
      fail(*entry.value, fmt::format("variable '{}' is {}, expected \"bool\" or {{ bits = N }}", shown,
                                     kind_of(*entry.value)));
    }
    const toml::table& description = *entry.value->as_table();
    variable.boolean = false;
    variable.bits = 0;
    for (const auto& [key, value] : description) {
      if (key == "bits") {
        variable.bits = integer(value, fmt::format("bits of '{}'", shown), 1, most_variable_bits);
      } else if (key == "signed") {
        const auto flag = value.value_exact<bool>();
        if (!flag)
          fail(value, fmt::format("'signed' of '{}' is {}, expected true or false", shown, kind_of(value)));
        variable.twos_complement = *flag;
      } else if (key == "scale") {
        variable.scale = integer(value, fmt::format("scale of '{}'", shown), -9, 9);
      } else {
        fail(value, fmt::format("unknown key '{}' for variable '{}', expected bits, signed or scale",
                                printable(key.str()), shown));
      }
    }
    if (variable.bits == 0) fail(*entry.value, fmt::format("variable '{}' does not specify its bits", shown));
    return variable;
  }

  int integer(const toml::node& node, std::string_view what, int low, int high) const {
    const auto value = node.value_exact<std::int64_t>();
    if (!value || *value < low || *value > high) {
      fail(node, fmt::format("bad {}, expected an integer from {} to {}", what, low, high));
    }
    return static_cast<int>(*value);
  }

  void read_initial() {
    problem_.initial.assign(problem_.state.bit_count(), unknown_bit);
    if (const toml::table* table = section("initial"))
      read_values(*table, Place::state, "initial", problem_.initial);
    if (!problem_.network || !is_classifier(*problem_.network)) return;
    for (const std::uint32_t bit : problem_.network_outputs) {  // it has no output before the first step
      if (problem_.initial[bit] == unknown_bit) problem_.initial[bit] = 0;
    }
  }

  // Constraints with scores are over the next state.
  void make_transitions_of_scores() {
    const auto is_over_next = [](const LinearConstraint& constraint) {
      return std::any_of(constraint.terms.begin(), constraint.terms.end(),
                         [](const Term& term) { return term.bit.place == Place::next; });
    };
    auto& constraints = problem_.constraints;
    const auto first =
        std::stable_partition(constraints.begin(), constraints.end(),
                              [&](const auto& constraint) { return !is_over_next(constraint); });
    problem_.transitions.insert(problem_.transitions.end(), first, constraints.end());
    constraints.erase(first, constraints.end());
  }

  // Sets the bits of the variables that the table mentions.
  void read_values(const toml::table& table, Place place, std::string_view what, BitValues& bits_read) {
    for (const Entry& entry : in_file_order(table)) {
      const std::string shown = printable(entry.key);
      const auto bits = names_.find(entry.key);
      if (!bits)
        fail(*entry.value, fmt::format("unknown variable '{}'{}", shown, names_.suggestion(entry.key)));
      if (bits->place != place) {
        fail(*entry.value, fmt::format("{} value for '{}', which is not {} variable", what, shown,
                                       place == Place::state ? "a state" : "an action"));
      }
      const Variable& variable = variables_at(problem_, place).variables[bits->variable];
      const Variable single_bit;
      const Variable& meant = variable.name == entry.key ? variable : single_bit;
      const auto values = bits_of(meant, *entry.value);
      if (!values)
        fail(*entry.value, fmt::format("bad {} value for '{}', expected {}", what, shown, range_text(meant)));
      for (std::uint32_t b = 0; b < bits->count; ++b) {
        BitValue& bit = bits_read[bits->first + b];
        if (bit != unknown_bit) fail(*entry.value, fmt::format("{} value of '{}' given twice", what, shown));
        bit = (*values)[b];
      }
    }
  }

  const toml::table& table(const toml::node& node, std::string_view what) const {
    if (!node.is_table()) fail(node, fmt::format("'{}' is {}, expected a table", what, kind_of(node)));
    return *node.as_table();
  }

  const toml::array& tables(const toml::node& node, std::string_view what) const {
    if (!node.is_array())
      fail(node, fmt::format("'{}' is {}, expected an array of tables", what, kind_of(node)));
    return *node.as_array();
  }

  void read_refused() {
    const toml::node* node = root_.get("refused");
    if (node == nullptr) return;
    for (const toml::node& element : tables(*node, "refused")) {
      RefusedPrefix& prefix = problem_.refused.emplace_back();
      prefix.initial.assign(problem_.state.bit_count(), unknown_bit);
      for (const Entry& entry : in_file_order(table(element, "refused"))) {
        if (entry.key == "initial") {
          read_values(table(*entry.value, "initial"), Place::state, "initial", prefix.initial);
        } else if (entry.key == "actions") {
          for (const toml::node& step : tables(*entry.value, "actions")) {
            BitValues bits(problem_.action.bit_count(), unknown_bit);
            read_values(table(step, "actions"), Place::action, "action", bits);
            auto& action = prefix.actions.emplace_back();
            for (const BitValue bit : bits) action.push_back(bit == 1 ? 1 : 0);
          }
        } else {
          fail(*entry.value, fmt::format("unknown key '{}' of a refused prefix, expected initial or actions",
                                         printable(entry.key)));
        }
      }
    }
  }

  // Empty if the variable cannot have this value. true is not a number: it is only for Booleans.
  std::optional<BitValues> bits_of(const Variable& variable, const toml::node& node) {
    if (const auto flag = node.value_exact<bool>()) {
      if (!variable.boolean) return std::nullopt;
      return BitValues{*flag ? BitValue{1} : BitValue{0}};
    }
    const auto number = numbers_.exact(node);
    return number ? bits_of_value(variable, *number) : std::nullopt;
  }

  // Parses the expression in this node; adds the file, the line and the column to its errors.
  template <class Parse>
  auto expression(const toml::node& node, std::string_view what, Parse parse) const {
    const std::string text = string(node, what);
    try {
      return parse(text);
    } catch (const ExpressionError& error) {
      fail(node, fmt::format("{} (in \"{}\", column {})", error.what(), printable(text), error.position + 1));
    }
  }

  std::vector<LinearConstraint> read_constraints(std::string_view name, Scope scope) const {
    std::vector<LinearConstraint> constraints;
    const toml::node* node = root_.get(name);
    if (node == nullptr) return constraints;
    if (!node->is_array()) {
      fail(*node, fmt::format("'{}' is {}, expected an array of strings", name, kind_of(*node)));
    }
    for (const toml::node& element : *node->as_array()) {
      constraints.push_back(expression(element, name, [&](std::string_view text) {
        return parse_constraint(text, problem_, names_, scope);
      }));
    }
    return constraints;
  }

  void read_objective() {
    const toml::node* minimize = root_.get("minimize");
    const toml::node* maximize = root_.get("maximize");
    if (minimize != nullptr && maximize != nullptr)
      fail(*maximize, "both 'minimize' and 'maximize' are given");
    const toml::node* node = minimize != nullptr ? minimize : maximize;
    if (node == nullptr) return;
    problem_.objective = expression(
        *node, minimize != nullptr ? "minimize" : "maximize",
        [&](std::string_view text) { return parse_objective(text, maximize != nullptr, problem_, names_); });
    read_multiple();
    read_discount();
  }

  void read_multiple() {
    const toml::node* node = root_.get("reward-multiple");
    if (node == nullptr) return;
    const auto value = node->value_exact<std::int64_t>();
    if (!value || *value < 1) fail(*node, "'reward-multiple' is not a whole number above 0");
    problem_.objective.multiple = *value;
  }

  void read_discount() {
    Objective& objective = problem_.objective;
    const toml::node* node = root_.get("discount");
    const toml::node* digits = root_.get("discount-digits");
    if (node == nullptr) {
      if (digits != nullptr) fail(*digits, "'discount-digits' without a 'discount'");
      return;
    }
    const std::string text = string(*node, "discount");
    std::optional<Decimal> discount;
    try {
      discount = parse_decimal(text);
    } catch (const OverflowError&) {  // handled like any other malformed text
    }
    if (!discount || discount->digits <= 0 || Decimal{1, 0} < *discount || discount->exponent < -18) {
      fail(*node, fmt::format("discount '{}', expected a number above 0 and at most 1, such as \"0.9\"",
                              printable(text)));
    }
    objective.discount = *discount;
    if (digits == nullptr) return;
    const auto value = digits->value_exact<std::int64_t>();
    if (!value || *value < 1 || *value > 17)
      fail(*digits, "'discount-digits' is not a whole number from 1 to 17");
    objective.discount_digits = static_cast<int>(*value);
  }

  void read_network_reference() {
    const toml::node* node = root_.get("network");
    if (node == nullptr) return;
    problem_.network_file = string(*node, "network");
    if (restores_) return use_network();
    if (problem_.network_file.empty()) fail(*node, "'network' is empty, expected the name of a .bnn file");
    if (problem_.network_file.find('\0') != std::string::npos)
      fail(*node, "'network' has a zero character in it, expected the name of a .bnn file");
    const std::filesystem::path path = folder_ / problem_.network_file;
    try {
      if (references_ == References::inside && !is_inside(folder_, path)) {
        fail(*node,
             fmt::format("network '{}' is outside the folder of the problem file, expected one inside it "
                         "(or {}, if you trust the file)",
                         printable(problem_.network_file), option_name("allow-outside")));
      }
      problem_.network = parse_network(read_regular_file(path), path.string());
      use_network();
    } catch (const InputError& error) {
      // Without a line, the error is about the reference as such: then the line of the reference helps most.
      if (error.line() != 0) throw;
      fail(*node, error.file().empty() ? fmt::format("{}: {}", printable(path.string()), error.message())
                                       : error.what());
    }
  }

  void use_network() {
    if (!problem_.network) throw InputError(file_, "the network is missing");
    if (is_classifier(*problem_.network) && !problem_.network->layers.empty())
      add_hidden_bits(problem_, names_);
    connect_network(problem_);
  }

  const toml::table& root_;
  TomlNumbers numbers_;
  std::string file_;
  std::filesystem::path folder_;
  References references_;
  bool open_;
  bool restores_ = false;
  Problem problem_;
  NameTable names_;
};

}  // namespace

bool is_inside(const std::filesystem::path& folder, const std::filesystem::path& path) {
  std::error_code error;
  // Absolute first: a relative path that does not exist would stay relative.
  const std::filesystem::path real_path =
      std::filesystem::weakly_canonical(std::filesystem::absolute(path, error), error);
  if (error) return true;  // for example a loop of links: reading it will report that
  const std::filesystem::path real_folder =
      std::filesystem::weakly_canonical(folder.empty() ? "." : folder, error);
  if (error) return false;
  return std::mismatch(real_folder.begin(), real_folder.end(), real_path.begin(), real_path.end()).first ==
         real_folder.end();
}

Problem parse_problem(std::string_view text, std::string_view file_name, const std::filesystem::path& folder,
                      References references) {
  const toml::table root = parse_toml(text, file_name);
  return ProblemReader(root, text, file_name, folder, references).read();
}

Problem parse_open_problem(std::string_view text, std::string_view file_name,
                           const std::filesystem::path& folder, References references) {
  const toml::table root = parse_toml(text, file_name);
  return ProblemReader(root, text, file_name, folder, references, true).read();
}

Problem restore_problem(std::string_view text, std::string_view name, std::optional<Network> network) {
  const toml::table root = parse_toml(text, name);
  return ProblemReader(root, text, name, {}, References::inside).restore(std::move(network));
}

Problem read_problem(const std::filesystem::path& path, References references) {
  return parse_problem(read_text_file(path), path.string(), path.parent_path(), references);
}

}  // namespace bnnplan
