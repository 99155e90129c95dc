#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bnnplan/discover/world.hpp"
#include "bnnplan/problem/problem.hpp"

namespace bnnplan::discovery {

// A program that is asked one line at a time (docs/discover.md): a JSON object with "state", "action" and the
// "id" of the question goes to its standard input, one with "state", or with "illegal" and a reason, comes
// from its standard output. If its answers have an "id", it must be that of the question. It ends when its
// input ends.
class ProgramWorld : public World {
 public:
  // Starts it without a shell. Keeps a reference to the problem. Throws InputError if it cannot be started.
  ProgramWorld(const Problem& problem, std::vector<std::string> command, double seconds_per_answer = 60);
  ProgramWorld(const ProgramWorld&) = delete;
  ProgramWorld& operator=(const ProgramWorld&) = delete;
  ~ProgramWorld() override;  // closes its input and, after a moment, kills it

  std::optional<BitValues> next(const BitValues& state, const BitValues& action, std::string& why) override;
  // Waits somewhat longer than its slowest answer took, unless its answers have an id.
  void expect_silence() override;

 private:
  void expect_silence(double seconds);
  bool receive_more(double seconds);  // false if nothing came in time, or its output has ended
  void send(const std::string& line);
  std::string receive();
  [[noreturn]] void fail(const std::string& message) const;

  const Problem& problem_;
  std::vector<std::string> command_;
  double seconds_;
  int socket_ = -1;
  int child_ = -1;
  std::string received_;          // and not yet parsed
  std::uint64_t id_ = 0;          // of the last question
  std::optional<bool> numbered_;  // its answers have an id; unknown before the first
  double slowest_ = 0;            // seconds until an answer
  bool ended_ = false;            // its output has ended
};

}  // namespace bnnplan::discovery
