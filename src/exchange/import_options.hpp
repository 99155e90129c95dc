#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gmpxx.h>

#include "network/imported_network.hpp"

namespace bnnplan {

// What files of other tools do not say, and has to be said by who knows it. A fact that is needed and missing is an
// InputError that names the option of `bnnplan import`; one that is used goes into the network's record.
struct ImportOptions {
  // Inputs are numbers low, low + step, ..., high, and enter the network multiplied by `scale`.
  std::optional<std::pair<mpq_class, mpq_class>> range;  // --range LOW:HIGH
  std::optional<mpq_class> step;                         // --step
  std::optional<mpq_class> scale;                        // --scale
  // Inputs are bits, and enter the network as these two numbers, in place of -1 and +1.
  std::optional<std::pair<mpq_class, mpq_class>> bits;  // --bits LOW,HIGH
  std::optional<mpq_class> epsilon;   // --epsilon: of batch normalisation, where the file has none
  std::vector<std::string> order;     // --order: the modules of a state dict, as they are used
  bool latent = false;                // --latent: weights are real numbers, their sign counts
  std::optional<ZeroGives> tie;       // --tie: what sign gives at 0
  std::optional<bool> scores;         // --outputs scores|bits: what the last layer is
  std::optional<ClassTie> class_tie;  // --class-tie: among equal scores
  std::vector<std::string> classes;   // --classes: names of the outputs
};

}  // namespace bnnplan
