// How many bits an integer has. RDDL integers have no range; problems and networks need one. It is read off
// the constraints: every conjunct  c x + d <= 0  with a single variable bounds x by -d / c. Models that keep
// their integers small usually state the bounds in their invariants; otherwise the user has to give them.
#include "bnnplan/rddl/ground/bit_layout.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "bnnplan/base/checked.hpp"
#include "bnnplan/base/input_error.hpp"
#include "bnnplan/rddl/ground/linear_form.hpp"

namespace bnnplan::rddl {

namespace {

struct Bounds {
  std::optional<std::int64_t> low, high;

  void at_most(std::int64_t value) { high = high ? std::min(*high, value) : value; }
  void at_least(std::int64_t value) { low = low ? std::max(*low, value) : value; }
};

void read_bound(const LinearComparison& found, std::vector<Bounds>& all) {
  if (found.form.terms.size() != 1) return;
  const auto& [slot, coefficient] = *found.form.terms.begin();
  const Rational limit = (Rational{} - found.form.constant) / coefficient;
  Bounds& bounds = all[slot];
  const bool strict = found.comparison == FormComparison::below_zero;
  const bool equation = found.comparison == FormComparison::zero;
  if (equation || coefficient > Rational{})
    bounds.at_most(strict ? checked_add(ceiling(limit), -1) : floor(limit));
  if (equation || coefficient < Rational{})
    bounds.at_least(strict ? checked_add(floor(limit), 1) : ceiling(limit));
}

void read_bounds(const NodePool& pool, const std::vector<GroundCondition>& conditions,
                 std::vector<Bounds>& bounds) {
  for (const GroundCondition& condition : conditions) {
    for (const auto& [node, negated] : conjuncts_of(pool, condition.node)) {
      try {
        if (const auto found = linear_comparison(pool, node, negated)) read_bound(*found, bounds);
      } catch (const OverflowError&) {
        // Numbers this large give no bound.
      }
    }
  }
}

// Looks up the name of the ground variable first, then that of its fluent.
template <class Given>
const typename Given::mapped_type* given_for(const Given& given, const GroundVariable& variable) {
  for (const std::string& name : {variable.name, variable.fluent}) {
    if (const auto found = given.find(name); found != given.end()) return &found->second;
  }
  return nullptr;
}

// Throws InputError unless an integer in one of the lists has this name.
void require_integer(std::initializer_list<const std::vector<GroundVariable>*> lists, const std::string& name,
                     std::string_view what, std::string_view where) {
  std::vector<std::string> names;
  for (const auto* list : lists) {
    for (const GroundVariable& variable : *list) {
      if (variable.kind != ValueKind::integer) continue;
      if (name == variable.name || name == variable.fluent) return;
      if (names.empty() || names.back() != variable.fluent) names.push_back(variable.fluent);
    }
  }
  throw InputError(
      fmt::format("{} for '{}', which is not {}{}", what, printable(name), where, did_you_mean(name, names)));
}

void check_given(const GroundModel& model, const GivenBits& given) {
  for (const auto& [name, count] : given) {
    if (count.bits < 1 || count.bits > 32) {
      throw InputError(fmt::format("{} bits for '{}', expected 1 to 32", count.bits, printable(name)));
    }
    require_integer({&model.state, &model.action, &model.intermediate}, name, "bits",
                    "an integer of the model");
  }
}

void check_names(const GroundModel& model, const GivenRanges& ranges) {
  for (const auto& [name, range] : ranges)
    require_integer({&model.state, &model.action}, name, "a range",
                    "a number of the model's state or actions");
}

void add_given(const GroundModel& model, const GivenRanges& ranges, std::vector<Bounds>& bounds) {
  for (std::uint32_t slot = 0; slot < model.first_intermediate(); ++slot) {
    const GroundVariable& variable = model.variable(slot);
    const GivenRange* range = given_for(ranges, variable);
    if (range == nullptr || variable.kind != ValueKind::integer) continue;
    const Rational units = make_rational(checked_power_of_ten(variable.decimals));
    bounds[slot].at_least(ceiling(range->low * units));
    bounds[slot].at_most(floor(range->high * units));
  }
}

// Signed if it may be negative.
Variable with_given_bits(const std::string& name, int bits, bool negative) {
  return {.name = name, .boolean = false, .bits = bits, .twos_complement = negative};
}

Variable integer_variable(const GroundVariable& variable, const GivenBits& given, const Bounds& bounds,
                          bool is_state) {
  if (const BitCount* count = given_for(given, variable)) {
    return with_given_bits(variable.name, count->bits,
                           count->is_signed || bounds.low.value_or(0) < 0 || variable.initial < 0);
  }
  if (!bounds.low || !bounds.high) {
    throw RddlError(
        variable.place,
        fmt::format(
            "{} '{}' has no {} bound, expected {} such as '{} {} 7' or {} {}=N{}",
            is_state ? "integer" : "action", variable.name, !bounds.high ? "upper" : "lower",
            is_state ? "a state invariant" : "a constraint", variable.fluent,
            !bounds.high ? "<=" : ">=", option_name("bits"), variable.fluent,
            is_state ? fmt::format(" (or compile {}, simulate {})", option_name("reachable-ranges"),
                                   option_name("values"))
                     : fmt::format(" (or compile {} {}=LOW..HIGH)", option_name("range"), variable.fluent)));
  }
  if (*bounds.low > *bounds.high) {
    throw RddlError(variable.place, fmt::format("no value of '{}' satisfies its bounds", variable.name));
  }
  return variable_for_range(variable.name, *bounds.low, *bounds.high);
}

// The intersection. It should never be empty; if it is, `a` is still a sound answer.
Interval meet(const Interval& a, const Interval& b) {
  if (!a.known) return b;
  if (!b.known) return a;
  const Interval both{true, std::max(a.low, b.low), std::min(a.high, b.high)};
  return both.low <= both.high ? both : a;
}

// Extends `range`; returns whether it had to grow.
bool join(Interval& range, const Interval& added) {
  if (!range.known) return false;
  if (!added.known) {
    range = added;
    return true;
  }
  const Interval before = range;
  range = {true, std::min(range.low, added.low), std::max(range.high, added.high)};
  return range.low != before.low || range.high != before.high;
}

// How far integers can get: the intervals of one step after the other, from the initial state on, each joined
// with the previous ones. If a step adds nothing, no later one does.
//
//   R_0 = initial values,   R_(t+1) = R_t joined with next(R_t)
//
// Contains every value within `steps` legal steps, given what is known of some slots; unknown if nothing can
// be derived. Requires a deterministic model.
std::vector<Interval> reachable_ranges(const GroundModel& model, const std::vector<Interval>& known,
                                       int steps) {
  std::vector<Interval> slots = known;
  const std::uint32_t first_next = model.first_next();
  for (std::uint32_t slot = 0; slot < model.first_action(); ++slot) {
    if (model.state[slot].kind != ValueKind::real) slots[slot] = point_interval(model.state[slot].initial);
  }
  bool grown = true;
  for (int step = 0; step < steps && grown; ++step) {
    for (const GroundDefinition& definition : model.order) {
      const Interval value = evaluate_interval(model.nodes, definition.node, slots);
      slots[definition.slot] = definition.slot >= first_next ? meet(value, known[definition.slot]) : value;
    }
    grown = false;
    for (std::uint32_t slot = 0; slot < model.first_action(); ++slot)
      grown = join(slots[slot], slots[first_next + slot]) || grown;
  }
  return slots;
}

}  // namespace

GivenBits parse_given_bits(const std::vector<std::string>& arguments) {
  GivenBits given;
  for (const std::string& argument : arguments) {
    const auto equals = argument.rfind('=');
    int bits = 0;
    bool is_signed = false;
    if (equals != std::string::npos) {
      is_signed = argument.back() == 's';
      const char* end = argument.data() + argument.size() - (is_signed ? 1 : 0);
      const auto [stop, error] = std::from_chars(argument.data() + equals + 1, end, bits);
      if (error != std::errc() || stop != end) bits = 0;
    }
    if (bits < 1 || bits > 32) {
      throw InputError(fmt::format(
          "bad bit count '{}', expected NAME=N, or NAME=Ns for signed numbers, with N from 1 to 32",
          printable(argument)));
    }
    given[argument.substr(0, equals)] = {bits, is_signed};
  }
  return given;
}

GivenRanges parse_given_ranges(const std::vector<std::string>& arguments) {
  GivenRanges given;
  for (const std::string& argument : arguments) {
    const auto equals = argument.rfind('='),
               dots = argument.find("..", equals == std::string::npos ? 0 : equals);
    std::optional<Decimal> low, high;
    try {
      if (equals != std::string::npos && equals > 0 && dots != std::string::npos) {
        low = parse_decimal(std::string_view(argument).substr(equals + 1, dots - equals - 1));
        high = parse_decimal(std::string_view(argument).substr(dots + 2));
      }
    } catch (const OverflowError&) {  // treated like any other text that is not a number
      low.reset();
    }
    if (!low || !high || *high < *low) {
      throw InputError(fmt::format("bad range '{}', expected NAME=LOW..HIGH", printable(argument)));
    }
    given[argument.substr(0, equals)] = {rational_of(*low), rational_of(*high)};
  }
  return given;
}

Variable variable_for_range(const std::string& name, std::int64_t low, std::int64_t high) {
  Variable result = with_given_bits(name, 1, low < 0);
  for (; result.bits <= most_variable_bits; ++result.bits) {
    if (lowest_value(result) <= low && high <= highest_value(result)) return result;
  }
  throw InputError(fmt::format("'{}' from {} to {} needs more than {} bits", printable(name), low, high,
                               most_variable_bits));
}

BitLayout make_bit_layout(const GroundModel& model, const GivenBits& given, int reachable_steps,
                          const GivenRanges& ranges) {
  check_given(model, given);
  check_names(model, ranges);
  std::vector<Bounds> bounds(model.slot_count());
  read_bounds(model.nodes, model.invariants, bounds);
  add_given(model, ranges, bounds);
  // Constraints hold at every step but not in the last state, so only the other bounds apply to the next
  // state.
  const std::vector<Bounds> always = bounds;
  read_bounds(model.nodes, model.constraints, bounds);
  BitLayout layout;
  layout.ranges.assign(model.slot_count(), {false, {}, {}});
  std::vector<Interval> reachable = layout.ranges;
  if (reachable_steps > 0) {
    std::vector<Interval> known = make_known_ranges(model).ranges;
    for (std::uint32_t slot = model.first_action(); slot < model.first_intermediate(); ++slot) {
      if (model.variable(slot).kind != ValueKind::integer) continue;
      const Variable action = integer_variable(model.variable(slot), given, bounds[slot], false);
      known[slot] = interval_of(bounds[slot].low.value_or(lowest_value(action)),
                                bounds[slot].high.value_or(highest_value(action)));
    }
    // The next state need not satisfy the constraints.
    for (std::uint32_t slot = 0; slot < model.first_action(); ++slot) {
      const Bounds& next = always[slot];
      if (next.low && next.high) known[model.first_next() + slot] = interval_of(*next.low, *next.high);
    }
    reachable = reachable_ranges(model, known, reachable_steps);
  }
  for (std::uint32_t slot = 0; slot < model.first_intermediate(); ++slot) {
    const GroundVariable& ground = model.variable(slot);
    const bool is_state = slot < model.first_action();
    Variable variable{.name = ground.name};
    if (ground.kind == ValueKind::real) {
      throw RddlError(
          ground.place,
          fmt::format("{} '{}' is real: bits are for bool, int and enumerated types (compile {} {}=P "
                      "plans with multiples of P; simulate {} needs none)",
                      is_state ? "state-fluent" : "action-fluent", ground.name, option_name("precision"),
                      ground.fluent, option_name("values")));
    }
    Bounds range = bounds[slot], next = always[slot];
    if (ground.kind == ValueKind::boolean) {
      range = next = {0, 1};
    } else if (ground.kind == ValueKind::object) {
      range = next = {0, ground.object_count - 1};
      variable = variable_for_range(ground.name, 0, ground.object_count - 1);
    } else {
      if (is_state && (!range.low || !range.high) && reachable[slot].known) {
        for (Bounds* bounded : {&range, &next}) {
          bounded->at_least(floor(reachable[slot].low));
          bounded->at_most(ceiling(reachable[slot].high));
        }
      }
      variable = integer_variable(ground, given, range, is_state);
      variable.scale = -ground.decimals;
      for (Bounds* bounded : {&range, &next}) {
        bounded->at_least(lowest_value(variable));
        bounded->at_most(highest_value(variable));
      }
    }
    layout.ranges[slot] = interval_of(*range.low, *range.high);
    if (is_state) layout.ranges[model.first_next() + slot] = interval_of(*next.low, *next.high);
    (is_state ? layout.state : layout.action).add(std::move(variable));
  }
  return layout;
}

BitLayout make_known_ranges(const GroundModel& model) {
  std::vector<Bounds> bounds(model.slot_count());
  read_bounds(model.nodes, model.invariants, bounds);
  read_bounds(model.nodes, model.constraints, bounds);
  BitLayout layout;
  layout.ranges.assign(model.slot_count(), {false, {}, {}});
  for (std::uint32_t slot = 0; slot < model.first_intermediate(); ++slot) {
    const GroundVariable& variable = model.variable(slot);
    if (variable.kind == ValueKind::real) continue;
    Bounds range = bounds[slot];
    if (variable.kind == ValueKind::boolean) range = {0, 1};
    if (variable.kind == ValueKind::object) range = {0, variable.object_count - 1};
    if (range.low && range.high && *range.low <= *range.high)
      layout.ranges[slot] = interval_of(*range.low, *range.high);
  }
  return layout;
}

Variable intermediate_variable(const GroundModel& model, const GivenBits& given, std::uint32_t slot,
                               const Interval& range, BitLayout& layout) {
  const GroundVariable& ground = model.variable(slot);
  Variable variable{.name = ground.name};
  if (ground.kind == ValueKind::real)
    throw RddlError(
        ground.place,
        fmt::format("interm-fluent '{}' is real: bits are for bool, int and enumerated types", ground.name));
  if (ground.kind == ValueKind::boolean) {
    layout.ranges[slot] = interval_of(0, 1);
  } else if (ground.kind == ValueKind::object) {
    layout.ranges[slot] = interval_of(0, ground.object_count - 1);
    variable = variable_for_range(ground.name, 0, ground.object_count - 1);
  } else if (const BitCount* count = given_for(given, ground)) {
    variable = with_given_bits(ground.name, count->bits,
                               count->is_signed || (range.known && range.low < Rational{}));
    layout.ranges[slot] = interval_of(lowest_value(variable), highest_value(variable));
  } else if (range.known) {
    layout.ranges[slot] = interval_of(floor(range.low), ceiling(range.high));
    variable = variable_for_range(ground.name, floor(range.low), ceiling(range.high));
  } else {
    throw RddlError(ground.place, fmt::format("the range of interm-fluent '{}' is unknown, expected {} {}=N",
                                              ground.name, option_name("bits"), ground.fluent));
  }
  return variable;
}

std::int64_t lowest_value(const Variable& variable) {
  return variable.twos_complement ? -(std::int64_t{1} << (variable.bits - 1)) : 0;
}

std::int64_t highest_value(const Variable& variable) {
  return (std::int64_t{1} << (variable.twos_complement ? variable.bits - 1 : variable.bits)) - 1;
}

void append_bits(const VariableList& variables, std::span<const std::int64_t> values, BitValues& bits) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Variable& variable = variables.variables[i];
    if (values[i] < lowest_value(variable) || values[i] > highest_value(variable)) {
      throw InputError(fmt::format("value {} of '{}' does not fit into its {} bit{}, expected {} to {}",
                                   values[i], printable(variable.name), variable.bits,
                                   variable.bits == 1 ? "" : "s", lowest_value(variable),
                                   highest_value(variable)));
    }
    for (int b = 0; b < variable.bits; ++b) bits.push_back(static_cast<BitValue>((values[i] >> b) & 1));
  }
}

}  // namespace bnnplan::rddl
