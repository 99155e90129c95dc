#pragma once

#include "base/json_text.hpp"
#include "view/view.hpp"

namespace bnnplan::view {

// The view as the report page reads it: variables are indices, null if there is none.
JsonValue view_json(const View& view);

}  // namespace bnnplan::view
