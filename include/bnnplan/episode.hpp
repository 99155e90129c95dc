#pragma once

// A domain as a world to act in, a step at a time.
//
//   bnnplan::Episode episode(bnnplan::Simulator("navigation.rddl", "navigation_3x3.rddl"), 7);
//   bnnplan::ActionValues action;
//   while (!episode.ended() && episode.draw_legal(action)) total += episode.act(action);

#include <cstdint>
#include <memory>

#include <bnnplan/domain.hpp>

namespace bnnplan {

class Episode {
 public:
  // Begins an episode. The same seed and actions give the same states.
  explicit Episode(Simulator domain, std::uint64_t seed = 0);
  Episode(Episode&&) noexcept;
  Episode& operator=(Episode&&) noexcept;
  ~Episode();

  Simulator& domain();
  const Simulator& domain() const;
  const StateValues& state() const;
  void restart(std::uint64_t seed);

  // Whether nothing more can be done: the domain says so, an invariant is broken, or no action is legal.
  bool ended();
  std::string broken_invariant();  // "" if none is

  // A step, whether the action is legal or not (Simulator::illegal_because). Returns the reward. Throws
  // InputError where the domain has no value.
  double act(const ActionValues& action);

  // A legal joint action, every one with the same probability where that can be had; false if none is found.
  bool draw_legal(ActionValues& action);

 private:
  struct Course;
  std::unique_ptr<Course> course_;
};

}  // namespace bnnplan
