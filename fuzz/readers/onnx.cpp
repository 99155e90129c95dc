// ONNX files: whatever is understood as a network folds, and reads back the same from what we write. The limits are small, so
// that a graph that asks for much is refused and not waited for.
#include "exchange/onnx_network.hpp"
#include "exchanged_network.hpp"

namespace bnnplan::fuzz {

void try_onnx(std::string_view input) {
  try_with_facts([&](const ImportOptions& options) {
    return onnx_network(input, "n.onnx", options, {1 << 16, 1 << 18, 1 << 20});
  });
}

}  // namespace bnnplan::fuzz
