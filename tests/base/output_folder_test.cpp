#include "bnnplan/base/output_folder.hpp"

#include <optional>

#include <gtest/gtest.h>

#include "bnnplan/base/input_error.hpp"
#include "support/temporary_folder.hpp"

namespace bnnplan {
namespace {

using testing::TemporaryFolder;

std::string refusal(const std::filesystem::path& folder) {
  try {
    const OutputFolder made(folder);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(OutputFolder, IsMadeWithThoseAbove) {
  const TemporaryFolder folder;
  EXPECT_EQ(refusal(folder / "a" / "b"), "");
  EXPECT_TRUE(std::filesystem::is_directory(folder / "a" / "b"));
  EXPECT_TRUE(std::filesystem::is_empty(folder / "a" / "b")) << "the lock is not a file";
}

TEST(OutputFolder, BelongsToOneAtATime) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder / "results";
  std::optional<OutputFolder> first(std::in_place, path);
  EXPECT_EQ(refusal(path), path.string() + ": another run is writing to this folder");
  EXPECT_EQ(refusal(folder / "other"), "");
  first.reset();
  EXPECT_EQ(refusal(path), "");
}

TEST(OutputFolder, LosesWhatAKilledRunLeft) {
  const TemporaryFolder folder;
  folder.write("index.csv.U3ZKKu.tmp", "half");
  for (const char* kept : {"index.csv", "index.csv.tmp", "a.U3ZKKu", "b.long-name.tmp", "c.U3Z-Ku.tmp"})
    folder.write(kept, "");
  {
    const OutputFolder made(folder.path());
    folder.write("mine.aaaaaa.tmp", "");
    EXPECT_NE(refusal(folder.path()), "");
  }
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 6);
  EXPECT_TRUE(std::filesystem::exists(folder / "mine.aaaaaa.tmp")) << "a refused run removes nothing";
}

TEST(OutputFolder, ThatCannotBeMade) {
  const TemporaryFolder folder;
  const std::string file = folder.write("file", "");
  EXPECT_EQ(refusal(std::filesystem::path(file) / "below"),
            file + "/below: cannot create this folder: Not a directory");
}

}  // namespace
}  // namespace bnnplan
