// The headers for C, from C: c_api_calls.c beside is compiled as C99 and calls every function.
#include <bnnplan/c_api.h>
#include <gtest/gtest.h>

#include "bnnplan/base/text_file.hpp"
#include "bnnplan/check/pb_formula.hpp"
#include "bnnplan/check/proof_check.hpp"
#include "support/temporary_folder.hpp"

extern "C" {
const char* maxsat_calls(const char* formula_file, const char* wrong_file);
const char* pb_calls(const char* problem_file, const char* wrong_file, const char* proof_file);
}

namespace bnnplan {
namespace {

std::string failed(const char* expectation) { return expectation == nullptr ? "" : expectation; }

TEST(CApi, MaxSatFromC) {
  const testing::TemporaryFolder folder;
  const std::string formula = folder.path() / "formula.wcnf", wrong = folder.path() / "wrong.wcnf";
  write_text_file(formula, "h 1 2 0\n7 -1 0\n9 -2 0\n");
  write_text_file(wrong, "h 1 two 0\n");
  EXPECT_EQ(failed(maxsat_calls(formula.c_str(), wrong.c_str())), "");
}

TEST(CApi, PseudoBooleanFromC) {
  const testing::TemporaryFolder folder;
  const std::string problem = folder.path() / "problem.opb", wrong = folder.path() / "wrong.opb",
                    proof = folder.path() / "proof.pbp";
  write_text_file(problem, "min: +1 x1 -2 x2 ;\n+1 x1 -1 x2 >= 0 ;\n");
  write_text_file(wrong, "min: x\n");
  EXPECT_EQ(failed(pb_calls(problem.c_str(), wrong.c_str(), proof.c_str())), "");
  const checking::PbFormula formula = checking::parse_opb("min: 3 x1 2 x2 ; 1 x1 1 x2 >= 1 ;", "the same");
  const checking::ProofCheck check = checking::check_proof(formula, read_text_file(proof));
  EXPECT_TRUE(check.accepted) << check.refusal;
  EXPECT_EQ(check.value, 2);
}

}  // namespace
}  // namespace bnnplan
