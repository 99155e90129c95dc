// Lowers the whole model: every row through encode_linear, every layer of every step through encode_layer.
// The objective is not lowered: its literals are soft clauses as they are.
#include "bnnplan/encode/lower.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "bnnplan/base/input_error.hpp"

namespace bnnplan::encoding {

namespace {

// Forwards and counts.
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

// Keeps the clauses of a layer within limits on memory and time.
class RoomySink final : public ClauseSink {
 public:
  RoomySink(CollectingSink& sink, std::uint16_t layer, const LoweringOptions& options)
      : sink_(sink), layer_(layer), watch_(options.watch), most_bytes_(room_for_layer(options.neurons)) {}

  using ClauseSink::add;
  Lit new_variable() override { return sink_.new_variable(); }
  void add(std::span<const Lit> clause) override {
    bytes_ += sizeof(std::size_t) + clause.size_bytes();
    if (bytes_ > most_bytes_) {
      throw InputError(
          fmt::format("layer {} takes more than {} clauses, more than fit into memory: try the encoding "
                      "'auto' or 'adder'",
                      layer_, sink_.clauses()));
    }
    if (watch_ != nullptr && sink_.clauses() % 4096 == 0) watch_->check();
    sink_.add(clause);
  }

 private:
  CollectingSink& sink_;
  std::uint16_t layer_;
  LimitWatch* watch_;
  std::size_t most_bytes_, bytes_ = 0;
};

// The literal that the row makes true, if it is a unit row.
std::optional<Lit> unit_literal(const LinearRow& row) {
  if (row.terms.size() != 1 || row.comparison != Comparison::at_least || row.bound != 1 ||
      row.terms[0].coefficient != 1) {
    return std::nullopt;
  }
  return row.terms[0].literal;
}

// Writes layers. All variables of a step lie step_size() above those of the previous step, so a layer is
// mostly the same layer of the previous step, shifted; then its clauses are the same too, shifted, with their
// own fresh variables. A layer is planned and encoded only where it differs (the first step, the last, and
// wherever simplification changed it), and replayed from its recorded clauses otherwise.
class LayerWriter {
 public:
  LayerWriter(const model::ModelLayout& layout, const LoweringOptions& options, ClauseSink& sink)
      : layout_(layout), options_(options), sink_(sink) {}

  void write(std::vector<ReifiedAtLeast> layer, std::int32_t step, std::uint16_t number) {
    Recording& recording = recordings_[number];
    if (recording.neurons.empty() || !is_shifted(recording, layer, shift(recording, step))) {
      recording = {step, std::move(layer), CollectingSink({layout_.variable_count()})};
      RoomySink roomy(recording.clauses, number, options_);
      FixedOutputSink with_fixed_outputs(roomy);
      encode_layer(recording.neurons, options_.neurons, with_fixed_outputs);
    }
    replay(recording, shift(recording, step));
  }

 private:
  struct Recording {
    std::int32_t step = 0;
    std::vector<ReifiedAtLeast> neurons;
    CollectingSink clauses{{0}};
  };

  std::uint32_t shift(const Recording& recording, std::int32_t step) const {
    return 2 * layout_.step_size() * static_cast<std::uint32_t>(step - recording.step);
  }

  static bool is_shifted(const Recording& recording, const std::vector<ReifiedAtLeast>& layer,
                         std::uint32_t shift) {
    const auto is_constant = [](Lit lit) { return lit.var() == kTrueOutput.var(); };
    return std::equal(
        layer.begin(), layer.end(), recording.neurons.begin(), recording.neurons.end(),
        [&](const ReifiedAtLeast& now, const ReifiedAtLeast& before) {
          const bool same_output = is_constant(before.output) ? now.output == before.output
                                                              : now.output.code == before.output.code + shift;
          return same_output && now.threshold == before.threshold &&
                 std::equal(now.inputs.begin(), now.inputs.end(), before.inputs.begin(), before.inputs.end(),
                            [&](Lit a, Lit b) { return a.code == b.code + shift; });
        });
  }

  void replay(const Recording& recording, std::uint32_t shift) {
    const std::uint32_t first_made = 2 * layout_.variable_count();
    fresh_.clear();
    for (std::uint32_t v = layout_.variable_count(); v < recording.clauses.variables(); ++v) {
      fresh_.push_back(sink_.new_variable());
    }
    for (std::size_t i = 0; i < recording.clauses.clauses(); ++i) {
      clause_.clear();
      for (const Lit lit : recording.clauses.clause(i)) {
        if (lit.code < first_made) {
          clause_.push_back({lit.code + shift});
        } else {
          const Lit made = fresh_[(lit.code - first_made) / 2];
          clause_.push_back(lit.negated() ? ~made : made);
        }
      }
      sink_.add(clause_);
    }
  }

  const model::ModelLayout& layout_;
  const LoweringOptions& options_;
  ClauseSink& sink_;
  std::map<std::uint16_t, Recording> recordings_;
  std::vector<Lit> fresh_, clause_;
};

}  // namespace

std::vector<PartSize> lower(const model::ZeroOneModel& model, const LoweringOptions& options,
                            ClauseSink& sink) {
  std::map<model::Part, PartSize> parts;
  TallySink tally(sink);
  const auto account = [&](model::Part part, std::int64_t constraints) {
    PartSize& entry = parts[part];
    entry.part = part;
    entry.constraints += constraints;
    entry.size += tally.take();
  };
  const auto check_limits = [&] {
    if (options.watch != nullptr) options.watch->check();
  };
  for (const model::ModelRow& entry : model.rows) {
    check_limits();
    encode_linear(entry.row, options.rows, tally);
    account(entry.part, 1);
  }
  // Neurons whose output is fixed by a unit row are constraints on their inputs: half the clauses, but shared
  // with the other neurons of their layer.
  std::unordered_set<std::uint32_t> units;
  for (const model::ModelRow& entry : model.rows) {
    if (const auto unit = unit_literal(entry.row)) units.insert(unit->code);
  }
  LayerWriter layers(model.layout, options, tally);
  std::vector<ReifiedAtLeast> layer;
  for (std::size_t n = 0; n < model.neurons.size(); ++n) {
    const model::ModelNeuron& entry = model.neurons[n];
    layer.push_back(entry.neuron);
    if (units.count(entry.neuron.output.code) != 0) {
      layer.back().output = kTrueOutput;
    } else if (units.count((~entry.neuron.output).code) != 0) {
      layer.back().output = ~kTrueOutput;
    }
    const bool last = n + 1 == model.neurons.size() || model.neurons[n + 1].step != entry.step ||
                      model.neurons[n + 1].layer != entry.layer;
    if (!last) continue;
    check_limits();
    const auto count = static_cast<std::int64_t>(layer.size());
    layers.write(std::move(layer), entry.step, entry.layer);
    account({model::PartKind::layer, entry.layer}, count);
    layer = {};
  }
  std::vector<PartSize> sizes;
  for (auto& [part, size] : parts) sizes.push_back(size);
  return sizes;
}

}  // namespace bnnplan::encoding
