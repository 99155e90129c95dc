#pragma once

#include <vector>

namespace bnnplan::bench {

// The 45 published problems: nine networks, each with several horizons.
struct PublishedFamily {
  const char *domain, *instance;
  int first_horizon, last_horizon;
  double most_seconds;  // limit for the default engine on each
};

inline const std::vector<PublishedFamily> published_families{
    {"navigation", "3x3", 4, 10, 0.1}, {"navigation", "4x4", 4, 10, 0.1}, {"navigation", "5x5", 4, 10, 0.1},
    {"inventory", "1", 5, 8, 0.1},     {"inventory", "2", 5, 8, 0.1},     {"sysadmin", "4", 2, 4, 0.1},
    {"sysadmin", "5", 2, 4, 0.5},      {"cellda", "x", 8, 12, 0.1},       {"cellda", "y", 8, 12, 0.1}};

}  // namespace bnnplan::bench
