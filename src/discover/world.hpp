#pragma once

#include <optional>
#include <string>

#include "bnnplan/base/bit_value.hpp"

namespace bnnplan::discovery {

// Answers what an action does in a state: a simulator, a program, a laboratory. It must give the same answer
// to the same question every time.
class World {
 public:
  virtual ~World() = default;

  // The state bits of the problem after the step, unknown_bit for those it does not give. Nothing if the
  // action is impossible there; `why` then has the reason. Throws InputError if it cannot be asked, or the
  // answer is invalid.
  virtual std::optional<BitValues> next(const BitValues& state, const BitValues& action,
                                        std::string& why) = 0;

  // Throws InputError on unsolicited output, now or soon: then earlier answers may belong to other questions.
  virtual void expect_silence() {}
};

}  // namespace bnnplan::discovery
