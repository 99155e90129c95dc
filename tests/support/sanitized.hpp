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

// How often a test that tries random cases tries them: a tenth of it with a sanitizer, which looks for other
// errors.
template <class Number>
constexpr Number tries(Number count) {
  return sanitized() ? (count + 9) / 10 : count;
}

}  // namespace bnnplan::testing
