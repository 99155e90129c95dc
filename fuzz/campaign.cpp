#include "campaign.hpp"

#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>

#include "bnnplan/base/stopwatch.hpp"
#include "bnnplan/base/text_file.hpp"

namespace bnnplan::fuzz {

CampaignOptions parse_campaign(int argc, char** argv) {
  CampaignOptions options;
  const auto usage = [&] {
    fmt::print(stderr,
               "usage: {} [--seed S] [--count N] [--seconds T] [--out FOLDER] [--pretend-wrong PART]\n",
               argv[0]);
    std::exit(1);
  };
  for (int i = 1; i < argc; i += 2) {
    const std::string option = argv[i];
    if (i + 1 == argc) usage();
    const char* value = argv[i + 1];
    if (option == "--seed") {
      options.first_seed = std::strtoull(value, nullptr, 10);
    } else if (option == "--count") {
      options.count = std::strtoull(value, nullptr, 10);
    } else if (option == "--seconds") {
      options.seconds = std::strtod(value, nullptr);
    } else if (option == "--out") {
      options.out = value;
    } else if (option == "--pretend-wrong") {
      options.pretend_wrong = value;
    } else {
      usage();
    }
  }
  return options;
}

int run_campaign(const CampaignOptions& options, const std::function<std::string(std::uint64_t)>& run) {
  const Stopwatch stopwatch;
  std::uint64_t runs = 0, failures = 0;
  const auto goes_on = [&] {
    return options.count > 0 ? runs < options.count : stopwatch.seconds() < options.seconds;
  };
  for (std::uint64_t seed = options.first_seed; goes_on(); ++seed, ++runs) {
    const std::string failure = run(seed);
    if (failure.empty()) continue;
    ++failures;
    fmt::print("seed {}: {}\n", seed, failure);
    std::fflush(stdout);
  }
  fmt::print("{} seeds from {} in {:.0f} s, {} failed\n", runs, options.first_seed, stopwatch.seconds(),
             failures);
  return failures == 0 ? 0 : 1;
}

std::string write_found(const CampaignOptions& options, const std::string& name, const std::string& text) {
  std::filesystem::create_directories(options.out);
  const std::filesystem::path file = options.out / name;
  write_text_file(file, text);
  return file.string();
}

}  // namespace bnnplan::fuzz
