#pragma once

// Learning: a network from transitions.
//
//   const bnnplan::Learned learned = bnnplan::learn(bnnplan::read_data_set("data.csv"), bnnplan::LearnOptions());
//   bnnplan::write_network("net.bnn", learned.training.network);
//
// chooses everything by a part of the data that it keeps for that; with options.training.hidden = {36, 36} it is trained by
// gradients, in this shape, as the other options of `training` say.

#include <functional>
#include <optional>

#include <bnnplan/network.hpp>

#include "learn/choose.hpp"
#include "learn/data_set.hpp"
#include "learn/diagnose.hpp"
#include "learn/evaluate.hpp"
#include "learn/train.hpp"
#include "learn/training_report.hpp"

namespace bnnplan {

struct LearnOptions {
  // Widths, epochs, seed, progress, ...; its threads: 0 for all of the machine. Without widths they are chosen, as is
  // everything that `choose` leaves open; of this struct then only seed, batch, rate, threads and the interrupt count.
  TrainOptions training;
  ChooseOptions choose;           // what is given, and what is told; the fields above go before
  std::optional<double> seconds;  // for everything; the best network so far is the result then
  double test_share = 0.1;        // of the lines, kept out of training
  std::optional<bool>
      distinct;  // train on every distinct transition once; if not said: if training is given by
                 // widths no, else unless the data contradicts itself
  std::optional<DataSet> also;      // more to train on, never used for the test
  std::optional<DataSet> measure;   // more to report the errors on
  std::function<bool()> cancelled;  // as in RunControl; the best network so far is the result then
};

struct Learned {
  TrainResult training;  // the network and how it came about
  // What it was learned from, and its errors: on the trained part, on the test part, on what of that was never seen in
  // training, and on `also` and `measure`.
  TrainingReport report;
  std::vector<Tried> tried;  // if something was to be chosen
  std::size_t chosen = 0;    // which of them
  std::string diagnosis;     // where it is wrong and what to try; "" if nothing is wrong
};

// Throws InputError if nothing is left to train on, for too many layers, if the machine has no room for the training, and if
// `also` or `measure` lack columns.
Learned learn(DataSet data, const LearnOptions& options);

}  // namespace bnnplan
