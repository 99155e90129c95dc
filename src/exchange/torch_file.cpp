// PyTorch state dicts. A pickle lists the tensors: each is a call of _rebuild_tensor_v2 with a storage (by a
// key), an offset into it, sizes and strides. The storages are plain numbers: in the zip container one file
// data/KEY each; in the older container after the pickles, in the order of a list of keys, each with its
// length.
//
// Offsets, sizes and strides are checked against the storage before anything is copied; a tensor with a
// stride of 0 is larger than its storage, so all tensors together may have at most tensor_limit numbers.
#include "bnnplan/exchange/torch_file.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "bnnplan/base/input_error.hpp"
#include "bnnplan/exchange/byte_reader.hpp"
#include "bnnplan/exchange/pickle.hpp"
#include "bnnplan/exchange/zip_archive.hpp"

namespace bnnplan::exchange {

namespace {

struct StorageKind {
  std::string_view global;
  ElementKind kind;
};

constexpr std::array storage_kinds = {StorageKind{"torch FloatStorage", ElementKind::f4},
                                      StorageKind{"torch DoubleStorage", ElementKind::f8},
                                      StorageKind{"torch HalfStorage", ElementKind::f2},
                                      StorageKind{"torch BFloat16Storage", ElementKind::bf2},
                                      StorageKind{"torch LongStorage", ElementKind::i8},
                                      StorageKind{"torch IntStorage", ElementKind::i4},
                                      StorageKind{"torch ShortStorage", ElementKind::i2},
                                      StorageKind{"torch CharStorage", ElementKind::i1},
                                      StorageKind{"torch ByteStorage", ElementKind::u1},
                                      StorageKind{"torch BoolStorage", ElementKind::boolean}};

constexpr std::string_view rebuild_tensor = "torch._utils _rebuild_tensor_v2",
                           rebuild_parameter = "torch._utils _rebuild_parameter";

bool allowed_global(std::string_view global) {
  return global == "collections OrderedDict" || global == rebuild_tensor || global == rebuild_parameter ||
         std::any_of(storage_kinds.begin(), storage_kinds.end(),
                     [&](const StorageKind& kind) { return kind.global == global; });
}

// ('storage', FloatStorage, '0', 'cpu', 784)
struct StorageReference {
  ElementKind kind = ElementKind::f4;
  std::string key;
  std::size_t length = 0;
};

class StateDict {
 public:
  StateDict(const Pickle& pickle, const std::string& name) : pickle_(pickle), name_(name) {}

  // All storages that persistent values refer to, by key.
  std::map<std::string, StorageReference> storages() const {
    std::map<std::string, StorageReference> all;
    for (const PickleValue& value : pickle_.values) {
      if (value.kind != PickleKind::persistent) continue;
      const StorageReference reference = storage_of(value);
      const auto [at, is_new] = all.emplace(reference.key, reference);
      if (!is_new && (at->second.kind != reference.kind || at->second.length != reference.length))
        fail(fmt::format("storage '{}' has two kinds or lengths", printable(reference.key)));
    }
    return all;
  }

  std::vector<NamedTensor> tensors(const std::map<std::string, std::vector<double>>& data) const {
    const PickleValue* dictionary = &pickle_.top();
    if (dictionary->kind != PickleKind::dictionary)
      fail("not a state dict: expected a dictionary of tensors");
    for (const std::string_view key : {"state_dict", "model_state_dict", "model"}) {
      const PickleValue* inner = entry(*dictionary, key);
      if (inner == nullptr || inner->kind != PickleKind::dictionary) continue;
      dictionary = inner;
      break;
    }
    std::vector<NamedTensor> tensors;
    std::size_t numbers = 0;
    for (std::size_t i = 0; i + 1 < dictionary->items.size(); i += 2) {
      const PickleValue& key = pickle_.at(dictionary->items[i]);
      const PickleValue* value = &pickle_.at(dictionary->items[i + 1]);
      // such as an epoch number
      if (key.kind != PickleKind::text || value->kind != PickleKind::call) continue;
      if (pickle_.at(value->items[0]).text == rebuild_parameter) value = &argument(*value, 0, key.text);
      tensors.push_back({key.text, tensor_of(*value, key.text, data, numbers)});
    }
    if (tensors.empty()) fail("not a state dict: it has no named tensors");
    return tensors;
  }

 private:
  [[noreturn]] void fail(std::string_view what) const { throw InputError(name_, what); }

  const PickleValue* entry(const PickleValue& dictionary, std::string_view key) const {
    for (std::size_t i = 0; i + 1 < dictionary.items.size(); i += 2) {
      const PickleValue& found = pickle_.at(dictionary.items[i]);
      if (found.kind == PickleKind::text && found.text == key) return &pickle_.at(dictionary.items[i + 1]);
    }
    return nullptr;
  }

  // The argument of a call.
  const PickleValue& argument(const PickleValue& call, std::size_t index, std::string_view tensor) const {
    if (call.kind != PickleKind::call)
      fail(fmt::format("'{}' is damaged: not a valid tensor", printable(tensor)));
    const std::vector<PickleId>& arguments = pickle_.at(call.items[1]).items;
    if (index >= arguments.size())
      fail(fmt::format("'{}' is damaged: an incomplete tensor", printable(tensor)));
    return pickle_.at(arguments[index]);
  }

  StorageReference storage_of(const PickleValue& persistent) const {
    const PickleValue& tuple = pickle_.at(persistent.items[0]);
    const auto item = [&](std::size_t i) -> const PickleValue& { return pickle_.at(tuple.items[i]); };
    if (tuple.kind != PickleKind::tuple || tuple.items.size() < 5 || item(0).kind != PickleKind::text ||
        item(0).text != "storage" || item(1).kind != PickleKind::global || item(2).kind != PickleKind::text ||
        item(4).kind != PickleKind::integer || item(4).integer < 0)
      fail("the file refers to something that is not the storage of a tensor");
    if (tuple.items.size() > 5 && item(5).kind != PickleKind::none)
      fail("a storage that is part of another one, expected a separate one");
    const auto kind = std::find_if(storage_kinds.begin(), storage_kinds.end(),
                                   [&](const StorageKind& known) { return known.global == item(1).text; });
    if (kind == storage_kinds.end()) fail("the file refers to something that is not the storage of a tensor");
    return {kind->kind, item(2).text, static_cast<std::size_t>(item(4).integer)};
  }

  std::vector<std::size_t> lengths(const PickleValue& tuple, std::string_view tensor) const {
    std::vector<std::size_t> result;
    if (tuple.kind != PickleKind::tuple || tuple.items.size() > 32)
      fail(fmt::format("'{}' is damaged: its shape is invalid", printable(tensor)));
    for (const PickleId id : tuple.items) {
      const PickleValue& value = pickle_.at(id);
      if (value.kind != PickleKind::integer || value.integer < 0)
        fail(fmt::format("'{}' is damaged: its shape is invalid", printable(tensor)));
      result.push_back(static_cast<std::size_t>(value.integer));
    }
    return result;
  }

  Tensor tensor_of(const PickleValue& call, const std::string& name,
                   const std::map<std::string, std::vector<double>>& data, std::size_t& numbers) const {
    const PickleValue& persistent = argument(call, 0, name);
    const PickleValue& offset = argument(call, 1, name);
    if (pickle_.at(call.items[0]).text != rebuild_tensor || persistent.kind != PickleKind::persistent ||
        offset.kind != PickleKind::integer || offset.integer < 0)
      fail(fmt::format("'{}' is damaged: not a valid tensor", printable(name)));
    Tensor tensor{lengths(argument(call, 2, name), name), {}};
    const std::vector<std::size_t> strides = lengths(argument(call, 3, name), name);
    const std::optional<std::size_t> count = element_count(tensor.shape);
    if (!count || *count > tensor_limit - numbers)
      fail(fmt::format("'{}' is too large: more than {} numbers", printable(name), tensor_limit));
    if (strides.size() != tensor.shape.size())
      fail(fmt::format("'{}' is damaged: its strides are invalid", printable(name)));
    if (*count == 0) return tensor;
    numbers += *count;
    const StorageReference reference = storage_of(persistent);
    tensor.is_double = reference.kind == ElementKind::f8;
    const std::vector<double>& storage = data.at(reference.key);
    const std::size_t from = static_cast<std::size_t>(offset.integer);
    std::size_t last = from;
    bool inside = from < storage.size();
    for (std::size_t d = 0; inside && d < strides.size(); ++d) {
      const std::size_t steps = tensor.shape[d] - 1;
      inside = steps == 0 || strides[d] <= (storage.size() - 1 - last) / steps;
      if (inside) last += steps * strides[d];
    }
    if (!inside) fail(fmt::format("'{}' is damaged: it is outside its storage", printable(name)));
    tensor.values.reserve(*count);
    for_each_offset(tensor.shape, strides, from,
                    [&](std::size_t at) { tensor.values.push_back(storage[at]); });
    return tensor;
  }

  const Pickle& pickle_;
  const std::string& name_;
};

std::vector<double> storage_data(std::string_view bytes, const StorageReference& reference, bool big_endian,
                                 const std::string& name) {
  if (bytes.size() / element_size(reference.kind) != reference.length ||
      bytes.size() % element_size(reference.kind) != 0)
    throw InputError(name, fmt::format("storage '{}' has {} bytes, expected {} numbers",
                                       printable(reference.key), bytes.size(), reference.length));
  if (reference.length > tensor_limit)
    throw InputError(name, fmt::format("storage '{}' is too large: more than {} numbers",
                                       printable(reference.key), tensor_limit));
  return decode_elements(bytes, reference.kind, big_endian, name);
}

std::vector<NamedTensor> parse_torch_archive(std::string_view bytes, const std::string& name) {
  const ZipArchive archive(bytes, name);
  std::map<std::string, const ZipEntry*> files;
  std::string folder;
  bool found = false, script = false;
  for (const ZipEntry& entry : archive.entries()) {
    files[entry.name] = &entry;
    const auto slash = entry.name.find('/');
    if (slash == std::string::npos) continue;
    if (entry.name.substr(slash) == "/data.pkl" && !found) {
      folder = entry.name.substr(0, slash + 1);
      found = true;
    }
    script = script || entry.name.substr(slash).starts_with("/code/");
  }
  if (script)
    throw InputError(name,
                     "a TorchScript module, expected a state dict (torch.save(model.state_dict(), ...))");
  if (!found) throw InputError(name, "not a file of torch.save: the archive has no data.pkl");
  bool big_endian = false;
  if (const auto order = files.find(folder + "byteorder"); order != files.end())
    big_endian = archive.unpack(*order->second) == "big";
  const std::string text = archive.unpack(*files.at(folder + "data.pkl"));
  std::string_view rest = text;
  const Pickle pickle = read_pickle(rest, name, allowed_global);
  const StateDict dictionary(pickle, name);
  std::map<std::string, std::vector<double>> data;
  std::size_t numbers = 0;
  for (const auto& [key, reference] : dictionary.storages()) {
    const auto file = files.find(folder + "data/" + key);
    if (file == files.end())
      throw InputError(name, fmt::format("storage '{}' is not in the archive", printable(key)));
    numbers += reference.length;
    if (reference.length > tensor_limit || numbers > tensor_limit)
      throw InputError(name, fmt::format("more than {} numbers in all", tensor_limit));
    data.emplace(key, storage_data(archive.unpack(*file->second), reference, big_endian, name));
  }
  return dictionary.tensors(data);
}

// The format before PyTorch 1.6: four pickles (a magic number, the version, the machine, the object), a list
// of keys, then the storages.
constexpr std::string_view torch_magic = "\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19";

std::vector<NamedTensor> parse_torch_stream(std::string_view bytes, const std::string& name) {
  const std::string_view all = bytes;
  const auto none = [](std::string_view) { return false; };
  const Pickle magic = read_pickle(bytes, name, none);
  if (magic.top().kind != PickleKind::huge_integer || magic.top().text != torch_magic)
    throw InputError(name, "a pickle, but not a file of torch.save");
  const Pickle version = read_pickle(bytes, name, none);
  if (version.top().kind != PickleKind::integer || version.top().integer != 1001)
    throw InputError(name, "a torch.save file of an unknown version");
  const Pickle machine = read_pickle(bytes, name, none);
  bool big_endian = false;
  for (std::size_t i = 0; machine.top().kind == PickleKind::dictionary && i + 1 < machine.top().items.size();
       i += 2) {
    if (machine.at(machine.top().items[i]).text == "little_endian")
      big_endian = machine.at(machine.top().items[i + 1]).integer == 0;
  }
  const Pickle pickle = read_pickle(bytes, name, allowed_global);
  const Pickle keys = read_pickle(bytes, name, none);
  const StateDict dictionary(pickle, name);
  const std::map<std::string, StorageReference> storages = dictionary.storages();
  std::map<std::string, std::vector<double>> data;
  std::size_t numbers = 0;
  ByteReader reader(all, name, all.size() - bytes.size());
  if (keys.top().kind != PickleKind::list) throw InputError(name, "the file has no list of its storages");
  for (const PickleId id : keys.top().items) {
    const std::string& key = keys.at(id).text;
    const auto reference = storages.find(key);
    if (reference == storages.end() || data.contains(key))
      throw InputError(name,
                       fmt::format("storage '{}' belongs to no tensor, or occurs twice", printable(key)));
    const std::uint64_t length = reader.number(8);
    if (length != reference->second.length || length > tensor_limit)
      throw InputError(name, fmt::format("storage '{}' has {} numbers, expected {}", printable(key), length,
                                         reference->second.length));
    numbers += reference->second.length;
    if (numbers > tensor_limit)
      throw InputError(name, fmt::format("more than {} numbers in all", tensor_limit));
    data.emplace(key, storage_data(reader.take(length * element_size(reference->second.kind)),
                                   reference->second, big_endian, name));
  }
  for (const auto& [key, reference] : storages) {
    if (!data.contains(key))
      throw InputError(name, fmt::format("storage '{}' is not in the file", printable(key)));
  }
  return dictionary.tensors(data);
}

}  // namespace

std::vector<NamedTensor> parse_torch(std::string_view bytes, const std::string& name) {
  if (bytes.starts_with("PK\x03\x04")) return parse_torch_archive(bytes, name);
  if (bytes.starts_with("\x80\x02") || bytes.starts_with("\x80\x03") || bytes.starts_with("\x80\x04"))
    return parse_torch_stream(bytes, name);
  throw InputError(name, "not a file of torch.save: neither its zip archive nor its older form");
}

}  // namespace bnnplan::exchange
