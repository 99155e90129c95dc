#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace bnnplan {

// The bytes of an open file or pipe, one after the other, decompressed on the way if its first bytes say that
// it is gzipped or packed by xz. Takes the descriptor and closes it. Errors are InputErrors that name `name`:
// what cannot be read, packed data that is damaged, cut off or followed by something else, a packing that is
// not known (bzip2, zstd, zip), and xz data whose dictionary takes more memory than 256 MiB.
class InputStream {
 public:
  InputStream(std::string name, int descriptor);
  InputStream(const InputStream&) = delete;
  InputStream& operator=(const InputStream&) = delete;
  ~InputStream();

  // Fills the buffer as far as one step goes; 0 only at the end.
  std::size_t read(char* buffer, std::size_t size);

 private:
  struct Source;  // the descriptor and what was read from it
  class Unpacker;
  class Gzip;
  class Xz;
  std::unique_ptr<Source> source_;
  std::unique_ptr<Unpacker> unpacker_;  // none for plain files
};

}  // namespace bnnplan
