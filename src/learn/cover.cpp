// Learning by covering: a disjunction of conditions for every output, which is a binarized network with one
// hidden layer.
//
//   hidden neuron  k literals, threshold k             all of them are true
//   output neuron  weights + on its conditions, >= 1   any of them; or weights -, >= their number: none of
//                                                      them
//
// Sequential covering with a seed (AQ, Michalski 1969): take a fact with output 1 that no condition covers
// yet, and look for a condition that covers it and no fact with output 0: add the literal of the seed with
// the largest gain
//
//   p1 (log2(p1 / (p1 + n1)) - log2(p0 / (p0 + n0)))
//
// (FOIL, Quinlan 1990; p, n: facts covered, before and after)
//
// until no 0 is left, then remove literals that turned out to be superfluous. Finally, conditions whose facts
// are covered by others are dropped. Both values of an output are tried, and the one with fewer literals
// wins. An output x' that equals the input x wherever it was seen is assumed to keep its value, even if only
// one value was ever seen: in a planning domain most things do.
//
// Why not only gradients: covering always terminates, and never with an error on data that does not
// contradict itself; it makes no random choices; and if every output depends on few inputs, as in planning
// domains, it is small, generalises as well as anything, and takes milliseconds. Gradients win if outputs
// count over many inputs, where conditions would be enumerations. Cost of a literal: inputs * facts / 64
// words.
#include "bnnplan/learn/cover.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <map>
#include <string_view>

#include "bnnplan/base/bit_count.hpp"
#include "bnnplan/base/worker_pool.hpp"
#include "bnnplan/learn/fact_table.hpp"
#include "bnnplan/learn/relevant_inputs.hpp"

namespace bnnplan::learning {

namespace {

using Bits = std::vector<std::uint64_t>;

struct Literal {
  std::uint32_t input;
  bool value;

  friend auto operator<=>(const Literal&, const Literal&) = default;
};
using Condition = std::vector<Literal>;  // a conjunction, ascending

struct Cover {
  std::vector<Condition> conditions;
  bool negated = false;  // the conditions say when the output is 0

  std::size_t literals() const {
    std::size_t sum = conditions.size();
    for (const Condition& condition : conditions) sum += condition.size();
    return sum;
  }
};

bool any(const Bits& bits) {
  return std::any_of(bits.begin(), bits.end(), [](std::uint64_t word) { return word != 0; });
}

void keep_only(Bits& bits, const Bits& column, bool value) {
  const std::uint64_t flip = value ? 0 : ~std::uint64_t{0};
  for (std::size_t w = 0; w < bits.size(); ++w) bits[w] &= column[w] ^ flip;
}

std::size_t count_in(const Bits& bits, const Bits& column, bool value) {
  const std::uint64_t flip = value ? 0 : ~std::uint64_t{0};
  std::size_t sum = 0;
  for (std::size_t w = 0; w < bits.size(); ++w)
    sum += static_cast<std::size_t>(count_ones(bits[w] & (column[w] ^ flip)));
  return sum;
}

std::size_t count_of(const Bits& bits) {
  std::size_t sum = 0;
  for (const std::uint64_t word : bits) sum += static_cast<std::size_t>(count_ones(word));
  return sum;
}

// Covers the facts `wanted` and none of `others`.
class Covering {
 public:
  Covering(const FactTable& table, const std::vector<std::uint32_t>& inputs, const Bits& wanted,
           const Bits& others, const CoverOptions& options, const std::function<bool()>& stopped)
      : table_(table),
        inputs_(inputs),
        wanted_(wanted),
        others_(others),
        options_(options),
        stopped_(stopped) {}

  // Empty if it takes too many conditions, or was stopped.
  std::optional<std::vector<Condition>> run() {
    Bits uncovered = wanted_;
    while (any(uncovered)) {
      if (conditions_.size() >= options_.most_conditions || stopped_()) return std::nullopt;
      add_condition(first_of(uncovered));
      for (std::size_t w = 0; w < uncovered.size(); ++w) uncovered[w] &= ~covered_.back()[w];
    }
    drop_superfluous();
    return std::move(conditions_);
  }

 private:
  static std::size_t first_of(const Bits& bits) {
    std::size_t w = 0;
    while (bits[w] == 0) ++w;
    return 64 * w + static_cast<std::size_t>(std::countr_zero(bits[w]));
  }

  void add_condition(std::size_t seed) {
    Bits positive = wanted_, negative = others_;
    Condition condition;
    std::size_t p0 = count_of(positive), n0 = count_of(negative);
    std::vector<bool> used(inputs_.size(), false);
    while (n0 > 0) {
      std::size_t best = inputs_.size(), best_p = 0, best_n = 0;
      double best_gain = 0;
      const double before = std::log2(static_cast<double>(p0) / static_cast<double>(p0 + n0));
      const auto consider = [&](std::size_t i) {
        const bool value = table_.input(inputs_[i], seed);
        const Bits& column = table_.inputs[inputs_[i]];
        const std::size_t n1 = count_in(negative, column, value);
        if (used[i] || n1 == n0) return;
        const std::size_t p1 = count_in(positive, column, value);
        const double gain = static_cast<double>(p1) *
                            (std::log2(static_cast<double>(p1) / static_cast<double>(p1 + n1)) - before);
        if (best == inputs_.size() || gain > best_gain) {
          best = i;
          best_gain = gain;
          best_p = p1;
          best_n = n1;
        }
      };
      // Exceptions last: first the things that a fact is not about, and only if that is not enough, the thing
      // it is about.
      for (int turn = 0; turn < 3 && best == inputs_.size(); ++turn) {
        for (std::size_t i = 0; i < inputs_.size(); ++i) {
          const bool exception = inputs_[i] >= options_.first_exception;
          const int its_turn = !exception ? 0 : table_.input(inputs_[i], seed) ? 2 : 1;
          if (its_turn == turn) consider(i);
        }
      }
      used[best] = true;
      const bool value = table_.input(inputs_[best], seed);
      condition.push_back({inputs_[best], value});
      keep_only(positive, table_.inputs[inputs_[best]], value);
      keep_only(negative, table_.inputs[inputs_[best]], value);
      p0 = best_p;
      n0 = best_n;
    }
    drop_literals(condition);
    std::sort(condition.begin(), condition.end());
    covered_.push_back(facts_of(condition, wanted_));
    conditions_.push_back(std::move(condition));
  }

  // Removes literals that the rest makes superfluous. An exception concerns single things, so it makes
  // nothing superfluous except other exceptions, which came last: without exceptions, a condition must not
  // cover more of the others than before.
  void drop_literals(Condition& condition) const {
    const auto exception = [&](const Literal& literal) { return literal.input >= options_.first_exception; };
    for (std::size_t i = condition.size(); i-- > 0;) {
      if (!exception(condition[i])) continue;
      Condition without = condition;
      without.erase(without.begin() + static_cast<std::ptrdiff_t>(i));
      if (!any(facts_of(without, others_))) condition = std::move(without);
    }
    Condition general = condition;
    std::erase_if(general, exception);
    const std::size_t covered = count_of(facts_of(general, others_));
    for (std::size_t i = 0; i < general.size();) {
      Condition without = general;
      without.erase(without.begin() + static_cast<std::ptrdiff_t>(i));
      if (count_of(facts_of(without, others_)) > covered) {
        ++i;
      } else {
        general = std::move(without);
      }
    }
    std::copy_if(condition.begin(), condition.end(), std::back_inserter(general), exception);
    condition = std::move(general);
  }

  Bits facts_of(const Condition& condition, Bits facts) const {
    for (const Literal& literal : condition) keep_only(facts, table_.inputs[literal.input], literal.value);
    return facts;
  }

  // The first conditions were found when everything was still uncovered; the latest are the special cases,
  // which stay.
  void drop_superfluous() {
    std::vector<std::uint32_t> times(table_.facts);
    const auto for_each = [](const Bits& bits, const auto& visit) {
      for (std::size_t w = 0; w < bits.size(); ++w) {
        for (std::uint64_t rest = bits[w]; rest != 0; rest &= rest - 1)
          visit(64 * w + static_cast<std::size_t>(std::countr_zero(rest)));
      }
    };
    for (const Bits& facts : covered_) for_each(facts, [&](std::size_t fact) { ++times[fact]; });
    for (std::size_t i = 0; i < conditions_.size();) {
      bool needed = false;
      for_each(covered_[i], [&](std::size_t fact) { needed = needed || times[fact] == 1; });
      if (needed) {
        ++i;
        continue;
      }
      for_each(covered_[i], [&](std::size_t fact) { --times[fact]; });
      conditions_.erase(conditions_.begin() + static_cast<std::ptrdiff_t>(i));
      covered_.erase(covered_.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }

  const FactTable& table_;
  const std::vector<std::uint32_t>& inputs_;
  const Bits& wanted_;
  const Bits& others_;
  const CoverOptions& options_;
  const std::function<bool()>& stopped_;
  std::vector<Condition> conditions_;
  std::vector<Bits> covered_;  // for each condition, the facts of `wanted` it covers
};

// The input that is the value of the output before the step, if any.
std::optional<std::uint32_t> before_step(const DataSet& data, std::size_t output) {
  const std::string_view name = data.output_names[output];
  if (name.empty() || name.back() != '\'') return std::nullopt;
  const auto found =
      std::find(data.input_names.begin(), data.input_names.end(), name.substr(0, name.size() - 1));
  if (found == data.input_names.end()) return std::nullopt;
  return static_cast<std::uint32_t>(found - data.input_names.begin());
}

std::optional<Cover> cover_output(const FactTable& table, const std::vector<std::uint32_t>& inputs,
                                  std::size_t output, const CoverOptions& options,
                                  const std::function<bool()>& stopped) {
  const Bits& ones = table.outputs[output];
  Bits zeros(table.words);
  for (std::size_t w = 0; w < table.words; ++w) zeros[w] = ~ones[w];
  if (table.facts % 64 != 0) zeros.back() &= (std::uint64_t{1} << (table.facts % 64)) - 1;
  std::optional<Cover> best;
  for (const bool negated : {false, true}) {
    if (negated && options.only_ones) break;
    auto conditions =
        Covering(table, inputs, negated ? zeros : ones, negated ? ones : zeros, options, stopped).run();
    if (stopped()) return std::nullopt;
    if (!conditions) continue;
    Cover cover{std::move(*conditions), negated};
    if (!best || cover.literals() < best->literals()) best = std::move(cover);
  }
  return best;
}

Network network_of(const DataSet& data, const std::vector<Cover>& covers) {
  std::map<Condition, std::size_t> places;  // equal conditions share a neuron
  std::vector<const Condition*> order;
  for (const Cover& cover : covers) {
    for (const Condition& condition : cover.conditions) {
      if (const auto [at, added] = places.emplace(condition, order.size()); added)
        order.push_back(&at->first);
    }
  }
  Network network{data.input_names, data.output_names, {}};
  network.layers.resize(2);
  Layer& hidden = network.layers[0];
  for (const Condition* condition : order) {
    Neuron neuron{std::vector<std::int8_t>(data.input_names.size(), 0),
                  static_cast<std::int32_t>(condition->size())};
    for (const Literal& literal : *condition) neuron.weights[literal.input] = literal.value ? 1 : -1;
    hidden.neurons.push_back(std::move(neuron));
  }
  // Every output is constant, but a layer needs at least one neuron.
  if (hidden.neurons.empty()) {
    hidden.neurons.push_back({std::vector<std::int8_t>(data.input_names.size(), 0), 0});
  }
  Layer& last = network.layers[1];
  for (const Cover& cover : covers) {
    const auto count = static_cast<std::int32_t>(cover.conditions.size());
    Neuron neuron{std::vector<std::int8_t>(hidden.neurons.size(), 0), cover.negated ? count : 1};
    for (const Condition& condition : cover.conditions)
      neuron.weights[places.at(condition)] = cover.negated ? -1 : 1;
    last.neurons.push_back(std::move(neuron));
  }
  return network;
}

}  // namespace

std::optional<Network> cover(const DataSet& data, const SampleSet& part, const CoverOptions& options) {
  const Stopwatch clock;
  const std::function<bool()> stopped = [&] {
    return (options.interrupt != nullptr && *options.interrupt) ||
           (options.seconds && clock.seconds() > *options.seconds);
  };
  const FactTable table = make_fact_table(data, part);
  std::vector<std::uint32_t> all(data.input_names.size());
  for (std::uint32_t i = 0; i < all.size(); ++i) all[i] = i;
  std::vector<std::vector<std::uint32_t>> certain;
  if (options.few_inputs) certain = certain_inputs(data, table);
  std::vector<std::optional<Cover>> covers(data.output_names.size());
  WorkerPool pool(options.threads);
  pool.run(covers.size(), [&](unsigned, std::size_t output) {
    if (stopped()) return;
    const auto before = before_step(data, output);
    if (before && table.inputs[*before] == table.outputs[output]) {
      Cover stays;
      stays.conditions.push_back(Condition(1, Literal{*before, true}));
      covers[output] = std::move(stays);
      return;
    }
    covers[output] = cover_output(
        table,
        options.few_inputs ? telling_inputs(table, output, certain[output], options.first_exception) : all,
        output, options, stopped);
  });
  std::vector<Cover> found;
  std::size_t conditions = 0;
  for (std::optional<Cover>& cover : covers) {
    if (!cover) return std::nullopt;
    conditions += cover->conditions.size();
    found.push_back(std::move(*cover));
  }
  if (conditions > options.most_conditions) return std::nullopt;
  return network_of(data, found);
}

}  // namespace bnnplan::learning
