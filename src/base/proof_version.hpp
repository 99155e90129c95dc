#pragma once

#include <cstdint>

namespace bnnplan {

// Of the VeriPB format that proofs are written in (docs/proofs.md).
enum class ProofVersion : std::uint8_t { v1_2, v3_0 };

}  // namespace bnnplan
