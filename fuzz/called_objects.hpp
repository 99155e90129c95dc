#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include <bnnplan/bnnplan.hpp>

#include "call_sequence.hpp"
#include "support/temporary_folder.hpp"

namespace bnnplan::fuzz {

// Something that the library promises does not hold.
struct BrokenPromise {
  std::string text;
};
inline void require(bool holds, const std::string& text) {
  if (!holds) throw BrokenPromise{text};
}

// What a sequence of calls is about, made when it is first named, and what is known of it. Calls that run at
// the same time may use it.
//   random:SEED          a small random problem of any kind, whose optimum is known by brute force
//   dense:SEED           a problem with a random network
//   shift:BITS:STEPS, ring:CELLS:STEPS     problems with a network of a known structure
//   network:SEED         a small random classifier
//   data:SEED            transitions of a few bits, some of them contradictory
//   navigation_3x3       and the like: a domain of domains/, and what was simulated of it
class CalledObjects {
 public:
  explicit CalledObjects(std::string pretend_wrong) : pretend_wrong_(std::move(pretend_wrong)) {}

  const Problem& problem(const std::string& name);
  void replace(const std::string& name, Problem problem);
  const Network& network(const std::string& name);
  DataSet data(const std::string& name);
  Simulator& domain(const std::string& name);
  Episode& episode(const std::string& name);
  Replanner& replanner(const std::string& name);

  std::filesystem::path file(const std::string& name) const { return folder_ / name; }
  std::string folder() const { return folder_.path().string(); }

  // A plan and bounds of the problem as it is now, of which `complete` says that no limit was given. Throws
  // BrokenPromise if they contradict themselves, the checker, or what is known already.
  void judge(const std::string& name, const Outcome& outcome, bool complete, bool first);
  // The optimum is at most `upper`, at least `lower`, or there is no plan.
  void learn_bounds(const std::string& name, std::optional<std::int64_t> lower,
                    std::optional<std::int64_t> upper, bool infeasible);
  // The optimum if it is known; no cost: there is no plan.
  struct Optimum {
    bool known = false;
    std::optional<std::int64_t> cost;
  };
  Optimum optimum(const std::string& name);
  std::optional<Plan> best_plan(const std::string& name);

  // Of the files of this sequence: what problem a proof is of, what run a checkpoint.
  std::map<std::string, std::string> proofs, checkpoints;
  std::string state_of(const std::string& name);  // the problem's name and horizon
  std::recursive_mutex mutex;

 private:
  struct Known {
    std::optional<std::int64_t> lower, upper;
    bool infeasible = false;
    std::optional<Plan> plan;
  };
  Known& known(const std::string& name);

  std::string pretend_wrong_;
  testing::TemporaryFolder folder_;
  std::map<std::string, Problem> problems_;
  std::map<std::string, Known> known_;  // by state_of
  std::map<std::string, Network> networks_;
  std::map<std::string, Simulator> domains_;
  std::map<std::string, Episode> episodes_;
  std::map<std::string, Replanner> replanners_;
};

// Sets a flag after some calls of `tick`, at once if their number is 0.
class Cancellation {
 public:
  explicit Cancellation(const Call& call);
  bool given() const { return left_.has_value(); }
  const std::atomic<bool>* flag() const { return &flag_; }
  void tick();

 private:
  std::optional<std::int64_t> left_;
  std::atomic<bool> flag_ = false;
};

template <class Options>
bool set_options(Options& options, const Call& call, const CalledObjects& objects) {
  return set_options(options_of(options), call, objects.folder());
}

// Makes one call and checks everything that is promised about it. Throws BrokenPromise.
void make_call(CalledObjects& objects, const Call& call);

// The calls on problems, on networks and data, and on domains; false if there is no such call there.
bool make_planning_call(CalledObjects& objects, const Call& call);
bool make_learning_call(CalledObjects& objects, const Call& call);
bool make_domain_call(CalledObjects& objects, const Call& call);

}  // namespace bnnplan::fuzz
