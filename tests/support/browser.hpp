#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>
#include <sys/types.h>

#include "support/temporary_folder.hpp"

namespace bnnplan::testing {

// The Chromium on this machine (or what BNNPLAN_CHROMIUM names), empty if there is none.
std::string chromium_program();

#define BNNPLAN_NEEDS_CHROMIUM()                                                         \
  if (bnnplan::testing::chromium_program().empty()) {                                    \
    GTEST_SKIP() << "no chromium on this machine (make test-deps, or BNNPLAN_CHROMIUM)"; \
  }

// A headless Chromium with one page, driven over its DevTools pipe. Everything that goes wrong, in the
// browser or on the way to it, is a std::runtime_error.
class Browser {
 public:
  Browser();
  Browser(const Browser&) = delete;
  Browser& operator=(const Browser&) = delete;
  ~Browser();

  // Opens a file and waits until it is loaded. Forgets earlier complaints.
  void open(const std::string& file, const std::string& fragment = "");

  nlohmann::json evaluate(const std::string& expression);  // its value; a promise is waited for
  bool comes_true(const std::string& condition);           // within ten seconds
  std::string text(const std::string& selector);           // of the first such element
  void press(const std::string& key);                      // ArrowRight, Home, t, ...
  void resize(int width, int height);
  void emulate(const std::string& media, const std::string& colour_scheme);  // "print", "dark"
  nlohmann::json call(const std::string& method, const nlohmann::json& parameters = nlohmann::json::object());

  // Errors and warnings on the console, uncaught exceptions.
  const std::vector<std::string>& complaints() const { return complaints_; }
  // What the page asked for beyond itself.
  const std::vector<std::string>& requests() const { return requests_; }

 private:
  nlohmann::json receive();
  void note(const nlohmann::json& event);
  void wait_for(const std::string& event);

  TemporaryFolder profile_;
  pid_t process_ = -1;
  int to_ = -1, from_ = -1;
  int last_id_ = 0;
  std::string session_, buffer_, page_;
  std::vector<std::string> complaints_, requests_, events_;
};

}  // namespace bnnplan::testing
