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

#include "base/option.hpp"
#include "learn/choose.hpp"
#include "learn/data_set.hpp"
#include "learn/diagnose.hpp"
#include "learn/evaluate.hpp"
#include "learn/train.hpp"
#include "learn/training_report.hpp"

namespace bnnplan {

using learning::add_rows;
using learning::choose_network;
using learning::Chosen;
using learning::collect_rows;
using learning::ColumnBits;
using learning::data_fingerprint;
using learning::DataOptions;
using learning::DataSet;
using learning::density;
using learning::diagnose;
using learning::Diagnosis;
using learning::diagnosis_text;
using learning::each_once;
using learning::epoch_text;
using learning::EpochRecord;
using learning::Errors;
using learning::evaluate;
using learning::for_each_answer;
using learning::LatentNetwork;
using learning::LearnOptions;
using learning::LearnTechnique;
using learning::least_updates;
using learning::live_text;
using learning::merged;
using learning::OutputFault;
using learning::parse_column_bits;
using learning::parse_data_set;
using learning::percent_text;
using learning::read_data_set;
using learning::SampleSet;
using learning::Split;
using learning::split;
using learning::train;
using learning::training_curve_svg;
using learning::training_memory;
using learning::training_report_json;
using learning::training_summary;
using learning::TrainingReport;
using learning::TrainOptions;
using learning::TrainResult;
using learning::Tried;
using learning::tried_text;
using learning::weight_count;
using learning::whole;
using learning::without;
using learning::wrong_by_output;

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

}  // namespace bnnplan
