#pragma once

#include <optional>
#include <string>

#include "base/bit_value.hpp"

namespace bnnplan {

// Something that says what an action does in a state: a simulator, a program, a laboratory. It has to give the same answer to
// the same question every time.
class World {
 public:
  virtual ~World() = default;

  // The state bits of the problem after the step, unknown_bit where it does not say. None if the action cannot be done there;
  // `why` then says why. Throws InputError if it cannot be asked, or answers with something else.
  virtual std::optional<BitValues> next(const BitValues& state, const BitValues& action,
                                        std::string& why) = 0;

  // Throws InputError if it says more than it was asked, now or soon: then earlier answers may belong to other questions.
  virtual void expect_silence() {}
};

}  // namespace bnnplan
