// Finds the inputs that an output depends on. In a planning domain an output depends on few inputs, and a
// rule restricted to those makes fewer errors on unseen inputs.
//
// Certain: if two facts differ in only one input and in the output, no function of the other inputs explains
// both. One hash look-up per fact and input finds all such pairs, for all outputs at once.
//
// Telling (a reduct, Pawlak, Rough sets, 1991): start with the certain inputs and add the input that leaves
// the fewest pairs of facts that look the same but have different outputs, until none is left; then remove
// inputs that the others have made superfluous, starting with the latest. Greedy: finding the smallest set is
// NP-hard. Cost: facts * inputs per input added.
#include "bnnplan/learn/relevant_inputs.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>

namespace bnnplan::learning {

namespace {

constexpr std::size_t most_flipped_facts = 1 << 16;

// Partitions the facts into classes that agree on the chosen inputs.
class Classes {
 public:
  Classes(const FactTable& table, std::size_t output)
      : table_(table), target_(table.outputs[output]), class_(table.facts) {}

  // Splits every class by this input.
  void split(std::size_t input) {
    std::vector<std::uint32_t> number(2 * classes_, none);
    std::uint32_t next = 0;
    for (std::size_t fact = 0; fact < table_.facts; ++fact) {
      std::uint32_t& to = number[2 * class_[fact] + (table_.input(input, fact) ? 1 : 0)];
      if (to == none) to = next++;
      class_[fact] = to;
    }
    classes_ = next;
  }

  // The number of pairs of facts in one class with different outputs, after a split by this input.
  std::uint64_t conflicts_after(std::size_t input) {
    counts_.assign(4 * classes_, 0);
    for (std::size_t fact = 0; fact < table_.facts; ++fact)
      ++counts_[4 * class_[fact] + (table_.input(input, fact) ? 2u : 0u) + (value(fact) ? 1u : 0u)];
    return pairs();
  }

  std::uint64_t conflicts() {
    counts_.assign(4 * classes_, 0);
    for (std::size_t fact = 0; fact < table_.facts; ++fact)
      ++counts_[4 * class_[fact] + (value(fact) ? 1u : 0u)];
    return pairs();
  }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  bool value(std::size_t fact) const { return ((target_[fact / 64] >> (fact % 64)) & 1u) != 0; }

  std::uint64_t pairs() const {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < counts_.size(); i += 2) sum += std::uint64_t{counts_[i]} * counts_[i + 1];
    return sum;
  }

  const FactTable& table_;
  const std::vector<std::uint64_t>& target_;
  std::vector<std::uint32_t> class_;
  std::size_t classes_ = 1;
  std::vector<std::uint32_t> counts_;
};

}  // namespace

std::vector<std::vector<std::uint32_t>> certain_inputs(const DataSet& data, const FactTable& table) {
  const std::size_t words = data.input_words(), outputs = data.output_names.size();
  const auto key = [&](const std::uint64_t* bits) {
    return std::string(reinterpret_cast<const char*>(bits), words * sizeof(std::uint64_t));
  };
  std::unordered_map<std::string, std::uint32_t> facts;
  const std::size_t looked_at = std::min(table.facts, most_flipped_facts);
  for (std::size_t fact = 0; fact < table.facts; ++fact)
    facts.emplace(key(data.input(table.rows[fact])), static_cast<std::uint32_t>(fact));
  std::vector<std::vector<std::uint32_t>> result(outputs);
  std::vector<std::uint64_t> bits(words);
  for (std::uint32_t input = 0; input < data.input_names.size(); ++input) {
    std::vector<bool> matters(outputs, false);
    for (std::size_t fact = 0; fact < looked_at; ++fact) {
      std::copy_n(data.input(table.rows[fact]), words, bits.begin());
      bits[input / 64] ^= std::uint64_t{1} << (input % 64);
      const auto other = facts.find(key(bits.data()));
      if (other == facts.end() || other->second < fact) continue;
      for (std::size_t output = 0; output < outputs; ++output) {
        const auto& column = table.outputs[output];
        const auto value = [&](std::size_t f) { return (column[f / 64] >> (f % 64)) & 1u; };
        if (value(fact) != value(other->second)) matters[output] = true;
      }
    }
    for (std::size_t output = 0; output < outputs; ++output) {
      if (matters[output]) result[output].push_back(input);
    }
  }
  return result;
}

std::vector<std::uint32_t> telling_inputs(const FactTable& table, std::size_t output,
                                          const std::vector<std::uint32_t>& certain,
                                          std::size_t first_exception) {
  Classes classes(table, output);
  std::vector<std::uint32_t> chosen = certain;
  for (const std::uint32_t input : certain) classes.split(input);
  std::uint64_t conflicts = classes.conflicts();
  while (conflicts > 0) {
    std::uint32_t best = 0;
    std::uint64_t fewest = ~std::uint64_t{0};
    for (std::uint32_t input = 0; input < table.inputs.size(); ++input) {
      if (input >= first_exception && fewest < conflicts) break;
      if (std::find(chosen.begin(), chosen.end(), input) != chosen.end()) continue;
      const std::uint64_t left = classes.conflicts_after(input);
      if (left < fewest) {
        fewest = left;
        best = input;
      }
    }
    chosen.push_back(best);
    classes.split(best);
    conflicts = fewest;
  }
  for (std::size_t i = chosen.size(); i-- > certain.size();) {
    Classes without(table, output);
    for (std::size_t j = 0; j < chosen.size(); ++j) {
      if (j != i) without.split(chosen[j]);
    }
    if (without.conflicts() == 0) chosen.erase(chosen.begin() + static_cast<std::ptrdiff_t>(i));
  }
  // An exception is identified by what it is, or by what everything else is: the covering decides.
  if (std::any_of(chosen.begin(), chosen.end(),
                  [&](std::uint32_t input) { return input >= first_exception; })) {
    std::erase_if(chosen, [&](std::uint32_t input) { return input >= first_exception; });
    for (auto input = static_cast<std::uint32_t>(first_exception); input < table.inputs.size(); ++input)
      chosen.push_back(input);
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

}  // namespace bnnplan::learning
