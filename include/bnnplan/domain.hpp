#pragma once

// Domains in RDDL: the world itself, as far as it is written down.
//
//   const bnnplan::Simulator domain("navigation.rddl", "navigation_3x3.rddl");
//   bnnplan::SimulateOptions options;
//   options.exhaustive = true;
//   const bnnplan::DataSet data = bnnplan::simulate(domain, options);
//   const bnnplan::Problem problem = bnnplan::compile("navigation.rddl", "navigation_3x3.rddl");

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <bnnplan/learn.hpp>
#include <bnnplan/problem.hpp>

#include "bnnplan/base/option.hpp"
#include "bnnplan/problem/plan.hpp"
#include "bnnplan/rddl/compile/compile_problem.hpp"
#include "bnnplan/rddl/simulate/explore.hpp"
#include "bnnplan/rddl/simulate/replay.hpp"
#include "bnnplan/rddl/simulate/simulator.hpp"

namespace bnnplan {

using rddl::ActionValues, rddl::compile_notes, rddl::compile_problem, rddl::compile_variables,
    rddl::CompileOptions, rddl::CompileProgress, rddl::EpisodeStart, rddl::ExplorationCounts,
    rddl::ExplorationPolicy, rddl::explore, rddl::explore_exhaustively, rddl::ExploreOptions,
    rddl::missing_object, rddl::ProblemBinding, rddl::Replay, rddl::replay, rddl::replay_text,
    rddl::Simulator, rddl::StateValues, rddl::TransitionVisitor;

// The domain and instance as a planning problem; a network in the options gives the fluents it has as
// outputs, all others become known transitions (rddl: CompileOptions). Throws InputError for what is wrong
// with the files or cannot be compiled, and LimitReached if options.watch says so. `notes` gets what the
// problem leaves out or takes for granted, a line each.
Problem compile(const std::filesystem::path& domain, const std::filesystem::path& instance,
                const CompileOptions& options = {}, std::vector<std::string>* notes = nullptr);

// The options of compile(), but for the network and callbacks.
std::vector<Option> options_of(CompileOptions& options);

struct SimulateOptions {
  ExploreOptions explore;                    // episodes, steps, seed, policy, start
  bool exhaustive = false;                   // all legal pairs of state and action instead of episodes
  std::optional<Plan> plan;                  // this plan instead, of variables_of(domain, bits)
  bool unique = false;                       // equal lines once
  bool values = false;                       // one column per variable, and the reward, instead of bits
  std::vector<std::string> inputs, outputs;  // only these fluents before and after the step; for bits
  rddl::GivenBits bits;                      // of integers that no constraint bounds
  // Outcomes of a random domain that are taken instead of drawn.
  std::optional<rddl::Determinization> determinization;
  std::function<void(std::uint64_t transitions)> progress;  // after every transition
};

std::vector<Option> options_of(SimulateOptions& options);

struct SimulationResult {
  std::size_t lines = 0;         // written
  ExplorationCounts counts;      // of what was simulated, without a plan
  std::optional<Replay> replay;  // of the plan
  // With SimulateOptions::values: the discounted sum of rewards of an episode, its mean and standard
  // deviation.
  double mean_return = 0, deviation = 0;
};

// Simulates and writes the transitions as comma-separated values, to standard output for "-", compressed if
// the name ends in .gz. Throws InputError, at once if the disk has no room for them.
SimulationResult simulate(Simulator& domain, const SimulateOptions& options,
                          const std::filesystem::path& file);

// The same in memory.
DataSet simulate(Simulator& domain, const SimulateOptions& options = {});

// The variables that plans for problems of this domain name.
Problem variables_of(const Simulator& domain, const rddl::GivenBits& bits = {});

}  // namespace bnnplan
