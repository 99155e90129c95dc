#pragma once

#include <string>
#include <string_view>

namespace bnnplan {

// 64 bits of FNV-1a in hexadecimal digits: to notice changes, not to withstand attacks.
std::string fingerprint(std::string_view text);

}  // namespace bnnplan
