#include "attack.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace bnnplan::testing {

Attack attack(const std::vector<std::string>& arguments) {
  RunOptions options;
  options.limits = {{RLIMIT_STACK, 8 << 20}, {RLIMIT_CPU, 60}, {RLIMIT_CORE, 0}};
  options.longest = 600;  // the limit on processor time comes first
  options.look_for_leaks = true;
  return run_under(arguments, options);
}

void expect_harmless(const Attack& attack, std::size_t most_mebibytes) {
  EXPECT_EQ(attack.signal, 0) << attack.errors.substr(0, 2000);
  EXPECT_NE(attack.exit_code, 3) << attack.errors.substr(0, 2000);
  if (sanitized()) return;
  EXPECT_LE(attack.peak_bytes >> 20, most_mebibytes) << attack.errors.substr(0, 300);
}

void expect_refused(const Attack& attack, std::string_view part, std::size_t most_mebibytes) {
  expect_harmless(attack, most_mebibytes);
  EXPECT_EQ(attack.exit_code, 2) << attack.output.substr(0, 300) << attack.errors.substr(0, 2000);
  EXPECT_EQ(attack.output, "");
  EXPECT_EQ(std::count(attack.errors.begin(), attack.errors.end(), '\n'), 1) << attack.errors.substr(0, 2000);
  EXPECT_NE(attack.errors.find(part), std::string::npos)
      << "expected " << part << " in " << attack.errors.substr(0, 2000);
}

std::string repeated(std::string_view text, std::size_t count) {
  std::string result;
  result.reserve(text.size() * count);
  for (std::size_t i = 0; i < count; ++i) result += text;
  return result;
}

}  // namespace bnnplan::testing
