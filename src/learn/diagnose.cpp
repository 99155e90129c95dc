// Describes the errors of a network so that they can be acted upon.
//
// The inputs on which an output fails are described by a conjunction of at most three inputs, found greedily
// by the product of
//
//   precision = wrong there / samples there       recall = wrong there / all wrong
//
// which is 1 if the output always fails there, and nowhere else.
#include "bnnplan/learn/diagnose.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>

#include <fmt/format.h>

#include "bnnplan/base/count_text.hpp"
#include "bnnplan/base/input_error.hpp"
#include "bnnplan/learn/evaluate.hpp"

namespace bnnplan::learning {

namespace {

constexpr std::size_t most_conditions = 3;
constexpr double enough_better = 1.05;  // the factor by which another condition has to improve the product

bool bit_of(const std::uint64_t* words, std::size_t bit) {
  return ((words[bit / 64] >> (bit % 64)) & 1u) != 0;
}

void mark_out(OutputFault& fault, const DataSet& data, const SampleSet& part,
              const std::vector<bool>& wrong) {
  std::vector<std::size_t> places;  // indices into part.rows where all conditions so far hold
  for (std::size_t i = 0; i < part.rows.size(); ++i) places.push_back(i);
  double best = static_cast<double>(fault.wrong) / static_cast<double>(part.samples);
  fault.wrong_there = fault.wrong;
  fault.samples_there = part.samples;
  while (fault.where.size() < most_conditions) {
    std::size_t input = data.input_names.size();
    bool value = false;
    double better = best * enough_better;
    for (std::size_t i = 0; i < data.input_names.size(); ++i) {
      std::uint64_t samples[2] = {}, wrongs[2] = {};
      for (const std::size_t place : places) {
        const bool bit = bit_of(data.input(part.rows[place]), i);
        samples[bit] += part.counts[place];
        wrongs[bit] += wrong[place] ? part.counts[place] : 0;
      }
      for (const bool bit : {false, true}) {
        if (wrongs[bit] == 0) continue;
        const double w = static_cast<double>(wrongs[bit]);
        const double product = w / static_cast<double>(samples[bit]) * w / static_cast<double>(fault.wrong);
        if (product > better) {
          better = product;
          input = i;
          value = bit;
          fault.wrong_there = wrongs[bit];
          fault.samples_there = samples[bit];
        }
      }
    }
    if (input == data.input_names.size()) return;
    best = better;
    fault.where.push_back(fmt::format("{} = {}", data.input_names[input], value ? 1 : 0));
    std::erase_if(places,
                  [&](std::size_t place) { return bit_of(data.input(part.rows[place]), input) != value; });
  }
}

}  // namespace

Diagnosis diagnose(const Network& network, const DataSet& data, const SampleSet& part) {
  const std::size_t words = data.input_words(), outputs = data.output_names.size();
  Diagnosis result;
  result.samples = part.samples;
  // [output][index into part.rows], only for outputs that are ever wrong.
  std::vector<std::vector<bool>> wrong(outputs);
  std::vector<std::size_t> wrong_places;
  std::vector<std::uint64_t> sums(outputs);
  for_each_answer(network, data, part, [&](std::size_t i, const std::uint64_t* answer) {
    const std::uint64_t* truth = data.output(part.rows[i]);
    bool any = false;
    for (std::size_t output = 0; output < outputs; ++output) {
      if (bit_of(answer, output) == bit_of(truth, output)) continue;
      if (wrong[output].empty()) wrong[output].assign(part.rows.size(), false);
      wrong[output][i] = any = true;
      sums[output] += part.counts[i];
    }
    if (!any) return;
    result.wrong += part.counts[i];
    wrong_places.push_back(i);
  });
  if (result.wrong == 0) return result;
  std::unordered_map<std::string, std::uint32_t> rows_with;
  const auto key = [&](std::size_t row) {
    return std::string(reinterpret_cast<const char*>(data.input(row)), words * sizeof(std::uint64_t));
  };
  for (std::size_t row = 0; row < data.distinct_rows(); ++row) ++rows_with[key(row)];
  for (const std::size_t i : wrong_places) {
    if (rows_with[key(part.rows[i])] > 1) result.contradictory += part.counts[i];
  }
  for (std::size_t output = 0; output < outputs; ++output) {
    if (sums[output] == 0) continue;
    OutputFault fault;
    fault.output = data.output_names[output];
    fault.wrong = sums[output];
    mark_out(fault, data, part, wrong[output]);
    result.outputs.push_back(std::move(fault));
  }
  std::stable_sort(result.outputs.begin(), result.outputs.end(),
                   [](const OutputFault& a, const OutputFault& b) { return a.wrong > b.wrong; });
  return result;
}

std::string diagnosis_text(const Diagnosis& diagnosis, const std::string& part, std::size_t most) {
  if (diagnosis.wrong == 0) return "";
  std::string text = fmt::format("wrong on {} of {}, by output:\n", diagnosis.wrong,
                                 count_text(diagnosis.samples, part + " transition"));
  for (std::size_t i = 0; i < std::min(most, diagnosis.outputs.size()); ++i) {
    const OutputFault& fault = diagnosis.outputs[i];
    text += fmt::format("  {}: {}", printable(fault.output), fault.wrong);
    if (!fault.where.empty()) {
      std::string where;
      for (const std::string& condition : fault.where)
        where += fmt::format("{}{}", where.empty() ? "" : " and ", printable(condition));
      text += fmt::format("; {} of them where {} (wrong there: {} of {})", fault.wrong_there, where,
                          fault.wrong_there, fault.samples_there);
    }
    text += "\n";
  }
  if (diagnosis.outputs.size() > most)
    text += fmt::format("  and {}\n", count_text(diagnosis.outputs.size() - most, "other output"));
  if (diagnosis.contradictory > 0) {
    text += fmt::format(
        "  {} of the {} wrong ones contradict other lines with the same inputs: no network can learn both\n",
        diagnosis.contradictory, diagnosis.wrong);
  }
  return text;
}

}  // namespace bnnplan::learning
