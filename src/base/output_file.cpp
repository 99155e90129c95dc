// Output goes through a large buffer into a temporary file that is renamed when it is complete, so an
// interrupted run, a full disk or two runs at once never leave half a file under the real name. Neither does
// a power failure: the content is on disk before the rename (fsync), which some file systems would otherwise
// reorder, and the rename is on disk before commit() returns.
#include "bnnplan/base/output_file.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <lzma.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "bnnplan/base/input_error.hpp"
#include "bnnplan/base/limits.hpp"
#include "bnnplan/base/temporary_path.hpp"

namespace bnnplan {

namespace {

// Compresses with xz into a descriptor.
class XzCompressor {
 public:
  // Level 6, the default of the xz program. False if there is not enough memory.
  bool begin() { return lzma_easy_encoder(&stream_, 6, LZMA_CHECK_CRC64) == LZMA_OK; }
  ~XzCompressor() { lzma_end(&stream_); }

  // False, with errno set, if writing fails.
  bool write(int descriptor, const char* data, std::size_t size) {
    stream_.next_in = reinterpret_cast<const std::uint8_t*>(data);
    stream_.avail_in = size;
    while (stream_.avail_in > 0) {
      if (!step(descriptor, LZMA_RUN)) return false;
    }
    return true;
  }
  bool finish(int descriptor) {
    while (!ended_) {
      if (!step(descriptor, LZMA_FINISH)) return false;
    }
    return true;
  }

 private:
  bool step(int descriptor, lzma_action action) {
    stream_.next_out = packed_.data();
    stream_.avail_out = packed_.size();
    const lzma_ret result = lzma_code(&stream_, action);
    if (result != LZMA_OK && result != LZMA_STREAM_END) {
      errno = result == LZMA_MEM_ERROR ? ENOMEM : EIO;
      return false;
    }
    ended_ = result == LZMA_STREAM_END;
    const std::uint8_t* next = packed_.data();
    while (next < stream_.next_out) {
      const ssize_t written = ::write(descriptor, next, static_cast<std::size_t>(stream_.next_out - next));
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return false;
      next += written;
    }
    return true;
  }

  lzma_stream stream_ = LZMA_STREAM_INIT;
  std::array<std::uint8_t, 1 << 16> packed_{};
  bool ended_ = false;
};

}  // namespace

struct OutputFile::Target {
  std::filesystem::path path;   // as given, for messages
  std::filesystem::path final;  // after following links
  std::string temporary;        // empty if the file is written directly
  std::optional<TemporaryPath> registered;
  int descriptor = -1;
  gzFile compressor = nullptr;  // writes to its own descriptor
  std::unique_ptr<XzCompressor> xz;

  [[noreturn]] void fail(int error) const {
    throw InputError(path == "-" ? "standard output" : path.string(),
                     fmt::format("cannot write: {}", std::strerror(error)));
  }

  void write(const char* data, std::size_t size) {
    if (xz) {
      if (!xz->write(descriptor, data, size)) fail(errno);
      return;
    }
    while (size > 0) {
      if (compressor != nullptr) {
        errno = 0;
        const int written = gzwrite(compressor, data, static_cast<unsigned>(size));
        if (written <= 0) fail(errno != 0 ? errno : EIO);
        data += written;
        size -= static_cast<std::size_t>(written);
        continue;
      }
      const ssize_t written = ::write(descriptor, data, size);
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail(errno);
      data += written;
      size -= static_cast<std::size_t>(written);
    }
  }

  // Ends the writing. If `synced`, a regular file is then on disk.
  bool close(bool synced) {
    errno = 0;
    bool good = compressor == nullptr || gzclose(compressor) == Z_OK;
    compressor = nullptr;
    // A file that is not committed is deleted: no need to compress its end.
    if (good && synced && xz) good = xz->finish(descriptor);
    xz.reset();
    if (good && synced && !temporary.empty()) good = sync(descriptor);
    if (descriptor > STDERR_FILENO && ::close(descriptor) != 0) good = false;
    descriptor = -1;
    return good;
  }

  // False on an error that means lost data. These error codes mean that there is nothing to sync.
  static bool sync(int descriptor) {
    while (::fsync(descriptor) != 0) {
      if (errno == EINTR) continue;
      return errno == EINVAL || errno == ENOTSUP || errno == ENOSYS || errno == EROFS;
    }
    return true;
  }

  bool sync_folder() const {
    const std::filesystem::path folder = final.has_parent_path() ? final.parent_path() : ".";
    const int opened = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (opened < 0) return true;  // the folder is writable but not readable
    const bool good = sync(opened);
    const int error = errno;
    ::close(opened);
    errno = error;
    return good;
  }
};

OutputFile::OutputFile(const std::filesystem::path& path)
    : target_(std::make_unique<Target>()), buffer_(new char[buffer_size]), end_(buffer_.get()) {
  target_->path = path;
  target_->final = path;
  if (path == "-") {
    target_->descriptor = STDOUT_FILENO;
    return;
  }
  struct stat status {};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) target_->fail(EISDIR);
  if (exists && !S_ISREG(status.st_mode)) {
    target_->descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (target_->descriptor < 0) target_->fail(errno);
  } else {
    // A link stays in place: the file it points to is replaced.
    if (exists) target_->final = std::filesystem::canonical(path);
    if (exists && ::access(target_->final.c_str(), W_OK) != 0) target_->fail(errno);
    target_->temporary = target_->final.string() + ".XXXXXX.tmp";
    target_->descriptor = ::mkostemps(target_->temporary.data(), 4, O_CLOEXEC);
    if (target_->descriptor < 0) {
      target_->temporary.clear();
      target_->fail(errno);
    }
    target_->registered.emplace(target_->temporary);
    const mode_t mask = ::umask(0);
    ::umask(mask);
    ::fchmod(target_->descriptor, exists ? status.st_mode & 07777 : 0666 & ~mask);
  }
  if (path.extension() == ".gz") {
    const int own = ::fcntl(target_->descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (own < 0) target_->fail(errno);
    target_->compressor = gzdopen(own, "wb6");
    if (target_->compressor == nullptr) {
      ::close(own);
      target_->fail(ENOMEM);
    }
  } else if (path.extension() == ".xz") {
    target_->xz = std::make_unique<XzCompressor>();
    if (!target_->xz->begin()) target_->fail(ENOMEM);
  }
}

OutputFile::~OutputFile() {
  target_->close(false);
  if (!target_->temporary.empty()) ::unlink(target_->temporary.c_str());
}

void OutputFile::write_slowly(std::string_view text) {
  flush();
  if (text.size() <= buffer_size) return write(text);
  target_->write(text.data(), text.size());
}

void OutputFile::flush() {
  if (watch_ != nullptr) watch_->check();
  target_->write(buffer_.get(), static_cast<std::size_t>(end_ - buffer_.get()));
  end_ = buffer_.get();
}

void OutputFile::commit() {
  flush();
  if (!target_->close(true)) target_->fail(errno != 0 ? errno : EIO);
  if (target_->temporary.empty()) return;
  if (std::rename(target_->temporary.c_str(), target_->final.c_str()) != 0) target_->fail(errno);
  target_->temporary.clear();
  if (!target_->sync_folder()) target_->fail(errno);
}

std::optional<std::uint64_t> free_space(const std::filesystem::path& path) {
  std::error_code error;
  const auto kind = std::filesystem::status(path, error).type();
  const bool regular =
      kind == std::filesystem::file_type::regular || kind == std::filesystem::file_type::not_found;
  if (path == "-" || path.extension() == ".gz" || !regular) return std::nullopt;
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  const std::filesystem::space_info space = std::filesystem::space(folder, error);
  return error ? std::optional<std::uint64_t>() : space.available;
}

void require_writable(const std::filesystem::path& path) {
  struct stat status {};
  const bool special =
      ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
  if (special) return;  // opening and closing a pipe would end its reader
  const OutputFile probe(path);
}

}  // namespace bnnplan
