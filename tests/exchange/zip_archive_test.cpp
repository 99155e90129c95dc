#include "bnnplan/exchange/zip_archive.hpp"

#include "support/archive_maker.hpp"
#include "support/input_error_of.hpp"

namespace bnnplan::exchange {
namespace {

using testing::input_error_of;
using testing::zip_of;

TEST(ZipArchive, StoredAndDeflatedEntries) {
  const std::string bytes = zip_of({{"a", "hello"}, {"b/c", std::string(5000, 'x'), true}, {"empty", ""}});
  const ZipArchive archive(bytes, "f.zip");
  ASSERT_EQ(archive.entries().size(), 3u);
  EXPECT_EQ(archive.unpack(archive.entries()[0]), "hello");
  EXPECT_EQ(archive.entries()[1].name, "b/c");
  EXPECT_EQ(archive.unpack(archive.entries()[1]), std::string(5000, 'x'));
  EXPECT_EQ(archive.unpack(archive.entries()[2]), "");
}

TEST(ZipArchive, AnArchiveWithoutEntries) { EXPECT_TRUE(ZipArchive(zip_of({}), "f").entries().empty()); }

TEST(ZipArchive, WhatIsNoArchive) {
  for (const std::string& bytes : {std::string(), std::string("PK\x03\x04"), std::string(100, 'x')})
    EXPECT_EQ(input_error_of([&] { ZipArchive(bytes, "f.zip"); }),
              "f.zip: not a zip archive, or truncated: it has no directory at its end");
}

// Every way to cut an archive off, and every way to change one byte of it, is an error or harmless.
TEST(ZipArchive, DamagedArchives) {
  const std::string whole = zip_of({{"a", "hello"}, {"b", std::string(300, 'x'), true}});
  const auto read_all = [](const std::string& bytes) {
    try {
      const ZipArchive archive(bytes, "f");
      for (const ZipEntry& entry : archive.entries()) (void)archive.unpack(entry);
      return true;
    } catch (const InputError&) {
      return false;
    }
  };
  EXPECT_TRUE(read_all(whole));
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_FALSE(read_all(whole.substr(0, size))) << size;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const char change : {'\x01', '\x80', '\xff'}) {
      std::string changed = whole;
      changed[at] = static_cast<char>(changed[at] ^ change);
      (void)read_all(changed);
    }
  }
}

TEST(ZipArchive, AChecksumThatIsAnother) {
  std::string bytes = zip_of({{"a", "hello"}});
  bytes[31] = 'j';
  const ZipArchive archive(bytes, "f.zip");
  EXPECT_EQ(input_error_of([&] { (void)archive.unpack(archive.entries()[0]); }),
            "f.zip: 'a' in the zip archive is damaged: its checksum is wrong");
}

TEST(ZipArchive, BombsAreRefusedByWhatTheyState) {
  EXPECT_EQ(input_error_of([] {
              ZipArchive(zip_of({{"a", "x", true, zip_limit + 1}}), "f.zip");
            }),
            "f.zip: the zip archive unpacks to more than 1073741824 bytes");
  EXPECT_EQ(input_error_of([] {
              ZipArchive(zip_of({{"a", "x", true, zip_limit}, {"b", "x", true, 1}}), "f.zip");
            }),
            "f.zip: the zip archive unpacks to more than 1073741824 bytes");
  // States less than it unpacks to, and more than it can unpack to: nothing is allocated for that.
  for (const std::uint64_t stated : {std::uint64_t{10}, zip_limit / 2}) {
    const std::string bytes = zip_of({{"a", std::string(100'000, '\0'), true, stated}});
    const ZipArchive archive(bytes, "f.zip");
    EXPECT_EQ(input_error_of([&] { (void)archive.unpack(archive.entries()[0]); }),
              "f.zip: 'a' in the zip archive is damaged");
  }
}

TEST(ZipArchive, EntriesThatShareTheirData) {
  EXPECT_EQ(input_error_of([] {
              ZipArchive(zip_of({{"a", "hello"}, {"b", "hello", false, 0, true}}), "f.zip");
            }),
            "f.zip: 'a' and 'b' overlap in the zip archive");
}

TEST(ZipArchive, ANameTwice) {
  EXPECT_EQ(input_error_of([] {
              ZipArchive(zip_of({{"a", "1"}, {"a", "2"}}), "f.zip");
            }),
            "f.zip: 'a' is in the zip archive twice");
}

}  // namespace
}  // namespace bnnplan::exchange
