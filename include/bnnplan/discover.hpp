#pragma once

// Discovery: learn, plan and try in turn, beginning with no data, until the plan holds in the world.
//
//   const bnnplan::Discovery discovery = bnnplan::discover("navigation.rddl", "navigation_3x3.rddl");
//   std::cout << bnnplan::answer_of(discovery).text;
//   bnnplan::write_discovery("found", discovery);
//
// The world may be any program that answers questions (docs/discover.md):
//
//   bnnplan::Problem problem = bnnplan::parse_open_problem(text, "lights.toml", ".");
//   bnnplan::discover(problem, {"python3", "lights.py"});

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <bnnplan/check.hpp>
#include <bnnplan/domain.hpp>
#include <bnnplan/problem.hpp>

#include "bnnplan/base/option.hpp"
#include "bnnplan/discover/discover.hpp"
#include "bnnplan/discover/discovery_text.hpp"

namespace bnnplan {

using discovery::Asking, discovery::discover, discovery::Discovered, discovery::DiscoverOptions,
    discovery::DiscoverRound, discovery::discovery_answer, discovery::discovery_page, discovery::round_fields,
    discovery::round_text, discovery::WorldStatus;

// How to discover. `plan` is left empty, and of a cost to reach `until_worth` is given.
struct DiscoverySettings : DiscoverOptions {
  // Continue until a plan that holds has at most this cost, or at least this reward.
  std::optional<Decimal> until_worth;
  std::optional<std::int64_t> horizon;  // instead of the problem's
  CompileOptions compile;               // of a domain: goals, bits, what to take for random outcomes
  // After every round, with the problem and its number from 1.
  std::function<void(const Problem&, std::size_t number, const DiscoverRound&)> numbered_round;
};
std::vector<Option> options_of(DiscoverySettings& settings);

struct Discovery {
  Discovered found;
  std::optional<CheckResult> check;  // of the plan in the model and in the domain, if the world is one
};

// Everything that a step changes in this domain is learned; constraints, goal and reward are taken from it.
// Throws InputError.
Discovery discover(const std::filesystem::path& domain, const std::filesystem::path& instance,
                   const DiscoverySettings& settings = {});
Discovery discover(const rddl::GroundModel& model,
                   const DiscoverySettings& settings = {});  // the same, read already

// The world is a program. The problem's network is what is to be learned (parse_open_problem makes one).
Discovery discover(Problem problem, const std::vector<std::string>& program,
                   const DiscoverySettings& settings = {});

// The world is anything that answers (discover/world.hpp). A problem without a network is one whose
// transitions are open: all state bits that no known transition gives are learned.
Discovery discover(Problem problem, discovery::World& world, const DiscoverySettings& settings = {});

// The plan, what is known of it, and what the domain does with it.
Answer answer_of(const Discovery& discovery, const TextStyle& style = {});

// Writes data.csv, network.bnn, problem.toml, plan.json (if there is a plan) and index.html into a folder,
// which is made.
void write_discovery(const std::filesystem::path& folder, const Discovery& discovery);

}  // namespace bnnplan
