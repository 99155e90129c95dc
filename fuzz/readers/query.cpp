// Questions to a network in TOML and in VNN-LIB (which begins with a bracket or a semicolon). An accepted
// query has the answer that trying every input finds; if numbers may be anything, an input that is found has
// the property.
#include <optional>
#include <vector>

#include "bnnplan/query/query_file.hpp"
#include "bnnplan/query/vnnlib.hpp"
#include "bnnplan/verify/answer_linear.hpp"
#include "fuzz_target.hpp"

namespace bnnplan::fuzz {

namespace {

// Two numbers and a bit, two neurons, two scores.
Network queried_network() {
  Network network;
  network.inputs = {"x", "y", "on"};
  network.numbers = {NumericInput{mpq_class(9, 2), 0, 10, 1},
                     NumericInput{mpq_class(5), -3, 6, mpq_class(3, 2)}, std::nullopt};
  network.outputs = {"low", "high"};
  network.layers = {{{{{1, 1, 1}, 2}, {{1, 0, -1}, 1}}}};
  network.scores = {{{1, -1}, 1, 0}, {{1, 1}, mpq_class(1, 3), mpq_class(1, 4)}};
  return network;
}

// The least value, 0 if nothing is minimised, over all inputs that the network allows; nothing if there is no
// input.
std::optional<mpq_class> least_value(const Network& network, const verification::LinearQuery& query) {
  std::optional<mpq_class> least;
  std::vector<mpq_class> values(3);
  for (values[0] = 0; values[0] <= 10; values[0] += 1) {
    for (values[1] = -3; values[1] <= 6; values[1] += mpq_class(3, 2)) {
      for (values[2] = 0; values[2] <= 1; values[2] += 1) {
        const std::vector<mpq_class> outputs = verification::output_values(network, values);
        if (!verification::holds(query.property, query.property.root(), values, outputs)) continue;
        const mpq_class value = query.minimize ? query.minimize->value(values, outputs) : mpq_class(0);
        if (!least || value < *least) least = value;
      }
    }
  }
  return least;
}

}  // namespace

void try_query(std::string_view input) {
  if (input.size() > 4000 || input.find("around") != input.npos) return;  // regions name files
  static const Network network = queried_network();
  const std::size_t start = input.find_first_not_of(" \t\r\n");
  verification::VerifyRequest request;
  request.limits.seconds = 5;
  if (start != input.npos && (input[start] == '(' || input[start] == ';')) {
    const verification::VnnLibQuery query = verification::parse_vnnlib(input, "f.vnnlib", network);
    const verification::LinearOutcome outcome =
        verification::answer_linear(network, query.query, request);  // checks what it finds
    require(outcome.status != Status::infeasible || !least_value(network, query.query),
            "an input that has the property is found");
    return;
  }
  const verification::QueryFile file = verification::parse_query_file(input, "f.toml", network);
  const verification::LinearOutcome outcome = verification::answer_linear(network, file.query, request);
  if (outcome.stopped != StopReason::none) return;
  const std::optional<mpq_class> least = least_value(network, file.query);
  require(outcome.values.empty() != least.has_value(), "a query decides whether there is an input");
  require(!outcome.value || *outcome.value == *least, "a query finds the least value");
}

}  // namespace bnnplan::fuzz
