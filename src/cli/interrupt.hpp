#pragma once

#include <atomic>

namespace bnnplan {

// From now on the first SIGINT or SIGTERM sets the flag that is returned, which asks for the best answer so
// far; a second one ends the program at once.
const std::atomic<bool>* catch_signals();

}  // namespace bnnplan
