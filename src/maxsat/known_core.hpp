#pragma once

#include <cstddef>
#include <span>

#include "bnnplan/base/literal.hpp"

namespace bnnplan::maxsat {

// A core that a search need not find: at least `count` of these literals, which cost something, are true.
struct KnownCore {
  std::span<const Lit> cost_literals;
  std::size_t count = 1;
};

}  // namespace bnnplan::maxsat
