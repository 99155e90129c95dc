// The options of planning: what each is, and which of them go together. What an engine can do is a field of
// its row in the table of engines.
#include <filesystem>

#include <bnnplan/plan.hpp>
#include <fmt/format.h>

#include "bnnplan/api/option_fields.hpp"
#include "bnnplan/engines/external/known_solvers.hpp"
#include "bnnplan/formats/model_format.hpp"

namespace bnnplan {

namespace {

std::string engine_help() {
  std::string text = "Which engine to use (auto; with " + option_name("solver") + " external):";
  for (const Engine& engine : all_engines())
    text += fmt::format("\n{} ({}): {}", engine.name, engine.guarantee, engine.help);
  return text;
}

// "engine=auto, search or neuron", those that have an ability.
std::string engines_with(bool Engine::*ability) {
  std::vector<std::string_view> names;
  for (const Engine& engine : all_engines()) {
    if (engine.*ability) names.push_back(engine.name);
  }
  std::string text = option_name(fmt::format("engine={}", names.front()));
  for (std::size_t i = 1; i < names.size(); ++i)
    text += fmt::format("{}{}", i + 1 == names.size() ? " or " : ", ", names[i]);
  return text;
}

}  // namespace

std::vector<Option> options_of(PlanOptions& options) {
  using namespace describing;
  std::vector<Option> all = {
      {"engine", one_of(options.engine, names_in(all_engines())), engine_help(), "ENGINE"},
      {"first", field(options.first), "Any plan will do"},
      {.name = "shortest",
       .field = field(options.shortest),
       .help = fmt::format("Whatever horizon the file states: find the fewest steps that have a plan, the "
                           "proof that no plan has "
                           "fewer,\nand the cheapest plan of that length (with {} any). {} is the most steps "
                           "tried. Engine auto "
                           "does\nbreadth-first search; after a second, all engines solve one horizon after "
                           "the other as well",
                           option_name("first"), option_name("horizon")),
       .excludes = {"solver", "proof", "checkpoint", "resume"}},
      {"solver", field(options.solver),
       "Plan by an external solver, with this command, such as \"clasp --opt-strategy=usc\"; the model's "
       "file is\n"
       "added to it, or put in place of {model} (and {solution} is a file for the answer)",
       "CMD"},
      {.name = "solver-format",
       .field = one_of(options.solver_format, names_in(formats::model_formats())),
       .help = "What the external solver reads; known for " + engines::known_solver_names(),
       .unit = "FORMAT",
       .needs = {"solver"}},
      {"neurons", encoding_name(options.neurons), "How neurons become clauses, see `bnnplan help encode`",
       "ENCODING"}};
  add(all, limit_options(options.limits));
  option_named(all, "seed").help = "Another seed may find another plan of the same cost";
  add(all, proof_options(field(options.proof), options.proof_version));
  option_named(all, "proof").help =
      "Write a proof that the plan is optimal (by search or neuron), see `bnnplan help check-proof`";
  add(all,
      {{.name = "checkpoint",
        .field = field(options.checkpoint.file),
        .help = "Save the search here now and then, and when a limit, Ctrl-C or SIGTERM ends it (by engines "
                "search and auto)",
        .unit = "FILE",
        .file = true},
       {.name = "checkpoint-every",
        .field = field(options.checkpoint.every),
        .help = "Seconds between two saves (300)",
        .unit = "S",
        .range = above_zero,
        .needs = {"checkpoint"},
        .former_name = "every"},
       {.name = "resume",
        .field = field(options.checkpoint.resume),
        .help = fmt::format(
            "Continue from what {} saved: the same problem, horizon and seed; ends as that run would have",
            option_name("checkpoint")),
        .unit = "FILE",
        .file = true}});
  return all;
}

void validate(const PlanOptions& options) {
  check_options(options, options_of);
  const Engine& engine = engine_of(options);
  const std::string asked = option_name(fmt::format("engine={}", engine.name));
  const bool saves = !options.checkpoint.file.empty(), resumes = !options.checkpoint.resume.empty();
  if (engine.takes_solver && options.solver.empty())
    throw OptionError(fmt::format("{} requires {}", asked, option_name("solver")));
  if (!engine.takes_solver && !options.solver.empty())
    throw OptionError(
        fmt::format("{} is for {}", option_name("solver"), engines_with(&Engine::takes_solver)));
  if (options.neurons && !engine.makes_clauses)
    throw OptionError(
        fmt::format("{} is for engines that make clauses, not for {}", option_name("neurons"), asked));
  if (!options.proof.empty() && !engine.writes_proofs)
    throw OptionError(
        fmt::format("{} is for {}", option_name("proof"), engines_with(&Engine::writes_proofs)));
  if ((saves || resumes) && !engine.can_be_saved)
    throw OptionError(fmt::format("{} is for {}", option_name(saves ? "checkpoint" : "resume"),
                                  engines_with(&Engine::can_be_saved)));
  if (options.repair != nullptr && (saves || resumes || options.shortest || !options.proof.empty()))
    throw OptionError(fmt::format("{} is about one problem, {} plans for one after the other",
                                  option_name(saves              ? "checkpoint"
                                              : resumes          ? "resume"
                                              : options.shortest ? "shortest"
                                                                 : "proof"),
                                  option_name("repair")));
  if (saves && std::filesystem::path(options.checkpoint.file).extension() == ".gz")
    throw InputError(options.checkpoint.file, "a checkpoint is a file that is not compressed");
}

}  // namespace bnnplan
