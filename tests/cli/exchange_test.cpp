// eval and export as a user runs them.
#include <gtest/gtest.h>

#include "bnnplan/base/text_file.hpp"
#include "support/run_bnnplan.hpp"
#include "support/shared.hpp"
#include "support/temporary_folder.hpp"

namespace bnnplan::cli {
namespace {

using testing::expect_bad_input;
using testing::run_bnnplan;

constexpr std::string_view digit_network =
    "bnn 2\nshape 2:2\ninputs\n  x\n  y\nnumbers\n  >= 128 from 0 to 255 step 1\n  >= 128 from 0 to 255 step "
    "1\noutputs\n"
    "  dark\n  light\nscores lowest\n  -- * 1 + 0\n  ++ * 1 + 0\nrecord\n  | by hand\nend\n";

class ExchangeCommands : public ::testing::Test {
 protected:
  testing::TemporaryFolder folder_;
  std::string network_ = folder_.write("n.bnn", digit_network);
  std::string data_ = folder_.write("d.csv", "x,y,is\n0,0,dark\n200,255,light\n0,255,light\n");
};

TEST_F(ExchangeCommands, EvalPrintsWritesAndCounts) {
  const auto plain = run_bnnplan({"eval", network_, data_});
  EXPECT_EQ(plain.exit_code, 0);
  EXPECT_EQ(plain.output, "class\ndark\nlight\ndark\n");
  EXPECT_EQ(plain.errors, "3 samples evaluated; ties between the best classes: 1\n");
  const auto labelled = run_bnnplan({"eval", network_, data_, "--label", "is"});
  EXPECT_EQ(labelled.output,
            "3 samples evaluated, right: 2 of 3 (66.67 percent); ties between the best classes: 1\n");
  const std::string out = (folder_ / "o.csv").string();
  const auto written = run_bnnplan({"eval", network_, data_, "--scores", "-o", out});
  EXPECT_EQ(written.output, "3 samples evaluated; ties between the best classes: 1\n");
  EXPECT_EQ(read_text_file(out), "class,score[dark],score[light]\ndark,2,-2\nlight,-2,2\ndark,0,0\n");
}

TEST_F(ExchangeCommands, EvalRefuses) {
  const auto bad = folder_.write("b.csv", "x,y\n0,256\n");
  expect_bad_input({"eval", network_, bad}, bad + ":2: 256 for the input 'y', which is from 0 to 255");
  expect_bad_input({"eval", data_, data_},
                   data_ +
                       ": this is a data set (.csv), expected a network (.bnn); `bnnplan learn` makes "
                       "one of it");
  const std::string missing = (folder_ / "none.csv").string();
  EXPECT_EQ(run_bnnplan({"eval", network_, missing}).exit_code, 2);
  EXPECT_EQ(run_bnnplan({"eval", network_}).exit_code, 1);
  EXPECT_EQ(run_bnnplan({"eval", network_, data_, "--scale", "x"}).exit_code, 1);
}

TEST_F(ExchangeCommands, ExportWritesEveryFormat) {
  for (const std::string format : {"onnx", "qonnx", "npz", "c"}) {
    const std::string file = (folder_ / ("n." + format)).string();
    const auto result = run_bnnplan({"export", network_, "--to", format, "-o", file});
    EXPECT_EQ(result.output, "wrote " + file + " (2:2)\n") << result.errors;
    EXPECT_TRUE(std::filesystem::file_size(file) > 100) << format;
  }
  EXPECT_EQ(run_bnnplan({"export", network_, "--to", "pt", "-o", "x"}).exit_code, 1);
  const auto source = run_bnnplan({"export", network_, "--to", "c", "-o", "-"});
  EXPECT_NE(source.output.find("int network_class(const double *inputs)"), std::string::npos);
}

// Exports a network in both dialects of ONNX, imports it again, and has it proved that it is the same.
void expect_to_come_back(const std::string& network, const testing::TemporaryFolder& folder) {
  for (const std::string dialect : {"onnx", "qonnx"}) {
    const std::string model = (folder / "model.onnx").string(), again = (folder / "again.bnn").string();
    const auto exported = run_bnnplan({"export", network, "--to", dialect, "-o", model});
    ASSERT_EQ(exported.exit_code, 0) << network << exported.errors;
    const auto imported = run_bnnplan({"import", "onnx", model, "-o", again});
    ASSERT_EQ(imported.exit_code, 0) << network << imported.errors;
    const auto equal = run_bnnplan({"verify", network, "--equal", again, "--time-limit", "60"});
    EXPECT_EQ(equal.output.substr(0, equal.output.find('\n')), "equal: proved on all inputs")
        << network << ' ' << dialect << equal.errors;
  }
}

TEST_F(ExchangeCommands, ShippedNetworksComeBack) {
  std::size_t networks = 0;
  for (const auto& entry : std::filesystem::directory_iterator(BNNPLAN_SOURCE_DIR "/models")) {
    if (entry.path().extension() != ".bnn") continue;
    expect_to_come_back(entry.path().string(), folder_);
    ++networks;
  }
  EXPECT_GT(networks, 10u);
}

TEST_F(ExchangeCommands, PublicNetworksComeBack) {
  const std::filesystem::path shared = testing::shared_folder();
  if (!std::filesystem::exists(shared / "public-networks"))
    GTEST_SKIP() << (shared / "public-networks").string() << " is not there (set BNNPLAN_SHARED)";
  const auto try_one = [&](const char* format, const std::filesystem::path& file,
                           const std::vector<std::string>& options) {
    const std::string network = (folder_ / "public.bnn").string();
    std::vector<std::string> command = {"import", format, file.string(), "-o", network};
    command.insert(command.end(), options.begin(), options.end());
    const auto imported = run_bnnplan(command);
    ASSERT_EQ(imported.exit_code, 0) << imported.errors;
    expect_to_come_back(network, folder_);
  };
  const std::vector<std::string> pixels = {"--range", "0:255", "--step", "1"};
  std::vector<std::string> scaled = pixels;
  scaled.insert(scaled.end(), {"--scale", "1/255"});
  try_one("onnx", shared / "public-networks/finn/model.onnx", pixels);
  try_one("onnx", shared / "public-networks/qonnx/TFC_1W1A.onnx", scaled);
  for (const auto& entry : std::filesystem::directory_iterator(shared / "public-networks/npaq"))
    if (entry.path().extension() == ".pt")
      try_one("torch", entry.path(), {"--latent", "--epsilon", "1e-5", "--tie", "1"});
  scaled.insert(scaled.end(), {"--epsilon", "2e-5"});
  for (const char* name : {"mnist.npz", "mnist_rot.npz", "mnist_back_image.npz"})
    try_one("npz", shared / "bnn-verification/models" / name, scaled);
}

// Batch normalisation after the last layer: scales and biases with all the digits of doubles.
TEST_F(ExchangeCommands, ScoresOfManyDigitsComeBack) {
  const std::string network =
      folder_.write("many.bnn",
                    "bnn 2\nshape 4:3\ninputs\n  a\n  b\n  c\n  d\noutputs\n  0\n  1\n  2\nscores lowest\n"
                    "  +-++ * 1 + 0.3333333432674407958984375\n"
                    "  ++-- * 1234567890123457/1125899906842624 + 4503599627370497/18014398509481984\n"
                    "  -+-+ * 9007199254740881/9007199254740993 + -123456789/1000000007\nend\n");
  expect_to_come_back(network, folder_);
}

TEST_F(ExchangeCommands, InfoDescribesAClassifier) {
  EXPECT_EQ(run_bnnplan({"info", network_}).output,
            "network       2:2\n"
            "weights       4, 0 of them zero\n"
            "neurons       0 constant, 0 equal or opposite to another of their layer\n"
            "inputs        2: x, y\n"
            "numbers       all inputs, from 0 to 255 in steps of 1, each a bit: at least 128\n"
            "classes       2: dark, light\n"
            "scores        scale 1, bias 0; ties go to the lowest class\n"
            "record        by hand\n");
}

}  // namespace
}  // namespace bnnplan::cli
