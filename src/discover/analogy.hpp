#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "bnnplan/base/bit_value.hpp"
#include "bnnplan/discover/world_facts.hpp"
#include "bnnplan/problem/problem.hpp"

namespace bnnplan::discovery {

// Predicts what a world does with a pair of a state and an action that was never asked, by analogy with what
// it did elsewhere. A prediction is a guess: it suggests what to ask, and proves nothing.
class Analogy {
 public:
  explicit Analogy(const Problem& problem);

  // Learns from all facts. Requires at least one. Returns false if it was stopped: then it predicts as
  // before.
  bool learn(const WorldFacts& facts, unsigned threads, const std::atomic<bool>* interrupt);

  // The variables that an action sets, without their objects: actions of one kind do the same to different
  // objects.
  std::string kind_of_action(const BitValues& action) const;

  // The predicted state after the step. Before anything was learned: nothing changes. Variables of the family
  // `resting` stay as they are.
  static constexpr std::size_t none = ~std::size_t{0};
  BitValues next(const BitValues& state, const BitValues& action, std::size_t resting = none) const;

  // Variables that share rules. Whether a family has any.
  std::size_t families() const { return families_.size(); }
  bool has_rules(std::size_t family) const { return !families_[family].rules.empty(); }

 private:
  // A variable of the problem, by its parts: on[small| p1] is `on` of the objects small and p1, l12 is `l` of
  // the object 12.
  struct Place {
    bool action = false;
    std::uint32_t first_bit = 0;
    int bits = 1;
    bool boolean = true, twos_complement = false;
    std::string stem;
    // Of each parameter: the kind of object, and its number there.
    std::vector<std::uint32_t> kinds, objects;
  };
  // A feature of an example: a fact about a variable and the state and action around it.
  struct Feature {
    std::uint32_t place = 0, other = 0;  // places_; other: for comparisons
    std::int64_t value = 0;
    enum class Kind : std::uint8_t {
      none,
      equals,
      bit,
      less,
      same,
      one_more,
      one_less,
      itself
    } kind = Kind::none;
  };
  // A possible change of a variable: it becomes `value`, or `value` is added to it.
  struct Change {
    bool add = false;
    std::int64_t value = 0;
    friend bool operator==(const Change&, const Change&) = default;
  };
  struct Rule {
    Change change;
    std::vector<std::pair<std::uint32_t, bool>> conditions;  // features and their values
  };
  // All variables that differ only in their objects.
  struct Family {
    std::vector<std::uint32_t> members;          // places_
    std::vector<std::string> names;              // of the features
    std::vector<std::vector<Feature>> features;  // [member][feature]
    std::size_t first_exception = 0;             // features from here on identify the member
    std::vector<Rule> rules;                     // the first that applies determines the change
  };

  void add_places(const VariableList& list, bool action);
  void make_features(Family& family) const;
  std::int64_t value_of(const Place& place, const BitValues& state, const BitValues& action) const;
  bool holds(const Feature& feature, const BitValues& state, const BitValues& action) const;
  std::vector<std::uint64_t> inputs_of(const Family& family, std::size_t member, const BitValues& state,
                                       const BitValues& action) const;
  bool learn_family(Family& family, const WorldFacts& facts, unsigned threads,
                    const std::atomic<bool>* interrupt) const;

  std::vector<Place> places_;
  std::vector<std::vector<std::string>> object_names_;  // [kind][object]
  std::vector<Family> families_;
};

}  // namespace bnnplan::discovery
