// Files of other tools that mean harm: archives that unpack to much, sizes that are only stated, pickles that
// call functions or have no end, graphs that grow. One line, little memory, and nothing executed.
#include <filesystem>

#include <gtest/gtest.h>

#include "attack.hpp"
#include "support/archive_maker.hpp"
#include "support/onnx_maker.hpp"

namespace bnnplan::testing {
namespace {

class ForeignNetwork : public ::testing::Test {
 protected:
  Attack import(const char* format, const std::string& content) const {
    return attack(
        {"import", format, folder_.write("f", content), "--bits=-1,1", "-o", (folder_ / "n.bnn").string()});
  }
  TemporaryFolder folder_;
};

// `size` zeros, `count` times the same; the directory may state more.
std::string bomb(int count, std::size_t size, std::uint64_t stated = 0) {
  std::vector<ArchiveEntry> entries;
  const std::string zeros = npy_of("|i1", "(" + std::to_string(size) + ",)", std::string(size, '\0'));
  for (int i = 0; i < count; ++i)
    entries.push_back({"layer" + std::to_string(i) + "/weight.npy", i == 0 ? zeros : "", true,
                       stated != 0 ? stated : zeros.size(), i > 0});
  return zip_of(entries);
}

TEST_F(ForeignNetwork, ZipBombs) {
  const std::string six = bomb(6, 1'000'000, 200'000'000), two = bomb(2, 1'000'000),
                    one = bomb(1, 150'000'000);
  expect_refused(import("npz", six), "the zip archive unpacks to more than 1073741824 bytes", 50);
  expect_refused(import("npz", two), "overlap in the zip archive", 50);
  expect_refused(import("npz", one), "numbers, more than 134217728", 300);
}

TEST_F(ForeignNetwork, StatedSizes) {
  expect_refused(import("npz", zip_of({{"layer0/weight.npy", npy_of("<f4", "(30000, 4000)", "1234")}})),
                 "an array of 30000 x 4000 with 4 bytes", 50);
  std::string one = torch_stream_of({{"w", {1, 1}, {1}}});
  const std::string number = "J" + little(1, 4), large = "J" + little(100'000'000, 4);
  one.replace(one.find(number), number.size(), large);  // the length of its storage
  expect_refused(import("torch", one), "storage '0' has 1 numbers, expected 100000000", 50);
  OnnxMaker maker;
  maker.input("x", {1, 1'000'000'000'000});
  expect_refused(import("onnx", maker.bytes()), "an input of 1 x 1000000000000", 50);
}

TEST_F(ForeignNetwork, PicklesThatCall) {
  const std::string mark = (folder_ / "executed").string();
  for (const char* global :
       {"posix\nsystem\n", "os\nsystem\n", "builtins\neval\n", "subprocess\nPopen\n", "torch\nload\n"}) {
    const std::string pickle = std::string("\x80\x02") + "c" + global + "X" + little(mark.size() + 6, 4) +
                               "touch " + mark + "\x85R.";
    expect_refused(import("torch", zip_of({{"a/data.pkl", pickle}})), "refused, nothing was executed", 50);
  }
  EXPECT_FALSE(std::filesystem::exists(mark));
}

TEST_F(ForeignNetwork, PicklesWithoutEnd) {
  const auto archive = [](const std::string& pickle) {
    return zip_of({{"a/data.pkl", "\x80\x02" + pickle, true}});
  };
  expect_refused(import("torch", archive(repeated("]", 50'000'000))),
                 "the pickle has more than 1048576 values", 300);
  expect_refused(import("torch", archive(repeated("(", 50'000'000))),
                 "the pickle has more than 1048576 values", 300);
  expect_refused(import("torch", archive(repeated("]", 1'000'000) + repeated("a", 999'999) + ".")),
                 "not a state dict", 300);
  expect_refused(import("torch", archive("}q" + std::string(1, '\0') + "X" + little(1, 4) + "ah" +
                                         std::string(1, '\0') + "s.")),
                 "not a state dict", 50);
}

TEST_F(ForeignNetwork, GraphsThatGrow) {
  OnnxMaker large;
  large.input("x", {1, 2})
      .integers("many", {1 << 14, 1 << 14})
      .node("ConstantOfShape", {"many"}, {"c"})
      .output("c");
  expect_refused(import("onnx", large.bytes()), "more than 67108864 numbers at a time", 50);
  OnnxMaker long_number;
  long_number.input("x", {1, 2}).floats("c0", {}, {0.1F});
  for (int i = 0; i < 1000; ++i)
    long_number.node("Mul", {"c" + std::to_string(i), "c" + std::to_string(i)},
                     {"c" + std::to_string(i + 1)});
  expect_refused(import("onnx", long_number.output("c1000").bytes()), "a number of more than 40000 bits", 50);
  expect_refused(
      import("onnx", OnnxMaker().raw_graph_field(repeated(std::string("\x0a\x00", 2), 9'000'000)).bytes()),
      "whose nodes and names take more than 16777216 bytes", 100);
}

}  // namespace
}  // namespace bnnplan::testing
