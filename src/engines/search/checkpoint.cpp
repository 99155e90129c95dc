// Saving and resuming a search. All decisions of a search depend on counts, never on the clock or the number
// of threads; so a search resumed from its state between two turns ends as if it had never been stopped, with
// the same cost, the same bound and the same plan.
//
// A checkpoint identifies its search: a fingerprint of the problem with its network, constraints and refused
// prefixes, then the horizon, the seed, whether any plan would do, and whether a proof is written. Then come
// the best plan, which is checked when it is read, the lower bound, which is trusted, and what
// saved_search.cpp saves.
//
// A file that cannot be written is no reason to end a run of hours: saving is tried again after the next
// interval, and the failure is reported at the end. With a time limit, a search ends earlier by the time that
// saving is expected to take.
#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <thread>

#include <fmt/format.h>

#include "bnnplan/base/fingerprint.hpp"
#include "bnnplan/base/input_error.hpp"
#include "bnnplan/check/plan_check.hpp"
#include "bnnplan/engines/search/search.hpp"
#include "bnnplan/network/network_file.hpp"
#include "bnnplan/problem/problem_file.hpp"

namespace bnnplan::engines {

namespace {

constexpr double first_bytes_per_second = 2e8;  // assumed until something has been saved

void write_bits(CheckpointWriter& file, const BitValues& values, std::uint32_t bits) {
  Words words(words_for(bits), 0);
  for (std::uint32_t i = 0; i < bits; ++i) {
    if (values[i] == 1) set_bit(words.data(), i);
  }
  for (const std::uint64_t word : words) file.write(word);
}

BitValues read_bits(CheckpointReader& file, std::uint32_t bits) {
  Words words(words_for(bits));
  for (std::uint64_t& word : words) word = file.read();
  BitValues values(bits);
  for (std::uint32_t i = 0; i < bits; ++i) values[i] = bit_of(words.data(), i) ? 1 : 0;
  return values;
}

void write_plan(CheckpointWriter& file, const Problem& problem, const Plan& plan) {
  write_bits(file, plan.initial, problem.state.bit_count());
  for (const PlanStep& step : plan.steps) {
    write_bits(file, step.action, problem.action.bit_count());
    write_bits(file, step.auxiliary, problem.auxiliary.bit_count());
    write_bits(file, step.state, problem.state.bit_count());
  }
}

Plan read_plan(CheckpointReader& file, const Problem& problem) {
  Plan plan;
  plan.initial = read_bits(file, problem.state.bit_count());
  for (int t = 0; t < problem.horizon; ++t) {
    PlanStep& step = plan.steps.emplace_back();
    step.action = read_bits(file, problem.action.bit_count());
    step.auxiliary = read_bits(file, problem.auxiliary.bit_count());
    step.state = read_bits(file, problem.state.bit_count());
  }
  return plan;
}

// The plan, completed. Throws std::logic_error if it is not valid.
checking::PlanCheck checked(const Problem& problem, const Plan& plan) {
  checking::PlanCheck check = checking::check_plan(problem, plan);
  if (!check.accepted) throw std::logic_error("the best plan so far is refused: " + check.violation);
  return check;
}

}  // namespace

std::uint64_t fingerprint_of(const Problem& problem) {
  Problem same = problem;
  same.horizon = 0;  // stored separately
  same.name.clear();
  same.view.reset();
  same.network.reset();
  same.network_file.clear();
  std::string text = problem_text(same);
  if (problem.network) text += network_text(*problem.network);
  return std::stoull(fingerprint(text), nullptr, 16);
}

void SearchRun::save(CheckpointWriter& file) const {
  file.write(actions.class_count());
  for (std::size_t i = 0; i < actions.class_count(); ++i) file.write(actions[i].end);
  graph->save(file);
}

std::vector<StateId> SearchRun::restore(CheckpointReader& file) {
  const std::size_t classes = file.read_count(1);
  for (std::size_t i = 0; i < classes; ++i) {
    const bool made = actions.make_class(i);
    watch.check_time();
    watch.check_memory(actions.bytes());
    file.require(made && actions[i].end == file.read(), "different actions");
  }
  return graph->restore(file);
}

void Search::save(const std::string& path) {
  const EngineRequest& request = run_.request;
  CheckpointWriter file(path);
  file.write(fingerprint_of(run_.problem));
  file.write(static_cast<std::uint64_t>(run_.problem.horizon));
  file.write(request.limits.seed);
  file.write(request.first ? 1 : 0);
  file.write(request.proof.empty() ? 0 : 1);  // with a proof, symmetry is not used
  file.write(static_cast<std::uint64_t>(stage_));
  file.write(plan_ ? 1 : 0);
  if (plan_) write_plan(file, run_.problem, checked(run_.problem, *plan_).plan);
  if (stage_ == Stage::begin) return file.commit();
  std::int64_t lower = *run_.bounds.lower();
  if (request.shared != nullptr) lower = std::max<std::int64_t>(lower, request.shared->lower);
  file.write_signed(lower);
  file.write(next_dive_);
  file.write(next_layers_);
  file.write(dive_evaluations_);
  file.write(dive_nodes_);
  file.write(dives_);
  file.write(closing_.most_states);
  file.write(closing_.next, closing_.changed ? 1 : 0);
  run_.save(file);
  file.write(best_first_ ? 1 : 0);
  if (best_first_) best_first_->save(file);
  file.write(dive_ ? 1 : 0);
  if (dive_) dive_->save(file);
  file.commit();
}

// Rejects a file that is not a checkpoint of this search, before any work.
void Search::open_checkpoint() {
  whole_ = false;
  resumed_from_ = run_.request.checkpoint.resume;
  CheckpointReader& file = checkpoint_.emplace(resumed_from_);
  const auto other = [&](const std::string& what) {
    throw InputError(resumed_from_, "is a checkpoint of " + what);
  };
  if (file.read() != fingerprint_of(run_.problem))
    other("another problem: the problem, its network or its refused prefixes have changed");
  if (const std::uint64_t horizon = file.read(); horizon != static_cast<std::uint64_t>(run_.problem.horizon))
    other(fmt::format("horizon {}, the problem has horizon {}", horizon, run_.problem.horizon));
  if (const std::uint64_t seed = file.read(); seed != run_.request.limits.seed)
    other(fmt::format("seed {}, this run has seed {}", seed, run_.request.limits.seed));
  if (const bool first = file.read() != 0; first != run_.request.first)
    other(first ? "a run for any plan, this run looks for the best"
                : "a run for the best plan, this run takes any");
  if (const bool proof = file.read() != 0; proof == run_.request.proof.empty())
    other(proof ? "a run with a proof, this run has none" : "a run without a proof, this run has one");
}

// Reads the rest.
void Search::resume() {
  CheckpointReader& file = *checkpoint_;
  stage_ = static_cast<Stage>(file.read_up_to(static_cast<std::uint64_t>(Stage::layers), "its stage"));
  restore_plan(file);
  if (stage_ != Stage::begin) restore_stages(file);
  file.require_end();
  checkpoint_.reset();
  whole_ = true;
  evaluations_at_start_ = run_.graph->evaluations();
}

void Search::restore_plan(CheckpointReader& file) {
  if (file.read_up_to(1, "its best plan") == 0) return;
  checking::PlanCheck check = checking::check_plan(run_.problem, read_plan(file, run_.problem));
  file.require(check.accepted, "its best plan is refused: " + check.violation);
  take(std::move(check.plan), check.cost);
  plan_->cost = cost_in_units(run_.problem, cost_);
  run_.bounds.improve({run_.watch.seconds(), cost_, [this] { return *plan_; }});
}

void Search::restore_stages(CheckpointReader& file) {
  const std::int64_t lower = static_cast<std::int64_t>(file.read());
  file.require(!plan_ || lower <= cost_, "its lower bound is above the cost of its plan");
  next_dive_ = file.read();
  next_layers_ = file.read();
  dive_evaluations_ = file.read();
  dive_nodes_ = file.read();
  dives_ = file.read();
  closing_.most_states = file.read();
  const auto [next, changed] = file.read_pair();
  closing_.next = next;
  closing_.changed = changed != 0;
  const std::vector<StateId> block_state = run_.restore(file);
  const auto restore = [&](std::optional<BestFirst>& search, bool any_plan) {
    if (file.read_up_to(1, "its searches") == 0) return;
    search.emplace(run_, any_plan);
    search->restore(file, block_state);
  };
  restore(best_first_, false);
  restore(dive_, true);
  file.require(run_.request.first ? stage_ == Stage::dive : best_first_.has_value(), "its searches");
  file.require(dive_.has_value() == (stage_ == Stage::dive), "its searches");
  if (best_first_) count_nodes(*best_first_);
  run_.bounds.raise_lower(lower, run_.watch.seconds());
}

// Takes over plans found by other engines. The search drops everything that costs no less, so the plan must
// be saved with it; its cost is known slightly before the plan itself.
void Search::take_plans_of_others() {
  const auto& plan_of_others = run_.request.checkpoint.plan_of_others;
  if (!plan_of_others) return;
  for (int tries = 0; tries < 200; ++tries) {
    if (const auto other = plan_of_others()) {
      checking::PlanCheck check = checked(run_.problem, *other);
      take(std::move(check.plan), check.cost);
    }
    const auto outside = run_.outside_upper();
    if (!outside || (plan_ && cost_ <= run_.total_cost(*outside))) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  throw InputError(run_.request.checkpoint.file,
                   "was not written: the best plan of another engine did not arrive");
}

void Search::try_to_save() {
  const Checkpointing& checkpoint = run_.request.checkpoint;
  if (checkpoint.saving != nullptr) *checkpoint.saving = true;
  const double begin = run_.watch.seconds();
  saved_.clear();
  saving_error_.clear();
  try {
    for (const auto* search : {&best_first_, &dive_}) {
      if (!*search || !(*search)->has_path()) continue;
      const Path path = (*search)->best_path();
      take(path, run_.extra_cost(path));
    }
    take_plans_of_others();
    save(checkpoint.file);
    saved_ = checkpoint.file;
    const std::size_t bytes = (run_.graph ? run_.graph->bytes() : 0) + node_bytes_ + 1;
    seconds_per_byte_ = (run_.watch.seconds() - begin) / static_cast<double>(bytes);
  } catch (const InputError& error) {
    saving_error_ = error.what();
  }
  last_save_ = run_.watch.seconds();
  if (checkpoint.saving != nullptr) *checkpoint.saving = false;
}

double Search::expected_saving_seconds() const {
  const std::size_t bytes = run_.graph->bytes() + (best_first_ ? best_first_->bytes() : 0);
  return static_cast<double>(bytes) * seconds_per_byte_.value_or(1 / first_bytes_per_second);
}

void Search::save_now_and_then() {
  if (run_.request.checkpoint.file.empty()) return;
  const double now = run_.watch.seconds();
  const auto& limit = run_.request.limits.seconds;
  if (limit && now + expected_saving_seconds() >= *limit) return run_.watch.stop(StopReason::time);
  if (now - last_save_ >= run_.request.checkpoint.every) try_to_save();
}

// Called when a limit has ended the search. A checkpoint that was not read completely is not overwritten.
void Search::save_at_the_end() {
  const Checkpointing& checkpoint = run_.request.checkpoint;
  const StopReason reason = run_.watch.reason();
  const bool can_go_on =
      reason == StopReason::time || reason == StopReason::memory || reason == StopReason::interrupted;
  saved_.clear();
  if (checkpoint.file.empty() || !can_go_on || (checkpoint.wanted && !checkpoint.wanted())) return;
  if (whole_) return try_to_save();
  saved_ = resumed_from_;  // stopped while reading it: the file is still complete
}

}  // namespace bnnplan::engines
