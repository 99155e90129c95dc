// State dicts of PyTorch, in both containers; the older one has no checksums, so mutations reach the pickles.
#include "bnnplan/exchange/torch_file.hpp"
#include "bnnplan/exchange/torch_network.hpp"
#include "exchanged_network.hpp"

namespace bnnplan::fuzz {

void try_torch(std::string_view input) {
  const std::vector<exchange::NamedTensor> tensors = exchange::parse_torch(input, "n.pt");
  std::size_t numbers = 0;
  for (const exchange::NamedTensor& tensor : tensors) numbers += tensor.tensor.values.size();
  if (numbers > 100'000) return;
  try_with_facts([&](const exchange::ImportOptions& options) {
    return exchange::torch_network(tensors, "n.pt", with_array_facts(options));
  });
}

}  // namespace bnnplan::fuzz
