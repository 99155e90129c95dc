#pragma once

#include <stdexcept>
#include <string_view>

namespace bnnplan {

// What toml++ took for granted and is not so. There is malformed text that it does not expect; without this
// it would go on with undefined behaviour, so its assertions stay on and throw, in every build.
struct TomlConfusion : std::logic_error {
  using std::logic_error::logic_error;
};
[[noreturn]] void throw_toml_confusion(const char* condition);

}  // namespace bnnplan

#pragma push_macro("NDEBUG")
#undef NDEBUG
#define TOML_EXCEPTIONS 1
#define TOML_ASSERT(condition) \
  ((condition) ? static_cast<void>(0) : ::bnnplan::throw_toml_confusion(#condition))
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

namespace bnnplan {

// Parses TOML that others wrote. Throws InputError with the line for what is no TOML, and for what no problem
// needs: keys of more than 100 parts (a.a.a...), nesting deeper than toml++ allows (256), more than 64 MiB.
toml::table parse_toml(std::string_view text, std::string_view file);

}  // namespace bnnplan
