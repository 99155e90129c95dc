#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "check/pb_formula.hpp"
#include "verify/explain.hpp"
#include "verify/query_file.hpp"
#include "verify/two_networks.hpp"
#include "verify/vnnlib.hpp"

namespace bnnplan {

// The options that make up a question to a network, shared by `verify` and `check-proof`.
struct QueryOptions {
  std::string image, label, target, minimal, norm, epsilon, ties;
  std::string file;  // a query in TOML or VNN-LIB
  std::string equal, equal_by = "classes";
  std::string monotone, output, direction = "increasing", monotone_by = "score";
  bool transpose = false;

  void add_to(CLI::App& command);
  bool given() const { return !image.empty() || !file.empty() || !equal.empty() || !monotone.empty(); }
  bool is_file() const { return !file.empty(); }
  bool is_vnnlib() const;
  const std::string& file_of_numbers() const { return is_file() ? file : image; }

  // Of a query without a label: where it is asked. Everywhere without an image.
  Region region(const Network& network) const;
  MonotoneQuery monotone_query(const Network& network) const;
  Equality equality() const;
  ExplainQuery explain_query(const Network& network, const std::string& kind) const;
  QueryFile file_query(const Network& network) const;
  VnnLibQuery vnnlib_query(const Network& network) const;

  // What a proof of the answer is about; its values times `unit`, plus `offset`, are distances.
  struct Formula {
    PbFormula formula;
    mpq_class unit = 1, offset = 0;
  };
  Formula formula(const Network& network) const;

  // What is asked, without the input; and the whole, with the image. Throw InputError for what is missing or
  // wrong.
  VerifyQuery without_input(const Network& network) const;
  VerifyQuery read(const Network& network) const;

 private:
  Formula formula_of_question(const Network& network) const;
  mpq_class epsilon_value() const;
};

// A classifier, or any network.
Network read_network_argument(const std::string& file, bool any_network = false);

}  // namespace bnnplan
