// The files with which `suite` and `bench` resume after an interruption.
#include "bnnplan/compare/run_record.hpp"
#include "bnnplan/suite/suite_index.hpp"
#include "fuzz_target.hpp"

namespace bnnplan::fuzz {

void try_records(std::string_view input) {
  const auto [index, runs] = halves(input);
  const std::vector<suite::SuiteEntry> entries = suite::parse_suite_index(index, "index.csv");
  require(suite::parse_suite_index(suite::suite_index_text(entries), "again") == entries,
          "an index reads back the same");
  const std::vector<comparison::RunRecord> records = comparison::parse_runs_csv(runs, "runs.csv");
  std::string text = comparison::csv_header();
  for (const comparison::RunRecord& record : records) text += comparison::csv_line(record);
  require(comparison::parse_runs_csv(text, "again").size() == records.size(), "runs read back the same");
}

}  // namespace bnnplan::fuzz
