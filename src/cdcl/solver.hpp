#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "bnnplan/base/limits.hpp"
#include "bnnplan/base/linear_row.hpp"
#include "bnnplan/base/literal.hpp"
#include "bnnplan/base/status.hpp"
#include "bnnplan/cdcl/activity_heap.hpp"
#include "bnnplan/cdcl/clause_arena.hpp"
#include "bnnplan/cdcl/neuron_layer.hpp"
#include "bnnplan/model/at_least_row.hpp"

namespace bnnplan::cdcl {

class ProofSink;

// What other settings would do was measured: docs/neuron.md, and the heads of the files.
struct SolverOptions {
  // Look for cores: any variable is decided, by activity, and learned clauses may mention every variable.
  // Otherwise only what all others follow from is decided, in the order of time, and learned clauses mention
  // states, actions and auxiliaries, not hidden neurons.
  bool cores = false;
  bool dense = true;  // layers as columns, not as lists
  InstructionSet instructions = best_instruction_set();
  std::uint64_t seed = 0;
};

struct SolverStatistics {
  std::uint64_t conflicts = 0, decisions = 0, propagations = 0, restarts = 0;
  std::uint64_t learned_literals = 0, removed_literals = 0, learned_levels = 0;
  std::uint64_t deleted_clauses = 0;

  SolverStatistics& operator+=(const SolverStatistics& other);
};

// A learned clause for another solver, and its number of levels.
struct SharedClause {
  std::vector<Lit> literals;
  std::uint32_t lbd;
  std::uint64_t proof_number;  // of a copy for the other; 0 if there is none
};

// Conflict-driven search over clauses, reified at-least constraints (neurons) and linear rows, none of which
// is translated into another. One file per technique:
//
//   propagate.cpp   the trail, clauses by two watched literals
//   neurons.cpp     the four rules and their reasons
//   rows.cpp        linear rows and their reasons
//   analyze.cpp     first unique implication point
//   minimise.cpp    fewer literals in learned clauses
//   decide.cpp      time order, activity, phases
//   restart.cpp     when to restart
//   reduce.cpp      which learned clauses stay
//   search.cpp      the loop, assumptions
//   share.cpp       clauses for another solver
//   invariants.cpp  invariants, for assertions
//
// Everything is added at decision level 0 (solve() returns there) and may be added between calls.
class Solver {
 public:
  Solver(const SolverOptions& options, LimitWatch& watch);  // keeps a reference to watch

  const SolverOptions& options() const { return options_; }

  Var new_variable();
  std::uint32_t variable_count() const { return static_cast<std::uint32_t>(levels_.size()); }

  // Variables in this order are decided first when deciding in the order of time; only these are decided at
  // all unless some other variable does not follow from them.
  void set_decision_order(std::vector<Var> order);
  void set_phase(Var variable, bool value) { phases_[variable.index] = value ? 1 : 0; }

  // A variable that learned clauses do not mention, because it follows from others: a hidden neuron.
  void set_hidden(Var variable) { hidden_[variable.index] = 1; }

  void add_clause(std::vector<Lit> literals);
  void add_row(const LinearRow& row);

  // The neurons of one layer in one step; only their shape is stored. Weights are shared with the earlier
  // layer `like` (an index that this function returned) if they are equal.
  std::uint32_t add_layer(std::span<const NeuronView> neurons, std::int64_t like = -1);

  // A new variable that is true if and only if at least `threshold` of the inputs are: the only place where a
  // variable that the model does not have is defined by others. Requires different variables and
  // 0 < threshold <= inputs. With a proof, definition() is the number of its definition there.
  Lit define_counter(std::span<const Lit> inputs, std::int32_t threshold);
  std::uint64_t definition() const { return definition_; }

  // A row sum >= bound with positive coefficients whose bound may be raised later.
  std::uint32_t add_movable_row(std::vector<WeightedLit> terms, std::int64_t bound);
  void raise_bound(std::uint32_t row, std::int64_t bound);

  // unknown: a limit was reached, pause() returned true, or the conflicts were used up.
  SatAnswer solve(std::span<const Lit> assumptions = {}, std::uint64_t most_conflicts = ~std::uint64_t{0});
  std::function<bool()> pause;

  bool inconsistent() const { return inconsistent_; }  // unsatisfiable without any assumption
  bool model_value(Lit literal) const { return model_[literal.code] > 0; }  // after satisfiable
  const std::vector<Lit>& core() const { return core_; }  // assumptions that cannot hold together
  int root_value(Lit literal) const;                      // 1, -1, or 0 if not fixed
  void keep_model_as_phases();

  // Exchange of learned clauses with another solver that has the same model. share_clauses(): from now on
  // collect clauses that are short and over variables that exist now; take_shared(): those collected since
  // the last call; add_shared(): adds the clauses of the other solver.
  void share_clauses();
  std::vector<SharedClause> take_shared();
  void add_shared(const std::vector<SharedClause>& clauses);

  const SolverStatistics& statistics() const { return statistics_; }
  std::size_t bytes() const;  // held, approximately; cheap to compute

  // Everything that is derived from now on is also written there. Requires that nothing was derived before.
  void set_proof(ProofSink* proof);
  ProofSink* proof() const { return proof_; }

 private:
  struct Reason {
    enum class Kind : std::uint8_t { none, clause, neuron, row } kind = Kind::none;
    std::uint32_t a = 0, b = 0;  // clause; layer and neuron; row
  };
  struct Watch {
    ClauseRef clause;
    Lit blocker;
  };
  struct LayerPlace {
    std::uint32_t layer, index;  // a column, or a neuron
  };
  struct Row {                       // sum >= bound
    std::vector<WeightedLit> terms;  // largest coefficients first
    std::int64_t bound = 0;
    std::int64_t slack = 0;  // how much the terms that are not false exceed the bound
    std::int64_t largest = 0;
  };
  struct RowPlace {
    std::uint32_t row;
    std::int64_t coefficient;
  };

  // propagate.cpp
  int value(Lit literal) const { return values_[literal.code]; }
  std::uint32_t level() const { return static_cast<std::uint32_t>(level_starts_.size()); }
  std::uint32_t level_of(Lit literal) const { return levels_[literal.var().index]; }
  std::uint32_t place_of(Lit literal) const { return places_[literal.var().index]; }
  bool enqueue(Lit literal, Reason reason);  // false if the literal is false already
  bool propagate();                          // false: conflict_ has the reason
  bool propagate_clauses();
  bool count_next();
  void backtrack(std::uint32_t to_level);
  ClauseRef attach_clause(std::span<const Lit> literals, bool learned, std::uint32_t lbd,
                          std::uint64_t proof_number);
  bool settle_root();  // propagates at level 0; false and inconsistent_ on a conflict, true also at a limit

  // neurons.cpp
  bool apply_hit(std::uint32_t layer, NeuronLayer::Hit hit);
  bool apply_output(std::uint32_t layer, std::uint32_t neuron);
  bool force_inputs(std::uint32_t layer, std::uint32_t neuron, bool output);
  void explain_neuron(std::uint32_t layer, std::uint32_t neuron, Lit implied, std::uint32_t before,
                      std::vector<Lit>& reason);

  // rows.cpp
  void add_at_least(model::AtLeastRow row);
  bool apply_row(std::uint32_t row);
  void explain_row(std::uint32_t row, std::int64_t implied_coefficient, std::uint32_t before,
                   std::vector<Lit>& reason);
  void choose(std::int64_t need, std::vector<Lit>& reason);
  std::int64_t coefficient_of(std::uint32_t row, Lit literal) const;

  // search.cpp
  bool assume();  // false: core_ has the assumptions that cannot hold together
  void back_to_assumptions() { backtrack(assumptions_.empty() ? 0 : 1); }

  // analyze.cpp, minimise.cpp
  void explain(Lit implied, std::vector<Lit>& reason);  // false literals that imply it
  void analyze();
  bool resolved_always(std::uint32_t v) const {  // a hidden neuron that was not decided
    return !options_.cores && hidden_[v] != 0 && reasons_[v].kind != Reason::Kind::none;
  }
  void analyze_assumptions(std::span<const Lit> causes);
  void minimise();
  bool is_redundant(Lit literal, int depth);
  std::uint32_t count_levels(std::span<const Lit> literals);
  void learn();
  void offer_learned(std::uint32_t lbd);  // share.cpp

  // decide.cpp
  Lit next_decision();
  void bump(Var variable);
  void decay();

  // restart.cpp, reduce.cpp
  void average_levels(std::uint32_t levels);  // of a learned clause
  bool restart_is_due();
  void restarted();
  void reduce();
  void collect_garbage();

  // invariants.cpp; absent if assertions are off
  bool follows(const Reason& why, Lit implied, std::span<const Lit> reason) const;
  bool is_asserting(std::span<const Lit> clause) const;
  void check_now_and_then();
  void check_trail() const;
  void check_clauses() const;
  void check_layers() const;
  void check_rows() const;
  void check_decisions() const;

  SolverOptions options_;
  LimitWatch& watch_;
  const ColumnKernels& kernels_;
  ProofSink* proof_ = nullptr;
  std::uint64_t definition_ = 0;  // of the last counter, in the proof
  SolverStatistics statistics_;
  bool inconsistent_ = false;

  std::vector<std::int8_t> values_;  // of literals: 1, -1, 0
  // Of literals: position on the trail from 1 if true, otherwise `absent`.
  std::vector<std::uint32_t> stamps_;
  static constexpr std::uint32_t absent = 0xffffffff;
  static constexpr Lit no_literal{0xffffffff};
  std::vector<std::uint32_t> levels_, places_;
  std::vector<Reason> reasons_;
  std::vector<Lit> trail_;
  std::vector<std::size_t> level_starts_;
  std::size_t clause_head_ = 0, counted_ = 0, logged_units_ = 0;

  ClauseArena clauses_;
  std::vector<ClauseRef> problem_clauses_, learned_clauses_;
  std::vector<std::vector<Watch>> watches_;  // of clauses in which the negation of the literal is watched
  std::vector<NeuronLayer> layers_;
  std::vector<std::vector<LayerPlace>> input_places_, output_places_;  // of variables
  std::vector<Row> rows_;
  std::vector<std::vector<RowPlace>> row_places_;  // of literals that are terms
  std::size_t constraint_bytes_ = 0;               // of layers and rows
  std::vector<NeuronLayer::Hit> hits_;
  struct Event {
    enum class Kind : std::uint8_t { input, output, row } kind;
    NeuronLayer::Side side;
    std::uint32_t a, b;
  };
  std::vector<Event> events_;

  std::vector<Lit> conflict_, learned_, reason_, core_, assumptions_;
  std::vector<std::uint8_t> assumed_;  // of literals, while they are being assumed
  std::vector<std::uint8_t> seen_;     // of variables: 1 in the learned clause, 2 redundant, 3 not redundant
  std::vector<Lit> marked_;
  std::vector<std::uint32_t> level_marks_;
  std::uint32_t level_mark_ = 0;
  struct Candidate {
    std::uint32_t place;  // on the trail, from 1; 0 if the analysis has already seen it
    std::int64_t weight;
    Lit literal;  // false
  };
  std::vector<Candidate> candidates_;
  std::vector<std::uint64_t> keys_;  // candidates of a neuron: position and literal in one number

  std::vector<Var> order_;
  std::vector<std::uint32_t> order_place_;
  std::size_t order_head_ = 0, rest_head_ = 0;
  std::vector<std::uint8_t> phases_, decidable_, hidden_;
  ActivityHeap heap_;

  std::uint32_t shared_variables_ = 0;  // clauses over variables below this are collected
  std::vector<SharedClause> shared_;
  std::size_t shared_units_ = 0;

  double fast_levels_ = 0, slow_levels_ = 0, level_bias_fast_ = 1, level_bias_slow_ = 1;
  std::uint64_t conflicts_at_restart_ = 0;
  std::uint64_t next_reduce_ = 2000, reductions_ = 0;
  std::uint64_t next_look_ = 0, next_check_ = 0;
  std::vector<std::int8_t> model_;
};

}  // namespace bnnplan::cdcl
