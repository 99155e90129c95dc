#pragma once

#include <string>

#include "network/network.hpp"

namespace bnnplan {

// Which operators an ONNX file is made of.
enum class OnnxDialect {
  standard,  // those of ONNX itself, which every runtime knows
  qonnx      // with BipolarQuant for weights and activations, as Brevitas and FINN have it
};

// A network as an ONNX model (the bytes of a file), for batches of any size:
//
//   inputs   N x inputs, floats: bits are 0 and 1, numbers are what the network takes
//   outputs  N x outputs, floats: 0 and 1 (in QONNX -1 and +1); of a classifier N x classes `scores` and N `class`
//
// Every number in it is exact, and so is every sum that a runtime computes, in whatever order. Names, ranges and the tie rule
// stand in the model's metadata. Throws InputError where a threshold cannot be told from its neighbours in floats.
std::string onnx_text(const Network& network, OnnxDialect dialect);

}  // namespace bnnplan
