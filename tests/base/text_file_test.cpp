#include "bnnplan/base/text_file.hpp"

#include <fstream>
#include <iterator>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "support/input_error_of.hpp"
#include "support/run_program.hpp"
#include "support/temporary_folder.hpp"

namespace bnnplan {
namespace {

using testing::input_error_of;
using testing::TemporaryFolder;

TEST(TextFile, WritesWholeAndReadsBack) {
  const TemporaryFolder folder;
  const auto file = folder / "a.txt";
  write_text_file(file, "one\ntwo\n");
  EXPECT_EQ(read_text_file(file), "one\ntwo\n");
  write_text_file(file, "");
  EXPECT_EQ(read_text_file(file), "");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1)
      << "no temporary file is left";
}

TEST(TextFile, ReadsGzippedFiles) {
  const TemporaryFolder folder;
  std::string text;
  for (int i = 0; i < 50'000; ++i) text += std::to_string(i) + "\n";
  write_text_file(folder / "a.gz", text);
  const std::string compressed = [&] {
    std::ifstream file(folder / "a.gz", std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  }();
  ASSERT_LT(compressed.size(), text.size() / 2);
  EXPECT_EQ(read_text_file(folder / "a.gz"), text);
  EXPECT_EQ(read_text_file(folder.write("twice.gz", compressed + compressed)), text + text);
  const std::string cut = folder.write("cut.gz", compressed.substr(0, compressed.size() - 10));
  EXPECT_EQ(input_error_of([&] { read_text_file(cut); }), cut + ": damaged or truncated gzip data");
  const std::string damaged = folder.write("damaged.gz", compressed + "rest");
  EXPECT_EQ(input_error_of([&] { read_text_file(damaged); }), damaged + ": damaged or truncated gzip data");
  const std::string large = (folder / "a.gz").string();
  EXPECT_EQ(input_error_of([&] { read_text_file(large, compressed.size()); }),
            large + ": too large: more than " + std::to_string(compressed.size()) + " bytes");
}

TEST(TextFile, ReadsHowAFileBegins) {
  const testing::TemporaryFolder folder;
  write_text_file(folder / "plain", "0123456789");
  write_text_file(folder / "packed.gz", "0123456789");
  for (const char* name : {"plain", "packed.gz"}) {
    EXPECT_EQ(read_beginning(folder / name, 4), "0123") << name;
    EXPECT_EQ(read_beginning(folder / name, 100), "0123456789") << name;
  }
  EXPECT_EQ(read_beginning(folder / "none", 4), std::nullopt);
  EXPECT_EQ(read_beginning(folder.path(), 4), std::nullopt) << "a directory";
}

// As gzip above, in one stream or in several.
TEST(TextFile, XzIsUnpacked) {
  const TemporaryFolder folder;
  std::string text;
  for (int i = 0; i < 200'000; ++i) text += std::to_string(i * 7919 % 10007) + "\n";
  const std::string plain = folder.write("a", text), packed = plain + ".xz";
  ASSERT_EQ(testing::run_program({"xz", "-k", plain}).exit_code, 0);
  EXPECT_EQ(read_text_file(packed), text);
  std::ifstream file(packed, std::ios::binary);
  const std::string compressed{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(read_text_file(folder.write("twice", compressed + compressed)), text + text);
  const std::string message = ": damaged or truncated xz data";
  for (const std::size_t length :
       {std::size_t{6}, std::size_t{12}, compressed.size() / 2, compressed.size() - 1}) {
    const std::string cut = folder.write("cut", compressed.substr(0, length));
    EXPECT_EQ(input_error_of([&] { read_text_file(cut); }), cut + message) << length;
  }
  std::string flipped = compressed;
  flipped[compressed.size() / 2] ^= 1;
  const std::string damaged = folder.write("damaged", flipped),
                    trailed = folder.write("trailed", compressed + "rest");
  EXPECT_EQ(input_error_of([&] { read_text_file(damaged); }), damaged + message);
  EXPECT_EQ(input_error_of([&] { read_text_file(trailed); }), trailed + message);
  EXPECT_EQ(input_error_of([&] { read_text_file(packed, 1000); }),
            packed + ": too large: more than 1000 bytes");
  // The header of the first block: its size, flags, the filter, its one property (the dictionary), padding,
  // and a checksum. 34 stands for 512 MiB.
  std::string greedy = compressed;
  ASSERT_EQ(greedy.substr(12, 4), std::string("\x02\x00\x21\x01", 4));
  greedy[16] = 34;
  const auto checksum = ::crc32(0, reinterpret_cast<const Bytef*>(greedy.data() + 12), 8);
  for (int i = 0; i < 4; ++i) greedy[20 + static_cast<std::size_t>(i)] = static_cast<char>(checksum >> 8 * i);
  const std::string too_greedy = folder.write("greedy", greedy);
  EXPECT_EQ(
      input_error_of([&] { read_text_file(too_greedy); }),
      too_greedy + ": xz data that takes more than 256 MiB to decompress, expected a smaller dictionary");
}

TEST(TextFile, OtherPackingsAreNamed) {
  const TemporaryFolder folder;
  for (const auto& [start, name] : {std::pair<std::string, std::string>{"BZh9", "bzip2"},
                                    {"\x28\xb5\x2f\xfd", "zstd"},
                                    {"PK\x03\x04", "zip"},
                                    {"7z\xbc\xaf", "7z"}}) {
    const std::string file = folder.write("f", start + "rest");
    EXPECT_EQ(input_error_of([&] { read_text_file(file); }),
              file + ": packed with " + name + ", expected plain text, gzip or xz");
  }
  EXPECT_EQ(read_text_file(folder.write("short", "B")), "B");
  EXPECT_EQ(read_text_file(folder.write("empty", "")), "");
}

TEST(TextFile, KeepsPermissionsAndLinks) {
  const TemporaryFolder folder;
  write_text_file(folder / "real", "old");
  ::chmod((folder / "real").c_str(), 0600);
  std::filesystem::create_symlink("real", folder / "link");
  write_text_file(folder / "link", "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_EQ(read_text_file(folder / "real"), "new");
  EXPECT_EQ(std::filesystem::status(folder / "real").permissions(), std::filesystem::perms(0600));
}

TEST(TextFile, SaysWhatIsWrong) {
  const TemporaryFolder folder;
  const std::string missing = (folder / "missing").string();
  EXPECT_EQ(input_error_of([&] { read_text_file(missing); }),
            missing + ": cannot read: No such file or directory");
  EXPECT_EQ(input_error_of([&] { read_text_file(folder.path()); }),
            folder.path().string() + ": cannot read: Is a directory");
  const std::string binary = folder.write("binary", std::string_view("ab\0c", 4));
  EXPECT_EQ(input_error_of([&] { read_text_file(binary); }),
            binary + ": not a text file: it has a zero byte at offset 2");
  EXPECT_EQ(input_error_of([&] { read_text_file("/dev/zero"); }),
            "/dev/zero: not a text file: it has a zero byte at offset 0")
      << "at once, not after all there is";
  EXPECT_EQ(input_error_of([&] { read_text_file(folder.write("long", "12345"), 4); }),
            (folder / "long").string() + ": too large: more than 4 bytes");
  EXPECT_EQ(input_error_of([&] { write_text_file(folder.path(), "x"); }),
            folder.path().string() + ": cannot write: Is a directory");
  EXPECT_EQ(input_error_of([&] { write_text_file(folder / "no" / "file", "x"); }),
            (folder / "no" / "file").string() + ": cannot write: No such file or directory");
  EXPECT_EQ(input_error_of([&] { write_text_file("/dev/full", "x"); }),
            "/dev/full: cannot write: No space left on device");
}

TEST(LineReader, CountsAndStripsLineEnds) {
  LineReader lines("a\r\n\nb");
  std::string_view line;
  ASSERT_TRUE(lines.next(line));
  EXPECT_EQ(line, "a");
  ASSERT_TRUE(lines.next(line));
  EXPECT_EQ(line, "");
  ASSERT_TRUE(lines.next(line));
  EXPECT_EQ(line, "b");
  EXPECT_EQ(lines.number(), 3u);
  EXPECT_FALSE(lines.next(line));
  EXPECT_EQ(trimmed(" \t a b \t"), "a b");
}

}  // namespace
}  // namespace bnnplan
