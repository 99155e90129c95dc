// Engines side by side. Search solves most problems in milliseconds, so it starts alone; the others join it
// only when the problem turns out to need more than a moment, so that they cost nothing where they are not
// needed. With one thread there is no side by side: each engine gets a short budget, then each a longer one,
// the last the rest of the time. What was found stays, how it was found is done again.
//
// Each engine runs in a thread of its own. They tell each other the cost of the best plan and the best lower
// bound through SharedBounds; when the two meet, whoever found them, all are stopped. The coordinator only
// waits, and passes on what the user wants to see.
#include "engines/portfolio.hpp"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <thread>

#include <fmt/format.h>

#include "engines/maxsat_engine.hpp"
#include "engines/neuron/neuron_engine.hpp"
#include "engines/search/search_engine.hpp"

namespace bnnplan {

namespace {

constexpr double head_start = 0.2;  // seconds that the first engine has for itself
// Where there is one thread: seconds of each engine in the first and in the second round, and at most which
// share of the time limit.
constexpr double first_budget = 3, second_budget = 20;
constexpr double first_share = 1.0 / 8, second_share = 1.0 / 3;
constexpr double poll_interval = 0.01;  // seconds between looks at the user's interrupt

bool always(const Problem&) { return true; }

// A model has no more than 2^30 variables.
bool can_be_unrolled(const Problem& problem) {
  std::uint64_t bits = problem.state.bit_count() + problem.action.bit_count() + problem.auxiliary.bit_count();
  if (problem.network) {
    for (const Layer& layer : problem.network->layers) bits += layer.neurons.size();
  }
  return bits * (static_cast<std::uint64_t>(problem.horizon) + 1) <= std::uint64_t{1} << 30;
}

// Where all transitions are known a model is small and its cores are short: there maxsat proves in hundredths of a second
// what the others do not in minutes. Networks make it slow.
bool is_known_and_can_be_unrolled(const Problem& problem) {
  return !problem.network && can_be_unrolled(problem);
}

// The engines of the portfolio, the first one first.
struct Entry {
  std::string_view name;
  Outcome (*run)(const Problem& problem, const EngineRequest& request);
  bool (*suits)(const Problem& problem);
};
constexpr Entry entries[] = {{"search", run_search, always},
                             {"maxsat", run_maxsat_engine, is_known_and_can_be_unrolled},
                             {"neuron", run_neuron, can_be_unrolled}};

class Portfolio {
 public:
  Portfolio(const Problem& problem, const EngineRequest& request)
      : problem_(problem), request_(request), watch_(request.limits), bounds_(request) {
    for (const Entry& entry : entries) {
      if (entry.suits(problem)) members_.push_back(std::make_unique<Member>(entry));
    }
  }

  ~Portfolio() { join(); }
  Portfolio(const Portfolio&) = delete;
  Portfolio& operator=(const Portfolio&) = delete;

  Outcome solve() {
    if (request_.limits.interrupt != nullptr && *request_.limits.interrupt) stop_ = true;
    if (request_.limits.threads >= 2) {
      start(*members_.front(), {});
      if (!wait_until([&] { return members_.front()->done; }, head_start)) {
        for (std::size_t i = 1; i < members_.size(); ++i) start(*members_[i], {});
      }
      wait_until([&] { return all_done(); }, {});
      if (!decided() && !stop_) {  // the first one gave up within its head start
        for (const auto& member : members_) {
          if (!member->thread.joinable()) start(*member, {});
        }
        wait_until([&] { return all_done(); }, {});
      }
    } else {
      one_after_the_other();
    }
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

  void one_after_the_other() {
    const auto round = [&](std::size_t begin, std::size_t end, double seconds, double share,
                           bool rest_for_last) {
      if (request_.limits.seconds) seconds = std::min(seconds, share * *request_.limits.seconds);
      for (std::size_t i = begin; i < end && !decided() && !stop_; ++i) {
        start(*members_[i], rest_for_last && i + 1 == end ? std::nullopt : std::optional(seconds));
        wait_until([&] { return members_[i]->done; }, {});
      }
    };
    const std::size_t first = members_.size();
    round(0, first, first_budget, first_share, first == 1);
    for (std::size_t i = 0; i < first && !decided(); ++i) {
      if (members_[i]->outcome.stopped == StopReason::time)
        members_.push_back(std::make_unique<Member>(members_[i]->entry));
    }
    round(first, members_.size(), second_budget, second_share, true);
  }

  void start(Member& member, std::optional<double> budget) {
    EngineRequest& request = member.request;
    request.limits = request_.limits;
    request.limits.interrupt = &stop_;
    const double now = watch_.seconds();
    if (request.limits.seconds) request.limits.seconds = std::max(0.0, *request.limits.seconds - now);
    if (budget) request.limits.seconds = std::min(*budget, request.limits.seconds.value_or(*budget));
    const bool alone = request_.limits.threads < 2 || members_.size() < 2;
    if (!alone) {
      const auto others = static_cast<unsigned>(members_.size() - 1);
      const bool first = &member == members_.front().get();
      request.limits.threads =
          first && request_.limits.threads > others ? request_.limits.threads - others : 1;
      const std::size_t used = resident_memory();
      if (first && request.limits.memory_bytes > used) {  // the others watch the whole process
        request.limits.memory_bytes = used + (request.limits.memory_bytes - used) / 2;
      }
    }
    request.first = request_.first;
    request.neurons = request_.neurons;
    request.shared = &shared_;
    request.callbacks.improvement = [this, &member](const Improvement& improvement) {
      improve(member, improvement);
    };
    request.callbacks.bound = [this, &member](const BoundPoint& point) { raise(member, point); };
    if (request_.callbacks.progress) {
      request.callbacks.progress = [this, &member](const Progress& progress) { tell(member, progress); };
    }
    member.thread = std::thread([this, &member] { run(member); });
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
    const std::lock_guard lock(mutex_);
    member.done = true;
    changed_.notify_all();
  }

  // Waits until it is done or decided, for at most so many seconds. False if neither came true.
  template <class Condition>
  bool wait_until(Condition done, std::optional<double> seconds) {
    const double end = watch_.seconds() + seconds.value_or(0);
    std::unique_lock lock(mutex_);
    while (!done() && !decided_unlocked()) {
      if (request_.limits.interrupt != nullptr && *request_.limits.interrupt) {
        stop_ = true;
        seconds.reset();  // the engines will end now
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

  // Only after all threads have ended.
  Outcome combine() {
    for (const auto& member : members_) {
      if (member->error) std::rethrow_exception(member->error);
    }
    Outcome result;
    const Member* infeasible = nullptr;
    for (const auto& member : members_) {
      Outcome& outcome = member->outcome;
      if (outcome.status == Status::infeasible) infeasible = member.get();
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
      result.status = proved ? Status::optimal : Status::plan;
    } else {
      result.status = infeasible != nullptr ? Status::infeasible : Status::unknown;
    }
    if (result.status != Status::infeasible) result.lower_bound = bounds_.lower();
    const bool ended = result.status == Status::optimal || result.status == Status::infeasible ||
                       (request_.first && result.plan);
    if (!ended) result.stopped = why_stopped();
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
  std::atomic<bool> stop_ = false;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::unique_ptr<Member>> members_;
  const Member *plan_by_ = nullptr, *bound_by_ = nullptr;
};

}  // namespace

Outcome run_portfolio(const Problem& problem, const EngineRequest& request) {
  return Portfolio(problem, request).solve();
}

}  // namespace bnnplan
