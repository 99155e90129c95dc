// Engines in parallel. Search solves most problems in milliseconds, so it starts alone; the others join only
// when the problem turns out to need more than a moment, so they cost nothing when they are not needed. Which
// ones join depends on the problem (see `suits`).
//
// Each engine runs in its own thread. With fewer cores than engines, those after the first take turns on one
// core (base/turns.hpp); with a single core all of them do. Each works for a time slice and continues where
// it was when its turn comes again. So n engines on one core take at most n times as long as the best of them
// alone, whichever that is.
//
// They share the cost of the best plan and the best lower bound through SharedBounds; when the two meet, all
// engines are stopped, no matter which ones found them. The coordinator only waits, and forwards what the
// user wants to see.
//
// With a proof they share plans only, each of which becomes a solution in all proofs (SharedPlan): a lower
// bound from another engine would have no derivation there. Each engine writes its own proof, and the first
// one finished ends all.
#include "bnnplan/engines/portfolio.hpp"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <thread>

#include <fmt/format.h>

#include "bnnplan/base/turns.hpp"
#include "bnnplan/engines/local/local_search.hpp"
#include "bnnplan/engines/maxsat_engine.hpp"
#include "bnnplan/engines/neuron/neuron_engine.hpp"
#include "bnnplan/engines/search/search_engine.hpp"

namespace bnnplan::engines {

namespace {

constexpr double head_start = 0.02;     // seconds that the first engine runs alone
constexpr double slice = 0.02;          // seconds per turn
constexpr double poll_interval = 0.01;  // seconds between checks of the user's interrupt

bool always(const Problem&) { return true; }

// A model has at most 2^30 variables.
bool can_be_unrolled(const Problem& problem) {
  std::uint64_t bits = problem.state.bit_count() + problem.action.bit_count() + problem.auxiliary.bit_count();
  if (problem.network) {
    for (const Layer& layer : problem.network->layers) bits += layer.neurons.size();
  }
  return bits * (static_cast<std::uint64_t>(problem.horizon) + 1) <= std::uint64_t{1} << 30;
}

// If all transitions are known, the model is small and its cores are short: maxsat then proves in hundredths
// of a second what the others cannot in minutes. Networks make it slow.
bool is_known_and_can_be_unrolled(const Problem& problem) {
  return !problem.network && can_be_unrolled(problem);
}

// The engines of the portfolio, in starting order.
struct Entry {
  std::string_view name;
  Outcome (*run)(const Problem& problem, const EngineRequest& request);
  bool (*suits)(const Problem& problem);
  // plans: finds plans for those that write
  enum class WithProof : std::uint8_t { writes, plans, nothing } with_proof;
};
constexpr Entry entries[] = {
    {"search", run_search, always, Entry::WithProof::writes},
    {"local", run_local_search, suits_local_search, Entry::WithProof::plans},
    {"maxsat", run_maxsat_engine, is_known_and_can_be_unrolled, Entry::WithProof::nothing},
    {"neuron", run_neuron, can_be_unrolled, Entry::WithProof::writes}};

class Portfolio {
 public:
  Portfolio(const Problem& problem, const EngineRequest& request)
      : problem_(problem), request_(request), watch_(request.limits), bounds_(request) {
    for (const Entry& entry : entries) {
      if (entry.suits(problem) && (request.proof.empty() || helps_proof(entry)))
        members_.push_back(std::make_unique<Member>(entry));
    }
  }

  ~Portfolio() { join(); }
  Portfolio(const Portfolio&) = delete;
  Portfolio& operator=(const Portfolio&) = delete;

  Outcome solve() {
    if (request_.limits.interrupt != nullptr && *request_.limits.interrupt) stop_ = true;
    start(*members_.front());
    if (!wait_until([&] { return members_.front()->done; }, head_start) || (!decided() && !stop_)) {
      for (std::size_t i = 1; i < members_.size(); ++i) start(*members_[i]);
    }
    wait_until([&] { return all_done(); }, {});
    stop_ = true;
    join();
    return combine();
  }

 private:
  struct Member {
    explicit Member(const Entry& what) : entry(what) {}
    const Entry& entry;
    EngineRequest request;
    std::thread thread;
    Outcome outcome;
    std::exception_ptr error;
    bool done = false;
  };

  bool helps_proof(const Entry& entry) const {
    // If any plan will do, the plan shown has to be the proof's.
    const bool any_plan = request_.first || problem_.objective.terms.empty();
    return entry.with_proof == Entry::WithProof::writes ||
           (entry.with_proof == Entry::WithProof::plans && !any_plan);
  }

  void start(Member& member) {
    EngineRequest& request = member.request;
    request.limits = request_.limits;
    request.limits.interrupt = &stop_;
    const double now = watch_.seconds();
    request.limits.seconds = time_left(request.limits.seconds, now);
    if (members_.size() > 1) {
      const auto others = static_cast<unsigned>(members_.size() - 1);
      const bool first = &member == members_.front().get();
      const unsigned threads = request_.limits.threads;
      request.limits.threads = first && threads > others ? threads - others : 1;
      if (threads < 2 || (threads <= others && !first)) request.limits.turn = {&turns_, turns_.join()};
      const std::size_t used = resident_memory();
      if (first && request.limits.memory_bytes > used) {  // the others watch the memory of the whole process
        request.limits.memory_bytes = used + (request.limits.memory_bytes - used) / 2;
      }
    }
    request.first = request_.first;
    request.neurons = request_.neurons;
    if (request_.proof.empty()) {
      request.shared = &shared_;
    } else if (!request_.first) {
      request.shared_plan = &shared_plan_;
    }
    request.proof = request_.proof;
    request.proof_version = request_.proof_version;
    if (member.entry.run == run_search) set_checkpoint(request.checkpoint);
    request.callbacks.improvement = [this, &member](const Improvement& improvement) {
      improve(member, improvement);
    };
    request.callbacks.bound = [this, &member](const BoundPoint& point) { raise(member, point); };
    if (request_.callbacks.progress) {
      request.callbacks.progress = [this, &member](const Progress& progress) { tell(member, progress); };
    }
    member.thread = std::thread([this, &member] { run(member); });
  }

  // Saves the search, with the best plan of all engines.
  void set_checkpoint(Checkpointing& checkpoint) {
    checkpoint = request_.checkpoint;
    if (checkpoint.file.empty()) return;
    checkpoint.plan_of_others = [this] {
      const std::lock_guard lock(mutex_);
      return best_plan_;
    };
    checkpoint.wanted = [this] { return !decided(); };
  }

  void run(Member& member) {
    try {
      member.outcome = member.entry.run(problem_, member.request);
    } catch (const std::bad_alloc&) {
      member.outcome = {};
      member.outcome.stopped = StopReason::memory;
    } catch (...) {
      member.error = std::current_exception();
    }
    if (const Turn turn = member.request.limits.turn; turn.turns != nullptr) turn.turns->leave(turn.member);
    const std::lock_guard lock(mutex_);
    member.done = true;
    changed_.notify_all();
  }

  // Waits until done() holds or the result is decided, for at most `seconds`. False on timeout.
  template <class Condition>
  bool wait_until(Condition done, std::optional<double> seconds) {
    const double end = watch_.seconds() + seconds.value_or(0);
    std::unique_lock lock(mutex_);
    while (!done() && !decided_unlocked()) {
      if (request_.limits.interrupt != nullptr && *request_.limits.interrupt) {
        stop_ = true;
        seconds.reset();  // the engines will stop now
      }
      if (seconds && watch_.seconds() >= end) return false;
      changed_.wait_for(lock, std::chrono::duration<double>(poll_interval));
    }
    return true;
  }

  bool all_done() const {
    return std::all_of(members_.begin(), members_.end(),
                       [](const auto& member) { return member->done || !member->thread.joinable(); });
  }

  bool decided() {
    const std::lock_guard lock(mutex_);
    return decided_unlocked();
  }
  bool decided_unlocked() const {
    if (!request_.proof.empty()) {
      return std::any_of(members_.begin(), members_.end(), [](const auto& member) {
        return member->done && (member->error || !member->outcome.proof.empty());
      });
    }
    return (shared_.upper != SharedBounds::no_upper && (request_.first || shared_.lower >= shared_.upper)) ||
           std::any_of(members_.begin(), members_.end(), [&](const auto& member) {
             return member->done && (member->error || member->outcome.status == Status::optimal ||
                                     member->outcome.status == Status::infeasible ||
                                     (request_.first && member->outcome.plan));
           });
  }

  void join() {
    stop_ = true;
    for (const auto& member : members_) {
      if (member->thread.joinable()) member->thread.join();
    }
  }

  void improve(Member& member, const Improvement& improvement) {
    const std::lock_guard lock(mutex_);
    if (bounds_.upper() && improvement.cost >= *bounds_.upper()) return;
    plan_by_ = &member;
    if (!request_.checkpoint.file.empty()) best_plan_ = improvement.plan();
    bounds_.improve({watch_.seconds(), improvement.cost, improvement.plan});
    changed_.notify_all();
  }

  void raise(Member& member, const BoundPoint& point) {
    const std::lock_guard lock(mutex_);
    if (!point.lower || (bounds_.lower() && *point.lower <= *bounds_.lower())) return;
    bound_by_ = &member;
    bounds_.raise_lower(*point.lower, watch_.seconds());
    changed_.notify_all();
  }

  void tell(const Member& member, Progress progress) {
    const std::lock_guard lock(mutex_);
    progress.seconds = watch_.seconds();
    progress.activity = fmt::format("{}: {}", member.entry.name, progress.activity);
    if (bounds_.lower()) progress.lower_bound = bounds_.lower();
    if (bounds_.upper()) progress.best_cost = bounds_.upper();
    request_.callbacks.progress(progress);
  }

  // Call only after all threads have ended.
  Outcome combine() {
    for (const auto& member : members_) {
      if (member->error) std::rethrow_exception(member->error);
    }
    Outcome result;
    const Member* infeasible = nullptr;
    for (const auto& member : members_) {
      Outcome& outcome = member->outcome;
      if (outcome.status == Status::infeasible) infeasible = member.get();
      if (!outcome.proof.empty()) result.proof = outcome.proof;
      if (outcome.plan && (!result.cost || *outcome.cost < *result.cost)) {
        result.plan = std::move(outcome.plan);
        result.cost = outcome.cost;
        plan_by_ = member.get();
      }
      if (outcome.lower_bound && (!bounds_.lower() || *outcome.lower_bound > *bounds_.lower())) {
        bounds_.raise_lower(*outcome.lower_bound, watch_.seconds());
        bound_by_ = member.get();
      }
    }
    if (result.plan && infeasible != nullptr) {
      throw std::logic_error(fmt::format("engines disagree: {} has a plan, {} proves that there is none",
                                         plan_by_->entry.name, infeasible->entry.name));
    }
    if (result.cost && bounds_.lower() && *bounds_.lower() > *result.cost) {
      throw std::logic_error(
          fmt::format("engines disagree: {} has a plan of cost {}, {} proves that none costs "
                      "less than {}",
                      plan_by_->entry.name, *result.cost, bound_by_->entry.name, *bounds_.lower()));
    }
    const Member* prover = infeasible != nullptr ? infeasible : bound_by_;
    if (result.plan) {
      const bool proved = !request_.first && bounds_.lower() == result.cost;
      result.status = proved ? Status::optimal : Status::feasible;
    } else {
      result.status = infeasible != nullptr ? Status::infeasible : Status::unknown;
    }
    if (result.status != Status::infeasible) result.lower_bound = bounds_.lower();
    const bool ended = result.status == Status::optimal || result.status == Status::infeasible ||
                       (request_.first && result.plan);
    if (!ended) result.stopped = why_stopped();
    result.resumed_from = request_.checkpoint.resume;
    for (const auto& member : members_) {
      if (member->entry.run != run_search) continue;
      result.checkpoint = member->outcome.checkpoint;
      result.checkpoint_error = member->outcome.checkpoint_error;
    }
    name_engines(result, prover);
    result.seconds = watch_.seconds();
    result.bounds = bounds_.finish(result.seconds);
    return result;
  }

  StopReason why_stopped() const {
    if (request_.limits.interrupt != nullptr && *request_.limits.interrupt) return StopReason::interrupted;
    if (request_.limits.seconds && watch_.seconds() >= *request_.limits.seconds) return StopReason::time;
    StopReason reason = StopReason::none;
    for (const auto& member : members_) {
      if (member->outcome.stopped != StopReason::none) reason = member->outcome.stopped;
    }
    return reason;
  }

  void name_engines(Outcome& result, const Member* prover) {
    const Member* main = prover != nullptr ? prover : plan_by_ != nullptr ? plan_by_ : members_.front().get();
    result.engine = main->entry.name;
    if (result.plan && plan_by_ != main) result.engine += fmt::format(" (plan by {})", plan_by_->entry.name);
    result.statistics = main->outcome.statistics;
    if (result.plan) result.statistics.emplace_back("plan_by", std::string(plan_by_->entry.name));
    if (prover != nullptr) result.statistics.emplace_back("bound_by", std::string(prover->entry.name));
  }

  const Problem& problem_;
  const EngineRequest& request_;
  LimitWatch watch_;
  BoundLog bounds_;
  SharedBounds shared_;
  SharedPlan shared_plan_;  // if a proof is written
  std::atomic<bool> stop_ = false;
  Turns turns_{slice};
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::unique_ptr<Member>> members_;
  const Member *plan_by_ = nullptr, *bound_by_ = nullptr;
  std::optional<Plan> best_plan_;  // if it may be saved
};

}  // namespace

Outcome run_portfolio(const Problem& problem, const EngineRequest& request) {
  return Portfolio(problem, request).solve();
}

}  // namespace bnnplan::engines
