#pragma once

#include <map>
#include <string>
#include <vector>

#include <gmpxx.h>

#include "bnnplan/network/network.hpp"

namespace bnnplan::exchange {

// Properties of our networks for which an ONNX graph has no place: names, the values that inputs may have,
// and the record. A model that we write carries them as metadata, and importing reads them from there unless
// an option says otherwise. What the network computes is defined by the graph alone.
struct OnnxFacts {
  struct Range {
    mpq_class low, high, step;
  };
  std::vector<std::string> inputs, outputs;  // names; may be empty
  std::vector<Range> ranges;                 // one per input, or empty; a bit is from 0 to 1 in steps of 1
  std::vector<std::string> record;           // Network::record
};

std::map<std::string, std::string> metadata_of(const Network& network);

// Throws InputError, with `file`, for malformed ranges. Other metadata is ignored.
OnnxFacts facts_of_metadata(const std::map<std::string, std::string>& metadata, const std::string& file);

}  // namespace bnnplan::exchange
