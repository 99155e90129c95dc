#pragma once

// Problems for solvers of others, and their answers.
//
//   bnnplan::EncodeOptions options;
//   options.format = "opb";
//   bnnplan::encode(problem, options, "corridor.opb");
//   ... clasp corridor.opb > answer.txt ...
//   bnnplan::Outcome outcome = bnnplan::outcome_of_answer(problem, text, "answer.txt");

#include <atomic>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <bnnplan/plan.hpp>

#include "bnnplan/base/option.hpp"
#include "bnnplan/formats/model_format.hpp"
#include "bnnplan/model/zero_one_model.hpp"

namespace bnnplan {

using formats::find_model_format, formats::model_formats, formats::ModelFormat, formats::objective_offset;
using model::add_cost_bound, model::ModelLayout, model::Part, model::variable_name, model::ZeroOneModel;

struct EncodeOptions {
  std::string format = "wcnf";                   // a name of model_formats()
  std::string neurons = "auto";                  // how neurons become clauses, a name of neuron_encodings()
  std::optional<std::string> cost_at_most;       // only plans of at most this cost, a decimal number
  std::optional<bool> simplify;                  // first; if not said, for formats of clauses only
  const std::atomic<bool>* interrupt = nullptr;  // once it is set, LimitReached is thrown and nothing written
};
std::vector<Option> options_of(EncodeOptions& options);

// Writes the file, or standard output for "-", compressed if its name ends in .gz. Requires problem.horizon >
// 0. Throws InputError, also where the machine has no room for the model.
void encode(const Problem& problem, const EncodeOptions& options, const std::filesystem::path& file);

// The two halves of it: the problem over its horizon as one 0-1 model, and a model as a file.
ZeroOneModel model_of(const Problem& problem, const EncodeOptions& options);
void write_model(ZeroOneModel model, const EncodeOptions& options, const std::filesystem::path& file);

// Turns what a solver printed, or its solution file, back into a plan and replays it. The status is what the
// solver claims (Outcome::claimed_by), the plan and its cost are checked. `name` stands for the text in
// errors: InputError for text that is not an answer, for values that are not a plan, and for a cost that does
// not fit the plan.
struct DecodeOptions {
  std::filesystem::path map;  // beside a file that is numbered without gaps (SuiteOptions::gap_free)
};
std::vector<Option> options_of(DecodeOptions& options);
Outcome outcome_of_answer(const Problem& problem, std::string_view answer, std::string_view name,
                          const DecodeOptions& options = {});

}  // namespace bnnplan
