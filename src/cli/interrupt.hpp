#pragma once

#include <atomic>

namespace bnnplan::cli {

// From now on a signal that ends the program (Ctrl-C, SIGTERM, a closed terminal or pipe) removes the
// temporary files first, and a file that grows too large is an error of the write and no signal. Called once,
// first of all.
void end_cleanly_on_signals();

// From now on the first SIGINT, SIGTERM or SIGXCPU (a limit on processor time) sets the flag that is
// returned, which asks for the best answer so far; a SIGINT or SIGTERM half a second later ends the program
// at once.
const std::atomic<bool>* catch_signals();

}  // namespace bnnplan::cli
