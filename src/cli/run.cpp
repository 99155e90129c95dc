// bnnplan run: a domain in closed loop, planned again and again from where it is.
#include <memory>

#include <bnnplan/check.hpp>
#include <bnnplan/closed_loop.hpp>
#include <fmt/format.h>

#include "bnnplan/base/count_text.hpp"
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
  std::string network, policy;
  ClosedLoopOptions loop;
};

std::string policy_line(std::string_view name, const PolicyResult& result) {
  const double milliseconds =
      result.decisions == 0 ? 0 : 1e3 * result.seconds / static_cast<double>(result.decisions);
  std::string text = fmt::format("{:<7} mean reward {:.6g} +- {:.3g} over {}, {:.3g} ms a decision", name,
                                 result.mean, half_interval(result.deviation, result.episodes),
                                 count_text(result.episodes, "episode"), milliseconds);
  if (result.ended > 0) text += fmt::format(", {} ended early", result.ended);
  if (result.without_plan > 0) text += fmt::format(", no plan {} times", result.without_plan);
  return text + "\n";
}

int run_closed_loop(const RunCommand& command) {
  ClosedLoopOptions options = command.loop;
  options.compile.reachable_ranges = true;
  if (!command.network.empty()) {
    options.compile.network =
        read_files_as(FileKind::network, {command.network}, [&] { return read_network(command.network); });
    options.compile.network_file = command.network;
  }
  Simulator domain = command.source.read();
  for (const Policy policy : {Policy::plan, Policy::random, Policy::noop}) {
    const std::string name = policy == Policy::plan ? "plan" : policy == Policy::random ? "random" : "noop";
    if (!command.policy.empty() && command.policy != name) continue;
    LiveLine line;
    options.progress = [&](std::uint64_t episode) {
      if (line.on_terminal())
        line.show(fmt::format("{}: episode {} of {}", name, episode + 1, options.episodes));
    };
    const PolicyResult result = run_policy(domain, policy, options);
    line.clear();
    print(policy_line(name, result));
  }
  return exit_success;
}

}  // namespace

void add_run_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("run", "Run a domain in closed loop: plan, act, look, plan again");
  auto options = std::make_shared<RunCommand>();
  options->source.add_files(*command);
  add_options(
      *command,
      {{"policy", describing::one_of(options->policy, {"noop", "plan", "random"}),
        "Only this one: plan, random, or noop, the default action where it is legal (all three, to compare)",
        "POLICY"}});
  options->loop.compile.determinization = rddl::parse_determinization("most-likely");
  add_options(*command, options_of(options->loop));
  command
      ->add_option("--network", options->network,
                   "Network that gives the fluents it has as outputs, for planning")
      ->type_name("NET.bnn");
  options->source.add_instance_name(*command);
  command->footer(
      "Rewards are discounted as the instance says. Goals are not looked at.\n"
      "Example: bnnplan run domains/sysadmin.rddl domains/sysadmin_4.rddl --steps 10");
  command->callback([options, &exit_code] { exit_code = run_closed_loop(*options); });
}

}  // namespace bnnplan::cli
