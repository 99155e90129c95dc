#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "bnnplan/formats/wcnf.hpp"
#include "bnnplan/maxsat/maxsat.hpp"

namespace bnnplan::maxsat {

// Both require one value per variable of the formula.

// The total weight of the soft clauses that the model falsifies.
formats::Weight cost_of_model(const formats::Wcnf& formula, const MaxSatModel& model);

// The index of the first hard clause that the model falsifies, if there is one.
std::optional<std::size_t> falsified_hard_clause(const formats::Wcnf& formula, const MaxSatModel& model);

}  // namespace bnnplan::maxsat
