// What the program shows on a terminal and what it writes into a pipe; completions and the manual.
#include <cstdlib>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/run_bnnplan.hpp"
#include "support/shipped.hpp"
#include "support/temporary_folder.hpp"

namespace bnnplan::cli {
namespace {

using testing::corridor;
using testing::TemporaryFolder;

// The two ends of a new terminal, -1 where there are none to be had (a container without /dev/pts).
std::pair<int, int> open_terminal() {
  const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
  if (terminal < 0 || ::grantpt(terminal) != 0 || ::unlockpt(terminal) != 0) return {-1, -1};
  const char* name = ::ptsname(terminal);
  return {terminal, name == nullptr ? -1 : ::open(name, O_RDWR | O_NOCTTY)};
}

bool has_terminals() {
  const auto [terminal, shown] = open_terminal();
  if (shown >= 0) ::close(shown);
  if (terminal >= 0) ::close(terminal);
  return shown >= 0;
}

// What the program prints on a terminal: its standard output, or its messages.
std::string on_terminal(const std::vector<std::string>& arguments, const std::string& no_color,
                        int descriptor = STDOUT_FILENO, unsigned short columns = 100) {
  const auto [terminal, shown] = open_terminal();
  winsize size{};
  size.ws_col = columns;
  size.ws_row = 40;
  ::ioctl(shown, TIOCSWINSZ, &size);
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    if (descriptor != STDOUT_FILENO) ::dup2(::open("/dev/null", O_WRONLY), STDOUT_FILENO);
    ::dup2(shown, descriptor);
    ::setenv("TERM", "xterm", 1);
    ::setenv("LC_ALL", "C.UTF-8", 1);
    if (no_color.empty()) {
      ::unsetenv("NO_COLOR");
    } else {
      ::setenv("NO_COLOR", no_color.c_str(), 1);
    }
    ::execv(argv[0], argv.data());
    ::_exit(127);
  }
  ::close(shown);
  std::string text;
  char part[4096];
  for (ssize_t count = 0; (count = ::read(terminal, part, sizeof part)) > 0;)
    text.append(part, static_cast<std::size_t>(count));
  ::close(terminal);
  ::waitpid(child, nullptr, 0);
  return text;
}

TEST(Terminal, ColoursAndTheGridOnATerminalOnly) {
  if (!has_terminals()) GTEST_SKIP() << "no pseudo-terminals here";
  const std::vector<std::string> plan = {BNNPLAN_PROGRAM, "plan", corridor, "--engine", "search"};
  const std::string shown = on_terminal(plan, "");
  EXPECT_NE(shown.find("\033[1;32moptimal plan of 7 steps, cost 5, proved\033[0m"), std::string::npos)
      << shown;
  EXPECT_NE(shown.find("K"), std::string::npos);
  EXPECT_NE(shown.find("Rk"), std::string::npos) << "the grid is drawn";
  const std::string plain = on_terminal(plan, "1");
  EXPECT_EQ(plain.find('\033'), std::string::npos) << "NO_COLOR";
  EXPECT_NE(plain.find("Rk"), std::string::npos);
  const std::string piped = testing::run_program(plan).output;
  EXPECT_EQ(piped.find('\033'), std::string::npos);
  EXPECT_EQ(piped.find("Rk"), std::string::npos);
  EXPECT_NE(testing::run_bnnplan({"plan", corridor, "--picture"}).output.find("Rk"), std::string::npos);
  EXPECT_NE(testing::run_bnnplan({"plan", corridor, "--color", "always"}).output.find('\033'),
            std::string::npos);
  EXPECT_EQ(testing::run_bnnplan({"plan", corridor, "--color", "maybe"}).exit_code, 1);
}

// What bash would offer for a line that ends in the last word.
std::string offered(const std::vector<std::string>& words) {
  const TemporaryFolder folder;
  const std::string script = (folder / "bnnplan.bash").string();
  EXPECT_EQ(testing::run_bnnplan({"completion", "bash", "-o", script}).exit_code, 0);
  std::string line = "source " + script + "; COMP_WORDS=(bnnplan";
  for (const std::string& word : words) line += " '" + word + "'";
  line += "); COMP_CWORD=" + std::to_string(words.size()) + "; _bnnplan; echo \"${COMPREPLY[*]}\"";
  const auto result = testing::run_program({"bash", "-c", line});
  EXPECT_EQ(result.errors, "");
  return result.output;
}

TEST(Terminal, ProgressIsOneLineThatIsGoneAtTheEnd) {
  if (!has_terminals()) GTEST_SKIP() << "no pseudo-terminals here";
  const TemporaryFolder folder;
  const std::string models = BNNPLAN_SOURCE_DIR "/models", sysadmin = models + "/sysadmin_10.toml";
  const std::string domain = BNNPLAN_SOURCE_DIR "/domains/navigation.rddl",
                    data = (folder / "data.csv").string();
  ASSERT_EQ(testing::run_bnnplan({"simulate", domain, BNNPLAN_SOURCE_DIR "/domains/navigation_3x3.rddl",
                                  "--exhaustive", "-o", data})
                .exit_code,
            0);
  const auto plan = [&](const char* engine) {
    return std::vector<std::string>{"plan", sysadmin, "-H", "20", "--time-limit", "1", "--engine", engine};
  };
  std::vector<std::string> external = plan("external");
  external.insert(external.end(), {"--solver", BNNPLAN_PROGRAM " maxsat"});
  const std::vector<std::pair<std::vector<std::string>, std::string>> commands = {
      {plan("auto"), "0 s: search: layer "},
      {plan("search"), " M evaluations/s, "},
      {plan("neuron"), " M propagations/s, "},
      {plan("maxsat"), "0 s: unrolling, "},
      {external, "0 s: encoding, "},
      {{"suite", "--models", models, "--only", "navigation_3x3_4,navigation_3x3_5", "-o",
        (folder / "suite").string()},
       "[###############...............] 1/2 navigation_3x3_"},
      {{"learn", data, "--hidden", "8", "--epochs", "3", "-o", (folder / "net.bnn").string()},
       "epoch 3/3  loss "},
      {{"compile", BNNPLAN_SOURCE_DIR "/domains/cellda.rddl", BNNPLAN_SOURCE_DIR "/domains/cellda_x.rddl",
        "-o", (folder / "cellda.toml").string()},
       "0 s: the range of 'new-x'"},
      {{"bench", corridor, "--engine", "search", "--any-core", "-o", (folder / "bench").string()},
       "0 of 1 run, about "}};
  for (const auto& [arguments, part] : commands) {
    SCOPED_TRACE(arguments[0] + ' ' + arguments.back());
    std::vector<std::string> command = arguments;
    command.insert(command.begin(), BNNPLAN_PROGRAM);
    const std::string shown = on_terminal(command, "", STDERR_FILENO);
    EXPECT_NE(shown.find(part), std::string::npos) << shown;
    EXPECT_TRUE(shown.starts_with("\r\033[K")) << shown;
    EXPECT_TRUE(shown.ends_with("\r\033[K")) << shown;
    EXPECT_EQ(shown.find('\n'), std::string::npos) << shown;
  }
  // On a narrow one it is cut, so that it stays one line.
  std::vector<std::string> search = plan("search");
  search.insert(search.begin(), BNNPLAN_PROGRAM);
  const std::string narrow = on_terminal(search, "", STDERR_FILENO, 30);
  std::size_t longest = 0, start = 0;
  for (std::size_t next = 0; next != std::string::npos; start = next) {
    next = narrow.find('\r', start + 1);
    longest = std::max(longest, std::min(next, narrow.size()) - start);
  }
  EXPECT_EQ(longest, std::string("\r\033[K").size() + 29) << narrow;
}

TEST(Completion, Bash) {
  EXPECT_EQ(offered({"pl"}), "plan\n");
  EXPECT_EQ(offered({"plan", "--en"}), "--engine\n");
  EXPECT_EQ(offered({"plan", "--engine", "se"}), "search\n");
  EXPECT_EQ(offered({"encode", "--to", "wcnf-"}), "wcnf-classic\n");
  EXPECT_EQ(offered({"import", "fd"}), "fd-sat-plan\n");
  EXPECT_EQ(offered({"completion", "z"}), "zsh\n");
  EXPECT_EQ(offered({"help", "check-"}), "check-proof\n");
  EXPECT_EQ(offered({"maxsat", "--strategy", "i"}), "improve\n");
  EXPECT_EQ(offered({"vers"}), "version\n");
  EXPECT_EQ(offered({"check", "models/cor"}), "\n") << "the shell itself completes files";
  EXPECT_EQ(offered({"plan", "-o", "x"}), "\n") << "a file as well";
}

TEST(Completion, ZshNamesEveryCommandAndOption) {
  const auto zsh = testing::run_bnnplan({"completion", "zsh"});
  EXPECT_EQ(zsh.exit_code, 0);
  EXPECT_EQ(zsh.output.rfind("#compdef bnnplan\n", 0), 0u);
  for (const char* part : {"'plan:Find", "'--engine[", ":(auto search", "'(-o --output)'{-o,--output}'["})
    EXPECT_NE(zsh.output.find(part), std::string::npos) << part;
  EXPECT_EQ(testing::run_bnnplan({"completion", "fish"}).exit_code, 1);
}

TEST(Manual, HasEveryCommand) {
  const auto manual = testing::run_bnnplan({"man"});
  EXPECT_EQ(manual.exit_code, 0);
  EXPECT_EQ(manual.output.rfind(".\\\" Made by", 0), 0u);
  for (const char* part :
       {".TH BNNPLAN 1", ".SS bnnplan plan\n", ".SS bnnplan import fd\\-sat\\-plan\n", ".SS bnnplan help\n",
        ".SS bnnplan version\n", "\\-\\-time\\-limit", "bnnplan check PROBLEM PLAN [OPTIONS]",
        ".SH EXIT STATUS", "NO_COLOR", "is read from standard input"})
    EXPECT_NE(manual.output.find(part), std::string::npos) << part;
  // No line may begin with a control character that is not meant.
  EXPECT_EQ(manual.output.find("\n'"), std::string::npos);
}

}  // namespace
}  // namespace bnnplan::cli
