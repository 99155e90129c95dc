#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace bnnplan::testing {

// Files for the commands to read: problems, plans, data, models, proofs. Made once, by the program itself.
const std::filesystem::path& inputs();

// Problems on which engines do not finish soon. wide has 200 steps of a network so wide that making the model
// takes long; large has states enough to fill any memory.
std::string wide_problem();
std::string large_problem();

// A command that writes files into a folder. In its arguments @name stands for the file of that name there.
struct WritingCommand {
  std::string name;
  std::vector<std::string> arguments;
  std::vector<std::string> outputs;  // what it has written when it is through; folders end in /

  std::vector<std::string> in(const std::filesystem::path& folder) const;
};

// The environment that loads the shim (shim.cpp), with its orders.
std::vector<std::pair<std::string, std::string>> with_shim(const std::string& name, const std::string& value);

// Every command that writes files.
std::vector<WritingCommand> writing_commands();

// A command that reads files and prints.
struct PrintingCommand {
  std::string name;
  std::vector<std::string> arguments;
  std::vector<std::size_t> read;  // which arguments are files to read
};
std::vector<PrintingCommand> printing_commands();

}  // namespace bnnplan::testing
