// Linear conditions as text, in one pass from left to right.
#include "bnnplan/query/linear_text.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "bnnplan/base/exact_number.hpp"
#include "bnnplan/base/input_error.hpp"

namespace bnnplan::verification {

namespace {

bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c == '@' ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool is_decimal_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name_part(char c) {
  return is_name_start(c) || is_decimal_digit(c) || c == '.' || c == ':' || c == '\'';
}

class LinearReader {
 public:
  LinearReader(std::string_view text, const LinearNames& names) : text_(text), names_(names) {}

  LinearSum sum() {
    LinearSum result;
    bool first = true;
    while (true) {
      skip_blanks();
      mpq_class sign = 1;
      if (at_ < text_.size() && (text_[at_] == '+' || text_[at_] == '-')) {
        sign = text_[at_++] == '-' ? -1 : 1;
      } else if (!first) {
        return result;
      }
      first = false;
      add_term(result, sign);
    }
  }

  Relation relation() {
    constexpr std::array<std::pair<std::string_view, Relation>, 7> relations{{{"<=", Relation::at_most},
                                                                              {">=", Relation::at_least},
                                                                              {"==", Relation::equal},
                                                                              {"!=", Relation::different},
                                                                              {"<", Relation::less},
                                                                              {">", Relation::more},
                                                                              {"=", Relation::equal}}};
    skip_blanks();
    for (const auto& [sign, relation] : relations) {
      if (!text_.substr(at_).starts_with(sign)) continue;
      at_ += sign.size();
      return relation;
    }
    fail("<=, >=, <, >, == or !=");
  }

  void end() {
    skip_blanks();
    if (at_ < text_.size()) fail("the end");
  }

 private:
  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }

  [[noreturn]] void fail(std::string_view expected) const {
    throw InputError(fmt::format(
        "'{}': expected {} {}", printable(text_, 80), expected,
        at_ < text_.size() ? fmt::format("at '{}'", printable(text_.substr(at_), 20)) : "at its end"));
  }

  void add_term(LinearSum& result, mpq_class factor) {
    skip_blanks();
    bool has_number = false;
    if (at_ < text_.size() && (is_decimal_digit(text_[at_]) || text_[at_] == '.')) {
      std::size_t end = at_;
      while (end < text_.size() && (is_decimal_digit(text_[end]) || text_[end] == '.' || text_[end] == '/'))
        ++end;
      if (end + 1 < text_.size() && (text_[end] == 'e' || text_[end] == 'E')) {
        std::size_t exponent = end + 1;
        if (text_[exponent] == '-' || text_[exponent] == '+') ++exponent;
        if (exponent < text_.size() && is_decimal_digit(text_[exponent])) {
          end = exponent;
          while (end < text_.size() && is_decimal_digit(text_[end])) ++end;
        }
      }
      const auto number = parse_exact(text_.substr(at_, end - at_));
      if (!number) fail("a number");
      at_ = end;
      factor *= *number;
      has_number = true;
      skip_blanks();
      if (at_ < text_.size() && text_[at_] == '*') {
        ++at_;
        skip_blanks();
        has_number = false;  // a name has to follow
      }
    }
    if (at_ < text_.size() && (is_name_start(text_[at_]) || text_[at_] == '`' || text_[at_] == '"'))
      return result.add(names_.sum_of(name()), factor);
    if (!has_number) fail("a number or a name");
    result.constant += factor;
  }

  std::string_view name() {
    const std::size_t start = at_;
    if (text_[at_] == '`' || text_[at_] == '"') {
      const std::size_t close = text_.find(text_[at_], at_ + 1);
      if (close == text_.npos) fail("a closing quote");
      at_ = close + 1;
      return text_.substr(start + 1, close - start - 1);
    }
    while (at_ < text_.size()) {
      if (is_name_part(text_[at_])) {
        ++at_;
      } else if (text_[at_] == '-' && at_ + 1 < text_.size() && is_name_part(text_[at_ + 1])) {
        at_ += 2;
      } else if (text_[at_] == '[') {
        const std::size_t close = text_.find(']', at_);
        if (close == text_.npos) fail("a closing ]");
        at_ = close + 1;
      } else {
        break;
      }
    }
    return text_.substr(start, at_ - start);
  }

  std::string_view text_;
  const LinearNames& names_;
  std::size_t at_ = 0;
};

}  // namespace

LinearNames::LinearNames(const Network& network) {
  for (std::uint32_t i = 0; i < network.inputs.size(); ++i) inputs_.emplace(network.inputs[i], i);
  for (std::uint32_t i = 0; i < network.outputs.size(); ++i)
    outputs_.emplace(is_classifier(network) ? "score[" + network.outputs[i] + "]" : network.outputs[i], i);
}

LinearSum LinearNames::sum_of(std::string_view name) const {
  LinearSum sum;
  if (const auto found = inputs_.find(name); found != inputs_.end()) {
    sum.inputs[found->second] = 1;
  } else if (const auto output = outputs_.find(name); output != outputs_.end()) {
    sum.outputs[output->second] = 1;
  } else {
    std::vector<std::string> all;
    for (const auto& [known, index] : outputs_) all.push_back(known);
    for (const auto& [known, index] : inputs_) all.push_back(known);
    throw InputError(fmt::format("the network has no input or output '{}'{}", printable(name, 40),
                                 did_you_mean(name, all)));
  }
  return sum;
}

LinearSum parse_linear_sum(std::string_view text, const LinearNames& names) {
  LinearReader reader(text, names);
  LinearSum sum = reader.sum();
  reader.end();
  return sum;
}

std::uint32_t parse_linear_condition(std::string_view text, const LinearNames& names,
                                     LinearProperty& property) {
  LinearReader reader(text, names);
  const LinearSum left = reader.sum();
  const Relation relation = reader.relation();
  const LinearSum right = reader.sum();
  reader.end();
  return add_relation(property, left, relation, right);
}

}  // namespace bnnplan::verification
