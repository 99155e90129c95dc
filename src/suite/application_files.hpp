#pragma once

#include <string_view>

namespace bnnplan {

// The IPAMIR application that goes into a submission, embedded by the build: examples/growing_horizons.c, and
// ipamir.h.
std::string_view application_c();
std::string_view application_h();

}  // namespace bnnplan
