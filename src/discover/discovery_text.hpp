#pragma once

#include <string>

#include "bnnplan/base/answer.hpp"
#include "bnnplan/discover/discover.hpp"

namespace bnnplan::discovery {

// "round 3, 12 questions: the plan promises cost 4; after step 2 the world is somewhere else"
std::string round_text(const Problem& problem, std::size_t number, const DiscoverRound& round);

// One turn as fields, for programs that follow the discovery.
JsonObject round_fields(const Problem& problem, const DiscoverRound& round);

// What is known at the end and what is not: in the model, in the world, what was asked.
Answer discovery_answer(const Discovered& found);

// The text of it as a page for a browser, with the rounds as a table and a picture. `check` is the result of
// replaying the plan in the world, as text; "" if there is none.
std::string discovery_page(const Discovered& found, const std::string& title, const std::string& check);

}  // namespace bnnplan::discovery
