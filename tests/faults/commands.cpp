#include "faults/commands.hpp"

#include <stdexcept>

#include "bnnplan/base/text_file.hpp"
#include "bnnplan/problem/problem_file.hpp"
#include "support/published.hpp"
#include "support/random_problem.hpp"
#include "support/run_under.hpp"
#include "support/temporary_folder.hpp"

namespace bnnplan::testing {

namespace {

namespace fs = std::filesystem;

const fs::path source = BNNPLAN_SOURCE_DIR;

void write_random_problem(const fs::path& path, std::uint64_t seed, const RandomNetworkProblem& shape) {
  Problem problem = random_network_problem(seed, shape);
  problem.network_file = path.stem().string() + ".bnn";
  write_problem(path, problem);
}

void make_inputs(const fs::path& folder) {
  fs::permissions(folder, fs::perms::owner_all | fs::perms::others_read | fs::perms::others_exec |
                              fs::perms::group_read | fs::perms::group_exec);
  for (const char* name : {"corridor.toml", "corridor.bnn", "corridor.plan.json", "navigation_3x3.toml",
                           "navigation_3x3.bnn", "sysadmin_5.toml", "sysadmin_5.bnn"})
    fs::copy_file(source / "models" / name, folder / name);
  for (const char* name : {"navigation.rddl", "navigation_3x3.rddl"})
    fs::copy_file(source / "domains" / name, folder / name);
  const auto in = [&](const char* name) { return (folder / name).string(); };
  const auto run = [](const std::vector<std::string>& arguments, int exit_code = 0) {
    if (const RunEnd end = run_under(arguments); end.exit_code != exit_code)
      throw std::runtime_error(arguments[0] + ": " + end.errors);
  };
  run({"simulate", in("navigation.rddl"), in("navigation_3x3.rddl"), "--exhaustive", "-o", in("data.csv")});
  run({"encode", in("corridor.toml"), "--to", "wcnf", "-o", in("corridor.wcnf")});
  run({"encode", in("corridor.toml"), "--to", "opb", "-o", in("corridor.opb")});
  run({"plan", in("corridor.toml"), "--engine", "neuron", "--proof", in("corridor.pbp")});
  write_text_file(in("answer.txt"), run_under({"maxsat", in("corridor.wcnf")}).output);
  write_random_problem(
      in("wide.toml"), 1,
      {.state_bits = 64, .action_bits = 16, .goal_bits = 10, .horizon = 200, .hidden = {256, 256}});
  write_random_problem(
      in("large.toml"), 3,
      {.state_bits = 40, .action_bits = 18, .goal_bits = 20, .horizon = 20, .hidden = {128, 128}});
}

}  // namespace

const fs::path& inputs() {
  static const TemporaryFolder folder;
  static const bool made = (make_inputs(folder.path()), true);
  static_cast<void>(made);
  return folder.path();
}

std::string wide_problem() { return (inputs() / "wide.toml").string(); }
std::string large_problem() { return (inputs() / "large.toml").string(); }

std::vector<std::string> WritingCommand::in(const fs::path& folder) const {
  std::vector<std::string> result;
  for (const std::string& argument : arguments)
    result.push_back(argument[0] == '@' ? (folder / argument.substr(1)).string() : argument);
  return result;
}

std::vector<WritingCommand> writing_commands() {
  const auto in = [](const char* name) { return (inputs() / name).string(); };
  std::vector<WritingCommand> commands = {
      {"plan", {"plan", in("corridor.toml"), "--engine", "search", "-o", "@plan.json"}, {"plan.json"}},
      {"plan with a proof",
       {"plan", in("corridor.toml"), "--engine", "neuron", "--proof", "@p.pbp", "-o", "@plan.json"},
       {"p.pbp", "plan.json"}},
      {"encode", {"encode", in("corridor.toml"), "--to", "wcnf", "-o", "@m.wcnf"}, {"m.wcnf"}},
      {"encode compressed", {"encode", in("corridor.toml"), "--to", "opb", "-o", "@m.opb.gz"}, {"m.opb.gz"}},
      {"simulate",
       {"simulate", in("navigation.rddl"), in("navigation_3x3.rddl"), "--exhaustive", "-o", "@data.csv"},
       {"data.csv"}},
      {"compile", {"compile", in("navigation.rddl"), in("navigation_3x3.rddl"), "-o", "@p.toml"}, {"p.toml"}},
      {"learn",
       {"learn", in("data.csv"), "--hidden", "8", "--epochs", "2", "--threads", "1", "--quiet", "-o",
        "@net.bnn", "--report", "@report.json", "--curve", "@curve.svg"},
       {"net.bnn", "report.json", "curve.svg"}},
      {"report",
       {"report", in("corridor.toml"), in("corridor.plan.json"), "-o", "@page.html"},
       {"page.html"}},
      {"completion", {"completion", "bash", "-o", "@bnnplan.bash"}, {"bnnplan.bash"}},
      {"man", {"man", "-o", "@bnnplan.1"}, {"bnnplan.1"}},
      {"suite",
       {"suite", "--models", inputs().string(), "--only", "navigation_3x3_4,navigation_3x3_5", "--to", "opb",
        "-o", "@suite"},
       {"suite/"}},
      {"bench",
       {"bench", in("corridor.toml"), "--engine", "search", "--cold", "--any-core", "--time-limit", "20",
        "-o", "@bench"},
       {"bench/"}}};
  if (published_present()) {
    commands.push_back({"import",
                        {"import", "fd-sat-plan", published_folder().string(), "navigation", "3x3", "-H", "4",
                         "-o", "@n.toml"},
                        {"n.bnn", "n.toml"}});
  }
  return commands;
}

std::vector<PrintingCommand> printing_commands() {
  const auto in = [](const char* name) { return (inputs() / name).string(); };
  return {
      {"help", {"--help"}, {}},
      {"help of a command", {"plan", "--help"}, {}},
      {"version", {"--version"}, {}},
      {"plan", {"plan", in("corridor.toml"), "--engine", "search"}, {1}},
      {"plan as JSON", {"plan", in("corridor.toml"), "--json"}, {1}},
      {"plan to standard output", {"plan", in("corridor.toml"), "-o", "-"}, {1}},
      {"check", {"check", in("corridor.toml"), in("corridor.plan.json")}, {1, 2}},
      {"check-proof", {"check-proof", in("corridor.toml"), in("corridor.pbp")}, {1, 2}},
      {"check-proof of a model", {"check-proof", in("corridor.opb"), in("corridor.pbp")}, {1, 2}},
      {"encode", {"encode", in("corridor.toml"), "--to", "wcnf", "-o", "-"}, {1}},
      {"encode sizes", {"encode", in("corridor.toml"), "--to", "wcnf", "--stats"}, {1}},
      {"decode", {"decode", in("corridor.toml"), in("answer.txt")}, {1, 2}},
      {"info", {"info", in("corridor.toml")}, {1}},
      {"info of a network", {"info", in("corridor.bnn")}, {1}},
      {"simulate",
       {"simulate", in("navigation.rddl"), in("navigation_3x3.rddl"), "--exhaustive", "-o", "-"},
       {1, 2}},
      {"compile", {"compile", in("navigation.rddl"), in("navigation_3x3.rddl"), "-o", "-"}, {1, 2}},
      {"learn",
       {"learn", in("data.csv"), "--hidden", "8", "--epochs", "2", "--threads", "1", "--quiet", "-o", "-"},
       {1}},
      {"maxsat", {"maxsat", in("corridor.wcnf")}, {1}},
      {"report", {"report", in("corridor.toml"), in("corridor.plan.json"), "-o", "-"}, {1, 2}},
      {"completion", {"completion", "zsh"}, {}},
      {"man", {"man"}, {}}};
}

std::vector<std::pair<std::string, std::string>> with_shim(const std::string& name,
                                                           const std::string& value) {
  return {{"LD_PRELOAD", BNNPLAN_FAULT_SHIM}, {name, value}};
}

}  // namespace bnnplan::testing
