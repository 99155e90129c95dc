// Which next-state bits a network defines, and whether these are the ones the user asked for.

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "bnnplan/base/input_error.hpp"
#include "bnnplan/rddl/compile/problem_compiler.hpp"

namespace bnnplan::rddl {

std::vector<bool> learned_bits(const VariableList& state, const std::optional<Network>& network) {
  std::vector<bool> learned(state.bit_count(), false);
  if (!network) return learned;
  const std::set<std::string> outputs(network->outputs.begin(), network->outputs.end());
  for (std::uint32_t bit = 0; bit < learned.size(); ++bit) {
    learned[bit] = outputs.contains(fmt::format("{}'", state.bit_name(bit)));
  }
  return learned;
}

void check_learned(const GroundModel& model, const VariableList& state, const Network& network,
                   const std::vector<std::string>& names, const NetworkNameLines* lines) {
  const std::vector<bool> learned = learned_bits(state, network);
  const auto refuse = [&](std::string_view bit, const std::string& message) {
    if (lines == nullptr) throw InputError(message);
    const auto output = std::find(network.outputs.begin(), network.outputs.end(), fmt::format("{}'", bit));
    if (output == network.outputs.end()) throw InputError(lines->file, message);
    const auto number = static_cast<std::size_t>(output - network.outputs.begin());
    throw InputError(lines->file, lines->outputs[number], message);
  };
  std::vector<bool> used(names.size(), false);
  for (std::uint32_t i = 0; i < model.state.size(); ++i) {
    bool wanted = false;
    for (std::size_t k = 0; k < used.size(); ++k) {
      if (names[k] != model.state[i].fluent && names[k] != model.state[i].name) continue;
      wanted = used[k] = true;
    }
    for (std::uint32_t bit = state.first_bit[i]; bit < state.first_bit[i + 1]; ++bit) {
      if (learned[bit] == wanted) continue;
      refuse(state.bit_name(bit),
             fmt::format("'{}' is {}to be learned, but '{}'' is {} output of the network",
                         printable(model.state[i].name), wanted ? "" : "not ", printable(state.bit_name(bit)),
                         wanted ? "not an" : "an"));
    }
  }
  std::vector<std::string> fluents;
  for (const GroundVariable& variable : model.state) fluents.push_back(variable.fluent);
  for (std::size_t k = 0; k < used.size(); ++k) {
    if (used[k]) continue;
    throw InputError(fmt::format("'{}' is to be learned, but is not a state-fluent{}", printable(names[k]),
                                 did_you_mean(names[k], fluents)));
  }
}

}  // namespace bnnplan::rddl
