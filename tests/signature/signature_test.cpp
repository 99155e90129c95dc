// The signature: how much each engine does, alone and with one thread and no limit, on shipped models,
// generated problems and questions about generated networks. All of it is counts (states, evaluations,
// conflicts, cores, lines of proofs), so it is the same on every machine, and a change that should change
// nothing leaves it as it is. signature.txt has a line for each run, and last one number for all of them. A
// change that does more or less on purpose replaces that file, and its commit says why.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <variant>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bnnplan/base/fingerprint.hpp"
#include "bnnplan/base/text_file.hpp"
#include "bnnplan/engines/engine.hpp"
#include "bnnplan/network/reference_inference.hpp"
#include "bnnplan/problem/problem_file.hpp"
#include "bnnplan/suite/ladder.hpp"
#include "bnnplan/verify/verify.hpp"
#include "support/random_network.hpp"
#include "support/shipped.hpp"
#include "support/temporary_folder.hpp"

namespace bnnplan {
namespace {

Problem shipped(const std::string& name, int horizon) {
  Problem problem = read_problem(testing::models + name + ".toml");
  problem.horizon = horizon;
  return problem;
}

Problem rung(const std::string& name) {
  LimitWatch watch{Limits{}};
  return suite::make_ladder_problem(suite::parse_ladder_name(name), BNNPLAN_SOURCE_DIR "/domains", watch);
}

std::string counts_of(const engines::Outcome& outcome) {
  std::string line = fmt::format("{} cost {}", status_text(outcome.status), outcome.cost.value_or(-1));
  for (const auto& [name, value] : outcome.statistics) {
    const auto* count = std::get_if<std::int64_t>(&value);
    if (count != nullptr && name != "threads" && name.find("bytes") == std::string::npos)
      line += fmt::format(" {} {}", name, *count);
  }
  return line;
}

class Table {
 public:
  void run(std::string_view engine, const std::string& name, const Problem& problem) {
    add(engine, name, counts_of(engines::find_engine(engine)->run(problem, {})));
  }

  void prove(std::string_view engine, const std::string& name, const Problem& problem) {
    const testing::TemporaryFolder folder;
    engines::EngineRequest request;
    request.proof = (folder / "proof").string();
    const engines::Outcome outcome = engines::find_engine(engine)->run(problem, request);
    const std::string proof = read_text_file(request.proof);
    add(engine, name + " with a proof",
        fmt::format("{} lines {}", counts_of(outcome), std::count(proof.begin(), proof.end(), '\n')));
  }

  void ask(std::uint64_t seed, verification::Norm norm) {
    Random random(seed);
    testing::RandomNetworkShape shape;
    shape.widths = {64, 32, 24, 3};
    shape.scores = true;
    const Network network = testing::random_network(random, shape);
    verification::VerifyQuery query;
    const BitValues bits = testing::random_bits(random, network.inputs.size());
    for (const BitValue bit : bits) query.values.emplace_back(bit);
    query.label = reference_class(network, bits);
    query.norm = norm;
    query.ties = verification::TieRule::network;
    const verification::VerifyOutcome outcome = verification::verify(network, query);
    add("verify", fmt::format("random {} {}", seed, verification::norm_names[static_cast<std::size_t>(norm)]),
        fmt::format("distance {} lower bound {} evaluations {} conflicts {}", outcome.distance.get_str(),
                    outcome.lower_bound.get_str(), outcome.evaluations, outcome.conflicts));
  }

  // The lines, and one number for all of them.
  std::string text() const { return lines_ + "signature " + fingerprint(lines_) + "\n"; }

 private:
  void add(std::string_view engine, const std::string& name, const std::string& counts) {
    lines_ += fmt::format("{} {}: {}\n", engine, name, counts);
  }

  std::string lines_;
};

TEST(Signature, IsTheRecordedOne) {
  Table table;
  for (const auto& [name, horizon] :
       {std::pair{"navigation_5x5", 8}, std::pair{"navigation_8x8", 14}, std::pair{"sysadmin_5", 4},
        std::pair{"sysadmin_6", 3}, std::pair{"sysadmin_8", 4}, std::pair{"inventory_4", 7},
        std::pair{"cellda_x", 11}})
    table.run("search", fmt::format("{} H={}", name, horizon), shipped(name, horizon));
  for (const auto& [name, horizon] : {std::pair{"navigation_5x5", 8}, std::pair{"sysadmin_5", 4},
                                      std::pair{"inventory_2", 5}, std::pair{"cellda_y", 9}}) {
    const Problem problem = shipped(name, horizon);
    const std::string title = fmt::format("{} H={}", name, horizon);
    table.run("neuron", title, problem);
    table.prove("neuron", title, problem);
  }
  for (const auto& [name, horizon] : {std::pair{"navigation_3x3", 4}, std::pair{"sysadmin_4", 2}})
    table.run("maxsat", fmt::format("{} H={}", name, horizon), shipped(name, horizon));
  for (const char* name : {"random_n12_a6_g8_w16_l2_h3_s1", "random_n16_a8_g10_w24_l1_h2_s2",
                           "navigation-known_n6_h9_s1", "perturbation_n24_w16_l1_s1"}) {
    const Problem problem = rung(name);
    table.run("search", name, problem);
    table.run("neuron", name, problem);
    table.run("maxsat", name, problem);
  }
  for (const std::uint64_t seed : {1, 2, 3, 4, 5, 6})
    for (const verification::Norm norm : {verification::Norm::l0, verification::Norm::linf})
      table.ask(seed, norm);

  const std::string recorded = read_text_file(BNNPLAN_SOURCE_DIR "/tests/signature/signature.txt");
  if (table.text() == recorded) return;
  const std::string found = (std::filesystem::current_path() / "signature.txt").string();
  std::ofstream(found) << table.text();
  FAIL() << "the engines do more or less than before; compare " << found
         << " with tests/signature/signature.txt, and record it there if that was meant:\n"
         << table.text();
}

}  // namespace
}  // namespace bnnplan
