// Simplification of the unrolled model. Each round
//
//   propagates    rows by their bounds, neurons by their four rules (enough true, too few possible, output
//                 true forces, output false forbids), to a fixpoint;
//   reduces       constants are removed: a true input lowers the threshold, a false one only the count;
//   merges        neurons of one layer and step that read the same literals with the same threshold, or
//                 exactly the opposite ones: at least k of x <=> not at least n - k + 1 of not x;
//   cancels       x and not x among the inputs of one neuron: exactly one of them is always true.
//
// Merged inputs are replaced by their representative. If two inputs of a neuron are merged with the same
// sign, the second keeps its variable, tied by an equality: so inputs stay distinct variables and every
// encoding applies. Rounds repeat until nothing changes; each is linear in the size of the model. Typical
// gain on published networks: the first step becomes nearly constant, and networks with repeated neurons
// shrink in every step.
#include "bnnplan/model/simplify.hpp"

#include <algorithm>
#include <deque>
#include <map>

#include "bnnplan/base/checked.hpp"

namespace bnnplan::model {

namespace {

struct Infeasible {};

class Simplifier {
 public:
  Simplifier(ZeroOneModel model, LimitWatch* watch)
      : watch_(watch),
        model_(std::move(model)),
        values_(model_.layout.variable_count(), unknown_bit),
        representative_(values_.size()) {
    for (std::uint32_t v = 0; v < representative_.size(); ++v) representative_[v] = Lit::positive({v});
  }

  SimplifiedModel run() {
    try {
      do {
        ++report_.rounds;
        propagate();
        reduce_rows();
        reduce_neurons();
      } while (merge_neurons());
      drop_unused_neurons();
      restate_fixed_variables();
      reduce_objective();
    } catch (const Infeasible&) {
      report_.infeasible = true;
      model_.neurons.clear();
      model_.rows = {{{{}, Comparison::at_least, 1}, {PartKind::global, 0}}};
      model_.objective.clear();
    }
    return {std::move(model_), report_};
  }

 private:
  void check_limits() {
    constexpr std::uint32_t calls_between_looks = 64;
    if (watch_ != nullptr && ++calls_ % calls_between_looks == 0) watch_->check();
  }

  BitValue value(Lit lit) const {
    const BitValue v = values_[lit.var().index];
    return v == unknown_bit ? unknown_bit : static_cast<BitValue>(v ^ (lit.negated() ? 1 : 0));
  }

  void fix(Lit lit) {
    const BitValue wanted = lit.negated() ? 0 : 1;
    BitValue& place = values_[lit.var().index];
    if (place == unknown_bit) {
      place = wanted;
      newly_fixed_.push_back(lit.var());
    } else if (place != wanted) {
      throw Infeasible();
    }
  }

  // ---- propagation ----

  void propagate() {
    std::vector<std::vector<std::uint32_t>> rows_of(values_.size()), neurons_of(values_.size());
    for (std::uint32_t r = 0; r < model_.rows.size(); ++r) {
      for (const WeightedLit& term : model_.rows[r].row.terms) rows_of[term.literal.var().index].push_back(r);
    }
    for (std::uint32_t n = 0; n < model_.neurons.size(); ++n) {
      check_limits();
      const ReifiedAtLeast& neuron = model_.neurons[n].neuron;
      neurons_of[neuron.output.var().index].push_back(n);
      for (const Lit lit : neuron.inputs) neurons_of[lit.var().index].push_back(n);
    }
    std::vector<std::vector<Var>> ties_of(values_.size());
    for (const Tie& tie : ties_) {
      ties_of[tie.variable.index].push_back(tie.variable);
      ties_of[representative_[tie.variable.index].var().index].push_back(tie.variable);
    }
    std::vector<bool> row_waits(model_.rows.size(), true), neuron_waits(model_.neurons.size(), true);
    std::deque<std::uint32_t> rows, neurons;
    for (std::uint32_t r = 0; r < model_.rows.size(); ++r) rows.push_back(r);
    for (std::uint32_t n = 0; n < model_.neurons.size(); ++n) neurons.push_back(n);
    while (!rows.empty() || !neurons.empty()) {
      check_limits();
      if (!rows.empty()) {
        const std::uint32_t r = rows.front();
        rows.pop_front();
        row_waits[r] = false;
        propagate(model_.rows[r].row);
      } else {
        const std::uint32_t n = neurons.front();
        neurons.pop_front();
        neuron_waits[n] = false;
        propagate(model_.neurons[n].neuron);
      }
      // By index: following a tie fixes more.
      for (std::size_t i = 0; i < newly_fixed_.size(); ++i) {
        const Var v = newly_fixed_[i];
        for (const Var tied : ties_of[v.index]) {
          const Lit same = representative_[tied.index];  // tied == same
          const BitValue known = tied == v ? values_[v.index] : value(same);
          fix(Lit::of(tied, known == 0));
          fix(known == 1 ? same : ~same);
        }
        for (const std::uint32_t r : rows_of[v.index]) {
          if (!row_waits[r]) rows.push_back(r);
          row_waits[r] = true;
        }
        for (const std::uint32_t n : neurons_of[v.index]) {
          if (!neuron_waits[n]) neurons.push_back(n);
          neuron_waits[n] = true;
        }
      }
      newly_fixed_.clear();
    }
  }

  struct Range {
    std::int64_t least = 0, most = 0;
  };

  Range range(const LinearRow& row) const {
    Range range;
    for (const WeightedLit& term : row.terms) {
      const BitValue known = value(term.literal);
      if (known == 1 || (known == unknown_bit && term.coefficient < 0)) range.least += term.coefficient;
      if (known == 1 || (known == unknown_bit && term.coefficient > 0)) range.most += term.coefficient;
    }
    return range;
  }

  void propagate(const LinearRow& row) {
    const auto [least, most] = range(row);
    const bool upper = row.comparison != Comparison::at_least;
    const bool lower = row.comparison != Comparison::at_most;
    if ((upper && least > row.bound) || (lower && most < row.bound)) throw Infeasible();
    for (const WeightedLit& term : row.terms) {
      if (value(term.literal) != unknown_bit) continue;
      const std::int64_t magnitude = term.coefficient < 0 ? -term.coefficient : term.coefficient;
      const Lit raising = term.coefficient > 0 ? term.literal : ~term.literal;
      if (upper && least + magnitude > row.bound) {
        fix(~raising);
      } else if (lower && most - magnitude < row.bound) {
        fix(raising);
      }
    }
  }

  void propagate(const ReifiedAtLeast& neuron) {
    std::int32_t certain = 0, possible = 0;
    for (const Lit lit : neuron.inputs) {
      const BitValue known = value(lit);
      certain += known == 1;
      possible += known != 0;
    }
    const std::int32_t k = neuron.threshold;
    if (certain >= k) return fix(neuron.output);
    if (possible < k) return fix(~neuron.output);
    const BitValue output = value(neuron.output);
    const bool forced = output == 1 && possible == k;
    const bool forbidden = output == 0 && certain == k - 1;
    if (!forced && !forbidden) return;
    for (const Lit lit : neuron.inputs) {
      if (value(lit) == unknown_bit) fix(forced ? lit : ~lit);
    }
  }

  // ---- reduction ----

  void reduce_rows() {
    std::vector<ModelRow> kept;
    for (ModelRow& entry : model_.rows) {
      LinearRow& row = entry.row;
      const auto [least, most] = range(row);
      const bool upper_holds = row.comparison == Comparison::at_least || most <= row.bound;
      const bool lower_holds = row.comparison == Comparison::at_most || least >= row.bound;
      if (upper_holds && lower_holds) {
        ++report_.removed_rows;
        continue;
      }
      const std::size_t before = row.terms.size();
      std::erase_if(row.terms, [&](const WeightedLit& term) {
        const BitValue known = value(term.literal);
        if (known == 1) row.bound -= term.coefficient;
        return known != unknown_bit;
      });
      if (row.terms.size() < before) ++report_.shortened_rows;
      kept.push_back(std::move(entry));
    }
    model_.rows = std::move(kept);
  }

  void reduce_neurons() {
    std::vector<ModelNeuron> kept;
    for (ModelNeuron& entry : model_.neurons) {
      ReifiedAtLeast& neuron = entry.neuron;
      std::erase_if(neuron.inputs, [&](Lit lit) {
        const BitValue known = value(lit);
        if (known == unknown_bit) return false;
        ++report_.removed_inputs;
        neuron.threshold -= known;
        return true;
      });
      const auto count = static_cast<std::int32_t>(neuron.inputs.size());
      const BitValue output = value(neuron.output);
      if (output == unknown_bit) {
        kept.push_back(std::move(entry));
        continue;
      }
      // Implied by the inputs (propagation ensured that it is the right value), or still to be enforced.
      if (neuron.threshold <= 0 || neuron.threshold > count) {
        ++report_.constant_neurons;
      } else {
        kept.push_back(std::move(entry));
      }
    }
    model_.neurons = std::move(kept);
  }

  // ---- merging ----

  // The representative may itself have been merged in a later round.
  Lit resolve(Lit lit) const {
    while (true) {
      const Lit representative = representative_[lit.var().index];
      if (representative.var() == lit.var()) return lit;
      lit = lit.negated() ? ~representative : representative;
    }
  }

  // Returns whether anything changed. Neurons are ordered by step and layer, so a neuron's inputs are settled
  // before it.
  bool merge_neurons() {
    bool changed = false;
    std::vector<ModelNeuron> kept;
    std::map<std::vector<std::uint32_t>, Lit> seen;
    std::pair<std::int32_t, std::uint16_t> group{0, 0};
    for (ModelNeuron& entry : model_.neurons) {
      check_limits();
      if (group != std::pair(entry.step, entry.layer)) {
        group = {entry.step, entry.layer};
        seen.clear();
      }
      changed |= cancel_inputs(entry.neuron);
      if (value(entry.neuron.output) != unknown_bit) {  // a constraint on its inputs, not a definition
        kept.push_back(std::move(entry));
        continue;
      }
      const auto [key, flipped] = canonical_key(entry.neuron);
      const Lit output = flipped ? ~entry.neuron.output : entry.neuron.output;
      const auto [found, fresh] = seen.emplace(key, output);
      if (fresh) {
        kept.push_back(std::move(entry));
        continue;
      }
      changed = true;
      ++report_.merged_neurons;
      const Lit same = flipped ? ~found->second : found->second;  // == the merged neuron's output
      const Lit merged = entry.neuron.output;
      representative_[merged.var().index] = merged.negated() ? ~same : same;
      ties_.push_back({merged.var(), {PartKind::layer, entry.layer}});
    }
    model_.neurons = std::move(kept);
    return changed;
  }

  // Replaces merged inputs by their representatives and removes pairs x, not x.
  bool cancel_inputs(ReifiedAtLeast& neuron) {
    const bool any_merged =
        std::any_of(neuron.inputs.begin(), neuron.inputs.end(), [&](Lit lit) { return resolve(lit) != lit; });
    if (!any_merged) return false;
    std::map<Var, std::vector<Lit>> classes;  // the inputs by the variable they stand for
    for (const Lit lit : neuron.inputs) classes[resolve(lit).var()].push_back(lit);
    std::vector<Lit> inputs;
    bool changed = false;
    for (auto& [variable, members] : classes) {
      const auto is_negative = [&](Lit lit) { return resolve(lit).negated(); };
      const auto negative =
          static_cast<std::size_t>(std::count_if(members.begin(), members.end(), is_negative));
      const std::size_t pairs = std::min(negative, members.size() - negative);
      if (pairs > 0) {
        changed = true;
        report_.cancelled_inputs += static_cast<std::int64_t>(pairs);
        neuron.threshold -= static_cast<std::int32_t>(pairs);
        const bool surviving_sign = negative > pairs;
        std::erase_if(members, [&](Lit lit) { return is_negative(lit) != surviving_sign; });
        members.resize(members.size() - pairs);
      }
      if (members.empty()) continue;
      // One input is the representative itself; the others of the class keep their own variables.
      const Lit representative = resolve(members.front());
      const auto itself = std::find(members.begin(), members.end(), representative);
      if (itself == members.end()) {
        members.front() = representative;
      }
      inputs.insert(inputs.end(), members.begin(), members.end());
    }
    neuron.inputs = std::move(inputs);
    return changed;
  }

  // The same key for equal neurons and, with `flipped`, for opposite ones.
  std::pair<std::vector<std::uint32_t>, bool> canonical_key(const ReifiedAtLeast& neuron) const {
    std::vector<std::uint32_t> key;
    for (const Lit lit : neuron.inputs) key.push_back(resolve(lit).code);
    std::sort(key.begin(), key.end());
    const bool flipped = !key.empty() && (key.front() & 1u) != 0;
    std::int32_t threshold = neuron.threshold;
    if (flipped) {
      for (std::uint32_t& code : key) code ^= 1u;
      threshold = static_cast<std::int32_t>(key.size()) - threshold + 1;
    }
    key.push_back(static_cast<std::uint32_t>(threshold));
    return {std::move(key), flipped};
  }

  // ---- the end ----

  // A merged variable needs its tie if it belongs to the problem or is still read.
  void drop_unused_neurons() {
    std::vector<bool> read(values_.size(), false);
    for (const ModelRow& entry : model_.rows) {
      for (const WeightedLit& term : entry.row.terms) read[term.literal.var().index] = true;
    }
    std::vector<bool> kept(model_.neurons.size(), false);
    const auto needed = [&](Var v) {
      return read[v.index] || values_[v.index] != unknown_bit || model_.layout.is_problem_variable(v);
    };
    // Backwards, because the readers of a variable come after it. A tie makes its representative read, which
    // may reactivate a neuron that was already passed: hence the outer loop.
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t n = model_.neurons.size(); n-- > 0;) {
        const ReifiedAtLeast& neuron = model_.neurons[n].neuron;
        if (kept[n] || !needed(neuron.output.var())) continue;
        kept[n] = true;
        changed = true;
        for (const Lit lit : neuron.inputs) read[lit.var().index] = true;
      }
      for (const Tie& tie : ties_) {
        const Var representative = resolve(Lit::positive(tie.variable)).var();
        if (!needed(tie.variable) || read[representative.index]) continue;
        read[representative.index] = true;
        changed = true;
      }
    }
    std::vector<ModelNeuron> neurons;
    for (std::size_t n = 0; n < kept.size(); ++n) {
      if (kept[n]) {
        neurons.push_back(std::move(model_.neurons[n]));
      } else {
        ++report_.unused_neurons;
      }
    }
    model_.neurons = std::move(neurons);
    for (const Tie& tie : ties_) {
      if (!needed(tie.variable) || values_[tie.variable.index] != unknown_bit) continue;
      const Lit same = resolve(Lit::positive(tie.variable));
      model_.rows.push_back(
          {{{{1, Lit::positive(tie.variable)}, {1, ~same}}, Comparison::equal, 1}, tie.part});
    }
  }

  // Adds unit rows for fixed problem variables, and for neurons that are constraints on their inputs.
  void restate_fixed_variables() {
    for (const ModelNeuron& entry : model_.neurons) {
      const Lit output = entry.neuron.output;
      if (value(output) == unknown_bit || model_.layout.is_problem_variable(output.var())) continue;
      model_.rows.push_back({{{{1, value(output) == 1 ? output : ~output}}, Comparison::at_least, 1},
                             {PartKind::layer, entry.layer}});
    }
    const ModelLayout& layout = model_.layout;
    const std::uint32_t last_state = static_cast<std::uint32_t>(layout.horizon) * layout.step_size();
    for (std::uint32_t v = 0; v < values_.size(); ++v) {
      if (values_[v] == unknown_bit || !layout.is_problem_variable({v})) continue;
      ++report_.fixed_problem_variables;
      const PartKind kind = v < layout.state_bits ? PartKind::initial
                            : v >= last_state     ? PartKind::goal
                                                  : PartKind::global;
      model_.rows.push_back({{{{1, Lit::of({v}, values_[v] == 0)}}, Comparison::at_least, 1}, {kind, 0}});
    }
  }

  void reduce_objective() {
    std::erase_if(model_.objective, [&](const WeightedLit& term) {
      const BitValue known = value(term.literal);
      if (known == 1) model_.offset = checked_add(model_.offset, term.coefficient);
      return known != unknown_bit;
    });
  }

  struct Tie {
    Var variable;
    Part part;
  };

  LimitWatch* watch_;
  std::uint32_t calls_ = 0;
  ZeroOneModel model_;
  BitValues values_;
  std::vector<Lit> representative_;  // of each variable; merged ones point to the one that is still computed
  std::vector<Tie> ties_;
  std::vector<Var> newly_fixed_;
  SimplifyReport report_;
};

}  // namespace

SimplifiedModel simplify(ZeroOneModel model, LimitWatch* watch) {
  return Simplifier(std::move(model), watch).run();
}

}  // namespace bnnplan::model
