// bnnplan import onnx, npz and torch, as users meet them.
#include "bnnplan/base/text_file.hpp"
#include "support/archive_maker.hpp"
#include "support/run_bnnplan.hpp"
#include "support/temporary_folder.hpp"

namespace bnnplan::cli {
namespace {

using testing::expect_bad_input;
using testing::ProgramResult;
using testing::run_bnnplan;

const std::vector<testing::TorchTensor> layers = {{"fc1.weight", {2, 3}, {0.5F, -1, 2, 1, 1, 1}},
                                                  {"fc1.bias", {2}, {0.5F, 0.25F}},
                                                  {"fc2.weight", {2, 2}, {1, -1, -1, 1}}};

TEST(ImportNetwork, SaysWhatItTookFromOptions) {
  const testing::TemporaryFolder folder;
  const std::string file = folder.write("n.pt", testing::torch_archive_of(layers)),
                    output = (folder / "n.bnn").string();
  const ProgramResult result = run_bnnplan(
      {"import", "torch", file, "--latent", "--bits", "0,1", "--classes", "no,yes", "-o", output});
  EXPECT_EQ(result.errors, "");
  EXPECT_EQ(result.output, "wrote " + output +
                               " (3:2:2)\n"
                               "  the modules in the order fc1, fc2 (order)\n"
                               "  inputs are bits, 0 and 1 (bits)\n"
                               "  the last layer has scores (outputs)\n");
  const std::string text = read_text_file(output);
  EXPECT_NE(text.find("yes"), std::string::npos);
  EXPECT_EQ(run_bnnplan({"info", output}).exit_code, 0);
  EXPECT_EQ(run_bnnplan({"import", "torch", file, "--latent", "--order", "fc1,fc2", "-o", output}).exit_code,
            0);
  expect_bad_input({"import", "torch", file, "--latent", "--order", "fc1", "-o", output},
                   file + ": the order leaves out 'fc2': expected each of fc1, fc2 once");
}

TEST(ImportNetwork, BadInputLeavesNothingBehind) {
  const testing::TemporaryFolder folder;
  const std::string file = folder.write("n.pt", testing::torch_archive_of(layers)),
                    output = (folder / "n.bnn").string();
  expect_bad_input(
      {"import", "torch", file, "-o", output},
      file +
          ": fc1: a weight is 0.5, expected -1, 0 or +1 (or the option 'latent', if only the sign counts)");
  expect_bad_input({"import", "npz", file, "-o", output},
                   file + ": 'net/data.pkl' in the archive is not an .npy file");
  expect_bad_input({"import", "onnx", file, "-o", output}, file + ": not an ONNX model, or damaged");
  expect_bad_input({"import", "onnx", (folder / "none").string(), "-o", output},
                   (folder / "none").string() + ": cannot read: No such file or directory");
  EXPECT_FALSE(std::filesystem::exists(output));
}

TEST(ImportNetwork, OptionsThatAreNone) {
  const auto error = [](const std::string& option, const std::string& value) {
    const ProgramResult result = run_bnnplan({"import", "npz", "n.npz", option + "=" + value, "-o", "n.bnn"});
    EXPECT_EQ(result.exit_code, 1);
    return result.errors;
  };
  EXPECT_NE(error("--range", "0-255").find("'0-255', expected two numbers such as 0:1"), std::string::npos);
  EXPECT_NE(error("--bits", "0:1").find("'0:1', expected two numbers such as 0,1"), std::string::npos);
  EXPECT_NE(error("--epsilon", "small").find("'small', expected a number such as 0.5, 1e-5 or 1/255"),
            std::string::npos);
  EXPECT_NE(error("--tie", "2").find("'2', expected one of 0, 1"), std::string::npos);
}

}  // namespace
}  // namespace bnnplan::cli
