// The options of what is done with a domain: compile, simulate, run in closed loop, discover.
#include <charconv>
#include <cstdint>

#include <bnnplan/closed_loop.hpp>
#include <bnnplan/discover.hpp>
#include <bnnplan/domain.hpp>
#include <fmt/format.h>

#include "bnnplan/rddl/compile/prime_cover.hpp"

namespace bnnplan {

namespace {

constexpr IntegerRange episode_range = {1, 1'000'000'000};
constexpr IntegerRange loop_range = {1, 1'000'000};
constexpr IntegerRange plan_step_range = {1, 1000};

Option bits_option(rddl::GivenBits& bits) {
  using namespace describing;
  return {
      "bits",
      parsed_texts([&bits](const std::vector<std::string>& texts) { bits = rddl::parse_given_bits(texts); }),
      "Bits of an integer fluent, where no constraint bounds it; NAME=Ns for signed numbers", "NAME=N,..."};
}

void set_discount(CompileOptions& options, const std::string& text) {
  constexpr std::string_view prefix = "digits=";
  options.ignore_discount = text == "ignore";
  options.discount_digits = 0;
  if (options.ignore_discount) return;
  int digits = 0;
  if (text.starts_with(prefix)) {
    const auto [stop, error] =
        std::from_chars(text.data() + prefix.size(), text.data() + text.size(), digits);
    if (error != std::errc() || stop != text.data() + text.size()) digits = 0;
  }
  if (digits < 1 || digits > 17)
    throw OptionError(fmt::format("{} is '{}', expected ignore or digits=N with N from 1 to 17",
                                  option_name("discount"), printable(text)));
  options.discount_digits = digits;
}

void set_until(DiscoverySettings& settings, const std::string& text) {
  settings.until_worth = parse_decimal(text);
  if (!settings.until_worth)
    throw OptionError(fmt::format("{} is '{}', expected a number", option_name("until"), printable(text)));
}

}  // namespace

std::vector<Option> options_of(CompileOptions& options) {
  using namespace describing;
  return {
      {"determinize", parsed_text([&](const std::string& text) {
         options.determinization = rddl::parse_determinization(text);
       }),
       "What to plan with where the domain is random: most-likely, mean, threshold=P (true where its "
       "probability is at least P), sample=SEED (one future, drawn once), hindsight=N (N futures under the "
       "same actions, the mean reward)",
       "HOW"},
      {.name = "precision",
       .field = parsed_texts(
           [&](const std::vector<std::string>& texts) { options.precision = rddl::parse_precision(texts); }),
       .help =
           "Plan with a real fluent as a multiple of P (1, 0.1, 0.01, ...); without a name, with all reals",
       .unit = "[NAME=]P",
       .repeated = true},
      {.name = "range",
       .field = parsed_texts(
           [&](const std::vector<std::string>& texts) { options.ranges = rddl::parse_given_ranges(texts); }),
       .help = "The range of a number, where the domain states none (of reals, random episodes find one)",
       .unit = "NAME=LOW..HIGH",
       .former_name = "ranges",
       .repeated = true},
      {.name = "goal",
       .field = field(options.goals),
       .help = "A condition on the last state, in RDDL, beside those of the files",
       .unit = "CONDITION",
       .former_name = "goals",
       .repeated = true},
      {"discount", parsed_text([&](const std::string& text) { set_discount(options, text); }),
       "ignore: sum the rewards although the instance discounts them; digits=N: round the weights of steps "
       "to N decimals (they are exact otherwise, which fits for some 18 decimals)",
       "HOW"},
      bits_option(options.bits),
      {"reachable-ranges", field(options.reachable_ranges),
       "Integers that nothing bounds have the values that can be reached within the horizon: the problem is "
       "right for this horizon and shorter ones"},
      horizon_option(options.horizon),
      {"learned", field(options.learned), "The fluents the network must give, to be checked", "FLUENT,..."},
      {"table-bits", field(options.table_bits),
       fmt::format("Most bits that a tabulated expression may depend on ({})", options.table_bits), "N",
       IntegerRange{1, rddl::prime_cover_inputs}}};
}

std::vector<Option> options_of(SimulateOptions& options) {
  using namespace describing;
  ExploreOptions& explore = options.explore;
  return {
      {"episodes", field(explore.episodes), "Episodes (1)", "N", episode_range},
      {"steps", field(explore.steps), "Steps of each episode (100)", "N", episode_range},
      {"seed", field(explore.seed), "Seed of the exploration (0)", "N", seed_range},
      {"policy",
       words(explore.policy, {{"random", ExplorationPolicy::random},
                              {"uniform-legal", ExplorationPolicy::uniform_legal},
                              {"uniform", ExplorationPolicy::uniform_legal}}),
       "uniform-legal: every legal joint action alike (default), as far as that can be had; random: every "
       "action variable at random, again until legal",
       "POLICY"},
      {"start",
       words(explore.start, {{"initial", EpisodeStart::initial}, {"anywhere", EpisodeStart::anywhere}}),
       "Where episodes begin: initial: in the initial state (default); anywhere: every state with a legal "
       "action alike",
       "WHERE"},
      {"exhaustive", field(options.exhaustive), "All legal pairs of state and action instead of episodes"},
      {"unique", field(options.unique), "Write equal lines once"},
      {"inputs", field(options.inputs), "Write only these fluents before the step", "FLUENT,..."},
      {"outputs", field(options.outputs), "Write only these fluents after the step", "FLUENT,..."},
      {.name = "values",
       .field = field(options.values),
       .help = "One column per variable with its value, and one for the reward, instead of bits: for reals, "
               "and for integers without bounds",
       .excludes = {"exhaustive", "unique"}},
      bits_option(options.bits),
      {"determinize", parsed_text([&](const std::string& text) {
         options.determinization = rddl::parse_determinization(text);
       }),
       "Instead of drawing random outcomes, take: most-likely, mean, threshold=P, sample=SEED (see compile)",
       "HOW"}};
}

std::vector<Option> options_of(ClosedLoopOptions& options) {
  using namespace describing;
  std::vector<Option> all = {
      {"policy", words(options.policy, policy_names),
       "Only this one: plan, random, or noop, the default action where it is legal (all three, to compare)",
       "POLICY"},
      {"episodes", field(options.episodes), "Episodes (30)", "N", loop_range},
      {"steps", field(options.steps), "Steps of each episode (the horizon of the instance)", "N", loop_range},
      {"lookahead", field(options.lookahead), "Steps of each plan (4)", "N", plan_step_range},
      {"replan", field(options.replan), "Plan again after this many steps (1)", "N", plan_step_range}};
  add(all, only(options_of(options.compile), {"determinize", "precision", "range", "bits"}));
  option_named(all, "determinize").help =
      "What plans take for a random outcome: most-likely (default), mean, threshold=P, sample=SEED, "
      "hindsight=N";
  add(all, {{"seed", field(options.seed), "Seed of what the domain draws (0)", "N", seed_range}});
  add(all, only(limit_options(options.limits), {"time-limit", "threads"}));
  option_named(all, "time-limit").help = "Seconds of wall time for each plan";
  option_named(all, "threads").help = "Threads of each plan (all of the machine)";
  return all;
}

std::vector<Option> options_of(DiscoverySettings& settings) {
  using namespace describing;
  std::vector<Option> all = {
      horizon_option(settings.horizon),
      {"prove", field(settings.prove),
       "Continue until the plan is proved optimal in the world, which takes more questions"},
      {"until", parsed_text([&](const std::string& text) { set_until(settings, text); }),
       "Continue until a plan that holds has at most this cost (or at least this reward)", "WORTH"},
      {"questions", field(settings.most_questions), "Most questions to the world (100000)", "N",
       episode_range},
      {"ask", words(settings.asking, {{"plan", Asking::by_plan}, {"random", Asking::random}}),
       "plan: what plans rely on, then what is newest (default); random: random actions, to compare", "HOW"}};
  add(all, only(options_of(settings.compile), {"goal", "determinize", "bits"}));
  option_named(all, "determinize").help =
      "What to take for a random outcome of the domain: most-likely, threshold=P, sample=SEED";
  add(all, limit_options(settings.limits));
  return all;
}

}  // namespace bnnplan
