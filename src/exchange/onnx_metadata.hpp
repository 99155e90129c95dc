#pragma once

#include <map>
#include <string>
#include <vector>

#include <gmpxx.h>

#include "network/network.hpp"

namespace bnnplan {

// What our networks have and the graph of an ONNX model has no place for: names, which numbers the inputs may be, and its record. A model
// that we write carries them as metadata, and importing takes them from there where no option says otherwise. What the network
// computes is in the graph alone.
struct OnnxFacts {
  struct Range {
    mpq_class low, high, step;
  };
  std::vector<std::string> inputs, outputs;  // names; empty if there are none
  std::vector<Range> ranges;                 // one an input, or empty; a bit is from 0 to 1 in steps of 1
  std::vector<std::string> record;           // Network::record
};

std::map<std::string, std::string> metadata_of(const Network& network);

// Throws InputError, with `file`, for ranges that are none. Other metadata is not looked at.
OnnxFacts facts_of_metadata(const std::map<std::string, std::string>& metadata, const std::string& file);

}  // namespace bnnplan
