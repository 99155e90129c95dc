#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>

#include "isolated.hpp"

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

// Makes an input that fails smaller as long as it fails: `pass` attempts all that could be left out, again
// and again until nothing can.
template <class Draft>
class Shrinking {
 public:
  Shrinking(Draft draft, std::function<bool(const Draft&)> fails)
      : best_(std::move(draft)), fails_(std::move(fails)) {}

  const Draft& best() const { return best_; }
  void attempt(Draft draft) {
    if (!fails_(draft)) return;
    best_ = std::move(draft);
    smaller_ = true;
  }

  // Without each element of a list, the last first. list_of(draft) is the list.
  template <class ListOf>
  void drop_each(const ListOf& list_of) {
    for (std::size_t i = list_of(best_).size(); i-- > 0;) {
      Draft draft = best_;
      auto& list = list_of(draft);
      if (i >= list.size()) continue;
      list.erase(list.begin() + static_cast<std::ptrdiff_t>(i));
      attempt(std::move(draft));
    }
  }

  Draft run(const std::function<void(Shrinking&)>& pass) {
    while (std::exchange(smaller_, false)) pass(*this);
    return best_;
  }

 private:
  Draft best_;
  std::function<bool(const Draft&)> fails_;
  bool smaller_ = true;
};

// How a campaign tries an input, writes it and makes it smaller.
template <class Draft>
struct Trial {
  std::function<std::string(const Draft&)> failure_of;  // "" or what fails
  std::function<std::string(const Draft&)> text_of;     // as a file
  std::function<void(Shrinking<Draft>&)> pass;
};

// Writes `text` as FOLDER/name and returns where that is.
std::string write_found(const CampaignOptions& options, const std::string& name, const std::string& text);

// "" if the input does not fail; otherwise what fails, and the files STEM.EXTENSION with the input and
// STEM-small.EXTENSION with a small one that fails in the same way.
template <class Draft>
std::string failure_shrunk(const CampaignOptions& options, const std::string& stem,
                           const std::string& extension, const Draft& draft, const Trial<Draft>& trial) {
  const std::string failure = trial.failure_of(draft);
  if (failure.empty()) return "";
  const std::string whole = write_found(options, stem + extension, trial.text_of(draft));
  Shrinking<Draft> shrinking(draft, [&](const Draft& tried) {
    return failure_kind(trial.failure_of(tried)) == failure_kind(failure);
  });
  const Draft small = shrinking.run(trial.pass);
  return failure + "; " + whole + ", shrunk to " +
         write_found(options, stem + "-small" + extension, trial.text_of(small)) + ": " +
         trial.failure_of(small);
}

}  // namespace bnnplan::fuzz
