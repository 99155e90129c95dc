#pragma once

#include <functional>
#include <string>

namespace bnnplan::fuzz {

// Runs `check` in its own process, so that a crash or a hang is an answer as well. Returns what it returns
// (what went wrong, or "" if nothing did), "ended by signal 11", or "no answer". `seconds` is processor time;
// a process that waits for something may take ten times as long.
std::string run_isolated(const std::function<std::string()>& check, int seconds);

// The kind of a failure: its first words without numbers. Shrinking keeps the kind, so that it does not slip
// from one bug to another.
std::string failure_kind(const std::string& failure);

}  // namespace bnnplan::fuzz
