#pragma once

// Networks of other tools: ONNX (also QONNX, Brevitas and FINN), NumPy, PyTorch. docs/exchange.md lists what
// is understood.
//
//   bnnplan::ImportOptions options;  // what such files do not say
//   options.range = {0, 255};
//   options.step = 1;
//   const bnnplan::Network network =
//       bnnplan::import_network(bnnplan::NetworkSource::onnx, "model.onnx", options);
//   bnnplan::write_network("model.bnn", network);
//   bnnplan::export_network("model.c", network, bnnplan::NetworkTarget::c);
//
// Networks on data: .csv, .npy, idx files and pictures.
//
//   const bnnplan::Evaluation evaluation = bnnplan::evaluate_samples(network, {"digits.npy"});

#include <vector>

#include "bnnplan/base/option.hpp"
#include "bnnplan/exchange/evaluate_samples.hpp"
#include "bnnplan/exchange/export_network.hpp"
#include "bnnplan/exchange/import_network.hpp"
#include "bnnplan/exchange/import_options.hpp"
#include "bnnplan/network/network_file.hpp"

namespace bnnplan {

using exchange::EvalOptions, exchange::evaluate_samples, exchange::Evaluation, exchange::evaluation_csv,
    exchange::export_network, exchange::exported, exchange::import_network, exchange::ImportOptions,
    exchange::NetworkSource, exchange::NetworkTarget;

std::vector<Option> options_of(ImportOptions& options);
// Those that files of this kind leave open.
std::vector<Option> options_of(ImportOptions& options, NetworkSource source);
std::vector<Option> options_of(EvalOptions& options);

struct ExportOptions {
  NetworkTarget target = NetworkTarget::onnx;
};
std::vector<Option> options_of(ExportOptions& options);

}  // namespace bnnplan
