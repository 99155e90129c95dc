// Lowering the whole model: every row through encode_linear, every layer of every step through encode_layer.
// The objective is not lowered: its literals are soft clauses as they are.
#include "encode/lower.hpp"

#include <map>
#include <optional>
#include <unordered_set>
#include <utility>

namespace bnnplan {

namespace {

// Passes on and counts.
class TallySink final : public ClauseSink {
 public:
  explicit TallySink(ClauseSink& sink) : sink_(sink) {}

  using ClauseSink::add;
  Lit new_variable() override {
    ++size_.variables;
    return sink_.new_variable();
  }
  void add(std::span<const Lit> clause) override {
    ++size_.clauses;
    sink_.add(clause);
  }
  EncodingSize take() { return std::exchange(size_, {}); }

 private:
  ClauseSink& sink_;
  EncodingSize size_;
};

// The literal that the row says is true, if that is all it says.
std::optional<Lit> unit_literal(const LinearRow& row) {
  if (row.terms.size() != 1 || row.comparison != Comparison::at_least || row.bound != 1 ||
      row.terms[0].coefficient != 1) {
    return std::nullopt;
  }
  return row.terms[0].literal;
}

}  // namespace

std::vector<PartSize> lower(const ZeroOneModel& model, const LoweringOptions& options, ClauseSink& sink) {
  std::map<Part, PartSize> parts;
  TallySink tally(sink);
  const auto account = [&](Part part, std::int64_t constraints) {
    PartSize& entry = parts[part];
    entry.part = part;
    entry.constraints += constraints;
    entry.size += tally.take();
  };
  for (const ModelRow& entry : model.rows) {
    encode_linear(entry.row, options.rows, tally);
    account(entry.part, 1);
  }
  // Neurons whose output is fixed by a unit row are constraints on their inputs: half of the clauses, but
  // shared with the other neurons of their layer.
  std::unordered_set<std::uint32_t> units;
  for (const ModelRow& entry : model.rows) {
    if (const auto unit = unit_literal(entry.row)) units.insert(unit->code);
  }
  FixedOutputSink with_fixed_outputs(tally);
  std::vector<ReifiedAtLeast> layer;
  for (std::size_t n = 0; n < model.neurons.size(); ++n) {
    const ModelNeuron& entry = model.neurons[n];
    layer.push_back(entry.neuron);
    if (units.count(entry.neuron.output.code) != 0) {
      layer.back().output = kTrueOutput;
    } else if (units.count((~entry.neuron.output).code) != 0) {
      layer.back().output = ~kTrueOutput;
    }
    const bool last = n + 1 == model.neurons.size() || model.neurons[n + 1].step != entry.step ||
                      model.neurons[n + 1].layer != entry.layer;
    if (!last) continue;
    encode_layer(layer, options.neurons, with_fixed_outputs);
    account({PartKind::layer, entry.layer}, static_cast<std::int64_t>(layer.size()));
    layer.clear();
  }
  std::vector<PartSize> sizes;
  for (auto& [part, size] : parts) sizes.push_back(size);
  return sizes;
}

}  // namespace bnnplan
