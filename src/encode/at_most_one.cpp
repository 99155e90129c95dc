// At most one of n literals.
//
// Few literals: a clause for each pair. Many: the product encoding (Chen 2010). The literals are put into a
// grid of p x q, about sqrt(n) each; a literal implies the variable of its row and that of its column, and at
// most one row and at most one column may be set. Two literals differ in row or column, so both cannot be
// true. The smallest known encoding that is propagation complete; the sequential ladder has n variables and 3
// n clauses.

#include "bnnplan/encode/at_most_one.hpp"

#include <cmath>
#include <vector>

namespace bnnplan::encoding {

namespace {

// Seven literals: 21 clauses either way, but the product would take six variables.
constexpr std::size_t kPairwiseUpTo = 7;

}  // namespace

void encode_at_most_one(std::span<const Lit> literals, ClauseSink& sink) {
  const std::size_t n = literals.size();
  if (n <= kPairwiseUpTo) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = i + 1; j < n; ++j) sink.add({~literals[i], ~literals[j]});
    }
    return;
  }
  const auto columns = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(n))));
  std::vector<Lit> row_used((n + columns - 1) / columns);
  std::vector<Lit> column_used(columns);
  for (Lit& used : row_used) used = sink.new_variable();
  for (Lit& used : column_used) used = sink.new_variable();
  for (std::size_t i = 0; i < n; ++i) {
    sink.add({~literals[i], row_used[i / columns]});
    sink.add({~literals[i], column_used[i % columns]});
  }
  encode_at_most_one(row_used, sink);
  encode_at_most_one(column_used, sink);
}

}  // namespace bnnplan::encoding
