// Calls on networks and data: learn, verify, explain, count, compare. Networks are small enough to try every
// pattern of their input bits.
#include <algorithm>

#include <fmt/format.h>

#include "called_objects.hpp"

namespace bnnplan::fuzz {

namespace {

void call_learn(CalledObjects& objects, const Call& call) {
  const DataSet data = objects.data(call.object);
  LearnOptions options;
  bool allowed = set_options(options, call, objects);
  Cancellation cancellation(call);
  options.limits.interrupt = cancellation.flag();
  options.tried = [&](const Tried&) { cancellation.tick(); };
  options.progress = [&](const std::string&, const EpochRecord&) { cancellation.tick(); };
  try {
    validate(options);
    require(allowed, "validate allows a value that is not allowed");
  } catch (const OptionError&) {
    allowed = false;
  }
  Learned learned;
  try {
    learned = learn(data, options);
    require(allowed, "options that validate refuses are accepted");
  } catch (const OptionError& error) {
    require(!allowed, fmt::format("options that validate allows are refused: {}", error.what()));
    return;
  } catch (const InputError& error) {
    const bool nothing_left = split(data, options.test_share, options.limits.seed).train.rows.empty();
    require(nothing_left, fmt::format("refused: {}", error.what()));
    return;
  }
  const Network& network = learned.training.network;
  require(network.inputs == data.input_names && network.outputs == data.output_names,
          "the network has other columns than the data");
  require(parse_network(network_text(network), "network") == network,
          "the network is not read back the same");
  const Split parts = split(data, options.test_share, options.limits.seed);
  const auto wrong = [&](const std::string& part) {
    for (const auto& [name, errors] : learned.report.errors) {
      if (name == part) return errors.wrong_transitions;
    }
    throw BrokenPromise{"no errors are reported of the part " + part};
  };
  // The report is about lines, even if training was about distinct ones.
  require(wrong("train") == evaluate(network, data, parts.train).wrong_transitions,
          "the errors reported are not those of the network");
  const bool complete = !cancellation.given() && !options.limits.seconds;
  if (!complete) return;
  if (options.technique == LearnTechnique::cover && data.contradictions == 0)
    require(wrong("train") == 0, "a cover of data without contradictions is wrong");
  options.limits.threads = options.limits.threads == 1 ? 2 : 1;
  require(learn(data, options).training.network == network, "another network by another number of threads");
}

// An input of the network: for a bit 0 or 1, for a number one of those it may be.
std::vector<mpq_class> input_of(const Network& network, std::uint64_t seed) {
  bnnplan::Random random(seed);
  std::vector<mpq_class> values;
  for (std::size_t i = 0; i < network.inputs.size(); ++i) {
    const bool number = has_numbers(network) && network.numbers[i].has_value();
    if (!number) {
      values.emplace_back(static_cast<unsigned long>(random.below(2)));
      continue;
    }
    const NumericInput& input = *network.numbers[i];
    const mpq_class steps = (input.high - input.low) / input.step;
    const unsigned long count = mpz_class(steps.get_num() / steps.get_den()).get_ui() + 1;
    values.push_back(input.low + input.step * mpq_class(static_cast<unsigned long>(random.below(count))));
  }
  return values;
}

// Calls visit(input) for every input that the network takes, at most some thousands.
template <class Visit>
bool for_each_input(const Network& network, const Visit& visit) {
  constexpr std::size_t most = 4000;
  std::vector<std::vector<mpq_class>> choices;
  std::size_t inputs = 1;
  for (std::size_t i = 0; i < network.inputs.size(); ++i) {
    std::vector<mpq_class>& of_input = choices.emplace_back();
    if (has_numbers(network) && network.numbers[i]) {
      const NumericInput& number = *network.numbers[i];
      for (mpq_class value = number.low; value <= number.high; value += number.step)
        of_input.push_back(value);
    } else {
      of_input = {0, 1};
    }
    inputs *= of_input.size();
    if (inputs > most) return false;
  }
  std::vector<mpq_class> values(choices.size());
  for (std::size_t number = 0; number < inputs; ++number) {
    std::size_t rest = number;
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = choices[i][rest % choices[i].size()];
      rest /= choices[i].size();
    }
    visit(values);
  }
  return true;
}

verification::VerifyQuery query_of(const Network& network, const Call& call) {
  verification::VerifyQuery query;
  query.values = input_of(network, static_cast<std::uint64_t>(call.number("input")));
  query.label = reference_class(network, binarize(network, query.values));
  const auto index_of = [](const auto& names, const std::string& name) {
    return static_cast<std::size_t>(std::find(std::begin(names), std::end(names), name) - std::begin(names));
  };
  query.norm =
      static_cast<verification::Norm>(index_of(verification::norm_names, call.option("norm").value_or("l0")));
  query.ties = static_cast<verification::TieRule>(
      index_of(verification::tie_rule_names, call.option("ties").value_or("network")));
  if (call.option("epsilon")) query.epsilon = mpq_class(call.number("epsilon"));
  return query;
}

void call_verify(CalledObjects& objects, const Call& call) {
  const Network& network = objects.network(call.object);
  const verification::VerifyQuery query = query_of(network, call);
  VerifyRequest request;
  set_options(request, call, objects);
  Cancellation cancellation(call);
  request.limits.interrupt = cancellation.flag();
  request.callbacks.bounds = [&](const mpq_class&, const std::optional<mpq_class>&) { cancellation.tick(); };
  const testing::TemporaryFolder folder;  // of its own, as two calls may run at the same time
  if (!request.proof.empty()) request.proof = folder / "proof";
  const VerifyOutcome outcome = verify(network, query, request);
  const bool complete = !cancellation.given() && !request.limits.seconds &&
                        request.limits.memory_bytes == Limits().memory_bytes;
  const bool found = outcome.status == Status::optimal || outcome.status == Status::feasible;
  if (complete) require(outcome.stopped == StopReason::none, "stopped without a limit");
  require(found == !outcome.values.empty(), "an input does not fit the status");
  if (found) {
    require(verification::is_classified_otherwise(network, query, outcome.values),
            "the input found is classified alike");
    require(verification::distance(query.norm, query.values, outcome.values) == outcome.distance,
            "another distance");
  }
  std::optional<mpq_class> nearest;
  const bool tried = for_each_input(network, [&](const std::vector<mpq_class>& values) {
    if (!verification::is_classified_otherwise(network, query, values)) return;
    const mpq_class far = verification::distance(query.norm, query.values, values);
    if (!nearest || far < *nearest) nearest = far;
  });
  if (tried) {
    // With an epsilon any input within it will do.
    mpq_class most = query.epsilon.value_or(0);
    if (query.norm == verification::Norm::l2) most *= most;
    const bool near = nearest && (!query.epsilon || *nearest <= most);
    if (outcome.status == Status::infeasible) require(!near, "infeasible, but there is an input");
    if (found) require(near, "an input that is too far away");
    if (outcome.status == Status::optimal && !query.epsilon)
      require(outcome.distance == *nearest, "not the nearest input");
    if (nearest && !query.epsilon) require(outcome.lower_bound <= *nearest, "the lower bound is too high");
  }
  if (outcome.proof_written) {
    const ProofCheck proof = check_proof(formula_of(network, query).formula, read_text_file(request.proof));
    require(proof.accepted, "the proof is refused: " + proof.refusal);
    require((proof.claim == ProofCheck::Claim::infeasible) == (outcome.status == Status::infeasible),
            "the proof proves a different claim");
  }
  if (!complete || request.limits.threads > 1) return;
  const VerifyOutcome again = verify(network, query, request);
  require(again.status == outcome.status && again.values == outcome.values,
          "another input with the same seed");
}

void call_explain(CalledObjects& objects, const Call& call) {
  const Network& network = objects.network(call.object);
  const verification::VerifyQuery of = query_of(network, call);
  ExplainQuery query{of.values, of.label};
  if (call.number("input") % 2 == 0) query.kind = ExplanationKind::smallest;
  const Explanation explanation = explain(network, query, {});
  require(explanation.found && explanation.is_minimal, "no explanation");
  require(explanation.inputs.size() >= explanation.at_least, "an explanation smaller than possible");
  for_each_input(network, [&](const std::vector<mpq_class>& values) {
    const bool agrees = std::all_of(explanation.inputs.begin(), explanation.inputs.end(),
                                    [&](std::uint32_t i) { return values[i] == query.values[i]; });
    require(!agrees || reference_class(network, binarize(network, values)) == query.label,
            "the explanation does not fix the class");
  });
}

void call_count(CalledObjects& objects, const Call& call) {
  const Network& network = objects.network(call.object);
  verification::VerifyQuery query = query_of(network, call);
  if (!query.epsilon) query.epsilon = 1;
  CountOutcome outcome;
  try {
    outcome = count_misclassified(network, query, CountOf::values, {});
  } catch (const InputError&) {
    require(has_numbers(network), "bits are too fine");
    return;
  }
  require(outcome.exact && outcome.lower == outcome.upper, "not everything is counted");
  mpz_class count = 0, total = 0;
  mpq_class most = *query.epsilon;
  if (query.norm == verification::Norm::l2) most *= most;
  const bool tried = for_each_input(network, [&](const std::vector<mpq_class>& values) {
    if (verification::distance(query.norm, query.values, values) > most) return;
    ++total;
    if (verification::is_classified_otherwise(network, query, values)) ++count;
  });
  if (!tried) return;
  require(outcome.lower == count, fmt::format("counts {}, not {}", outcome.lower.get_str(), count.get_str()));
  require(outcome.total == total, "another number of inputs");
}

// A network is equal to itself, and to one with another threshold if no input says otherwise.
void call_compare(CalledObjects& objects, const Call& call) {
  const Network& network = objects.network(call.object);
  const Equality by = call.number("input") % 2 == 0 ? Equality::classes : Equality::scores;
  require(compare_networks(network, network, {}, by).status == Status::infeasible,
          "a network is not equal to itself");
  Network other = network;
  if (other.layers.empty()) return;
  ++other.layers[0].neurons[0].threshold;
  const JointOutcome outcome = compare_networks(network, other, {}, by);
  bool differ = false;
  const bool tried = for_each_input(network, [&](const std::vector<mpq_class>& values) {
    differ = differ || are_different(network, other, by, values);
  });
  if (tried) require((outcome.status == Status::infeasible) != differ, "equality is answered wrongly");
  if (!outcome.values.empty())
    require(are_different(network, other, by, outcome.values), "not a counterexample");
}

}  // namespace

bool make_learning_call(CalledObjects& objects, const Call& call) {
  constexpr std::pair<std::string_view, void (*)(CalledObjects&, const Call&)> calls[] = {
      {"learn", call_learn}, {"verify", call_verify},   {"explain", call_explain},
      {"count", call_count}, {"compare", call_compare},
  };
  for (const auto& [name, function] : calls) {
    if (name == call.name) return function(objects, call), true;
  }
  return false;
}

}  // namespace bnnplan::fuzz
