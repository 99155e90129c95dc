#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "bnnplan/ranks/ranks.hpp"

namespace bnnplan::ranks {

// Thrown on all ranks when there was an input error on one of them.
struct InputErrorOfRank {
  std::string text;  // the same on all ranks
};

// Calls `act` on every rank; it must not communicate with other ranks. If it throws InputError on some, all
// throw InputErrorOfRank.
void act_alone(Ranks& ranks, const std::function<void()>& act);

}  // namespace bnnplan::ranks
