// Ranges of numbers by cuts. On a grid every cut is x >= low + k step for an integer k, so there is a number
// between adjacent cuts; off the grid there is always one between two different cuts.
#include "bnnplan/verify/number_cuts.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <string>

#include "bnnplan/base/exact_number.hpp"

namespace bnnplan::verification {

namespace {

// Whether it can be written without a fraction: others then read it as the same number.
bool is_decimal(const mpq_class& x) { return exact_text(x).find('/') == std::string::npos; }

bool is_between(const mpq_class& x, const Cut& from, const Cut& to) {
  const auto beyond = [&](const Cut& cut) { return cut.open ? x > cut.value : x >= cut.value; };
  return beyond(from) && !beyond(to);
}

}  // namespace

Cut NumberRange::on_grid(const Cut& cut) const {
  if (!grid) return cut;
  const mpq_class steps = (cut.value - grid->low) / grid->step;
  mpz_class k = floor_of(steps);
  if (cut.open || k != steps) ++k;
  return {grid->low + grid->step * k, false};
}

void NumberRange::raise(const Cut& cut) {
  const Cut placed = on_grid(cut);
  if (!lower || *lower < placed) lower = placed;
}

void NumberRange::lower_to(const Cut& cut) {
  const Cut placed = on_grid(cut);
  if (!upper || placed < *upper) upper = placed;
}

mpq_class NumberRange::number_between(const std::optional<Cut>& from, const std::optional<Cut>& to) const {
  if (grid) {
    assert(from && to && *from < *to);
    return from->value;
  }
  if (!from && !to) return 0;
  if (!to && !is_decimal(from->value)) return floor_of(from->value) + 1;
  if (!from && !is_decimal(to->value)) return floor_of(to->value);
  if (!to) return from->open ? mpq_class(from->value + 1) : from->value;
  if (!from) return to->open ? to->value : mpq_class(to->value - 1);
  mpq_class middle = (from->value + to->value) / 2;
  for (const double rounded : {static_cast<double>(static_cast<float>(middle.get_d())), middle.get_d()})
    if (std::isfinite(rounded) && is_between(mpq_class(rounded), *from, *to)) return mpq_class(rounded);
  assert(is_between(middle, *from, *to));
  return middle;
}

NumberRange range_of_input(const Network& network, std::size_t input, bool any_number) {
  NumberRange range;
  if (has_numbers(network) && network.numbers[input]) {
    if (any_number) return range;
    range.grid = *network.numbers[input];
  } else {
    range.grid = NumericInput{1, 0, 1, 1};
  }
  const mpz_class last = floor_of((range.grid->high - range.grid->low) / range.grid->step);
  range.lower = Cut{range.grid->low, false};
  range.upper = Cut{range.grid->low + range.grid->step * (last + 1), false};
  return range;
}

Cut threshold_cut(const Network& network, std::size_t input) {
  if (has_numbers(network) && network.numbers[input]) return {network.numbers[input]->threshold, false};
  return {1, false};
}

}  // namespace bnnplan::verification
