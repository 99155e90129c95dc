// Reads through a buffer of a quarter megabyte, compressed or not, because formulas of 300 MB are common and
// need not be in memory twice. The compression is recognised by the first bytes and not by the file name, so
// pipes work too. Several concatenated compressed streams are one text, as for gzip and xz themselves;
// anything else after the last one is an error: a damaged file must not be solved as if nothing had happened.
#include "bnnplan/base/input_stream.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <new>
#include <string_view>

#include <fmt/format.h>
#include <lzma.h>
#include <unistd.h>
#include <zlib.h>

#include "bnnplan/base/input_error.hpp"

namespace bnnplan {

namespace {

constexpr std::size_t buffer_bytes = std::size_t{1} << 18;
constexpr std::uint64_t most_dictionary_bytes = std::uint64_t{256} << 20;  // `xz -9` takes 65 MiB

// Compression formats that we recognise but do not support, by their first bytes.
constexpr struct {
  std::string_view start, name;
} foreign_packings[] = {
    {"BZh", "bzip2"}, {"\x28\xb5\x2f\xfd", "zstd"}, {"PK\x03\x04", "zip"}, {"7z\xbc\xaf", "7z"}};

}  // namespace

struct InputStream::Source {
  std::string name;
  int descriptor;
  std::unique_ptr<char[]> buffer{new char[buffer_bytes]};
  std::size_t next = 0, end = 0;  // the unread part of the buffer
  bool at_end = false;

  Source(std::string given_name, int given) : name(std::move(given_name)), descriptor(given) {}
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;
  ~Source() { ::close(descriptor); }

  std::size_t left() const { return end - next; }
  [[noreturn]] void fail(std::string_view what) const { throw InputError(name, what); }

  // Up to `size` bytes from the file; 0 at its end.
  std::size_t read(char* to, std::size_t size) {
    while (!at_end) {
      const ssize_t got = ::read(descriptor, to, size);
      if (got > 0) return static_cast<std::size_t>(got);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) fail(fmt::format("cannot read: {}", std::strerror(errno)));
      at_end = true;
    }
    return 0;
  }

  // False at the end of the file.
  bool refill() {
    next = 0;
    end = read(buffer.get(), buffer_bytes);
    return end > 0;
  }

  // The first bytes of the file, which a pipe may deliver one by one.
  std::string_view start() {
    constexpr std::size_t longest = 6;
    while (end < longest) {
      const std::size_t got = read(buffer.get() + end, buffer_bytes - end);
      if (got == 0) break;
      end += got;
    }
    return {buffer.get(), end};
  }
};

class InputStream::Unpacker {
 public:
  virtual ~Unpacker() = default;
  virtual std::size_t read(Source& source, char* buffer, std::size_t size) = 0;
};

class InputStream::Gzip final : public Unpacker {
 public:
  Gzip() {
    constexpr int gzip_only = 15 + 16;
    if (inflateInit2(&stream_, gzip_only) != Z_OK) throw std::bad_alloc();
  }
  ~Gzip() override { inflateEnd(&stream_); }

  std::size_t read(Source& source, char* buffer, std::size_t size) override {
    stream_.next_out = reinterpret_cast<Bytef*>(buffer);
    stream_.avail_out = static_cast<uInt>(size);
    while (stream_.avail_out == size) {
      const bool more = source.left() > 0 || source.refill();
      if (state_ == Z_STREAM_END) {
        if (!more) return 0;
        inflateReset(&stream_);
      }
      stream_.next_in = reinterpret_cast<Bytef*>(source.buffer.get() + source.next);
      stream_.avail_in = static_cast<uInt>(source.left());
      state_ = inflate(&stream_, Z_NO_FLUSH);
      source.next = source.end - stream_.avail_in;
      if (state_ == Z_MEM_ERROR) throw std::bad_alloc();
      const bool waits = state_ == Z_BUF_ERROR && more;
      if (state_ != Z_OK && state_ != Z_STREAM_END && !waits) source.fail("damaged or truncated gzip data");
    }
    return size - stream_.avail_out;
  }

 private:
  z_stream stream_{};
  int state_ = Z_OK;
};

class InputStream::Xz final : public Unpacker {
 public:
  Xz() {
    if (lzma_stream_decoder(&stream_, most_dictionary_bytes, LZMA_CONCATENATED) != LZMA_OK)
      throw std::bad_alloc();
  }
  ~Xz() override { lzma_end(&stream_); }

  std::size_t read(Source& source, char* buffer, std::size_t size) override {
    stream_.next_out = reinterpret_cast<std::uint8_t*>(buffer);
    stream_.avail_out = size;
    while (stream_.avail_out == size && state_ != LZMA_STREAM_END) {
      const bool more = source.left() > 0 || source.refill();
      stream_.next_in = reinterpret_cast<const std::uint8_t*>(source.buffer.get() + source.next);
      stream_.avail_in = source.left();
      state_ = lzma_code(&stream_, more ? LZMA_RUN : LZMA_FINISH);
      source.next = source.end - stream_.avail_in;
      if (state_ == LZMA_MEM_ERROR) throw std::bad_alloc();
      if (state_ == LZMA_MEMLIMIT_ERROR)
        source.fail(
            fmt::format("xz data that takes more than {} MiB to decompress, expected a smaller dictionary",
                        most_dictionary_bytes >> 20));
      if (state_ != LZMA_OK && state_ != LZMA_STREAM_END) source.fail("damaged or truncated xz data");
    }
    return size - stream_.avail_out;
  }

 private:
  lzma_stream stream_ = LZMA_STREAM_INIT;
  lzma_ret state_ = LZMA_OK;
};

InputStream::InputStream(std::string name, int descriptor)
    : source_(std::make_unique<Source>(std::move(name), descriptor)) {
  const std::string_view start = source_->start();
  if (start.starts_with("\x1f\x8b")) {
    unpacker_ = std::make_unique<Gzip>();
  } else if (start.starts_with(std::string_view("\xfd"
                                                "7zXZ\0",
                                                6))) {
    unpacker_ = std::make_unique<Xz>();
  }
  for (const auto& [bytes, packing] : foreign_packings) {
    if (start.starts_with(bytes))
      source_->fail(fmt::format("packed with {}, expected plain text, gzip or xz", packing));
  }
}

InputStream::~InputStream() = default;

std::size_t InputStream::read(char* buffer, std::size_t size) {
  if (size == 0) return 0;
  if (unpacker_ != nullptr) return unpacker_->read(*source_, buffer, size);
  if (source_->left() == 0) return source_->read(buffer, size);
  const std::size_t taken = std::min(size, source_->left());
  std::memcpy(buffer, source_->buffer.get() + source_->next, taken);
  source_->next += taken;
  return taken;
}

}  // namespace bnnplan
