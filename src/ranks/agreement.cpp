// A file may be missing on one machine only. A rank that gave up by itself would leave the others waiting for
// it.
#include "bnnplan/ranks/agreement.hpp"

#include <limits>
#include <vector>

#include "bnnplan/base/input_error.hpp"

namespace bnnplan::ranks {

void act_alone(Ranks& ranks, const std::function<void()>& act) {
  std::optional<std::string> error;
  try {
    act();
  } catch (const InputError& wrong) {
    error = (wrong.file().empty() ? "bnnplan-mpi: " : "") + wrong.text(OptionStyle::command_line);
  }
  std::int64_t first = error ? ranks.rank() : std::numeric_limits<std::int64_t>::max();
  const std::int64_t own = first;
  ranks.minimum({&first, 1});
  if (first == std::numeric_limits<std::int64_t>::max()) return;
  std::vector<std::uint64_t> letters;
  if (own == first) letters.assign(error->begin(), error->end());
  ranks.broadcast(static_cast<int>(first), letters);
  throw InputErrorOfRank{std::string(letters.begin(), letters.end())};
}

}  // namespace bnnplan::ranks
