#include "bnnplan/base/answer.hpp"

#include <iterator>

namespace bnnplan {

void Answer::append(Answer more) {
  fields.insert(fields.end(), std::make_move_iterator(more.fields.begin()),
                std::make_move_iterator(more.fields.end()));
  text += more.text;
}

}  // namespace bnnplan
