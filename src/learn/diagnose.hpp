#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bnnplan/learn/data_set.hpp"
#include "bnnplan/network/network.hpp"

namespace bnnplan::learning {

// Where an output is wrong.
struct OutputFault {
  std::string output;
  std::uint64_t wrong = 0;  // in samples
  // Inputs that characterise the wrong samples, such as "move = 1"; empty if none does.
  std::vector<std::string> where;
  std::uint64_t wrong_there = 0, samples_there = 0;
};

struct Diagnosis {
  std::uint64_t samples = 0, wrong = 0;  // transitions
  std::uint64_t contradictory = 0;   // of the wrong ones: other lines have the same inputs and other outputs
  std::vector<OutputFault> outputs;  // those that are ever wrong, worst first
};

// Which outputs are wrong on this part, and on what kind of inputs. Contradictions are searched in the whole
// data set.
Diagnosis diagnose(const Network& network, const DataSet& data, const SampleSet& part);

// A few lines on the worst `most` outputs; "" if nothing is wrong. `part` names the samples: "training",
// "unseen".
std::string diagnosis_text(const Diagnosis& diagnosis, const std::string& part, std::size_t most = 5);

}  // namespace bnnplan::learning
