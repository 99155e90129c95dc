// Calls on problems: plan, read_back, set_horizon, check, check_proof, encode, replan.
#include <algorithm>

#include <fmt/format.h>

#include "bnnplan/base/checked.hpp"
#include "called_objects.hpp"
#include "support/formula_families.hpp"

namespace bnnplan::fuzz {

namespace {

// What a proof shows must be true of the problem as it is now.
void judge_proof(CalledObjects& objects, const std::string& name, const ProblemProof& proof) {
  if (!proof.check.accepted) return;
  switch (proof.check.claim) {
    case ProofCheck::Claim::infeasible:
      return objects.learn_bounds(name, {}, {}, true);
    case ProofCheck::Claim::optimal:
      return objects.learn_bounds(name, proof.cost, proof.cost, false);
    case ProofCheck::Claim::satisfiable:
    case ProofCheck::Claim::nothing:
      return;
  }
}

bool is_complete(const PlanOptions& options, bool cancelled) {
  return !cancelled && !options.limits.seconds && options.limits.memory_bytes == Limits().memory_bytes &&
         options.solver.empty();
}

// What a checkpoint is of: a run may only resume from one of its own kind.
std::string run_of(CalledObjects& objects, const Call& call, const PlanOptions& options) {
  return fmt::format("{} {} {}", objects.state_of(call.object), options.limits.seed, options.first);
}

bool resumes_rightly(CalledObjects& objects, const Call& call, const PlanOptions& options) {
  const std::lock_guard lock(objects.mutex);
  const auto found = objects.checkpoints.find(*call.option("resume"));
  return found != objects.checkpoints.end() && found->second == run_of(objects, call, options);
}

// By the horizons one at a time.
void judge_shortest(Problem problem, const Outcome& outcome, bool complete, bool first) {
  PlanOptions alone;
  alone.engine = "search";
  for (int horizon = 1; horizon <= outcome.excluded(); ++horizon) {
    set_horizon(problem, horizon);
    require(plan(problem, alone).status == Status::infeasible, "a horizon that has a plan is excluded");
  }
  if (!outcome.plan) {
    require(!complete || outcome.status == Status::infeasible, "the shortest plan is not found");
    return;
  }
  set_horizon(problem, outcome.shortest);
  const Outcome expected = plan(problem, alone);
  require(expected.status == Status::optimal, "a shortest plan where there is none");
  require(first || !complete || (outcome.status == Status::optimal && outcome.cost == expected.cost),
          "the shortest plan is not the cheapest of its length");
}

void call_plan(CalledObjects& objects, const Call& call) {
  const Problem& problem = objects.problem(call.object);
  PlanOptions options;
  bool allowed = set_options(options, call, objects);
  Cancellation cancellation(call);
  options.limits.interrupt = cancellation.flag();
  const auto tick = [&](const auto&) { cancellation.tick(); };
  options.callbacks = {tick, tick, tick, tick};
  try {
    validate(options);
    require(allowed, "validate allows a value that is not allowed");
  } catch (const OptionError&) {
    allowed = false;
  }
  std::optional<BestSoFar> best;
  if (allowed && call.option("best-so-far")) best.emplace(problem, options);
  Outcome outcome;
  try {
    outcome = plan(problem, options);
    require(allowed, "options that validate refuses are accepted");
  } catch (const OptionError& error) {
    require(!allowed, fmt::format("options that validate allows are refused: {}", error.what()));
    return;
  } catch (const InputError& error) {
    const bool resumes = call.option("resume") && !resumes_rightly(objects, call, options);
    require(resumes || !options.solver.empty(), fmt::format("refused: {}", error.what()));
    return;
  }
  const bool complete = is_complete(options, cancellation.given());
  if (options.shortest) return judge_shortest(problem, outcome, complete, options.first);
  objects.judge(call.object, outcome, complete, options.first);
  if (best) objects.judge(call.object, best->outcome(StopReason::interrupted), false, options.first);
  if (!outcome.checkpoint.empty()) {
    const std::lock_guard lock(objects.mutex);
    objects.checkpoints[*call.option("checkpoint")] = run_of(objects, call, options);
  }
  require(outcome.checkpoint_error.empty(), "a checkpoint is not saved: " + outcome.checkpoint_error);
  if (!outcome.proof.empty()) {
    const ProblemProof proof = check_proof(problem, read_text_file(outcome.proof));
    require(proof.check.accepted, "the proof is refused: " + proof.check.refusal);
    require(proof.check.claim != ProofCheck::Claim::nothing, "the proof proves nothing");
    require((proof.check.claim == ProofCheck::Claim::infeasible) == (outcome.status == Status::infeasible),
            "the proof proves a different claim");
    judge_proof(objects, call.object, proof);
    const std::lock_guard lock(objects.mutex);
    objects.proofs[*call.option("proof")] = objects.state_of(call.object);
  } else if (complete && !options.proof.empty() && !options.first && problem.refused.empty()) {
    throw BrokenPromise{"no proof was written"};
  }
  if (!complete || options.limits.threads != 1 || !options.checkpoint.resume.empty()) return;
  options.callbacks = {};
  const Outcome again = plan(problem, options);
  // Which engine of a portfolio finds a plan depends on time.
  const bool alone = engine_of(options).name != "auto";
  require(again.status == outcome.status && (options.first || again.cost == outcome.cost) &&
              (!alone || again.plan == outcome.plan),
          "another plan with the same seed");
}

void call_read_back(CalledObjects& objects, const Call& call) {
  const Problem& problem = objects.problem(call.object);
  const std::filesystem::path file = objects.file("problem.toml");
  write_problem(file, problem);
  Problem read = read_problem(file);
  require(read == problem, "the problem does not read back the same");
  require(restore_problem(problem_text(problem), "text", problem.network) == problem,
          "the problem is not restored from its text");
  require(ProblemBuilder(problem).finished() == problem, "a builder changes the problem");
  objects.replace(call.object, std::move(read));
}

void call_set_horizon(CalledObjects& objects, const Call& call) {
  Problem changed = objects.problem(call.object);
  const std::int64_t horizon = call.number("to");
  try {
    set_horizon(changed, horizon);
    require(horizon > 0, "a horizon of 0 is accepted");
  } catch (const InputError& error) {
    require(horizon <= 0, fmt::format("refused: {}", error.what()));
    require(changed == objects.problem(call.object), "a refused horizon changes the problem");
    return;
  }
  objects.replace(call.object, std::move(changed));
}

// The best plan that is known, then with one of its bits flipped, as it is and left to be completed.
void call_check(CalledObjects& objects, const Call& call) {
  const Problem& problem = objects.problem(call.object);
  std::optional<Plan> best = objects.best_plan(call.object);
  if (!best) return;
  require(check(problem, *best).accepted, "a plan is accepted no longer");
  require(parse_plan(plan_json(problem, *best), "plan", problem) == *best,
          "a plan is not read back from its file");
  testing::Random random(static_cast<std::uint64_t>(call.number("seed")));
  PlanStep& step = best->steps[static_cast<std::size_t>(
      testing::below(random, static_cast<std::int64_t>(best->steps.size())))];
  BitValues& bits = testing::below(random, 2) == 0 ? step.action : step.state;
  if (bits.empty()) return;
  BitValue& bit =
      bits[static_cast<std::size_t>(testing::below(random, static_cast<std::int64_t>(bits.size())))];
  bit = testing::below(random, 4) == 0 && &bits == &step.state ? unknown_bit : BitValue(1 - bit);
  best->cost.reset();
  const CheckResult result = check(problem, *best);
  if (result.accepted) objects.learn_bounds(call.object, {}, result.model.cost, false);
}

void call_check_proof(CalledObjects& objects, const Call& call) {
  const auto found = objects.proofs.find(*call.option("of"));
  if (found == objects.proofs.end()) return;
  const ProblemProof proof =
      check_proof(objects.problem(call.object), read_text_file(objects.file(found->first)));
  if (found->second == objects.state_of(call.object))
    require(proof.check.accepted, "a proof is accepted no longer: " + proof.check.refusal);
  judge_proof(objects, call.object, proof);  // perhaps one of another problem
}

// Solves what was written by our own solvers and returns what they would print.
std::string answer_to(const std::filesystem::path& file, const std::string& format, const Call& call) {
  const std::string folder = file.parent_path().string();
  std::string text;
  if (format == "opb") {
    const PbFormula formula = parse_opb(read_text_file(file), file.string());
    PbRequest request;
    set_options(options_of(request), call, folder);
    const PbOutcome outcome = solve_pseudo_boolean(formula, request);
    if (!request.proof.empty()) {
      const ProofCheck check = check_proof(checking::parse_opb(read_text_file(file), file.string()),
                                           read_text_file(request.proof));
      require(check.accepted, "the proof of pb is refused: " + check.refusal);
    }
    if (outcome.status == Status::infeasible) return "s UNSATISFIABLE\n";
    text = fmt::format("o {}\ns OPTIMUM FOUND\nv", *outcome.value);
    for (std::size_t v = 0; v < outcome.values->size(); ++v)
      text += fmt::format(" {}x{}", (*outcome.values)[v] == 1 ? "" : "-", v + 1);
    return text + "\n";
  }
  MaxSatCall request;
  set_options(options_of(request), call, folder);
  const MaxSatOutcome outcome = solve_maxsat(read_wcnf(file), request);
  if (outcome.status == Status::infeasible) return "s UNSATISFIABLE\n";
  text = format == "cnf" ? "s SATISFIABLE\nv" : fmt::format("o {}\ns OPTIMUM FOUND\nv", *outcome.cost);
  for (std::size_t v = 0; v < outcome.model->size(); ++v)
    text += fmt::format(" {}{}", (*outcome.model)[v] ? "" : "-", v + 1);
  return text + " 0\n";
}

void call_encode(CalledObjects& objects, const Call& call) {
  const Problem& problem = objects.problem(call.object);
  EncodeOptions options;
  const bool allowed = set_options(options, call, objects);
  const Cancellation cancellation(call);
  options.interrupt = cancellation.flag();
  if (call.option("simplify")) options.simplify = call.number("simplify") == 1;
  const std::optional<Decimal> most =
      options.cost_at_most ? parse_decimal(*options.cost_at_most) : std::nullopt;
  const testing::TemporaryFolder folder;
  const std::filesystem::path file = folder / "model";
  try {
    encode(problem, options, file);
    require(allowed && (most || !options.cost_at_most), "an option that is not allowed is accepted");
    require(!cancellation.given(), "cancelled, but written");
  } catch (const InputError& error) {
    require(!allowed || (options.cost_at_most && !most), fmt::format("refused: {}", error.what()));
    return;
  } catch (const LimitReached&) {
    require(cancellation.given(), "a limit without a limit");
    require(!std::filesystem::exists(file), "cancelled, but there is a file");
    return;
  }
  const ModelFormat* format = find_model_format(options.format);
  if (!format->clauses && options.format != "opb") return;
  const Outcome outcome = outcome_of_answer(problem, answer_to(file, options.format, call), "answer");
  const bool infeasible = outcome.status == Status::infeasible;
  if (infeasible && most) {
    const CalledObjects::Optimum optimum = objects.optimum(call.object);
    if (optimum.known && optimum.cost)
      require(*most < cost_in_units(problem, *optimum.cost), "no plan of a cost that there is a plan of");
    return;
  }
  if (outcome.cost && most)
    require(!(*most < cost_in_units(problem, *outcome.cost)), "the plan costs more than was allowed");
  objects.judge(call.object, outcome, format->objective, !format->objective);
}

// A kept search against a fresh one, from any state and over any number of steps.
void call_replan(CalledObjects& objects, const Call& call) {
  Replanner& replanner = objects.replanner(call.object);
  Problem problem = replanner.problem();
  testing::Random random(static_cast<std::uint64_t>(call.number("seed")));
  for (BitValue& bit : problem.initial) {
    if (testing::below(random, 3) == 0) bit = static_cast<BitValue>(testing::below(random, 2));
  }
  const std::int64_t horizon = call.number("to");
  set_horizon(problem, horizon);
  const Outcome kept = replanner.plan(problem.initial, horizon);
  PlanOptions options;
  options.engine = "search";
  options.limits.threads = 1;
  const Outcome fresh = plan(problem, options);
  require(kept.status == fresh.status && kept.cost == fresh.cost, "a kept search finds something else");
  if (kept.plan) require(check(problem, *kept.plan).accepted, "the plan of a kept search is refused");
}

}  // namespace

bool make_planning_call(CalledObjects& objects, const Call& call) {
  constexpr std::pair<std::string_view, void (*)(CalledObjects&, const Call&)> calls[] = {
      {"plan", call_plan},     {"read_back", call_read_back},     {"set_horizon", call_set_horizon},
      {"check", call_check},   {"check_proof", call_check_proof}, {"encode", call_encode},
      {"replan", call_replan},
  };
  for (const auto& [name, function] : calls) {
    if (name == call.name) return function(objects, call), true;
  }
  return false;
}

}  // namespace bnnplan::fuzz
