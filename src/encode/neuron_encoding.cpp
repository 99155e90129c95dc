// The choice between the encodings of neurons, and all that they have in common: trivial neurons are handled
// here, neurons with k > n/2 are turned around here, and prices are compared here.
//
// Turning around: output <-> at least k of X is the same as not output <-> at least n-k+1 of not X. Encodings
// that cut their sequences only at k gain from it (the published one, for k near n); those that cut at both
// ends are symmetric anyway.
//
// Choice: for a neuron alone, the propagation complete encodings are priced and the cheapest is used. A layer
// is planned as shared, and that is compared with the sum of the best for each neuron.
//
// Size: `direct` is exponential, so its clauses are counted before the first one is written, and refused if
// they do not fit into memory. The others are at most quadratic in the inputs; if a layer is too large all
// the same, lower() detects it while writing.

#include "bnnplan/encode/neuron_encoding.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>

#include "bnnplan/base/input_error.hpp"
#include "bnnplan/base/limits.hpp"
#include "bnnplan/encode/cardinality_encodings.hpp"
#include "bnnplan/encode/layer_sharing.hpp"

namespace bnnplan::encoding {

namespace {

constexpr std::array<NeuronEncodingInfo, 9> neuron_table{{
    {NeuronEncoding::automatic, "auto", true, "the cheapest propagation complete one, chosen for each layer"},
    {NeuronEncoding::direct, "direct", true, "all subsets; no variables, for few inputs only"},
    {NeuronEncoding::sequential, "sequential", true, "sequential counter; for thresholds near 1 or n"},
    {NeuronEncoding::totalizer, "totalizer", true, "tree of direct merges; few variables, many clauses"},
    {NeuronEncoding::network, "network", true, "cardinality network of comparators; many variables"},
    {NeuronEncoding::mixed, "mixed", true, "totalizer and network mixed by price"},
    {NeuronEncoding::shared, "shared", true, "mixed, with blocks shared between the neurons of a layer"},
    {NeuronEncoding::published, "published", true, "the paper's bi-directional network, for comparison"},
    {NeuronEncoding::adder, "adder", false, "binary adders; smallest, but weak propagation"},
}};

// Constants, literals, clauses and conjunctions.
bool encode_if_trivial(const ReifiedAtLeast& neuron, Implication implication, ClauseSink& sink) {
  const int n = static_cast<int>(neuron.inputs.size());
  if (neuron.threshold <= 0) {
    if (goes_to_output(implication)) sink.add({neuron.output});
  } else if (neuron.threshold > n) {
    if (goes_from_output(implication)) sink.add({~neuron.output});
  } else if (neuron.threshold == 1 || neuron.threshold == n) {
    encode_direct(neuron, implication, sink);
  } else {
    return false;
  }
  return true;
}

ReifiedAtLeast turned_around(const ReifiedAtLeast& neuron) {
  ReifiedAtLeast turned{~neuron.output, neuron.inputs,
                        static_cast<int>(neuron.inputs.size()) - neuron.threshold + 1};
  for (Lit& input : turned.inputs) input = ~input;
  return turned;
}

// The same neuron with threshold <= (n + 1) / 2. Changes `implication` accordingly.
ReifiedAtLeast low_form(const ReifiedAtLeast& neuron, Implication& implication) {
  if (neuron.threshold <= static_cast<int>(neuron.inputs.size()) - neuron.threshold + 1) return neuron;
  implication = flipped(implication);
  return turned_around(neuron);
}

// The number of decimal digits of C(n, k), which may be millions.
double digits_of_subsets(double n, double k) {
  return (std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1)) / std::log(10.0);
}

// Throws InputError if the clauses that `direct` makes for all these neurons would not fit into the memory
// that a layer may take. Requires non-trivial neurons.
void require_room_for_direct(std::span<const ReifiedAtLeast> neurons, Implication implication,
                             const NeuronOptions& options) {
  constexpr double exact_below = std::int64_t{1} << 40;
  double clauses = 0, bytes = 0, digits = 0;
  std::size_t inputs = 0;
  for (const ReifiedAtLeast& neuron : neurons) {
    const int n = static_cast<int>(neuron.inputs.size());
    const int k = neuron.threshold;
    inputs = std::max(inputs, neuron.inputs.size());
    for (const Implication one : {Implication::to_output, Implication::from_output}) {
      if (implication != Implication::both && implication != one) continue;
      const int size = one == Implication::to_output ? k : n - k + 1;
      const auto count = static_cast<double>(direct_clauses(n, k, one));
      clauses += count;
      bytes += count * (sizeof(std::size_t) + sizeof(Lit) * static_cast<double>(size + 1));
      digits = std::max(digits, digits_of_subsets(n, size));
    }
  }
  if (bytes <= static_cast<double>(room_for_layer(options))) return;
  throw InputError(fmt::format(
      "the encoding 'direct' takes {} clauses for {} of up to {} inputs, more than fit into memory: try the "
      "encoding 'auto'",
      clauses < exact_below ? fmt::format("{:.0f}", clauses) : fmt::format("about 10^{:.0f}", digits),
      neurons.size() == 1 ? "a neuron" : fmt::format("{} neurons", neurons.size()), inputs));
}

// Requires a non-trivial neuron, and a specific encoding.
void encode_with(NeuronEncoding encoding, const ReifiedAtLeast& neuron, Implication implication,
                 int variable_price, ClauseSink& sink) {
  switch (encoding) {
    case NeuronEncoding::direct:
      return encode_direct(neuron, implication, sink);
    case NeuronEncoding::sequential:
      return encode_sequential_counter(neuron, implication, sink);
    case NeuronEncoding::totalizer:
      return encode_totalizer(neuron, implication, sink);
    case NeuronEncoding::network:
      return encode_cardinality_network(neuron, implication, sink);
    case NeuronEncoding::mixed:
    case NeuronEncoding::shared:
      return encode_mixed_network(neuron, implication, variable_price, sink);
    case NeuronEncoding::published:
      return encode_published_network(neuron, sink);
    case NeuronEncoding::adder:
      return encode_adder(neuron, sink);
    case NeuronEncoding::automatic:
      break;
  }
  throw std::logic_error("a neuron encoding without its function");
}

// The cheapest encoding of single neurons. `mixed` is never more expensive than the totalizer, the network or
// the counter, so it competes only with `direct`.
class SingleChoices {
 public:
  SingleChoices(Implication implication, int variable_price)
      : prices_(MergeRule::cheapest, implication, variable_price) {}

  struct Choice {
    bool direct = false;
    std::int64_t price = 0;
    std::int64_t price_of_mixed = 0;
  };

  // Requires a non-trivial neuron.
  Choice of(const ReifiedAtLeast& neuron) {
    const int n = static_cast<int>(neuron.inputs.size());
    const std::int64_t mixed =
        prices_.size_at_least(n, neuron.threshold).price(prices_.merges().variable_price());
    const std::int64_t direct = direct_clauses(n, neuron.threshold, prices_.merges().implication());
    return {direct <= mixed, std::min(direct, mixed), mixed};
  }

  void encode(const ReifiedAtLeast& neuron, ClauseSink& sink) {
    if (of(neuron).direct) {
      encode_direct(neuron, prices_.merges().implication(), sink);
    } else {
      encode_by_sorting(neuron, prices_, sink);
    }
  }

  SortingPrices& prices() { return prices_; }

 private:
  SortingPrices prices_;
};

// A neuron that is cheaper than its network by more than this factor is cheaper alone than shared.
constexpr std::int64_t kSharingGainsAtMost = 3;

void write_shared(std::span<const ReifiedAtLeast> neurons, int variable_price, ClauseSink& sink) {
  SortingPrices prices(MergeRule::cheapest, Implication::both, variable_price);
  write_shared_layer(neurons, plan_layer_sharing(neurons, prices), prices, sink);
}

void encode_layer_automatically(std::span<const ReifiedAtLeast> neurons, int variable_price,
                                ClauseSink& sink) {
  SingleChoices choices(Implication::both, variable_price);
  std::vector<ReifiedAtLeast> sharing_neurons;
  std::int64_t price_without_sharing = 0;
  for (const ReifiedAtLeast& neuron : neurons) {
    const SingleChoices::Choice alone = choices.of(neuron);
    if (alone.price * kSharingGainsAtMost < alone.price_of_mixed) {
      choices.encode(neuron, sink);
    } else {
      sharing_neurons.push_back(neuron);
      price_without_sharing += alone.price;
    }
  }
  const LayerSharing sharing = plan_layer_sharing(sharing_neurons, choices.prices());
  CountingSink counter(variable_price, price_without_sharing);
  try {
    write_shared_layer(sharing_neurons, sharing, choices.prices(), counter);
  } catch (const BudgetExhausted&) {
    for (const ReifiedAtLeast& neuron : sharing_neurons) choices.encode(neuron, sink);
    return;
  }
  write_shared_layer(sharing_neurons, sharing, choices.prices(), sink);
}

}  // namespace

std::size_t room_for_layer(const NeuronOptions& options) {
  static const std::size_t machine = machine_memory();  // queried once: this is called for each row
  if (options.most_layer_bytes != 0) return options.most_layer_bytes;
  return machine == 0 ? std::size_t{1} << 36 : machine / 2;
}

std::span<const NeuronEncodingInfo> neuron_encodings() { return neuron_table; }

const NeuronEncodingInfo& describe(NeuronEncoding encoding) {
  return neuron_table[static_cast<std::size_t>(encoding)];
}

std::optional<NeuronEncoding> neuron_encoding_named(std::string_view name) {
  for (const NeuronEncodingInfo& info : neuron_table) {
    if (info.name == name) return info.encoding;
  }
  return std::nullopt;
}

void encode_neuron(const ReifiedAtLeast& neuron, const NeuronOptions& options, Implication implication,
                   ClauseSink& sink) {
  if (encode_if_trivial(neuron, implication, sink)) return;
  const ReifiedAtLeast low = low_form(neuron, implication);
  if (options.encoding == NeuronEncoding::automatic) {
    SingleChoices(implication, options.variable_price).encode(low, sink);
  } else {
    if (options.encoding == NeuronEncoding::direct) require_room_for_direct({&low, 1}, implication, options);
    encode_with(options.encoding, low, implication, options.variable_price, sink);
  }
}

void encode_layer(std::span<const ReifiedAtLeast> neurons, const NeuronOptions& options, ClauseSink& sink) {
  std::vector<ReifiedAtLeast> left;
  for (const ReifiedAtLeast& neuron : neurons) {
    Implication both = Implication::both;
    if (!encode_if_trivial(neuron, both, sink)) left.push_back(low_form(neuron, both));
  }
  if (options.encoding == NeuronEncoding::automatic) {
    encode_layer_automatically(left, options.variable_price, sink);
  } else if (options.encoding == NeuronEncoding::shared) {
    write_shared(left, options.variable_price, sink);
  } else {
    if (options.encoding == NeuronEncoding::direct) require_room_for_direct(left, Implication::both, options);
    for (const ReifiedAtLeast& neuron : left) {
      encode_with(options.encoding, neuron, Implication::both, options.variable_price, sink);
    }
  }
}

}  // namespace bnnplan::encoding
