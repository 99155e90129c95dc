// What a discovery may claim. "Proved" refers to the model for what the planner proved, and to the world only
// if everything that a cheaper plan could begin with was seen there.
#include "bnnplan/discover/discovery_text.hpp"

#include <fmt/format.h>

#include "bnnplan/base/count_text.hpp"
#include "bnnplan/base/input_error.hpp"
#include "bnnplan/problem/plan_file.hpp"
#include "bnnplan/problem/worth.hpp"

namespace bnnplan::discovery {

namespace {

// What is known of the plan in the model and in the world.
std::string known_text(const Discovered& found) {
  const Problem& problem = found.problem;
  std::string text;
  if (found.plan) {
    text += fmt::format("in the model: plan of {}, {}, {}\n", count_text(problem.horizon, "step"),
                        worth_text(problem, found.cost),
                        found.optimal_in_model ? "proved optimal" : "not proved optimal");
  } else {
    text += found.outcome.status == Status::infeasible ? "in the model: there is no plan, proved\n"
                                                       : "in the model: no plan found\n";
  }
  const std::string worth = found.plan ? worth_text(problem, found.cost) : "";
  const std::string unseen =
      fmt::format("{}{}", found.unseen_complete ? "" : "at least ", count_text(found.unseen, "pair"));
  switch (found.world) {
    case WorldStatus::optimal:
      text += fmt::format(
          "in the world: it holds, {}, and is proved optimal if the world is deterministic: every pair "
          "of a state and an "
          "action that a cheaper plan could begin with was seen\n",
          worth);
      break;
    case WorldStatus::valid:
      text += fmt::format("in the world: it holds, {}; not proved optimal there: ", worth);
      text += !found.obstacle.empty() ? fmt::format("unseen pairs cannot be listed ({})\n", found.obstacle)
              : found.unseen > 0 || !found.unseen_complete
                  ? fmt::format(
                        "{} of a state and an action that a cheaper plan could begin with were never seen "
                        "(a proof has to ask them)\n",
                        unseen)
                  : "the planner has not proved the model's optimum\n";
      break;
    case WorldStatus::infeasible:
      text +=
          "in the world: there is no plan, proved if the world is deterministic: everything that can be "
          "reached within "
          "the horizon was seen\n";
      break;
    case WorldStatus::none:
      text += found.plan ? "in the world: it held step by step, but was not replayed from the start\n"
                         : "in the world: no plan is known that holds\n";
      break;
  }
  text += fmt::format("{} asked in {}", count_text(found.questions, "question"),
                      count_text(found.rounds.size(), "round"));
  if (found.out_of_questions) text += "; no more are allowed";
  if (found.stopped != StopReason::none) text += fmt::format("; {}", stop_reason_text(found.stopped));
  return text + "\n";
}

}  // namespace

std::string round_text(const Problem& problem, std::size_t number, const DiscoverRound& round) {
  std::string text =
      fmt::format("round {}, learned from {}: ", number, count_text(round.facts, "transition"));
  if (round.promised) {
    text += fmt::format("the plan promises {}", worth_text(problem, *round.promised));
    text += round.holds ? "; it holds in the world"
                        : fmt::format("; after step {} the world is in another state", round.parts);
  } else {
    text += round.status == Status::infeasible ? "the model has no plan" : "no plan found";
  }
  if (round.explored > 0) text += fmt::format("; asked {} more", round.explored);
  return text + fmt::format(" ({} so far)", count_text(round.questions, "question"));
}

JsonObject round_fields(const Problem& problem, const DiscoverRound& round) {
  return {{"facts", round.facts},
          {"questions", round.questions},
          {"status", status_text(round.status)},
          {"promised", cost_json(problem, round.promised)},
          {"parts", round.parts},
          {"holds", round.holds},
          {"explored", round.explored},
          {"seconds", round.seconds}};
}

Answer discovery_answer(const Discovered& found) {
  static constexpr std::string_view world_words[] = {"optimal", "valid", "infeasible", "none"};
  const Problem& problem = found.problem;
  Answer answer;
  answer.add("world", world_words[static_cast<std::size_t>(found.world)]);
  answer.add("model_status", status_text(found.outcome.status));
  answer.add("optimal_in_model", found.optimal_in_model);
  answer.add("cost", found.plan ? cost_json(problem, found.cost) : JsonValue());
  answer.add("questions", found.questions);
  answer.add("unseen", found.unseen);
  answer.add("unseen_complete", found.unseen_complete);
  answer.add("obstacle", text_or_null(found.obstacle));
  const std::string stopped(found.out_of_questions ? "questions" : stop_reason_text(found.stopped));
  answer.add("stopped", text_or_null(stopped));
  answer.add("rounds", json_array_of(found.rounds, [&](const DiscoverRound& round) {
               return round_fields(problem, round);
             }));
  answer.say(known_text(found));
  return answer;
}

}  // namespace bnnplan::discovery
