#include "support/onnx_maker.hpp"

#include <cstring>

#include "support/archive_maker.hpp"

namespace bnnplan::testing {

namespace {

std::string varint(std::uint64_t value) {
  std::string text;
  for (; value >= 0x80; value >>= 7) text += static_cast<char>((value & 0x7f) | 0x80);
  return text + static_cast<char>(value);
}

std::string float_bytes(float value) {
  std::string bytes(4, '\0');
  std::memcpy(bytes.data(), &value, 4);
  return bytes;
}

std::string tensor_of(const std::string& name, const OnnxNumbers& numbers) {
  std::string tensor;
  for (const std::int64_t length : numbers.shape)
    tensor += proto_number(1, static_cast<std::uint64_t>(length));
  tensor += proto_number(2, 1);  // float
  std::string data;
  for (const float value : numbers.values) data += float_bytes(value);
  return tensor + proto_bytes(8, name) + proto_bytes(9, data);
}

}  // namespace

std::string proto_number(int field, std::uint64_t value) {
  return varint(static_cast<std::uint64_t>(field) << 3) + varint(value);
}
std::string proto_bytes(int field, std::string_view content) {
  return varint(static_cast<std::uint64_t>(field) << 3 | 2) + varint(content.size()) + std::string(content);
}
std::string proto_float(int field, float value) {
  return varint(static_cast<std::uint64_t>(field) << 3 | 5) + float_bytes(value);
}

static std::string port_of(const std::string& name, const std::vector<std::int64_t>& shape, int type) {
  std::string dimensions;
  for (const std::int64_t length : shape)
    dimensions += proto_bytes(
        1, length == 0 ? proto_bytes(2, "batch") : proto_number(1, static_cast<std::uint64_t>(length)));
  return proto_bytes(1, name) +
         proto_bytes(2, proto_bytes(1, proto_number(1, static_cast<std::uint64_t>(type)) +
                                           proto_bytes(2, dimensions)));
}

OnnxMaker& OnnxMaker::input(const std::string& name, const std::vector<std::int64_t>& shape, int type) {
  graph_ += proto_bytes(11, port_of(name, shape, type));
  return *this;
}

OnnxMaker& OnnxMaker::output(const std::string& name, const std::vector<std::int64_t>& shape) {
  graph_ += proto_bytes(12, shape.empty() ? proto_bytes(1, name) : port_of(name, shape, 1));
  return *this;
}

OnnxMaker& OnnxMaker::floats(const std::string& name, const std::vector<std::int64_t>& shape,
                             const std::vector<float>& values) {
  graph_ += proto_bytes(5, tensor_of(name, {shape, values}));
  return *this;
}

OnnxMaker& OnnxMaker::integers(const std::string& name, const std::vector<std::int64_t>& values) {
  std::string data;
  for (const std::int64_t value : values) data += little(static_cast<std::uint64_t>(value), 8);
  graph_ += proto_bytes(
      5, proto_number(1, values.size()) + proto_number(2, 7) + proto_bytes(8, name) + proto_bytes(9, data));
  return *this;
}

OnnxMaker& OnnxMaker::node(const std::string& operation, const std::vector<std::string>& inputs,
                           const std::vector<std::string>& outputs,
                           const std::vector<std::pair<std::string, OnnxValue>>& attributes) {
  std::string node;
  for (const std::string& name : inputs) node += proto_bytes(1, name);
  for (const std::string& name : outputs) node += proto_bytes(2, name);
  const auto colon = operation.find(':');
  node += proto_bytes(3, outputs.empty() ? "" : outputs[0]);
  node += proto_bytes(4, colon == std::string::npos ? operation : operation.substr(colon + 1));
  if (colon != std::string::npos) node += proto_bytes(7, operation.substr(0, colon));
  for (const auto& [name, value] : attributes) {
    std::string attribute = proto_bytes(1, name);
    if (const auto* integer = std::get_if<std::int64_t>(&value)) {
      attribute += proto_number(3, static_cast<std::uint64_t>(*integer)) + proto_number(20, 2);
    } else if (const auto* real = std::get_if<float>(&value)) {
      attribute += proto_float(2, *real) + proto_number(20, 1);
    } else if (const auto* text = std::get_if<std::string>(&value)) {
      attribute += proto_bytes(4, *text) + proto_number(20, 3);
    } else if (const auto* list = std::get_if<std::vector<std::int64_t>>(&value)) {
      for (const std::int64_t item : *list) attribute += proto_number(8, static_cast<std::uint64_t>(item));
      attribute += proto_number(20, 7);
    } else {
      attribute += proto_bytes(5, tensor_of("", std::get<OnnxNumbers>(value))) + proto_number(20, 4);
    }
    node += proto_bytes(5, attribute);
  }
  graph_ += proto_bytes(1, node);
  return *this;
}

OnnxMaker& OnnxMaker::raw_graph_field(std::string_view bytes) {
  graph_ += bytes;
  return *this;
}

std::string OnnxMaker::bytes() const {
  return proto_number(1, 8) + proto_bytes(8, proto_number(2, static_cast<std::uint64_t>(version_))) +
         proto_bytes(7, graph_);
}

}  // namespace bnnplan::testing
