#pragma once

#include <string>

#include <bnnplan/verify.hpp>

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

// Whether what is asked makes sense for networks that are not classifiers.
inline bool takes_any_network(const VerifyOptions& options) {
  return !options.query.empty() || !options.equal.empty() || !options.monotone.empty();
}

// The file whose numbers a message is about that they are too fine.
inline const std::string& file_of_numbers(const VerifyOptions& options) {
  return options.query.empty() ? options.image : options.query;
}

// Calls `visit` with the network and what is asked: a VerifyQuery, a LinearQuery, a MonotoneQuery, or another
// network, a region and what has to be equal.
template <class Visit>
auto ask(const VerifyOptions& options, const Network& network, const Visit& visit) {
  return verification::with_file_of_numbers(file_of_numbers(options), [&] {
    if (!options.query.empty())
      return visit(network, is_vnnlib(options.query) ? read_vnnlib(options.query, network).query
                                                     : read_query_file(options.query, network).query);
    if (!options.equal.empty())
      return visit(network, read_network_argument(options.equal, true), verify_region(options, network),
                   options.equal_by.value_or(Equality::classes));
    if (!options.monotone.empty()) return visit(network, monotone_query(options, network));
    return visit(network, verify_query(options, network));
  });
}

}  // namespace bnnplan::cli
