// The table of a rank. A state belongs to the rank that its hash selects, in every layer, so that it is known
// which rank to ask for a node. The parent of a node may be on another rank: it is identified by the hash of
// its state, which does not depend on the number of ranks, unlike a rank and a number there. Two states with
// the same 64-bit hash would be confused when a plan is followed back, and nowhere else; a plan is checked.
#include "bnnplan/ranks/rank_nodes.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace bnnplan::ranks {

RankNodes::RankNodes(std::uint32_t state_bits, std::size_t state_words, std::uint32_t horizon)
    : state_words_(state_words) {
  const auto layer_bits = static_cast<unsigned>(std::bit_width(horizon));
  const std::size_t used = state_bits - std::min<std::size_t>(state_bits, 64 * (state_words - 1));
  const bool fits = engines::words_for(state_bits) == state_words && used + layer_bits <= 64;
  stored_words_ = fits ? state_words : state_words + 1;
  layer_shift_ = fits ? 64 - layer_bits : 0;
  state_mask_ = fits ? (std::uint64_t{1} << layer_shift_) - 1 : ~std::uint64_t{0};
}

std::uint64_t RankNodes::hash_of(const std::uint64_t* state) const {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < state_words_; ++i) value = engines::mixed_hash(value, state[i]);
  // Otherwise the low half of a product would choose among few ranks.
  return value * 0xd6e8feb86659fd93 ^ value >> 29;
}

bool RankNodes::is_state(Id id, const std::uint64_t* state) const {
  const std::uint64_t* known = words(id);
  if (!std::equal(state, state + state_words_ - 1, known)) return false;
  return (known[state_words_ - 1] & state_mask_) == state[state_words_ - 1];
}

std::uint32_t RankNodes::layer(Id id) const {
  return static_cast<std::uint32_t>(words(id)[stored_words_ - 1] >> layer_shift_);
}

void RankNodes::copy_state(Id id, std::uint64_t* state) const {
  std::copy_n(words(id), state_words_, state);
  state[state_words_ - 1] &= state_mask_;
}

RankNodes::Id RankNodes::find(const std::uint64_t* state, std::uint64_t hash, std::uint32_t of_layer) const {
  return index_.find(engines::mixed_hash(hash, of_layer),
                     [&](Id id) { return layer(id) == of_layer && is_state(id, state); });
}

RankNodes::Id RankNodes::find(std::uint64_t hash, std::uint32_t of_layer) const {
  engines::Words state(state_words_);
  return index_.find(engines::mixed_hash(hash, of_layer), [&](Id id) {
    copy_state(id, state.data());
    return layer(id) == of_layer && hash_of(state.data()) == hash;
  });
}

RankNodes::Id RankNodes::add(const std::uint64_t* state, std::uint64_t hash, std::uint32_t of_layer,
                             const Node& node) {
  if (nodes_.size() >= engines::no_index) throw std::length_error("more than 2^32 search nodes of one rank");
  const auto id = static_cast<Id>(nodes_.size());
  if ((nodes_.size() >> chunk_bits) == chunks_.size())
    chunks_.push_back(std::make_unique_for_overwrite<std::uint64_t[]>(stored_words_ << chunk_bits));
  std::uint64_t* place = chunks_.back().get() + (id & ((Id{1} << chunk_bits) - 1)) * stored_words_;
  std::copy_n(state, state_words_, place);
  if (stored_words_ > state_words_) place[state_words_] = 0;
  place[stored_words_ - 1] |= std::uint64_t{of_layer} << layer_shift_;
  nodes_.push_back(node);
  engines::Words scratch;  // most insertions do not need it
  index_.insert(engines::mixed_hash(hash, of_layer), id, [&](Id other) {
    scratch.resize(state_words_);
    copy_state(other, scratch.data());
    return engines::mixed_hash(hash_of(scratch.data()), layer(other));
  });
  return id;
}

std::size_t RankNodes::bytes() const {
  return nodes_.bytes() + chunks_.size() * (stored_words_ << chunk_bits) * sizeof(std::uint64_t) +
         index_.bytes();
}

std::size_t RankNodes::bytes_of_growth(std::size_t insertions) const {
  const std::size_t chunk = std::size_t{1} << chunk_bits;
  const std::size_t rows = (insertions + 2 * chunk - 1) / chunk * chunk;
  return rows * (sizeof(Node) + stored_words_ * sizeof(std::uint64_t)) + index_.bytes_of_growth(insertions);
}

}  // namespace bnnplan::ranks
