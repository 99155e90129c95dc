#pragma once

#include <atomic>
#include <string_view>

namespace bnnplan::cli {

// Progress on a terminal: one line on standard error that is written over, and gone at the end.
class LiveLine {
 public:
  LiveLine();
  ~LiveLine() { clear(); }
  LiveLine(const LiveLine&) = delete;
  LiveLine& operator=(const LiveLine&) = delete;

  bool on_terminal() const { return terminal_; }  // otherwise nothing should be shown
  void show(std::string_view text);               // cut where the terminal ends
  void clear();

 private:
  bool terminal_;
  std::atomic<bool> shown_ = false;
};

}  // namespace bnnplan::cli
