#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "bnnplan/base/answer.hpp"
#include "bnnplan/learn/choose.hpp"
#include "bnnplan/learn/train.hpp"

namespace bnnplan::learning {

// The data of a training report.
struct TrainingReport {
  std::string data_file;
  std::string shape;  // 13:36:36:9
  std::uint64_t seed = 0;
  std::size_t lines = 0, distinct_rows = 0, contradictions = 0;  // of the data file
  std::size_t trained_rows = 0;                                  // distinct rows in the training part
  std::vector<std::pair<std::string, Errors>> errors;            // by name of the part: "train", "test", ...
  // the same, [output]
  std::vector<std::pair<std::string, std::vector<std::uint64_t>>> wrong_outputs = {};
  bool distinct = false;              // distinct rows were counted once
  std::string how = {};               // "cover, few inputs", ...
  std::size_t tries = 1;              // of which this was the best
  std::string data_fingerprint = {};  // of the data file
};

// The data, the errors, the history of the epochs, and a few lines about the network that was written.
Answer training_answer(const TrainingReport& report, const TrainResult& result,
                       const std::string& network_file = "");
JsonObject error_fields(const Errors& errors);
JsonObject epoch_fields(const EpochRecord& record);
JsonObject tried_fields(const Tried& tried);

// A picture: the loss and the transition errors over the epochs.
std::string training_curve_svg(const TrainingReport& report, const TrainResult& result);

// A line about one attempt: how, shape, weights, errors, seconds.
std::string tried_text(const Tried& tried);

// 0 %, 0.0123 %, 4.5 %
std::string percent_text(double rate);

// epoch 12/200  loss 0.0123  train error 0.5 %  test error 0.61 %  density ...
std::string epoch_text(const EpochRecord& record, const TrainOptions& options);

// Like epoch_text, with the remaining time if all epochs are run.
std::string live_text(const EpochRecord& record, const TrainOptions& options);

}  // namespace bnnplan::learning
