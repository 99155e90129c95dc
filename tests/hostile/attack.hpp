#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "support/run_under.hpp"
#include "support/shipped.hpp"
#include "support/temporary_folder.hpp"

namespace bnnplan::testing {

const std::string domains = BNNPLAN_SOURCE_DIR "/domains/";
const std::string small = "transitions = [\"x' == x\"]\n[state]\nx = \"bool\"\n";  // a problem of one bit

using Attack = RunEnd;

// Runs the program with the stack that people have, 8 MiB. It is killed after a minute of processor time.
Attack attack(const std::vector<std::string>& arguments);

// Expects that the program refused its input as it should: exit code 2, one line on standard error that has
// `part` in it, nothing on standard output, and not more memory than `most_mebibytes` (which is not looked at
// where a sanitizer takes its share).
void expect_refused(const Attack& attack, std::string_view part, std::size_t most_mebibytes = 300);

// The same limit on memory for a run that may end in any other way but a crash.
void expect_harmless(const Attack& attack, std::size_t most_mebibytes = 300);

// `count` times the text.
std::string repeated(std::string_view text, std::size_t count);

}  // namespace bnnplan::testing
