// libFuzzer for everything behind RDDL text: parse, link, check, ground, simulate, compile. The input is the
// text of a domain and of an instance, with a line "===" between them (or one text that is both). Whatever it
// is, the answer is a result or an InputError. Limits are small, so that large is not mistaken for slow.
//
//   clang++ -std=c++20 -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all -Isrc
//       fuzz/rddl_fuzz.cpp src/rddl/*.cpp src/problem/*.cpp src/network/{network,network_file,batch_norm}.cpp
//       src/base/*.cpp -lfmt -lgmp -lz -o rddl_fuzz
//   ./rddl_fuzz -dict=fuzz/rddl.dict -max_len=8192 CORPUS
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/input_error.hpp"
#include "problem/problem_file.hpp"
#include "rddl/compile_problem.hpp"
#include "rddl/explore.hpp"

namespace {

void run(std::string_view domain, std::string_view instance) {
  using namespace bnnplan;
  GroundingLimits limits;
  limits.variables = 2000;
  limits.nodes = 20'000;
  limits.instantiations = 50'000;
  const RddlTask task = link_rddl(parse_rddl(domain, "d"), parse_rddl(instance, "i"));
  const Simulator simulator(ground(task, limits));
  StateValues state = simulator.initial_state();
  const ActionValues action = simulator.default_action();
  for (int step = 0; step < 3 && simulator.legal(state, action); ++step) {
    const StateValues next = simulator.step(state, action);
    simulator.reward(state, action, next);
    simulator.goal_reached(next);
    state = next;
  }
  CompileOptions options;
  options.table_bits = 8;
  options.clause_limit = 1000;
  const Problem problem = compile_problem(simulator.model(), options);
  if (parse_problem(problem_text(problem), "p", "") != problem) __builtin_trap();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto cut = text.find("\n===\n");
  try {
    run(text.substr(0, cut), cut == std::string_view::npos ? text : text.substr(cut + 5));
  } catch (const bnnplan::InputError& error) {
    if (std::string_view(error.what()).find('\n') != std::string_view::npos) __builtin_trap();
  }
  return 0;
}
