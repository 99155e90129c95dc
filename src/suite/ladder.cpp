// The ladder: which problems there are, and their names, which encode everything that a problem is made from.
#include "bnnplan/suite/ladder.hpp"

#include <array>
#include <charconv>

#include <fmt/format.h>

#include "bnnplan/base/input_error.hpp"

namespace bnnplan::suite {

namespace {

struct FamilyName {
  LadderFamily family;
  std::string_view name;
  bool domain;  // one of the four, with three kinds of transitions
};
constexpr std::array<FamilyName, 6> family_names = {{{LadderFamily::navigation, "navigation", true},
                                                     {LadderFamily::sysadmin, "sysadmin", true},
                                                     {LadderFamily::inventory, "inventory", true},
                                                     {LadderFamily::cellda, "cellda", true},
                                                     {LadderFamily::random, "random", false},
                                                     {LadderFamily::perturbation, "perturbation", false}}};
constexpr std::array<std::string_view, 3> transition_names = {"known", "sparse", "dense"};

// A number in a name: its letter, its member, and its range.
struct Parameter {
  char letter;
  int LadderProblem::*value;
  int least, most;
};

std::vector<Parameter> parameters_of(const LadderProblem& problem) {
  const auto size = [&]() -> Parameter {
    switch (problem.family) {
      case LadderFamily::navigation:
        return {'n', &LadderProblem::size, 2, 100};
      case LadderFamily::sysadmin:
        return {'n', &LadderProblem::size, 2, 1000};
      case LadderFamily::inventory:
        return {'n', &LadderProblem::size, 1, 64};
      case LadderFamily::cellda:
        return {'n', &LadderProblem::size, 3, 16};
      case LadderFamily::random:
        return {'n', &LadderProblem::size, 1, 10'000};
      case LadderFamily::perturbation:
        return {'n', &LadderProblem::size, 1, 100'000};
    }
    __builtin_unreachable();
  }();
  const Parameter actions{'a', &LadderProblem::actions, 1, 10'000},
      goals{'g', &LadderProblem::goals, 0, 10'000}, width{'w', &LadderProblem::width, 1, 10'000},
      layers{'l', &LadderProblem::layers, 1, 16}, horizon{'h', &LadderProblem::horizon, 1, 10'000};
  switch (problem.family) {
    case LadderFamily::random:
      return {size, actions, goals, width, layers, horizon};
    case LadderFamily::perturbation:
      return {size, width, layers};
    default:
      break;
  }
  if (problem.transitions == LadderTransitions::dense) return {size, width, layers, horizon};
  return {size, horizon};
}

const FamilyName& name_of(LadderFamily family) { return family_names[static_cast<std::size_t>(family)]; }

}  // namespace

std::string LadderProblem::name() const {
  std::string text(name_of(family).name);
  if (name_of(family).domain)
    text += fmt::format("-{}", transition_names[static_cast<std::size_t>(transitions)]);
  for (const Parameter& parameter : parameters_of(*this))
    text += fmt::format("_{}{}", parameter.letter, this->*parameter.value);
  return text + fmt::format("_s{}", seed);
}

LadderProblem parse_ladder_name(std::string_view name) {
  const auto fail = [&](const std::string& why) {
    throw InputError(
        fmt::format("'{}' is not a problem of the extended suite: {}", printable(name, 100), why));
  };
  LadderProblem problem;
  std::string_view rest = name;
  const auto next_part = [&] {
    const std::string_view part = rest.substr(0, rest.find('_'));
    rest.remove_prefix(std::min(part.size() + 1, rest.size()));
    return part;
  };
  const std::string_view kind = next_part();
  bool known = false;
  for (const FamilyName& family : family_names) {
    if (!family.domain && kind == family.name) {
      problem.family = family.family;
      known = true;
    }
    for (std::size_t i = 0; family.domain && i < transition_names.size(); ++i) {
      if (kind != fmt::format("{}-{}", family.name, transition_names[i])) continue;
      problem.family = family.family;
      problem.transitions = static_cast<LadderTransitions>(i);
      known = true;
    }
  }
  if (!known)
    fail(
        "expected navigation, sysadmin, inventory or cellda with -known, -sparse or -dense, random or "
        "perturbation first");
  const auto number = [&](char letter, std::uint64_t least, std::uint64_t most) {
    const std::string_view part = next_part();
    std::uint64_t value = 0;
    const auto digits = part.substr(std::min<std::size_t>(1, part.size()));
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (part.empty() || part.front() != letter || digits.empty() || error != std::errc() ||
        end != digits.data() + digits.size() || value < least || value > most ||
        (digits.size() > 1 && digits[0] == '0'))
      fail(fmt::format("'{}', expected {} and a number from {} to {}", printable(part, 40), letter, least,
                       most));
    return value;
  };
  for (const Parameter& parameter : parameters_of(problem))
    problem.*parameter.value =
        static_cast<int>(number(parameter.letter, static_cast<std::uint64_t>(parameter.least),
                                static_cast<std::uint64_t>(parameter.most)));
  problem.seed = number('s', 0, ~std::uint64_t{0});
  if (!rest.empty() || name.ends_with('_')) fail("expected the seed at the end");
  if (problem.goals > problem.size) fail("the goal has more bits than the state");
  return problem;
}

// From easy to open within each family. Chosen by what solvers did in 60 seconds (docs/suite.md): other
// solvers prove about half of them.
std::vector<LadderProblem> ladder_problems(std::uint64_t seed) {
  std::vector<LadderProblem> problems;
  using Family = LadderFamily;
  using Transitions = LadderTransitions;
  struct Sized {
    int size, horizon, width = 0;
  };
  const auto add_domain = [&](Family family, Transitions transitions, std::initializer_list<Sized> sizes) {
    for (const Sized& sized : sizes)
      problems.push_back({.family = family,
                          .transitions = transitions,
                          .size = sized.size,
                          .width = sized.width,
                          .layers = sized.width > 0 ? 2 : 0,
                          .horizon = sized.horizon,
                          .seed = seed});
  };
  add_domain(Family::navigation, Transitions::known, {{5, 10}, {10, 22}, {24, 56}});
  add_domain(Family::sysadmin, Transitions::known, {{6, 8}, {20, 8}, {80, 12}});
  add_domain(Family::inventory, Transitions::known, {{4, 12}, {16, 48}, {32, 96}});
  add_domain(Family::cellda, Transitions::known, {{4, 10}, {8, 20}});
  add_domain(Family::navigation, Transitions::sparse, {{4, 8}, {8, 20}});
  add_domain(Family::sysadmin, Transitions::sparse, {{4, 4}, {10, 6}});
  add_domain(Family::cellda, Transitions::sparse, {{4, 10}, {6, 14}});
  add_domain(Family::cellda, Transitions::dense, {{6, 16, 96}, {8, 20, 128}});
  add_domain(Family::navigation, Transitions::dense,
             {{3, 6, 64}, {4, 8, 64}, {6, 14, 96}, {7, 16, 96}, {8, 20, 96}});
  add_domain(Family::sysadmin, Transitions::dense,
             {{4, 5, 64}, {6, 4, 128}, {7, 4, 128}, {8, 4, 128}, {10, 4, 128}});
  struct Random {
    int size, actions, goals, width, layers, horizon;
  };
  for (const Random& random :
       {Random{12, 6, 8, 24, 2, 4}, Random{16, 8, 12, 32, 2, 4}, Random{20, 10, 16, 48, 2, 4},
        Random{24, 8, 24, 64, 2, 8}, Random{24, 10, 24, 64, 2, 6}, Random{24, 12, 20, 64, 2, 4},
        Random{28, 12, 28, 64, 3, 5}, Random{28, 14, 28, 64, 2, 4}, Random{24, 16, 24, 64, 2, 4},
        Random{32, 12, 32, 64, 2, 6}, Random{32, 16, 32, 64, 2, 4}, Random{32, 20, 32, 64, 2, 4},
        Random{40, 16, 40, 96, 2, 4}, Random{48, 16, 48, 96, 2, 4}, Random{40, 20, 40, 96, 2, 5},
        Random{64, 32, 64, 128, 2, 6}})
    problems.push_back({.family = Family::random,
                        .size = random.size,
                        .actions = random.actions,
                        .goals = random.goals,
                        .width = random.width,
                        .layers = random.layers,
                        .horizon = random.horizon,
                        .seed = seed});
  struct Perturbation {
    int size, width, layers;
  };
  for (const Perturbation& wanted :
       {Perturbation{16, 16, 2}, Perturbation{32, 32, 2}, Perturbation{64, 64, 2}, Perturbation{128, 128, 2},
        Perturbation{256, 64, 2}, Perturbation{128, 32, 2}, Perturbation{512, 64, 3},
        Perturbation{784, 200, 3}})
    problems.push_back({.family = Family::perturbation,
                        .size = wanted.size,
                        .width = wanted.width,
                        .layers = wanted.layers,
                        .seed = seed});
  return problems;
}

Problem make_ladder_problem(const LadderProblem& wanted, const std::filesystem::path& domains,
                            LimitWatch& watch) {
  Problem problem = wanted.family == LadderFamily::random ? make_random_problem(wanted)
                    : wanted.family == LadderFamily::perturbation
                        ? make_perturbation(wanted)
                        : make_domain_problem(wanted, domains, watch);
  problem.name = wanted.name();
  if (problem.network) problem.network_file = problem.name + ".bnn";
  validate(problem);
  return problem;
}

}  // namespace bnnplan::suite
