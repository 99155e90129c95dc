#pragma once

// The options of a command, described once. A command's plain struct of options has one function that lists
// its fields as records: name, place, help, which values are allowed. The command line, Python's keyword
// arguments, the manual and the checks of the library are loops over this list.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "bnnplan/base/input_error.hpp"
#include "bnnplan/base/limits.hpp"
#include "bnnplan/base/proof_version.hpp"

namespace bnnplan {

// A value on its way into or out of an option. monostate: the option is not set.
using OptionValue = std::variant<std::monostate, bool, std::int64_t, double, std::string,
                                 std::vector<std::string>, std::vector<std::int64_t>>;

// The alternatives of OptionValue that an option may have.
enum class OptionKind : std::uint8_t { flag = 1, integer, number, text, texts, integers };

// The allowed values of integers and numbers, both ends included.
struct IntegerRange {
  std::int64_t least = std::numeric_limits<std::int64_t>::min(),
               most = std::numeric_limits<std::int64_t>::max();
};
struct RealRange {
  double least, most;
};

// A field of an options struct. set() takes the alternative of `kind`, an integer that fits.
struct OptionField {
  OptionKind kind = OptionKind::flag;
  std::function<OptionValue()> get;
  std::function<void(const OptionValue&)> set;
  IntegerRange fits = {};               // what the type of an integer can hold
  std::vector<std::string> words = {};  // the only values, if not empty
  // What is expected instead of a text; "" if the text has the right form. May be missing.
  std::function<std::string(const std::string&)> expected = {};
};
constexpr RealRange above_zero = {std::numeric_limits<double>::denorm_min(),
                                  std::numeric_limits<double>::max()};
constexpr IntegerRange thread_range = {1, 1024};
constexpr IntegerRange seed_range = {0, std::numeric_limits<std::int64_t>::max()};

struct Option {
  std::string name;  // in the form of the command line: time-limit
  OptionField field;
  std::string help = {};  // may have option_name()s
  std::string unit = {};  // what stands for its value in a synopsis: S, FILE; empty for flags
  std::variant<std::monostate, IntegerRange, RealRange> range = {};
  std::vector<std::string> needs = {}, excludes = {};  // names of other options
  std::string former_name = {};                        // still accepted
  char letter = 0;                                     // its short form on the command line, if it has one
  bool repeated = false;    // of texts: given once for each, as they may have commas
  bool file = false;        // the name of a file: neither empty nor - for a standard stream
  bool positional = false;  // on the command line: QUERY, without dashes
};

// Something is wrong with the options of a call.
class OptionError : public InputError {
 public:
  using InputError::InputError;
};

// "" if the option may have this value, otherwise what was expected: "a whole number from 1 to 1024".
std::string refusal(const Option& option, const OptionValue& value);

// The value that a text on a command line stands for; monostate if it does not have the form of the option's
// kind.
OptionValue parse_option(const Option& option, const std::string& text);

// Throws OptionError for values that are not allowed and for options that do not go together. Options that
// have their default values count as not given.
void check_options(std::span<const Option> options, std::span<const Option> defaults);

// The same for a struct of options and the function that lists them.
template <class Options>
void check_options(const Options& options,
                   std::type_identity_t<std::vector<Option> (*)(Options&)> options_of) {
  Options given = options, defaults;
  check_options(options_of(given), options_of(defaults));
}

// What descriptions are written with.
namespace describing {

// Fields of the types that options have: bool, integers, double, texts, paths, lists of these, and optional
// ones.
template <class Type>
OptionField field(Type& place);

// An enumeration, by words.
template <class Enum>
OptionField words(Enum& place, std::vector<std::pair<std::string, Enum>> meanings);

// The same by names that are listed in its order.
template <class Enum>
OptionField words(std::optional<Enum>& place, std::span<const std::string_view> names) {
  std::vector<std::pair<std::string, std::optional<Enum>>> meanings;
  for (std::size_t i = 0; i < names.size(); ++i) meanings.emplace_back(names[i], static_cast<Enum>(i));
  return words(place, std::move(meanings));
}

// One of these texts, or several.
OptionField one_of(std::string& place, std::vector<std::string> allowed);
OptionField some_of(std::vector<std::string>& place, std::vector<std::string> allowed);

// A text, or several, that a function parses. It throws InputError for a bad one.
OptionField parsed_text(std::function<void(const std::string&)> parse);
OptionField parsed_texts(std::function<void(const std::vector<std::string>&)> parse);

// The options of all that runs long: time-limit, memory-limit (in MiB), threads and seed.
std::vector<Option> limit_options(Limits& limits);

// Those of all that writes proofs: proof and proof-version.
std::vector<Option> proof_options(OptionField file, ProofVersion& version);

// The option of a name. Requires that there is one.
Option& option_named(std::vector<Option>& options, std::string_view name);

// The options of these names, in this order.
std::vector<Option> only(std::vector<Option> options, const std::vector<std::string_view>& names);

// Appends more options.
void add(std::vector<Option>& options, std::vector<Option> more);

template <class Type>
OptionField field(Type& place) {
  Type* at = &place;
  if constexpr (std::is_same_v<Type, bool>) {
    return {OptionKind::flag, [=] { return OptionValue(*at); },
            [=](const OptionValue& v) { *at = std::get<bool>(v); }};
  } else if constexpr (std::is_integral_v<Type>) {
    constexpr auto lowest = std::numeric_limits<Type>::min(), highest = std::numeric_limits<Type>::max();
    constexpr std::int64_t most =
        std::cmp_less(highest, seed_range.most) ? static_cast<std::int64_t>(highest) : seed_range.most;
    return {OptionKind::integer,
            [=] { return OptionValue(static_cast<std::int64_t>(*at)); },
            [=](const OptionValue& v) { *at = static_cast<Type>(std::get<std::int64_t>(v)); },
            {static_cast<std::int64_t>(lowest), most}};
  } else if constexpr (std::is_floating_point_v<Type>) {
    return {OptionKind::number, [=] { return OptionValue(*at); },
            [=](const OptionValue& v) { *at = std::get<double>(v); }};
  } else if constexpr (std::is_same_v<Type, std::string>) {
    return {OptionKind::text, [=] { return OptionValue(*at); },
            [=](const OptionValue& v) { *at = std::get<std::string>(v); }};
  } else if constexpr (std::is_same_v<Type, std::filesystem::path>) {
    return {OptionKind::text, [=] { return OptionValue(at->string()); },
            [=](const OptionValue& v) { *at = std::get<std::string>(v); }};
  } else if constexpr (std::is_same_v<Type, std::vector<std::string>>) {
    return {OptionKind::texts, [=] { return OptionValue(*at); },
            [=](const OptionValue& v) { *at = std::get<std::vector<std::string>>(v); }};
  } else if constexpr (std::is_same_v<Type, std::vector<std::size_t>>) {
    return {OptionKind::integers,
            [=] { return OptionValue(std::vector<std::int64_t>(at->begin(), at->end())); },
            [=](const OptionValue& v) {
              const auto& numbers = std::get<std::vector<std::int64_t>>(v);
              at->assign(numbers.begin(), numbers.end());
            }};
  } else {  // std::optional
    typename Type::value_type example{};
    const OptionField inner = field(example);
    return {inner.kind, [=] { return *at ? field(**at).get() : OptionValue(); },
            [=](const OptionValue& v) { field(at->emplace()).set(v); }, inner.fits};
  }
}

template <class Enum>
OptionField words(Enum& place, std::vector<std::pair<std::string, Enum>> meanings) {
  Enum* at = &place;
  OptionField made{OptionKind::text, {}, {}};
  for (const auto& [word, meaning] : meanings) made.words.push_back(word);
  made.get = [=] {
    for (const auto& [word, meaning] : meanings) {
      if (meaning == *at) return OptionValue(word);
    }
    return OptionValue();
  };
  made.set = [=](const OptionValue& value) {
    for (const auto& [word, meaning] : meanings) {
      if (word == std::get<std::string>(value)) *at = meaning;
    }
  };
  return made;
}

}  // namespace describing

}  // namespace bnnplan
