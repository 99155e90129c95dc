// Searches that are stopped, saved and resumed end as if they had not been stopped; files of
// others are refused.
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <thread>

#include <gtest/gtest.h>

#include "bnnplan/engines/checked_run.hpp"
#include "bnnplan/engines/search/checkpoint_file.hpp"
#include "bnnplan/problem/problem_file.hpp"
#include "support/brute_force.hpp"
#include "support/input_error_of.hpp"
#include "support/random_problem.hpp"
#include "support/temporary_folder.hpp"

namespace bnnplan::engines {
namespace {

using testing::input_error_of;
using testing::random_network_problem;
using testing::random_problem;
using testing::TemporaryFolder;

Outcome run_engine(const Problem& problem, const EngineRequest& request, const char* engine = "search") {
  return run_checked(*find_engine(engine), problem, request);
}

std::int64_t number(const Outcome& outcome, const std::string& name) {
  for (const auto& [key, value] : outcome.statistics) {
    if (key == name) return std::get<std::int64_t>(value);
  }
  ADD_FAILURE() << name;
  return 0;
}

std::string read_bytes(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_bytes(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

// Sets a flag after a while.
class Interruption {
 public:
  explicit Interruption(double seconds)
      : thread_([this, seconds] {
          for (double slept = 0; slept < seconds && !done_; slept += step) {
            std::this_thread::sleep_for(std::chrono::duration<double>(std::min(step, seconds - slept)));
          }
          flag_ = true;
        }) {}
  ~Interruption() {
    done_ = true;
    thread_.join();
  }
  const std::atomic<bool>* flag() const { return &flag_; }

 private:
  static constexpr double step = 0.01;
  std::atomic<bool> flag_ = false, done_ = false;
  std::thread thread_;
};

// Runs until there is an answer, interrupted at random moments. Says how often it was stopped.
Outcome interrupted(const Problem& problem, EngineRequest request, const std::filesystem::path& file,
                    double seconds, std::uint64_t seed, int& stops) {
  std::mt19937_64 random(seed);
  request.checkpoint.file = file.string();
  for (int run = 0;; ++run) {
    // A little more time with every run, so that it ends even where reading takes longer than searching.
    const double most = seconds / 8 + seconds * run / 60;
    const Interruption interruption(most * static_cast<double>(random() % 1000) / 1000);
    request.limits.interrupt = interruption.flag();
    request.limits.threads = 1 + static_cast<unsigned>(random() % 2);
    request.checkpoint.every = random() % 2 == 0 ? 300 : 0.001;
    const Outcome outcome = run_engine(problem, request);
    EXPECT_EQ(outcome.checkpoint_error, "");
    if (outcome.stopped != StopReason::interrupted) return outcome;
    EXPECT_EQ(outcome.checkpoint, file.string());
    request.checkpoint.resume = file.string();
    ++stops;
  }
}

void expect_same(const Outcome& resumed, const Outcome& whole) {
  EXPECT_EQ(resumed.status, whole.status);
  EXPECT_EQ(resumed.cost, whole.cost);
  EXPECT_EQ(resumed.lower_bound, whole.lower_bound);
  EXPECT_EQ(resumed.plan, whole.plan);
  for (const char* name : {"states", "nodes", "expanded_nodes", "edges", "evaluations", "dives"}) {
    EXPECT_EQ(number(resumed, name), number(whole, name)) << name;
  }
}

void expect_same_when_interrupted(const Problem& problem, int least_stops,
                                  const EngineRequest& request = {}) {
  const Outcome whole = run_engine(problem, request);
  const TemporaryFolder folder;
  int stops = 0;
  for (std::uint64_t seed = 1; stops < least_stops; ++seed) {
    SCOPED_TRACE(seed);
    ASSERT_LE(seed, 200u) << "it is hardly ever stopped in time";
    expect_same(interrupted(problem, request, folder / "c", whole.seconds, seed, stops), whole);
  }
}

TEST(Checkpoint, InterruptedTwentyTimesByAGraphThatIsKept) {
  const Problem problem =
      random_network_problem(3, {.state_bits = 18, .action_bits = 5, .goal_bits = 11, .horizon = 6});
  expect_same_when_interrupted(problem, 20);
}

TEST(Checkpoint, InterruptedTwentyTimesInTheLastTwoSteps) {
  const Problem problem =
      random_network_problem(7, {.state_bits = 30, .action_bits = 8, .goal_bits = 16, .horizon = 4});
  expect_same_when_interrupted(problem, 20);
}

TEST(Checkpoint, InterruptedTwentyTimesInLayers) {
  Problem problem = random_network_problem(
      5, {.state_bits = 12, .action_bits = 3, .goal_bits = 4, .horizon = 400, .hidden = {24}});
  for (std::uint32_t bit = 0; bit < problem.state.bit_count(); ++bit)
    problem.objective.terms.push_back({1 + bit % 3, {Place::next, bit}});
  expect_same_when_interrupted(problem, 20);
}

TEST(Checkpoint, InterruptedWhereAnyPlanWillDo) {
  const Problem problem =
      random_network_problem(11, {.state_bits = 20, .action_bits = 5, .goal_bits = 14, .horizon = 6});
  EngineRequest request;
  request.first = true;
  request.limits.seed = 3;
  expect_same_when_interrupted(problem, 5, request);
}

// All kinds of problems, stopped once before anything was done, and saved all the time.
TEST(Checkpoint, OfRandomProblems) {
  const TemporaryFolder folder;
  int feasible = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(seed);
    const Problem problem = random_problem(seed, {.most_steps = 5});
    const Outcome whole = run_engine(problem, {});
    std::atomic<bool> at_once = true;
    EngineRequest request;
    request.checkpoint.file = (folder / "c").string();
    request.checkpoint.every = 1e-9;
    request.limits.interrupt = &at_once;
    const Outcome begun = run_engine(problem, request);
    EXPECT_EQ(begun.checkpoint, request.checkpoint.file);
    request.limits.interrupt = nullptr;
    request.checkpoint.resume = request.checkpoint.file;
    const Outcome outcome = run_engine(problem, request);
    EXPECT_EQ(outcome.resumed_from, request.checkpoint.file);
    ASSERT_EQ(outcome.status, whole.status);
    ASSERT_EQ(outcome.plan, whole.plan);
    ASSERT_EQ(outcome.cost, testing::brute_force_cost(problem));
    feasible += outcome.plan ? 1 : 0;
    // What was saved last, in the middle of it.
    ASSERT_EQ(run_engine(problem, request).plan, whole.plan);
  }
  EXPECT_GE(feasible, 100);
}

// A memory limit saves as well, and a run with more memory continues.
TEST(Checkpoint, AfterAMemoryLimit) {
  const Problem problem = testing::shift_register_problem(16, 18);
  const Outcome whole = run_engine(problem, {});
  const TemporaryFolder folder;
  EngineRequest request;
  request.checkpoint.file = (folder / "c").string();
  request.limits.memory_bytes = resident_memory() + (std::size_t{1} << 20);
  const Outcome stopped = run_engine(problem, request);
  ASSERT_EQ(stopped.stopped, StopReason::memory);
  EXPECT_EQ(stopped.checkpoint, request.checkpoint.file);
  request.limits = {};
  request.checkpoint.resume = request.checkpoint.file;
  expect_same(run_engine(problem, request), whole);
}

// Engines side by side: the plan of another engine is saved with the search, which alone then proves it.
TEST(Checkpoint, OfEnginesSideBySide) {
  const Problem problem = testing::shift_register_problem(20, 24);
  const Outcome whole = run_engine(problem, {});
  const TemporaryFolder folder;
  for (const unsigned threads : {1u, 2u}) {
    SCOPED_TRACE(threads);
    std::filesystem::remove(folder / "c");
    EngineRequest request;
    request.limits.threads = threads;
    request.checkpoint.file = (folder / "c").string();
    for (int run = 1; run <= 20; ++run) {
      request.limits.seconds = 0.05 * run;
      if (std::filesystem::exists(request.checkpoint.file))
        request.checkpoint.resume = request.checkpoint.file;
      const Outcome outcome = run_engine(problem, request, "auto");
      EXPECT_EQ(outcome.checkpoint_error, "");
      if (outcome.lower_bound) {
        EXPECT_LE(*outcome.lower_bound, *whole.cost);
      }
      if (outcome.status == Status::optimal) break;
    }
    request.limits.seconds.reset();
    if (!std::filesystem::exists(request.checkpoint.file)) continue;
    request.checkpoint.resume = request.checkpoint.file;
    EXPECT_EQ(run_engine(problem, request).cost, whole.cost) << "the search alone";
    const Outcome together = run_engine(problem, request, "auto");
    EXPECT_EQ(together.cost, whole.cost);
    EXPECT_EQ(together.resumed_from, request.checkpoint.file);
  }
}

TEST(Checkpoint, CannotBeWritten) {
  const Problem problem = random_problem(4);
  EngineRequest request;
  request.checkpoint.file = "/nowhere/c";
  request.checkpoint.every = 1e-9;
  std::atomic<bool> at_once = true;
  request.limits.interrupt = &at_once;
  const Outcome outcome = run_engine(problem, request);
  EXPECT_EQ(outcome.stopped, StopReason::interrupted);
  EXPECT_EQ(outcome.checkpoint, "");
  EXPECT_EQ(outcome.checkpoint_error, "/nowhere/c: cannot write: No such file or directory");
}

class CheckpointOfOther : public ::testing::Test {
 protected:
  CheckpointOfOther() {
    problem_ = testing::shift_register_problem(16, 18);
    request_.checkpoint.file = file_;
    request_.limits.memory_bytes = resident_memory() + (std::size_t{1} << 20);
    EXPECT_EQ(run_engine(problem_, request_).checkpoint, file_);
    request_.checkpoint.resume = std::exchange(request_.checkpoint.file, "");
    request_.limits = {};
  }
  std::string refusal() {
    const std::string line = input_error_of([&] { run_engine(problem_, request_); });
    EXPECT_TRUE(line.starts_with(file_ + ": ")) << line;
    return line.substr(std::min(line.size(), file_.size() + 2));
  }

  TemporaryFolder folder_;
  const std::string file_ = (folder_ / "c").string();
  Problem problem_;
  EngineRequest request_;
};

TEST_F(CheckpointOfOther, ProblemHorizonSeedAndQuestion) {
  EXPECT_EQ(run_engine(problem_, request_).resumed_from, file_);
  request_.limits.seed = 7;
  EXPECT_EQ(refusal(), "is a checkpoint of seed 0, this run has seed 7");
  request_.limits.seed = 0;
  request_.first = true;
  EXPECT_EQ(refusal(), "is a checkpoint of a run for the best plan, this run takes any");
  request_.first = false;
  set_horizon(problem_, 19);
  EXPECT_EQ(refusal(), "is a checkpoint of horizon 18, the problem has horizon 19");
  set_horizon(problem_, 18);
  const std::string other =
      "is a checkpoint of another problem: the problem, its network or its refused prefixes have changed";
  const Problem before = problem_;
  problem_.refused.push_back({problem_.initial, {BitValues(problem_.action.bit_count(), 0)}});
  EXPECT_EQ(refusal(), other);
  problem_ = before;
  problem_.network->layers[0].neurons[0].threshold += 1;
  EXPECT_EQ(refusal(), other);
  problem_ = before;
  problem_.goal.pop_back();
  EXPECT_EQ(refusal(), other);
  problem_ = before;
  problem_.name = "another name";
  problem_.view.reset();
  EXPECT_EQ(run_engine(problem_, request_).resumed_from, file_) << "what it is called does not matter";
}

TEST_F(CheckpointOfOther, FileCutOffOrAltered) {
  const std::string whole = read_bytes(file_);
  ASSERT_GT(whole.size(), 200u);
  const std::string damaged = "is damaged: truncated or altered since it was written";
  const std::string none = "is not a checkpoint";
  for (std::size_t size = 0; size < whole.size(); size += 1 + size / 7) {
    write_bytes(file_, whole.substr(0, size));
    EXPECT_EQ(refusal(), size < 32 ? none : damaged) << size;
  }
  for (std::size_t at = 0; at < whole.size(); at += 1 + at / 40) {
    std::string altered = whole;
    altered[at] ^= 1 << at % 8;
    write_bytes(file_, altered);
    EXPECT_EQ(refusal(), at < 32 ? none : damaged) << at;
  }
  write_bytes(file_, whole + std::string(8, '\0'));
  EXPECT_EQ(refusal(), damaged);
  write_bytes(file_, "horizon = 3\n");
  EXPECT_EQ(refusal(), none);
  std::filesystem::remove(file_);
  EXPECT_EQ(refusal(), "no such file");
  std::filesystem::create_directory(file_);
  EXPECT_EQ(refusal(), "is not a regular file, expected a checkpoint");
}

}  // namespace
}  // namespace bnnplan::engines
