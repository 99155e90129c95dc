// The trail, and clauses by two watched literals with blockers. Clauses are cheap and go first; then one
// literal after the other is counted in the layers and rows in which it occurs. A literal is counted in all
// of them before its consequences are applied, so that undoing never meets a half-counted one.
#include <algorithm>
#include <cassert>

#include "bnnplan/cdcl/proof_sink.hpp"
#include "bnnplan/cdcl/solver.hpp"

namespace bnnplan::cdcl {

Solver::Solver(const SolverOptions& options, LimitWatch& watch)
    : options_(options), watch_(watch), kernels_(column_kernels(options.instructions)) {}

Var Solver::new_variable() {
  const Var variable{variable_count()};
  values_.insert(values_.end(), 2, 0);
  stamps_.insert(stamps_.end(), 2, absent);
  levels_.push_back(0);
  places_.push_back(0);
  reasons_.emplace_back();
  watches_.resize(watches_.size() + 2);
  row_places_.resize(row_places_.size() + 2);
  input_places_.emplace_back();
  output_places_.emplace_back();
  seen_.push_back(0);
  assumed_.insert(assumed_.end(), 2, 0);
  phases_.push_back(0);
  hidden_.push_back(0);
  decidable_.push_back(options_.cores ? 1 : 0);
  order_place_.push_back(0xffffffff);
  heap_.add_variable(options_.cores);
  return variable;
}

void Solver::set_proof(ProofSink* proof) {
  assert(trail_.empty() && learned_clauses_.empty() && !inconsistent_);
  proof_ = proof;
}

int Solver::root_value(Lit literal) const {
  return value(literal) != 0 && level_of(literal) == 0 ? value(literal) : 0;
}

bool Solver::enqueue(Lit literal, Reason reason) {
  assert(literal.var().index < variable_count());
  if (value(literal) != 0) return value(literal) > 0;
  assert(value(~literal) == 0 && stamps_[literal.code] == absent && stamps_[(~literal).code] == absent);
  assert(trail_.size() < variable_count());
  values_[literal.code] = 1;
  values_[(~literal).code] = -1;
  const std::uint32_t v = literal.var().index;
  levels_[v] = level();
  places_[v] = static_cast<std::uint32_t>(trail_.size());
  reasons_[v] = reason;
  trail_.push_back(literal);
  stamps_[literal.code] = static_cast<std::uint32_t>(trail_.size());
  return true;
}

void Solver::backtrack(std::uint32_t to_level) {
  assert(counted_ <= clause_head_ && clause_head_ <= trail_.size());
  if (level() <= to_level) return;
  const std::size_t keep = level_starts_[to_level];
  for (std::size_t i = trail_.size(); i-- > keep;) {
    const Lit literal = trail_[i];
    const std::uint32_t v = literal.var().index;
    assert(value(literal) > 0 && places_[v] == i && levels_[v] > to_level);
    if (i < counted_) {
      for (const LayerPlace place : input_places_[v])
        layers_[place.layer].uncount_input(kernels_, place.index, !literal.negated());
      for (const RowPlace& place : row_places_[(~literal).code]) rows_[place.row].slack += place.coefficient;
    }
    for (const LayerPlace place : output_places_[v]) layers_[place.layer].clear_output(place.index);
    values_[literal.code] = values_[(~literal).code] = 0;
    stamps_[literal.code] = absent;
    phases_[v] = literal.negated() ? 0 : 1;
    if (order_place_[v] < order_head_) order_head_ = order_place_[v];
    if (v < rest_head_) rest_head_ = v;
    if (decidable_[v] != 0) heap_.insert(literal.var());
  }
  assert(keep <= trail_.size());
  trail_.resize(keep);
  level_starts_.resize(to_level);
  clause_head_ = std::min(clause_head_, keep);
  counted_ = std::min(counted_, keep);
}

ClauseRef Solver::attach_clause(std::span<const Lit> literals, bool learned, std::uint32_t lbd,
                                std::uint64_t proof_number) {
  assert(literals[0].var() != literals[1].var());
  const ClauseRef ref = clauses_.add(literals, learned, lbd, proof_number);
  (learned ? learned_clauses_ : problem_clauses_).push_back(ref);
  watches_[(~literals[0]).code].push_back({ref, literals[1]});
  watches_[(~literals[1]).code].push_back({ref, literals[0]});
  return ref;
}

void Solver::add_clause(std::vector<Lit> literals) {
  assert(level() == 0);
  std::sort(literals.begin(), literals.end());
  literals.erase(std::unique(literals.begin(), literals.end()), literals.end());
  for (std::size_t i = 0; i < literals.size(); ++i) {
    if (value(literals[i]) > 0 || (i > 0 && literals[i] == ~literals[i - 1])) return;
  }
  std::erase_if(literals, [&](Lit literal) { return value(literal) < 0; });
  if (literals.empty()) {
    inconsistent_ = true;
  } else if (literals.size() == 1) {
    enqueue(literals[0], {});
  } else {
    attach_clause(literals, false, 0, 0);
  }
}

bool Solver::propagate_clauses() {
  while (clause_head_ < trail_.size()) {
    const Lit literal = trail_[clause_head_++];
    ++statistics_.propagations;
    std::vector<Watch>& watches = watches_[literal.code];
    if (watches.empty()) continue;  // of hidden neurons: learned clauses contain none
    auto keep = watches.begin();
    for (auto watch = watches.begin(); watch != watches.end(); ++watch) {
      if (value(watch->blocker) > 0) {
        *keep++ = *watch;
        continue;
      }
      const ClauseRef ref = watch->clause;
      const std::span<Lit> literals = clauses_.literals(ref);
      if (literals[0] == ~literal) std::swap(literals[0], literals[1]);
      assert(literals[1] == ~literal && !clauses_.deleted(ref));
      const Lit first = literals[0];
      if (value(first) > 0) {
        *keep++ = {ref, first};
        continue;
      }
      std::size_t other = 2;
      while (other < literals.size() && value(literals[other]) < 0) ++other;
      if (other < literals.size()) {
        std::swap(literals[1], literals[other]);
        watches_[(~literals[1]).code].push_back({ref, first});
        continue;
      }
      *keep++ = {ref, first};
      if (!enqueue(first, {Reason::Kind::clause, ref, 0})) {
        conflict_.assign(literals.begin(), literals.end());
        if (clauses_.learned(ref)) clauses_.set_used(ref, 2);
        keep = std::copy(watch + 1, watches.end(), keep);
        watches.erase(keep, watches.end());
        return false;
      }
    }
    watches.erase(keep, watches.end());
  }
  return true;
}

bool Solver::count_next() {
  assert(counted_ < clause_head_);
  const Lit literal = trail_[counted_++];
  const std::uint32_t v = literal.var().index;
  const bool is_true = !literal.negated();
  events_.clear();
  for (const LayerPlace place : input_places_[v]) {
    hits_.clear();
    layers_[place.layer].count_input(kernels_, place.index, is_true, hits_);
    if (level() == 0) layers_[place.layer].set_free(place.index);
    for (const NeuronLayer::Hit hit : hits_)
      events_.push_back({Event::Kind::input, hit.side, place.layer, hit.neuron});
  }
  const Reason& reason = reasons_[v];
  for (const LayerPlace place : output_places_[v]) {
    // Settled by this neuron, which cannot force its own inputs.
    if (reason.kind == Reason::Kind::neuron && reason.a == place.layer && reason.b == place.index) continue;
    const bool value = layers_[place.layer].output(place.index) == literal;
    layers_[place.layer].set_output(place.index, value);
    events_.push_back({Event::Kind::output, {}, place.layer, place.index});
  }
  for (const RowPlace& place : row_places_[(~literal).code]) {
    Row& row = rows_[place.row];
    assert(place.coefficient <= row.largest);
    row.slack -= place.coefficient;
    if (row.slack < row.largest) events_.push_back({Event::Kind::row, {}, place.row, 0});
  }
  for (const Event& event : events_) {
    const bool fine = event.kind == Event::Kind::input    ? apply_hit(event.a, {event.b, event.side})
                      : event.kind == Event::Kind::output ? apply_output(event.a, event.b)
                                                          : apply_row(event.a);
    if (!fine) return false;
  }
  return true;
}

bool Solver::propagate() {
  while (true) {
    if (!propagate_clauses()) return false;
    if (counted_ == trail_.size()) return true;
    if (!count_next()) return false;
  }
}

bool Solver::settle_root() {
  assert(level() == 0);
  // A long horizon has millions of literals here, so limits are checked on the way. What has not been
  // propagated by then waits for the next call.
  constexpr std::size_t literals_between_looks = 1 << 14;
  while (!inconsistent_) {
    if (!propagate_clauses()) inconsistent_ = true;
    if (inconsistent_ || counted_ == trail_.size()) break;
    if (counted_ % literals_between_looks == literals_between_looks - 1 && watch_.should_stop()) break;
    if (!count_next()) inconsistent_ = true;
  }
  // Literals fixed at the root are steps of the proof: the clauses they came from may be deleted later.
  if (proof_ != nullptr) {
    for (; logged_units_ < trail_.size(); ++logged_units_) proof_->add_clause({&trail_[logged_units_], 1});
  }
  return !inconsistent_;
}

}  // namespace bnnplan::cdcl
