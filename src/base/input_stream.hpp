#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace bnnplan {

// The bytes of an open file or pipe in order, decompressed on the fly if the first bytes say gzip or xz.
// Takes ownership of the descriptor. Errors are InputErrors that name `name`: read errors, compressed data
// that is damaged, truncated or followed by something else, an unsupported compression (bzip2, zstd, zip),
// and xz data whose dictionary takes more than 256 MiB.
class InputStream {
 public:
  InputStream(std::string name, int descriptor);
  InputStream(const InputStream&) = delete;
  InputStream& operator=(const InputStream&) = delete;
  ~InputStream();

  // Reads at most `size` bytes, possibly fewer; 0 only at the end.
  std::size_t read(char* buffer, std::size_t size);

 private:
  struct Source;  // the descriptor and its buffer
  class Unpacker;
  class Gzip;
  class Xz;
  std::unique_ptr<Source> source_;
  std::unique_ptr<Unpacker> unpacker_;  // null for plain files
};

}  // namespace bnnplan
