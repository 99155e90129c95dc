// Reads ONNX files by the schema of Debian's libonnx-dev, compiled by protoc; only this file sees protoc's
// output.
//
// A protobuf message of two bytes can require a hundred bytes of memory, so a file of a gigabyte could take a
// hundred. Before parsing, a scan of the lengths alone finds how much of the file is plain numbers of tensors
// (which take no more than their size); all the rest, the structure, may take 16 MiB.
#include "bnnplan/exchange/onnx_file.hpp"

#include <cmath>
#include <cstring>

#include <fmt/format.h>
#include <onnx.pb.h>

#include "bnnplan/base/input_error.hpp"

namespace bnnplan::exchange {

namespace {

constexpr std::size_t structure_limit = std::size_t{16} << 20;

// Field numbers of onnx.proto on the path from a model to the numbers of its tensors.
constexpr int graph_of_model = 7, node_of_graph = 1, initializer_of_graph = 5, attribute_of_node = 5,
              tensor_of_attribute = 5;

// Scans the fields of a message; calls inner(field number, content) for each length-delimited one, which
// returns how many of its bytes are plain numbers.
template <class Inner>
std::size_t plain_bytes(std::string_view message, Inner inner) {
  std::size_t at = 0, plain = 0;
  const auto varint = [&] {
    std::uint64_t value = 0;
    for (int shift = 0; at < message.size() && shift < 64; shift += 7) {
      const auto byte = static_cast<unsigned char>(message[at++]);
      value |= std::uint64_t{byte & 0x7fU} << shift;
      if (byte < 0x80) return value;
    }
    at = message.size() + 1;  // damaged: the parser will report it
    return std::uint64_t{0};
  };
  while (at < message.size()) {
    const std::uint64_t key = varint();
    const int kind = static_cast<int>(key & 7);
    if (kind == 0) {
      varint();
    } else if (kind == 1 || kind == 5) {
      at += kind == 1 ? 8 : 4;
    } else if (kind == 2) {
      const std::uint64_t size = varint();
      if (at > message.size() || size > message.size() - at) return plain;
      plain += inner(static_cast<int>(key >> 3 & 0xffff), message.substr(at, static_cast<std::size_t>(size)));
      at += static_cast<std::size_t>(size);
    } else {
      return plain;
    }
  }
  return plain;
}

// float_data, double_data and raw_data.
std::size_t plain_bytes_of_tensor(std::string_view tensor) {
  return plain_bytes(tensor, [](int field, std::string_view content) {
    return field == 4 || field == 9 || field == 10 ? content.size() : 0;
  });
}

std::size_t plain_bytes_of_node(std::string_view node) {
  return plain_bytes(node, [](int field, std::string_view attribute) {
    if (field != attribute_of_node) return std::size_t{0};
    return plain_bytes(attribute, [](int inner, std::string_view content) {
      return inner == tensor_of_attribute ? plain_bytes_of_tensor(content) : std::size_t{0};
    });
  });
}

std::size_t plain_bytes_of_model(std::string_view model) {
  return plain_bytes(model, [](int field, std::string_view graph) {
    if (field != graph_of_model) return std::size_t{0};
    return plain_bytes(graph, [](int inner, std::string_view content) {
      if (inner == initializer_of_graph) return plain_bytes_of_tensor(content);
      return inner == node_of_graph ? plain_bytes_of_node(content) : std::size_t{0};
    });
  });
}

constexpr double end_of_all = HUGE_VAL;  // stands for a 64-bit integer beyond 2^53

double bounded(std::int64_t value) {
  constexpr std::int64_t largest = std::int64_t{1} << 53;
  return value > largest ? end_of_all : value < -largest ? -end_of_all : static_cast<double>(value);
}

class OnnxReader {
 public:
  explicit OnnxReader(const std::string& name) : name_(name) {}

  OnnxGraph read(std::string_view bytes) {
    if (bytes.size() - std::min(bytes.size(), plain_bytes_of_model(bytes)) > structure_limit)
      fail(fmt::format("an ONNX file whose nodes and names take more than {} bytes", structure_limit));
    onnx::ModelProto model;
    if (!model.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())) || !model.has_graph())
      fail("not an ONNX model, or damaged");
    OnnxGraph graph;
    for (const auto& set : model.opset_import())
      if (set.domain().empty() || set.domain() == "ai.onnx") graph.version = set.version();
    for (const auto& entry : model.metadata_props()) graph.metadata[entry.key()] = entry.value();
    const onnx::GraphProto& source = model.graph();
    if (source.sparse_initializer_size() > 0) fail("sparse tensors, expected dense ones");
    for (const auto& tensor : source.initializer()) {
      if (!graph.constants.emplace(tensor.name(), tensor_of(tensor)).second)
        fail(fmt::format("duplicate constant '{}'", printable(tensor.name())));
    }
    for (const auto& input : source.input())
      if (!graph.constants.contains(input.name())) graph.inputs.push_back(port_of(input));
    for (const auto& output : source.output()) graph.outputs.push_back(port_of(output));
    for (const auto& node : source.node()) graph.nodes.push_back(node_of(node));
    return graph;
  }

 private:
  [[noreturn]] void fail(std::string_view what) const { throw InputError(name_, what); }

  static OnnxPort port_of(const onnx::ValueInfoProto& info) {
    OnnxPort port;
    port.name = info.name();
    if (!info.has_type() || !info.type().has_tensor_type()) return port;
    const std::optional<ElementKind> kind = kind_of(info.type().tensor_type().elem_type());
    port.whole = kind && is_whole(*kind);
    if (!info.type().tensor_type().has_shape()) return port;
    port.has_shape = true;
    for (const auto& dimension : info.type().tensor_type().shape().dim()) {
      const bool known = dimension.has_dim_value() && dimension.dim_value() >= 0;
      port.shape.push_back(known ? std::optional(static_cast<std::size_t>(dimension.dim_value()))
                                 : std::nullopt);
    }
    return port;
  }

  OnnxNode node_of(const onnx::NodeProto& source) {
    OnnxNode node;
    node.name = source.name();
    node.domain = source.domain() == "ai.onnx" ? "" : source.domain();
    node.operation = source.op_type();
    node.inputs.assign(source.input().begin(), source.input().end());
    node.outputs.assign(source.output().begin(), source.output().end());
    for (const auto& attribute : source.attribute())
      node.attributes[attribute.name()] = attribute_of(attribute);
    return node;
  }

  OnnxAttribute attribute_of(const onnx::AttributeProto& source) {
    OnnxAttribute attribute;
    if (source.has_i()) attribute.integer = source.i();
    if (source.has_f()) attribute.real = source.f();
    if (source.has_s()) attribute.text = source.s();
    if (source.has_t()) attribute.tensor = tensor_of(source.t());
    for (const std::int64_t value : source.ints()) attribute.numbers.push_back(bounded(value));
    for (const float value : source.floats()) attribute.numbers.push_back(value);
    attribute.is_list = source.type() == onnx::AttributeProto::INTS ||
                        source.type() == onnx::AttributeProto::FLOATS || !attribute.numbers.empty();
    return attribute;
  }

  static std::optional<ElementKind> kind_of(std::int32_t type) {
    switch (type) {
      case onnx::TensorProto::FLOAT:
        return ElementKind::f4;
      case onnx::TensorProto::DOUBLE:
        return ElementKind::f8;
      case onnx::TensorProto::FLOAT16:
        return ElementKind::f2;
      case onnx::TensorProto::BFLOAT16:
        return ElementKind::bf2;
      case onnx::TensorProto::INT8:
        return ElementKind::i1;
      case onnx::TensorProto::INT16:
        return ElementKind::i2;
      case onnx::TensorProto::INT32:
        return ElementKind::i4;
      case onnx::TensorProto::INT64:
        return ElementKind::i8;
      case onnx::TensorProto::UINT8:
        return ElementKind::u1;
      case onnx::TensorProto::UINT16:
        return ElementKind::u2;
      case onnx::TensorProto::UINT32:
        return ElementKind::u4;
      case onnx::TensorProto::UINT64:
        return ElementKind::u8;
      case onnx::TensorProto::BOOL:
        return ElementKind::boolean;
      default:
        return std::nullopt;
    }
  }

  static bool is_whole(ElementKind kind) {
    switch (kind) {
      case ElementKind::f2:
      case ElementKind::bf2:
      case ElementKind::f4:
      case ElementKind::f8:
      case ElementKind::boolean:
        return false;
      default:
        return true;
    }
  }

  Tensor tensor_of(const onnx::TensorProto& source) {
    const auto refuse = [&](std::string_view what) {
      fail(fmt::format("tensor '{}': {}", printable(source.name()), what));
    };
    if (source.data_location() == onnx::TensorProto::EXTERNAL || source.external_data_size() > 0)
      refuse("its numbers are in another file (external data), expected them in this one");
    const std::optional<ElementKind> kind = kind_of(source.data_type());
    if (!kind) refuse(fmt::format("data type {}, expected numbers", source.data_type()));
    if (source.dims_size() > static_cast<int>(dimension_limit))
      refuse(fmt::format("{} dimensions, expected at most {}", source.dims_size(), dimension_limit));
    Tensor tensor;
    tensor.whole = is_whole(*kind);
    for (const std::int64_t length : source.dims()) {
      if (length < 0) refuse("a negative length");
      tensor.shape.push_back(static_cast<std::size_t>(length));
    }
    const std::optional<std::size_t> count = element_count(tensor.shape);
    if (!count || *count > tensor_limit - numbers_)
      refuse(
          fmt::format("{}: too large, more than {} numbers in all", shape_text(tensor.shape), tensor_limit));
    numbers_ += *count;
    if (source.has_raw_data()) {
      if (source.raw_data().size() != *count * element_size(*kind))
        refuse(fmt::format("{} with {} bytes, expected {} each", shape_text(tensor.shape),
                           source.raw_data().size(), element_size(*kind)));
      tensor.values = *kind == ElementKind::i8 ? raw_integers(source.raw_data())
                                               : decode_elements(source.raw_data(), *kind, false, name_);
      return tensor;
    }
    tensor.values = listed_numbers(source, *kind);
    if (tensor.values.size() != *count)
      refuse(fmt::format("{} with {} numbers", shape_text(tensor.shape), tensor.values.size()));
    return tensor;
  }

  static std::vector<double> raw_integers(const std::string& bytes) {
    std::vector<double> values(bytes.size() / 8);
    for (std::size_t i = 0; i < values.size(); ++i) {
      std::uint64_t bits = 0;
      for (std::size_t k = 0; k < 8; ++k)
        bits |= std::uint64_t{static_cast<unsigned char>(bytes[8 * i + k])} << (8 * k);
      values[i] = bounded(static_cast<std::int64_t>(bits));
    }
    return values;
  }

  // If the tensor has no raw bytes, the kind determines the field that holds the numbers.
  std::vector<double> listed_numbers(const onnx::TensorProto& source, ElementKind kind) const {
    std::vector<double> values;
    switch (kind) {
      case ElementKind::f4:
        values.assign(source.float_data().begin(), source.float_data().end());
        break;
      case ElementKind::f8:
        values.assign(source.double_data().begin(), source.double_data().end());
        break;
      case ElementKind::i8:
        for (const std::int64_t value : source.int64_data()) values.push_back(bounded(value));
        break;
      case ElementKind::u4:
      case ElementKind::u8:
        for (const std::uint64_t value : source.uint64_data())
          values.push_back(value >> 53 != 0 ? end_of_all : static_cast<double>(value));
        break;
      case ElementKind::f2:
      case ElementKind::bf2:
        for (const std::int32_t value : source.int32_data()) {
          const char bytes[] = {static_cast<char>(value & 0xff), static_cast<char>(value >> 8 & 0xff)};
          values.push_back(decode_elements(std::string_view(bytes, 2), kind, false, name_)[0]);
        }
        break;
      default:
        values.assign(source.int32_data().begin(), source.int32_data().end());
    }
    return values;
  }

  const std::string& name_;
  std::size_t numbers_ = 0;
};

}  // namespace

OnnxGraph parse_onnx(std::string_view bytes, const std::string& name) {
  OnnxReader reader(name);
  return reader.read(bytes);
}

}  // namespace bnnplan::exchange
