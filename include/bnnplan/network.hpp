#pragma once

// Networks: weights -1, 0, +1 and one integer threshold a neuron; classifiers have scores above the last
// layer, and inputs may be numbers, each with a threshold.
//
//   Network                       plain data, network/network.hpp
//   TrainedNetwork, fold          weights with batch normalisation, folded exactly into thresholds
//   read_network(file)            from a .bnn file (docs/formats.md); parse_network from text
//   write_network(file, network)  network_text(network) is the file as text
//   evaluate_reference            inference as it is defined, one sample
//   reference_class               the class of a classifier, as it is defined
//   PackedNetwork                 the same function on packed bits, millions of samples a second
//   PackedClassifier              the same for classes
//   pack_rows, unpack_rows        bits that are a byte each, as in arrays, into packed ones and back
//   model_record(network)         what its file says of the data it was learned from and of its errors
//   InputBits                     packed bits of numbers

#include "bnnplan/base/input_error.hpp"
#include "bnnplan/network/bit_rows.hpp"
#include "bnnplan/network/input_bits.hpp"
#include "bnnplan/network/model_record.hpp"
#include "bnnplan/network/network.hpp"
#include "bnnplan/network/network_file.hpp"
#include "bnnplan/network/packed_classifier.hpp"
#include "bnnplan/network/packed_inference.hpp"
#include "bnnplan/network/reference_inference.hpp"
