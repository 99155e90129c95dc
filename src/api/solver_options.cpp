// The options of the solvers that answer questions about formulas, of files for others, and of comparisons
// with them.
#include <bnnplan/bench.hpp>
#include <bnnplan/encode.hpp>
#include <bnnplan/maxsat.hpp>
#include <bnnplan/pseudo_boolean.hpp>
#include <bnnplan/suite.hpp>
#include <fmt/format.h>

#include "bnnplan/api/option_fields.hpp"
#include "bnnplan/engines/engine.hpp"

namespace bnnplan {

std::vector<Option> options_of(MaxSatCall& call) {
  using namespace describing;
  std::vector<Option> all = {
      {"strategy",
       words(call.options.strategy, {{"core", MaxSatStrategy::core}, {"improve", MaxSatStrategy::improve}}),
       "core: raise the lower bound core by core; improve: ask for better models", "STRATEGY"}};
  add(all, only(limit_options(call.limits), {"time-limit", "memory-limit", "seed"}));
  add(all, proof_options(field(call.proof), call.proof_version));
  option_named(all, "proof").help =
      "Write a VeriPB proof of the answer to this file, which takes longer than the answer";
  return all;
}

std::vector<Option> options_of(PbRequest& request) {
  using namespace describing;
  std::vector<Option> all = only(limit_options(request.limits), {"time-limit", "memory-limit", "seed"});
  add(all, proof_options(field(request.proof), request.proof_version));
  return all;
}

std::vector<Option> options_of(EncodeOptions& options) {
  using namespace describing;
  return {
      {.name = "to",
       .field = one_of(options.format, names_in(model_formats())),
       .help = "Format of the file",
       .unit = "FORMAT",
       .former_name = "format"},
      {"neurons", one_of(options.neurons, names_in(encoding::neuron_encodings())),
       "Encoding of the neurons, see below", "ENCODING"},
      {"cost-at-most", field(options.cost_at_most), "Only plans of at most this cost", "K"},
      {"simplify", field(options.simplify), "Simplify first (always done for wcnf, wcnf-classic and cnf)"}};
}

std::vector<Option> options_of(DecodeOptions& options) {
  using namespace describing;
  return {{.name = "map",
           .field = field(options.map),
           .help = fmt::format("The map beside a file that is numbered without gaps (`suite {}`)",
                               option_name("gap-free")),
           .unit = "FILE",
           .file = true}};
}

std::vector<Option> options_of(SuiteOptions& options) {
  using namespace describing;
  std::vector<Option> all = {
      {.name = "to",
       .field = some_of(options.formats, names_in(model_formats())),
       .help = "Formats of the files (wcnf)",
       .unit = "FORMAT,...",
       .former_name = "formats"},
      {.name = "family",
       .field = field(options.family),
       .help =
           "Only navigation, inventory, sysadmin or cellda; of the ladder also navigation-known, random, ...",
       .unit = "FAMILY"},
      {"only", field(options.only), "Only these problems, such as navigation_3x3_4", "NAME,..."},
      {.name = "pack",
       .field = one_of(options.packing, {"gz", "xz"}),
       .help = "Compress the files by gzip or xz",
       .unit = "gz|xz",
       .former_name = "packing"},
      {"neurons", encoding_name(options.neurons), "How neurons become clauses (auto)", "ENCODING"},
      {"gap-free", field(options.gap_free),
       "Number the variables of a file without gaps, with a map beside it for `decode`"},
      {"proof", field(options.proof), "Write a proof beside every problem that is solved, and check it"},
      {"engines", field(options.engines), "The engines whose times are in the index (auto)", "ENGINE,..."},
      {"seed", field(options.seed), "Of the ladder: another one of the same sizes (1)", "N", seed_range}};
  add(all, only(limit_options(options.limits), {"time-limit", "threads"}));
  option_named(all, "time-limit").help = "Seconds of wall time to plan for each problem";
  return all;
}

std::vector<Option> options_of(comparison::BenchOptions& options) {
  using namespace describing;
  std::vector<std::string> ours = names_in(all_engines());
  std::erase(ours, "external");
  return {{"engine", some_of(options.engines, ours),
           "Engines to compare (all, if neither these nor solvers are given)", "ENGINE,..."},
          {.name = "solver",
           .field = field(options.solvers),
           .help = "A solver to compare, \"CMD ARGS\" as for plan, or \"FORMAT: CMD ARGS\" to choose what it "
                   "reads,\n\"FORMAT+ENCODING: CMD ARGS\" to choose how neurons become clauses, too;\n"
                   "may be given again",
           .unit = "CMD",
           .repeated = true},
          {"time-limit", field(options.seconds), "Limit of each run (60)", "S", above_zero},
          {"memory-limit", field(options.memory_mebibytes), "Limit of each run (2000)", "MIB",
           IntegerRange{1, std::int64_t{1} << 40}},
          {"repeat", field(options.repetitions), "Runs of each pair; the median counts (1)", "N",
           IntegerRange{1, 1000}},
          {"give-up", field(options.give_up_after),
           "An entrant that fails on N problems of a family in a row is not run on its later ones", "N",
           IntegerRange{1, 1'000'000}},
          {"family-end", field(options.family_end),
           "The family of a problem is its name up to the first TEXT (its name without the horizon)", "TEXT"},
          {"cold", field(options.cold), "No warm-up before the first run of a pair"},
          {.name = "core",
           .field = field(options.core),
           .help = "Core to run on (the last one)",
           .unit = "N",
           .range = IntegerRange{0, 1023},
           .excludes = {"any-core"}},
          {"any-core", field(options.any_core), "Do not tie runs to one core"},
          {"fresh", field(options.fresh), "Forget the runs that are in the folder"}};
}

BenchResult bench(const comparison::BenchOptions& options) {
  check_options(options, options_of);
  return compare(options);
}

}  // namespace bnnplan
