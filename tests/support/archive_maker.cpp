#include "support/archive_maker.hpp"

#include <cstring>

#include <fmt/format.h>
#include <zlib.h>

namespace bnnplan::testing {

std::string little(std::uint64_t number, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(number >> (8 * i) & 0xff);
  return text;
}

namespace {

std::string deflated(const std::string& content) {
  std::string packed(::compressBound(content.size()) + 64, '\0');
  z_stream stream{};
  ::deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
  stream.avail_in = static_cast<uInt>(content.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  ::deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  ::deflateEnd(&stream);
  return packed;
}

template <class Number>
std::string bytes_of(const std::vector<Number>& numbers) {
  std::string bytes(numbers.size() * sizeof(Number), '\0');
  if (!numbers.empty()) std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}

}  // namespace

std::string zip_of(const std::vector<ArchiveEntry>& entries) {
  std::string archive, directory;
  std::size_t last_start = 0;
  for (const ArchiveEntry& entry : entries) {
    const std::string data = entry.deflated ? deflated(entry.content) : entry.content;
    const auto sum = ::crc32(0, reinterpret_cast<const Bytef*>(entry.content.data()),
                             static_cast<uInt>(entry.content.size()));
    const std::uint64_t size = entry.stated_size != 0 ? entry.stated_size : entry.content.size();
    const std::string common = little(entry.deflated ? 8 : 0, 2) + little(0, 4) + little(sum, 4) +
                               little(data.size(), 4) + little(size, 4) + little(entry.name.size(), 2) +
                               little(0, 2);
    if (!entry.same_data_as_before) {
      last_start = archive.size();
      archive += "PK\x03\x04" + little(20, 2) + little(0, 2) + common + entry.name + data;
    }
    directory += "PK\x01\x02" + little(20, 2) + little(20, 2) + little(0, 2) + common + little(0, 2) +
                 little(0, 8) + little(last_start, 4) + entry.name;
  }
  const std::size_t start = archive.size();
  archive += directory;
  return archive + "PK\x05\x06" + little(0, 4) + little(entries.size(), 2) + little(entries.size(), 2) +
         little(directory.size(), 4) + little(start, 4) + little(0, 2);
}

std::string npy_of(std::string_view type, std::string_view shape, std::string_view data, bool fortran) {
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': {}, }}", type,
                                   fortran ? "True" : "False", shape);
  header.append(63 - (header.size() + 10) % 64, ' ');
  header += '\n';
  return "\x93NUMPY" + std::string("\x01\x00", 2) + little(header.size(), 2) + header + std::string(data);
}

std::string npy_of_doubles(std::string_view shape, const std::vector<double>& numbers) {
  return npy_of("<f8", shape, bytes_of(numbers));
}

namespace {

std::string pickled(std::string_view text) { return "X" + little(text.size(), 4) + std::string(text); }
std::string pickled(int number) { return "J" + little(static_cast<std::uint32_t>(number), 4); }

}  // namespace

std::string torch_pickle_of(const std::vector<TorchTensor>& tensors) {
  std::string text =
      "\x80\x02"
      "ccollections\nOrderedDict\n)R(";
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const TorchTensor& tensor = tensors[i];
    text += pickled(tensor.name) + "ctorch._utils\n_rebuild_tensor_v2\n((" + pickled("storage") +
            "ctorch\nFloatStorage\n" + pickled(std::to_string(i)) + pickled("cpu") +
            pickled(static_cast<int>(tensor.values.size())) + "tQ" + pickled(0);
    std::string shape, strides;
    int step = 1;
    for (std::size_t d = tensor.shape.size(); d-- > 0;) {
      shape.insert(0, pickled(tensor.shape[d]));
      strides.insert(0, pickled(step));
      step *= tensor.shape[d];
    }
    text += "(" + shape + "t(" + strides +
            "t\x89"
            "ccollections\nOrderedDict\n)RtR";
  }
  return text + "u.";
}

std::string torch_archive_of(const std::vector<TorchTensor>& tensors) {
  std::vector<ArchiveEntry> entries = {{"net/data.pkl", torch_pickle_of(tensors)}};
  for (std::size_t i = 0; i < tensors.size(); ++i)
    entries.push_back({"net/data/" + std::to_string(i), bytes_of(tensors[i].values)});
  return zip_of(entries);
}

std::string torch_stream_of(const std::vector<TorchTensor>& tensors) {
  const std::string start = "\x80\x02";
  std::string text = start + "\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19." + start + "M\xe9\x03." +
                     start + "}" + pickled("little_endian") + "\x88s." + torch_pickle_of(tensors) + start +
                     "](";
  for (std::size_t i = 0; i < tensors.size(); ++i) text += pickled(std::to_string(i));
  text += "e.";
  for (const TorchTensor& tensor : tensors) text += little(tensor.values.size(), 8) + bytes_of(tensor.values);
  return text;
}

}  // namespace bnnplan::testing
