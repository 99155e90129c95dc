#pragma once

#include <string>

#include "view/view.hpp"

namespace bnnplan {

// The view as the report page reads it: variables are their numbers, null where there is none.
std::string view_json(const View& view);

}  // namespace bnnplan
