// Solvers differ in what they read and in how to make them print a solution. The user's own words win: with
// {model} in the command nothing is added, and --solver-format overrides the format.
#include "bnnplan/engines/external/known_solvers.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include "bnnplan/base/input_error.hpp"

namespace bnnplan::engines {

namespace {

using Word = std::string_view;
constexpr Word plain[] = {"{arguments}", "{model}"};
constexpr Word uwrmaxsat[] = {"-m", "{arguments}", "{model}"};
constexpr Word roundingsat[] = {"--print-sol=1", "{arguments}", "{model}"};
constexpr Word exact[] = {"--print-sol", "{arguments}", "{model}"};
constexpr Word maxhs[] = {"-printSoln", "{arguments}", "{model}"};
constexpr Word cbc[] = {"{model}", "{arguments}", "solve", "solution", "{solution}"};
constexpr Word highs[] = {"{arguments}", "--solution_file", "{solution}", "{model}"};
constexpr Word scip[] = {"{arguments}", "-c", "read {model} optimize write solution {solution} quit"};

constexpr std::array<KnownSolver, 13> solvers{{
    {"clasp", "opb", plain},
    {"bnnplan", "wcnf", plain},
    {"EvalMaxSAT", "wcnf", plain},
    {"EvalMaxSAT_bin", "wcnf", plain},
    {"UWrMaxSat", "wcnf", uwrmaxsat},
    {"MaxHS", "wcnf", maxhs},
    {"open-wbo", "wcnf-classic", plain},
    {"RoundingSat", "opb", roundingsat},
    {"Exact", "opb", exact},
    {"cbc", "mps", cbc},
    {"HiGHS", "mps", highs},
    {"SCIP", "lp", scip},
    {"minizinc", "mzn", plain},
}};

std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& letter : result) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return result;
}

// Program names may end in a version or a kind: open-wbo_release, clasp-3.3.5, cbc.exe.
bool ends_a_name(char letter) { return letter == '-' || letter == '_' || letter == '.' || letter == '+'; }

void replace_all(std::string& text, std::string_view what, const std::string& with) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size())
    text.replace(at, what.size(), with);
}

}  // namespace

std::span<const KnownSolver> known_solvers() { return solvers; }

const KnownSolver* find_known_solver(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  const std::string name = lower_case(slash == std::string_view::npos ? path : path.substr(slash + 1));
  const KnownSolver* best = nullptr;
  for (const KnownSolver& solver : solvers) {
    const std::string known = lower_case(solver.program);
    const bool matches =
        name.starts_with(known) && (name.size() == known.size() || ends_a_name(name[known.size()]));
    if (matches && (best == nullptr || solver.program.size() > best->program.size())) best = &solver;
  }
  return best;
}

std::string known_solver_names() {
  std::string text;
  for (const KnownSolver& solver : solvers)
    text += fmt::format("{}{}", text.empty() ? "" : ", ", solver.program);
  return text;
}

std::vector<std::string> command_words(std::string_view command) {
  std::vector<std::string> words;
  bool in_word = false;
  char quote = 0;
  for (const char letter : command) {
    if (quote != 0) {
      if (letter == quote) {
        quote = 0;
      } else {
        words.back() += letter;
      }
      continue;
    }
    if (letter == ' ' || letter == '\t') {
      in_word = false;
      continue;
    }
    if (!in_word) words.emplace_back();
    in_word = true;
    if (letter == '\'' || letter == '"') {
      quote = letter;
    } else {
      words.back() += letter;
    }
  }
  if (quote != 0) throw InputError(fmt::format("the quote {} in the solver's command is not closed", quote));
  if (words.empty() || words.front().empty())
    throw InputError("the solver's command is empty, expected a program");
  return words;
}

std::vector<std::string> solver_arguments(const std::vector<std::string>& words,
                                          const std::string& model_file, const std::string& solution_file) {
  std::vector<std::string> result = {words.front()};
  const bool complete = std::any_of(words.begin(), words.end(), [](const std::string& word) {
    return word.find("{model}") != std::string::npos;
  });
  const KnownSolver* known = find_known_solver(words.front());
  const std::span<const Word> pattern = complete           ? std::span<const Word>(plain).first(1)
                                        : known != nullptr ? known->arguments
                                                           : std::span<const Word>(plain);
  for (const Word part : pattern) {
    if (part == "{arguments}") {
      result.insert(result.end(), words.begin() + 1, words.end());
    } else {
      result.emplace_back(part);
    }
  }
  for (std::size_t i = 1; i < result.size(); ++i) {
    replace_all(result[i], "{model}", model_file);
    replace_all(result[i], "{solution}", solution_file);
  }
  return result;
}

}  // namespace bnnplan::engines
