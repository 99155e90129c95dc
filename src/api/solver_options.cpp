// The options of the solvers that answer questions about formulas and networks, and of files for others.
#include <bnnplan/encode.hpp>
#include <bnnplan/maxsat.hpp>
#include <bnnplan/pseudo_boolean.hpp>
#include <bnnplan/suite.hpp>
#include <bnnplan/verify.hpp>
#include <fmt/format.h>

#include "api/table_names.hpp"

namespace bnnplan {

std::vector<Option> options_of(MaxSatRequest& request) {
  using namespace describing;
  std::vector<Option> all = {{"strategy",
                              words(request.options.strategy,
                                    {{"core", MaxSatStrategy::core}, {"improve", MaxSatStrategy::improve}}),
                              "core: raise the lower bound core by core; improve: ask for better models",
                              "STRATEGY"}};
  add(all, only(limit_options(request.limits), {"time-limit", "memory-limit", "seed"}));
  return all;
}

std::vector<Option> options_of(MaxSatProofOptions& options) {
  using namespace describing;
  std::vector<Option> all = proof_options(field(options.proof), options.proof_version);
  all.front().help = "Write a VeriPB proof of the answer to this file, which takes longer than the answer";
  return all;
}

std::vector<Option> options_of(PbRequest& request) {
  using namespace describing;
  std::vector<Option> all = only(limit_options(request.limits), {"time-limit", "memory-limit", "seed"});
  add(all, proof_options(field(request.proof), request.proof_version));
  return all;
}

std::vector<Option> options_of(VerifyRequest& request) {
  using namespace describing;
  std::vector<Option> all = limit_options(request.limits);
  option_named(all, "threads").help =
      "Threads of the search over the first layer (all of the machine if not given)";
  add(all, proof_options(field(request.proof), request.proof_version));
  option_named(all, "proof").help =
      "Write a VeriPB proof that nothing is nearer, or that the network is robust here";
  return all;
}

std::vector<Option> options_of(EncodeOptions& options) {
  using namespace describing;
  return {
      {.name = "to",
       .field = one_of(options.format, names_in(model_formats())),
       .help = "Format of the file (wcnf)",
       .unit = "FORMAT",
       .former_name = "format"},
      {"neurons", one_of(options.neurons, names_in(neuron_encodings())), "Encoding of the neurons, see below",
       "ENCODING"},
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
  std::vector<std::pair<std::string, NeuronEncoding>> encodings;
  for (const NeuronEncodingInfo& info : neuron_encodings()) encodings.emplace_back(info.name, info.encoding);
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
      {"neurons", words(options.neurons, encodings), "How neurons become clauses (auto)", "ENCODING"},
      {"gap-free", field(options.gap_free),
       "Number the variables of a file without gaps, with a map beside it for `decode`"},
      {"proof", field(options.proof), "Write a proof beside every problem that is solved, and check it"},
      {"engines", field(options.engines), "The engines whose times are in the index (auto)", "ENGINE,..."},
      {"seed", field(options.seed), "Of the ladder: another one of the same sizes (1)", "N", seed_range}};
  add(all, only(limit_options(options.limits), {"time-limit", "threads"}));
  option_named(all, "time-limit").help = "Seconds of wall time to plan for each problem";
  return all;
}

}  // namespace bnnplan
