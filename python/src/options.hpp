#pragma once

#include "bnnplan/base/option.hpp"
#include "core.hpp"

namespace bnnplan::python {

// Sets options from keyword arguments; None leaves an option as it is. Raises TypeError for an unknown name
// or a value of the wrong kind, and throws OptionError for one that is not allowed.
void set_options(const std::vector<Option>& options, const py::dict& given);

// The same into a new struct of options, which a function lists.
template <class Options>
Options options_from(const py::dict& given, std::vector<Option> (*options_of)(Options&)) {
  Options options;
  set_options(options_of(options), given);
  return options;
}

}  // namespace bnnplan::python
