// Proofs of MaxSAT: written for random formulas, accepted by the checker for what brute force says and
// refused once they claim anything else; and `maxsat --proof` with `check-proof` as programs.
#include "bnnplan/engines/pseudo_boolean/prove_maxsat.hpp"

#include <gtest/gtest.h>

#include "bnnplan/base/text_file.hpp"
#include "bnnplan/check/proof_check.hpp"
#include "bnnplan/check/wcnf_formula.hpp"
#include "bnnplan/formats/wcnf_reader.hpp"
#include "support/brute_force.hpp"
#include "support/formula_families.hpp"
#include "support/run_bnnplan.hpp"
#include "support/temporary_folder.hpp"

namespace bnnplan::engines {
namespace {

using testing::run_bnnplan;
using testing::TemporaryFolder;
using testing::wcnf_text;
using testing::WcnfFormat;

TEST(ProveMaxSat, AcceptedForWhatBruteForceSays) {
  const TemporaryFolder folder;
  testing::Random random(3);
  int unsatisfiable = 0, forged = 0;
  for (int i = 0; i < 250; ++i) {
    const formats::Wcnf made = testing::wild_formula(
        random, static_cast<std::uint32_t>(2 + testing::below(random, 8)), i % 3 == 0 ? 1 : 20);
    SCOPED_TRACE(wcnf_text(made, WcnfFormat::modern));
    const std::string file = wcnf_text(made, WcnfFormat::modern);
    const checking::WcnfFormula formula = checking::parse_wcnf_formula(file, "f");
    const auto optimum = testing::brute_force_cost(made);
    unsatisfiable += optimum ? 0 : 1;
    PbRequest request;
    request.proof = folder / "proof.pbp";
    request.proof_version = i % 2 == 0 ? ProofVersion::v3_0 : ProofVersion::v1_2;
    // With the best model known, or found on the way.
    const maxsat::MaxSatOutcome known = maxsat::solve_maxsat(made);
    const MaxSatProof proof = prove_maxsat(formats::parse_wcnf(file, "f"),
                                           i % 4 < 2 && known.model ? &*known.model : nullptr, request);
    ASSERT_TRUE(proof.written);
    ASSERT_EQ(proof.status, optimum ? Status::optimal : Status::infeasible);
    EXPECT_EQ(proof.cost, optimum);
    const std::string text = read_text_file(request.proof);
    const checking::ProofCheck check = checking::check_proof(formula.formula, text);
    ASSERT_TRUE(check.accepted) << check.refusal;
    ASSERT_EQ(check.claim,
              optimum ? checking::ProofCheck::Claim::optimal : checking::ProofCheck::Claim::infeasible);
    if (!optimum) continue;
    EXPECT_EQ(static_cast<formats::Weight>(check.value + formula.offset), *optimum);
    // The same proof with a lower bound that is one higher, which is false.
    const std::string bounds = "BOUNDS " + std::to_string(check.value) + " ";
    const std::size_t place = text.find(bounds);
    if (place == std::string::npos) continue;
    std::string higher = text;
    higher.replace(place, bounds.size(), "BOUNDS " + std::to_string(check.value + 1) + " ");
    const checking::ProofCheck lie = checking::check_proof(formula.formula, higher);
    EXPECT_FALSE(lie.accepted && lie.claim == checking::ProofCheck::Claim::optimal &&
                 lie.value > check.value);
    EXPECT_FALSE(lie.accepted);
    ++forged;
  }
  EXPECT_GT(unsatisfiable, 20);
  EXPECT_GT(forged, 50);
}

// The weights sum up to exactly 2^62, as much as there are proofs for.
TEST(ProveMaxSat, TheLargestWeights) {
  const TemporaryFolder folder;
  const std::string proof = (folder / "f.pbp").string();
  const std::string half = "2305843009213693952";
  for (const std::string& soft :
       {half + " 1 0\n" + half + " 2 0\n", half + " 1 3 0\n" + half + " 2 3 0\n",
        std::string("4611686018427387904 1 2 0\n"), half + " 0\n" + half + " 1 2 0\n"}) {
    SCOPED_TRACE(soft);
    const std::string file = folder.write("f.wcnf", soft + "h -1 -2 0\nh -1 2 0\nh -3 0\n");
    const auto result = run_bnnplan({"maxsat", file, "--proof", proof});
    EXPECT_EQ(result.exit_code, 30);
    EXPECT_NE(result.output.find("c proof in"), std::string::npos) << result.output;
    EXPECT_EQ(run_bnnplan({"check-proof", file, proof}).exit_code, 0);
  }
}

TEST(ProveMaxSat, StopsWithoutAFile) {
  const TemporaryFolder folder;
  const std::atomic<bool> interrupt = true;
  PbRequest request;
  request.proof = folder / "proof.pbp";
  request.limits.interrupt = &interrupt;
  const MaxSatProof proof = prove_maxsat(formats::parse_wcnf("h 1 2 0\n1 -1 0\n", "f"), nullptr, request);
  EXPECT_FALSE(proof.written);
  EXPECT_EQ(proof.stopped, StopReason::interrupted);
  EXPECT_FALSE(std::filesystem::exists(request.proof));
}

TEST(ProveMaxSat, FromTheCommandLine) {
  const TemporaryFolder folder;
  testing::Random random(9);
  const formats::Wcnf made = testing::set_cover(random, 20, 12, 100);
  const std::string modern = folder.write("modern.wcnf", wcnf_text(made, WcnfFormat::modern));
  const std::string classic = folder.write("classic", wcnf_text(made, WcnfFormat::classic));
  const std::string proof = folder / "proof.pbp";
  const formats::Weight optimum = *maxsat::solve_maxsat(made).cost;
  for (const std::string version : {"3.0", "1.2"}) {
    const auto solved = run_bnnplan({"maxsat", modern, "--proof", proof, "--proof-version", version});
    EXPECT_EQ(solved.exit_code, 30) << solved.errors;
    EXPECT_NE(solved.output.find("c proof in " + proof + "\n"), std::string::npos) << solved.output;
    for (const std::string& file : {modern, classic}) {
      const auto checked = run_bnnplan({"check-proof", file, proof});
      EXPECT_EQ(checked.exit_code, 0) << checked.output << checked.errors;
      EXPECT_EQ(checked.output.rfind("accepted: optimal, cost " + std::to_string(optimum) + " (", 0), 0u)
          << checked.output;
    }
  }
  // Of another formula.
  formats::Wcnf other = made;
  other.add_hard({Lit::positive({0})});
  const std::string wrong = folder.write("other.wcnf", wcnf_text(other, WcnfFormat::modern));
  const auto refused = run_bnnplan({"check-proof", wrong, proof});
  EXPECT_EQ(refused.exit_code, 20);
  EXPECT_EQ(refused.output.rfind("refused: ", 0), 0u) << refused.output;
  const auto horizon = run_bnnplan({"check-proof", modern, proof, "-H", "3"});
  EXPECT_EQ(horizon.exit_code, 2);
  EXPECT_NE(horizon.errors.find("-H is for problems, a formula has a fixed horizon"), std::string::npos);

  const std::string unsatisfiable = folder.write("no.cnf", "p cnf 1 2\n1 0\n-1 0\n");
  EXPECT_EQ(run_bnnplan({"maxsat", unsatisfiable, "--proof", proof}).exit_code, 20);
  EXPECT_EQ(run_bnnplan({"check-proof", unsatisfiable, proof}).output.rfind("accepted: infeasible", 0), 0u);

  const std::string heavy = folder.write("heavy.wcnf", "9000000000000000000 1 0\n9 -1 0\n");
  const auto unsupported = run_bnnplan({"maxsat", heavy, "--proof", folder / "none.pbp"});
  EXPECT_EQ(unsupported.exit_code, 30);
  EXPECT_NE(unsupported.output.find("c no proof is written: "), std::string::npos) << unsupported.output;
  EXPECT_NE(unsupported.output.find("weights of more than 2^62"), std::string::npos) << unsupported.output;
  EXPECT_FALSE(std::filesystem::exists(folder / "none.pbp"));

  const auto nowhere = run_bnnplan({"maxsat", modern, "--proof", (folder / "no/folder.pbp").string()});
  EXPECT_EQ(nowhere.exit_code, 2);
  EXPECT_EQ(nowhere.output.find("s OPTIMUM"), std::string::npos);
}

}  // namespace
}  // namespace bnnplan::engines
