#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "ranks/ranks.hpp"

namespace bnnplan {

// Thrown on all ranks when something was wrong with the input on one of them.
struct InputErrorOfRank {
  std::string text;  // the same on all
};

// Calls `act` on every rank, which must not speak to other ranks. Where it throws InputError on some, all throw InputErrorOfRank.
void act_alone(Ranks& ranks, const std::function<void()>& act);

}  // namespace bnnplan
