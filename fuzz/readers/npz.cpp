// NumPy arrays and archives. Archives have checksums, which mutations break; so that arrays are tried as
// well, an input that is not an archive is a list of them: a byte for the length of a name, the name, two
// bytes for the length of an array, the array.
#include "bnnplan/exchange/npz_network.hpp"
#include "exchanged_network.hpp"

namespace bnnplan::fuzz {

namespace {

std::vector<exchange::NamedArray> list_of_arrays(std::string_view input) {
  std::vector<exchange::NamedArray> arrays;
  const auto take = [&](std::size_t size) {
    const std::string_view taken = input.substr(0, size);
    input.remove_prefix(taken.size());
    return taken;
  };
  const auto byte = [&] { return input.empty() ? 0U : static_cast<unsigned char>(take(1)[0]); };
  while (!input.empty()) {
    const std::string name(take(byte()));
    const std::size_t low = byte();
    arrays.push_back({name, exchange::parse_npy(take(low | std::size_t{byte()} << 8), "a")});
  }
  return arrays;
}

}  // namespace

void try_npz(std::string_view input) {
  const std::vector<exchange::NamedArray> arrays =
      input.starts_with("PK") ? exchange::parse_npz(input, "n.npz") : list_of_arrays(input);
  std::size_t numbers = 0;
  for (const exchange::NamedArray& array : arrays) numbers += array.array.tensor.values.size();
  if (numbers > 100'000) return;
  try_with_facts([&](const exchange::ImportOptions& options) {
    return exchange::npz_network(arrays, "n.npz", with_array_facts(options));
  });
}

}  // namespace bnnplan::fuzz
