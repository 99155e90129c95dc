// eval and export as a user runs them.
#include <gtest/gtest.h>

#include "base/text_file.hpp"
#include "support/run_bnnplan.hpp"
#include "support/temporary_folder.hpp"

namespace bnnplan {
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

TEST_F(ExchangeCommands, InfoDescribesAClassifier) {
  EXPECT_EQ(run_bnnplan({"info", network_}).output,
            "network       2:2\n"
            "weights       4, 0 of them zero\n"
            "neurons       0 constant, 0 equal or opposite to another of their layer\n"
            "inputs        2: x, y\n"
            "numbers       all inputs, from 0 to 255 in steps of 1, each a bit: at least 128\n"
            "classes       2: dark, light\n"
            "scores        scale 1, bias 0; of the best, the lowest class wins\n"
            "record        by hand\n");
}

}  // namespace
}  // namespace bnnplan
