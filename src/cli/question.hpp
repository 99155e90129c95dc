#pragma once

#include <string>

#include <bnnplan/verify.hpp>

#include "bnnplan/model/pb_formula.hpp"

namespace bnnplan::cli {

// Questions to a network that the options of `verify` and `check-proof` name, with their files, which may be
// standard input.

inline bool is_vnnlib(const std::string& query) {
  return query.ends_with(".vnnlib") || query.ends_with(".vnnlib.gz") || query.ends_with(".vnnlib.xz");
}
QueryFile read_query_file(const std::string& file, const Network& network);
VnnLibQuery read_vnnlib(const std::string& file, const Network& network);

// A classifier, or any network.
Network read_network_argument(const std::string& file, bool any_network = false);

// What a proof of the answer is about; its values times `unit`, plus `offset`, are distances.
struct AskedFormula {
  model::PbFormula formula;
  mpq_class unit = 1, offset = 0;
};
AskedFormula asked_formula(const VerifyOptions& options, const Network& network);

// Whether what is asked makes sense for networks that are not classifiers.
inline bool takes_any_network(const VerifyOptions& options) {
  return !options.query.empty() || !options.equal.empty() || !options.monotone.empty();
}

// The file whose numbers a message is about that they are too fine.
inline const std::string& file_of_numbers(const VerifyOptions& options) {
  return options.query.empty() ? options.image : options.query;
}

}  // namespace bnnplan::cli
