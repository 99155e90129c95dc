#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "verify/question.hpp"

namespace bnnplan {

// The options that make up a question to a network, shared by `verify` and `check-proof`.
struct QueryOptions {
  std::string image, label, target, minimal, norm, epsilon, ties = "label-loses";
  bool transpose = false;

  void add_to(CLI::App& command);
  bool given() const { return !image.empty(); }

  // What is asked, without the input; and the whole, with the image. Throw InputError for what is missing or wrong.
  VerifyQuery without_input(const Network& network) const;
  VerifyQuery read(const Network& network) const;
};

Network read_network_argument(const std::string& file);

}  // namespace bnnplan
