// Two last steps of a plan at once, looked at and not kept (last_steps.cpp says when): from a state all actions of
// one class, and from the states these lead to all actions of another. They are cut into parts that threads share.
//
// By default a part is one question, or some of its first actions, evaluated as any other step. Where the network
// says all of a step (SlicedLastStep), the states between the two steps of many questions with the same second class
// are put together, 512 at a time, and their last step is bit-sliced. What that finds is
// evaluated again in the ordinary way, which decides. On a random network 48:64:64:32 with 16 action bits and 4 steps
// a proof takes 0.55 of the processor time.
#include <algorithm>

#include "engines/search/successor_graph.hpp"

namespace bnnplan {

namespace {

constexpr std::size_t part_evaluations = std::size_t{1} << 12;  // of a part that is not sliced
constexpr std::size_t second_batch = 256;                       // evaluations
constexpr std::size_t sliced_part_evaluations = std::size_t{1}
                                                << 19;            // of a part that is, a few milliseconds, if
constexpr std::size_t most_sliced_part_states = 4 * kPlaneLanes;  // so many states between are enough for it

}  // namespace

const SlicedLastStep& SuccessorGraph::sliced_last_step() {
  if (!sliced_) sliced_.emplace(problem_);
  return *sliced_;
}

bool SuccessorGraph::two_steps_repeat(bool is_kept) {
  const std::uint64_t edges = edges_.size(), states = state_count_, different = sample_.size();
  // Sliced, looking at a state between costs a tenth of what keeping it does.
  if (8 * states < edges || (sampled_ >= 1024 && 8 * different < sampled_)) return true;
  return (10 * states < 9 * edges || (sampled_ >= 1024 && 4 * different < 3 * sampled_)) &&
         (is_kept || !slices());
}

void SuccessorGraph::make_parts(std::span<const LastTwoSteps> steps) {
  items_.clear();
  parts_.clear();
  if (steps.empty()) return;
  if (symmetry_.empty() && sliced_last_step().useful()) {
    make_sliced_parts(steps);
  } else {
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const Request whole = request(steps[i].state, steps[i].first_class);
      const ActionTable::ActionClass& second = actions_[steps[i].second_class];
      const auto most =
          static_cast<ActionId>(std::max<std::size_t>(1, part_evaluations / (second.end - second.begin)));
      for (ActionId begin = whole.begin; begin < whole.end; begin += most) {
        items_.push_back({i, {whole.state, begin, std::min(begin + most, whole.end)}});
        parts_.push_back({items_.size() - 1, items_.size(), steps[i].second_class});
      }
    }
  }
  if (found_.size() < parts_.size()) found_.resize(parts_.size());
}

// Questions with the same second class together, in parts of some hundred states between the steps. Large classes come
// first, so that threads end together.
void SuccessorGraph::make_sliced_parts(std::span<const LastTwoSteps> steps) {
  std::vector<std::size_t> order(steps.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return steps[a].second_class > steps[b].second_class;
  });
  sliced_actions_.resize(std::max(sliced_actions_.size(), actions_.class_count()));
  std::size_t states = 0;  // of the last part
  for (const std::size_t i : order) {
    const std::uint32_t second = steps[i].second_class;
    if (!sliced_actions_[second]) {
      sliced_actions_[second] = sliced_->prepare(actions_, actions_[second].begin, actions_[second].end);
    }
    const std::size_t slices =
        sliced_part_evaluations / kPlaneLanes / (actions_[second].end - actions_[second].begin);
    const std::size_t most = std::clamp(slices * kPlaneLanes, kPlaneLanes, most_sliced_part_states);
    const Request whole = request(steps[i].state, steps[i].first_class);
    for (ActionId begin = whole.begin; begin < whole.end;) {
      if (parts_.empty() || parts_.back().second_class != second || states == most) {
        parts_.push_back({items_.size(), items_.size(), second});
        states = 0;
      }
      const std::size_t count = std::min<std::size_t>(whole.end - begin, most - states);
      const auto end = static_cast<ActionId>(begin + count);
      items_.push_back({i, {whole.state, begin, end}});
      parts_.back().end = items_.size();
      states += count;
      begin = end;
    }
  }
}

// All first steps of a part, and from the states they lead to all second ones.
void SuccessorGraph::compute_part(Worker& worker, const Part& part, FoundPart& found) {
  found.stopped = true;
  found.evaluations = 0;
  found.ways.clear();
  found.sample.clear();
  worker.first_requests.clear();
  for (std::size_t i = part.begin; i < part.end; ++i) worker.first_requests.push_back(items_[i].first);
  Batch first{{0, part.end - part.begin, false, {}, {}, 0, true}, {}, {}},
      second{{0, 0, true, {}, {}, 0, true}, {}, {}};
  const bool sliced = symmetry_.empty() && sliced_->useful();
  if (sliced) {
    if (!compute_first_by_slices(worker, part, first)) return;
  } else {
    compute(worker, worker.first_requests, first);
    if (first.stopped) return;
  }
  found.evaluations = first.evaluations;
  const ActionTable::ActionClass& second_class = actions_[part.second_class];
  worker.requests.clear();
  std::vector<std::size_t> origin;  // of each request: the pair of the first step
  for (std::size_t i = 0; i < first.pairs.size(); ++i) {
    const std::uint64_t* between = first.next.data() + i * problem_.state_words;
    if (!problem_.state_constraints.hold(between)) continue;
    worker.requests.push_back({between, second_class.begin, second_class.end});
    origin.push_back(i);
    // The first class of second steps sees every state between once.
    if (part.second_class != 0) continue;
    const std::uint64_t hash = sliced ? hash_of(between) : first.hashes[i];
    if (shard_of(hash) == 0) found.sample.push_back(hash);
  }
  if (sliced && worker.requests.size() >= least_slice_states_) {
    found.stopped = !find_by_slices(worker, part, first, origin, found);
    return;
  }
  const std::size_t size = second_class.end - second_class.begin;
  const std::size_t together = std::max<std::size_t>(1, second_batch / size);
  for (std::size_t at = 0; at < worker.requests.size(); at += together) {
    second.first_request = at;
    second.end_request = std::min(at + together, worker.requests.size());
    compute(worker, worker.requests, second);
    if (second.stopped) return;
    found.evaluations += second.evaluations;
    for (std::size_t i = 0; i < second.pairs.size(); ++i) {
      const Request& request = worker.requests[second.pairs[i].request];
      const Pair pair = first.pairs[origin[second.pairs[i].request]];
      add_ways(items_[part.begin + pair.request].number, pair.action, request.state, second, i, found);
    }
  }
  found.stopped = false;
}

// The states after the first steps of a part. False if a limit was reached.
bool SuccessorGraph::compute_first_by_slices(Worker& worker, const Part& part, Batch& first) {
  const std::size_t input_words = problem_.network->input_words(),
                    output_words = problem_.network->output_words();
  const std::size_t words = problem_.state_words;
  worker.inputs.clear();
  for (std::size_t i = part.begin; i < part.end; ++i) {
    const Request& request = items_[i].first;
    worker.state_inputs.assign(input_words, 0);
    problem_.state_to_input.apply(request.state, worker.state_inputs.data());
    for (ActionId action = request.begin; action < request.end; ++action) {
      first.pairs.push_back({static_cast<std::uint32_t>(i - part.begin), action});
      const std::uint64_t* action_inputs = actions_.inputs(action);
      for (std::size_t j = 0; j < input_words; ++j) {
        worker.inputs.push_back(worker.state_inputs[j] | action_inputs[j]);
      }
    }
  }
  const std::size_t count = first.pairs.size();
  first.evaluations = count;
  first.next.assign(count * words, 0);
  worker.outputs.resize(kPlaneLanes * output_words);
  for (std::size_t at = 0; at < count; at += kPlaneLanes) {
    if (watch_.should_stop()) return false;
    const std::size_t some = std::min(kPlaneLanes, count - at);
    sliced_->evaluate(worker.inputs.data() + at * input_words, some, worker.outputs.data(), worker.slices);
    for (std::size_t i = 0; i < some; ++i) {
      problem_.output_to_next.apply(worker.outputs.data() + i * output_words,
                                    first.next.data() + (at + i) * words);
    }
  }
  return true;
}

// The second steps of a part's requests, bit-sliced. False if a limit was reached.
bool SuccessorGraph::find_by_slices(Worker& worker, const Part& part, const Batch& first,
                                    std::span<const std::size_t> origin, FoundPart& found) {
  const std::vector<Request>& requests = worker.requests;
  const ActionTable::ActionClass& second_class = actions_[part.second_class];
  Batch second{{0, 1, true, {}, {}, 0, true}, {}, {}};
  bool stopped = false;
  for (std::size_t at = 0; at < requests.size() && !stopped; at += kPlaneLanes) {
    const std::size_t count = std::min(kPlaneLanes, requests.size() - at);
    worker.slice_states.clear();
    for (std::size_t i = 0; i < count; ++i) worker.slice_states.push_back(requests[at + i].state);
    const auto evaluate_again = [&](std::size_t lane, ActionId action) {
      const Pair pair = first.pairs[origin[at + lane]];
      const std::size_t number = items_[part.begin + pair.request].number;
      // Where only actions cost, another way of these classes can be no better.
      if (problem_.next_cost.empty() && !found.ways.empty() && found.ways.back().number == number) return;
      const Request again{requests[at + lane].state, action, action + 1};
      compute(worker, {&again, 1}, second);
      stopped = stopped || second.stopped;
      if (!second.stopped && !second.pairs.empty())
        add_ways(number, pair.action, again.state, second, 0, found);
    };
    if (!sliced_->find(worker.slice_states, *sliced_actions_[part.second_class], watch_, worker.slices,
                       evaluate_again)) {
      return false;
    }
    found.evaluations += count * (second_class.end - second_class.begin);
  }
  return !stopped;
}

// Notes a way unless one to the same question is known that costs no more.
void SuccessorGraph::add_ways(std::size_t number, ActionId first_action, const std::uint64_t* between,
                              const Batch& second, std::size_t pair, FoundPart& found) const {
  const auto cost_of = [&](ActionId action, const std::uint64_t* next) {
    return actions_.cost(action) - least_action_cost_ +
           (problem_.next_cost.empty()
                ? 0
                : problem_.next_cost.evaluate(nullptr, nullptr, next) - problem_.least_next_cost);
  };
  const std::size_t words = problem_.state_words;
  const std::uint64_t* next = second.next.data() + pair * words;
  const std::int64_t cost = cost_of(first_action, between) + cost_of(second.pairs[pair].action, next);
  auto way = std::find_if(found.ways.begin(), found.ways.end(),
                          [&](const Way& known) { return known.number == number; });
  if (way == found.ways.end()) {
    way = found.ways.insert(way, Way{number, 0, 0, cost, {}, {}});
  } else if (cost >= way->cost) {
    return;
  }
  way->first = first_action;
  way->last = second.pairs[pair].action;
  way->cost = cost;
  way->between.assign(between, between + words);
  way->next.assign(next, next + words);
}

}  // namespace bnnplan
