// One door to the readers.
#include "exchange/import_network.hpp"

#include "exchange/npz_network.hpp"
#include "exchange/onnx_network.hpp"
#include "exchange/torch_network.hpp"

namespace bnnplan {

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

}  // namespace bnnplan
