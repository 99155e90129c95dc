// The neuron engine and limits of memory, which sanitizers would need for themselves.
#include <gtest/gtest.h>

#include "bnnplan/engines/neuron/neuron_engine.hpp"
#include "bnnplan/problem/problem_file.hpp"
#include "support/random_problem.hpp"

namespace bnnplan::engines {
namespace {

TEST(NeuronMemory, IsKnownBeforeItIsTaken) {
  // 6 million variables would be 2 GiB.
  const Problem problem = testing::shift_register_problem(60, 100'000);
  EngineRequest request;
  const std::size_t before = resident_memory(), room = std::size_t{100} << 20;
  request.limits.memory_bytes = before + room;
  const Outcome outcome = run_neuron(problem, request);
  EXPECT_EQ(outcome.status, Status::unknown);
  EXPECT_EQ(outcome.stopped, StopReason::memory);
  EXPECT_LE(peak_resident_memory(), before + room);
}

TEST(NeuronMemory, ThatConstraintsTakeIsCountedStepByStep) {
  // The variables alone fit, the rows do not: 80 terms in each of 20 rows and 4,000 steps.
  std::string text = "horizon = 4000\ntransitions = [";
  for (int row = 0; row < 20; ++row) {
    text += row == 0 ? "\"" : ", \"";
    for (int i = 0; i < 80; ++i) text += (i == 0 ? "2 s" : " + 3 s") + std::to_string(i) + "'";
    text += " >= 5\"";
  }
  text += "]\n[state]\n";
  for (int i = 0; i < 80; ++i) text += "s" + std::to_string(i) + " = \"bool\"\n";
  const Problem problem = parse_problem(text, "rows.toml", ".");
  EngineRequest request;
  const std::size_t before = resident_memory(), room = std::size_t{160} << 20;
  request.limits.memory_bytes = before + room;
  const Outcome outcome = run_neuron(problem, request);
  EXPECT_EQ(outcome.status, Status::unknown);
  EXPECT_EQ(outcome.stopped, StopReason::memory);
  EXPECT_LE(resident_memory(), before + room + room / 4);
}

}  // namespace
}  // namespace bnnplan::engines
