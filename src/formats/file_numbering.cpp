// Files without gaps. Model variable v is variable v of every file we write, so any answer can be decoded
// without knowing which file it is an answer to; but simplification and unused neurons then leave gaps, and
// some solvers pay for variables that do not occur, or count them. So renumbering is a separate step after
// the writers, on the text, in two passes: which variables occur, then the same lines with new numbers. The
// map file leads back.
#include "bnnplan/formats/file_numbering.hpp"

#include <charconv>
#include <unordered_set>

#include <fmt/format.h>

#include "bnnplan/base/input_error.hpp"
#include "bnnplan/base/text_file.hpp"

namespace bnnplan::formats {

namespace {

// Removes the next word from the line and returns it; empty at its end.
std::string_view take_word(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  const std::string_view word = line.substr(0, line.find(' '));
  line.remove_prefix(word.size());
  return word;
}

std::int64_t number_of(std::string_view word) {
  std::int64_t number = 0;
  if (word.starts_with('+')) word.remove_prefix(1);
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (word.empty() || error != std::errc() || end != word.data() + word.size())
    throw InputError(fmt::format("'{}' in a file to be renumbered, expected a number", printable(word, 40)));
  return number;
}

// Copies a comment of the old file; the line about variable numbers is replaced.
void append_comment(std::string& text, std::string_view line) {
  if (line.find(" are those of the problem and its neurons") != std::string_view::npos) {
    text.append(line.substr(0, 2))
        .append("variables are numbered without gaps; the map beside says which is which\n");
  } else {
    text.append(line).append("\n");
  }
}

// New numbers for the variables that occur.
class Renumbering {
 public:
  void see(std::int64_t variable) {
    const auto index = static_cast<std::size_t>(variable);
    if (index >= seen_.size()) seen_.resize(index + 1);
    seen_[index] = true;
  }
  void number() {
    new_of_.resize(seen_.size());
    for (std::size_t v = 1; v < seen_.size(); ++v) {
      if (!seen_[v]) continue;
      old_.push_back(static_cast<std::uint32_t>(v - 1));
      new_of_[v] = static_cast<std::int64_t>(old_.size());
    }
  }
  std::int64_t operator[](std::int64_t variable) const { return new_of_[static_cast<std::size_t>(variable)]; }
  std::vector<std::uint32_t> take() { return std::move(old_); }
  std::size_t count() const { return old_.size(); }

 private:
  std::vector<bool> seen_;
  std::vector<std::int64_t> new_of_;
  std::vector<std::uint32_t> old_;
};

struct ClauseLine {
  std::string_view weight;  // "h" or a number; empty in a CNF
  std::vector<std::int64_t> literals;

  bool is_tautology() const {
    const std::unordered_set<std::int64_t> there(literals.begin(), literals.end());
    for (const std::int64_t literal : literals) {
      if (there.count(-literal) != 0) return true;
    }
    return false;
  }
};

ClauseLine clause_of(std::string_view line, bool weighted) {
  ClauseLine clause;
  if (weighted) clause.weight = take_word(line);
  for (std::string_view word = take_word(line); !word.empty(); word = take_word(line)) {
    const std::int64_t literal = number_of(word);
    if (literal != 0) clause.literals.push_back(literal);
  }
  return clause;
}

}  // namespace

RenumberedFile renumber_clauses(std::string_view text) {
  Renumbering numbers;
  bool weighted = true;
  std::int64_t left_out = 0;
  const auto each_clause = [&](auto&& comment, auto&& clause) {
    LineReader lines(text);
    for (std::string_view line; lines.next(line);) {
      if (line.empty() || line.front() == 'c' || line.front() == 'p') {
        if (line.starts_with("p cnf")) weighted = false;
        comment(line);
      } else {
        clause(clause_of(line, weighted));
      }
    }
  };
  each_clause([](std::string_view) {},
              [&](const ClauseLine& clause) {
                if (clause.is_tautology()) {
                  ++left_out;
                  return;
                }
                for (const std::int64_t literal : clause.literals) numbers.see(std::abs(literal));
              });
  numbers.number();
  RenumberedFile file;
  std::string& made = file.text;
  made.reserve(text.size());
  each_clause(
      [&](std::string_view line) {
        if (!line.starts_with('p')) return append_comment(made, line);
        take_word(line);
        const std::string_view kind = take_word(line);
        take_word(line);
        const std::int64_t clauses = number_of(take_word(line)) - left_out;
        made += fmt::format("p {} {} {}", kind, numbers.count(), clauses);
        made.append(line).append("\n");
      },
      [&](const ClauseLine& clause) {
        if (clause.is_tautology()) return;
        if (weighted) made.append(clause.weight).append(" ");
        for (const std::int64_t literal : clause.literals)
          fmt::format_to(std::back_inserter(made), "{} ",
                         literal < 0 ? -numbers[-literal] : numbers[literal]);
        made += "0\n";
      });
  file.old_variable = numbers.take();
  return file;
}

RenumberedFile renumber_opb(std::string_view text) {
  Renumbering numbers;
  // Calls `variable` for the digits after each x outside comments, `other` for everything else.
  const auto walk = [&](auto&& comment, auto&& variable, auto&& other) {
    LineReader lines(text);
    for (std::string_view line; lines.next(line);) {
      if (line.starts_with('*')) {
        comment(line);
        continue;
      }
      for (std::size_t i = 0; i < line.size();) {
        if (line[i] != 'x') {
          other(line.substr(i++, 1));
          continue;
        }
        std::size_t end = i + 1;
        while (end < line.size() && line[end] >= '0' && line[end] <= '9') ++end;
        variable(number_of(line.substr(i + 1, end - i - 1)));
        i = end;
      }
      other("\n");
    }
  };
  walk([](std::string_view) {}, [&](std::int64_t variable) { numbers.see(variable); },
       [](std::string_view) {});
  numbers.number();
  RenumberedFile file;
  std::string& made = file.text;
  made.reserve(text.size());
  constexpr std::string_view head = "* #variable= ";
  walk(
      [&](std::string_view line) {
        if (!line.starts_with(head)) return append_comment(made, line);
        line.remove_prefix(head.size());
        take_word(line);
        made += fmt::format("{}{}{}\n", head, numbers.count(), line);
      },
      [&](std::int64_t variable) { fmt::format_to(std::back_inserter(made), "x{}", numbers[variable]); },
      [&](std::string_view part) { made.append(part); });
  file.old_variable = numbers.take();
  return file;
}

BitValues FileNumbering::in_model(const BitValues& of_file, std::uint32_t model_variables) const {
  BitValues values(model_variables, unknown_bit);
  for (std::size_t v = 0; v < model_variable.size() && v < of_file.size(); ++v) {
    if (model_variable[v] < model_variables) values[model_variable[v]] = of_file[v];
  }
  return values;
}

std::string numbering_text(const FileNumbering& numbering, const model::ZeroOneModel& model,
                           std::string_view file) {
  std::string text = fmt::format("c variables of {}: number, number in the model, name\np map {} {}\n", file,
                                 numbering.variables(), model.layout.variable_count());
  for (std::uint32_t v = 0; v < numbering.variables(); ++v) {
    const std::uint32_t old = numbering.model_variable[v];
    if (old == FileNumbering::none) {
      text += fmt::format("{} - -\n", v + 1);
    } else {
      text += fmt::format("{} {} {}\n", v + 1, old + 1, model::variable_name(model, {old}));
    }
  }
  return text;
}

FileNumbering parse_numbering(std::string_view text, std::string_view file_name,
                              std::uint32_t model_variables) {
  FileNumbering numbering;
  std::optional<std::uint64_t> announced;
  LineReader lines(text);
  const auto fail = [&](const std::string& message) { throw InputError(file_name, lines.number(), message); };
  const auto number = [&](std::string_view word) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (word.empty() || error != std::errc() || end != word.data() + word.size())
      fail(fmt::format("'{}', expected a number", printable(word, 40)));
    return value;
  };
  std::vector<bool> used(model_variables);
  for (std::string_view line; lines.next(line);) {
    if (line.empty() || line.front() == 'c') continue;
    std::string_view rest = line;
    const std::string_view first = take_word(rest);
    if (!announced) {
      if (first != "p" || take_word(rest) != "map") fail("expected 'p map VARIABLES MODEL-VARIABLES' first");
      announced = number(take_word(rest));
      if (number(take_word(rest)) != model_variables)
        fail(fmt::format("a map for another model, expected one with {} variables", model_variables));
      continue;
    }
    if (number(first) != numbering.model_variable.size() + 1)
      fail(
          fmt::format("variable {}, expected {}", printable(first, 40), numbering.model_variable.size() + 1));
    const std::string_view old = take_word(rest);
    if (old == "-") {
      numbering.model_variable.push_back(FileNumbering::none);
      continue;
    }
    const std::uint64_t variable = number(old);
    if (variable < 1 || variable > model_variables || used[variable - 1])
      fail(fmt::format("variable {} of the model, expected each of 1 to {} at most once", variable,
                       model_variables));
    used[variable - 1] = true;
    numbering.model_variable.push_back(static_cast<std::uint32_t>(variable - 1));
  }
  if (!announced || *announced != numbering.model_variable.size())
    fail("the map ends here, expected a line for each variable that it announces");
  return numbering;
}

}  // namespace bnnplan::formats
