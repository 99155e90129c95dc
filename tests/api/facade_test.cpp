// Every command as a function: defaults, options that do not go together, cancellation, and files there and
// back.
#include <atomic>
#include <stdexcept>

#include <bnnplan/bnnplan.hpp>
#include <gtest/gtest.h>

#include "bnnplan/base/stopwatch.hpp"
#include "bnnplan/base/text_file.hpp"
#include "support/input_error_of.hpp"
#include "support/shipped.hpp"
#include "support/temporary_folder.hpp"

namespace bnnplan {
namespace {

using testing::input_error_of;

const std::string domains = BNNPLAN_SOURCE_DIR "/domains/";
const std::string navigation = domains + "navigation.rddl", navigation_3x3 = domains + "navigation_3x3.rddl";

Problem corridor() { return read_problem(testing::corridor); }

// No engine proves this one within a minute.
Problem endless() {
  Problem problem = read_problem(testing::models + "sysadmin_10.toml");
  set_horizon(problem, 40);
  return problem;
}

TEST(Plan, NeedsNothingButAProblem) {
  const Problem problem = corridor();
  const Outcome outcome = plan(problem);
  EXPECT_EQ(outcome.status, Status::optimal);
  EXPECT_EQ(outcome.cost, 5);
  EXPECT_TRUE(check(problem, *outcome.plan).accepted);
}

TEST(Plan, ChoosesItsEngineByWhatIsAskedFor) {
  EXPECT_EQ(engine_of({}).name, "auto");
  PlanOptions proof;
  proof.proof = "proof.pbp";
  EXPECT_EQ(engine_of(proof).name, "auto");
  PlanOptions solver;
  solver.solver = "clasp";
  EXPECT_EQ(engine_of(solver).name, "external");
  PlanOptions named;
  named.engine = "search";
  EXPECT_EQ(engine_of(named).name, "search");
}

TEST(Plan, RefusesOptionsThatDoNotGoTogether) {
  const Problem problem = corridor();
  const auto error = [&](const std::function<void(PlanOptions&)>& set) {
    PlanOptions options;
    set(options);
    return input_error_of([&] { plan(problem, options); });
  };
  EXPECT_EQ(
      error([](PlanOptions& o) { o.engine = "serach"; }),
      "engine is 'serach', expected one of auto, search, neuron, maxsat, external; did you mean 'search'?");
  EXPECT_EQ(error([](PlanOptions& o) { o.engine = "external"; }), "engine external requires solver");
  EXPECT_EQ(error([](PlanOptions& o) { o.engine = "search", o.solver = "clasp"; }),
            "solver is for engine external");
  EXPECT_EQ(error([](PlanOptions& o) { o.engine = "maxsat", o.proof = "p"; }),
            "proof is for engine auto, search or neuron");
  EXPECT_EQ(error([](PlanOptions& o) { o.engine = "search", o.neurons = encoding::NeuronEncoding::adder; }),
            "neurons is for engines that make clauses, not for engine search");
  EXPECT_EQ(error([](PlanOptions& o) { o.solver = "clasp", o.solver_format = "obp"; }),
            "solver_format is 'obp', expected one of wcnf, wcnf-classic, cnf, opb, lp, mps, mzn; did you "
            "mean 'opb'?");
  EXPECT_EQ(error([](PlanOptions& o) { o.solver_format = "opb"; }), "solver_format requires solver");
  EXPECT_EQ(error([](PlanOptions& o) { o.proof = "-"; }), "proof is '-', expected a file");
  EXPECT_EQ(error([](PlanOptions& o) { o.limits.threads = 2000; }),
            "threads is 2000, expected a whole number from 1 to 1024");
  EXPECT_EQ(error([](PlanOptions& o) { o.limits.seconds = 0; }),
            "time_limit is 0, expected a number above 0");
  Simulator domain(navigation, navigation_3x3);
  EXPECT_EQ(error([&](PlanOptions& o) { o.proof = "p", o.repair = &domain; }),
            "proof is about one problem, repair plans for one after the other");
  Problem unknown_horizon = problem;
  unknown_horizon.horizon = 0;
  EXPECT_EQ(input_error_of([&] { plan(unknown_horizon); }),
            "the problem states no horizon: give it one with set_horizon");
}

// The command line refuses the same ones, in its own style.
TEST(Verify, RefusesOptionsThatDoNotGoTogether) {
  const Network network = parse_network(
      "bnn 2\nshape 2:2\ninputs\n  a\n  b\noutputs\n  x\n  y\nscores lowest\n  ++ * 1 + 0\n  -- * 1 + "
      "0\nend\n",
      "n.bnn");
  const auto error = [&](const auto& ask, const std::function<void(VerifyOptions&)>& set) {
    VerifyOptions options;
    set(options);
    return input_error_of([&] { ask(options, network); });
  };
  EXPECT_EQ(error(folder_query, [](VerifyOptions& o) { o.minimal = verification::Norm::l0, o.epsilon = 1; }),
            "epsilon excludes minimal");
  EXPECT_EQ(error(folder_query, [](VerifyOptions& o) { o.epsilon = 1; }), "epsilon needs norm");
  EXPECT_EQ(error(verify_query, [](VerifyOptions& o) { o.image = "7.png"; }),
            "label is missing: the class that the input has");
  EXPECT_EQ(error(verify_region, [](VerifyOptions& o) { o.equal_by = Equality::scores; }),
            "equal_by requires equal");
  EXPECT_EQ(error(explain_query,
                  [](VerifyOptions& o) { o.explain = ExplanationKind::minimal, o.request.proof = "p"; }),
            "explain excludes proof");
  EXPECT_EQ(error(monotone_query, [](VerifyOptions& o) { o.monotone = "a", o.output = "z"; }),
            "output: the network has no class 'z', its classes are x, y");
}

TEST(Plan, IsInterruptedByAFlag) {
  PlanOptions options;
  const std::atomic<bool> flag = true;
  options.limits.interrupt = &flag;
  EXPECT_EQ(plan(endless(), options).stopped, StopReason::interrupted);
}

TEST(Plan, KeepsItsTimeLimit) {
  PlanOptions options;
  options.limits.seconds = 0.1;
  EXPECT_EQ(plan(endless(), options).stopped, StopReason::time);
}

TEST(BestSoFar, KnowsWhatThePlannerHasTold) {
  const Problem problem = corridor();
  PlanOptions options;
  int improvements = 0;
  options.callbacks.improvement = [&](const Improvement&) { ++improvements; };
  const BestSoFar best(problem, options);
  EXPECT_EQ(best.outcome(StopReason::time).status, Status::unknown);
  EXPECT_EQ(best.outcome(StopReason::time).stopped, StopReason::time);
  const Outcome outcome = plan(problem, options);
  EXPECT_GT(improvements, 0) << "the user's own callback is still called";
  const Outcome known = best.outcome(StopReason::time);
  EXPECT_EQ(known.status, Status::optimal);
  EXPECT_EQ(known.stopped, StopReason::none);
  EXPECT_EQ(known.cost, outcome.cost);
  EXPECT_EQ(known.engine, "auto");
}

TEST(BestSoFar, DoesNotCallAnyPlanOptimal) {
  const Problem problem = corridor();
  PlanOptions options;
  options.first = true;
  const BestSoFar best(problem, options);
  plan(problem, options);
  EXPECT_EQ(best.outcome(StopReason::memory).status, Status::feasible);
}

TEST(BestSoFar, KnowsTheHorizonsThatAreExcluded) {
  Problem problem = corridor();
  PlanOptions options;
  options.shortest = true;
  const BestSoFar best(problem, options);
  EXPECT_EQ(best.outcome(StopReason::time).shortest, 0);
  options.callbacks.horizon(4);
  EXPECT_EQ(best.outcome(StopReason::time).excluded(), 3);
  const Outcome outcome = plan(problem, options);
  const Outcome known = best.outcome(StopReason::time);
  EXPECT_EQ(known.status, Status::optimal);
  EXPECT_EQ(known.shortest, 5);
  EXPECT_EQ(known.plan->steps.size(), 5u);
  EXPECT_EQ(known.cost, outcome.cost);
  problem = problem_of(outcome, problem);
  EXPECT_EQ(problem.horizon, 5);
}

TEST(Plan, RepairsInTheTrueDomain) {
  Simulator domain(navigation, navigation_3x3);
  const Problem problem = read_problem(testing::models + "navigation_3x3.toml");
  PlanOptions options;
  options.repair = &domain;
  const Outcome outcome = plan(problem, options);
  EXPECT_EQ(outcome.status, Status::optimal);
  EXPECT_EQ(outcome.among, "plans on which model and domain agree");
  EXPECT_FALSE(outcome.domain_reward.empty());
  EXPECT_FALSE(breaks_promise(problem, outcome));
  const CheckResult result = check(problem, *outcome.plan, &domain);
  EXPECT_TRUE(result.accepted);
  EXPECT_EQ(result.promise, "");
  Outcome liar = outcome;
  liar.domain_reward = "-1000";
  EXPECT_TRUE(breaks_promise(problem, liar));
}

TEST(Check, TakesThePlansLengthWhereTheProblemHasNone) {
  Problem problem = corridor();
  const Plan plan = read_plan(testing::corridor_plan, problem);
  problem.horizon = 0;
  const CheckResult result = check(problem, plan);
  EXPECT_TRUE(result.accepted);
  EXPECT_EQ(result.model.cost, 5);
  EXPECT_FALSE(result.world);
  EXPECT_EQ(input_error_of([&] {
              check(problem, Plan{plan.initial, {}, {}});
            }),
            "the plan has no steps, and the problem states no horizon");
}

TEST(Check, SaysWhatIsWrong) {
  const Problem problem = corridor();
  Plan plan = read_plan(testing::corridor_plan, problem);
  plan.cost = parse_decimal("4");
  const CheckResult result = check(problem, plan);
  EXPECT_FALSE(result.accepted);
  EXPECT_NE(result.model.violation, "");
}

TEST(CheckProof, FollowsWhatPlanWrites) {
  const testing::TemporaryFolder folder;
  const Problem problem = corridor();
  PlanOptions options;
  options.proof = (folder / "proof.pbp").string();
  plan(problem, options);
  const ProblemProof proof = check_proof(problem, read_text_file(folder / "proof.pbp"));
  EXPECT_TRUE(proof.check.accepted) << proof.check.refusal;
  EXPECT_EQ(proof.cost, 5);
  EXPECT_FALSE(check_proof(problem, "no proof").check.accepted);
}

TEST(Learn, FromASimulatedDomainToAPlan) {
  Simulator domain(navigation, navigation_3x3);
  SimulateOptions all;
  all.exhaustive = true;
  std::uint64_t told = 0;
  all.progress = [&](std::uint64_t transitions) { told = transitions; };
  const DataSet data = simulate(domain, all);
  EXPECT_EQ(data.name, "the simulation");
  EXPECT_EQ(data.sample_row.size(), told);
  LearnOptions options;
  options.test_share = 0;
  options.hidden = {36, 36};
  options.stop_at_zero = true;
  options.measure = data;
  const Learned learned = learn(data, options);
  ASSERT_EQ(learned.report.errors.size(), 4u);
  EXPECT_EQ(learned.report.errors[0].second.wrong_transitions, 0u);
  EXPECT_EQ(learned.report.errors[3].first, "evaluate");
  EXPECT_EQ(learned.report.shape, "13:36:36:9");

  CompileOptions compiling;
  compiling.network = learned.training.network;
  const Problem problem = compile(navigation, navigation_3x3, compiling);
  EXPECT_TRUE(problem.network);
  EXPECT_EQ(plan(problem).status, Status::optimal);
}

// Without a shape: right on all pairs, with a record that the problem and its plan carry on, and evidence for
// the plan.
TEST(Learn, WithoutOptionsAndWithEvidence) {
  Simulator domain(navigation, navigation_3x3);
  SimulateOptions all;
  all.exhaustive = true;
  const DataSet data = simulate(domain, all);
  LearnOptions options;
  options.test_share = 0;
  options.technique = LearnTechnique::cover;  // gradients take longer than a test may
  const Learned learned = learn(data, options);
  EXPECT_EQ(learned.report.errors[0].second.wrong_transitions, 0u);
  EXPECT_TRUE(learned.report.distinct);
  EXPECT_EQ(learned.diagnosis, "");
  EXPECT_FALSE(learned.tried.empty());
  CompileOptions compiling;
  compiling.network = learned.training.network;
  const Problem problem = compile(navigation, navigation_3x3, compiling);
  const Outcome outcome = plan(problem);
  ASSERT_TRUE(outcome.plan);
  EXPECT_NE(outcome_json(problem, outcome).find("\"network_record\": \"its file says: wrong on 0 of "),
            std::string::npos);
  const Evidence evidence = evidence_of(problem, *outcome.plan, data);
  EXPECT_EQ(evidence.seen, std::vector<bool>(4, true));
  EXPECT_EQ(evidence.first_unseen, 0u);
  EXPECT_EQ(evidence.measured.wrong_transitions, 0u);

  // Data that lacks the last step, and has another state after the first.
  std::string text;
  for (std::size_t i = 0; i < data.input_names.size(); ++i) text += data.input_names[i] + ",";
  for (std::size_t i = 0; i < data.output_names.size(); ++i)
    text += (i == 0 ? "" : ",") + data.output_names[i];
  text += "\n";
  BitValues state = outcome.plan->initial;
  for (std::size_t t = 0; t < 3; ++t) {
    const PlanStep& step = outcome.plan->steps[t];
    for (const Bit& bit : problem.network_inputs)
      text += (bit.place == Place::action ? step.action : state)[bit.index] == 1 ? "1," : "0,";
    for (std::size_t i = 0; i < problem.network_outputs.size(); ++i) {
      const bool value = step.state[problem.network_outputs[i]] == 1;
      text += std::string(i == 0 ? "" : ",") + ((value != (t == 0 && i == 0)) ? "1" : "0");
    }
    text += "\n";
    state = step.state;
  }
  const Evidence poor = evidence_of(problem, *outcome.plan, parse_data_set(text, "poor.csv"));
  EXPECT_EQ(poor.first_unseen, 4u);
  EXPECT_EQ(poor.first_contradicted, 1u);
  EXPECT_EQ(answer_of(poor).text,
            "measured on poor.csv: the network is wrong on 1 of 3 transitions\n"
            "3 of the plan's 4 transitions are in the data; warning: step 4 does what was never seen\n"
            "warning: after step 1 the data has another state than the plan\n");
  EXPECT_EQ(input_error_of([&] {
              evidence_of(problem, *outcome.plan, parse_data_set("a,y'\n0,1\n", "other.csv"));
            }).rfind("other.csv:1: no column '", 0),
            0u);
}

// A mistake of ours, or of a callback, is not a mistake of the checkpoint that the run began with.
TEST(Plan, ACheckpointIsNotBlamedForOtherErrors) {
  const testing::TemporaryFolder folder;
  const Problem problem = read_problem(BNNPLAN_SOURCE_DIR "/models/navigation_3x3.toml");
  PlanOptions options;
  options.engine = "search";
  options.checkpoint.file = (folder / "checkpoint").string();
  const std::atomic<bool> stop = true;
  options.limits.interrupt = &stop;
  plan(problem, options);
  PlanOptions again;
  again.engine = "search";
  again.checkpoint.resume = options.checkpoint.file;
  EXPECT_EQ(plan(problem, again).status, Status::optimal);
  again.callbacks.improvement = [](const Improvement&) { throw std::logic_error("of the callback"); };
  EXPECT_THROW(plan(problem, again), std::logic_error);
}

TEST(Discover, ADomainFromTheLibrary) {
  DiscoverySettings settings;
  settings.limits.threads = 1;
  std::size_t rounds = 0;
  settings.numbered_round = [&](const Problem&, std::size_t number, const DiscoverRound&) {
    rounds = number;
  };
  const Discovery discovery = discover(navigation, navigation_3x3, settings);
  EXPECT_EQ(discovery.found.rounds.size(), rounds);
  ASSERT_TRUE(discovery.check);
  EXPECT_TRUE(discovery.check->accepted);
  EXPECT_EQ(discovery.check->promise, "");
  settings.until_worth = Decimal{5, -1};
  EXPECT_EQ(input_error_of([&] { discover(navigation, navigation_3x3, settings); }),
            "0.5 has more decimals than the objective of the problem");
}

// However little time is left for the next plan.
TEST(Discover, EndsAtItsTimeLimit) {
  DiscoverySettings settings;
  settings.limits.seconds = 1e-6;
  const Discovery discovery = discover(navigation, navigation_3x3, settings);
  EXPECT_EQ(discovery.found.stopped, StopReason::time);
  EXPECT_FALSE(discovery.found.plan);
}

// Not one plan after the other for which there is no room.
TEST(Discover, EndsAtItsMemoryLimit) {
  DiscoverySettings settings;
  settings.limits.memory_bytes = 1 << 20;
  const Discovery discovery = discover(navigation, navigation_3x3, settings);
  EXPECT_EQ(discovery.found.stopped, StopReason::memory);
  EXPECT_LE(discovery.found.rounds.size(), 1u);
}

TEST(Compile, RefusesOptionsThatAreNotAllowed) {
  CompileOptions options;
  options.learned = {"robot-at"};
  EXPECT_EQ(input_error_of([&] { compile(navigation, navigation_3x3, options); }),
            "learned requires network: what is learned is what a network gives");
  options = {};
  options.table_bits = 0;
  EXPECT_EQ(input_error_of([&] { compile(navigation, navigation_3x3, options); }),
            "table_bits is 0, expected a whole number from 1 to 24");
}

// A lamp that a button turns on, and only on.
struct Lamp : discovery::World {
  std::size_t asked = 0;
  std::optional<BitValues> next(const BitValues& state, const BitValues& action, std::string&) override {
    ++asked;
    return BitValues{static_cast<BitValue>(state[0] == 1 || action[0] == 1 ? 1 : 0)};
  }
};

TEST(Discover, WhateverAnswers) {
  ProblemBuilder builder("lamp");
  builder.add_variable(Place::state, {"lit"});
  builder.add_variable(Place::action, {"press"});
  builder.set_initial("lit", {0, 0});
  builder.add_goal("lit == 1");
  builder.set_objective("press", false);
  builder.set_horizon(3);
  Lamp lamp;
  DiscoverySettings settings;
  settings.prove = true;
  const Discovery discovery = discover(builder.problem(), lamp, settings);
  ASSERT_TRUE(discovery.found.plan);
  EXPECT_EQ(discovery.found.cost, 1);
  EXPECT_EQ(discovery.found.world, WorldStatus::optimal);
  EXPECT_EQ(discovery.found.questions + 3, lamp.asked);  // the plan is played once more
  EXPECT_LE(discovery.found.questions, 4u);
  EXPECT_FALSE(discovery.check);
  // With everything known there is nothing to find out.
  builder.add_constraint("lit' == lit");
  EXPECT_EQ(input_error_of([&] { discover(builder.problem(), lamp, settings); }),
            "all transitions are known: there is nothing to discover");
}

TEST(Learn, RefusesWhatCannotBeTrained) {
  const DataSet data = parse_data_set("a,y'\n0,1\n1,0\n", "data.csv");
  LearnOptions options;
  options.hidden.assign(65, 4);
  EXPECT_EQ(input_error_of([&] { learn(data, options); }), "hidden has 65 layers, expected at most 64");
  options.hidden = {4};
  options.also = parse_data_set("b,y'\n0,1\n", "more.csv");
  EXPECT_EQ(input_error_of([&] { learn(data, options); }).substr(0, 9), "more.csv:");
  options = {};
  options.density = 0.3;
  options.sparse = false;
  EXPECT_EQ(input_error_of([&] { learn(data, options); }), "density requires sparse");
}

TEST(Learn, IsInterruptedByAFlag) {
  Simulator domain(navigation, navigation_3x3);
  LearnOptions options;
  options.hidden = {64, 64};
  options.epochs = 1'000'000;
  const std::atomic<bool> flag = true;
  options.limits.interrupt = &flag;
  const Learned learned = learn(simulate(domain), options);
  EXPECT_TRUE(learned.training.interrupted);
  EXPECT_EQ(learned.training.network.outputs.size(), 9u);
}

TEST(Simulate, WritesTheSameAsItReturns) {
  const testing::TemporaryFolder folder;
  Simulator domain(navigation, navigation_3x3);
  SimulateOptions options;
  options.explore.episodes = 3;
  options.explore.steps = 7;
  const SimulationResult result = simulate(domain, options, folder / "data.csv");
  const DataSet written = read_data_set(folder / "data.csv"), returned = simulate(domain, options);
  EXPECT_EQ(result.lines, written.sample_row.size());
  EXPECT_EQ(written.inputs, returned.inputs);
  EXPECT_EQ(written.outputs, returned.outputs);
  EXPECT_EQ(written.sample_row, returned.sample_row);
}

TEST(Simulate, RefusesMoreThanCanBeDone) {
  SimulateOptions options;
  options.explore.episodes = 1'000'000'001;
  Simulator domain(navigation, navigation_3x3);
  EXPECT_EQ(input_error_of([&] { simulate(domain, options); }),
            "episodes is 1000000001, expected a whole number from 1 to 1000000000");
}

TEST(Simulate, ReplaysAPlan) {
  Simulator domain(navigation, navigation_3x3);
  const Outcome outcome = plan(compile(navigation, navigation_3x3));
  const Problem variables = variables_of(domain);
  SimulateOptions options;
  options.plan = parse_plan(plan_json(compile(navigation, navigation_3x3), *outcome.plan), "plan", variables);
  const testing::TemporaryFolder folder;
  const SimulationResult result = simulate(domain, options, folder / "data.csv");
  ASSERT_TRUE(result.replay);
  EXPECT_EQ(result.replay->violation, "");
  EXPECT_EQ(result.lines, outcome.plan->steps.size());
}

TEST(Encode, AnAnswerBecomesAPlanAgain) {
  const testing::TemporaryFolder folder;
  const Problem problem = corridor();
  for (const char* neurons : {"auto", "totalizer"}) {
    EncodeOptions options;
    options.neurons = neurons;
    encode(problem, options, folder / "corridor.wcnf");
    const MaxSatOutcome solved = solve_maxsat(read_wcnf(folder / "corridor.wcnf"));
    ASSERT_EQ(solved.status, Status::optimal);
    std::string answer = "o " + std::to_string(*solved.cost) + "\ns OPTIMUM FOUND\nv ";
    for (const bool value : *solved.model) answer += value ? '1' : '0';
    const Outcome outcome = outcome_of_answer(problem, answer + "\n", "answer.txt");
    EXPECT_EQ(outcome.status, Status::optimal);
    EXPECT_EQ(outcome.cost, 5);
    EXPECT_EQ(outcome.claimed_by, "the solver");
  }
}

TEST(Encode, BoundsTheCostAndRefusesWhatItDoesNotKnow) {
  const testing::TemporaryFolder folder;
  const Problem problem = corridor();
  EncodeOptions options;
  options.cost_at_most = "4";
  encode(problem, options, folder / "corridor.wcnf");
  EXPECT_EQ(solve_maxsat(read_wcnf(folder / "corridor.wcnf")).status, Status::infeasible);
  options.cost_at_most = "cheap";
  EXPECT_EQ(input_error_of([&] { encode(problem, options, folder / "no.wcnf"); }),
            "cost_at_most is 'cheap', expected a number");
  options.cost_at_most.reset();
  options.format = "zip";
  EXPECT_EQ(input_error_of([&] { encode(problem, options, folder / "no.wcnf"); }),
            "to is 'zip', expected one of wcnf, wcnf-classic, cnf, opb, lp, mps, mzn; did you mean 'lp'?");
  options.format = "wcnf";
  options.neurons = "magic";
  EXPECT_EQ(input_error_of([&] { encode(problem, options, folder / "no.wcnf"); }),
            "neurons is 'magic', expected one of auto, direct, sequential, totalizer, network, mixed, "
            "shared, published, adder");
  EXPECT_FALSE(std::filesystem::exists(folder / "no.wcnf"));
}

// The bound fixes b, which costs 3; an answer to the file has to say so.
TEST(Encode, AnAnswerWithinABoundBecomesAPlan) {
  const testing::TemporaryFolder folder;
  ProblemBuilder builder("bounded");
  builder.add_variable(Place::state, {"s"});
  builder.add_constraint("s' == s");
  for (const char* name : {"a", "b", "c", "d"}) builder.add_variable(Place::action, {name});
  builder.add_constraint("a + b >= 1");
  builder.add_constraint("c + d >= 1");
  builder.set_objective("10 a + 3 b + c + d", false);
  builder.set_horizon(1);
  EncodeOptions options;
  options.cost_at_most = "5";
  encode(builder.finished(), options, folder / "bounded.wcnf");
  const MaxSatOutcome solved = solve_maxsat(read_wcnf(folder / "bounded.wcnf"));
  ASSERT_TRUE(solved.model);
  std::string answer = "o " + std::to_string(*solved.cost) + "\ns OPTIMUM FOUND\nv ";
  for (const bool value : *solved.model) answer += value ? '1' : '0';
  const Outcome outcome = outcome_of_answer(builder.finished(), answer + "\n", "answer");
  EXPECT_EQ(outcome.status, Status::optimal);
  EXPECT_EQ(outcome.cost, 4);
}

TEST(Encode, CanBeInterrupted) {
  const testing::TemporaryFolder folder;
  std::atomic<bool> stop = false;
  EncodeOptions options;
  options.interrupt = &stop;
  for (const ModelFormat& format : model_formats()) {
    options.format = format.name;
    stop = false;
    encode(corridor(), options, folder / "whole");
    stop = true;
    EXPECT_THROW(encode(corridor(), options, folder / "none"), LimitReached) << format.name;
    EXPECT_FALSE(std::filesystem::exists(folder / "none")) << format.name;
  }
}

}  // namespace
}  // namespace bnnplan
