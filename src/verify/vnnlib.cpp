// VNN-LIB: S-expressions that declare the inputs and outputs of a network and assert linear conditions on
// them.
//
//   1.0   (declare-const X_0 Real) (assert (<= X_0 0.5)) (assert (or (and (<= Y_0 Y_1)) (and (<= Y_0 Y_2))))
//   2.0   (vnnlib-version <2.0>)
//         (declare-network N (declare-input X float32 [1,2]) (declare-output Y float32 [3]))
//         (assert (<= X[0,1] 0.5))
#include "bnnplan/verify/vnnlib.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "bnnplan/base/exact_number.hpp"
#include "bnnplan/base/input_error.hpp"

namespace bnnplan::verification {

namespace {

constexpr std::size_t deepest = 500;
constexpr std::size_t most_variables = 1 << 24;
constexpr const char* only_linear = "only linear sums are supported: +, -, and * with a number";

struct Form {
  std::string_view word;    // empty: a list
  std::vector<Form> parts;  // of a list
  std::size_t line = 0;
};

class FormReader {
 public:
  FormReader(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  std::vector<Form> read() {
    std::vector<Form> forms;
    for (skip(); at_ < text_.size(); skip()) forms.push_back(form(0));
    return forms;
  }

 private:
  void skip() {
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '\n') ++line_;
      if (c == ';') {
        at_ = std::min(text_.find('\n', at_), text_.size());
        if (at_ < text_.size()) ++line_;
        if (at_ == text_.size()) return;
      } else if (c != ' ' && c != '\t' && c != '\n' && c != '\r') {
        return;
      }
    }
  }

  Form form(std::size_t depth) {
    if (depth > deepest) throw InputError(file_, line_, "brackets are nested too deeply");
    Form result;
    result.line = line_;
    if (text_[at_] == ')') throw InputError(file_, line_, "a closing bracket without an opening one");
    if (text_[at_] != '(') {
      result.word = word();
      return result;
    }
    ++at_;
    for (skip(); at_ < text_.size() && text_[at_] != ')'; skip()) result.parts.push_back(form(depth + 1));
    if (at_ == text_.size()) throw InputError(file_, result.line, "a bracket is not closed");
    ++at_;
    return result;
  }

  // Up to a blank or a bracket; between [ and ] there may be blanks.
  std::string_view word() {
    const std::size_t start = at_;
    bool inside = false;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '[') inside = true;
      if (c == '(' || c == ')' || c == ';' || c == '\n' || c == '\r') break;
      if (!inside && (c == ' ' || c == '\t')) break;
      if (c == ']') inside = false;
    }
    return text_.substr(start, at_ - start);
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0, line_ = 1;
};

struct Tensor {
  bool is_output = false;
  std::size_t first = 0;  // the number of its first element
  std::vector<std::size_t> shape;
};

// The numbers in [1, 2, 3].
std::optional<std::vector<std::size_t>> indices_in(std::string_view text) {
  std::vector<std::size_t> result;
  if (text.size() < 2 || text.front() != '[' || text.back() != ']') return std::nullopt;
  text = text.substr(1, text.size() - 2);
  while (true) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    if (text.empty()) return result;
    std::size_t number = 0, digits = 0;
    for (; digits < text.size() && text[digits] >= '0' && text[digits] <= '9' && digits < 12; ++digits)
      number = number * 10 + static_cast<std::size_t>(text[digits] - '0');
    if (digits == 0) return std::nullopt;
    text.remove_prefix(digits);
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    result.push_back(number);
    if (text.empty()) return result;
    if (text.front() != ',') return std::nullopt;
    text.remove_prefix(1);
  }
}

class VnnLibReader {
 public:
  VnnLibReader(const std::string& file, const Network& network) : file_(file), network_(network) {}

  VnnLibQuery read(const std::vector<Form>& forms) {
    result_.query.any_number = true;
    for (const Form& form : forms) read_top(form);
    if (result_.input_names.size() != network_.inputs.size() ||
        result_.output_names.size() != network_.outputs.size())
      throw InputError(
          file_, fmt::format("{} inputs and {} outputs are declared, but the network has {} and {}",
                             result_.input_names.size(), result_.output_names.size(), network_.inputs.size(),
                             network_.outputs.size()));
    result_.query.property.add(LinearProperty::Kind::all, std::move(asserted_));
    return std::move(result_);
  }

 private:
  [[noreturn]] void fail(const Form& form, std::string_view message) const {
    throw InputError(file_, form.line, message);
  }

  std::string_view head(const Form& form) const {
    if (!form.word.empty() || form.parts.empty() || form.parts.front().word.empty())
      fail(form, "expected a command in brackets, such as (assert ...)");
    return form.parts.front().word;
  }

  void read_top(const Form& form) {
    const std::string_view command = head(form);
    if (command == "declare-const" || command == "declare-fun") return declare(form);
    if (command == "declare-network") return declare_network(form);
    if (command == "assert") {
      if (form.parts.size() != 2) fail(form, "expected (assert CONDITION)");
      asserted_.push_back(condition(form.parts[1]));
      return;
    }
    if (command == "vnnlib-version") {
      if (form.parts.size() != 2 || (form.parts[1].word != "<2.0>" && form.parts[1].word != "2.0" &&
                                     form.parts[1].word != "<1.0>" && form.parts[1].word != "1.0"))
        fail(form, "unknown version of VNN-LIB, expected <1.0> or <2.0>");
      return;
    }
    for (const std::string_view known :
         {"set-logic", "set-info", "set-option", "check-sat", "get-model", "get-value", "exit"}) {
      if (command == known) return;
    }
    fail(form, fmt::format("unknown command '{}'", printable(command, 40)));
  }

  // X_7 or Y_7: its number.
  std::optional<std::pair<bool, std::size_t>> numbered(std::string_view name) const {
    if (name.size() < 3 || (name[0] != 'X' && name[0] != 'Y') || name[1] != '_' || name.size() > 12 ||
        (name[2] == '0' && name.size() > 3))
      return std::nullopt;
    std::size_t number = 0;
    for (const char c : name.substr(2)) {
      if (c < '0' || c > '9') return std::nullopt;
      number = number * 10 + static_cast<std::size_t>(c - '0');
    }
    return std::pair{name[0] == 'Y', number};
  }

  void add_name(const Form& form, bool is_output, std::size_t number, std::string name) {
    std::vector<std::string>& names = is_output ? result_.output_names : result_.input_names;
    const std::size_t most = is_output ? network_.outputs.size() : network_.inputs.size();
    if (number >= most)
      fail(form, fmt::format("'{}': the network has {} {}", printable(name, 40), most,
                             is_output ? "outputs" : "inputs"));
    if (number != names.size())
      fail(form,
           fmt::format("'{}' is declared twice, or before those with smaller numbers", printable(name, 40)));
    names.push_back(std::move(name));
  }

  void declare(const Form& form) {
    if (form.parts.size() < 3) fail(form, "expected (declare-const NAME Real)");
    const std::string_view name = form.parts[1].word;
    const auto place = numbered(name);
    if (!place || form.parts.back().word != "Real")
      fail(form, "expected (declare-const X_0 Real) for inputs or (declare-const Y_0 Real) for outputs");
    add_name(form, place->first, place->second, std::string(name));
  }

  void declare_network(const Form& form) {
    if (has_network_) fail(form, "a second network: only one network is supported");
    has_network_ = true;
    for (std::size_t i = 2; i < form.parts.size(); ++i) {
      const Form& part = form.parts[i];
      const std::string_view kind = head(part);
      if (kind == "declare-hidden") fail(part, "hidden nodes are not supported");
      if (kind != "declare-input" && kind != "declare-output")
        fail(part, fmt::format("unknown declaration '{}'", printable(kind, 40)));
      declare_tensor(part, kind == "declare-output");
    }
  }

  void declare_tensor(const Form& form, bool is_output) {
    std::optional<std::vector<std::size_t>> shape;
    if (form.parts.size() >= 4) shape = indices_in(form.parts[3].word);
    if (!shape) fail(form, "expected (declare-input NAME TYPE [SIZE,...])");
    const std::string name(form.parts[1].word);
    std::size_t size = 1;
    for (const std::size_t one : *shape) {
      if (one == 0 || one > most_variables / size) fail(form, "the size of the tensor is 0 or too large");
      size *= one;
    }
    const std::size_t first = (is_output ? result_.output_names : result_.input_names).size();
    if (!tensors_.emplace(name, Tensor{is_output, first, *shape}).second)
      fail(form, fmt::format("'{}' is declared twice", printable(name, 40)));
    for (std::size_t i = 0; i < size; ++i) {
      std::string element;
      for (std::size_t d = shape->size(), rest = i; d-- > 0; rest /= (*shape)[d])
        element = fmt::format("{}{}{}", rest % (*shape)[d], element.empty() ? "" : ",", element);
      add_name(form, is_output, first + i, shape->empty() ? name : fmt::format("{}[{}]", name, element));
    }
  }

  std::uint32_t condition(const Form& form) {
    LinearProperty& property = result_.query.property;
    if (form.word == "true") return property.add(LinearProperty::Kind::all, {});
    if (form.word == "false") return property.add(LinearProperty::Kind::any, {});
    const std::string_view operation = head(form);
    if (operation == "and" || operation == "or") {
      std::vector<std::uint32_t> parts;
      for (std::size_t i = 1; i < form.parts.size(); ++i) parts.push_back(condition(form.parts[i]));
      return property.add(operation == "and" ? LinearProperty::Kind::all : LinearProperty::Kind::any,
                          std::move(parts));
    }
    if (operation == "not" && form.parts.size() == 2) return add_negated(property, condition(form.parts[1]));
    if (operation == "=>" && form.parts.size() == 3) {
      const std::uint32_t premise = add_negated(property, condition(form.parts[1]));
      const std::uint32_t conclusion = condition(form.parts[2]);
      return property.add(LinearProperty::Kind::any, {premise, conclusion});
    }
    static const std::map<std::string_view, Relation> relations{
        {"<=", Relation::at_most},  {">=", Relation::at_least}, {"<", Relation::less},
        {">", Relation::more},      {"=", Relation::equal},     {"==", Relation::equal},
        {"!=", Relation::different}};
    const auto relation = relations.find(operation);
    if (relation == relations.end() || form.parts.size() < 3)
      fail(form, fmt::format(
                     "'{}' is not a condition, expected and, or, not, <=, >=, <, >, == or != with two sides",
                     printable(operation, 40)));
    std::vector<std::uint32_t> parts;
    for (std::size_t i = 1; i + 1 < form.parts.size(); ++i)
      parts.push_back(add_relation(property, sum(form.parts[i]), relation->second, sum(form.parts[i + 1])));
    return parts.size() == 1 ? parts.front() : property.add(LinearProperty::Kind::all, std::move(parts));
  }

  static bool is_constant(const LinearSum& sum) { return sum.inputs.empty() && sum.outputs.empty(); }

  LinearSum sum(const Form& form) {
    if (!form.word.empty()) return term(form);
    const std::string_view operation = head(form);
    if (form.parts.size() < 2) fail(form, "an operation without operands");
    const bool takes_one = operation == "+" || operation == "-" || operation == "*";
    if (!takes_one && (operation != "/" || form.parts.size() == 2)) fail(form, only_linear);
    LinearSum result = sum(form.parts[1]);
    if (operation == "-" && form.parts.size() == 2) {
      LinearSum negative;
      negative.add(result, -1);
      return negative;
    }
    for (std::size_t i = 2; i < form.parts.size(); ++i) {
      const LinearSum next = sum(form.parts[i]);
      if (operation == "+" || operation == "-") {
        result.add(next, operation == "+" ? 1 : -1);
      } else if (operation == "*" && (is_constant(result) || is_constant(next))) {
        LinearSum product;
        product.add(is_constant(next) ? result : next, is_constant(next) ? next.constant : result.constant);
        result = std::move(product);
      } else if (operation == "/" && is_constant(next) && next.constant != 0) {
        LinearSum quotient;
        quotient.add(result, 1 / next.constant);
        result = std::move(quotient);
      } else {
        fail(form, only_linear);
      }
    }
    return result;
  }

  LinearSum term(const Form& form) const {
    LinearSum result;
    std::string_view word = form.word;
    if (const auto number = parse_exact(word.starts_with('+') ? word.substr(1) : word)) {
      result.constant = *number;
      return result;
    }
    if (const auto place = numbered(word); place && tensors_.empty()) {
      const std::size_t declared = (place->first ? result_.output_names : result_.input_names).size();
      if (place->second < declared) {
        (place->first ? result.outputs : result.inputs)[static_cast<std::uint32_t>(place->second)] = 1;
        return result;
      }
    }
    const std::size_t open = std::min(word.find('['), word.size());
    const auto tensor = tensors_.find(std::string(word.substr(0, open)));
    if (tensor == tensors_.end()) fail(form, fmt::format("'{}' is not declared", printable(word, 40)));
    const auto indices = open < word.size() ? indices_in(word.substr(open)) : std::vector<std::size_t>{};
    const std::vector<std::size_t>& shape = tensor->second.shape;
    if (!indices || indices->size() != shape.size())
      fail(form, fmt::format("'{}' has {} indices, expected {}", printable(word, 40),
                             indices ? indices->size() : 0, shape.size()));
    std::size_t number = 0;
    for (std::size_t d = 0; d < shape.size(); ++d) {
      if ((*indices)[d] >= shape[d])
        fail(form, fmt::format("'{}' is outside of its tensor", printable(word, 40)));
      number = number * shape[d] + (*indices)[d];
    }
    number += tensor->second.first;
    (tensor->second.is_output ? result.outputs : result.inputs)[static_cast<std::uint32_t>(number)] = 1;
    return result;
  }

  const std::string& file_;
  const Network& network_;
  VnnLibQuery result_;
  std::map<std::string, Tensor> tensors_;
  bool has_network_ = false;
  std::vector<std::uint32_t> asserted_;
};

// As decimals, the only numbers that readers of such files expect: exact, or the nearest double.
std::string decimal_number(const mpq_class& number) {
  const std::string exact = exact_text(number);
  return exact.find('/') == std::string::npos ? exact : fmt::format("{:.17g}", nearest_double(number));
}

}  // namespace

VnnLibQuery parse_vnnlib(std::string_view text, const std::string& file, const Network& network) {
  return VnnLibReader(file, network).read(FormReader(text, file).read());
}

std::string_view vnnlib_status(const LinearOutcome& outcome) {
  if (outcome.status == Status::infeasible) return "unsat";
  if (outcome.status != Status::unknown) return "sat";
  return outcome.stopped == StopReason::time ? "timeout" : "unknown";
}

std::string vnnlib_result(const VnnLibQuery& query, const LinearOutcome& outcome) {
  std::string text = std::string(vnnlib_status(outcome)) + "\n";
  if (outcome.values.empty()) return text;
  text += "(";
  for (std::size_t i = 0; i < outcome.values.size(); ++i)
    text +=
        fmt::format("{}({} {})", i > 0 ? "\n" : "", query.input_names[i], decimal_number(outcome.values[i]));
  for (std::size_t i = 0; i < outcome.outputs.size(); ++i)
    text += fmt::format("\n({} {})", query.output_names[i], decimal_number(outcome.outputs[i]));
  return text + ")\n";
}

}  // namespace bnnplan::verification
