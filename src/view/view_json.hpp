#pragma once

#include <string>

#include "view/view.hpp"

namespace bnnplan {

// The view as the report page reads it: variables are indices, null if there is none.
std::string view_json(const View& view);

}  // namespace bnnplan
