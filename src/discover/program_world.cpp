// A world in another process. One socket is its standard input and output, so that writing to a program that
// no longer reads is an error here and not a signal. It is started without a shell, and inherits only its
// three standard files.
#include "bnnplan/discover/program_world.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bnnplan/base/decimal.hpp"
#include "bnnplan/base/input_error.hpp"
#include "bnnplan/base/json_text.hpp"
#include "bnnplan/base/stopwatch.hpp"
#include "bnnplan/problem/variable_value.hpp"

extern char** environ;

namespace bnnplan::discovery {

namespace {

constexpr std::size_t longest_answer = std::size_t{1} << 24;

JsonObject value_fields(const VariableList& list, const BitValues& bits) {
  JsonObject fields;
  for (std::size_t i = 0; i < list.variables.size(); ++i)
    fields.push_back({list.variables[i].name, value_of(list, i, bits)});
  return fields;
}

}  // namespace

ProgramWorld::ProgramWorld(const Problem& problem, std::vector<std::string> command,
                           double seconds_per_answer)
    : problem_(problem), command_(std::move(command)), seconds_(seconds_per_answer) {
  if (command_.empty()) throw InputError("no program is given for the world");
  int sockets[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) fail(std::strerror(errno));
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, sockets[1], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, sockets[1], STDOUT_FILENO);
  std::vector<char*> words;
  for (std::string& word : command_) words.push_back(word.data());
  words.push_back(nullptr);
  pid_t child = -1;
  const int error = posix_spawnp(&child, words[0], &actions, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(sockets[1]);
  if (error != 0) {
    close(sockets[0]);
    fail(fmt::format("cannot be started: {}", std::strerror(error)));
  }
  socket_ = sockets[0];
  child_ = child;
}

ProgramWorld::~ProgramWorld() {
  if (child_ < 0) return;
  close(socket_);
  for (int i = 0; i < 50; ++i) {
    if (waitpid(child_, nullptr, WNOHANG) != 0) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  kill(child_, SIGKILL);
  waitpid(child_, nullptr, 0);
}

void ProgramWorld::fail(const std::string& message) const {
  throw InputError(
      fmt::format("the world '{}': {}", printable(command_.empty() ? "" : command_.front()), message));
}

void ProgramWorld::send(const std::string& line) {
  std::size_t sent = 0;
  while (sent < line.size()) {
    const ssize_t count = ::send(socket_, line.data() + sent, line.size() - sent, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) fail("exited, expected it to answer until its input ends");
    sent += static_cast<std::size_t>(count);
  }
}

bool ProgramWorld::receive_more(double seconds) {
  if (ended_) return false;
  pollfd waiting{socket_, POLLIN, 0};
  if (poll(&waiting, 1, static_cast<int>(std::min(seconds, 1.0) * 1000)) <= 0) return false;
  char buffer[65536];
  const ssize_t count = recv(socket_, buffer, sizeof buffer, 0);
  if (count < 0 && errno == EINTR) return false;
  ended_ = count <= 0;
  if (!ended_) received_.append(buffer, static_cast<std::size_t>(count));
  return !ended_;
}

std::string ProgramWorld::receive() {
  const Stopwatch clock;
  while (true) {
    if (const std::size_t end = received_.find('\n'); end != std::string::npos) {
      std::string line = received_.substr(0, end);
      received_.erase(0, end + 1);
      slowest_ = std::max(slowest_, clock.seconds());
      return line;
    }
    if (received_.size() > longest_answer) fail("its answer does not end, expected one line");
    if (ended_) fail("exited without an answer");
    const double left = seconds_ - clock.seconds();
    if (left <= 0)
      fail(fmt::format("no answer within {:g} seconds (does it write its output line by line?)", seconds_));
    receive_more(left);
  }
}

// An unsolicited line would be taken for the next answer, and each answer for that of the following question.
// A line that arrives just after this check is missed here; then the answer to the last question is left over
// at the end.
void ProgramWorld::expect_silence(double seconds) {
  const Stopwatch clock;
  while (received_.empty() && !ended_) {
    const double left = seconds - clock.seconds();
    if (!receive_more(std::max(left, 0.0)) && left <= 0) break;
  }
  if (!received_.empty())
    fail(fmt::format("printed '{}' without being asked, expected one line for each question",
                     printable(std::string_view(received_).substr(0, received_.find('\n')))));
}

void ProgramWorld::expect_silence() {
  constexpr double least = 0.1;
  expect_silence(numbered_.value_or(false) ? 0 : least + 2 * slowest_);
}

std::optional<BitValues> ProgramWorld::next(const BitValues& state, const BitValues& action,
                                            std::string& why) {
  expect_silence(0);
  const JsonObject question = {{"state", value_fields(problem_.state, state)},
                               {"action", value_fields(problem_.action, action)},
                               {"id", ++id_}};
  send(json_text(question, JsonLayout::line) + "\n");
  const std::string line = receive();
  const auto bad = [&](const std::string& message) {
    fail(fmt::format("answer '{}': {}", printable(line), message));
  };
  JsonValue answer;
  try {
    answer = parse_json(line, "the answer");
  } catch (const InputError& error) {
    bad(fmt::format("{}, expected {{\"state\": {{...}}}}", error.message()));
  }
  const JsonValue* id = answer.find("id");
  if (numbered_.value_or(id != nullptr) != (id != nullptr))
    bad(fmt::format("{} \"id\", unlike the answers before", id == nullptr ? "has no" : "has an"));
  numbered_ = id != nullptr;
  if (id != nullptr && shown_json(*id) != std::to_string(id_))
    bad(fmt::format("its \"id\" is {}, expected that of the question, {}", shown_json(*id), id_));
  if (answer.find("illegal") != nullptr) {
    why = text_of(answer, "illegal");
    return std::nullopt;
  }
  const JsonValue* values = answer.find("state");
  if (values == nullptr || values->object() == nullptr)
    bad("no \"state\", expected {\"state\": {...}} or {\"illegal\": \"why\"}");
  BitValues next(problem_.state.bit_count(), unknown_bit);
  const VariableList& list = problem_.state;
  for (std::size_t i = 0; i < list.variables.size(); ++i) {
    const Variable& variable = list.variables[i];
    const JsonValue* value = values->find(variable.name);
    if (value == nullptr) continue;
    std::optional<Decimal> number = decimal_of(*value);
    if (value->boolean() != nullptr) number = Decimal{*value->boolean() ? 1 : 0, 0};
    const auto bits = number ? bits_of_value(variable, *number) : std::nullopt;
    if (!bits)
      bad(fmt::format("'{}' is {}, expected {}", printable(variable.name), shown_json(*value),
                      range_text(variable)));
    std::copy(bits->begin(), bits->end(), next.begin() + list.first_bit[i]);
  }
  return next;
}

}  // namespace bnnplan::discovery
