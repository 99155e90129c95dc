#pragma once

#include <string_view>

namespace bnnplan::reporting {

// The files of page/, embedded by the build; the scripts as one.
std::string_view page_html();
std::string_view page_css();
std::string_view page_js();

}  // namespace bnnplan::reporting
