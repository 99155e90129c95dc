#pragma once

#include "maxsat/search.hpp"

namespace bnnplan {

// Core-guided search: proves that cost after cost is impossible until a model of the next cost is found.
// Requires that the hard clauses have a model or that nobody knows yet.
SearchEnd search_core_guided(Search& search);

}  // namespace bnnplan
