// Refused prefixes as a trie. A path of the search that begins with a refused prefix must not be continued,
// and whether it does depends only on its actions. So the search runs on the product of states and trie
// nodes: an action that continues a prefix leads from node to node, one that completes it has no successor,
// and any other leaves the trie for good. The product is hardly larger than the state graph: a trie node goes
// with the few states that its actions lead to.
//
// Prefixes may apply to certain initial states only; initial states that match the same prefixes share a
// root.
#include "bnnplan/engines/search/refused_trie.hpp"

#include <algorithm>

namespace bnnplan::engines {

RefusedTrie::RefusedTrie(const Problem& problem)
    : action_words_(std::max<std::size_t>(1, words_for(problem.action.bit_count()))) {
  const std::size_t state_words = words_for(problem.state.bit_count());
  for (const RefusedPrefix& source : problem.refused) {
    if (source.actions.size() > static_cast<std::size_t>(problem.horizon)) continue;
    Prefix prefix{Words(state_words, 0), Words(state_words, 0), {}};
    for (std::uint32_t bit = 0; bit < source.initial.size(); ++bit) {
      if (source.initial[bit] == unknown_bit) continue;
      set_bit(prefix.mask.data(), bit);
      if (source.initial[bit] != 0) set_bit(prefix.initial.data(), bit);
    }
    for (const auto& action : source.actions) {
      Words& words = prefix.actions.emplace_back(action_words_, 0);
      for (std::uint32_t bit = 0; bit < action.size(); ++bit) {
        if (action[bit] != 0) set_bit(words.data(), bit);
      }
    }
    prefixes_.push_back(std::move(prefix));
  }
}

RefusedTrie::Node RefusedTrie::root(const std::uint64_t* state) {
  std::vector<std::uint32_t> matching;
  for (std::uint32_t i = 0; i < prefixes_.size(); ++i) {
    const Prefix& prefix = prefixes_[i];
    bool matches = true;
    for (std::size_t word = 0; word < prefix.mask.size(); ++word) {
      matches &= (state[word] & prefix.mask[word]) == prefix.initial[word];
    }
    if (matches) matching.push_back(i);
  }
  if (matching.empty()) return outside;
  const auto [entry, is_new] = roots_.try_emplace(matching, outside);
  if (is_new) entry->second = make_root(matching);
  return entry->second;
}

RefusedTrie::Node RefusedTrie::make_root(std::span<const std::uint32_t> prefixes) {
  const auto add_node = [&] {
    children_.emplace_back();
    return static_cast<Node>(children_.size());
  };
  const Node root = add_node();
  for (const std::uint32_t number : prefixes) {
    const std::vector<Words>& actions = prefixes_[number].actions;
    if (actions.empty()) return refused;
    Node node = root;
    for (std::size_t t = 0; t < actions.size() && node != refused; ++t) {
      const bool last = t + 1 == actions.size();
      const auto known = children_[node - 1].find(actions[t]);
      if (known != children_[node - 1].end() && !last) {
        node = known->second;  // `refused` if a shorter prefix ends here
        continue;
      }
      const Node child = last ? refused : add_node();
      children_[node - 1].insert_or_assign(actions[t], child);
      node = child;
    }
  }
  return root;
}

RefusedTrie::Node RefusedTrie::after(Node node, const std::uint64_t* action) const {
  if (node == outside) return outside;
  const auto& children = children_[node - 1];
  const auto found = children.find(std::span(action, action_words_));
  return found == children.end() ? outside : found->second;
}

bool RefusedTrie::Less::operator()(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) const {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
}

}  // namespace bnnplan::engines
