#include "support/formula_families.hpp"

#include <fmt/format.h>

namespace bnnplan::testing {

namespace {

std::int64_t weight(Random& random, std::int64_t heaviest) { return 1 + below(random, heaviest); }

Lit random_literal(Random& random, std::uint32_t variables) {
  return Lit{static_cast<std::uint32_t>(below(random, 2 * static_cast<std::int64_t>(variables)))};
}

// Different vertices.
std::pair<Var, Var> random_edge(Random& random, std::uint32_t vertices) {
  const auto a = static_cast<std::uint32_t>(below(random, vertices));
  const auto b = static_cast<std::uint32_t>(below(random, vertices - 1));
  return {Var{a}, Var{b < a ? b : b + 1}};
}

std::vector<Lit> new_variables(formats::Wcnf& formula, std::uint32_t count) {
  std::vector<Lit> variables;
  for (std::uint32_t i = 0; i < count; ++i) variables.push_back(formula.new_variable());
  return variables;
}

// out <-> a majority of x, y, z
Lit add_majority(formats::Wcnf& formula, Lit x, Lit y, Lit z) {
  const Lit out = formula.new_variable();
  for (const auto& [a, b] : {std::pair{x, y}, {x, z}, {y, z}}) {
    formula.add_hard({~a, ~b, out});
    formula.add_hard({a, b, ~out});
  }
  return out;
}

}  // namespace

formats::Wcnf wild_formula(Random& random, std::uint32_t variables, std::int64_t heaviest) {
  formats::Wcnf formula;
  formula.variables = variables;
  const auto clause = [&](std::int64_t longest) {
    std::vector<Lit> literals;
    const std::int64_t length = below(random, longest + 1);
    for (std::int64_t i = 0; i < length; ++i) literals.push_back(random_literal(random, variables));
    return literals;
  };
  const std::int64_t hard = below(random, 3 * variables), soft = below(random, 3 * variables);
  for (std::int64_t i = 0; i < hard; ++i) {
    auto literals = clause(4);
    // An empty hard clause only now and then: all the rest of the formula would be for nothing.
    if (literals.empty() && variables > 0 && below(random, 20) > 0)
      literals = {random_literal(random, variables)};
    formula.add_hard(literals);
  }
  for (std::int64_t i = 0; i < soft; ++i) {
    formula.add_soft(clause(below(random, 2) == 0 ? 1 : 3),
                     below(random, 10) == 0 ? 0 : weight(random, heaviest));
    if (below(random, 10) == 0) {
      const auto again = formula.soft[formula.soft.size() - 1];
      formula.add_soft(std::vector(again.rbegin(), again.rend()), weight(random, heaviest));
    }
  }
  return formula;
}

formats::Wcnf random_three_sat(Random& random, std::uint32_t variables, double ratio, std::int64_t heaviest) {
  formats::Wcnf formula;
  formula.variables = variables;
  for (int i = 0; i < static_cast<int>(ratio * variables); ++i) {
    formula.add_hard({random_literal(random, variables), random_literal(random, variables),
                      random_literal(random, variables)});
  }
  for (std::uint32_t v = 0; v < variables; ++v)
    formula.add_soft({Lit::negative({v})}, weight(random, heaviest));
  return formula;
}

formats::Wcnf max_two_sat(Random& random, std::uint32_t variables, std::uint32_t clauses,
                          std::int64_t heaviest) {
  formats::Wcnf formula;
  for (std::uint32_t i = 0; i < clauses; ++i) {
    formula.add_soft({random_literal(random, variables), random_literal(random, variables)},
                     weight(random, heaviest));
  }
  return formula;
}

formats::Wcnf vertex_cover(Random& random, std::uint32_t vertices, std::uint32_t edges,
                           std::int64_t heaviest) {
  formats::Wcnf formula;
  for (std::uint32_t i = 0; i < edges; ++i) {
    const auto [a, b] = random_edge(random, vertices);
    formula.add_hard({Lit::positive(a), Lit::positive(b)});
  }
  for (std::uint32_t v = 0; v < vertices; ++v)
    formula.add_soft({Lit::negative({v})}, weight(random, heaviest));
  return formula;
}

formats::Wcnf max_cut(Random& random, std::uint32_t vertices, std::uint32_t edges, std::int64_t heaviest) {
  formats::Wcnf formula;
  for (std::uint32_t i = 0; i < edges; ++i) {
    const auto [a, b] = random_edge(random, vertices);
    const std::int64_t length = weight(random, heaviest);
    formula.add_soft({Lit::positive(a), Lit::positive(b)}, length);
    formula.add_soft({Lit::negative(a), Lit::negative(b)}, length);
  }
  return formula;
}

formats::Wcnf set_cover(Random& random, std::uint32_t elements, std::uint32_t sets, std::int64_t heaviest) {
  formats::Wcnf formula;
  for (std::uint32_t i = 0; i < elements; ++i) {
    std::vector<Lit> clause;
    for (int k = 0; k < 5; ++k)
      clause.push_back(Lit::positive({static_cast<std::uint32_t>(below(random, sets))}));
    formula.add_hard(clause);
  }
  for (std::uint32_t s = 0; s < sets; ++s) formula.add_soft({Lit::negative({s})}, weight(random, heaviest));
  return formula;
}

formats::Wcnf scheduling(Random& random, std::uint32_t jobs, std::uint32_t slots, std::uint32_t conflicts,
                         std::int64_t heaviest) {
  formats::Wcnf formula;
  std::vector<std::vector<Lit>> runs;
  for (std::uint32_t j = 0; j < jobs; ++j) {
    runs.push_back(new_variables(formula, slots));
    formula.add_hard(runs.back());
  }
  for (std::uint32_t i = 0; i < conflicts; ++i) {
    const auto [a, b] = random_edge(random, jobs);
    for (std::uint32_t s = 0; s < slots; ++s) formula.add_hard({~runs[a.index][s], ~runs[b.index][s]});
  }
  for (const Lit used : new_variables(formula, slots))
    formula.add_soft({~used}, 4 * weight(random, heaviest));
  for (std::uint32_t s = 0; s < slots; ++s) {
    const Lit used = ~formula.soft[s].front();
    for (std::uint32_t j = 0; j < jobs; ++j) {
      formula.add_hard({~runs[j][s], used});
      if (s > 0) formula.add_soft({~runs[j][s]}, weight(random, heaviest) + s);
    }
  }
  return formula;
}

formats::Wcnf unrolled_circuit(Random& random, std::uint32_t bits, std::uint32_t steps,
                               std::int64_t heaviest) {
  formats::Wcnf formula;
  constexpr std::uint32_t actions = 4, layers = 2;
  // One circuit for all steps: sources and signs of the three inputs of every gate.
  std::vector<std::uint32_t> wires;
  const std::uint32_t gates = bits * layers * 3;
  for (std::uint32_t i = 0; i < gates; ++i) wires.push_back(static_cast<std::uint32_t>(random() >> 33));
  std::vector<std::int64_t> prices;
  for (std::uint32_t a = 0; a < actions; ++a) prices.push_back(weight(random, heaviest));

  std::vector<Lit> state = new_variables(formula, bits);
  for (const Lit bit : state) formula.add_hard({below(random, 2) == 0 ? bit : ~bit});
  for (std::uint32_t t = 0; t < steps; ++t) {
    const std::vector<Lit> action = new_variables(formula, actions);
    for (std::uint32_t a = 0; a < actions; ++a) formula.add_soft({~action[a]}, prices[a]);
    std::size_t wire = 0;
    std::vector<Lit> layer = state;
    for (std::uint32_t l = 0; l < layers; ++l) {
      std::vector<Lit> sources = layer;
      sources.insert(sources.end(), action.begin(), action.end());
      for (Lit& out : layer) {
        std::array<Lit, 3> in;
        for (Lit& lit : in) {
          const std::uint32_t drawn = wires[wire++];
          lit = sources[(drawn >> 1) % sources.size()];
          if (drawn % 2 == 1) lit = ~lit;
        }
        out = add_majority(formula, in[0], in[1], in[2]);
      }
    }
    state = layer;
  }
  for (std::uint32_t b = 0; b < bits / 3; ++b) formula.add_hard({state[b]});
  return formula;
}

std::string wcnf_text(const formats::Wcnf& formula, WcnfFormat format) {
  std::string text = "c made by a test\n";
  const bool modern = format == WcnfFormat::modern;
  const formats::Weight top = modern ? 0 : formula.weight_sum + 1;
  if (!modern) {
    text += fmt::format("p wcnf {} {}", formula.variables, formula.hard.size() + formula.soft.size());
    text += format == WcnfFormat::classic ? fmt::format(" {}\n", top) : "\n";
  }
  const auto append = [&](std::string_view weight, std::span<const Lit> clause) {
    text += weight;
    for (const Lit lit : clause) {
      fmt::format_to(std::back_inserter(text), " {}{}", lit.negated() ? "-" : "", lit.var().index + 1);
    }
    text += " 0\n";
  };
  for (std::size_t i = 0; i < formula.hard.size(); ++i)
    append(modern ? "h" : fmt::format("{}", top), formula.hard[i]);
  for (std::size_t i = 0; i < formula.soft.size(); ++i)
    append(fmt::format("{}", formula.weights[i]), formula.soft[i]);
  return text;
}

}  // namespace bnnplan::testing
