// Reads the output of solvers. The formats are distinguished line by line:
//
//   "s ..." "o ..." "v ..." "c..."         the protocols of the SAT, MaxSAT and pseudo-Boolean competitions,
//                                          and our MiniZinc output; the last o line and v block count
//   "Optimal - objective value 4"          CBC, then lines "index x7 1 reducedcost", only what is not 0
//   "Model status" / "# Columns 13"        HiGHS, then lines "x7 1"; ends at the dual values
//   "solution status: optimal ..."         SCIP, then lines "x7 1 (obj:2)", only what is not 0
//   "----------" "==========" "=====..."   MiniZinc: a solution, the proof that the last one was optimal,
//                                          statuses
//
// If the answer has an s line, only the lines of the protocol are part of it. Otherwise banners and logs are
// skipped as long as something else is understood. The time stamps that runsolver prepends to each line
// ("0.01/0.02\to 5") are removed. Whether v lines are bits or literals is decided when all of them are read
// (value_bits).
#include "bnnplan/formats/solver_answer.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "bnnplan/base/count_text.hpp"
#include "bnnplan/base/input_error.hpp"
#include "bnnplan/base/text_file.hpp"

namespace bnnplan::formats {

namespace {

bool blank(char c) { return c == ' ' || c == '\t'; }
bool digit(char c) { return c >= '0' && c <= '9'; }

// Removes the next word from the line and returns it; empty at its end.
std::string_view next_word(std::string_view& line) {
  std::size_t begin = 0;
  while (begin < line.size() && blank(line[begin])) ++begin;
  std::size_t end = begin;
  while (end < line.size() && !blank(line[end])) ++end;
  const std::string_view word = line.substr(begin, end - begin);
  line.remove_prefix(end);
  return word;
}

std::vector<std::string_view> words(std::string_view line, std::size_t most) {
  std::vector<std::string_view> result;
  for (std::string_view word = next_word(line); !word.empty() && result.size() < most; word = next_word(line))
    result.push_back(word);
  return result;
}

// Removes "12.34" from the front.
bool take_stamp(std::string_view& text) {
  std::size_t end = 0, points = 0;
  while (end < text.size() && (digit(text[end]) || (text[end] == '.' && ++points == 1))) ++end;
  if (points != 1 || end < 3 || !digit(text.front()) || !digit(text[end - 1])) return false;
  text.remove_prefix(end);
  return true;
}

// The line as the solver printed it, without runsolver's time stamp and surrounding blanks.
std::string_view bare(std::string_view line) {
  std::string_view rest = line;
  if (take_stamp(rest) && rest.substr(0, 1) == "/") {
    rest.remove_prefix(1);
    if (take_stamp(rest) && (rest.empty() || blank(rest.front()))) line = rest;
  }
  return trimmed(line);
}

// Is the line "s ..." (for the tag s), or the letter alone?
bool tagged(std::string_view line, char tag) {
  return !line.empty() && line[0] == tag && (line.size() == 1 || blank(line[1]));
}

template <class Number>
std::optional<Number> number(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// The number of an o line, which may have a plus sign.
std::optional<std::int64_t> objective_value(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && digit(text[1])) text.remove_prefix(1);
  return number<std::int64_t>(text);
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

class AnswerReader {
 public:
  AnswerReader(std::string_view text, std::string_view file, std::uint32_t variables)
      : lines_(text), file_(file), variables_(variables) {
    answer_.values.assign(variables, 0);
  }

  SolverAnswer read() {
    protocol_ = has_status_line();
    std::string_view line;
    while (lines_.next(line)) {
      line = bare(line);
      if (!line.empty()) read_line(line);
    }
    finish_value_lines();
    if (!understood_) refuse();
    finish_objective_value();
    if (answer_.has_values && answer_.status == Status::unknown) answer_.status = Status::feasible;
    if (answer_.status == Status::infeasible && answer_.has_values) {
      throw InputError(file_, "the answer is unsatisfiable but has values");
    }
    return std::move(answer_);
  }

 private:
  [[noreturn]] void fail(std::size_t line, std::string_view message) const {
    throw InputError(file_, line, message);
  }

  [[noreturn]] void refuse() const {
    if (objective_line_ != 0 && !objective_value(objective_text_)) fail_objective_value();
    if (noise_line_ != 0)
      fail(noise_line_, fmt::format("'{}' is not a line of a solver's answer", printable(noise_, 60)));
    throw InputError(
        file_,
        "not a solver's answer: found no 's' or 'v' line and no solution of CBC, HiGHS, SCIP or MiniZinc");
  }

  bool has_status_line() const {
    LineReader lines = lines_;
    for (std::string_view line; lines.next(line);) {
      if (tagged(bare(line), 's')) return true;
    }
    return false;
  }

  void read_line(std::string_view line) {
    if (tagged(line, 's')) return read_status(trimmed(line.substr(1)));
    if (tagged(line, 'o')) {
      in_value_block_ = false;
      objective_text_ = trimmed(line.substr(1));
      objective_line_ = lines_.number();
      return;
    }
    if (tagged(line, 'v')) return read_value_line(line.substr(1));
    if (protocol_ || line[0] == 'c') return;  // some solvers omit the blank after the c
    if (read_minizinc_status(line) || read_solution_file_status(line)) {
      in_value_block_ = false;
      return;
    }
    if (!in_dual_part_) read_named_value(line);
  }

  void set_status(Status status) {
    if (status_line_ != 0 && status != answer_.status)
      fail(lines_.number(), fmt::format("a status that contradicts the one in line {}", status_line_));
    answer_.status = status;
    status_line_ = lines_.number();
    understood_ = true;
  }

  void read_status(std::string_view status) {
    in_value_block_ = false;
    if (status == "OPTIMUM FOUND") return set_status(Status::optimal);
    if (status == "SATISFIABLE") return set_status(Status::feasible);
    if (status == "UNSATISFIABLE") return set_status(Status::infeasible);
    if (status == "UNKNOWN" || status == "UNSUPPORTED") return set_status(Status::unknown);
    fail(lines_.number(), fmt::format("unknown status '{}'", printable(status)));
  }

  // Only the last o line counts: an earlier value that was out of range no longer matters. Some solvers begin
  // with one, so without a solution it means nothing.
  void finish_objective_value() {
    if (objective_line_ == 0) return;
    answer_.value = objective_value(objective_text_);
    if (answer_.has_values && !answer_.value) fail_objective_value();
  }

  [[noreturn]] void fail_objective_value() const {
    fail(objective_line_, fmt::format("bad value '{}' in an o line", printable(objective_text_)));
  }

  void read_value_line(std::string_view rest) {
    if (!in_value_block_) value_lines_.clear();  // a better solution follows an earlier one
    in_value_block_ = true;
    understood_ = true;
    if (!trimmed(rest).empty()) value_lines_.push_back({rest, lines_.number()});
  }

  bool read_minizinc_status(std::string_view line) {
    if (line == "----------") {
      understood_ = true;
    } else if (line == "==========") {
      set_status(Status::optimal);
    } else if (line == "=====UNSATISFIABLE=====") {
      set_status(Status::infeasible);
    } else if (line == "=====UNKNOWN=====") {
      set_status(Status::unknown);
    } else {
      return false;
    }
    return true;
  }

  // The status lines of CBC, HiGHS and SCIP. HiGHS has the status on the line after "Model status".
  bool read_solution_file_status(std::string_view line) {
    if (line == "Model status") {
      status_follows_ = true;
      return true;
    }
    const bool status_line =
        status_follows_ || line.substr(0, 16) == "solution status:" || contains(line, "objective value");
    if (line[0] == '#') {  // HiGHS: sections
      in_dual_part_ = contains(line, "Dual") || contains(line, "Rows") || contains(line, "Basis");
      return true;
    }
    if (!status_line) return line.substr(0, 9) == "Objective" || line == "Feasible" || line == "None";
    status_follows_ = false;
    in_solution_file_ = true;
    std::string lower(line);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return std::tolower(c); });
    if (contains(lower, "infeasible")) {
      set_status(Status::infeasible);
    } else if (contains(lower, "optimal")) {
      set_status(Status::optimal);
      answer_.has_values = true;
    } else if (status_line_ == 0 && lower.substr(0, 15) != "objective value") {  // SCIP's second line
      set_status(Status::unknown);  // stopped on a limit; values may follow
    }
    return true;
  }

  // "x7 1 ..." or "6 x7 1 ..."
  void read_named_value(std::string_view line) {
    if (answer_.status == Status::infeasible) return;  // CBC prints its last point even then
    const std::vector<std::string_view> fields = words(line, 4);
    std::size_t name = 0;
    if (!fields.empty() && fields[0] == "**") name = 1;  // CBC marks violated bounds
    if (name < fields.size() && number<std::int64_t>(fields[name])) ++name;
    if (in_solution_file_ && name + 1 < fields.size() && fields[name][0] == 'x') {
      const auto index = number<std::uint32_t>(fields[name].substr(1));
      const auto value = number<double>(fields[name + 1]);
      if (index && value) {
        if (*index < 1 || *index > variables_)
          fail(lines_.number(), fmt::format("variable x{} is not in the model", *index));
        const double rounded = std::round(*value);
        if (std::abs(*value - rounded) > 1e-4 || (rounded != 0 && rounded != 1)) {
          fail(lines_.number(), fmt::format("x{} is {}, expected 0 or 1", *index, *value));
        }
        answer_.values[*index - 1] = rounded != 0 ? 1 : 0;
        answer_.has_values = true;
        return;
      }
    }
    if (noise_line_ != 0) return;
    noise_ = line;
    noise_line_ = lines_.number();
  }

  // The v lines are kept as lines: one of a gigabyte has half as many words, and each would take 24 bytes.
  struct ValueLine {
    std::string_view text;
    std::size_t line;
  };

  void finish_value_lines() {
    if (value_lines_.empty()) return;
    answer_.has_values = true;
    if (const auto bits = value_bits()) {
      if (bits->size() < variables_) {
        fail(value_lines_.back().line, fmt::format("the v lines have {}, expected at least {}",
                                                   count_text(bits->size(), "value"), variables_));
      }
      for (std::uint32_t v = 0; v < variables_; ++v) answer_.values[v] = (*bits)[v] == '1' ? 1 : 0;
      return;
    }
    answer_.values.assign(variables_, unknown_bit);
    for (const auto& [text, line] : value_lines_) {
      std::string_view rest = text;
      for (std::string_view word = next_word(rest); !word.empty(); word = next_word(rest))
        read_literal(word, line);
    }
    if (!says_what_is_false_)
      std::replace(answer_.values.begin(), answer_.values.end(), unknown_bit, BitValue{0});
  }

  // The values if they are given as bits: as one long word (possibly broken over lines), or as a list of 0
  // and 1. A list of literals has a 0 only at its end.
  std::optional<std::string> value_bits() const {
    std::string bits;
    bool one_word_a_line = true, all_single = true, zero_before = false, zero_inside = false;
    for (const ValueLine& line : value_lines_) {
      std::string_view rest = line.text;
      bool first = true;
      for (std::string_view word = next_word(rest); !word.empty(); word = next_word(rest)) {
        if (word.find_first_not_of("01") != std::string_view::npos) return std::nullopt;
        one_word_a_line &= first;
        first = false;
        all_single &= word.size() == 1;
        zero_inside |= zero_before;
        zero_before = word == "0";
        bits += word;
      }
    }
    if (all_single ? zero_inside || bits.size() >= variables_ : one_word_a_line) return bits;
    return std::nullopt;
  }

  void read_literal(std::string_view word, std::size_t line) {
    std::string_view text = word;
    const bool negative = text.front() == '-' || text.front() == '~';
    if (negative) text.remove_prefix(1);
    if (!text.empty() && text.front() == 'x') text.remove_prefix(1);
    const auto variable = number<std::uint64_t>(text);
    if (!variable) fail(line, fmt::format("bad literal '{}' in a v line", printable(word)));
    says_what_is_false_ |= negative;
    // 0 ends the list; variables above the model's come from encodings.
    if (*variable >= 1 && *variable <= variables_) answer_.values[*variable - 1] = negative ? 0 : 1;
  }

  LineReader lines_;
  std::string file_;
  std::uint32_t variables_;
  SolverAnswer answer_;
  std::vector<ValueLine> value_lines_;
  std::string_view objective_text_, noise_;  // of the last o line; the first line not understood
  std::size_t objective_line_ = 0, noise_line_ = 0, status_line_ = 0;  // 0: none
  bool protocol_ = false, understood_ = false, in_value_block_ = false, status_follows_ = false,
       in_dual_part_ = false, in_solution_file_ = false, says_what_is_false_ = false;
};

}  // namespace

std::optional<std::int64_t> claimed_value(std::string_view line) {
  line = bare(line);
  if (!tagged(line, 'o')) return std::nullopt;
  return objective_value(trimmed(line.substr(1)));
}

SolverAnswer parse_solver_answer(std::string_view text, std::string_view file_name, std::uint32_t variables) {
  return AnswerReader(text, file_name, variables).read();
}

}  // namespace bnnplan::formats
