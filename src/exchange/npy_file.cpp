// NumPy arrays. A file is "\x93NUMPY", a version, the length of a header, the header, and the numbers. The
// header is the text of a Python dictionary, read by a parser for just that: strings, True, False, and tuples
// of integers. Objects (dtype O), which are pickles, and records are refused. The number of elements is
// checked against the number of bytes before anything is allocated.
#include "bnnplan/exchange/npy_file.hpp"

#include <cctype>
#include <charconv>

#include <fmt/format.h>

#include "bnnplan/base/input_error.hpp"
#include "bnnplan/exchange/byte_reader.hpp"
#include "bnnplan/exchange/zip_archive.hpp"

namespace bnnplan::exchange {

namespace {

struct NpyHeader {
  std::string type;  // "<f4"
  bool fortran_order = false;
  std::vector<std::size_t> shape;
  bool has_type = false, has_order = false, has_shape = false;
};

// {'descr': '<f4', 'fortran_order': False, 'shape': (10, 100), }
class NpyHeaderReader {
 public:
  NpyHeaderReader(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  NpyHeader read() {
    NpyHeader header;
    expect('{');
    while (!accept('}')) {
      const std::string key = quoted();
      expect(':');
      if (key == "descr" && !header.has_type) {
        header.has_type = true;
        if (peek() != '\'' && peek() != '"') fail("an array of records, expected numbers");
        header.type = quoted();
      } else if (key == "fortran_order" && !header.has_order) {
        header.has_order = true;
        header.fortran_order = truth();
      } else if (key == "shape" && !header.has_shape) {
        header.has_shape = true;
        header.shape = lengths();
      } else {
        fail(fmt::format("unknown key '{}' in the header of an array", printable(key)));
      }
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    if (peek() != '\0') fail("extra text after the header of an array");
    if (!header.has_type || !header.has_order || !header.has_shape)
      fail("the header of an array lacks its descr, fortran_order or shape");
    return header;
  }

 private:
  [[noreturn]] void fail(std::string_view what) const { throw InputError(name_, what); }

  char peek() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool accept(char c) {
    if (peek() != c || c == '\0') return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) fail(fmt::format("the header of an array is damaged, expected '{}'", c));
  }
  std::string quoted() {
    const char quote = peek();
    if (quote != '\'' && quote != '"') fail("the header of an array is damaged, expected text");
    const auto end = text_.find(quote, ++at_);
    if (end == std::string_view::npos) fail("the header of an array is damaged: unterminated text");
    std::string text(text_.substr(at_, end - at_));
    at_ = end + 1;
    return text;
  }
  bool truth() {
    peek();
    for (const std::string_view word : {"True", "False"}) {
      if (!text_.substr(at_).starts_with(word)) continue;
      at_ += word.size();
      return word == "True";
    }
    fail("the header of an array is damaged, expected True or False");
  }
  std::vector<std::size_t> lengths() {
    std::vector<std::size_t> shape;
    expect('(');
    while (!accept(')')) {
      peek();
      std::size_t length = 0;
      const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), length);
      if (error != std::errc()) fail("the shape of an array is damaged or too large");
      at_ = static_cast<std::size_t>(end - text_.data());
      if (peek() == 'L') ++at_;  // Python 2
      shape.push_back(length);
      if (shape.size() > 32) fail("an array of more than 32 dimensions");
      if (!accept(',')) {
        expect(')');
        break;
      }
    }
    return shape;
  }

  std::string_view text_;
  const std::string& name_;
  std::size_t at_ = 0;
};

constexpr std::size_t longest_text_array = std::size_t{1} << 20;

struct NpyKind {
  std::string_view code;
  ElementKind kind;
};

constexpr NpyKind npy_kinds[] = {
    {"f2", ElementKind::f2}, {"f4", ElementKind::f4}, {"f8", ElementKind::f8}, {"i1", ElementKind::i1},
    {"i2", ElementKind::i2}, {"i4", ElementKind::i4}, {"i8", ElementKind::i8}, {"u1", ElementKind::u1},
    {"u2", ElementKind::u2}, {"u4", ElementKind::u4}, {"u8", ElementKind::u8}, {"b1", ElementKind::boolean}};

// From Fortran order (the first index runs fastest) to C order (the last one does).
template <class Value>
void to_c_order(std::vector<Value>& values, const std::vector<std::size_t>& shape) {
  if (shape.size() < 2 || values.empty()) return;
  std::vector<std::size_t> step(shape.size(), 1);
  for (std::size_t d = 1; d < shape.size(); ++d) step[d] = step[d - 1] * shape[d - 1];
  std::vector<Value> ordered;
  ordered.reserve(values.size());
  for_each_offset(shape, step, 0, [&](std::size_t from) { ordered.push_back(std::move(values[from])); });
  values = std::move(ordered);
}

void append_utf8(std::string& text, std::uint64_t code) {
  const auto put = [&](std::uint64_t byte) { text += static_cast<char>(byte); };
  if (code < 0x80) return put(code);
  if (code < 0x800) {
    put(0xc0 | code >> 6);
  } else {
    if (code < 0x10000) {
      put(0xe0 | code >> 12);
    } else {
      put(0xf0 | code >> 18);
      put(0x80 | (code >> 12 & 0x3f));
    }
    put(0x80 | (code >> 6 & 0x3f));
  }
  put(0x80 | (code & 0x3f));
}

// Text of a fixed length, padded with zeros: S has one byte per character, U four.
std::string npy_text(std::string_view bytes, bool wide, bool big_endian, const std::string& name) {
  if (!wide) return std::string(bytes.substr(0, bytes.find_last_not_of('\0') + 1));
  std::string text;
  for (std::size_t i = 0; i + 4 <= bytes.size(); i += 4) {
    std::uint64_t code = 0;
    for (std::size_t k = 0; k < 4; ++k)
      code = code << 8 | static_cast<unsigned char>(bytes[i + (big_endian ? k : 3 - k)]);
    if (code == 0) break;
    if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) throw InputError(name, "invalid Unicode text");
    append_utf8(text, code);
  }
  return text;
}

}  // namespace

NpyArray parse_npy(std::string_view bytes, const std::string& name) {
  ByteReader reader(bytes, name);
  if (reader.left() < 6 || reader.take(6) != "\x93NUMPY") throw InputError(name, "not a NumPy array (.npy)");
  const std::uint64_t major = reader.number(1);
  reader.number(1);
  if (major < 1 || major > 3)
    throw InputError(name, fmt::format("version {} of .npy, expected 1, 2 or 3", major));
  const std::string_view text = reader.take(reader.number(major == 1 ? 2 : 4));
  const NpyHeader header = NpyHeaderReader(text, name).read();

  std::string_view type = header.type;
  bool big_endian = false;
  if (!type.empty() && std::string_view("<>|=").find(type.front()) != std::string_view::npos) {
    big_endian = type.front() == '>';
    type.remove_prefix(1);
  }
  const std::optional<std::size_t> count = element_count(header.shape);
  if (!count)
    throw InputError(
        name, fmt::format("an array of {} numbers, more than {}", shape_text(header.shape), tensor_limit));
  NpyArray array;
  array.tensor.shape = header.shape;
  const auto content = [&](std::size_t size) {
    if (reader.left() / size < *count || reader.left() != *count * size)
      throw InputError(name, fmt::format("an array of {} with {} bytes, expected {} each",
                                         shape_text(header.shape), reader.left(), size));
    return reader.take(*count * size);
  };
  for (const NpyKind& known : npy_kinds) {
    if (type != known.code) continue;
    array.tensor.values = decode_elements(content(element_size(known.kind)), known.kind, big_endian, name);
    array.kind = known.kind;
    if (header.fortran_order) to_c_order(array.tensor.values, header.shape);
    return array;
  }
  std::size_t length = 0;
  if (!type.empty() && (type.front() == 'U' || type.front() == 'S') &&
      std::from_chars(type.data() + 1, type.data() + type.size(), length).ptr == type.data() + type.size() &&
      length > 0 && length < tensor_limit && *count <= longest_text_array) {
    const bool wide = type.front() == 'U';
    const std::size_t size = wide ? 4 * length : length;
    const std::string_view all = content(size);
    for (std::size_t i = 0; i < *count; ++i)
      array.texts.push_back(npy_text(all.substr(i * size, size), wide, big_endian, name));
    if (header.fortran_order) to_c_order(array.texts, header.shape);
    array.is_text = true;
    return array;
  }
  throw InputError(
      name, fmt::format("an array of dtype '{}', expected numbers: f2 f4 f8 i1 i2 i4 i8 u1 u2 u4 u8 b1",
                        printable(header.type, 40)));
}

std::vector<NamedArray> parse_npz(std::string_view bytes, const std::string& name) {
  const ZipArchive archive(bytes, name);
  std::vector<NamedArray> arrays;
  std::size_t numbers = 0;
  for (const ZipEntry& entry : archive.entries()) {
    if (entry.name.ends_with('/')) continue;  // a folder
    if (!entry.name.ends_with(".npy"))
      throw InputError(name, fmt::format("'{}' in the archive is not an .npy file", printable(entry.name)));
    const std::string array_name = entry.name.substr(0, entry.name.size() - 4);
    arrays.push_back(
        {array_name, parse_npy(archive.unpack(entry), fmt::format("{}: {}", name, printable(array_name)))});
    numbers += arrays.back().array.tensor.values.size();
    if (numbers > tensor_limit)
      throw InputError(name, fmt::format("more than {} numbers in all", tensor_limit));
  }
  return arrays;
}

}  // namespace bnnplan::exchange
