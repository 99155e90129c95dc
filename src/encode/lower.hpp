#pragma once

#include <vector>

#include "bnnplan/base/limits.hpp"
#include "bnnplan/encode/clause_sink.hpp"
#include "bnnplan/encode/linear_encoding.hpp"
#include "bnnplan/encode/neuron_encoding.hpp"
#include "bnnplan/model/zero_one_model.hpp"

namespace bnnplan::encoding {

struct LoweringOptions {
  NeuronOptions neurons;
  LinearOptions rows;
  LimitWatch* watch = nullptr;  // if set, lower() throws LimitReached at a limit

  LoweringOptions() = default;
  // Uses this encoding for neurons, and for cardinality constraints in rows.
  explicit LoweringOptions(NeuronEncoding encoding) {
    neurons.encoding = encoding;
    rows.cardinality = encoding;
  }
};

// The encoded size of a part of the model.
struct PartSize {
  model::Part part;
  std::int64_t constraints = 0;  // rows and neurons
  EncodingSize size;             // variables made by encodings, and clauses
};

// Writes all rows and neurons of a model as hard clauses, the neurons layer by layer so that they can share.
// Model variable v is variable v of the clauses; the sink numbers those made by encodings from
// variable_count() on. Throws InputError for a layer whose clauses take more than room_for_layer(). Returns
// the sizes by part, in the order of Part.
std::vector<PartSize> lower(const model::ZeroOneModel& model, const LoweringOptions& options,
                            ClauseSink& sink);

}  // namespace bnnplan::encoding
