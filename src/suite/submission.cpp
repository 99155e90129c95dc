// A submission of benchmarks: the extended suite in the form that a competition asks for, and a text about it
// that is generated from the index, so that it describes the files as they are.
#include "suite/submission.hpp"

#include <map>

#include <fmt/format.h>

#include "base/child_process.hpp"
#include "base/input_error.hpp"
#include "base/text_file.hpp"
#include "suite/application_files.hpp"

namespace bnnplan {

namespace {

// Escapes text for LaTeX.
std::string latex(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '_' || c == '%' || c == '&' || c == '#' || c == '$' || c == '{' || c == '}') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

// Separates thousands: 1,234,567.
std::string grouped(const std::string& digits) {
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += "{,}";
    text += digits[i];
  }
  return text;
}

std::string known_of(const SuiteEntry& entry) {
  if (entry.at("status") == "optimal") return entry.at("value");
  if (entry.at("status") == "infeasible") return "none";
  const auto bound = [&](const char* column) { return entry.at(column).empty() ? "-" : entry.at(column); };
  return fmt::format("[{}, {}]", bound("value_lower"), bound("value_upper"));
}

constexpr std::string_view domain_rows =
    "navigation & a robot walks over a grid of cells around obstacles; fewest moves \\\\\n"
    "sysadmin & computers in a network age and have to be rebooted in time; fewest reboots \\\\\n"
    "inventory & orders for a store with a demand for each month; least stock \\\\\n"
    "cellda & an agent fetches a key and reaches a door, pursued by an enemy; fewest moves \\\\\n"
    "random & the next state is given by a dense network of random weights; fewest true actions \\\\\n"
    "perturbation & fewest inputs of a random classifier to change so that its class changes \\\\\n";

constexpr std::string_view parameter_rows =
    "n & side of the grid, computers, months; state bits; inputs of the classifier \\\\\n"
    "a, g & action bits; state bits that the goal fixes \\\\\n"
    "w, l & neurons of a hidden layer, hidden layers \\\\\n"
    "h & horizon: number of steps of a plan \\\\\n"
    "s & seed \\\\\n";

constexpr std::string_view makefile =
    "# Builds the application with the solver in ../../maxsat/$(IPAMIRSOLVER), as the incremental track lays "
    "them out.\n"
    "IPAMIRSOLVER ?= solver2022\n"
    "SOLVER = ../../maxsat/$(IPAMIRSOLVER)\n"
    "CFLAGS ?= -O2\n\n"
    "all: ipamirgrowinghorizons\n\n"
    "ipamirgrowinghorizons: growing_horizons.o\n"
    "\t$(CXX) -o $@ growing_horizons.o -L$(SOLVER) -lipamir$(IPAMIRSOLVER) $(shell cat $(SOLVER)/LIBS "
    "2>/dev/null)\n\n"
    "growing_horizons.o: growing_horizons.c ipamir.h\n"
    "\t$(CC) $(CFLAGS) -std=c99 -I. -c growing_horizons.c\n\n"
    "clean:\n"
    "\trm -f ipamirgrowinghorizons growing_horizons.o\n";

std::string readme_text(Competition competition, bool pdf) {
  std::string text = fmt::format(
      "Planning and verification with binarized neural networks: benchmarks for the {}\n\n"
      "benchmarks/      {} files, packed with xz; index.csv lists the contents of each, its SHA-256, and its "
      "optimum or bounds\n"
      "                 (columns value, value_lower, value_upper: as a solver prints it)\n"
      "description.tex  what they are{}\n",
      competition == Competition::maxsat ? "MaxSAT Evaluation" : "PB Competition",
      competition == Competition::maxsat ? "WCNF (2022)" : "OPB", pdf ? "; description.pdf is the same" : "");
  if (competition == Competition::maxsat)
    text +=
        "application/     an IPAMIR application for the incremental track: robots on a grid, for growing "
        "horizons\n";
  text += "\nAuthors, affiliations and licence are to be filled in where description.tex marks it.\n";
  return text;
}

ChildResult run_quietly(std::vector<std::string> command) {
  ChildRequest request;
  request.command = std::move(command);
  request.limits.seconds = 600;
  return run_child(request);
}

// Twice, because LaTeX needs that for the widths of a long table.
std::string make_pdf(const std::filesystem::path& folder) {
  for (int round = 0; round < 2; ++round) {
    const ChildResult run =
        run_quietly({"pdflatex", "-interaction=batchmode", "-halt-on-error", "-output-directory",
                     folder.string(), (folder / "description.tex").string()});
    if (run.end == ChildEnd::not_started)
      return "pdflatex is not installed (Debian: texlive-latex-recommended)";
    if (run.end != ChildEnd::exited || run.code != 0)
      return fmt::format("pdflatex failed, see {}", (folder / "description.log").string());
  }
  for (const char* ending : {"aux", "log"})
    std::filesystem::remove(folder / fmt::format("description.{}", ending));
  return "";
}

}  // namespace

std::string description_text(Competition competition, const std::vector<SuiteEntry>& entries,
                             const std::string& version) {
  const bool maxsat = competition == Competition::maxsat;
  std::size_t solved = 0;
  for (const SuiteEntry& entry : entries)
    solved += entry.at("status") == "optimal" || entry.at("status") == "infeasible" ? 1 : 0;
  std::string text = fmt::format(
      "\\documentclass[10pt,a4paper]{{article}}\n\\usepackage{{longtable}}\n\\usepackage[margin=2cm]{{"
      "geometry}}\n"
      "\\title{{Planning and Verification with Binarized Neural Networks:\\\\Benchmarks for the {}}}\n"
      "\\author{{AUTHORS AND AFFILIATIONS TO BE FILLED "
      "IN}}\n\\date{{}}\n\\begin{{document}}\n\\maketitle\n\n",
      maxsat ? "MaxSAT Evaluation" : "Pseudo-Boolean Competition");
  text += fmt::format(
      "\\section*{{Domain}}\n"
      "A binarized neural network, with weights and activations of two values, describes how a world "
      "behaves. A plan is a "
      "sequence of actions that leads from an initial state to a goal in a fixed number of steps, at least "
      "cost, where each next "
      "state is what the network gives. Unrolled over the horizon, every neuron is a reified cardinality "
      "constraint. These {} "
      "problems were written by bnnplan {}. {}\n\n",
      entries.size(), latex(version),
      maxsat ? "Neurons and linear constraints are encoded as clauses by the smallest of several encodings; "
               "soft clauses are unit "
               "clauses, the costs of actions and states."
             : "A neuron is two linear constraints; the objective is the cost of actions and states.");
  text += fmt::format("\\begin{{tabular}}{{ll}}\n{}\\end{{tabular}}\n\n", domain_rows);
  text += fmt::format(
      "\\section*{{Names and parameters}}\n"
      "A name carries everything that a problem is made from, so that the generator makes it again: the "
      "family, for the first four "
      "with how transitions are given ({{\\tt known}}: as constraints; {{\\tt sparse}} and {{\\tt dense}}: "
      "by learned networks), then\n\n"
      "\\begin{{tabular}}{{ll}}\n{}\\end{{tabular}}\n\n",
      parameter_rows);
  text += fmt::format(
      "\\section*{{Measured hardness}}\n"
      "Sizes are those of the files. The optimum is in the value of the file; where it is not known, the "
      "best bounds are given. "
      "Seconds are those of bnnplan's own engines, which work on the network and not on this file, each "
      "under the limit of the "
      "index: {} of {} have a proved answer.\n\n"
      "{{\\footnotesize\n\\begin{{longtable}}{{lrrrrr}}\nname & variables & {} & {} & optimum & seconds "
      "\\\\\\hline\n",
      solved, entries.size(), maxsat ? "hard" : "constraints", maxsat ? "soft" : "terms");
  for (const SuiteEntry& entry : entries)
    text += fmt::format("{} & {} & {} & {} & {} & {} \\\\\n", latex(entry.at("name")),
                        grouped(entry.at("variables")), grouped(entry.at("hard")), grouped(entry.at("soft")),
                        known_of(entry), latex(entry.at("times")));
  text +=
      "\\end{longtable}}\n\n"
      "\\begin{thebibliography}{9}\n"
      "\\bibitem{a} B. Say, S. Sanner: Planning in Factored State and Action Spaces with Learned Binarized "
      "Neural Network Transition "
      "Models. IJCAI 2018.\n"
      "\\bibitem{b} B. Say, S. Sanner: Compact and Efficient Encodings for Planning in Factored State and "
      "Action Spaces with Learned "
      "Binarized Neural Network Transition Models. Artificial Intelligence 285, 2020.\n"
      "\\bibitem{c} K. Jia, M. Rinard: Efficient Exact Verification of Binarized Neural Networks. NeurIPS "
      "2020.\n"
      "\\end{thebibliography}\n\\end{document}\n";
  return text;
}

SubmissionResult make_submission(Competition competition, SuiteOptions options) {
  const std::filesystem::path folder = options.output;
  const std::string version = options.version;
  options.output = folder / "benchmarks";
  options.formats = {competition == Competition::maxsat ? "wcnf" : "opb"};
  options.packing = "xz";
  options.gap_free = true;
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  SubmissionResult result;
  result.suite = make_suite(options);
  if (result.suite.interrupted) return result;
  write_text_file(folder / "description.tex", description_text(competition, result.suite.entries, version));
  result.pdf_refusal = make_pdf(folder);
  result.pdf = result.pdf_refusal.empty();
  if (competition == Competition::maxsat) {
    const std::filesystem::path application = folder / "application/ipamirgrowinghorizons";
    std::filesystem::create_directories(application);
    write_text_file(application / "growing_horizons.c", application_c());
    write_text_file(application / "ipamir.h", application_h());
    write_text_file(application / "makefile", makefile);
    write_text_file(
        application / "README",
        "Robots on a grid, one horizon after another; growing_horizons.c explains how it works.\n"
        "Inputs are the arguments SIZE ROBOTS LAST SEED, for example: ipamirgrowinghorizons 6 3 16 1\n");
  }
  write_text_file(folder / "README", readme_text(competition, result.pdf));
  result.archive =
      folder / fmt::format("bnnplan-{}.tar", competition == Competition::maxsat ? "maxsat" : "pb");
  std::vector<std::string> command = {"tar",
                                      "--sort=name",
                                      "--owner=0",
                                      "--group=0",
                                      "--mtime=@0",
                                      "-C",
                                      folder.string(),
                                      "-cf",
                                      result.archive.string() + ".part",
                                      "README",
                                      "description.tex",
                                      "benchmarks"};
  if (result.pdf) command.emplace_back("description.pdf");
  if (competition == Competition::maxsat) command.emplace_back("application");
  const ChildResult packed = run_quietly(command);
  if (packed.end != ChildEnd::exited || packed.code != 0)
    throw InputError(result.archive.string(), fmt::format("tar failed: {}", printable(packed.errors, 200)));
  std::filesystem::rename(result.archive.string() + ".part", result.archive);
  return result;
}

}  // namespace bnnplan
