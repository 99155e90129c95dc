// Checkpoints of a search. The input is what is between the first line and the checksum, which are added to
// match, so that mutations get past them. Whatever it contains, the search ends within its limits, rejects
// it, or returns a plan that was checked; a bound may be wrong, as a resumed run states.
#include <cstring>
#include <stdexcept>

#include "bnnplan/engines/checked_run.hpp"
#include "bnnplan/engines/search/checkpoint_file.hpp"
#include "fuzz_target.hpp"
#include "support/random_problem.hpp"

namespace bnnplan::fuzz {

namespace {

const Problem& saved_problem() {
  static const Problem problem = testing::shift_register_problem(10, 12);
  return problem;
}

}  // namespace

void try_checkpoint(std::string_view input) {
  const std::string path = (scratch_folder() / "c").string();
  {
    engines::CheckpointWriter file(path);
    for (std::size_t at = 0; at + sizeof(std::uint64_t) <= input.size(); at += sizeof(std::uint64_t)) {
      std::uint64_t word = 0;
      std::memcpy(&word, input.data() + at, sizeof word);
      file.write(word);
    }
    file.commit();
  }
  engines::EngineRequest request;
  request.limits.seconds = 2;
  request.limits.memory_bytes = resident_memory() + (std::size_t{64} << 20);
  request.checkpoint.resume = path;
  try {
    engines::run_checked(*engines::find_engine("search"), saved_problem(), request);
    // A forged file is trusted until it leads to a contradiction.
  } catch (const std::logic_error& error) {
    throw InputError(path, error.what());
  } catch (const std::bad_optional_access& error) {
    throw InputError(path, error.what());
  }
}

}  // namespace bnnplan::fuzz
