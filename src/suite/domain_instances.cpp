// The four domains at any size, by a seed: the instance is written as RDDL, and the domain's own file does
// the rest.
//
// navigation: a quarter of the cells are obstacles, except on a path from start to goal made by a random
//   walk; so there is a plan if the horizon is long enough.
// sysadmin: a random tree of links and up to as many again; half of the computers, rounded up, may be
//   rebooted in a step; some start a step older than others.
// inventory: months with a demand of 0 to 5 each.
// cellda: blocks on an eighth of the cells, except on the left and lower edges, so that the agent can get
//   everywhere; the key somewhere, the door in the far corner, the enemy in another.
//
// Learned transitions: random legal transitions from anywhere, 50 times the square of the number of input
// bits (at least 2,000, at most 60,000), then the network that covers them, or one that is trained for a
// fixed number of epochs. It need not be right about the world: the problem is the network.
#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "bnnplan/base/input_error.hpp"
#include "bnnplan/base/random.hpp"
#include "bnnplan/learn/cover.hpp"
#include "bnnplan/learn/data_set.hpp"
#include "bnnplan/learn/train.hpp"
#include "bnnplan/rddl/compile/compile_problem.hpp"
#include "bnnplan/rddl/language/task.hpp"
#include "bnnplan/rddl/simulate/explore.hpp"
#include "bnnplan/rddl/simulate/simulator.hpp"
#include "bnnplan/rddl/simulate/transition_table.hpp"
#include "bnnplan/suite/ladder.hpp"

namespace bnnplan::suite {

namespace {

struct InstanceText {
  std::string objects, non_fluents, initial, goal;
};

InstanceText navigation_text(const LadderProblem& wanted, Random& random) {
  const int n = wanted.size;
  InstanceText text;
  const auto list = [&](char letter) {
    std::string names;
    for (int i = 1; i <= n; ++i) names += fmt::format("{}{}{}", i == 1 ? "" : ", ", letter, i);
    return names;
  };
  text.objects = fmt::format("    xpos : {{ {} }};\n    ypos : {{ {} }};\n", list('x'), list('y'));
  for (int i = 1; i < n; ++i)
    text.non_fluents += fmt::format("    RIGHT-OF(x{0}, x{1}); ABOVE(y{0}, y{1});\n", i, i + 1);
  // A walk from corner to corner that sometimes goes back.
  std::set<std::pair<int, int>> walk;
  int x = 1, y = 1;
  walk.insert({x, y});
  while (x != n || y != n) {
    const bool back = random.below(4) == 0, along_x = random.below(2) == 0;
    int& coordinate = along_x ? x : y;
    coordinate = std::min(std::max(coordinate + (back ? -1 : 1), 1), n);
    walk.insert({x, y});
  }
  for (int column = 1; column <= n; ++column) {
    for (int row = 1; row <= n; ++row) {
      if (random.below(4) == 0 && walk.count({column, row}) == 0)
        text.non_fluents += fmt::format("    OBSTACLE(x{}, y{});\n", column, row);
    }
  }
  text.initial = "    robot-at(x1, y1);\n";
  text.goal = fmt::format("robot-at(x{0}, y{0});", n);
  return text;
}

InstanceText sysadmin_text(const LadderProblem& wanted, Random& random) {
  const int n = wanted.size;
  InstanceText text;
  std::string names;
  for (int i = 1; i <= n; ++i) names += fmt::format("{}c{}", i == 1 ? "" : ", ", i);
  text.objects = fmt::format("    computer : {{ {} }};\n", names);
  std::set<std::pair<int, int>> links;
  for (int i = 2; i <= n; ++i) {
    links.insert({static_cast<int>(1 + random.below(static_cast<std::size_t>(i - 1))), i});
    const int other = static_cast<int>(1 + random.below(static_cast<std::size_t>(n)));
    if (other < i) links.insert({other, i});
  }
  for (const auto& link : links)
    text.non_fluents += fmt::format("    LINK(c{}, c{});\n", link.first, link.second);
  text.non_fluents += fmt::format("    MAX-REBOOTS = {};\n", (n + 1) / 2);
  for (int i = 1; i <= n; ++i)
    text.initial += fmt::format("    running(c{0}); age(c{0}) = {1};\n", i, random.below(4) == 0 ? 1 : 0);
  return text;
}

InstanceText inventory_text(const LadderProblem& wanted, Random& random) {
  const int n = wanted.size;
  InstanceText text;
  std::string names;
  for (int i = 0; i < n; ++i) names += fmt::format("{}m{}", i == 0 ? "" : ", ", i);
  text.objects = fmt::format("    period : {{ {} }};\n", names);
  text.non_fluents = fmt::format("    MONTHS = {};\n", n);
  for (int i = 0; i < n; ++i) {
    // The store is empty at first, so the first demand is small.
    const std::size_t demand = i == 0 ? random.below(3) : random.below(6);
    text.non_fluents += fmt::format("    NUMBER(m{0}) = {0}; DEMAND(m{0}) = {1};\n", i, demand);
  }
  text.initial = "    threshold-met; stock = 0; month = 0;\n";
  return text;
}

InstanceText cellda_text(const LadderProblem& wanted, Random& random) {
  const int n = wanted.size;
  InstanceText text;
  std::string names;
  int blocks = 0;
  for (int x = 1; x < n; ++x) {
    for (int y = 1; y < n; ++y) {
      if ((x == n - 1 && y == n - 1) || random.below(8) != 0) continue;
      ++blocks;
      names += fmt::format("{}b{}", blocks == 1 ? "" : ", ", blocks);
      text.non_fluents += fmt::format("    BLOCK-X(b{0}) = {1}; BLOCK-Y(b{0}) = {2};\n", blocks, x, y);
    }
  }
  if (blocks == 0) {  // a type needs an object: one block, in the middle
    names = "b1";
    text.non_fluents = fmt::format("    BLOCK-X(b1) = {0}; BLOCK-Y(b1) = {0};\n", n / 2);
  }
  text.objects = fmt::format("    block : {{ {} }};\n", names);
  const bool along_y = random.below(2) == 0;
  text.non_fluents +=
      fmt::format("    WIDTH = {0}; HEIGHT = {0};\n    KEY-X = 0; KEY-Y = {1};\n    {2}ALONG-Y-FIRST;\n", n,
                  1 + random.below(static_cast<std::size_t>(n - 1)), along_y ? "" : "~");
  text.initial =
      fmt::format("    agent-x = 0; agent-y = 0; alive; ~has-key;\n    enemy-x = {}; enemy-y = 0;\n", n - 1);
  text.goal = fmt::format("agent-x == {0}; agent-y == {0};", n - 1);
  return text;
}

std::string_view domain_name(LadderFamily family) {
  switch (family) {
    case LadderFamily::navigation:
      return "navigation";
    case LadderFamily::sysadmin:
      return "sysadmin";
    case LadderFamily::inventory:
      return "inventory";
    default:
      return "cellda";
  }
}

// The fluents that are learned; the others have known transitions, as in the shipped models.
std::vector<std::string> learned_outputs(LadderFamily family) {
  if (family == LadderFamily::inventory) return {"threshold-met", "stock"};
  if (family == LadderFamily::cellda) return {"enemy-x", "enemy-y"};
  return {};
}
std::vector<std::string> learned_inputs(LadderFamily family) {
  if (family != LadderFamily::cellda) return {};
  return {"move-up", "move-down", "move-right", "move-left", "agent-x", "agent-y", "enemy-x", "enemy-y"};
}

learning::DataSet transitions_of(rddl::Simulator& simulator, const LadderProblem& wanted, LimitWatch& watch) {
  const rddl::BitLayout layout = rddl::make_bit_layout(simulator.model(), {});
  std::vector<std::uint64_t> inputs, outputs;
  rddl::TransitionTable table(layout, learned_inputs(wanted.family), learned_outputs(wanted.family), true,
                              [&](auto in, auto out) {
                                inputs.insert(inputs.end(), in.begin(), in.end());
                                outputs.insert(outputs.end(), out.begin(), out.end());
                              });
  const std::size_t bits = layout.state.bit_count() + layout.action.bit_count();
  rddl::ExploreOptions options;
  options.episodes = std::min<std::uint64_t>(std::max<std::uint64_t>(50 * bits * bits, 2000), 60'000);
  options.steps = 1;
  options.seed = wanted.seed;
  options.start = rddl::EpisodeStart::anywhere;
  rddl::explore(
      simulator, layout, options,
      [&](const rddl::StateValues& state, const rddl::ActionValues& action, const rddl::StateValues& next) {
        watch.check();
        table.add(state, action, next);
      });
  return learning::collect_rows("the simulation", table.input_names(), table.output_names(), inputs.data(),
                                outputs.data(), table.size());
}

Network learn_transitions(const learning::DataSet& data, const LadderProblem& wanted, LimitWatch& watch) {
  const learning::SampleSet part = learning::each_once(learning::whole(data));
  if (wanted.transitions == LadderTransitions::sparse) {
    learning::CoverOptions options;
    options.few_inputs = true;
    options.most_conditions = std::size_t{1} << 16;
    options.interrupt = watch.limits().interrupt;
    auto network = learning::cover(data, part, options);
    watch.check();
    if (!network)
      throw InputError(fmt::format("{}: the transitions need more conditions than allowed", wanted.name()));
    return std::move(*network);
  }
  learning::TrainOptions options;
  options.hidden.assign(static_cast<std::size_t>(wanted.layers), static_cast<std::size_t>(wanted.width));
  options.epochs = 40;
  options.stop_at_zero = true;
  options.limits.seed = wanted.seed;
  options.limits.interrupt = watch.limits().interrupt;
  Network network = learning::train(data, part, {}, options).network;
  watch.check();
  return network;
}

}  // namespace

std::string ladder_instance(const LadderProblem& wanted) {
  Random random(wanted.seed * 1'000'003 + static_cast<std::uint64_t>(wanted.size));
  InstanceText text;
  switch (wanted.family) {
    case LadderFamily::navigation:
      text = navigation_text(wanted, random);
      break;
    case LadderFamily::sysadmin:
      text = sysadmin_text(wanted, random);
      break;
    case LadderFamily::inventory:
      text = inventory_text(wanted, random);
      break;
    default:
      text = cellda_text(wanted, random);
      break;
  }
  const std::string_view domain = domain_name(wanted.family);
  return fmt::format(
      "non-fluents ladder_facts {{\n  domain = {0};\n  objects {{\n{1}  }};\n  non-fluents {{\n{2}  "
      "}};\n}}\n\n"
      "instance ladder {{\n  domain = {0};\n  non-fluents = ladder_facts;\n  init-state {{\n{3}  }};\n{4}"
      "  horizon = {5};\n  discount = 1.0;\n}}\n",
      domain, text.objects, text.non_fluents, text.initial,
      text.goal.empty() ? "" : fmt::format("  //! goal-state {{ {} }};\n", text.goal), wanted.horizon);
}

Problem make_domain_problem(const LadderProblem& wanted, const std::filesystem::path& domains,
                            LimitWatch& watch) {
  const std::filesystem::path file = domains / fmt::format("{}.rddl", domain_name(wanted.family));
  const rddl::RddlFile instance = rddl::parse_rddl(ladder_instance(wanted), wanted.name() + ".rddl");
  const rddl::RddlFile domain = rddl::read_rddl(file);
  rddl::CompileOptions options;
  options.watch = &watch;
  const rddl::RddlTask task = rddl::link_rddl(domain, instance);
  if (wanted.transitions != LadderTransitions::known) {
    rddl::Simulator simulator(rddl::ground(task));
    options.network = learn_transitions(transitions_of(simulator, wanted, watch), wanted, watch);
    options.network_file = wanted.name() + ".bnn";
    options.learned = learned_outputs(wanted.family);
  }
  Problem problem = rddl::compile_problem(rddl::ground(task), options);
  set_horizon(problem, wanted.horizon);
  return problem;
}

}  // namespace bnnplan::suite
