// Figures of a file, read from the file: the index describes what a solver reads, not what a writer intended.
#include "bnnplan/suite/file_figures.hpp"

#include <algorithm>
#include <charconv>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "bnnplan/base/input_error.hpp"
#include "bnnplan/base/text_file.hpp"
#include "bnnplan/formats/wcnf_reader.hpp"

namespace bnnplan::suite {

namespace {

class Occurrences {
 public:
  void see(std::size_t variable) {
    if (variable >= seen_.size()) seen_.resize(variable + 1);
    count_ += seen_[variable] ? 0 : 1;
    seen_[variable] = true;
  }
  std::int64_t count() const { return count_; }

 private:
  std::vector<bool> seen_;
  std::int64_t count_ = 0;
};

void add_length(FileFigures& figures, std::int64_t length, bool first) {
  figures.shortest = first ? length : std::min(figures.shortest, length);
  figures.longest = std::max(figures.longest, length);
  figures.literals += length;
}

FileFigures clause_figures(const std::filesystem::path& file) {
  const formats::Wcnf formula = formats::read_wcnf(file);
  FileFigures figures;
  figures.variables = formula.variables;
  figures.hard = static_cast<std::int64_t>(formula.hard.size());
  figures.soft = static_cast<std::int64_t>(formula.soft.size());
  figures.weight_sum = static_cast<std::int64_t>(formula.weight_sum);
  figures.distinct_weights = static_cast<std::int64_t>(
      std::set<formats::Weight>(formula.weights.begin(), formula.weights.end()).size());
  figures.clauses = figures.hard;
  Occurrences occurrences;
  for (const formats::ClauseList* list : {&formula.hard, &formula.soft}) {
    for (std::size_t i = 0; i < list->size(); ++i) {
      const auto clause = (*list)[i];
      for (const Lit literal : clause) occurrences.see(literal.var().index);
      if (list == &formula.hard) add_length(figures, static_cast<std::int64_t>(clause.size()), i == 0);
    }
  }
  figures.used = occurrences.count();
  return figures;
}

// Words are separated by blanks, lines beginning with * are comments, statements end with ;.
FileFigures opb_figures(const std::filesystem::path& file) {
  const std::string text = read_text_file(file);
  FileFigures figures;
  Occurrences occurrences;
  std::set<std::int64_t> weights;
  std::vector<std::int64_t> coefficients;
  bool objective = false, equation = false;
  std::int64_t bound = 0, number = 0;
  const auto end_statement = [&] {
    if (objective) {
      figures.soft = static_cast<std::int64_t>(coefficients.size());
      for (const std::int64_t coefficient : coefficients) {
        figures.weight_sum += std::abs(coefficient);
        weights.insert(std::abs(coefficient));
      }
    } else {
      add_length(figures, static_cast<std::int64_t>(coefficients.size()), figures.hard == 0);
      ++figures.hard;
      // A clause: at least one of its literals holds, where those with coefficient -1 are negated.
      const bool units = std::all_of(coefficients.begin(), coefficients.end(),
                                     [](std::int64_t coefficient) { return std::abs(coefficient) == 1; });
      const auto negative = std::count_if(coefficients.begin(), coefficients.end(),
                                          [](std::int64_t coefficient) { return coefficient < 0; });
      if (equation) {
        ++figures.equations;
      } else if (units && bound + negative == 1) {
        ++figures.clauses;
      } else if (units) {
        ++figures.cardinalities;
      } else {
        ++figures.weighted;
      }
    }
    coefficients.clear();
    objective = equation = false;
  };
  LineReader lines(text);
  for (std::string_view line; lines.next(line);) {
    if (line.starts_with('*')) continue;
    while (true) {
      line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
      if (line.empty()) break;
      const std::string_view word = line.substr(0, line.find_first_of(" \t"));
      line.remove_prefix(word.size());
      if (word == ";") {
        end_statement();
      } else if (word == "min:") {
        objective = true;
      } else if (word == "=" || word == ">=") {
        equation = word == "=";
      } else if (word.front() == 'x' || word.front() == '~') {
        std::size_t variable = 0;
        const std::string_view digits = word.substr(word.front() == 'x' ? 1 : 2);
        std::from_chars(digits.data(), digits.data() + digits.size(), variable);
        if (variable == 0) throw InputError(file.string(), lines.number(), "expected a variable");
        occurrences.see(variable - 1);
        figures.variables = std::max(figures.variables, static_cast<std::int64_t>(variable));
        coefficients.push_back(number);
      } else {
        const std::string_view digits = word.substr(word.front() == '+' ? 1 : 0);
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
        if (error != std::errc() || end != digits.data() + digits.size())
          throw InputError(file.string(), lines.number(),
                           fmt::format("'{}', expected a number", printable(word)));
        bound = number;
      }
    }
  }
  figures.distinct_weights = static_cast<std::int64_t>(weights.size());
  figures.used = occurrences.count();
  return figures;
}

}  // namespace

FileFigures figures_of(const std::filesystem::path& file, std::string_view format) {
  if (format == "wcnf" || format == "wcnf-classic" || format == "cnf") return clause_figures(file);
  if (format == "opb") return opb_figures(file);
  return {};
}

}  // namespace bnnplan::suite
