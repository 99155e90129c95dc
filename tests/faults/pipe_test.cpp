// `bnnplan ... | head -1`: who reads what the program prints may be gone. It then ends quietly.
#include <gtest/gtest.h>

#include "faults/commands.hpp"
#include "support/run_under.hpp"

namespace bnnplan {
namespace {

using testing::run_under;
using testing::RunEnd;
using testing::RunOptions;

TEST(Pipe, ClosedByItsReader) {
  for (const auto& command : testing::printing_commands()) {
    SCOPED_TRACE(command.name);
    RunOptions options;
    options.closed_pipe = true;
    const RunEnd end = run_under(command.arguments, options);
    EXPECT_EQ(end.signal, SIGPIPE) << "exit code " << end.exit_code;
    EXPECT_EQ(end.errors, "");
  }
}

TEST(Pipe, ClosedWhereTheSignalIsIgnored) {
  for (const auto& command : testing::printing_commands()) {
    SCOPED_TRACE(command.name);
    RunOptions options;
    options.closed_pipe = true;
    options.ignore_broken_pipe = true;
    const RunEnd end = run_under(command.arguments, options);
    EXPECT_EQ(end.exit_code, 2);
    EXPECT_EQ(end.errors, "standard output: cannot write: Broken pipe\n");
  }
}

}  // namespace
}  // namespace bnnplan
