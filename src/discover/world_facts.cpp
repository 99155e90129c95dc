// The memory of a discovery: every question is asked once. As a data set it has the columns of the network.
#include "bnnplan/discover/world_facts.hpp"

#include <utility>

#include "bnnplan/base/csv_line.hpp"

namespace bnnplan::discovery {

WorldFacts::WorldFacts(const Problem& problem)
    : input_names_(problem.network->inputs),
      output_names_(problem.network->outputs),
      inputs_(problem.network_inputs),
      outputs_(problem.network_outputs) {}

std::string WorldFacts::key(const BitValues& state, const BitValues& action) const {
  std::string text;
  for (const Bit bit : inputs_)
    text += static_cast<char>(bit.place == Place::action ? action[bit.index] : state[bit.index]);
  return text;
}

std::size_t WorldFacts::find(const BitValues& state, const BitValues& action) const {
  const auto found = index_.find(key(state, action));
  return found == index_.end() ? none : found->second;
}

std::size_t WorldFacts::add(BitValues state, BitValues action, BitValues next) {
  index_.emplace(key(state, action), facts_.size());
  facts_.push_back({std::move(state), std::move(action), std::move(next)});
  return facts_.size() - 1;
}

learning::DataSet WorldFacts::data() const {
  learning::DataSet data;
  data.name = "the world";
  data.input_names = input_names_;
  data.output_names = output_names_;
  const std::size_t in = data.input_words(), out = data.output_words();
  for (const Fact& fact : facts_) {
    const std::size_t first_input = data.inputs.size(), first_output = data.outputs.size();
    data.inputs.resize(first_input + in);
    data.outputs.resize(first_output + out);
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      const Bit bit = inputs_[i];
      const BitValue value = bit.place == Place::action ? fact.action[bit.index] : fact.state[bit.index];
      if (value == 1) data.inputs[first_input + i / 64] |= std::uint64_t{1} << (i % 64);
    }
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
      if (fact.next[outputs_[i]] == 1) data.outputs[first_output + i / 64] |= std::uint64_t{1} << (i % 64);
    }
    data.sample_row.push_back(static_cast<std::uint32_t>(data.sample_row.size()));
  }
  return data;
}

std::string data_text(const learning::DataSet& data) {
  std::string text;
  for (const auto* names : {&data.input_names, &data.output_names}) {
    for (const std::string& name : *names) text += (text.empty() ? "" : ",") + csv_field(name);
  }
  text += '\n';
  for (const std::uint32_t row : data.sample_row) {
    std::string line;
    const auto add = [&](const std::uint64_t* words, std::size_t bits) {
      for (std::size_t i = 0; i < bits; ++i) {
        if (!line.empty()) line += ',';
        line += ((words[i / 64] >> (i % 64)) & 1u) != 0 ? '1' : '0';
      }
    };
    add(data.input(row), data.input_names.size());
    add(data.output(row), data.output_names.size());
    text += line + '\n';
  }
  return text;
}

}  // namespace bnnplan::discovery
