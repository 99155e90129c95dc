#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

namespace bnnplan::fuzz {

// The options of a campaign.
struct CampaignOptions {
  std::uint64_t first_seed = 1;
  std::uint64_t count = 0;  // number of seeds; 0: until the time is up
  double seconds = 60;
  std::filesystem::path out = ".";  // for failures
  std::string pretend_wrong;        // a part whose answers are falsified, to see that failures are found
};

// Reads --seed S, --count N, --seconds T, --out FOLDER, --pretend-wrong PART. Ends the process with a usage
// line for anything else.
CampaignOptions parse_campaign(int argc, char** argv);

// Calls `run` for one seed after the other until the count or the time is reached. `run` returns "" or what
// failed; the campaign continues after a failure. Prints each failure, and at the end one line with the
// counts. Returns the exit code: 1 if anything failed.
int run_campaign(const CampaignOptions& options, const std::function<std::string(std::uint64_t seed)>& run);

}  // namespace bnnplan::fuzz
