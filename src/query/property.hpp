#pragma once

#include <cassert>
#include <cstdint>
#include <utility>
#include <vector>

namespace bnnplan::verification {

// Conditions joined by "all" and "any", of any depth. Children come before their parents; the last node is
// the root. All of nothing holds, any of nothing does not.
template <class Condition>
struct PropertyOf {
  enum class Kind : std::uint8_t { condition, all, any };
  struct Node {
    Kind kind = Kind::condition;
    std::uint32_t condition = 0;          // an index into `conditions`
    std::vector<std::uint32_t> children;  // for all and any
  };
  std::vector<Condition> conditions;
  std::vector<Node> nodes;

  std::uint32_t add(Condition condition) {
    nodes.push_back({Kind::condition, static_cast<std::uint32_t>(conditions.size()), {}});
    conditions.push_back(std::move(condition));
    return root();
  }
  std::uint32_t add(Kind kind, std::vector<std::uint32_t> children) {
    assert(kind != Kind::condition);
    nodes.push_back({kind, 0, std::move(children)});
    return root();
  }
  std::uint32_t root() const { return static_cast<std::uint32_t>(nodes.size() - 1); }
};

}  // namespace bnnplan::verification
