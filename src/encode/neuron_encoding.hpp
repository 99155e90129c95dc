#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "bnnplan/base/linear_row.hpp"
#include "bnnplan/encode/clause_sink.hpp"
#include "bnnplan/encode/implication.hpp"

namespace bnnplan::encoding {

// How neurons become clauses; the values of the option --neurons.
enum class NeuronEncoding {
  automatic,
  direct,
  sequential,
  totalizer,
  network,
  mixed,
  shared,
  published,
  adder
};

struct NeuronEncodingInfo {
  NeuronEncoding encoding;
  std::string_view name;
  // Unit propagation alone derives everything that a neuron implies about its inputs and its output.
  bool propagation_complete;
  std::string_view help;
};

// All encodings, in the order of the enumeration.
std::span<const NeuronEncodingInfo> neuron_encodings();
const NeuronEncodingInfo& describe(NeuronEncoding encoding);
std::optional<NeuronEncoding> neuron_encoding_named(std::string_view name);

struct NeuronOptions {
  NeuronEncoding encoding = NeuronEncoding::automatic;
  // The price of a variable in clauses: a higher price gives fewer variables and more clauses.
  int variable_price = 3;
  std::size_t most_layer_bytes = 0;  // limit on the clauses of a layer; 0: half of the machine's memory
};
std::size_t room_for_layer(const NeuronOptions& options);  // in bytes

// Writes output <-> at least `threshold` of the inputs, or one implication of it. Any threshold and any
// number of inputs: constants, single literals, clauses and conjunctions are written as such, regardless of
// the encoding. `automatic` uses the cheapest propagation complete encoding of this neuron; `shared` is
// `mixed` here, as there is no other neuron to share with. `published` and `adder` always write both
// implications. Throws InputError before anything is written if `direct` would take more than
// room_for_layer().
void encode_neuron(const ReifiedAtLeast& neuron, const NeuronOptions& options, Implication implication,
                   ClauseSink& sink);

// Writes all neurons of a layer. The same, except that `shared` and `automatic` share blocks between neurons:
// pass all neurons that read the same inputs in one call.
void encode_layer(std::span<const ReifiedAtLeast> neurons, const NeuronOptions& options, ClauseSink& sink);

}  // namespace bnnplan::encoding
