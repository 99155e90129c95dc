// The DevTools protocol over a pipe: JSON messages, each ended by a NUL, written to the browser's descriptor
// 3 and read from its 4. No port is opened and no other program is needed.
#include "support/browser.hpp"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace bnnplan::testing {

using nlohmann::json;

std::string chromium_program() {
  if (const char* given = std::getenv("BNNPLAN_CHROMIUM")) return given;
  const char* path = std::getenv("PATH");
  std::string rest = path == nullptr ? "" : path;
  rest += ':';
  for (std::size_t end = 0; (end = rest.find(':')) != std::string::npos; rest.erase(0, end + 1)) {
    for (const char* name : {"chromium", "chromium-browser", "google-chrome"}) {
      const std::string file = rest.substr(0, end) + "/" + name;
      if (::access(file.c_str(), X_OK) == 0) return file;
    }
  }
  return "";
}

Browser::Browser() {
  int to[2], from[2];
  if (::pipe2(to, O_CLOEXEC) != 0 || ::pipe2(from, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  const std::string program = chromium_program();
  const std::string profile = "--user-data-dir=" + profile_.path().string();
  process_ = ::fork();
  if (process_ == 0) {
    ::setpgid(0, 0);
    // First out of the way: a pipe may have got the numbers 3 and 4 itself.
    const int in = ::fcntl(to[0], F_DUPFD, 10), out = ::fcntl(from[1], F_DUPFD, 10);
    ::dup2(in, 3);
    ::dup2(out, 4);
    const int nothing = ::open("/dev/null", O_RDWR);
    for (const int standard : {0, 1, 2}) ::dup2(nothing, standard);
    ::execl(program.c_str(), program.c_str(), "--headless", "--no-sandbox", "--disable-gpu",
            "--disable-dev-shm-usage", "--hide-scrollbars", "--no-first-run", "--remote-debugging-pipe",
            "--window-size=1200,900", profile.c_str(), "about:blank", static_cast<char*>(nullptr));
    ::_exit(127);
  }
  ::setpgid(process_, process_);
  ::close(to[0]);
  ::close(from[1]);
  to_ = to[1];
  from_ = from[0];
  ::signal(SIGPIPE, SIG_IGN);
  const std::string target = call("Target.createTarget", {{"url", "about:blank"}})["targetId"];
  session_ = call("Target.attachToTarget", {{"targetId", target}, {"flatten", true}})["sessionId"];
  for (const char* domain : {"Page", "Runtime", "Log", "Network"}) call(std::string(domain) + ".enable");
}

Browser::~Browser() {
  ::close(to_);
  ::close(from_);
  ::kill(-process_, SIGKILL);
  while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

json Browser::receive() {
  while (true) {
    if (const std::size_t end = buffer_.find('\0'); end != std::string::npos) {
      const json message = json::parse(buffer_.substr(0, end));
      buffer_.erase(0, end + 1);
      return message;
    }
    pollfd waiting{from_, POLLIN, 0};
    if (::poll(&waiting, 1, 60'000) <= 0) throw std::runtime_error("the browser does not answer");
    char part[1 << 16];
    const ssize_t count = ::read(from_, part, sizeof part);
    if (count <= 0) throw std::runtime_error("the browser has gone");
    buffer_.append(part, static_cast<std::size_t>(count));
  }
}

void Browser::note(const json& event) {
  const std::string method = event.value("method", "");
  const json parameters = event.value("params", json::object());
  events_.push_back(method);
  if (method == "Runtime.exceptionThrown") {
    complaints_.push_back(parameters.dump());
  } else if (method == "Runtime.consoleAPICalled") {
    const std::string kind = parameters["type"];
    if (kind == "error" || kind == "warning" || kind == "assert") complaints_.push_back(parameters.dump());
  } else if (method == "Log.entryAdded") {
    const std::string level = parameters["entry"]["level"];
    if (level == "error" || level == "warning") complaints_.push_back(parameters.dump());
  } else if (method == "Network.requestWillBeSent") {
    const std::string address = parameters["request"]["url"];
    if (address.substr(0, address.find('#')) != page_ && address.rfind("data:", 0) != 0)
      requests_.push_back(address);
  }
}

json Browser::call(const std::string& method, const json& parameters) {
  json message = {{"id", ++last_id_}, {"method", method}, {"params", parameters}};
  if (!session_.empty()) message["sessionId"] = session_;
  const std::string text = message.dump();
  // With its NUL.
  for (std::size_t sent = 0; sent <= text.size();) {
    const ssize_t count = ::write(to_, text.c_str() + sent, text.size() + 1 - sent);
    if (count <= 0) throw std::runtime_error("the browser does not listen");
    sent += static_cast<std::size_t>(count);
  }
  while (true) {
    json answer = receive();
    if (answer.value("id", 0) != last_id_) {
      note(answer);
      continue;
    }
    if (answer.contains("error")) throw std::runtime_error(method + ": " + answer["error"].dump());
    return answer["result"];
  }
}

void Browser::wait_for(const std::string& event) {
  while (std::find(events_.begin(), events_.end(), event) == events_.end()) note(receive());
}

void Browser::open(const std::string& file, const std::string& fragment) {
  page_ = "file://" + file;
  call("Page.navigate", {{"url", "about:blank"}});
  complaints_.clear();
  requests_.clear();
  events_.clear();
  wait_for("Page.loadEventFired");
  events_.clear();
  call("Page.navigate", {{"url", page_ + (fragment.empty() ? "" : "#" + fragment)}});
  wait_for("Page.loadEventFired");
}

json Browser::evaluate(const std::string& expression) {
  const json result =
      call("Runtime.evaluate", {{"expression", expression}, {"returnByValue", true}, {"awaitPromise", true}});
  if (result.contains("exceptionDetails"))
    throw std::runtime_error(expression + ": " + result["exceptionDetails"].dump());
  return result["result"].value("value", json());
}

bool Browser::comes_true(const std::string& condition) {
  return evaluate(
             "new Promise((done) => { const end = Date.now() + 10000; const look = () => { if (" + condition +
             ") done(true); else if (Date.now() > end) done(false); else setTimeout(look, 20); }; look(); })")
      .get<bool>();
}

std::string Browser::text(const std::string& selector) {
  const json found = evaluate("(document.querySelector(" + json(selector).dump() + ") || {}).textContent");
  return found.is_string() ? found.get<std::string>() : "(no " + selector + ")";
}

void Browser::press(const std::string& key) {
  json event = {{"type", "keyDown"}, {"key", key}};
  if (key.size() == 1) event["text"] = key;
  call("Input.dispatchKeyEvent", event);
  event["type"] = "keyUp";
  call("Input.dispatchKeyEvent", event);
}

void Browser::resize(int width, int height) {
  call("Emulation.setDeviceMetricsOverride",
       {{"width", width}, {"height", height}, {"deviceScaleFactor", 1}, {"mobile", width < 600}});
}

void Browser::emulate(const std::string& media, const std::string& colour_scheme) {
  const json feature = {{"name", "prefers-color-scheme"}, {"value", colour_scheme}};
  call("Emulation.setEmulatedMedia", {{"media", media}, {"features", json::array({feature})}});
}

}  // namespace bnnplan::testing
