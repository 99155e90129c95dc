// A view file of a domain is a [view] section for all of its instances (docs/rddl.md). Before it is read as
// such, three things are replaced in it:
//
//   "=WIDTH", "=COST(?b)", "=goal x", "=count block", "=index ?b"   by a number, see value()
//   ?b in a string                                                  by the name of an object
//   {each = "?b : block", if = "COST(?b)", item = ...} in a list    by one element for each such object
//
// A table in a list is left out if it uses a number that the instance does not have: no goal, no door.
#include "bnnplan/rddl/compile/domain_view.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "bnnplan/base/input_error.hpp"
#include "bnnplan/base/text_file.hpp"
#include "bnnplan/base/toml_text.hpp"
#include "bnnplan/problem/name_table.hpp"
#include "bnnplan/view/view_file.hpp"

namespace bnnplan::rddl {

namespace {

constexpr std::int64_t largest_in_view = 1'000'000;

// The value that a goal gives to a state variable: "x == 3", "at == 1".
std::optional<std::int64_t> goal_value(const Problem& problem, std::size_t variable) {
  const std::uint32_t first = problem.state.first_bit[variable];
  const std::uint32_t count = problem.state.first_bit[variable + 1] - first;
  for (const LinearConstraint& goal : problem.goal) {
    if (goal.terms.size() != count || goal.bound < 0 || goal.bound > largest_in_view) continue;
    bool same = goal.comparison == Comparison::equal ||
                (count == 1 && goal.comparison == Comparison::at_least && goal.bound == 1);
    for (std::uint32_t b = 0; same && b < count; ++b) {
      const Term& term = goal.terms[b];
      same = term.bit.index == first + b && term.coefficient == std::int64_t{1} << b;
    }
    if (same) return goal.bound;
  }
  return std::nullopt;
}

class ViewOfInstance {
 public:
  ViewOfInstance(const GroundModel& model, const Problem& problem, std::string file)
      : model_(model), file_(std::move(file)) {
    for (const GroundConstant& constant : model.constants) {
      if (!is_integer(constant.value) || constant.value.numerator < 0 ||
          constant.value.numerator > largest_in_view)
        continue;
      const std::string arguments =
          constant.arguments.empty() ? "" : fmt::format("({})", fmt::join(constant.arguments, ","));
      constants_[constant.fluent + arguments] = static_cast<std::int64_t>(constant.value.numerator);
    }
    for (std::size_t i = 0; i < problem.state.variables.size(); ++i) {
      if (const auto goal = goal_value(problem, i)) goals_[problem.state.variables[i].name] = *goal;
    }
  }

  toml::table made_from(const toml::table& view) {
    toml::table made;
    if (!expand_table(view, made))
      fail(view, "it has a number, outside of lists, that the instance does not state");
    return made;
  }

 private:
  [[noreturn]] void fail(const toml::node& node, std::string_view message) const {
    throw InputError(file_, node.source().begin.line, message);
  }

  const ObjectType& type(const toml::node& node, std::string_view name) const {
    const auto found = std::find_if(model_.types.begin(), model_.types.end(),
                                    [&](const ObjectType& one) { return one.name == name; });
    if (found == model_.types.end()) fail(node, fmt::format("unknown type '{}'", printable(name)));
    return *found;
  }

  // With the objects' names for ?x, ?y.
  std::string with_objects(const toml::node& node, const std::string& text) const {
    std::string made;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] != '?') {
        made += text[i];
        continue;
      }
      const std::size_t start = i;
      while (i + 1 < text.size() && (std::isalnum(static_cast<unsigned char>(text[i + 1])) != 0)) ++i;
      const auto found = objects_.find(text.substr(start, i + 1 - start));
      if (found == objects_.end())
        fail(node,
             fmt::format("'{}' stands for no object here", printable(text.substr(start, i + 1 - start))));
      made += found->second;
    }
    return made;
  }

  // A non-fluent, what the goal requires of a state variable, the number of objects of a type, or the
  // position of an object among those of its type, from 0. Nothing if the instance does not say.
  std::optional<std::int64_t> value(const toml::node& node, const std::string& text) const {
    const std::size_t blank = text.find(' ');
    const std::string word = text.substr(0, blank);
    const std::string name = blank == std::string::npos ? "" : with_objects(node, text.substr(blank + 1));
    if (word == "count") return static_cast<std::int64_t>(type(node, name).objects.size());
    if (word == "index") {
      for (const ObjectType& one : model_.types) {
        const auto found = std::find(one.objects.begin(), one.objects.end(), name);
        if (found != one.objects.end()) return found - one.objects.begin();
      }
      fail(node, fmt::format("unknown object '{}'", printable(name)));
    }
    const bool goal = word == "goal";
    std::string key = goal ? name : with_objects(node, text);
    if (!goal) std::erase(key, ' ');
    const auto found = (goal ? goals_ : constants_).find(key);
    if (found != (goal ? goals_ : constants_).end()) return found->second;
    if (!goal && key.find('(') == std::string::npos)
      fail(node,
           fmt::format("unknown non-fluent '{}', expected one that is an integer from 0 on", printable(key)));
    return std::nullopt;
  }

  // Appends what a node stands for. False if that has a number that the instance does not have.
  bool expand(const toml::node& node, toml::array& into) {
    if (const auto* text = node.as_string()) {
      const std::string& form = **text;
      const auto number = form.starts_with('=') ? value(node, form.substr(1)) : std::nullopt;
      if (number) {
        into.push_back(*number);
      } else if (form.starts_with('=')) {
        return false;
      } else {
        into.push_back(with_objects(node, form));
      }
    } else if (const auto* list = node.as_array()) {
      toml::array made;
      for (const toml::node& element : *list) {
        if (const auto* table = element.as_table()) {
          add_elements(*table, text_of(*table, "each"), made);
        } else if (!expand(element, made)) {
          return false;
        }
      }
      into.push_back(std::move(made));
    } else if (const auto* table = node.as_table()) {
      toml::table made;
      if (!expand_table(*table, made)) return false;
      into.push_back(std::move(made));
    } else {
      node.visit([&](const auto& other) { into.push_back(other); });
    }
    return true;
  }

  bool expand_table(const toml::table& table, toml::table& made) {
    for (const auto& [key, node] : table) {
      if (key == "each" || key == "if") continue;
      toml::array one;
      if (!expand(node, one)) return false;
      one[0].visit([&, name = key.str()](auto& part) { made.insert_or_assign(name, std::move(part)); });
    }
    return true;
  }

  std::string text_of(const toml::table& table, const char* key) const {
    const toml::node* node = table.get(key);
    if (node == nullptr) return "";
    const auto text = node->value_exact<std::string>();
    if (!text) fail(*node, fmt::format("'{}' is not a string", key));
    return *text;
  }

  // One element for all objects of `each` that satisfy `if`.
  void add_elements(const toml::table& table, const std::string& each, toml::array& made) {
    if (!each.empty()) {
      const std::size_t comma = std::min(each.find(','), each.size());
      std::string first = each.substr(0, comma);
      std::erase(first, ' ');
      const std::size_t colon = first.find(':');
      if (colon == std::string::npos || colon < 2 || first[0] != '?')
        fail(*table.get("each"), fmt::format("bad 'each', expected \"?x : type\", or several with commas"));
      for (const std::string& object : type(*table.get("each"), first.substr(colon + 1)).objects) {
        objects_[first.substr(0, colon)] = object;
        add_elements(table, comma < each.size() ? each.substr(comma + 1) : "", made);
      }
      objects_.erase(first.substr(0, colon));
      return;
    }
    const std::string condition = text_of(table, "if");
    if (!condition.empty() && value(*table.get("if"), condition).value_or(0) == 0) return;
    const toml::node* item = table.get("item");
    expand(item != nullptr ? *item : static_cast<const toml::node&>(table), made);
  }

  const GroundModel& model_;
  std::string file_;
  std::map<std::string, std::int64_t> constants_, goals_;
  std::map<std::string, std::string> objects_;  // by ?x
};

}  // namespace

std::optional<view::View> domain_view(const GroundModel& model, const Problem& problem) {
  const std::filesystem::path file =
      std::filesystem::path(*model.file_names.front()).replace_extension(".view.toml");
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) return std::nullopt;
  const toml::table view = parse_toml(read_text_file(file), file.string());
  const NameTable names(problem);
  return view::read_view(ViewOfInstance(model, problem, file.string()).made_from(view),
                         view_scope(problem, names), file.string());
}

}  // namespace bnnplan::rddl
