#pragma once

// Learning: a network from transitions.
//
//   const bnnplan::Learned learned = bnnplan::learn(bnnplan::read_data_set("data.csv"), {});
//   bnnplan::write_network("net.bnn", learned.training.network);
//
// chooses everything by a part of the data that it keeps for that; with options.hidden = {36, 36} it is
// trained by gradients, in this shape.

#include <string>
#include <vector>

#include <bnnplan/network.hpp>

#include "bnnplan/base/option.hpp"
#include "bnnplan/learn/choose.hpp"
#include "bnnplan/learn/data_set.hpp"
#include "bnnplan/learn/diagnose.hpp"
#include "bnnplan/learn/evaluate.hpp"
#include "bnnplan/learn/train.hpp"
#include "bnnplan/learn/training_report.hpp"

namespace bnnplan {

using learning::add_rows, learning::choose_network, learning::Chosen, learning::collect_rows,
    learning::data_fingerprint, learning::DataOptions, learning::DataSet, learning::diagnose,
    learning::Diagnosis, learning::diagnosis_text, learning::each_once, learning::epoch_fields,
    learning::epoch_text, learning::EpochRecord, learning::error_fields, learning::Errors, learning::evaluate,
    learning::LearnOptions, learning::LearnTechnique, learning::live_text, learning::merged,
    learning::parse_column_bits, learning::parse_data_set, learning::percent_text, learning::read_data_set,
    learning::SampleSet, learning::Split, learning::split, learning::train, learning::training_curve_svg,
    learning::training_memory, learning::training_of, learning::TrainingReport, learning::TrainOptions,
    learning::TrainResult, learning::Tried, learning::tried_fields, learning::tried_text, learning::whole,
    learning::without, learning::wrong_by_output;

std::vector<Option> options_of(LearnOptions& options);  // but for its data and callbacks
std::vector<Option> options_of(DataOptions& options);   // which columns, and their bits
void validate(const LearnOptions& options);             // throws OptionError; learn() does so too

struct Learned {
  TrainResult training;  // the network and how it came about
  // What it was learned from, and its errors: on the trained part, on the test part, on what of that was
  // never seen in training, and on `also` and `measure`.
  TrainingReport report;
  std::vector<Tried> tried;  // if something was to be chosen
  std::size_t chosen = 0;    // which of them
  std::string diagnosis;     // where it is wrong and what to try; "" if nothing is wrong
};

// Throws OptionError, and InputError if nothing is left to train on, for too many layers, if the machine has
// no room for the training, and if `also` or `measure` lack columns.
Learned learn(DataSet data, const LearnOptions& options);

// What was done and what remains wrong. The text says that the network was written to this file.
Answer answer_of(const Learned& learned, const std::string& network_file = "");

}  // namespace bnnplan
