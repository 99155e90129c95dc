#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engines/engine.hpp"
#include "formats/file_numbering.hpp"
#include "model/zero_one_model.hpp"

namespace bnnplan {

// What a solver was asked, as far as its answer can be judged by it.
struct AskedQuestion {
  const Problem& problem;
  const ModelLayout& layout;  // of the model that was written for it
  bool first = false;         // any plan will do: the model had no objective
  std::string solver;         // who claims what cannot be checked

  // The values of the model's objective that a plan of this cost may have been told to have, `value` among
  // them if it can be. Called only for an answer that has a value.
  std::function<std::vector<std::int64_t>(std::int64_t cost, std::int64_t value)> values_of_cost;

  // It is not known which file was solved, and it may have been a CNF, which has no costs: then a value of 0
  // that no plan of this cost has says nothing about them, and so does "optimal".
  bool perhaps_cnf = false;

  // Where the file had numbers of its own for the model's variables.
  const FileNumbering* numbering = nullptr;
};

// The answer as the outcome of an engine: a plan that was replayed, and what the solver claims beside it
// (Outcome::claimed_by). The engine's name, times and statistics are for the caller to add. Throws InputError
// at `place` for text that is no answer (solver_answer.hpp), for values that are no plan, for a solution that
// is claimed and not printed, and for an o line that does not fit the plan.
Outcome judge_answer(std::string_view text, std::string_view place, const AskedQuestion& question);

}  // namespace bnnplan
