// Telling files apart, for the user who gives a command a file of another kind. All our formats, and those of
// solvers, show in their first lines what they are: a signature, a comment of their own, a keyword. Only the
// first lines are looked at, and only when the reader of the command has refused the file, so that a guess
// can make an error clearer but never refuse what is right.
#include "bnnplan/api/file_kind.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "bnnplan/base/text_file.hpp"

namespace bnnplan {

namespace {

struct KindInfo {
  FileKind kind;
  std::string_view text;      // with its article
  std::string_view commands;  // that take such a file
};

constexpr std::array kinds = {
    KindInfo{FileKind::problem, "a problem (.toml)", "`bnnplan plan`"},
    KindInfo{FileKind::network, "a network (.bnn)", "`bnnplan info`"},
    KindInfo{FileKind::plan, "a plan (.json)", "`bnnplan check PROBLEM PLAN`"},
    KindInfo{FileKind::data, "a data set (.csv)", "`bnnplan learn`"},
    KindInfo{FileKind::rddl, "an RDDL file (.rddl)", "`bnnplan compile DOMAIN INSTANCE`"},
    KindInfo{FileKind::formula, "a WCNF or CNF formula", "`bnnplan maxsat`"},
    KindInfo{FileKind::model, "a model for a solver (OPB, LP, MPS or MiniZinc)",
             "the solver, and for its answer `bnnplan decode`"},
    KindInfo{FileKind::proof, "a proof (.pbp)", "`bnnplan check-proof PROBLEM PROOF`"},
    KindInfo{FileKind::answer, "a solver's answer", "`bnnplan decode PROBLEM ANSWER`"},
    KindInfo{FileKind::page, "a page or picture for a browser", "a browser"}};

// Which command makes one kind of another.
struct Route {
  FileKind from, to;
  std::string command;
};

const KindInfo& info_of(FileKind kind) {
  return *std::find_if(kinds.begin(), kinds.end(), [&](const KindInfo& info) { return info.kind == kind; });
}

bool is_blank(std::string_view text) { return text.find_first_not_of(" \t\r\n") == std::string_view::npos; }

bool starts_with_any(std::string_view line, std::initializer_list<std::string_view> beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(),
                     [&](std::string_view beginning) { return line.starts_with(beginning); });
}

bool is_numbers(std::string_view line) { return line.find_first_not_of("0123456789+-., \t") == line.npos; }

bool is_clause(std::string_view line) {
  return line.ends_with(" 0") && line.find_first_not_of("0123456789- \t") == line.npos;
}

// "+1 x1 +2 ~x2 >= 1 ;"
bool is_opb_row(std::string_view line) {
  return line.ends_with(';') && line.find(" x") != line.npos && line.find("= ") != line.npos;
}

// "domain navigation {", but not "domain = 3" of a problem file.
bool opens_rddl_block(std::string_view line) {
  for (const std::string_view word : {"domain", "instance", "non-fluents"}) {
    if (!line.starts_with(word)) continue;
    const std::string_view name = trimmed(line.substr(word.size()));
    if (line.size() > word.size() && (line[word.size()] == ' ' || line[word.size()] == '\t') &&
        !name.empty() && name.front() != '=')
      return true;
  }
  return false;
}

// Names, some of the next state, or names and then numbers.
bool is_header_of_data(std::string_view line, std::string_view second) {
  const auto commas = std::count(line.begin(), line.end(), ',');
  if (commas == 0 || line.find('=') != line.npos || line.front() == '[') return false;
  if (line.find("',") != line.npos || line.ends_with('\'')) return true;
  return !second.empty() && is_numbers(second) && std::count(second.begin(), second.end(), ',') == commas;
}

// What the first line says that is neither blank nor a comment of its format.
std::optional<FileKind> kind_of_line(std::string_view line, std::string_view second) {
  if (line.front() == '{') return FileKind::plan;
  if (line.front() == '<') return FileKind::page;
  if (line == "bnn" || line.starts_with("bnn ")) return FileKind::network;
  if (line.starts_with("pseudo-Boolean proof")) return FileKind::proof;
  if (starts_with_any(line, {"p wcnf", "p cnf", "h "}) || is_clause(line)) return FileKind::formula;
  if (starts_with_any(line, {"s ", "o ", "v ", "Optimal - objective", "solution status:", "Model status"}))
    return FileKind::answer;
  if (starts_with_any(line, {"* #variable=", "min:", "max:", "\\", "Minimize", "Maximize", "NAME ", "%"}) ||
      is_opb_row(line))
    return FileKind::model;
  if (opens_rddl_block(line)) return FileKind::rddl;
  if (is_header_of_data(line, second)) return FileKind::data;
  return std::nullopt;
}

// Of any format; in "* #variable= 3" only the format shows.
bool is_comment(std::string_view line) {
  const bool star = line.front() == '*' && !line.starts_with("* #variable=");
  return line.front() == '#' || star || line == "c" || starts_with_any(line, {"c ", "//"});
}

std::optional<FileKind> kind_of_text(std::string_view text) {
  LineReader lines(text);
  std::string_view line, second;
  do {
    if (!lines.next(line)) return std::nullopt;
    line = trimmed(line);
  } while (line.empty() || is_comment(line));
  LineReader rest = lines;
  if (rest.next(second)) second = trimmed(second);
  if (const auto kind = kind_of_line(line, second)) return kind;
  // A problem has these tables, in any order and after whatever else.
  do {
    line = trimmed(line);
    if (starts_with_any(line, {"[state", "[action"})) return FileKind::problem;
  } while (lines.next(line));
  return std::nullopt;
}

std::optional<FileKind> kind_of_name(std::string_view name) {
  if (name.ends_with(".gz") || name.ends_with(".xz")) name.remove_suffix(3);
  const std::pair<std::string_view, FileKind> endings[] = {
      {".toml", FileKind::problem}, {".bnn", FileKind::network}, {".json", FileKind::plan},
      {".csv", FileKind::data},     {".rddl", FileKind::rddl},   {".wcnf", FileKind::formula},
      {".cnf", FileKind::formula},  {".opb", FileKind::model},   {".lp", FileKind::model},
      {".mps", FileKind::model},    {".mzn", FileKind::model},   {".pbp", FileKind::proof},
      {".html", FileKind::page},    {".svg", FileKind::page}};
  for (const auto& [ending, kind] : endings) {
    if (name.ends_with(ending)) return kind;
  }
  return std::nullopt;
}

}  // namespace

std::string_view kind_text(FileKind kind) { return info_of(kind).text; }
std::string_view kind_commands(FileKind kind) { return info_of(kind).commands; }

std::optional<FileKind> kind_of(std::string_view text, std::string_view name) {
  const auto kind = kind_of_text(text.substr(0, kind_bytes));
  return kind ? kind : kind_of_name(name);
}

std::optional<InputError> wrong_kind(FileKind expected, std::string_view name, std::string_view text) {
  if (is_blank(text))
    return InputError(name, 1, fmt::format("the file is empty, expected {}", kind_text(expected)));
  const auto found = kind_of(text, name);
  if (!found || *found == expected) return std::nullopt;
  const std::array routes = {
      Route{FileKind::problem, FileKind::plan, "bnnplan plan -o PLAN.json"},
      Route{FileKind::problem, FileKind::formula, "bnnplan encode " + option_name("to=wcnf")},
      Route{FileKind::problem, FileKind::proof, "bnnplan plan " + option_name("proof") + " PROOF"},
      Route{FileKind::rddl, FileKind::problem, "bnnplan compile DOMAIN INSTANCE"},
      Route{FileKind::rddl, FileKind::data, "bnnplan simulate DOMAIN INSTANCE"},
      Route{FileKind::data, FileKind::network, "bnnplan learn"}};
  const auto route = std::find_if(routes.begin(), routes.end(), [&](const Route& candidate) {
    return candidate.from == *found && candidate.to == expected;
  });
  const std::string advice = route != routes.end() ? fmt::format("`{}` makes one of it", route->command)
                                                   : fmt::format("this one is for {}", kind_commands(*found));
  return InputError(
      name, fmt::format("this is {}, expected {}; {}", kind_text(*found), kind_text(expected), advice));
}

}  // namespace bnnplan
