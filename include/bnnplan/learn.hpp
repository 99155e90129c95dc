#pragma once

// Learning: a network from transitions.
//
//   bnnplan::LearnOptions options;
//   options.training.hidden = {36, 36};
//   const bnnplan::Learned learned = bnnplan::learn(bnnplan::read_data_set("data.csv"), options);
//   bnnplan::write_network("net.bnn", learned.training.network);

#include <functional>
#include <optional>

#include <bnnplan/network.hpp>

#include "learn/data_set.hpp"
#include "learn/evaluate.hpp"
#include "learn/train.hpp"
#include "learn/training_report.hpp"

namespace bnnplan {

struct LearnOptions {
  TrainOptions training;        // widths, epochs, seed, progress, ...; its threads: 0 for all of the machine
  double test_share = 0.1;      // of the lines, kept out of training
  bool distinct = false;        // train on every distinct transition once
  std::optional<DataSet> also;  // more to train on, never used for the test
  std::optional<DataSet> measure;   // more to report the errors on
  std::function<bool()> cancelled;  // as in RunControl; the best network so far is the result then
};

struct Learned {
  TrainResult training;  // the network and how it came about
  TrainingReport
      report;  // what it was learned from, and its errors: on the trained part, on the test part, on what of that
               // was never seen in training, and on `also` and `measure`
};

// Throws InputError if nothing is left to train on, for too many layers, if the machine has no room for the training, and if
// `also` or `measure` lack columns.
Learned learn(DataSet data, const LearnOptions& options);

}  // namespace bnnplan
