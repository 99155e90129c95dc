#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "bnnplan/engines/engine.hpp"
#include "bnnplan/formats/file_numbering.hpp"
#include "bnnplan/model/zero_one_model.hpp"

namespace bnnplan::engines {

// The question put to a solver, as far as needed to judge its answer.
struct AskedQuestion {
  const Problem& problem;
  const model::ModelLayout& layout;  // of the model that was written
  bool first = false;                // any plan will do: the model had no objective
  std::string solver;                // named as the source of claims that cannot be checked

  // The objective values that the solver may have reported for a plan of this cost, including `value` if it
  // is possible. Called only for an answer that has a value.
  std::function<std::vector<std::int64_t>(std::int64_t cost, std::int64_t value)> values_of_cost;

  // It is not known which file was solved, and it may have been a CNF, which has no costs: then a value of 0
  // that no plan of this cost has says nothing about costs, and neither does "optimal".
  bool perhaps_cnf = false;

  // If the file numbers the model's variables differently.
  const formats::FileNumbering* numbering = nullptr;
};

// The answer as an engine's outcome: a replayed plan, and what else the solver claims (Outcome::claimed_by).
// The caller adds the engine's name, times and statistics. Throws InputError at `place` for text that is not
// an answer (solver_answer.hpp), for values that are not a plan, for a solution that is claimed but not
// printed, and for an o line that does not match the plan.
Outcome judge_answer(std::string_view text, std::string_view place, const AskedQuestion& question);

}  // namespace bnnplan::engines
