// A pickle is a program for a small stack machine, and Python's own machine lets it call any function there
// is: reading an untrusted pickle runs untrusted code. This machine has no functions. It supports the opcodes
// that make numbers, strings, tuples, lists and dictionaries; a call is a value like any other ("call of
// this, with these arguments"), made only for the few globals that the caller allows, and its meaning is up
// to the caller.
//
// Every opcode makes at most one value or moves some from the stack into one, and none copies (except
// OrderedDict, whose copies are counted): reading is linear. Values are numbered, not nested, so a pickle of
// a million open brackets, or a list that contains itself, needs no recursion to be read or destroyed.
#include "bnnplan/exchange/pickle.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <unordered_map>

#include <fmt/format.h>

#include "bnnplan/base/input_error.hpp"
#include "bnnplan/exchange/byte_reader.hpp"

namespace bnnplan::exchange {

namespace {

// Opcodes that are refused, by their names in Python's pickletools.
constexpr struct {
  unsigned char code;
  std::string_view name;
} refused_opcodes[] = {{'i', "INST"},         {'o', "OBJ"},
                       {'P', "PERSID"},       {0x81, "NEWOBJ"},
                       {0x82, "EXT1"},        {0x83, "EXT2"},
                       {0x84, "EXT4"},        {0x8f, "EMPTY_SET"},
                       {0x90, "ADDITEMS"},    {0x91, "FROZENSET"},
                       {0x92, "NEWOBJ_EX"},   {0x96, "BYTEARRAY8"},
                       {0x97, "NEXT_BUFFER"}, {0x98, "READONLY_BUFFER"}};

class Unpickler {
 public:
  Unpickler(std::string_view bytes, const std::string& name, bool (*allowed)(std::string_view))
      : reader_(bytes, name), allowed_(allowed) {}

  Pickle run() {
    while (!done_) step();
    return std::move(pickle_);
  }
  std::size_t length() const { return reader_.at(); }

 private:
  [[noreturn]] void fail(std::string_view what) const { reader_.fail(fmt::format("the pickle {}", what)); }

  PickleId push(PickleValue value) {
    if (pickle_.values.size() >= pickle_limit) fail(fmt::format("has more than {} values", pickle_limit));
    pickle_.values.push_back(std::move(value));
    const auto id = static_cast<PickleId>(pickle_.values.size() - 1);
    push_id(id);
    return id;
  }
  void push_id(PickleId id) {
    if (stack_.size() >= pickle_limit) fail(fmt::format("has more than {} values", pickle_limit));
    stack_.push_back(id);
  }
  void push_integer(std::int64_t number) { push({.kind = PickleKind::integer, .integer = number}); }
  void push_text(std::string_view text) { push({.kind = PickleKind::text, .text = std::string(text)}); }
  void push_empty(PickleKind kind) { push({.kind = kind}); }

  PickleId pop() {
    if (stack_.size() <= floor()) fail("pops a missing value");
    const PickleId id = stack_.back();
    stack_.pop_back();
    return id;
  }
  PickleId top() const {
    if (stack_.size() <= floor()) fail("pops a missing value");
    return stack_.back();
  }
  std::size_t floor() const { return marks_.empty() ? 0 : marks_.back(); }

  // What was pushed since the last mark.
  std::vector<PickleId> pop_mark() {
    if (marks_.empty()) fail("pops a missing mark");
    std::vector<PickleId> items(stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back()), stack_.end());
    stack_.resize(marks_.back());
    marks_.pop_back();
    return items;
  }

  void push_tuple(std::size_t size) {
    PickleValue tuple{.kind = PickleKind::tuple};
    tuple.items.resize(size);
    for (std::size_t i = size; i-- > 0;) tuple.items[i] = pop();
    push(std::move(tuple));
  }

  // Appends `items` to the list or dictionary on top of the stack.
  void extend_top(const std::vector<PickleId>& items, PickleKind kind) {
    PickleValue& value = pickle_.values[top()];
    if (value.kind != kind)
      fail(kind == PickleKind::list ? "appends to something that is not a list"
                                    : "adds a key to something that is not a dictionary");
    if (kind == PickleKind::dictionary && items.size() % 2 != 0) fail("has a key without a value");
    value.items.insert(value.items.end(), items.begin(), items.end());
  }

  void remember(std::uint64_t place) {
    if (place >= 4 * pickle_limit) fail("has a memo index that is too large");
    memo_[place] = top();
  }
  void recall(std::uint64_t place) {
    const auto found = memo_.find(place);
    if (found == memo_.end()) fail("reads an unset memo entry");
    push_id(found->second);
  }

  std::uint64_t whole_number_line() {
    const std::string_view line = reader_.line();
    std::uint64_t number = 0;
    if (std::from_chars(line.data(), line.data() + line.size(), number).ptr != line.data() + line.size() ||
        line.empty())
      fail("has a malformed number");
    return number;
  }
  // "12", "-3", "12L"; "00" and "01" are False and True.
  void push_integer_line() {
    std::string_view line = reader_.line();
    if (line == "00" || line == "01") {
      push({.kind = PickleKind::boolean, .integer = line == "01"});
      return;
    }
    if (line.ends_with('L')) line.remove_suffix(1);
    std::int64_t number = 0;
    if (std::from_chars(line.data(), line.data() + line.size(), number).ptr != line.data() + line.size() ||
        line.empty())
      fail("has a number that is malformed or too large");
    push_integer(number);
  }
  void push_long(std::uint64_t size) {
    const std::string_view bytes = reader_.take(size);
    if (size > 8) {
      push({.kind = PickleKind::huge_integer, .text = std::string(bytes)});
      return;
    }
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i)
      number |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
    if (!bytes.empty() && bytes.size() < 8 && (static_cast<unsigned char>(bytes.back()) & 0x80) != 0)
      number |= ~std::uint64_t{0} << (8 * bytes.size());
    push_integer(static_cast<std::int64_t>(number));
  }
  void push_real() {
    std::uint64_t bits = 0;
    for (const char c : reader_.take(8)) bits = bits << 8 | static_cast<unsigned char>(c);
    push({.kind = PickleKind::real, .real = std::bit_cast<double>(bits)});
  }

  void push_global(std::string_view module, std::string_view name) {
    const std::string global = fmt::format("{} {}", module, name);
    if (!allowed_(global))
      fail(fmt::format(
          "asks for '{}', which the tensors of a state dict do not need: refused, nothing was executed. For "
          "a whole model, save the state dict, torch.save(model.state_dict(), FILE), or export it to ONNX",
          printable(global, 100)));
    push({.kind = PickleKind::global, .text = global});
  }
  void push_global_from_stack() {
    const PickleId name = pop(), module = pop();
    if (pickle_.at(name).kind != PickleKind::text || pickle_.at(module).kind != PickleKind::text)
      fail("asks for a global whose name is not text");
    push_global(pickle_.at(module).text, pickle_.at(name).text);
  }

  // OrderedDict() becomes a dictionary at once, since keys are added to it afterwards.
  void call() {
    const PickleId arguments = pop(), function = pop();
    if (pickle_.at(function).kind != PickleKind::global || pickle_.at(arguments).kind != PickleKind::tuple)
      fail("calls something that is not a function");
    if (pickle_.at(function).text == "collections OrderedDict") {
      PickleValue dictionary{.kind = PickleKind::dictionary};
      const std::vector<PickleId>& given = pickle_.at(arguments).items;
      if (given.size() > 1) fail("makes an OrderedDict from more than one argument");
      if (given.size() == 1) {
        // The only copy there is: bounded, no matter how often it is requested.
        copied_ += pickle_.at(given[0]).items.size();
        if (copied_ > pickle_limit) fail(fmt::format("has more than {} values", pickle_limit));
        for (const PickleId pair : pickle_.at(given[0]).items) {
          if (pickle_.at(pair).items.size() != 2) fail("makes an OrderedDict from items that are not pairs");
          dictionary.items.insert(dictionary.items.end(), pickle_.at(pair).items.begin(),
                                  pickle_.at(pair).items.end());
        }
      }
      push(std::move(dictionary));
      return;
    }
    push({.kind = PickleKind::call, .items = {function, arguments}});
  }

  void step() {
    const auto code = static_cast<unsigned char>(reader_.number(1));
    switch (code) {
      case 0x80:  // PROTO
        if (reader_.number(1) > 5) fail("has an unknown version");
        return;
      case 0x95:
        reader_.take(8);
        return;  // FRAME
      case '.':  // STOP
        pickle_.root = pop();
        done_ = true;
        return;
      case '(':  // MARK
        if (marks_.size() >= pickle_limit) fail(fmt::format("has more than {} values", pickle_limit));
        marks_.push_back(stack_.size());
        return;
      case '0':
        pop();
        return;  // POP
      case '1':
        pop_mark();
        return;  // POP_MARK
      case '2':
        push_id(top());
        return;  // DUP
      case 'N':
        push({});
        return;   // NONE
      case 0x88:  // NEWTRUE
      case 0x89:  // NEWFALSE
        push({.kind = PickleKind::boolean, .integer = code == 0x88});
        return;
      case 'I':  // INT
      case 'L':
        push_integer_line();
        return;  // LONG
      case 'J':  // BININT
        push_integer(static_cast<std::int32_t>(static_cast<std::uint32_t>(reader_.number(4))));
        return;
      case 'K':
        push_integer(static_cast<std::int64_t>(reader_.number(1)));
        return;  // BININT1
      case 'M':
        push_integer(static_cast<std::int64_t>(reader_.number(2)));
        return;  // BININT2
      case 0x8a:
        push_long(reader_.number(1));
        return;  // LONG1
      case 0x8b:
        push_long(reader_.number(4));
        return;  // LONG4
      case 'G':
        push_real();
        return;  // BINFLOAT
      case 'U':  // SHORT_BINSTRING
      case 'C':  // SHORT_BINBYTES
      case 0x8c:
        push_text(reader_.take(reader_.number(1)));
        return;  // SHORT_BINUNICODE
      case 'T':  // BINSTRING
      case 'B':  // BINBYTES
      case 'X':
        push_text(reader_.take(reader_.number(4)));
        return;   // BINUNICODE
      case 0x8d:  // BINUNICODE8
      case 0x8e:
        push_text(reader_.take(reader_.number(8)));
        return;  // BINBYTES8
      case 'V':
        push_text(reader_.line());
        return;  // UNICODE
      case ')':
        push_tuple(0);
        return;  // EMPTY_TUPLE
      case 0x85:
      case 0x86:
      case 0x87:
        push_tuple(code - 0x84U);
        return;  // TUPLE1, 2, 3
      case 't':
        push({.kind = PickleKind::tuple, .items = pop_mark()});
        return;  // TUPLE
      case ']':
        push_empty(PickleKind::list);
        return;  // EMPTY_LIST
      case 'l':
        push({.kind = PickleKind::list, .items = pop_mark()});
        return;  // LIST
      case 'a':
        extend_top({pop()}, PickleKind::list);
        return;  // APPEND
      case 'e':
        append_marked(PickleKind::list);
        return;  // APPENDS
      case '}':
        push_empty(PickleKind::dictionary);
        return;  // EMPTY_DICT
      case 'd':
        make_dictionary();
        return;  // DICT
      case 's':
        set_item();
        return;  // SETITEM
      case 'u':
        append_marked(PickleKind::dictionary);
        return;  // SETITEMS
      case 'p':
        remember(whole_number_line());
        return;  // PUT
      case 'q':
        remember(reader_.number(1));
        return;  // BINPUT
      case 'r':
        remember(reader_.number(4));
        return;  // LONG_BINPUT
      case 0x94:
        remember(memo_.size());
        return;  // MEMOIZE
      case 'g':
        recall(whole_number_line());
        return;  // GET
      case 'h':
        recall(reader_.number(1));
        return;  // BINGET
      case 'j':
        recall(reader_.number(4));
        return;    // LONG_BINGET
      case 'c': {  // GLOBAL
        const std::string_view module = reader_.line();
        push_global(module, reader_.line());
        return;
      }
      case 0x93:
        push_global_from_stack();
        return;  // STACK_GLOBAL
      case 'R':
        call();
        return;  // REDUCE
      case 'Q':
        push({.kind = PickleKind::persistent, .items = {pop()}});
        return;  // BINPERSID
      case 'b':
        build();
        return;  // BUILD
      default:
        break;
    }
    const auto known = std::find_if(std::begin(refused_opcodes), std::end(refused_opcodes),
                                    [&](const auto& opcode) { return opcode.code == code; });
    if (known != std::end(refused_opcodes))
      fail(fmt::format("has the opcode {}, which the tensors of a state dict do not need: refused",
                       known->name));
    fail(fmt::format("has the opcode 0x{:02x}, which is not known", code));
  }

  void append_marked(PickleKind kind) {
    const std::vector<PickleId> items = pop_mark();
    extend_top(items, kind);
  }
  void make_dictionary() {
    std::vector<PickleId> items = pop_mark();
    if (items.size() % 2 != 0) fail("has a key without a value");
    push({.kind = PickleKind::dictionary, .items = std::move(items)});
  }
  void set_item() {
    const PickleId value = pop(), key = pop();
    extend_top({key, value}, PickleKind::dictionary);
  }
  // The attributes set on an OrderedDict (`_metadata` of a state dict) do not matter.
  void build() {
    pop();
    if (pickle_.at(top()).kind != PickleKind::dictionary) fail("sets attributes of something that has none");
  }

  ByteReader reader_;
  bool (*allowed_)(std::string_view);
  Pickle pickle_;
  std::vector<PickleId> stack_;
  std::vector<std::size_t> marks_;
  std::unordered_map<std::uint64_t, PickleId> memo_;
  std::size_t copied_ = 0;
  bool done_ = false;
};

}  // namespace

Pickle read_pickle(std::string_view& bytes, const std::string& name, bool (*allowed)(std::string_view)) {
  Unpickler machine(bytes, name, allowed);
  Pickle pickle = machine.run();
  bytes.remove_prefix(machine.length());
  return pickle;
}

}  // namespace bnnplan::exchange
