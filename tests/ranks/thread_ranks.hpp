#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "bnnplan/ranks/ranks.hpp"

namespace bnnplan::testing {

// Calls act(ranks) in `size` threads, each of which is a rank.
void run_as_threads(int size, const std::function<void(ranks::Ranks&)>& act);

}  // namespace bnnplan::testing
