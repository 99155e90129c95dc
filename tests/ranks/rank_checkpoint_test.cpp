// Distributed searches that are stopped and continue with other numbers of ranks, which are threads here.
#include <atomic>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <set>

#include "bnnplan/base/input_error.hpp"
#include "bnnplan/engines/checked_run.hpp"
#include "bnnplan/engines/search/checkpoint_file.hpp"
#include "bnnplan/ranks/agreement.hpp"
#include "bnnplan/ranks/rank_search.hpp"
#include "support/random_problem.hpp"
#include "support/sanitized.hpp"
#include "support/temporary_folder.hpp"
#include "thread_ranks.hpp"

namespace bnnplan::ranks {
namespace {

namespace fs = std::filesystem;
using testing::TemporaryFolder;

// The outcome of the last rank that ended, or what all of them say is wrong.
engines::Outcome run_ranks(int size, const Problem& problem, const engines::EngineRequest& request,
                           std::string* error = nullptr, bool two_at_once = false) {
  std::mutex mutex;
  engines::Outcome result;
  std::atomic<int> wrong = 0;
  testing::run_as_threads(size, [&](Ranks& ranks) {
    try {
      RankSearch search(ranks, problem, request);
      if (two_at_once) search.set_last_two(0, 1);
      engines::Outcome outcome = engines::checked_outcome("search by ranks", problem, search.solve());
      const std::lock_guard lock(mutex);
      result = std::move(outcome);
    } catch (const InputErrorOfRank& found) {
      const std::lock_guard lock(mutex);
      ++wrong;
      if (error != nullptr) *error = found.text;
    }
  });
  EXPECT_EQ(wrong, error == nullptr ? 0 : size);
  return result;
}

Problem example() { return testing::shift_register_problem(14, 15); }

// The numbers of the saves that there are files of.
std::set<std::string> saves_in(const fs::path& folder) {
  std::set<std::string> saves;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();  // c, c.SAVE.RANK
    const auto dot = name.find('.');
    if (dot != std::string::npos) saves.insert(name.substr(dot + 1, name.rfind('.') - dot - 1));
  }
  return saves;
}

std::size_t files_in(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST(RankCheckpoint, StoppedOftenAndResumedByOthers) {
  const TemporaryFolder folder;
  const std::string file = (folder / "c").string();
  const Problem problem = example();
  const engines::Outcome expected = run_ranks(1, problem, {});
  ASSERT_EQ(expected.status, Status::optimal);
  int stopped = 0;
  engines::Outcome outcome;
  for (int run = 0; run < 60; ++run) {
    const int size = 1 + run * 5 % 4;
    engines::EngineRequest request;
    request.checkpoint.file = file;
    request.checkpoint.every = 0.01;
    if (fs::exists(file)) request.checkpoint.resume = file;
    if (run < 20) request.limits.seconds = 0.01 + 0.007 * (run * 7 % 5) + 0.002 * run;
    outcome = run_ranks(size, problem, request);
    if (outcome.status == Status::optimal) break;
    ++stopped;
    EXPECT_EQ(outcome.stopped, StopReason::time);
    EXPECT_LE(outcome.lower_bound, expected.cost);
    if (!fs::exists(file)) continue;  // stopped before there was anything to save
    EXPECT_EQ(outcome.checkpoint, file);
    EXPECT_EQ(saves_in(folder.path()).size(), 1u) << "what was there before is gone";
  }
  EXPECT_GE(stopped, 1);
  EXPECT_EQ(outcome.status, Status::optimal);
  EXPECT_EQ(outcome.cost, expected.cost);
  EXPECT_EQ(outcome.lower_bound, expected.lower_bound);
  EXPECT_EQ(outcome.plan, expected.plan);
  EXPECT_EQ(outcome.resumed_from, file);
}

// The same where last steps are looked at and not kept, with many plans that cost the same: the one that is
// told does not depend on where the search was stopped.
TEST(RankCheckpoint, StoppedAmongLastSteps) {
  const TemporaryFolder folder;
  const std::string file = (folder / "c").string();
  int stopped = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(seed);
    const Problem problem =
        testing::random_network_problem(seed, {.state_bits = 14,
                                               .action_bits = 6,
                                               .goal_bits = static_cast<int>(seed % 3) + 9,
                                               .horizon = 4,
                                               .hidden = {16, 16}});
    const bool two = seed % 2 == 0;
    const engines::Outcome expected = run_ranks(1, problem, {}, nullptr, two);
    fs::remove(file);
    engines::Outcome outcome;
    for (int run = 0; run < 200; ++run) {
      engines::EngineRequest request;
      request.checkpoint.file = file;
      request.checkpoint.every = 0.004;
      if (fs::exists(file)) request.checkpoint.resume = file;
      if (run < 190) request.limits.seconds = 0.002 + 0.0015 * static_cast<double>((run * 7 + seed) % 9);
      outcome = run_ranks(1 + (run * 5 + static_cast<int>(seed)) % 4, problem, request, nullptr, two);
      if (outcome.stopped == StopReason::none) break;
      ++stopped;
    }
    ASSERT_EQ(outcome.status, expected.status);
    ASSERT_EQ(outcome.cost, expected.cost);
    ASSERT_EQ(outcome.plan, expected.plan);
  }
  EXPECT_GE(stopped, 1);
}

// Saved at a moment that does not depend on time: when memory is short, but not so short that there is
// nothing to save.
void save_by_three(const std::string& file, const Problem& problem) {
  engines::Outcome outcome;
  for (std::size_t memory = std::size_t{1} << 19; outcome.checkpoint.empty(); memory += memory / 4) {
    engines::EngineRequest request;
    request.checkpoint.file = file;
    request.limits.memory_bytes = resident_memory() + memory;
    outcome = run_ranks(3, problem, request);
    ASSERT_EQ(outcome.stopped, StopReason::memory);
  }
  ASSERT_EQ(outcome.checkpoint, file);
}

TEST(RankCheckpoint, GoesOnWithMoreMemory) {
  const TemporaryFolder folder;
  const std::string file = (folder / "c").string();
  const Problem problem = example();
  save_by_three(file, problem);
  engines::EngineRequest request;
  request.checkpoint.resume = file;
  EXPECT_EQ(run_ranks(2, problem, request).plan, run_ranks(1, problem, {}).plan);
  EXPECT_EQ(files_in(folder.path()), 4u) << "resuming alone changes nothing";
}

TEST(RankCheckpoint, RefusesWhatIsOfAnotherSearchOrDamaged) {
  const TemporaryFolder folder;
  const std::string file = (folder / "c").string();
  const Problem problem = example();
  save_by_three(file, problem);
  engines::EngineRequest request;
  request.checkpoint.resume = file;
  const auto error = [&](const Problem& of) {
    std::string text;
    run_ranks(2, of, request, &text);
    return text;
  };
  Problem other = problem;
  other.goal.pop_back();
  EXPECT_EQ(error(other),
            file + ": is a checkpoint of another problem: the problem or its network has changed");
  other = problem;
  other.horizon = 5;
  EXPECT_EQ(error(other), file + ": is a checkpoint of horizon 15, the problem has horizon 5");
  request.limits.seed = 7;
  EXPECT_EQ(error(problem), file + ": is a checkpoint of seed 0, this run has seed 7");
  request.limits.seed = 0;

  const std::string part = file + ".1.2";
  ASSERT_TRUE(fs::exists(part));
  fs::resize_file(part, fs::file_size(part) - 8);
  EXPECT_EQ(error(problem), part + ": is damaged: truncated or altered since it was written");
  fs::remove(part);
  EXPECT_EQ(error(problem), part + ": no such file");
  const std::string larger =
      fs::file_size(file + ".1.0") > fs::file_size(file + ".1.1") ? file + ".1.0" : file + ".1.1";
  fs::copy_file(larger, part);
  const std::string of_another =
      part + ": is not a checkpoint written by bnnplan: it belongs to another checkpoint";
  EXPECT_EQ(error(problem), of_another) << "a file of another rank";
  {
    // The same problem saved by another run, as the same save: its files are not those that the index means.
    const TemporaryFolder folder_2;
    save_by_three((folder_2 / "c").string(), problem);
    fs::copy_file(folder_2 / "c.1.2", part, fs::copy_options::overwrite_existing);
    EXPECT_EQ(error(problem), of_another) << "a file of another run";
  }
  {
    engines::CheckpointWriter writer(part);
    writer.write(1);
    writer.commit();
  }
  EXPECT_EQ(error(problem), of_another);
  std::ofstream(file) << "nothing";
  EXPECT_EQ(error(problem), file + ": is not a checkpoint");
}

// A cost is known from the index, and the nodes of its plan are not.
TEST(RankCheckpoint, ALimitMayEndTheReading) {
  const TemporaryFolder folder;
  const std::string file = (folder / "c").string();
  const Problem problem = example();
  save_by_three(file, problem);
  engines::EngineRequest request;
  request.checkpoint.resume = file;
  for (const double seconds : {0.0, 1e-5, 1e-4, 3e-4, 1e-3, 2e-3, 4e-3}) {
    request.limits.seconds = seconds;
    const engines::Outcome outcome = run_ranks(2, problem, request);
    EXPECT_TRUE(outcome.status != Status::infeasible);
    EXPECT_TRUE(outcome.status != Status::unknown || outcome.stopped == StopReason::time);
  }
}

TEST(RankCheckpoint, ThatCannotBeWrittenIsSaidAndTheOlderOneStays) {
  const TemporaryFolder folder;
  const std::string file = (folder / "c").string();
  const Problem problem = example();
  save_by_three(file, problem);
  fs::create_directories(file + ".2.1/in the way");  // of rank 1
  engines::EngineRequest request;
  request.checkpoint.resume = request.checkpoint.file = file;
  request.checkpoint.every = 1e-9;
  const engines::Outcome outcome = run_ranks(2, problem, request);
  EXPECT_EQ(outcome.status, Status::optimal);  // no reason to end a run
  EXPECT_EQ(outcome.checkpoint, "");
  EXPECT_NE(outcome.checkpoint_error.find(file + ".2.1: "), std::string::npos) << outcome.checkpoint_error;
  EXPECT_FALSE(fs::exists(file + ".2.0"));
  request = {};
  request.checkpoint.resume = file;
  EXPECT_EQ(run_ranks(1, problem, request).status, Status::optimal);
}

}  // namespace
}  // namespace bnnplan::ranks
