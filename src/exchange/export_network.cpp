// Networks for other tools: chooses the writer for each target.
#include "bnnplan/exchange/export_network.hpp"

#include "bnnplan/base/text_file.hpp"
#include "bnnplan/exchange/write_c.hpp"
#include "bnnplan/exchange/write_npz.hpp"
#include "bnnplan/exchange/write_onnx.hpp"

namespace bnnplan::exchange {

std::string exported(const Network& network, NetworkTarget target, std::string_view name) {
  switch (target) {
    case NetworkTarget::onnx:
      return onnx_text(network, OnnxDialect::standard);
    case NetworkTarget::qonnx:
      return onnx_text(network, OnnxDialect::qonnx);
    case NetworkTarget::npz:
      return npz_text(network);
    case NetworkTarget::c:
      return c_text(network, name);
  }
  __builtin_unreachable();
}

void export_network(const std::filesystem::path& path, const Network& network, NetworkTarget target) {
  const std::string name = path == "-" ? "network" : c_name_of(path.stem().string());
  write_text_file(path, exported(network, target, name));
}

}  // namespace bnnplan::exchange
