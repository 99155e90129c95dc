#pragma once

#include "bnnplan/base/json_text.hpp"
#include "bnnplan/view/view.hpp"

namespace bnnplan::view {

// The view as the report page reads it: variables are indices, null if there is none.
JsonValue view_json(const View& view);

}  // namespace bnnplan::view
