// Guessing by structure. Covering the facts bit by bit (learn/cover.hpp) learns nothing about a cell in which
// the robot never was, nor about a number that never occurred. People do: moving right adds one to x, here as
// there. So, in addition to the network:
//
//   - Variables that differ only in their objects (robot-at[x1| y2], robot-at[x3| y1], ...) are one family
//     and share rules, in which other variables appear by the position of their objects relative to the
//     variable's own: robot-at one to the left of it. Objects are numbered in the order of the problem; names
//     that end in a number (l1, l2, ...) are treated as having one object as well.
//   - Integers are described by their values and by comparisons with each other, and change by an amount
//     (x + 1) or to a value (x = 0), whichever explains more of what was seen.
//   - Variables to which no rule applies stay as they are.
//   - Exceptions (a wall) are tied to the one variable for which they were seen, and so are used only if
//     nothing else explains them.
//
// The rules are the covering of the examples of all members of a family, so they are right on everything seen
// (except for the rarest changes, if a family has more than twelve kinds of them). What follows for pairs
// that were never asked is a guess, which the caller has to verify by asking. Cost: facts * members examples
// for each family.
#include "bnnplan/discover/analogy.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "bnnplan/learn/cover.hpp"
#include "bnnplan/learn/data_set.hpp"

namespace bnnplan::discovery {

namespace {

// Integers of up to this many bits are described by their values, others by their bits.
constexpr int most_listed_bits = 4;
constexpr std::size_t most_compared = 8;        // integers that are compared with each other
constexpr std::size_t most_examples = 200'000;  // of a family: the latest facts
constexpr std::size_t most_changes = 12;        // of a family

struct Name {
  std::string stem;
  std::vector<std::string> objects;
};

Name parts_of(const std::string& name) {
  const std::size_t open = name.find('[');
  if (open != name.npos && name.back() == ']') {
    Name result{name.substr(0, open), {}};
    std::string inner = name.substr(open + 1, name.size() - open - 2);
    for (std::size_t bar = inner.find('|'); bar != inner.npos; bar = inner.find('|')) {
      result.objects.push_back(inner.substr(0, bar));
      inner.erase(0, bar + 1);
      if (!inner.empty() && inner.front() == ' ') inner.erase(0, 1);
    }
    result.objects.push_back(inner);
    return result;
  }
  std::size_t digits = name.size();
  while (digits > 0 && std::isdigit(static_cast<unsigned char>(name[digits - 1])) != 0) --digits;
  if (digits == name.size() || digits == 0) return {name, {}};
  return {name.substr(0, digits), {name.substr(digits)}};
}

void set_bit(std::vector<std::uint64_t>& words, std::size_t i) {
  words[i / 64] |= std::uint64_t{1} << (i % 64);
}

}  // namespace

Analogy::Analogy(const Problem& problem) {
  add_places(problem.action, true);
  add_places(problem.state, false);
  const std::set<std::uint32_t> learned(problem.network_outputs.begin(), problem.network_outputs.end());
  std::map<std::tuple<std::string, int, std::vector<std::uint32_t>>, std::size_t> number;
  for (std::uint32_t i = 0; i < places_.size(); ++i) {
    const Place& place = places_[i];
    if (place.action || learned.count(place.first_bit) == 0) continue;
    const auto [at, added] =
        number.emplace(std::tuple(place.stem, place.bits, place.kinds), families_.size());
    if (added) families_.emplace_back();
    families_[at->second].members.push_back(i);
  }
  for (Family& family : families_) make_features(family);
}

void Analogy::add_places(const VariableList& list, bool action) {
  // Objects are of one kind if they occur in the same parameter, or if their parameters share an object name.
  for (std::size_t i = 0; i < list.variables.size(); ++i) {
    const Variable& variable = list.variables[i];
    Name name = parts_of(variable.name);
    Place place;
    place.action = action;
    place.first_bit = list.first_bit[i];
    place.bits = variable.bits;
    place.boolean = variable.boolean;
    place.twos_complement = variable.twos_complement;
    place.stem = name.stem;
    const auto alike = std::find_if(places_.begin(), places_.end(), [&](const Place& other) {
      return other.stem == name.stem && other.action == action && other.objects.size() == name.objects.size();
    });
    for (std::size_t p = 0; p < name.objects.size(); ++p) {
      std::uint32_t kind = 0;
      if (alike != places_.end()) {
        kind = alike->kinds[p];
      } else {
        while (kind < object_names_.size() &&
               std::find(object_names_[kind].begin(), object_names_[kind].end(), name.objects[p]) ==
                   object_names_[kind].end())
          ++kind;
        if (kind == object_names_.size()) object_names_.emplace_back();
      }
      std::vector<std::string>& names = object_names_[kind];
      auto object = std::find(names.begin(), names.end(), name.objects[p]);
      if (object == names.end()) object = names.insert(names.end(), name.objects[p]);
      place.kinds.push_back(kind);
      place.objects.push_back(static_cast<std::uint32_t>(object - names.begin()));
    }
    places_.push_back(std::move(place));
  }
}

void Analogy::make_features(Family& family) const {
  std::map<std::string, std::size_t> number;
  family.features.resize(family.members.size());
  const auto add = [&](std::size_t member, const std::string& name, const Feature& feature) {
    const auto [at, added] = number.emplace(name, family.names.size());
    if (added) family.names.push_back(name);
    std::vector<Feature>& features = family.features[member];
    if (features.size() <= at->second) features.resize(at->second + 1);
    features[at->second] = feature;
  };
  std::vector<std::uint32_t> integers;
  for (std::uint32_t i = 0; i < places_.size(); ++i) {
    if (!places_[i].boolean && !places_[i].action && places_[i].objects.empty()) integers.push_back(i);
  }
  for (std::size_t m = 0; m < family.members.size(); ++m) {
    const Place& own = places_[family.members[m]];
    // Actions come first in places_: of two equally informative features, one about the action is preferred
    // to one about the state.
    for (std::uint32_t i = 0; i < places_.size(); ++i) {
      const Place& place = places_[i];
      std::string name = fmt::format("{}{}", place.action ? "do " : "", place.stem);
      for (std::size_t p = 0; p < place.objects.size(); ++p) {
        const auto same = p < own.kinds.size() && own.kinds[p] == place.kinds[p]
                              ? own.kinds.begin() + static_cast<std::ptrdiff_t>(p)
                              : std::find(own.kinds.begin(), own.kinds.end(), place.kinds[p]);
        if (same == own.kinds.end()) {
          name += fmt::format(" {}", object_names_[place.kinds[p]][place.objects[p]]);
        } else {
          const auto mine = own.objects[static_cast<std::size_t>(same - own.kinds.begin())];
          name += fmt::format(" {:+}",
                              static_cast<std::int64_t>(place.objects[p]) - static_cast<std::int64_t>(mine));
        }
      }
      if (place.boolean) {
        add(m, name, {i, 0, 1, Feature::Kind::equals});
      } else if (place.bits <= most_listed_bits) {
        const std::int64_t least = place.twos_complement ? -(std::int64_t{1} << (place.bits - 1)) : 0;
        for (std::int64_t v = least; v < least + (std::int64_t{1} << place.bits); ++v)
          add(m, fmt::format("{} = {}", name, v), {i, 0, v, Feature::Kind::equals});
      } else {
        for (int bit = 0; bit < place.bits; ++bit)
          add(m, fmt::format("{} bit {}", name, bit), {i, 0, bit, Feature::Kind::bit});
      }
    }
    for (const std::uint32_t a : integers) {
      for (const std::uint32_t b : integers) {
        if (a >= b || integers.size() > most_compared || places_[a].bits != places_[b].bits) continue;
        const auto compare = [&](const char* how, Feature::Kind kind) {
          add(m, fmt::format("{} {} {}", places_[a].stem, how, places_[b].stem), {a, b, 0, kind});
        };
        compare("=", Feature::Kind::same);
        compare("<", Feature::Kind::less);
        compare("= 1 +", Feature::Kind::one_more);
        compare("= -1 +", Feature::Kind::one_less);
      }
    }
  }
  family.first_exception = family.names.size();
  for (std::size_t m = 0; m < family.members.size() && family.members.size() > 1; ++m)
    add(m, fmt::format("it is number {}", m), {0, 0, 0, Feature::Kind::itself});
  for (std::vector<Feature>& features : family.features) features.resize(family.names.size());
}

std::int64_t Analogy::value_of(const Place& place, const BitValues& state, const BitValues& action) const {
  const BitValues& bits = place.action ? action : state;
  std::int64_t value = 0;
  for (int bit = 0; bit < place.bits; ++bit) {
    if (bits[place.first_bit + static_cast<std::uint32_t>(bit)] != 1) continue;
    const std::int64_t weight = std::int64_t{1} << bit;
    value += place.twos_complement && bit + 1 == place.bits ? -weight : weight;
  }
  return value;
}

bool Analogy::holds(const Feature& feature, const BitValues& state, const BitValues& action) const {
  const auto value = [&](std::uint32_t place) { return value_of(places_[place], state, action); };
  switch (feature.kind) {
    case Feature::Kind::none:
      return false;
    case Feature::Kind::itself:
      return true;
    case Feature::Kind::equals:
      return value(feature.place) == feature.value;
    case Feature::Kind::bit:
      return ((value(feature.place) >> feature.value) & 1) != 0;
    case Feature::Kind::less:
      return value(feature.place) < value(feature.other);
    case Feature::Kind::same:
      return value(feature.place) == value(feature.other);
    case Feature::Kind::one_more:
      return value(feature.place) == value(feature.other) + 1;
    case Feature::Kind::one_less:
      return value(feature.place) == value(feature.other) - 1;
  }
  return false;
}

std::vector<std::uint64_t> Analogy::inputs_of(const Family& family, std::size_t member,
                                              const BitValues& state, const BitValues& action) const {
  std::vector<std::uint64_t> words((family.names.size() + 63) / 64);
  const std::vector<Feature>& features = family.features[member];
  for (std::size_t i = 0; i < features.size(); ++i) {
    if (holds(features[i], state, action)) set_bit(words, i);
  }
  return words;
}

bool Analogy::learn(const WorldFacts& facts, unsigned threads, const std::atomic<bool>* interrupt) {
  for (Family& family : families_) {
    if (!learn_family(family, facts, threads, interrupt)) return false;
  }
  return true;
}

bool Analogy::learn_family(Family& family, const WorldFacts& facts, unsigned threads,
                           const std::atomic<bool>* interrupt) const {
  struct Example {
    std::size_t fact, member;
    std::int64_t before, after;
  };
  std::vector<Example> examples;
  const std::size_t most_facts = std::max<std::size_t>(1, most_examples / family.members.size());
  for (std::size_t f = facts.size() > most_facts ? facts.size() - most_facts : 0; f < facts.size(); ++f) {
    for (std::size_t m = 0; m < family.members.size(); ++m) {
      const Place& place = places_[family.members[m]];
      examples.push_back({f, m, value_of(place, facts[f].state, facts[f].action),
                          value_of(place, facts[f].next, facts[f].action)});
    }
  }
  // The changes that explain the differences, the one that explains the most first.
  std::vector<const Example*> open;
  for (const Example& example : examples) {
    if (example.before != example.after) open.push_back(&example);
  }
  const auto explains = [](const Change& change, const Example& example) {
    return example.after == (change.add ? example.before + change.value : change.value);
  };
  std::vector<Change> changes;
  while (!open.empty() && changes.size() < most_changes) {
    // Those that set a value come first if equal.
    std::map<std::pair<bool, std::int64_t>, std::size_t> support;
    for (const Example* example : open) {
      ++support[{false, example->after}];
      ++support[{true, example->after - example->before}];
    }
    const auto best = std::max_element(support.begin(), support.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    changes.push_back({best->first.first, best->first.second});
    std::erase_if(open, [&](const Example* example) { return explains(changes.back(), *example); });
  }
  if (changes.empty()) {
    family.rules.clear();
    return true;
  }
  learning::DataSet data;
  data.name = "analogy";
  data.input_names = family.names;
  for (std::size_t c = 0; c < changes.size(); ++c) data.output_names.push_back(fmt::format("change {}", c));
  std::map<std::vector<std::uint64_t>, std::uint32_t> rows;
  for (const Example& example : examples) {
    const std::vector<std::uint64_t> inputs =
        inputs_of(family, example.member, facts[example.fact].state, facts[example.fact].action);
    const auto [at, added] = rows.emplace(inputs, static_cast<std::uint32_t>(rows.size()));
    if (!added) continue;
    std::vector<std::uint64_t> outputs(data.output_words());
    for (std::size_t c = 0; c < changes.size() && example.before != example.after; ++c) {
      if (!explains(changes[c], example)) continue;
      set_bit(outputs, c);
      break;
    }
    data.inputs.insert(data.inputs.end(), inputs.begin(), inputs.end());
    data.outputs.insert(data.outputs.end(), outputs.begin(), outputs.end());
    data.sample_row.push_back(at->second);
  }
  learning::CoverOptions options;
  options.few_inputs = true;
  options.first_exception = family.first_exception;
  options.only_ones = true;  // variables to which no rule applies stay as they are
  options.threads = threads;
  options.interrupt = interrupt;
  const std::optional<Network> covering = learning::cover(data, learning::whole(data), options);
  if (!covering) return false;
  family.rules.clear();
  for (std::size_t c = 0; c < changes.size(); ++c) {
    for (std::size_t n = 0; n < covering->layers[0].neurons.size(); ++n) {
      if (covering->layers[1].neurons[c].weights[n] == 0) continue;
      Rule rule{changes[c], {}};
      const std::vector<std::int8_t>& weights = covering->layers[0].neurons[n].weights;
      for (std::uint32_t i = 0; i < weights.size(); ++i) {
        if (weights[i] != 0) rule.conditions.emplace_back(i, weights[i] > 0);
      }
      family.rules.push_back(std::move(rule));
    }
  }
  return true;
}

std::string Analogy::kind_of_action(const BitValues& action) const {
  std::set<std::string> stems;
  for (const Place& place : places_) {
    if (place.action && value_of(place, {}, action) != 0) stems.insert(place.stem);
  }
  return fmt::format("{}", fmt::join(stems, " "));
}

BitValues Analogy::next(const BitValues& state, const BitValues& action, std::size_t resting) const {
  BitValues result = state;
  for (std::size_t f = 0; f < families_.size(); ++f) {
    const Family& family = families_[f];
    if (f == resting) continue;
    for (std::size_t m = 0; m < family.members.size(); ++m) {
      const Place& place = places_[family.members[m]];
      const std::vector<Feature>& features = family.features[m];
      const auto rule = std::find_if(family.rules.begin(), family.rules.end(), [&](const Rule& candidate) {
        return std::all_of(candidate.conditions.begin(), candidate.conditions.end(),
                           [&](const auto& condition) {
                             return holds(features[condition.first], state, action) == condition.second;
                           });
      });
      if (rule == family.rules.end()) continue;
      const Change& change = rule->change;
      const std::int64_t value = change.add ? value_of(place, state, action) + change.value : change.value;
      const std::int64_t least = place.twos_complement ? -(std::int64_t{1} << (place.bits - 1)) : 0;
      if (value < least || value >= least + (std::int64_t{1} << place.bits)) continue;
      for (int bit = 0; bit < place.bits; ++bit)
        result[place.first_bit + static_cast<std::uint32_t>(bit)] = static_cast<BitValue>((value >> bit) & 1);
    }
  }
  return result;
}

}  // namespace bnnplan::discovery
