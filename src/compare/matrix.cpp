// What is compared on what. Every entrant is run as `bnnplan plan`, so that the same checker examines all
// answers; for an external solver, that program writes the model, runs the solver on it and reports the time
// the solver itself took.
#include "bnnplan/compare/matrix.hpp"

#include <charconv>
#include <filesystem>

#include <fmt/format.h>
#include <unistd.h>

#include "bnnplan/base/fingerprint.hpp"
#include "bnnplan/base/input_error.hpp"
#include "bnnplan/base/text_file.hpp"
#include "bnnplan/encode/neuron_encoding.hpp"
#include "bnnplan/engines/external/known_solvers.hpp"
#include "bnnplan/formats/model_format.hpp"
#include "bnnplan/problem/problem_file.hpp"

namespace bnnplan::comparison {

namespace {

bool is_program(const std::string& word) {
  if (word.find('/') != std::string::npos) return ::access(word.c_str(), X_OK) == 0;
  const char* path = std::getenv("PATH");
  std::string rest = std::string(path == nullptr ? "" : path) + ":";
  for (std::size_t end = 0; (end = rest.find(':')) != std::string::npos; rest.erase(0, end + 1)) {
    if (::access((rest.substr(0, end) + "/" + word).c_str(), X_OK) == 0) return true;
  }
  return false;
}

std::optional<int> whole_number(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// "4", "4,6", "4-10", "2,5-7".
std::vector<int> horizons_of(std::string_view list, const std::string& argument) {
  std::vector<int> horizons;
  const auto refuse = [&] {
    throw InputError(
        fmt::format("bad horizons in '{}', expected FILE@4, FILE@4,6 or FILE@4-10 with numbers "
                    "from 1",
                    printable(argument)));
  };
  while (true) {
    const std::size_t comma = list.find(',');
    const std::string_view part = list.substr(0, comma);
    const std::size_t dash = part.find('-');
    const auto first = whole_number(part.substr(0, dash));
    const auto last = dash == part.npos ? first : whole_number(part.substr(dash + 1));
    if (!first || !last || *first < 1 || *last < *first || *last - *first > 10'000 ||
        horizons.size() > 100'000)
      refuse();
    for (int horizon = *first; horizon <= *last; ++horizon) horizons.push_back(horizon);
    if (comma == list.npos) return horizons;
    list.remove_prefix(comma + 1);
  }
}

}  // namespace

Entrant engine_entrant(const std::string& engine) { return {engine, true, {"--engine", engine}}; }

Entrant solver_entrant(const std::string& text) {
  std::string command = text, format, neurons;
  if (const std::size_t colon = text.find(':');
      colon != std::string::npos && text.find_first_of(" \t\"'/") > colon) {
    format = text.substr(0, colon);
    command = text.substr(colon + 1);
    if (const std::size_t plus = format.find('+'); plus != std::string::npos) {
      neurons = format.substr(plus + 1);
      format.resize(plus);
      if (!encoding::neuron_encoding_named(neurons)) {
        std::vector<std::string_view> names;
        for (const encoding::NeuronEncodingInfo& known : encoding::neuron_encodings())
          names.push_back(known.name);
        throw InputError(fmt::format("unknown encoding '{}' of solver '{}', expected {}", printable(neurons),
                                     printable(text), fmt::join(names, ", ")));
      }
    }
    if (formats::find_model_format(format) == nullptr) {
      std::vector<std::string> names;
      for (const formats::ModelFormat& known : formats::model_formats()) names.emplace_back(known.name);
      throw InputError(fmt::format("unknown format '{}' of solver '{}', expected {}", printable(format),
                                   printable(text), fmt::join(names, ", ")));
    }
  }
  const std::vector<std::string> words = engines::command_words(command);
  if (!is_program(words.front()))
    throw InputError(fmt::format("solver '{}' was not found", printable(words.front())));
  if (format.empty()) {
    const engines::KnownSolver* known = engines::find_known_solver(words.front());
    if (known == nullptr) {
      throw InputError(fmt::format("which format does '{}' read? expected \"FORMAT: {}\"",
                                   printable(words.front()), printable(command)));
    }
    format = known->format;
  }
  std::string name = std::filesystem::path(words.front()).filename().string();
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (words[i].find('{') == std::string::npos) name += " " + words[i];
  }
  Entrant entrant{
      fmt::format("{} ({}{}{})", name, format, neurons.empty() ? "" : ", ", neurons),
      false,
      {"--engine", "external", "--solver", std::string(trimmed(command)), "--solver-format", format}};
  if (!neurons.empty()) entrant.arguments.insert(entrant.arguments.end(), {"--neurons", neurons});
  return entrant;
}

std::vector<Task> tasks_of(const std::string& argument, References references) {
  const std::size_t at = argument.rfind('@');
  std::error_code ignored;  // the name may be too long, for example
  const bool has_horizons = at != std::string::npos && !std::filesystem::exists(argument, ignored);
  const std::string file = has_horizons ? argument.substr(0, at) : argument;
  const Problem problem = read_problem(file, references);
  std::vector<int> horizons;
  if (has_horizons) {
    horizons = horizons_of(std::string_view(argument).substr(at + 1), argument);
  } else if (problem.horizon > 0) {
    horizons = {problem.horizon};
  } else {
    throw InputError(file, fmt::format("the problem states no horizon, expected {}@N", printable(file)));
  }
  std::string content = read_text_file(file);
  if (problem.network)
    content += read_regular_file(std::filesystem::path(file).parent_path() / problem.network_file);
  const std::string stem = std::filesystem::path(file).stem().string();
  std::vector<Task> tasks;
  for (const int horizon : horizons) {
    Task task;
    const std::string ending = fmt::format("_{}", horizon);
    const bool named = !has_horizons && stem.size() > ending.size() &&
                       stem.compare(stem.size() - ending.size(), ending.size(), ending) == 0;
    task.family = named ? stem.substr(0, stem.size() - ending.size()) : stem;
    task.name = task.family + ending;
    task.file = file;
    task.horizon = horizon;
    task.references = references;
    task.maximize = problem.objective.maximize;
    task.digest = fingerprint(content);
    tasks.push_back(task);
  }
  return tasks;
}

void cut_families(std::vector<Task>& tasks, const std::string& end) {
  for (Task& task : tasks) task.family.resize(std::min(task.family.find(end, 1), task.family.size()));
}

}  // namespace bnnplan::comparison
