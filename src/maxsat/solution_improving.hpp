#pragma once

#include "maxsat/search.hpp"

namespace bnnplan {

// Solution-improving search: demands a model cheaper than the best until there is none.
SearchEnd search_solution_improving(Search& search);

}  // namespace bnnplan
