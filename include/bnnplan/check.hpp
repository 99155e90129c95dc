#pragma once

// Checking plans and proofs. What is here shares no code with anything that encodes or solves.
//
//   bnnplan::Plan plan = bnnplan::read_plan("corridor.plan.json", problem);
//   bnnplan::CheckResult result = bnnplan::check(problem, plan);
//   if (!result.accepted) std::cout << result.model.violation << '\n';

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <bnnplan/problem.hpp>

#include "bnnplan/base/answer.hpp"
#include "bnnplan/base/option.hpp"
#include "bnnplan/base/text_file.hpp"
#include "bnnplan/base/text_style.hpp"
#include "bnnplan/check/plan_check.hpp"
#include "bnnplan/check/problem_proof.hpp"
#include "bnnplan/check/proof_check.hpp"
#include "bnnplan/problem/plan_file.hpp"
#include "bnnplan/rddl/simulate/replay.hpp"

namespace bnnplan {

using checking::check_plan, checking::check_proof, checking::largest_proof, checking::PlanCheck,
    checking::ProblemProof, checking::ProofCheck;
using rddl::missing_object, rddl::ProblemBinding, rddl::Replay, rddl::replay, rddl::replay_text;

// A plan executed in a domain that is random or has real fluents: again and again, once if it is not random,
// each time to its end or to the first thing that goes wrong.
struct PlanEpisodes {
  std::uint64_t episodes = 0;
  double mean = 0, deviation = 0;  // of the sum of rewards, discounted as the instance says
  std::uint64_t refused = 0;       // episodes with an illegal action or a broken invariant, which end there
  std::uint64_t goals = 0;         // episodes that end with the goal, those that are refused not among them
  bool has_goal = false;           // the domain or the instance states one
  std::string first_violation;     // of the first episode that is refused; "" if none is
  double difference = 0;  // the largest between a real of the plan and of the domain, if that is not random,
  std::string differs;    // and of which variable after which step; "" if there is none
};

// The files of a true domain; both or none.
struct DomainFiles {
  std::string domain, instance;
};
std::vector<Option> options_of(DomainFiles& files);

struct CheckOptions {
  DomainFiles world;             // also replay the plan there
  std::uint64_t episodes = 100;  // if it is random
  std::uint64_t seed = 0;        // of what it draws
  bool optimum = false;          // for domain_optimum (evidence.hpp), as is
  std::optional<double> seconds;
  const std::atomic<bool>* interrupt = nullptr;  // once it is set, no more episodes
};
std::vector<Option> options_of(CheckOptions& options);

// What model and domain say of the state after a step, where they say different things.
struct CourseDifference {
  int step = 0;
  std::string variable;
  std::string model, domain;  // its values
};

struct CheckResult {
  PlanCheck model;              // in the problem
  std::optional<Replay> world;  // in the true domain, if one was given that is exact: not random, no reals
  std::optional<PlanEpisodes> episodes;       // in another one
  std::vector<CourseDifference> differences;  // after every step of `world`, in order
  std::string promise;  // how the model promises another reward than the domain gives; "" if it does not
  bool accepted =
      false;  // in both; the promise does not matter. A random domain accepts if an episode is not refused
};

// Replays a plan in the problem and, if there is one, in the true domain: `domain`, or the one whose files
// the options name; many times if that is random. A problem that states no horizon takes the plan's. Throws
// OptionError, and InputError if neither has steps, and if the problem is not one of that domain.
CheckResult check(const Problem& problem, const Plan& plan, rddl::Simulator* domain = nullptr,
                  const CheckOptions& options = {});

// The second half of it for a domain that is not exact.
PlanEpisodes replay_episodes(const Problem& problem, const Plan& plan, rddl::Simulator& domain,
                             const CheckOptions& options);

// The answer of `check` (docs/formats.md). `claim` is what the file of the plan claims, "" if nothing.
Answer answer_of(const Problem& problem, const Plan& plan, const std::string& claim,
                 const CheckResult& result, const TextStyle& style = {});

// The answer of `check-proof`. `optimum` is the field of an optimum that is proved: its name, such as cost,
// and its value; `worth` the same in words, if not these.
Answer answer_of(const ProofCheck& check, JsonMember optimum, std::string worth = "");

// The 95 percent confidence interval of a mean is the mean plus and minus this.
double half_interval(double deviation, std::uint64_t count);

// check_proof(problem, proof) says what a proof shows of a problem,
// check_proof(checking::parse_opb(text, name), proof) what it shows of a formula.

}  // namespace bnnplan
