#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bnnplan::exchange {

// What a pickle builds, as plain data. Values refer to each other by number, so cycles and nesting a million
// deep are harmless; code that traverses them has to bound the depth.
using PickleId = std::uint32_t;

enum class PickleKind {
  none,
  boolean,
  integer,
  huge_integer,  // text has its bytes, lowest first
  real,
  text,
  tuple,
  list,
  dictionary,  // items are key, value, key, value, ...; also an OrderedDict
  global,      // text is "module name", one of the allowed ones
  persistent,  // items has what it refers to
  call         // items has the called global and its arguments, a tuple
};

struct PickleValue {
  PickleKind kind = PickleKind::none;
  std::int64_t integer = 0;  // also of boolean
  double real = 0;
  std::string text = {};
  std::vector<PickleId> items = {};
};

struct Pickle {
  std::vector<PickleValue> values;
  PickleId root = 0;

  const PickleValue& at(PickleId id) const { return values[id]; }
  const PickleValue& top() const { return values[root]; }
};

// Reads one pickle from the front of `bytes` and removes it. Nothing is executed: calls are kept as data, and
// only for globals that `allowed` accepts; any other global, and any opcode that state dicts do not need, is
// an InputError that names it. Time and memory are bounded: at most `pickle_limit` values.
constexpr std::size_t pickle_limit = std::size_t{1} << 20;
Pickle read_pickle(std::string_view& bytes, const std::string& name,
                   bool (*allowed)(std::string_view global));

}  // namespace bnnplan::exchange
