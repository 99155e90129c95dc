// Work handed out by one rank. Messages are texts: a worker says that it is free, with the result of its last
// item, and gets the next or the end. Everybody looks for messages a hundred times a second instead of
// waiting in MPI, which would keep a processor busy that the work needs.
//
// Items run in processes of their own, so that one that crashes or is killed for its memory takes nothing
// with it. A rank that dies ends the job, as MPI does; what was done by then is in the index that `done`
// writes.
#include "bnnplan/mpi/hand_out.hpp"

#include <chrono>
#include <deque>
#include <optional>
#include <thread>

#include "bnnplan/base/child_process.hpp"

namespace bnnplan::mpi {

namespace {

constexpr int most_tries = 3;
constexpr std::uint64_t no_item = ~std::uint64_t{0};

void pause() { std::this_thread::sleep_for(std::chrono::milliseconds(10)); }

// Texts as words: their lengths and letters.
void append(std::vector<std::uint64_t>& words, const std::string& text) {
  words.push_back(text.size());
  for (std::size_t at = 0; at < text.size(); at += 8) {
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < 8 && at + i < text.size(); ++i)
      word |= std::uint64_t{static_cast<unsigned char>(text[at + i])} << 8 * i;
    words.push_back(word);
  }
}

std::string take_text(const std::vector<std::uint64_t>& words, std::size_t& at) {
  std::string text(words.at(at++), '\0');
  for (std::size_t i = 0; i < text.size(); ++i)
    text[i] = static_cast<char>(words.at(at + i / 8) >> 8 * (i % 8));
  at += (text.size() + 7) / 8;
  return text;
}

struct Attempt {
  WorkResult result;
  bool killed = false;  // worth another try
};

Attempt run_item(std::size_t number, const std::vector<std::string>& command,
                 const std::atomic<bool>* interrupt, int rank) {
  ChildRequest request;
  request.command = command;
  request.limits.interrupt = interrupt;
  const ChildResult child = run_child(request);
  Attempt attempt;
  attempt.result.item = number;
  attempt.result.rank = rank;
  attempt.result.seconds = child.seconds;
  attempt.result.output = child.output;
  attempt.result.errors = child.errors;
  attempt.result.interrupted = *interrupt;
  attempt.killed = child.end == ChildEnd::killed;
  if (child.end == ChildEnd::exited) attempt.result.exit_code = child.code;
  return attempt;
}

// What rank 0 knows of who does what.
class Table {
 public:
  Table(const std::vector<WorkItem>& items, const std::function<void(const WorkResult&)>& done)
      : items_(items), done_(done), tries_(items.size(), 0) {
    for (std::size_t i = 0; i < items.size(); ++i) waiting_.push_back(i);
  }

  std::optional<std::size_t> next() {
    if (waiting_.empty()) return std::nullopt;
    const std::size_t item = waiting_.front();
    waiting_.pop_front();
    ++tries_[item];
    return item;
  }

  void take(const Attempt& attempt) {
    if (attempt.result.interrupted) {
      interrupted_ = true;
      return;
    }
    if (attempt.killed && tries_[attempt.result.item] < most_tries)
      return waiting_.push_back(attempt.result.item);
    done_(attempt.result);
    ++finished_;
  }

  bool all_done() const { return finished_ == items_.size(); }
  bool interrupted() const { return interrupted_; }  // some rank was told to end
  const WorkItem& operator[](std::size_t item) const { return items_[item]; }

 private:
  const std::vector<WorkItem>& items_;
  const std::function<void(const WorkResult&)>& done_;
  std::deque<std::size_t> waiting_;
  std::vector<int> tries_;
  std::size_t finished_ = 0;
  bool interrupted_ = false;
};

void work(MpiRanks& ranks, const std::atomic<bool>* interrupt) {
  std::vector<std::uint64_t> message = {no_item};
  while (true) {
    ranks.send(0, message);
    while (!ranks.receive(message)) pause();
    std::size_t at = 0;
    const std::uint64_t item = message.at(at++);
    if (item == no_item) return;
    std::vector<std::string> command(message.at(at++));
    for (std::string& word : command) word = take_text(message, at);
    const Attempt attempt = run_item(item, command, interrupt, ranks.rank());
    message = {item, static_cast<std::uint64_t>(attempt.result.exit_code + 1),
               static_cast<std::uint64_t>(attempt.result.seconds * 1e6), attempt.killed ? 1u : 0u,
               attempt.result.interrupted ? 1u : 0u};
    append(message, attempt.result.output);
    append(message, attempt.result.errors);
  }
}

Attempt attempt_of(const std::vector<std::uint64_t>& message, int rank) {
  Attempt attempt;
  attempt.result.item = message.at(0);
  attempt.result.exit_code = static_cast<int>(message.at(1)) - 1;
  attempt.result.seconds = static_cast<double>(message.at(2)) * 1e-6;
  attempt.killed = message.at(3) != 0;
  attempt.result.interrupted = message.at(4) != 0;
  attempt.result.rank = rank;
  std::size_t at = 5;
  attempt.result.output = take_text(message, at);
  attempt.result.errors = take_text(message, at);
  return attempt;
}

bool manage(MpiRanks& ranks, Table& table, const std::atomic<bool>* interrupt) {
  std::deque<int> idle;
  int working = 0;
  std::vector<std::uint64_t> message;
  while (true) {
    const bool stops = *interrupt || table.interrupted();
    while (!idle.empty() && !stops) {
      const auto item = table.next();
      if (!item) break;
      message = {*item, table[*item].command.size()};
      for (const std::string& word : table[*item].command) append(message, word);
      ranks.send(idle.front(), message);
      idle.pop_front();
      ++working;
    }
    const bool over = table.all_done() || stops;
    if (over && working == 0 && idle.size() + 1 == static_cast<std::size_t>(ranks.size())) break;
    if (const auto from = ranks.receive(message)) {
      idle.push_back(*from);
      if (message.at(0) == no_item) continue;  // its first word
      --working;
      table.take(attempt_of(message, *from));
    } else {
      pause();
    }
  }
  for (const int rank : idle) ranks.send(rank, {no_item});
  return table.all_done();
}

}  // namespace

bool hand_out(MpiRanks& ranks, const std::vector<WorkItem>& items, const std::atomic<bool>* interrupt,
              const std::function<void(const WorkResult&)>& done) {
  std::int64_t complete = 1;
  if (ranks.rank() > 0) {
    work(ranks, interrupt);
  } else {
    Table table(items, done);
    if (ranks.size() > 1) {
      complete = manage(ranks, table, interrupt) ? 1 : 0;
    } else {
      while (!*interrupt) {
        const auto item = table.next();
        if (!item) break;
        table.take(run_item(*item, items[*item].command, interrupt, 0));
      }
      complete = table.all_done() ? 1 : 0;
    }
  }
  ranks.minimum({&complete, 1});
  return complete == 1;
}

}  // namespace bnnplan::mpi
