// How commands take a problem, by its file and -H for another horizon, and a domain.
#include "bnnplan/base/input_error.hpp"
#include "bnnplan/cli/file_kind.hpp"
#include "bnnplan/cli/options.hpp"
#include "bnnplan/problem/problem_file.hpp"
#include "bnnplan/rddl/simulate/simulator.hpp"

namespace bnnplan::cli {

void ProblemOptions::add_to(CLI::App& command, const std::string& name, const std::string& help) {
  command.add_option(name, file, help)->required();
  add_options(command, options_of(options));
}

Problem ProblemOptions::read() const { return read_problem_argument(file, options); }

Problem ProblemOptions::read_with_horizon() const {
  Problem problem = read();
  if (problem.horizon == 0)
    throw InputError(shown_name(file), "the problem states no horizon: give one with -H N");
  return problem;
}

Problem read_problem_argument(const std::string& file, const ReadOptions& options) {
  const InputText input = read_input(file);
  return read_as(FileKind::problem, input,
                 [&] { return parse_problem(input.text, input.name, input.folder, options); });
}

rddl::Simulator read_domain(const std::string& domain, const std::string& instance,
                            const std::string& instance_name) {
  return read_files_as(FileKind::rddl, {domain, instance},
                       [&] { return rddl::Simulator(domain, instance, instance_name); });
}

void DomainOptions::add_files(CLI::App& command) {
  add_argument(command, "DOMAIN", domain, "Domain file (.rddl)");
  add_argument(command, "INSTANCE", instance, "Instance file (.rddl)");
}

void DomainOptions::add_instance_name(CLI::App& command) {
  add_file_option(command, "--instance", instance_name, "Which instance, where the file has several", "NAME");
}

rddl::Simulator DomainOptions::read() const { return read_domain(domain, instance, instance_name); }

void add_outside_option(CLI::App& command, bool& outside) {
  add_options(command, {describing::outside_option(outside)});
}

References references_of(bool outside) { return outside ? References::anywhere : References::inside; }

}  // namespace bnnplan::cli
