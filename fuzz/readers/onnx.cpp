// ONNX files: a graph accepted as a network folds, and reads back the same from its text. The limits are
// small, so that a graph that asks for much is rejected at once.
#include "bnnplan/exchange/onnx_network.hpp"
#include "exchanged_network.hpp"

namespace bnnplan::fuzz {

void try_onnx(std::string_view input) {
  try_with_facts([&](const exchange::ImportOptions& options) {
    return exchange::onnx_network(input, "n.onnx", options, {1 << 16, 1 << 18, 1 << 20});
  });
}

}  // namespace bnnplan::fuzz
