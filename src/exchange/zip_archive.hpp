#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bnnplan::exchange {

struct ZipEntry {
  std::string name;
  std::uint64_t size = 0;         // unpacked
  std::uint64_t packed_size = 0;  // in the archive
  std::uint64_t start = 0;        // of its data in the archive
  std::uint32_t checksum = 0;
  bool deflated = false;  // stored otherwise
};

// An untrusted zip archive in memory. Reading it takes time and memory in proportion to the archive and to
// the stated unpacked sizes of its entries, at most `zip_limit` in total: entries that overlap, that unpack
// to more or less than stated, encrypted ones and unsupported compression methods are InputErrors that name
// the archive.
constexpr std::uint64_t zip_limit = std::uint64_t{1} << 30;

class ZipArchive {
 public:
  // `bytes` must outlive the archive.
  ZipArchive(std::string_view bytes, std::string name);

  const std::vector<ZipEntry>& entries() const { return entries_; }  // in the order of its directory
  std::string unpack(const ZipEntry& entry) const;                   // checks its checksum

 private:
  void read_directory();
  void place(ZipEntry& entry) const;
  void refuse_overlaps() const;
  [[noreturn]] void fail(std::string_view what) const;

  std::string_view bytes_;
  std::string name_;
  std::vector<ZipEntry> entries_;
};

}  // namespace bnnplan::exchange
