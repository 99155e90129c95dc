// bnnplan run: a domain in closed loop, planned again and again from where it is.
#include <bnnplan/closed_loop.hpp>
#include <fmt/format.h>

#include "bnnplan/cli/commands.hpp"
#include "bnnplan/cli/exit_codes.hpp"
#include "bnnplan/cli/file_kind.hpp"
#include "bnnplan/cli/live_line.hpp"
#include "bnnplan/cli/options.hpp"
#include "bnnplan/cli/output.hpp"

namespace bnnplan::cli {

namespace {

struct RunCommand {
  DomainOptions source;
  std::string network;
  ClosedLoopOptions loop;
  bool json = false;
};

int run_closed_loop(const RunCommand& command) {
  ClosedLoopOptions options = command.loop;
  options.compile.reachable_ranges = true;
  if (!command.network.empty()) {
    options.compile.network =
        read_files_as(FileKind::network, {command.network}, [&] { return read_network(command.network); });
    options.compile.network_file = command.network;
  }
  Simulator domain = command.source.read();
  JsonArray policies;
  for (const Policy policy : {Policy::plan, Policy::random, Policy::noop}) {
    if (options.policy.value_or(policy) != policy) continue;
    LiveLine line;
    options.progress = [&](std::uint64_t episode) {
      if (line.on_terminal())
        line.show(fmt::format("{}: episode {} of {}", policy_names[static_cast<std::size_t>(policy)],
                              episode + 1, options.episodes));
    };
    Answer answer = answer_of(policy, run_policy(domain, policy, options));
    line.clear();
    if (!command.json) print(answer.text);  // at once: the next one may take long
    policies.emplace_back(std::move(answer.fields));
  }
  if (command.json) print(Answer{{{"policies", std::move(policies)}}, ""}.json());
  return exit_success;
}

}  // namespace

void add_run_command(CLI::App& app, int& exit_code) {
  auto [command, options] = add_command(
      app, exit_code, "run", "Run a domain in closed loop: plan, act, look, plan again", run_closed_loop);
  options.source.add_files(command);
  options.loop.compile.determinization = rddl::parse_determinization("most-likely");
  add_options(command, options_of(options.loop));
  add_file_option(command, "--network", options.network,
                  "Network that gives the fluents it has as outputs, for planning", "NET.bnn");
  options.source.add_instance_name(command);
  add_json_option(command, options.json);
  command.footer(
      "Rewards are discounted as the instance says. Goals are not looked at.\n"
      "Example: bnnplan run domains/sysadmin.rddl domains/sysadmin_4.rddl --steps 10");
}

}  // namespace bnnplan::cli
