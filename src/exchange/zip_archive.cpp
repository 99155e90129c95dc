// Reads zip archives as numpy.savez and torch.save write them, stored or deflated, with 64-bit sizes.
//
// The directory at the end lists the content; the headers before the data are only used to find where the
// data begins, since some writers leave their sizes empty. Three things make archives dangerous. An entry may
// unpack to a thousand times its size, and many entries may share the same data ("zip bombs"): the sizes
// stated in the directory are added up before anything is unpacked, unpacking stops at the stated size, and
// entries that share bytes are refused. The directory may state a size or an offset outside the file: every
// number is checked against the file. And it may have millions of entries: each takes at least 46 bytes of
// the file. zlib does the unpacking; libzip would bring encryption, writing and a dependency for these 150
// lines.
#include "bnnplan/exchange/zip_archive.hpp"

#include <algorithm>
#include <unordered_set>

#include <fmt/format.h>
#include <zlib.h>

#include "bnnplan/base/input_error.hpp"
#include "bnnplan/exchange/byte_reader.hpp"

namespace bnnplan::exchange {

namespace {

constexpr std::string_view end_signature = "PK\x05\x06", far_end_signature = "PK\x06\x06",
                           far_end_locator_signature = "PK\x06\x07", directory_signature = "PK\x01\x02",
                           entry_signature = "PK\x03\x04";
constexpr std::size_t end_size = 22, far_end_locator_size = 20, longest_comment = 0xffff;
constexpr std::uint64_t far = 0xffffffff;  // "see the 64-bit field"

struct Directory {
  std::uint64_t start = 0, size = 0, entries = 0;
};

// The offset of the end record; npos if there is none.
std::size_t find_end(std::string_view bytes) {
  if (bytes.size() < end_size) return std::string_view::npos;
  const std::size_t last = bytes.size() - end_size;
  const std::size_t first = last > longest_comment ? last - longest_comment : 0;
  for (std::size_t at = last + 1; at-- > first;) {
    if (bytes.substr(at, 4) != end_signature) continue;
    const auto comment =
        static_cast<unsigned char>(bytes[at + 20]) | static_cast<unsigned char>(bytes[at + 21]) << 8;
    if (at + end_size + static_cast<std::size_t>(comment) == bytes.size()) return at;
  }
  return std::string_view::npos;
}

// Sizes and offsets of an entry that do not fit into 32 bits are in field 1 of `extra`, in this order.
void read_far_sizes(ZipEntry& entry, std::string_view extra, const std::string& name) {
  ByteReader fields(extra, name);
  while (fields.left() >= 4) {
    const std::uint64_t kind = fields.number(2);
    const std::uint64_t size = fields.number(2);
    if (size > fields.left()) return;  // padding that is not a field; some writers have it
    const std::string_view content = fields.take(size);
    if (kind != 1) continue;
    ByteReader numbers(content, name);
    for (std::uint64_t* number : {&entry.size, &entry.packed_size, &entry.start})
      if (*number == far) *number = numbers.number(8);
    return;
  }
}

}  // namespace

ZipArchive::ZipArchive(std::string_view bytes, std::string name) : bytes_(bytes), name_(std::move(name)) {
  read_directory();
  for (ZipEntry& entry : entries_) place(entry);
  refuse_overlaps();
}

void ZipArchive::fail(std::string_view what) const { throw InputError(name_, what); }

void ZipArchive::read_directory() {
  const std::size_t end = find_end(bytes_);
  if (end == std::string_view::npos) fail("not a zip archive, or truncated: it has no directory at its end");
  ByteReader record(bytes_, name_, end + 4);
  const std::uint64_t disk = record.number(2), first_disk = record.number(2);
  Directory directory;
  directory.entries = record.number(2);
  record.number(2);
  directory.size = record.number(4);
  directory.start = record.number(4);
  const bool is_far = end >= far_end_locator_size &&
                      bytes_.substr(end - far_end_locator_size, 4) == far_end_locator_signature;
  if (is_far) {
    ByteReader locator(bytes_, name_, end - far_end_locator_size + 8);
    const std::uint64_t far_end = locator.number(8);
    if (far_end > end) fail("the zip archive's 64-bit directory is outside the file");
    ByteReader far_record(bytes_, name_, static_cast<std::size_t>(far_end));
    if (far_record.take(4) != far_end_signature) fail("the zip archive's 64-bit directory is damaged");
    far_record.take(20);  // size, versions, disks
    directory.entries = far_record.number(8);
    far_record.number(8);
    directory.size = far_record.number(8);
    directory.start = far_record.number(8);
  } else if (disk != 0 || first_disk != 0) {
    fail("a zip archive in several parts");
  }
  if (directory.start > end || directory.size > end - directory.start)
    fail("the zip archive's directory is outside the file");

  ByteReader reader(bytes_.substr(0, static_cast<std::size_t>(directory.start + directory.size)), name_,
                    static_cast<std::size_t>(directory.start));
  std::unordered_set<std::string> names;
  std::uint64_t total = 0;
  for (std::uint64_t i = 0; i < directory.entries; ++i) {
    if (reader.take(4) != directory_signature) reader.fail("the zip archive's directory is damaged");
    reader.take(4);  // versions
    const std::uint64_t flags = reader.number(2), method = reader.number(2);
    reader.take(4);  // time and date
    ZipEntry entry;
    entry.checksum = static_cast<std::uint32_t>(reader.number(4));
    entry.packed_size = reader.number(4);
    entry.size = reader.number(4);
    const std::uint64_t name_size = reader.number(2), extra_size = reader.number(2),
                        comment_size = reader.number(2);
    reader.take(8);  // disk, attributes
    entry.start = reader.number(4);
    entry.name = reader.take(name_size);
    read_far_sizes(entry, reader.take(extra_size), name_);
    reader.take(comment_size);
    if ((flags & 1) != 0) fail(fmt::format("'{}' in the zip archive is encrypted", printable(entry.name)));
    if (method != 0 && method != 8)
      fail(fmt::format("'{}' in the zip archive is compressed by method {}, expected stored or deflated",
                       printable(entry.name), method));
    entry.deflated = method == 8;
    if (entry.size > zip_limit - total)
      fail(fmt::format("the zip archive unpacks to more than {} bytes", zip_limit));
    total += entry.size;
    if (!names.insert(entry.name).second)
      fail(fmt::format("'{}' is in the zip archive twice", printable(entry.name)));
    entries_.push_back(std::move(entry));
  }
}

// Advances `start` from the header of an entry to its data.
void ZipArchive::place(ZipEntry& entry) const {
  if (entry.start > bytes_.size())
    fail(fmt::format("'{}' is outside the zip archive", printable(entry.name)));
  ByteReader header(bytes_, name_, static_cast<std::size_t>(entry.start));
  if (header.take(4) != entry_signature)
    header.fail("the zip archive is damaged: no entry where its directory has one");
  header.take(22);
  const std::uint64_t name_size = header.number(2), extra_size = header.number(2);
  header.take(name_size + extra_size);
  if (entry.packed_size > header.left())
    fail(fmt::format("'{}' is truncated in the zip archive", printable(entry.name)));
  if (!entry.deflated && entry.size != entry.packed_size)
    fail(fmt::format("'{}' in the zip archive is not compressed, but has two sizes", printable(entry.name)));
  entry.start = header.at();
}

void ZipArchive::refuse_overlaps() const {
  std::vector<const ZipEntry*> order;
  for (const ZipEntry& entry : entries_)
    if (entry.packed_size > 0) order.push_back(&entry);
  std::sort(order.begin(), order.end(),
            [](const ZipEntry* a, const ZipEntry* b) { return a->start < b->start; });
  for (std::size_t i = 1; i < order.size(); ++i) {
    if (order[i - 1]->start + order[i - 1]->packed_size > order[i]->start)
      fail(fmt::format("'{}' and '{}' overlap in the zip archive", printable(order[i - 1]->name),
                       printable(order[i]->name)));
  }
}

std::string ZipArchive::unpack(const ZipEntry& entry) const {
  const std::string_view packed =
      bytes_.substr(static_cast<std::size_t>(entry.start), static_cast<std::size_t>(entry.packed_size));
  std::string content;
  if (entry.deflated) {
    // Deflate compresses to about a thousandth at best: a larger stated size is not even allocated.
    if (entry.size / 1100 > entry.packed_size)
      fail(fmt::format("'{}' in the zip archive is damaged", printable(entry.name)));
    content.resize(static_cast<std::size_t>(entry.size) + 1);  // one more byte, to notice excess data
    z_stream stream{};
    if (::inflateInit2(&stream, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream.avail_in = static_cast<uInt>(packed.size());
    stream.next_out = reinterpret_cast<Bytef*>(content.data());
    stream.avail_out = static_cast<uInt>(content.size());
    const int outcome = ::inflate(&stream, Z_FINISH);
    const bool whole = outcome == Z_STREAM_END && stream.total_out == entry.size && stream.avail_in == 0;
    ::inflateEnd(&stream);
    if (!whole) fail(fmt::format("'{}' in the zip archive is damaged", printable(entry.name)));
    content.pop_back();
  } else {
    content = packed;
  }
  const auto sum =
      ::crc32(0, reinterpret_cast<const Bytef*>(content.data()), static_cast<uInt>(content.size()));
  if (sum != entry.checksum)
    fail(fmt::format("'{}' in the zip archive is damaged: its checksum is wrong", printable(entry.name)));
  return content;
}

}  // namespace bnnplan::exchange
