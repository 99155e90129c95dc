// The options of reading and checking: of problem files, plans, the true domain beside them, and pages.
#include <bnnplan/check.hpp>
#include <bnnplan/problem.hpp>
#include <bnnplan/report.hpp>
#include <fmt/format.h>

namespace bnnplan {

Option describing::horizon_option(std::optional<std::int64_t>& horizon) {
  return {.name = "horizon",
          .field = field(horizon),
          .help = "Number of steps, instead of the one stated",
          .unit = "N",
          .range = IntegerRange{1, horizon_limit},
          .letter = 'H'};
}

Option describing::outside_option(bool& allowed) {
  return {"allow-outside", field(allowed),
          "Follow a problem file to a network outside its folder (by .., a link or an absolute path)"};
}

std::vector<Option> options_of(ReadOptions& options) {
  using namespace describing;
  std::vector<Option> all = {outside_option(options.allow_outside), horizon_option(options.horizon)};
  all.back().help = "Number of steps, instead of the one in the problem file";
  return all;
}

Problem parse_problem(std::string_view text, std::string_view file_name, const std::filesystem::path& folder,
                      const ReadOptions& options) {
  check_options(options, options_of);
  Problem problem = parse_problem(text, file_name, folder,
                                  options.allow_outside ? References::anywhere : References::inside);
  if (options.horizon) set_horizon(problem, *options.horizon);
  return problem;
}

Problem read_problem(const std::filesystem::path& path, const ReadOptions& options) {
  return parse_problem(read_text_file(path), path.string(), path.parent_path(), options);
}

std::vector<Option> options_of(DomainFiles& files) {
  using namespace describing;
  return {{.name = "domain",
           .field = field(files.domain),
           .help = "Also replay the plan in this true domain",
           .unit = "DOMAIN.rddl",
           .needs = {"instance"}},
          {.name = "instance",
           .field = field(files.instance),
           .help = "The instance of the domain",
           .unit = "INSTANCE.rddl",
           .needs = {"domain"}}};
}

std::vector<Option> options_of(CheckOptions& options) {
  using namespace describing;
  std::vector<Option> all = options_of(options.world);
  add(all,
      {{"episodes",
        field(options.episodes),
        "In a random domain: how many times to replay (100), for the mean reward and the share that reaches "
        "the goal",
        "N",
        IntegerRange{1, 1'000'000'000},
        {"domain"}},
       {"seed", field(options.seed), "Seed of what the domain draws (0)", "N", seed_range, {"domain"}},
       {.name = "optimum",
        .field = field(options.optimum),
        .help = fmt::format(
            "With {}: also plan in the domain itself, compiled, and say how far the plan is from its optimum",
            option_name("domain")),
        .needs = {"domain"}},
       {"time-limit",
        field(options.seconds),
        fmt::format("With {}: seconds of wall time for that", option_name("optimum")),
        "S",
        above_zero,
        {"optimum"}}});
  return all;
}

std::vector<Option> options_of(ReportOptions& options) {
  using namespace describing;
  std::vector<Option> all = {
      {.name = "proof",
       .field = field(options.proofs),
       .help =
           fmt::format("A proof of optimality that `plan {}` wrote; it is checked first, and what it proves "
                       "is called proved (may be given several times, for plans of different lengths)",
                       option_name("proof")),
       .unit = "FILE",
       .repeated = true}};
  add(all, options_of(options.world));
  option_named(all, "domain").help =
      "Also replay the plans in this true domain, and show both courses and where they part";
  return all;
}

}  // namespace bnnplan
