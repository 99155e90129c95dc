#pragma once

#include <string>

#include "bnnplan/network/network.hpp"

namespace bnnplan::exchange {

// The operators that an ONNX file uses.
enum class OnnxDialect {
  standard,  // those of ONNX itself, which every runtime supports
  qonnx      // with BipolarQuant for weights and activations, as in Brevitas and FINN
};

// A network as an ONNX model (the bytes of a file), for batches of any size:
//
//   inputs   N x inputs, floats: bits are 0 and 1, numbers are in the network's units
//   outputs  N x outputs, floats: 0 and 1 (in QONNX -1 and +1); for a classifier N x classes `scores` and
//            N `class`
//
// Every number in it is exact, and so is every sum that a runtime computes, in any order. Names, ranges and
// the record are in the model's metadata. Throws InputError if floats cannot distinguish a threshold from its
// neighbours.
std::string onnx_text(const Network& network, OnnxDialect dialect);

}  // namespace bnnplan::exchange
