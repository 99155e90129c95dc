// The header of every written file, with its objective: cost = (value + offset) / scale.
#include "bnnplan/formats/objective_comment.hpp"

#include <fmt/format.h>

#include "bnnplan/base/checked.hpp"
#include "bnnplan/base/input_error.hpp"

namespace bnnplan::formats {

std::string header_comment(const model::ZeroOneModel& model, std::int64_t offset, std::string_view prefix) {
  std::string text = fmt::format("{}bnnplan: {}, horizon {}\n", prefix,
                                 model.problem_name.empty() ? "problem" : printable(model.problem_name),
                                 model.layout.horizon);
  text += fmt::format("{}cost = (value + offset) / scale with offset {} and scale {}\n", prefix, offset,
                      checked_power_of_ten(model.decimals));
  text += fmt::format("{}variables 1 to {} are those of the problem and its neurons, step by step\n", prefix,
                      model.layout.variable_count());
  return text;
}

}  // namespace bnnplan::formats
