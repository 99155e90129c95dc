// Answers linear queries: with all engines if the question is about flips, with the solver alone otherwise.
#include "bnnplan/verify/answer_linear.hpp"

#include <stdexcept>

#include <fmt/format.h>

#include "bnnplan/base/exact_number.hpp"
#include "bnnplan/engines/pseudo_boolean/solve_pb.hpp"
#include "bnnplan/network/reference_inference.hpp"
#include "bnnplan/verify/asked_question.hpp"
#include "bnnplan/verify/joint_network.hpp"

namespace bnnplan::verification {

namespace {

std::vector<mpq_class> values_in(const LinearQuestion& question, const BitValues& values) {
  const auto is_true = [&](Lit literal) { return (values[literal.var().index] != 0) != literal.negated(); };
  std::vector<mpq_class> numbers;
  for (const LinearQuestion::NumberCode& number : question.numbers) {
    if (!number.digits.empty()) {
      mpz_class k = 0;
      for (std::size_t j = 0; j < number.digits.size(); ++j) {
        if (is_true(number.digits[j])) k += mpz_class(1) << j;
      }
      numbers.emplace_back(number.range.lower->value + number.range.grid->step * k);
      continue;
    }
    std::optional<Cut> from = number.range.lower, to = number.range.upper;
    for (const auto& [cut, literal] : number.cuts) {
      if (is_true(literal)) {
        from = cut;
      } else {
        to = cut;
        break;
      }
    }
    numbers.push_back(number.range.number_between(from, to));
  }
  return numbers;
}

// Checks that the input satisfies the query.
void check_input(const Network& network, const LinearQuery& query, const std::vector<mpq_class>& values) {
  bool right = holds(query.property, query.property.root(), values, output_values(network, values));
  if (query.region && query.region->values && query.region->epsilon) {
    const Norm norm = query.region->norm;
    right = right &&
            distance(norm, *query.region->values, values) <= largest_distance(norm, *query.region->epsilon);
  }
  if (!right) throw std::logic_error("an input was found that does not have the property");
}

LinearOutcome answer_flips(const Network& network, const LinearQuery& query, const LinearQuestion& question,
                           const VerifyRequest& request) {
  QuestionRequest asked = question_request(request, *question.flips);
  asked.bounds = {};  // there are no distances
  asked.check = [&](const FlipSet& set) {
    check_input(network, query, changed_values(*question.flips, set));
  };
  const QuestionAnswer answer = answer_question(*question.flips, asked);
  LinearOutcome outcome;
  take_answer(answer, outcome);
  if (answer.best) outcome.values = changed_values(*question.flips, *answer.best);
  return outcome;
}

LinearOutcome answer_formula(const Network& network, const LinearQuery& query, const LinearQuestion& question,
                             const VerifyRequest& request) {
  engines::PbRequest asked;
  asked.limits = request.limits;
  asked.proof = request.proof;
  asked.proof_version = request.proof_version;
  const auto value_of = [&](std::int64_t value) {
    return mpq_class(question.offset + question.unit * mpq_class(mpz_class(value)));
  };
  asked.callbacks.improvement = [&](const BitValues& values, std::int64_t) {
    check_input(network, query, values_in(question, values));
  };
  const engines::PbOutcome found = engines::solve_pseudo_boolean(question.formula, asked);
  LinearOutcome outcome;
  outcome.status = found.status;
  if (found.values) outcome.values = values_in(question, *found.values);
  if (query.minimize) {
    if (found.value) outcome.value = value_of(*found.value);
    if (found.lower_bound) outcome.lower_bound = value_of(*found.lower_bound);
  }
  outcome.stopped = found.stopped;
  outcome.proof_written = found.proof_written;
  if (found.status == Status::optimal || found.status == Status::infeasible) outcome.decided_by = "solver";
  outcome.conflicts = found.conflicts;
  return outcome;
}

// As decimals, the only numbers that readers of such files expect: exact, or the nearest double.
std::string decimal_number(const mpq_class& number) {
  const std::string exact = exact_text(number);
  return exact.find('/') == std::string::npos ? exact : fmt::format("{:.17g}", nearest_double(number));
}

}  // namespace

LinearOutcome answer_linear(const Network& network, const LinearQuery& query, const VerifyRequest& request) {
  const LinearQuestion question = make_linear_question(network, query);
  LinearOutcome outcome = question.flips ? answer_flips(network, query, question, request)
                                         : answer_formula(network, query, question, request);
  if (!outcome.values.empty()) {
    check_input(network, query, outcome.values);
    outcome.outputs = output_values(network, outcome.values);
    if (outcome.value && *outcome.value != query.minimize->value(outcome.values, outcome.outputs))
      throw std::logic_error("an input was found with a wrong value");
  }
  return outcome;
}

std::vector<mpq_class> output_values(const Network& network, std::span<const mpq_class> inputs) {
  return reference_scores(with_scores(network), binarize(network, inputs));
}

std::string_view vnnlib_status(const LinearOutcome& outcome) {
  if (outcome.status == Status::infeasible) return "unsat";
  if (outcome.status != Status::unknown) return "sat";
  return outcome.stopped == StopReason::time ? "timeout" : "unknown";
}

std::string vnnlib_result(const VnnLibQuery& query, const LinearOutcome& outcome) {
  std::string text = std::string(vnnlib_status(outcome)) + "\n";
  if (outcome.values.empty()) return text;
  text += "(";
  for (std::size_t i = 0; i < outcome.values.size(); ++i)
    text +=
        fmt::format("{}({} {})", i > 0 ? "\n" : "", query.input_names[i], decimal_number(outcome.values[i]));
  for (std::size_t i = 0; i < outcome.outputs.size(); ++i)
    text += fmt::format("\n({} {})", query.output_names[i], decimal_number(outcome.outputs[i]));
  return text + ")\n";
}

}  // namespace bnnplan::verification
