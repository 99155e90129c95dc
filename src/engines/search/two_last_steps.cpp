// The last two steps of a plan at once, evaluated but not stored (last_steps.cpp says when): from a state all
// actions of one class, and from the states these lead to all actions of another. They are divided into parts
// that threads share.
//
// By default a part is one question, or some of its first actions, evaluated like any other step. If the
// network determines the whole step (SlicedLastStep), the states between the two steps of many questions with
// the same second class are combined, 512 at a time, and their last step is bit-sliced. What that finds is
// evaluated again in the ordinary way, which decides; if only actions cost, only if it is better than what is
// known: a class may have actions of several costs, so the first path of a question need not be its best. On
// a random network 48:64:64:32 with 16 action bits and 4 steps a proof takes 0.55 of the processor time.
#include "bnnplan/engines/search/two_last_steps.hpp"

#include <algorithm>

#include "bnnplan/engines/search/state_table.hpp"

namespace bnnplan::engines {

namespace {

constexpr std::size_t part_evaluations = std::size_t{1} << 12;  // of a part that is not sliced
constexpr std::size_t second_batch = 256;                       // evaluations
// Of a sliced part, a few milliseconds, if this many states between are enough for it.
constexpr std::size_t sliced_part_evaluations = std::size_t{1} << 19;
constexpr std::size_t most_sliced_part_states = 4 * kPlaneLanes;
// The sample: states between whose hashes begin with this many zeros.
constexpr unsigned sample_bits = 6;

}  // namespace

TwoLastSteps::TwoLastSteps(const PackedProblem& problem, const CanonicalStates& symmetry,
                           const ActionTable& actions, const Successors& successors, LimitWatch& watch)
    : problem_(problem), symmetry_(symmetry), actions_(actions), successors_(successors), watch_(watch) {}

const SlicedLastStep& TwoLastSteps::sliced_last_step() {
  if (!sliced_) sliced_.emplace(problem_);
  return *sliced_;
}

bool TwoLastSteps::slices() { return symmetry_.empty() && sliced_last_step().useful(); }

bool TwoLastSteps::repeat(std::uint64_t edges, std::uint64_t states, std::uint64_t sampled,
                          std::uint64_t different, bool rather_keep) {
  // When sliced, processing a state between costs a tenth of storing it.
  if (8 * states < edges || (sampled >= 1024 && 8 * different < sampled)) return true;
  return (10 * states < 9 * edges || (sampled >= 1024 && 4 * different < 3 * sampled)) &&
         (rather_keep || !slices());
}

std::size_t TwoLastSteps::ask(std::span<const Question> questions) {
  items_.clear();
  parts_.clear();
  if (questions.empty()) return 0;
  if (slices()) {
    make_sliced_parts(questions);
  } else {
    for (std::size_t i = 0; i < questions.size(); ++i) {
      const Request whole = request(questions[i].state, questions[i].first_class);
      const ActionTable::ActionClass& second = actions_[questions[i].second_class];
      const auto most =
          static_cast<ActionId>(std::max<std::size_t>(1, part_evaluations / (second.end - second.begin)));
      for (ActionId begin = whole.begin; begin < whole.end; begin += most) {
        items_.push_back({i, {whole.state, begin, std::min(begin + most, whole.end)}});
        parts_.push_back({items_.size() - 1, items_.size(), questions[i].second_class});
      }
    }
  }
  if (found_.size() < parts_.size()) found_.resize(parts_.size());
  return parts_.size();
}

// Groups questions with the same second class, in parts of some hundred states between the steps. Large
// classes come first, so that threads finish together.
void TwoLastSteps::make_sliced_parts(std::span<const Question> questions) {
  std::vector<std::size_t> order(questions.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return questions[a].second_class > questions[b].second_class;
  });
  sliced_actions_.resize(std::max(sliced_actions_.size(), actions_.class_count()));
  std::size_t states = 0;  // of the last part
  for (const std::size_t i : order) {
    const std::uint32_t second = questions[i].second_class;
    if (!sliced_actions_[second]) {
      sliced_actions_[second] = sliced_->prepare(actions_, actions_[second].begin, actions_[second].end);
    }
    const std::size_t slices =
        sliced_part_evaluations / kPlaneLanes / (actions_[second].end - actions_[second].begin);
    const std::size_t most = std::clamp(slices * kPlaneLanes, kPlaneLanes, most_sliced_part_states);
    const Request whole = request(questions[i].state, questions[i].first_class);
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

// All first steps of a part, and from the states they lead to all second steps.
void TwoLastSteps::compute(Worker& worker, std::size_t number) {
  const Part& part = parts_[number];
  Found& found = found_[number];
  found.evaluations = 0;
  found.ways.clear();
  found.sample.clear();
  worker.way_of_item.assign(part.end - part.begin, no_index);
  worker.first_requests.clear();
  for (std::size_t i = part.begin; i < part.end; ++i) worker.first_requests.push_back(items_[i].first);
  Batch first{0, part.end - part.begin, false, {}, {}, 0}, second{0, 0, true, {}, {}, 0};
  const bool sliced = symmetry_.empty() && sliced_->useful();
  if (sliced) {
    compute_first_by_slices(worker, part, first);
  } else {
    successors_.compute(worker, worker.first_requests, first);
  }
  found.evaluations = first.evaluations;
  const ActionTable::ActionClass& second_class = actions_[part.second_class];
  worker.requests.clear();
  std::vector<std::size_t> origin;  // by request: the pair of the first step
  for (std::size_t i = 0; i < first.pairs.size(); ++i) {
    const std::uint64_t* between = first.next.data() + i * problem_.state_words;
    if (!problem_.state_constraints.hold(between)) continue;
    worker.requests.push_back({between, second_class.begin, second_class.end});
    origin.push_back(i);
    // The first class of second steps sees every state between once.
    if (part.second_class != 0) continue;
    const std::uint64_t hash = StateTable::hash_of(between, problem_.state_words);
    if (hash >> (64 - sample_bits) == 0) found.sample.push_back(hash);
  }
  if (sliced && worker.requests.size() >= least_slice_states_)
    return find_by_slices(worker, part, first, origin, found);
  const std::size_t size = second_class.end - second_class.begin;
  const std::size_t together = std::max<std::size_t>(1, second_batch / size);
  for (std::size_t at = 0; at < worker.requests.size(); at += together) {
    second.first_request = at;
    second.end_request = std::min(at + together, worker.requests.size());
    successors_.compute(worker, worker.requests, second);
    found.evaluations += second.evaluations;
    for (std::size_t i = 0; i < second.pairs.size(); ++i) {
      const Request& request = worker.requests[second.pairs[i].request];
      const Pair pair = first.pairs[origin[second.pairs[i].request]];
      add_way(worker, part, pair, request.state, second, i, found);
    }
  }
}

// The states after the first steps of a part.
void TwoLastSteps::compute_first_by_slices(Worker& worker, const Part& part, Batch& first) {
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
    watch_.check_time();
    const std::size_t some = std::min(kPlaneLanes, count - at);
    sliced_->evaluate(worker.inputs.data() + at * input_words, some, worker.outputs.data(), worker.slices);
    for (std::size_t i = 0; i < some; ++i) {
      problem_.output_to_next.apply(worker.outputs.data() + i * output_words,
                                    first.next.data() + (at + i) * words);
    }
  }
}

// The second steps of a part's requests, bit-sliced.
void TwoLastSteps::find_by_slices(Worker& worker, const Part& part, const Batch& first,
                                  std::span<const std::size_t> origin, Found& found) {
  const std::vector<Request>& requests = worker.requests;
  const ActionTable::ActionClass& second_class = actions_[part.second_class];
  Batch second{0, 1, true, {}, {}, 0};
  for (std::size_t at = 0; at < requests.size(); at += kPlaneLanes) {
    const std::size_t count = std::min(kPlaneLanes, requests.size() - at);
    worker.slice_states.clear();
    for (std::size_t i = 0; i < count; ++i) worker.slice_states.push_back(requests[at + i].state);
    const auto evaluate_again = [&](std::size_t lane, ActionId action) {
      const Pair pair = first.pairs[origin[at + lane]];
      const std::uint32_t known = worker.way_of_item[pair.request];
      if (problem_.next_cost.empty() && known != no_index) {
        const std::int64_t cost = extra_cost(pair.action, nullptr) + extra_cost(action, nullptr);
        if (PathOrder{cost, 0, 0, pair.action, action} >= found.ways[known]) return;
      }
      const Request again{requests[at + lane].state, action, action + 1};
      successors_.compute(worker, {&again, 1}, second);
      if (!second.pairs.empty()) add_way(worker, part, pair, again.state, second, 0, found);
    };
    sliced_->find(worker.slice_states, *sliced_actions_[part.second_class], watch_, worker.slices,
                  evaluate_again);
    found.evaluations += count * (second_class.end - second_class.begin);
  }
}

// The extra cost of a step, above the cheapest possible one.
std::int64_t TwoLastSteps::extra_cost(ActionId action, const std::uint64_t* next) const {
  const std::int64_t cost = actions_.cost(action) - actions_[0].cost;
  if (problem_.next_cost.empty()) return cost;
  return cost + problem_.next_cost.evaluate(nullptr, nullptr, next) - problem_.least_next_cost;
}

// Records a path, by this first step, unless a better one for the same question is known. A part has no
// question twice.
void TwoLastSteps::add_way(Worker& worker, const Part& part, Pair first, const std::uint64_t* between,
                           const Batch& second, std::size_t pair, Found& found) const {
  const std::size_t words = problem_.state_words;
  const std::uint64_t* next = second.next.data() + pair * words;
  const ActionId last = second.pairs[pair].action;
  const std::int64_t cost = extra_cost(first.action, between) + extra_cost(last, next);
  std::uint32_t& known = worker.way_of_item[first.request];
  const PathOrder order{cost, 0, 0, first.action, last};
  if (known != no_index && order > found.ways[known]) return;
  Way way{{order, Words(between, between + words)}, items_[part.begin + first.request].question};
  way.tail.insert(way.tail.end(), next, next + words);
  if (known == no_index) {
    known = static_cast<std::uint32_t>(found.ways.size());
    found.ways.push_back(std::move(way));
  } else if (way < found.ways[known]) {
    found.ways[known] = std::move(way);
  }
}

}  // namespace bnnplan::engines
