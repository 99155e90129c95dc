// One entry point for all readers.
#include "bnnplan/exchange/import_network.hpp"

#include "bnnplan/exchange/npz_network.hpp"
#include "bnnplan/exchange/onnx_network.hpp"
#include "bnnplan/exchange/torch_file.hpp"
#include "bnnplan/exchange/torch_network.hpp"

namespace bnnplan::exchange {

Network import_network(NetworkSource source, const std::filesystem::path& path,
                       const ImportOptions& options) {
  switch (source) {
    case NetworkSource::onnx:
      return fold(read_onnx_network(path, options));
    case NetworkSource::npz:
      return fold(read_npz_network(path, options));
    case NetworkSource::torch:
      return fold(read_torch_network(path, options));
  }
  return {};
}

Network import_network(NetworkSource source, std::string_view bytes, const std::string& name,
                       const ImportOptions& options) {
  switch (source) {
    case NetworkSource::onnx:
      return fold(onnx_network(bytes, name, options));
    case NetworkSource::npz:
      return fold(npz_network(parse_npz(bytes, name), name, options));
    case NetworkSource::torch:
      return fold(torch_network(parse_torch(bytes, name), name, options));
  }
  return {};
}

}  // namespace bnnplan::exchange
