// The entry of libFuzzer, which brings its own main.
#include <cstddef>
#include <cstdint>

#include "fuzz_target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  bnnplan::fuzz::accepted({reinterpret_cast<const char*>(data), size});
  return 0;
}
