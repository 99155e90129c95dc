#include "support/run_program.hpp"

#include <cstdlib>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bnnplan/base/text_file.hpp"
#include "support/temporary_folder.hpp"

namespace bnnplan::testing {

ProgramResult run_program(const std::vector<std::string>& arguments) {
  const TemporaryFolder folder;
  const std::string output = (folder / "output").string();
  const std::string errors = (folder / "errors").string();
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(::open("/dev/null", O_RDONLY), STDIN_FILENO);
    ::dup2(::open(output.c_str(), O_WRONLY | O_CREAT, 0600), STDOUT_FILENO);
    ::dup2(::open(errors.c_str(), O_WRONLY | O_CREAT, 0600), STDERR_FILENO);
    ::execvp(argv[0], argv.data());
    ::_exit(127);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ProgramResult result;
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  result.output = read_text_file(output);
  result.errors = read_text_file(errors);
  return result;
}

}  // namespace bnnplan::testing
