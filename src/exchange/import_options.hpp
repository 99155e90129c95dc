#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gmpxx.h>

#include "network/imported_network.hpp"

namespace bnnplan {

// Facts that files of other tools do not state and that the user has to supply. A fact that is needed and
// missing is an InputError; one that is used goes into the network's record. The comments name the option of
// `bnnplan import`.
struct ImportOptions {
  // Inputs are numbers low, low + step, ..., high, and enter the network multiplied by `scale`.
  std::optional<std::pair<mpq_class, mpq_class>> range;  // --range LOW:HIGH
  std::optional<mpq_class> step;                         // --step
  std::optional<mpq_class> scale;                        // --scale
  // Inputs are bits, and enter the network as these two numbers instead of -1 and +1.
  std::optional<std::pair<mpq_class, mpq_class>> bits;  // --bits LOW,HIGH
  std::optional<mpq_class> epsilon;   // --epsilon: of batch normalisation, if the file has none
  std::vector<std::string> order;     // --order: the modules of a state dict, in the order of use
  bool latent = false;                // --latent: weights are real numbers whose sign counts
  std::optional<ZeroGives> tie;       // --tie: the sign of 0
  std::optional<bool> scores;         // --outputs scores|bits: what the last layer is
  std::optional<ClassTie> class_tie;  // --class-tie: among equal scores
  std::vector<std::string> classes;   // --classes: names of the outputs
};

}  // namespace bnnplan
