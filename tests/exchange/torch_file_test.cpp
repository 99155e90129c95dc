#include "bnnplan/exchange/torch_file.hpp"

#include "support/archive_maker.hpp"
#include "support/input_error_of.hpp"

namespace bnnplan::exchange {
namespace {

using testing::ArchiveEntry;
using testing::input_error_of;
using testing::TorchTensor;
using testing::zip_of;

const std::vector<TorchTensor> two = {{"fc.weight", {2, 3}, {1, 2, 3, 4, 5, 6}},
                                      {"fc.bias", {2}, {-1, 0.5F}}};

void expect_two(const std::vector<NamedTensor>& tensors) {
  ASSERT_EQ(tensors.size(), 2u);
  EXPECT_EQ(tensors[0].name, "fc.weight");
  EXPECT_EQ(tensors[0].tensor, (Tensor{{2, 3}, {1, 2, 3, 4, 5, 6}}));
  EXPECT_EQ(tensors[1].name, "fc.bias");
  EXPECT_EQ(tensors[1].tensor, (Tensor{{2}, {-1, 0.5}}));
}

std::string torch_error(const std::string& bytes) {
  return input_error_of([&] { parse_torch(bytes, "n.pt"); });
}

TEST(TorchFile, BothContainers) {
  expect_two(parse_torch(testing::torch_archive_of(two), "n.pt"));
  expect_two(parse_torch(testing::torch_stream_of(two), "n.pt"));
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos);
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

std::string archive_with(const std::string& pickle, const std::string& data = std::string(24, '\0')) {
  return zip_of({{"net/data.pkl", pickle}, {"net/data/0", data}});
}

const std::vector<TorchTensor> one = {{"w", {2, 3}, {1, 2, 3, 4, 5, 6}}};

TEST(TorchFile, CheckpointsAndParameters) {
  const std::string inner = testing::torch_pickle_of(one);
  const std::string plain = inner.substr(2, inner.size() - 3);  // without version and end
  EXPECT_EQ(parse_torch(archive_with("\x80\x02}(X\x05" + std::string(3, '\0') + "epochK\x03X\x0a" +
                                     std::string(3, '\0') + "state_dict" + plain + "u."),
                        "n.pt")[0]
                .name,
            "w");
}

TEST(TorchFile, StridesAndOffsets) {
  // A transposed view: sizes 3, 2 and strides 1, 3.
  const std::string pickle = testing::torch_pickle_of(one);
  const std::string four = std::string(3, '\0');
  const std::string turned =
      replaced(pickle, "(J\x02" + four + "J\x03" + four + "t(J\x03" + four + "J\x01" + four + "t",
               "(J\x03" + four + "J\x02" + four + "t(J\x01" + four + "J\x03" + four + "t");
  std::string data;
  for (const float value : one[0].values) data.append(reinterpret_cast<const char*>(&value), 4);
  EXPECT_EQ(parse_torch(archive_with(turned, data), "n.pt")[0].tensor, (Tensor{{3, 2}, {1, 4, 2, 5, 3, 6}}));
  const std::string outside = replaced(turned, "J\x03" + four + "t\x89", "J\x04" + four + "t\x89");
  EXPECT_EQ(torch_error(archive_with(outside, data)), "n.pt: 'w' is damaged: it is outside its storage");
  // A stride of 0 makes much of little.
  const std::string large = "J" + std::string("\0\0\0\x40", 4);
  EXPECT_EQ(torch_error(archive_with(replaced(turned, "(J\x03" + four, "(" + large), data)),
            "n.pt: 'w' is too large: more than 134217728 numbers");
}

TEST(TorchFile, Hostile) {
  EXPECT_EQ(torch_error(archive_with("\x80\x02"
                                     "cposix\nsystem\n(X\x02" +
                                     std::string(3, '\0') + "lstR.")),
            "n.pt: the pickle asks for 'posix system', which the tensors of a state dict do not need: "
            "refused, nothing was executed. For a whole model, save the state dict, "
            "torch.save(model.state_dict(), FILE), or export it to ONNX (at byte 16)");
  EXPECT_EQ(torch_error(zip_of({{"net/data.pkl", "N."}, {"net/code/__torch__.py", "x"}})),
            "n.pt: a TorchScript module, expected a state dict (torch.save(model.state_dict(), ...))");
  EXPECT_EQ(torch_error(zip_of({{"a", "N."}})),
            "n.pt: not a file of torch.save: the archive has no data.pkl");
  EXPECT_EQ(torch_error(archive_with("N.")), "n.pt: not a state dict: expected a dictionary of tensors");
  EXPECT_EQ(torch_error(archive_with("}.")), "n.pt: not a state dict: it has no named tensors");
  EXPECT_EQ(torch_error(archive_with("NQ.")),
            "n.pt: the file refers to something that is not the storage of a tensor");
  EXPECT_EQ(torch_error("hello"),
            "n.pt: not a file of torch.save: neither its zip archive nor its older form");
  EXPECT_EQ(torch_error("\x80\x02N."), "n.pt: a pickle, but not a file of torch.save");
  EXPECT_EQ(torch_error(zip_of({{"net/data.pkl", testing::torch_pickle_of(one)}})),
            "n.pt: storage '0' is not in the archive");
  EXPECT_EQ(torch_error(archive_with(testing::torch_pickle_of(one), "12")),
            "n.pt: storage '0' has 2 bytes, expected 6 numbers");
  const std::string stream = testing::torch_stream_of(two);
  EXPECT_EQ(torch_error(stream.substr(0, stream.size() - 1)),
            fmt::format("n.pt: the file ends too early (at byte {})", stream.size() - 8));
}

TEST(TorchFile, CutOffAnywhere) {
  for (const std::string& whole : {testing::torch_archive_of(two), testing::torch_stream_of(two)}) {
    for (std::size_t size = 0; size < whole.size(); ++size)
      EXPECT_THROW(parse_torch(whole.substr(0, size), "n.pt"), InputError) << size;
  }
}

}  // namespace
}  // namespace bnnplan::exchange
