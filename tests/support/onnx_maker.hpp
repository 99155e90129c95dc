#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace bnnplan::testing {

// Writes ONNX files for tests, by hand and not by the schema, so that the reader is not compared with itself.
struct OnnxNumbers {
  std::vector<std::int64_t> shape;
  std::vector<float> values;
};

using OnnxValue = std::variant<std::int64_t, float, std::string, std::vector<std::int64_t>, OnnxNumbers>;

class OnnxMaker {
 public:
  explicit OnnxMaker(int version = 13) : version_(version) {}

  // A length of 0 is an open one; type 1: floats.
  OnnxMaker& input(const std::string& name, const std::vector<std::int64_t>& shape, int type = 1);
  OnnxMaker& output(const std::string& name, const std::vector<std::int64_t>& shape = {});
  OnnxMaker& floats(const std::string& name, const std::vector<std::int64_t>& shape,
                    const std::vector<float>& values);
  OnnxMaker& integers(const std::string& name, const std::vector<std::int64_t>& values);
  // "MatMul" or "domain:Operation"; the node is called as its first output.
  OnnxMaker& node(const std::string& operation, const std::vector<std::string>& inputs,
                  const std::vector<std::string>& outputs,
                  const std::vector<std::pair<std::string, OnnxValue>>& attributes = {});
  OnnxMaker& raw_graph_field(std::string_view bytes);

  std::string bytes() const;

 private:
  int version_;
  std::string graph_;
};

// Fields of protobuf messages.
std::string proto_number(int field, std::uint64_t value);
std::string proto_bytes(int field, std::string_view content);
std::string proto_float(int field, float value);

}  // namespace bnnplan::testing
