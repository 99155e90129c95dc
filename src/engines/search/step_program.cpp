// Compiling a step. A step is a set of linear rows over known bits (state, action, network outputs) and open
// ones (auxiliary variables, other next-state bits). For an open bit x in a row  S + a x + R  <=, >=, == b,
// where S is a sum of known bits and R one of open bits, with least and largest value r and R,
//
//   x may be v  iff  S >= b - R - a v  (for >=),   S <= b - r - a v  (for <=),   both (for ==)
//
// which is a circuit over the known bits. x is forced to 1 where some row forbids 0, and forced to 0 where
// some row forbids 1. Once the two together cover every case, x is "settled": its value is "forced to 1", it
// counts as known, and with it more bits can be settled. A row holds if its last settled bit is not forced
// both ways, so there is nothing else to check.
//
// That the two cover every case is tested on random samples, not proved, and need not be: pairs of state and
// action for which a bit is forced neither way are marked `open`, and the caller asks the step solver for
// them. The same applies if a step really has several next states. So the compiled program is right no matter
// what the samples say; they decide only how often it is useful. An auxiliary bit whose rows have all been
// settled otherwise may have any value where it is not forced: nothing depends on it.
//
// Whether the next state can be useful to any plan is part of the circuit: for states that cannot, only this
// one bit is ever computed. Cost: two or three gates for each summand of a row, each about a nanosecond for
// 256 pairs, and transposing the words of states and actions, 5 nanoseconds per pair and word.
#include "bnnplan/engines/search/step_program.hpp"

#include <algorithm>
#include <cassert>
#include <deque>

#include "bnnplan/base/bit_count.hpp"
#include "bnnplan/network/bit_rows.hpp"

namespace bnnplan::engines {

namespace {

using Wire = BitCircuit::Wire;

constexpr std::size_t most_gates = std::size_t{1} << 20;

class StepCompiler {
 public:
  explicit StepCompiler(const PackedProblem& packed) : problem_(packed.problem) {
    const std::size_t actions = problem_.action.bit_count(), states = problem_.state.bit_count();
    first_bit_[0] = 0;
    first_bit_[1] = actions;
    first_bit_[2] = actions + states;
    first_bit_[3] = first_bit_[2] + problem_.auxiliary.bit_count();
    bits_.resize(first_bit_[3] + states);
    for (const std::uint32_t bit : packed.unlearned) bits_[first_bit_[3] + bit].open = true;
    for (std::uint32_t i = 0; i < problem_.auxiliary.bit_count(); ++i) {
      bits_[first_bit_[2] + i].open = bits_[first_bit_[2] + i].auxiliary = true;
    }
    for (OpenBit& bit : bits_) {
      if (bit.open) continue;
      bit.settled = true;
      bit.value = circuit_.input();  // so that input i is bit i among the known ones
      inputs_.push_back(static_cast<std::size_t>(&bit - bits_.data()));
    }
    for (const LinearConstraint& constraint : problem_.constraints) add_row(constraint);
    for (const LinearConstraint& constraint : problem_.transitions) add_row(constraint);
  }

  // False if the program would be useless.
  bool compile() {
    for (std::size_t i = 0; i < bits_.size(); ++i) {
      if (bits_[i].open) wait(i);
    }
    while (true) {
      while (!waiting_.empty()) {
        const std::size_t bit = waiting_.front();
        waiting_.pop_front();
        bits_[bit].waiting = false;
        if (bits_[bit].settled) continue;
        force(bit);
        if (circuit_.gates().size() > most_gates) return false;
        if (cases_left(bits_[bit]) == 0) settle(bit);
      }
      const std::size_t bit = most_forced();
      if (bit == bits_.size()) break;
      if (cases_left(bits_[bit]) == samples) return false;
      settle(bit);
    }
    open_ = circuit_.both(open_, circuit_.negation(violated_));
    const std::size_t dead = count(violated_);
    return 8 * count(open_) <= 7 * (samples - dead) || dead == samples;
  }

  const BitCircuit& circuit() const { return circuit_; }
  Wire open() const { return open_; }
  // Exactly one next state, and a useful one.
  Wire single() {
    std::vector<BitCircuit::Summand> summands;
    const auto holds_next = [&](const LinearConstraint& constraint) {
      summands.clear();
      for (const Term& term : constraint.terms) {
        if (term.bit.place != Place::state) return BitCircuit::one;
        summands.push_back({term.coefficient, next(term.bit.index)});
      }
      return circuit_.holds(summands, constraint.comparison, constraint.bound);
    };
    Wire alive = BitCircuit::one, goal = BitCircuit::one;
    for (const LinearConstraint& row : problem_.constraints) alive = circuit_.both(alive, holds_next(row));
    for (const LinearConstraint& row : problem_.transitions) alive = circuit_.both(alive, holds_next(row));
    for (const LinearConstraint& row : problem_.goal) goal = circuit_.both(goal, holds_next(row));
    const Wire excluded = circuit_.either(open_, circuit_.either(violated_, contradicted_));
    return circuit_.both(circuit_.either(alive, goal), circuit_.negation(excluded));
  }
  Wire next(std::uint32_t bit) const { return bits_[first_bit_[3] + bit].value; }
  Bit input(std::size_t number) const {
    const std::size_t bit = inputs_[number];
    std::size_t place = 3;
    while (bit < first_bit_[place]) --place;
    return {static_cast<Place>(place), static_cast<std::uint32_t>(bit - first_bit_[place])};
  }

 private:
  struct OpenBit {
    bool open = false, auxiliary = false, settled = false, waiting = false;
    Wire value = BitCircuit::zero;
    Wire forced_to_0 = BitCircuit::zero, forced_to_1 = BitCircuit::zero;
    bool alone = false;             // everything else in all its rows is settled
    std::vector<std::size_t> rows;  // the rows it is in, if open
  };
  struct Summand {
    std::int64_t coefficient;
    std::size_t bit;
  };
  struct Row {
    std::vector<Summand> summands;
    Comparison comparison;
    std::int64_t bound;
  };
  static constexpr std::size_t samples = 64 * BitCircuit::sample_words;

  void add_row(const LinearConstraint& constraint) {
    Row row{{}, constraint.comparison, constraint.bound};
    bool has_action = false, has_state = false, has_next = false, has_open = false;
    for (const Term& term : constraint.terms) {
      const std::size_t bit = first_bit_[static_cast<std::size_t>(term.bit.place)] + term.bit.index;
      row.summands.push_back({term.coefficient, bit});
      has_open |= bits_[bit].open;
      has_action |= term.bit.place == Place::action;
      has_state |= term.bit.place == Place::state;
      has_next |= term.bit.place == Place::next;
    }
    if (!has_open) {
      if (!has_next && !(has_action && has_state)) return;  // checked when the state or action was made
      std::vector<BitCircuit::Summand> summands;
      for (const Summand& summand : row.summands) {
        summands.push_back({summand.coefficient, bits_[summand.bit].value});
      }
      const Wire holds = circuit_.holds(summands, row.comparison, row.bound);
      violated_ = circuit_.either(violated_, circuit_.negation(holds));
      return;
    }
    for (const Summand& summand : row.summands) {
      if (bits_[summand.bit].open) bits_[summand.bit].rows.push_back(rows_.size());
    }
    rows_.push_back(std::move(row));
  }

  void wait(std::size_t bit) {
    if (bits_[bit].waiting || bits_[bit].settled) return;
    bits_[bit].waiting = true;
    waiting_.push_back(bit);
  }

  // Computes where the rows force the bit, given what is settled now.
  void force(std::size_t index) {
    OpenBit& bit = bits_[index];
    bit.forced_to_0 = bit.forced_to_1 = BitCircuit::zero;
    bit.alone = true;
    std::vector<BitCircuit::Summand> known;
    for (const std::size_t number : bit.rows) {
      const Row& row = rows_[number];
      known.clear();
      std::int64_t own = 0, least = 0, largest = 0;
      for (const Summand& summand : row.summands) {
        if (summand.bit == index) {
          own += summand.coefficient;
        } else if (bits_[summand.bit].settled) {
          known.push_back({summand.coefficient, bits_[summand.bit].value});
        } else {
          (summand.coefficient < 0 ? least : largest) += summand.coefficient;
          bit.alone = false;
        }
      }
      for (const std::int64_t value : {0, 1}) {
        const std::int64_t rest = row.bound - own * value;
        Wire allowed = BitCircuit::one;
        if (row.comparison != Comparison::at_most) allowed = circuit_.at_least(known, rest - largest);
        if (row.comparison != Comparison::at_least) {
          allowed = circuit_.both(allowed, circuit_.negation(circuit_.at_least(known, rest - least + 1)));
        }
        Wire& forced = value == 0 ? bit.forced_to_1 : bit.forced_to_0;
        forced = circuit_.either(forced, circuit_.negation(allowed));
      }
    }
  }

  // The samples in which the bit would be left open, among those not decided otherwise.
  std::size_t cases_left(const OpenBit& bit) const {
    if (bit.auxiliary && bit.alone) return 0;
    const auto one = circuit_.samples(bit.forced_to_1), zero = circuit_.samples(bit.forced_to_0);
    const auto open = circuit_.samples(open_), violated = circuit_.samples(violated_),
               contradicted = circuit_.samples(contradicted_);
    std::size_t left = 0;
    for (std::size_t i = 0; i < BitCircuit::sample_words; ++i) {
      left +=
          static_cast<std::size_t>(count_ones(~(one[i] | zero[i] | open[i] | violated[i] | contradicted[i])));
    }
    return left;
  }

  std::size_t count(Wire wire) const {
    std::size_t ones = 0;
    for (const std::uint64_t word : circuit_.samples(wire))
      ones += static_cast<std::size_t>(count_ones(word));
    return ones;
  }

  // The open bit with the fewest cases left; bits_.size() if all are settled.
  std::size_t most_forced() const {
    std::size_t best = bits_.size(), fewest = samples + 1;
    for (std::size_t i = 0; i < bits_.size(); ++i) {
      if (bits_[i].settled) continue;
      const std::size_t left = cases_left(bits_[i]);
      if (left < fewest) {
        fewest = left;
        best = i;
      }
    }
    return best;
  }

  void settle(std::size_t index) {
    OpenBit& bit = bits_[index];
    bit.settled = true;
    bit.value = bit.forced_to_1;
    contradicted_ = circuit_.either(contradicted_, circuit_.both(bit.forced_to_0, bit.forced_to_1));
    if (!bit.auxiliary || !bit.alone) {
      const Wire neither = circuit_.negation(circuit_.either(bit.forced_to_0, bit.forced_to_1));
      open_ = circuit_.either(open_, neither);
    }
    for (const std::size_t row : bit.rows) {
      for (const Summand& summand : rows_[row].summands) wait(summand.bit);
    }
  }

  const Problem& problem_;
  BitCircuit circuit_;
  std::size_t first_bit_[4];  // of each place
  std::vector<OpenBit> bits_;
  std::vector<std::size_t> inputs_;       // by input of the circuit: its bit
  std::vector<Row> rows_;                 // with open bits
  std::deque<std::size_t> waiting_;       // bits about which more may be known now
  Wire violated_ = BitCircuit::zero;      // a row without open bits does not hold
  Wire contradicted_ = BitCircuit::zero;  // some bit is forced both ways; only if nothing is open
  Wire open_ = BitCircuit::zero;          // some bit is forced neither way
};

template <class Words>
auto& word_of(Words& words, std::size_t index) {
  const auto found =
      std::find_if(words.begin(), words.end(), [&](const auto& w) { return w.index == index; });
  if (found != words.end()) return *found;
  words.push_back({index, {}});
  return words.back();
}

}  // namespace

StepProgram::StepProgram(const PackedProblem& problem) : problem_(problem) {
  if (problem.open_constraints.empty() && problem.unlearned.empty() &&
      problem.problem.auxiliary.bit_count() == 0) {
    return;
  }
  StepCompiler compiler(problem);
  if (!compiler.compile()) return;
  useful_ = true;
  std::vector<Wire> outputs{compiler.open(), compiler.single()};
  for (const std::uint32_t bit : problem.unlearned) {
    word_of(next_, bit / 64).bits.push_back({bit % 64, outputs.size()});
    outputs.push_back(compiler.next(bit));
  }
  program_ = CircuitProgram(compiler.circuit(), outputs);
  for (const CircuitProgram::Input& input : program_.inputs()) {
    const Bit bit = compiler.input(input.number);
    std::vector<Word>& words = bit.place == Place::action  ? action_
                               : bit.place == Place::state ? state_
                                                           : learned_;
    word_of(words, bit.index / 64).bits.push_back({bit.index % 64, input.place});
  }
}

void StepProgram::run(std::span<const Pair> pairs, Workspace& workspace) const {
  assert(useful_ && pairs.size() <= lane_count);
  workspace.state_words_ = problem_.state_words;
  workspace.places_.resize(program_.place_count());
  workspace.next_.resize(lane_count * problem_.state_words);
  const std::size_t blocks = (pairs.size() + 63) / 64;
  for (std::size_t block = 0; block < blocks; ++block) {
    const auto part = pairs.subspan(64 * block, std::min<std::size_t>(64, pairs.size() - 64 * block));
    load(part, &Pair::state, state_, block, workspace.places_.data());
    load(part, &Pair::action, action_, block, workspace.places_.data());
    load(part, &Pair::learned, learned_, block, workspace.places_.data());
  }
  program_.run(workspace.places_.data());
  for (std::size_t block = 0; block < lane_words; ++block) {
    const std::size_t used =
        pairs.size() > 64 * block ? std::min<std::size_t>(64, pairs.size() - 64 * block) : 0;
    const std::uint64_t mask = used == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << used) - 1;
    workspace.open_.words[block] = program_.output(workspace.places_.data(), 0, block) & mask;
    workspace.single_.words[block] = program_.output(workspace.places_.data(), 1, block) & mask;
    if (workspace.single_.words[block] != 0) store(pairs.subspan(64 * block, used), block, workspace);
  }
}

void StepProgram::load(std::span<const Pair> pairs, const std::uint64_t* Pair::*words,
                       const std::vector<Word>& used, std::size_t block, Lanes* places) const {
  const bool one_for_all = std::all_of(pairs.begin(), pairs.end(),
                                       [&](const Pair& pair) { return pair.*words == pairs.front().*words; });
  for (const Word& word : used) {
    if (one_for_all) {
      const std::uint64_t value = (pairs.front().*words)[word.index];
      for (const Loaded& bit : word.bits) places[bit.place].words[block] = -(value >> bit.bit & 1);
      continue;
    }
    BitSquare matrix = {};
    for (std::size_t i = 0; i < pairs.size(); ++i) matrix[i] = (pairs[i].*words)[word.index];
    transpose(matrix);
    for (const Loaded& bit : word.bits) places[bit.place].words[block] = matrix[bit.bit];
  }
}

void StepProgram::store(std::span<const Pair> pairs, std::size_t block, Workspace& workspace) const {
  const std::size_t words = problem_.state_words;
  std::uint64_t* next = workspace.next_.data() + 64 * block * words;
  for (std::size_t i = 0; i < pairs.size(); ++i) std::copy_n(pairs[i].learned, words, next + i * words);
  for (const StoredWord& word : next_) {
    BitSquare matrix = {};
    for (const Stored& bit : word.bits) {
      matrix[bit.bit] = program_.output(workspace.places_.data(), bit.output, block);
    }
    transpose(matrix);
    for (std::size_t i = 0; i < pairs.size(); ++i) next[i * words + word.index] |= matrix[i];
  }
}

}  // namespace bnnplan::engines
