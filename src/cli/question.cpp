// Questions to a network: their files.
#include "bnnplan/cli/question.hpp"

#include "bnnplan/cli/file_kind.hpp"
#include "bnnplan/cli/options.hpp"
#include "bnnplan/network/network_file.hpp"

namespace bnnplan::cli {

QueryFile read_query_file(const std::string& file, const Network& network) {
  const InputText input = read_input(file);
  return parse_query_file(input.text, file, network);
}

VnnLibQuery read_vnnlib(const std::string& file, const Network& network) {
  const InputText input = read_input(file);
  return parse_vnnlib(input.text, input.name, network);
}

Network read_network_argument(const std::string& file, bool any_network) {
  const InputText input = read_input(file);
  Network network = read_as(FileKind::network, input, [&] { return parse_network(input.text, input.name); });
  if (!any_network && !is_classifier(network))
    throw InputError(input.name, "the network is not a classifier: it has no scores");
  return network;
}

}  // namespace bnnplan::cli
