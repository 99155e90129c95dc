#pragma once

namespace bnnplan::testing {

// Whether this is built with a sanitizer that needs much memory and address space, and time.
constexpr bool sanitized() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return true;
#else
  return false;
#endif
}

}  // namespace bnnplan::testing
