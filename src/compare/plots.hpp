#pragma once

#include <string>

#include "compare/scores.hpp"

namespace bnnplan {

// Pictures of a comparison as self-contained SVG, light or dark as the reader's system is.

// How many tasks each entrant solves within a time: the further right and the lower, the better.
std::string cactus_plot(const TimeTable& table);

// Each task as a point, with the times of two entrants (indices in the table) as its coordinates.
std::string scatter_plot(const TimeTable& table, std::size_t x, std::size_t y);

// Time over the horizon, one small chart per family with several horizons. Empty if there is none.
std::string horizon_plot(const TimeTable& table);

}  // namespace bnnplan
