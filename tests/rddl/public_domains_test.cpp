// The public collection of RDDL domains, where it is to be had: all of them are read and take random steps,
// and those that compile (with their most likely outcomes) step as they do.
#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>

#include "bnnplan/rddl/compile/compile_problem.hpp"
#include "rddl/same_steps.hpp"

namespace bnnplan::rddl {
namespace {

std::vector<std::filesystem::path> public_domains() {
  const char* given = std::getenv("BNNPLAN_SHARED");
  const std::filesystem::path shared = given != nullptr
                                           ? std::filesystem::path(given)
                                           : std::filesystem::path(BNNPLAN_SOURCE_DIR) / "../shared";
  const std::filesystem::path root = shared / "rddl-public";
  std::vector<std::filesystem::path> folders;
  if (!std::filesystem::is_directory(root)) return folders;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    if (entry.path().filename() == "domain.rddl") folders.push_back(entry.path().parent_path());
  }
  std::sort(folders.begin(), folders.end());
  return folders;
}

TEST(PublicDomains, AreReadAndSimulated) {
  const auto folders = public_domains();
  if (folders.empty()) GTEST_SKIP() << "no public RDDL domains (set BNNPLAN_SHARED)";
  std::size_t simulated = 0;
  for (const auto& folder : folders) {
    SCOPED_TRACE(folder.string());
    Simulator simulator(folder / "domain.rddl", folder / "instance.rddl");
    ExploreOptions options;
    options.episodes = 2;
    options.steps = 10;
    options.may_leave = true;
    options.details = [](const Number& reward, std::span<const std::int64_t>) {
      EXPECT_EQ(reward.real, reward.real);
    };
    try {
      simulated += explore(simulator, make_known_ranges(simulator.model()), options,
                           [](const auto&, const auto&, const auto&) {})
                       .transitions > 0;
    } catch (const InputError& error) {
      // One domain has a negative probability where all computers run.
      EXPECT_NE(std::string(error.what()).find("a probability is -0.05"), std::string::npos) << error.what();
    }
  }
  EXPECT_GE(simulated + 1, folders.size());
}

TEST(PublicDomains, CompiledStepAsTheirSimulators) {
  const auto folders = public_domains();
  if (folders.empty()) GTEST_SKIP() << "no public RDDL domains (set BNNPLAN_SHARED)";
  std::size_t compiled = 0;
  for (const auto& folder : folders) {
    SCOPED_TRACE(folder.string());
    const GroundModel model = read_ground_model(folder / "domain.rddl", folder / "instance.rddl");
    CompileOptions options;
    options.determinization = parse_determinization("most-likely");
    options.ignore_discount = true;
    options.horizon = 4;
    options.reachable_ranges = true;
    Problem problem;
    BitLayout layout;
    const GroundModel determinized = planning_model(model, options.determinization);
    try {
      problem = compile_problem(model, options);
      layout = make_bit_layout(determinized, {}, 4);
    } catch (const InputError&) {
      continue;  // reals
    }
    ++compiled;
    Simulator simulator(determinized);
    ExploreOptions explored;
    explored.episodes = 2;
    explored.steps = 3;
    explore(simulator, layout, explored, testing::same_step(simulator, problem, layout));
  }
  EXPECT_GE(10 * compiled, 6 * folders.size());
}

}  // namespace
}  // namespace bnnplan::rddl
