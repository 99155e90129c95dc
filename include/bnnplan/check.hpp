#pragma once

// Checking plans and proofs. What is here shares no code with anything that encodes or solves.
//
//   bnnplan::Plan plan = bnnplan::read_plan("corridor.plan.json", problem);
//   bnnplan::CheckResult result = bnnplan::check(problem, plan);
//   if (!result.accepted) std::cout << result.model.violation << '\n';

#include <optional>
#include <string>
#include <vector>

#include <bnnplan/problem.hpp>

#include "base/text_file.hpp"
#include "check/model_check.hpp"
#include "check/plan_check.hpp"
#include "check/problem_proof.hpp"
#include "check/proof_check.hpp"
#include "problem/plan_file.hpp"
#include "rddl/simulate/replay.hpp"

namespace bnnplan {

// What model and domain say of the state after a step, where they say different things.
struct CourseDifference {
  int step = 0;
  std::string variable;
  std::string model, domain;  // its values
};

struct CheckResult {
  PlanCheck model;                            // in the problem
  std::optional<Replay> world;                // in the true domain, if one was given
  std::vector<CourseDifference> differences;  // after every step that the domain went along with, in order
  std::string promise;    // how the model promises another reward than the domain gives; "" if it does not
  bool accepted = false;  // in both; the promise does not matter
};

// Replays a plan in the problem and, if there is one, in the true domain. A problem that states no horizon takes the plan's.
// Throws InputError if neither has steps, and if the problem is not one of that domain.
CheckResult check(const Problem& problem, const Plan& plan, const Simulator* domain = nullptr);

// Both courses side by side, one line for each step after which they differ; "" if they do not.
std::string courses_text(const CheckResult& result);

// check_proof(problem, proof) says what a proof shows of a problem, check_proof(parse_opb(text, name), proof) what it shows
// of a formula.

}  // namespace bnnplan
