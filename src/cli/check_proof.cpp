// bnnplan check-proof: checks a proof of optimality, independently of what made it.
#include <bnnplan/check.hpp>
#include <bnnplan/verify.hpp>
#include <fmt/format.h>

#include "bnnplan/base/checked.hpp"
#include "bnnplan/base/exact_number.hpp"
#include "bnnplan/check/question_formula.hpp"
#include "bnnplan/check/wcnf_formula.hpp"
#include "bnnplan/cli/commands.hpp"
#include "bnnplan/cli/exit_codes.hpp"
#include "bnnplan/cli/file_kind.hpp"
#include "bnnplan/cli/options.hpp"
#include "bnnplan/cli/output.hpp"
#include "bnnplan/cli/question.hpp"

namespace bnnplan::cli {

namespace {

struct CheckProofOptions {
  ProblemOptions subject;  // a problem, an OPB or WCNF file, or a network
  VerifyOptions question;  // to the network
  std::string proof_file;
  bool json = false;
};

// By its name, or by how it begins.
bool is_of(FileKind kind, std::initializer_list<std::string_view> endings, const std::string& file) {
  for (const std::string_view ending : endings) {
    for (const char* packed : {"", ".gz", ".xz"}) {
      if (file.ends_with(std::string(ending) + packed)) return true;
    }
  }
  const auto start = beginning_of(file);
  return start && kind_of(*start, file) == kind;
}

int run_check_proof(const CheckProofOptions& options) {
  const InputText proof = read_input(options.proof_file, largest_proof());
  ProofCheck check;
  JsonMember optimum{"value", {}};
  std::string worth;
  const std::string& subject = options.subject.file;
  const auto refuse_horizon = [&](const char* why) {
    if (options.subject.options.horizon)
      throw InputError(subject, fmt::format("-H is for problems, {}", why));
  };
  if (const VerifyOptions& question = options.question;
      !question.image.empty() || takes_any_network(question)) {
    refuse_horizon("a network has no horizon");
    const checking::QuestionFormula asked =
        ask(question, read_network_argument(subject, takes_any_network(question)),
            [](const auto&... what) { return checking::formula_of(what...); });
    check = check_proof(asked.formula, proof.text);
    optimum = {question.query.empty() ? "distance" : "value",
               JsonNumber{exact_text(asked.unit * check.value + asked.offset)}};
  } else if (is_of(FileKind::formula, {".wcnf", ".cnf"}, subject)) {
    refuse_horizon("a formula has a fixed horizon");
    const InputText input = read_input(subject);
    const checking::WcnfFormula formula = read_as(
        FileKind::formula, input, [&] { return checking::parse_wcnf_formula(input.text, input.name); });
    check = check_proof(formula.formula, proof.text);
    optimum = {"cost", check.accepted ? JsonValue(checked_add(check.value, formula.offset)) : JsonValue()};
  } else if (is_of(FileKind::model, {".opb"}, subject)) {
    refuse_horizon("an OPB file has a fixed horizon");
    const InputText opb = read_input(subject);
    check = check_proof(
        read_as(FileKind::model, opb, [&] { return checking::parse_opb(opb.text, opb.name); }), proof.text);
    optimum.value = check.value;
  } else {
    const Problem problem = options.subject.read_with_horizon();
    const ProblemProof shown = check_proof(problem, proof.text);
    check = shown.check;
    optimum = {"cost", cost_json(problem, shown.cost)};
    if (shown.cost) worth = worth_text(problem, *shown.cost);
  }
  if (!check.accepted) {
    // An empty or truncated proof is a refused proof; a file of another kind is an error of use.
    if (const auto kind = kind_of(proof.text, proof.name); kind && *kind != FileKind::proof)
      throw *wrong_kind(FileKind::proof, proof.name, proof.text);
  }
  Answer answer = answer_of(check, std::move(optimum), std::move(worth));
  if (!check.accepted) answer.text = fmt::format("refused: {}: {}", printable(proof.name), answer.text);
  print(answer, options.json);
  return check.accepted ? exit_success : exit_refused;
}

}  // namespace

void add_check_proof_command(CLI::App& app, int& exit_code) {
  auto [command, options] = add_command(
      app, exit_code, "check-proof",
      "Check a proof written by `plan`, `pb`, `maxsat` or `verify`: every step, without trusting the solver",
      run_check_proof);
  options.subject.add_to(command, "SUBJECT",
                         "Problem file (.toml), the model as an OPB file (.opb), a formula (.wcnf, .cnf),\n"
                         "or, with the options of a question, a network (.bnn)");
  add_argument(command, "PROOF", options.proof_file,
               "Proof file (VeriPB, version 1.2 or 3.0), - for standard input");
  add_json_option(command, options.json);
  std::vector<Option> question = options_of(options.question);
  Option& query = describing::option_named(question, "query");
  query.help = "The question to a network as a file, as `verify` takes it";
  query.positional = false;
  add_options(command, describing::only(question, {"image", "transpose", "label", "target", "minimal",
                                                   "epsilon", "norm", "ties", "equal", "equal-by", "monotone",
                                                   "output", "direction", "monotone-by", "query"}));
  command.footer(
      "Prints what the proof shows (exit code 0), or the first line that is wrong (exit code 20).\n"
      "Example: bnnplan plan models/corridor.toml --engine neuron --proof corridor.pbp\n"
      "         bnnplan check-proof models/corridor.toml corridor.pbp\n"
      "For proofs of `verify`, give the network and the same question, see `bnnplan verify --help`.");
}

}  // namespace bnnplan::cli
