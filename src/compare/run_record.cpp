// Runs as lines of a CSV file: they are appended as they finish, so that an interrupted comparison can be
// resumed.
#include "bnnplan/compare/run_record.hpp"

#include <charconv>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "bnnplan/base/checked.hpp"
#include "bnnplan/base/csv_line.hpp"
#include "bnnplan/base/input_error.hpp"
#include "bnnplan/base/text_file.hpp"

namespace bnnplan::comparison {

namespace {

std::string csv_text(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"') result += '"';
    result += c == '\n' || c == '\r' ? ' ' : c;
  }
  return result + "\"";
}

std::string number_text(const std::optional<Decimal>& number) { return number ? to_string(*number) : ""; }

}  // namespace

std::string csv_header() {
  return "task,entrant,repetition,status,cost,lower_bound,seconds,cpu_seconds,peak_mib,digest,message\n";
}

std::string csv_line(const RunRecord& run) {
  return fmt::format("{},{},{},{},{},{},{:.6f},{:.6f},{:.1f},{},{}\n", csv_text(run.task),
                     csv_text(run.entrant), run.repetition, run.status, number_text(run.cost),
                     number_text(run.lower_bound), run.seconds, run.cpu_seconds, run.peak_mebibytes,
                     run.digest, csv_text(run.message));
}

std::vector<RunRecord> parse_runs_csv(std::string_view text, std::string_view file_name) {
  std::vector<RunRecord> runs;
  const std::size_t end = text.rfind('\n');
  LineReader lines(end == text.npos ? std::string_view() : text.substr(0, end + 1));
  std::string_view line;
  if (!lines.next(line) || std::string(line) + "\n" != csv_header())
    throw InputError(file_name, 1, "not a file of runs, expected the header that bench writes");
  while (lines.next(line)) {
    const std::vector<std::string> fields = csv_fields(line, file_name, lines.number(), "field");
    const auto bad = [&](const char* what) { throw InputError(file_name, lines.number(), what); };
    if (fields.size() != 11) bad("not a run, expected 11 fields");
    const auto real = [&](const std::string& field) {
      char* stop = nullptr;
      const double value = std::strtod(field.c_str(), &stop);
      if (field.empty() || *stop != 0 || !std::isfinite(value)) bad("bad number in a run");
      return value;
    };
    const auto whole = [&](const std::string& field) {
      int value = 0;
      const char* end = field.data() + field.size();
      const auto [stop, error] = std::from_chars(field.data(), end, value);
      if (error != std::errc() || stop != end || value < 1) bad("bad repetition of a run");
      return value;
    };
    const auto decimal = [&](const std::string& field) -> std::optional<Decimal> {
      if (field.empty()) return std::nullopt;
      try {
        if (const auto value = parse_decimal(field)) return value;
      } catch (const OverflowError&) {
      }
      bad("bad cost in a run");
      __builtin_unreachable();
    };
    RunRecord run;
    run.task = fields[0];
    run.entrant = fields[1];
    run.repetition = whole(fields[2]);
    run.status = fields[3];
    run.cost = decimal(fields[4]);
    run.lower_bound = decimal(fields[5]);
    run.seconds = real(fields[6]);
    run.cpu_seconds = real(fields[7]);
    run.peak_mebibytes = real(fields[8]);
    run.digest = fields[9];
    run.message = fields[10];
    runs.push_back(std::move(run));
  }
  return runs;
}

}  // namespace bnnplan::comparison
