#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gmpxx.h>

#include "bnnplan/network/imported_network.hpp"

namespace bnnplan::exchange {

// Facts that files of other tools do not state and that the user has to supply. A fact that is needed and
// missing is an InputError; one that is used goes into the network's record.
struct ImportOptions {
  // Inputs are numbers low, low + step, ..., high, and enter the network multiplied by `scale`.
  std::optional<std::pair<mpq_class, mpq_class>> range;
  std::optional<mpq_class> step;
  std::optional<mpq_class> scale;
  // Inputs are bits, and enter the network as these two numbers instead of -1 and +1.
  std::optional<std::pair<mpq_class, mpq_class>> bits;
  std::optional<mpq_class> epsilon;   // of batch normalisation, if the file has none
  std::vector<std::string> order;     // the modules of a state dict, in the order of use
  bool latent = false;                // weights are real numbers whose sign counts
  std::optional<ZeroGives> tie;       // the sign of 0
  std::optional<bool> scores;         // what the last layer is
  std::optional<ClassTie> class_tie;  // among equal scores
  std::vector<std::string> classes;   // names of the outputs
};

}  // namespace bnnplan::exchange
