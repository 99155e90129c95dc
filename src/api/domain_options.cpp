// The options of what is done with a domain: compile, simulate, run in closed loop, discover.
#include <charconv>
#include <cstdint>

#include <bnnplan/closed_loop.hpp>
#include <bnnplan/discover.hpp>
#include <bnnplan/domain.hpp>
#include <fmt/format.h>

#include "rddl/compile/prime_cover.hpp"

namespace bnnplan {

namespace {

constexpr IntegerRange episode_range = {1, 1'000'000'000};
constexpr IntegerRange loop_range = {1, 1'000'000};
constexpr IntegerRange plan_step_range = {1, 1000};

Option bits_option(GivenBits& bits) {
  using namespace describing;
  return {.name = "bits",
          .field = parsed_texts(
              [&bits](const std::vector<std::string>& texts) { bits = parse_given_bits(texts); }),
          .help = "Bits of an integer fluent, where no constraint bounds it; NAME=Ns for signed numbers",
          .unit = "NAME=N,..."};
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
      {.name = "determinize",
       .field = parsed_text(
           [&](const std::string& text) { options.determinization = parse_determinization(text); }),
       .help = "What to plan with where the domain is random: most-likely, mean, threshold=P (true where its "
               "probability is "
               "at least P), sample=SEED (one future, drawn once), hindsight=N (N futures under the same "
               "actions, the mean "
               "reward)",
       .unit = "HOW"},
      {.name = "precision",
       .field = parsed_texts(
           [&](const std::vector<std::string>& texts) { options.precision = parse_precision(texts); }),
       .help =
           "Plan with a real fluent as a multiple of P (1, 0.1, 0.01, ...); without a name, with all reals",
       .unit = "[NAME=]P",
       .repeated = true},
      {.name = "range",
       .field = parsed_texts(
           [&](const std::vector<std::string>& texts) { options.ranges = parse_given_ranges(texts); }),
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
      {.name = "discount",
       .field = parsed_text([&](const std::string& text) { set_discount(options, text); }),
       .help = "ignore: sum the rewards although the instance discounts them; digits=N: round the weights of "
               "steps to N "
               "decimals (they are exact otherwise, which fits for some 18 decimals)",
       .unit = "HOW"},
      bits_option(options.bits),
      {.name = "reachable-ranges",
       .field = field(options.reachable_ranges),
       .help = "Integers that nothing bounds have the values that can be reached within the horizon: the "
               "problem is right for "
               "this horizon and shorter ones"},
      horizon_option(options.horizon),
      {.name = "learned",
       .field = field(options.learned),
       .help = "The fluents the network must give, to be checked",
       .unit = "FLUENT,..."},
      {.name = "table-bits",
       .field = field(options.table_bits),
       .help = fmt::format("Most bits that a tabulated expression may depend on ({})", options.table_bits),
       .unit = "N",
       .range = IntegerRange{1, prime_cover_inputs}}};
}

std::vector<Option> options_of(SimulateOptions& options) {
  using namespace describing;
  ExploreOptions& explore = options.explore;
  return {{.name = "episodes",
           .field = field(explore.episodes),
           .help = "Episodes (1)",
           .unit = "N",
           .range = episode_range},
          {.name = "steps",
           .field = field(explore.steps),
           .help = "Steps of each episode (100)",
           .unit = "N",
           .range = episode_range},
          {.name = "seed",
           .field = field(explore.seed),
           .help = "Seed of the exploration (0)",
           .unit = "N",
           .range = seed_range},
          {.name = "policy",
           .field = words(explore.policy, {{"random", ExplorationPolicy::random},
                                           {"uniform-legal", ExplorationPolicy::uniform_legal},
                                           {"uniform", ExplorationPolicy::uniform_legal}}),
           .help = "uniform-legal: every legal joint action alike (default), as far as that can be had; "
                   "random: every action "
                   "variable at random, again until legal",
           .unit = "POLICY"},
          {.name = "start",
           .field = words(explore.start,
                          {{"initial", EpisodeStart::initial}, {"anywhere", EpisodeStart::anywhere}}),
           .help = "Where episodes begin: initial: in the initial state (default); anywhere: every state "
                   "with a legal action alike",
           .unit = "WHERE"},
          {.name = "exhaustive",
           .field = field(options.exhaustive),
           .help = "All legal pairs of state and action instead of episodes"},
          {.name = "unique", .field = field(options.unique), .help = "Write equal lines once"},
          {.name = "inputs",
           .field = field(options.inputs),
           .help = "Write only these fluents before the step",
           .unit = "FLUENT,..."},
          {.name = "outputs",
           .field = field(options.outputs),
           .help = "Write only these fluents after the step",
           .unit = "FLUENT,..."},
          {.name = "values",
           .field = field(options.values),
           .help = "One column per variable with its value, and one for the reward, instead of bits: for "
                   "reals, and for integers "
                   "without bounds",
           .excludes = {"exhaustive", "unique"}},
          bits_option(options.bits)};
}

std::vector<Option> options_of(ClosedLoopOptions& options) {
  using namespace describing;
  std::vector<Option> all = {{.name = "episodes",
                              .field = field(options.episodes),
                              .help = "Episodes (30)",
                              .unit = "N",
                              .range = loop_range},
                             {.name = "steps",
                              .field = field(options.steps),
                              .help = "Steps of each episode (the horizon of the instance)",
                              .unit = "N",
                              .range = loop_range},
                             {.name = "lookahead",
                              .field = field(options.lookahead),
                              .help = "Steps of each plan (4)",
                              .unit = "N",
                              .range = plan_step_range},
                             {.name = "replan",
                              .field = field(options.replan),
                              .help = "Plan again after this many steps (1)",
                              .unit = "N",
                              .range = plan_step_range}};
  add(all, only(options_of(options.compile), {"determinize", "precision", "range", "bits"}));
  option_named(all, "determinize").help =
      "What plans take for a random outcome: most-likely (default), mean, threshold=P, sample=SEED, "
      "hindsight=N";
  add(all, {{.name = "seed",
             .field = field(options.seed),
             .help = "Seed of what the domain draws (0)",
             .unit = "N",
             .range = seed_range}});
  add(all, only(limit_options(options.limits), {"time-limit", "threads"}));
  option_named(all, "time-limit").help = "Seconds of wall time for each plan";
  option_named(all, "threads").help = "Threads of each plan (all of the machine)";
  return all;
}

std::vector<Option> options_of(DiscoverySettings& settings) {
  using namespace describing;
  std::vector<Option> all = {
      horizon_option(settings.horizon),
      {.name = "prove",
       .field = field(settings.prove),
       .help = "Continue until the plan is proved optimal in the world, which takes more questions"},
      {.name = "until",
       .field = parsed_text([&](const std::string& text) { set_until(settings, text); }),
       .help = "Continue until a plan that holds has at most this cost (or at least this reward)",
       .unit = "WORTH"},
      {.name = "questions",
       .field = field(settings.most_questions),
       .help = "Most questions to the world (100000)",
       .unit = "N",
       .range = episode_range},
      {.name = "ask",
       .field = words(settings.asking, {{"plan", Asking::by_plan}, {"random", Asking::random}}),
       .help = "plan: what plans rely on, then what is newest (default); random: random actions, to compare",
       .unit = "HOW"}};
  add(all, only(options_of(settings.compile), {"goal", "determinize", "bits"}));
  option_named(all, "determinize").help =
      "What to take for a random outcome of the domain: most-likely, threshold=P, sample=SEED";
  add(all, limit_options(settings.limits));
  return all;
}

}  // namespace bnnplan
