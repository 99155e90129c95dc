// All neurons of a layer at once, sharing sorted blocks of inputs as planned in layer_sharing.cpp.
//
// Sorting the negations of a set of literals gives the negated sorted sequence in reverse order. So a user
// that reads a block with all signs flipped reads the same sequence from the other end, and needs nothing
// new.
//
// First the windows: from the neurons down, every block learns which positions its users read, from either
// end. Then the clauses: from the small blocks up, each is merged from its parts, and finally every neuron is
// one position of the merge of its two blocks.
//
// Each neuron alone sees a complete encoding of itself, as mixed_network would write it, so sharing costs no
// propagation; merges with both implications are symmetric under negation, so reading backwards costs none
// either.

#include "bnnplan/encode/layer_sharing.hpp"

namespace bnnplan::encoding {

namespace {

Window seen_from_the_other_end(Window window, int n) { return {n + 1 - window.last, n + 1 - window.first}; }

class SharedLayer {
 public:
  SharedLayer(const LayerSharing& sharing, SortingPrices& prices, ClauseSink& sink)
      : sharing_(sharing),
        prices_(prices),
        sink_(sink),
        windows_(sharing.blocks.size()),
        sorted_(sharing.blocks.size()) {}

  void compute_windows(std::span<const ReifiedAtLeast> neurons) {
    for (std::size_t i = 0; i < neurons.size(); ++i) {
      const int k = neurons[i].threshold;
      need_parts(sharing_.neurons[i][0], sharing_.neurons[i][1], {k, k});
    }
    for (std::size_t i = windows_.size(); i-- > 0;) {
      const std::vector<BlockUse>& parts = sharing_.blocks[i].parts;
      if (!parts.empty()) need_parts(parts[0], parts[1], windows_[i]);
    }
  }

  void sort_blocks() {
    for (std::size_t i = 0; i < sorted_.size(); ++i) {
      const SharedBlock& block = sharing_.blocks[i];
      if (block.parts.empty()) {
        sorted_[i] = sort_literals(block.literals, windows_[i], prices_, sink_);
      } else {
        sorted_[i].assign(block.literals.size(), kNotMade);
        merge_sorted(view(block.parts[0]), view(block.parts[1]), windows_[i], prices_.merges(), sink_,
                     &sorted_[i][static_cast<std::size_t>(windows_[i].first - 1)]);
      }
    }
  }

  void connect(std::span<const ReifiedAtLeast> neurons) {
    for (std::size_t i = 0; i < neurons.size(); ++i) {
      merge_at(view(sharing_.neurons[i][0]), view(sharing_.neurons[i][1]), neurons[i].threshold,
               neurons[i].output, Implication::both, sink_);
    }
  }

 private:
  int size_of(BlockUse use) const {
    return static_cast<int>(sharing_.blocks[static_cast<std::size_t>(use.block)].literals.size());
  }

  void need_parts(BlockUse one, BlockUse other, Window window) {
    need(one, needed_of_first(size_of(one), size_of(other), window));
    need(other, needed_of_first(size_of(other), size_of(one), window));
  }

  void need(BlockUse use, Window window) {
    if (use.negated) window = seen_from_the_other_end(window, size_of(use));
    Window& known = windows_[static_cast<std::size_t>(use.block)];
    known = hull(known, window);
  }

  SortedView view(BlockUse use) const {
    const SortedView sorted{std::span(sorted_[static_cast<std::size_t>(use.block)])};
    return use.negated ? sorted.of_negated_inputs() : sorted;
  }

  const LayerSharing& sharing_;
  SortingPrices& prices_;
  ClauseSink& sink_;
  std::vector<Window> windows_;
  std::vector<std::vector<Lit>> sorted_;
};

}  // namespace

void write_shared_layer(std::span<const ReifiedAtLeast> neurons, const LayerSharing& sharing,
                        SortingPrices& prices, ClauseSink& sink) {
  SharedLayer layer(sharing, prices, sink);
  layer.compute_windows(neurons);
  layer.sort_blocks();
  layer.connect(neurons);
}

}  // namespace bnnplan::encoding
