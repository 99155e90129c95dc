// One question for many inputs: a table, and the share of inputs for which a network is proved robust.
#include "bnnplan/verify/verify_folder.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "bnnplan/base/count_text.hpp"
#include "bnnplan/base/exact_number.hpp"
#include "bnnplan/base/input_error.hpp"
#include "bnnplan/base/stopwatch.hpp"
#include "bnnplan/query/input_values.hpp"
#include "bnnplan/verify/answers.hpp"

namespace bnnplan::verification {

namespace {

namespace fs = std::filesystem;

bool is_input_file(const fs::path& path) {
  constexpr std::array<std::string_view, 4> kinds{".png", ".npy", ".csv", ".txt"};
  return std::find(kinds.begin(), kinds.end(), path.extension().string()) != kinds.end();
}

std::size_t class_of(const Network& network, const fs::path& file, const std::string& name) {
  const auto found = std::find(network.outputs.begin(), network.outputs.end(), name);
  if (found == network.outputs.end())
    throw InputError(file.string(), fmt::format("the network has no class '{}', which the name states",
                                                printable(name, 40)));
  return static_cast<std::size_t>(found - network.outputs.begin());
}

void add_files(const Network& network, const fs::path& folder, bool by_folder,
               std::vector<LabelledFile>& files) {
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.is_directory() && !by_folder) add_files(network, entry.path(), true, files);
    if (!entry.is_regular_file() || !is_input_file(entry.path())) continue;
    const std::string stem = entry.path().stem().string();
    const std::size_t at = stem.rfind("_label");
    if (at == std::string::npos && !by_folder)
      throw InputError(entry.path().string(),
                       "its class is unknown: expected NAME_labelCLASS, or a folder named after the class");
    const std::string name = at != std::string::npos ? stem.substr(at + 6) : folder.filename().string();
    files.push_back({entry.path(), class_of(network, entry.path(), name)});
  }
}

double percent(std::size_t part, std::size_t whole) {
  return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

std::vector<LabelledFile> labelled_files(const fs::path& folder, const Network& network) {
  if (!fs::is_directory(folder)) throw InputError(folder.string(), "is not a folder");
  std::vector<LabelledFile> files;
  add_files(network, folder, false, files);
  if (files.empty())
    throw InputError(folder.string(), "there is no input in this folder (.png, .npy, .csv or .txt)");
  std::sort(files.begin(), files.end(),
            [](const LabelledFile& a, const LabelledFile& b) { return a.file < b.file; });
  return files;
}

FolderSummary verify_files(const Network& network, const std::vector<LabelledFile>& files, VerifyQuery query,
                           const VerifyRequest& request, bool transpose_pictures,
                           const std::function<void(const FolderRow&)>& told) {
  FolderSummary summary;
  for (const LabelledFile& file : files) {
    if (request.limits.interrupt != nullptr && request.limits.interrupt->load()) {
      summary.stopped = true;
      break;
    }
    const Stopwatch stopwatch;
    query.values =
        read_allowed_values(file.file, network, transpose_pictures && file.file.extension() == ".png");
    query.label = file.label;
    FolderRow row{
        file, with_file_of_numbers(file.file.string(), [&] { return verify(network, query, request); }), 0};
    row.seconds = stopwatch.seconds();
    const VerifyOutcome& outcome = row.outcome;
    ++summary.inputs;
    summary.seconds += row.seconds;
    if (outcome.values.empty() || outcome.distance > 0) ++summary.right;
    if (outcome.status == Status::infeasible) ++summary.robust;
    if (outcome.status == Status::unknown) ++summary.unknown;
    if (!outcome.values.empty()) ++summary.refuted;
    if (outcome.status == Status::optimal) {
      ++summary.proved;
      summary.distances += outcome.distance;
    }
    told(row);
  }
  return summary;
}

std::string folder_headline() {
  return fmt::format("{:<32}  {:<8}  {:<10}  {:<8}  {:>10}  {:>10}  {:>8}\n", "input", "label", "answer",
                     "class", "distance", "bound", "seconds");
}

std::string folder_row_text(const Network& network, const VerifyQuery& query, const FolderRow& row) {
  const VerifyOutcome& outcome = row.outcome;
  const bool found = !outcome.values.empty();
  return fmt::format(
      "{:<32}  {:<8}  {:<10}  {:<8}  {:>10}  {:>10}  {:>8.2f}\n",
      printable(row.input.file.filename().string(), 32), printable(network.outputs[row.input.label], 8),
      status_word(outcome.status, query.epsilon.has_value()),
      found ? printable(network.outputs[outcome.changed_class], 8) : "-",
      found ? exact_text(outcome.distance) : "-",
      outcome.status == Status::infeasible ? "-" : exact_text(outcome.lower_bound), row.seconds);
}

std::string folder_summary_text(const VerifyQuery& query, const FolderSummary& summary) {
  std::string text =
      fmt::format("{}, {} classified as labelled ({:.1f} %)\n", count_text(summary.inputs, "input"),
                  summary.right, percent(summary.right, summary.inputs));
  if (query.epsilon) {
    text += fmt::format("proved robust: {} ({:.1f} %), not robust: {}, unknown: {}\n", summary.robust,
                        percent(summary.robust, summary.inputs), summary.refuted, summary.unknown);
  } else {
    text += fmt::format(
        "nearest proved: {}, none at all: {}, found but not proved the nearest: {}, unknown: {}\n",
        summary.proved, summary.robust, summary.refuted - summary.proved, summary.unknown);
    if (summary.proved > 0)
      text += fmt::format("mean distance of those proved: {:.3f}\n",
                          mpq_class(summary.distances / static_cast<unsigned long>(summary.proved)).get_d());
  }
  if (summary.stopped) text += "stopped before all inputs were processed\n";
  return text + fmt::format("{:.2f} s, {:.3f} s per input\n", summary.seconds,
                            summary.inputs == 0 ? 0 : summary.seconds / static_cast<double>(summary.inputs));
}

}  // namespace bnnplan::verification
