// bnnplan check-proof: checks a proof of optimality, independently of what made it.
#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "base/checked.hpp"
#include "base/input_error.hpp"
#include "base/limits.hpp"
#include "check/proof_check.hpp"
#include "cli/commands.hpp"
#include "cli/file_kind.hpp"
#include "formats/plain_row.hpp"
#include "model/unroll.hpp"

namespace bnnplan {

namespace {

struct CheckProofOptions {
  ProblemOptions subject;  // a problem, or an OPB file
  std::string proof_file;
};

// The proof is held in memory while it is checked, and the constraints it derives beside it.
std::size_t largest_proof() {
  constexpr std::size_t most = std::size_t{1} << 36;
  const std::size_t machine = machine_memory();
  return machine > 0 ? std::min(most, machine / 2) : most;
}

std::string accepted_text(const ProofCheck& check, const std::string& value) {
  std::string claim;
  switch (check.claim) {
    case ProofCheck::Claim::optimal:
      claim = fmt::format("optimal, {}", value);
      break;
    case ProofCheck::Claim::infeasible:
      claim = "infeasible";
      break;
    case ProofCheck::Claim::satisfiable:
      claim = "a solution exists";
      break;
    case ProofCheck::Claim::nothing:
      break;
  }
  const auto count = [](std::uint64_t number, const char* what) {
    return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
  };
  return fmt::format("accepted: {} ({}, {})\n", claim, count(check.steps, "clause"),
                     count(check.solutions, "solution"));
}

int run_check_proof(const CheckProofOptions& options) {
  const InputText proof = read_input(options.proof_file, largest_proof());
  ProofCheck check;
  std::string value;
  const std::string& subject = options.subject.file;
  if (subject.ends_with(".opb") || subject.ends_with(".opb.gz") || subject.ends_with(".opb.xz")) {
    if (options.subject.horizon)
      throw InputError(subject, "-H is for problems, an OPB file has a fixed horizon");
    const InputText opb = read_input(subject);
    check =
        check_proof(read_as(FileKind::model, opb, [&] { return parse_opb(opb.text, opb.name); }), proof.text);
    value = fmt::format("value {}", check.value);
  } else {
    const Problem problem = options.subject.read_with_horizon();
    require_room_for_model(problem, 10);  // as rows, and in the propagator
    const ZeroOneModel model = unroll(problem);
    check = check_proof(formula_of(model), proof.text);
    const std::int64_t cost = checked_add(check.value, plain_objective(model).offset);
    value = fmt::format("cost {}", to_string(cost_in_units(problem, cost)));
  }
  if (!check.accepted) {
    // A proof that is empty or cut off is one that is refused; a file of another kind is none.
    if (const auto kind = kind_of(proof.text, proof.name); kind && *kind != FileKind::proof)
      throw *wrong_kind(FileKind::proof, proof.name, proof.text);
    print(fmt::format("refused: {}: {}\n", printable(proof.name), check.refusal));
    return exit_refused;
  }
  print(accepted_text(check, value));
  return exit_success;
}

}  // namespace

void add_check_proof_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand(
      "check-proof", "Check a proof written by `plan --proof`: every step, without trusting the solver");
  auto options = std::make_shared<CheckProofOptions>();
  options->subject.add_to(*command, "SUBJECT", "Problem file (.toml), or the model as an OPB file (.opb)");
  command
      ->add_option("PROOF", options->proof_file,
                   "Proof file (VeriPB, version 1.2 or 3.0), - for standard input")
      ->required();
  command->footer(
      "Prints what the proof shows (exit code 0), or the first line that is wrong (exit code 20).\n"
      "Example: bnnplan plan models/corridor.toml --engine neuron --proof corridor.pbp\n"
      "         bnnplan check-proof models/corridor.toml corridor.pbp");
  command->callback([options, &exit_code] { exit_code = run_check_proof(*options); });
}

}  // namespace bnnplan
