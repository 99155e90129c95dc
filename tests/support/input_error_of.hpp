#pragma once

#include <string>

#include <gtest/gtest.h>

#include "bnnplan/base/input_error.hpp"

namespace bnnplan::testing {

// The one line of the InputError that `action` throws; a failure of the test if it throws none.
template <class Action>
std::string input_error_of(Action action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  ADD_FAILURE() << "expected an InputError";
  return "";
}

}  // namespace bnnplan::testing
