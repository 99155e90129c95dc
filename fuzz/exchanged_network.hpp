#pragma once

#include "bnnplan/exchange/import_options.hpp"
#include "bnnplan/network/network_file.hpp"
#include "fuzz_target.hpp"

namespace bnnplan::fuzz {

// Imports with options for inputs that are bits and, if that is refused, for inputs that are numbers. The
// resulting network must read back the same from its text.
template <class Import>
void try_with_facts(const Import& import) {
  exchange::ImportOptions bits, numbers;
  bits.bits = {0, 1};
  numbers.range = {0, 255};
  numbers.step = 1;
  numbers.scale = mpq_class(1, 255);
  const auto run = [&](const exchange::ImportOptions& options) {
    const Network network = fold(import(options));
    require(parse_network(network_text(network), "again") == network, "a network reads back the same");
  };
  try {
    run(bits);
  } catch (const InputError&) {
    run(numbers);
  }
}

// The same with options that only array files need.
inline exchange::ImportOptions with_array_facts(exchange::ImportOptions options) {
  options.epsilon = mpq_class(1, 100'000);
  options.latent = true;
  options.tie = ZeroGives::one;
  return options;
}

}  // namespace bnnplan::fuzz
