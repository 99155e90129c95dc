#include "bnnplan/discover/program_world.hpp"

#include <gtest/gtest.h>

#include "bnnplan/base/input_error.hpp"
#include "bnnplan/problem/problem_file.hpp"

namespace bnnplan::discovery {
namespace {

Problem one_number() {
  return parse_open_problem("horizon = 1\n[action]\na = \"bool\"\n[state]\nn = { bits = 3 }\nx = \"bool\"\n",
                            "p.toml", ".");
}

std::string message_of(const std::string& script, double seconds = 20) {
  const Problem problem = one_number();
  std::string why;
  try {
    ProgramWorld world(problem, {"sh", "-c", script}, seconds);
    world.next({1, 0, 1, 0}, {1}, why);
    world.next({1, 0, 1, 0}, {1}, why);
  } catch (const InputError& error) {
    return error.message();
  }
  return "illegal: " + why;
}

TEST(ProgramWorld, AsksAndReads) {
  const Problem problem = one_number();
  // Answers with 6 if the question is the one expected, with 0 otherwise.
  ProgramWorld world(problem,
                     {"sh", "-c",
                      "while read line; do "
                      "[ \"$line\" = '{\"state\": {\"n\": 5, \"x\": 0}, \"action\": {\"a\": 1}, \"id\": 1}' "
                      "] && n=6 || n=0; "
                      "echo \"{\\\"state\\\": {\\\"n\\\": $n, \\\"x\\\": true, \\\"other\\\": 3}}\"; done"});
  std::string why;
  EXPECT_EQ(world.next({1, 0, 1, 0}, {1}, why), (BitValues{0, 1, 1, 1}));
  EXPECT_EQ(world.next({0, 0, 0, 0}, {1}, why), (BitValues{0, 0, 0, 1}));
}

// A line that was not asked for is never taken for an answer.
TEST(ProgramWorld, OutOfStep) {
  const std::string answer = "echo '{\"state\": {\"n\": 1}}'";
  EXPECT_EQ(message_of("while read line; do printf '{\"state\": {\"n\": 1}}\\nmore\\n'; done"),
            "the world 'sh': printed 'more' without being asked, expected one line for each question");
  EXPECT_NE(message_of("printf ready; while read line; do " + answer + "; done").find("ready"),
            std::string::npos);
  // With the number of the question, the lines of others are known at once.
  const auto numbered = [](const std::string& id) {
    return "i=0; while read line; do i=$((i + 1)); echo '{\"id\": '" + id +
           "', \"state\": {\"n\": 1}}'; done";
  };
  EXPECT_EQ(message_of(numbered("$i")), "illegal: ");
  EXPECT_EQ(
      message_of(numbered("1")),
      "the world 'sh': answer '{\"id\": 1, \"state\": {\"n\": 1}}': its \"id\" is 1, expected that of the "
      "question, 2");
  EXPECT_NE(message_of(numbered("'\"1\"'")).find("its \"id\" is \"1\", expected"), std::string::npos);
  EXPECT_NE(message_of("read line; echo '{\"id\": 1, \"state\": {}}'; read line; " + answer)
                .find("has no \"id\", unlike the answers before"),
            std::string::npos);
  EXPECT_NE(message_of("read line; " + answer + "; read line; echo '{\"id\": 2, \"state\": {}}'")
                .find("has an \"id\", unlike the answers before"),
            std::string::npos);
}

// A line that comes too late to be seen before the next question is seen in the end.
TEST(ProgramWorld, OneAnswerBehind) {
  const Problem problem = one_number();
  std::string why;
  ProgramWorld behind(problem, {"sh", "-c",
                                "sleep 0.1; echo '{\"state\": {\"n\": 7}}'; while read line; do sleep "
                                "0.05; echo '{\"state\": {\"n\": 1}}'; done"});
  EXPECT_EQ(behind.next({1, 0, 1, 0}, {1}, why), (BitValues{1, 1, 1, unknown_bit}));
  EXPECT_EQ(behind.next({1, 0, 1, 0}, {1}, why), (BitValues{1, 0, 0, unknown_bit}));
  EXPECT_THROW(behind.expect_silence(), InputError);
}

TEST(ProgramWorld, LeavesOpenWhatItDoesNotSay) {
  const Problem problem = one_number();
  ProgramWorld world(problem, {"sh", "-c", "read line; echo '{\"state\": {\"x\": 1}}'"});
  std::string why;
  EXPECT_EQ(world.next({1, 0, 1, 0}, {1}, why), (BitValues{unknown_bit, unknown_bit, unknown_bit, 1}));
}

TEST(ProgramWorld, Illegal) {
  EXPECT_EQ(message_of("while read line; do echo '{\"illegal\": \"too dark\"}'; done"), "illegal: too dark");
}

TEST(ProgramWorld, WhatIsWrong) {
  EXPECT_NE(message_of("true").find("exited"), std::string::npos);
  EXPECT_NE(message_of("read line; echo '{\"state\": {}}'").find("exited"), std::string::npos);
  EXPECT_NE(message_of("read line; echo nonsense").find("expected {\"state\": {...}}"), std::string::npos);
  EXPECT_NE(message_of("read line; echo 3").find("no \"state\""), std::string::npos);
  EXPECT_NE(message_of("read line; echo '{\"state\": {\"n\": 8}}'")
                .find("'n' is 8, expected an integer from 0 to 7"),
            std::string::npos)
      << message_of("read line; echo '{\"state\": {\"n\": 8}}'");
  EXPECT_NE(message_of("sleep 5", 0.05).find("no answer within 0.05 seconds"), std::string::npos);
  const Problem problem = one_number();
  EXPECT_THROW(ProgramWorld(problem, {"/no/such/program"}), InputError);
  EXPECT_THROW(ProgramWorld(problem, {}), InputError);
}

}  // namespace
}  // namespace bnnplan::discovery
