#pragma once

#include <string>
#include <vector>

#include "discover/world.hpp"
#include "problem/problem.hpp"

namespace bnnplan {

// A program that is asked one line at a time (docs/discover.md): a JSON object with "state" and "action" goes to its standard
// input, one with "state", or with "illegal" and a reason, comes from its standard output. It ends when its input ends.
class ProgramWorld : public World {
 public:
  // Starts it; no shell looks at the words. Keeps a reference to the problem. Throws InputError if it cannot be started.
  ProgramWorld(const Problem& problem, std::vector<std::string> command, double seconds_per_answer = 60);
  ProgramWorld(const ProgramWorld&) = delete;
  ProgramWorld& operator=(const ProgramWorld&) = delete;
  ~ProgramWorld() override;  // closes its input and, after a moment, ends it

  std::optional<BitValues> next(const BitValues& state, const BitValues& action, std::string& why) override;

 private:
  void send(const std::string& line);
  std::string receive();
  [[noreturn]] void fail(const std::string& message) const;

  const Problem& problem_;
  std::vector<std::string> command_;
  double seconds_;
  int socket_ = -1;
  int child_ = -1;
  std::string received_;  // and not yet read
};

}  // namespace bnnplan
