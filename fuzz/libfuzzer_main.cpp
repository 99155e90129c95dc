// The entry point of libFuzzer, which has its own main. The environment variable READER names the reader.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "fuzz_target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const bnnplan::fuzz::Reader* const reader = [] {
    const char* name = std::getenv("READER");
    return bnnplan::fuzz::find_reader(name != nullptr ? name : "");
  }();
  bnnplan::fuzz::require(reader != nullptr, "READER names a reader");
  bnnplan::fuzz::accepted(*reader, {reinterpret_cast<const char*>(data), size});
  return 0;
}
