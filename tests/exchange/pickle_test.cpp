#include "bnnplan/exchange/pickle.hpp"

#include "support/archive_maker.hpp"
#include "support/input_error_of.hpp"

namespace bnnplan::exchange {
namespace {

using testing::input_error_of;
using testing::little;

bool some(std::string_view global) { return global == "collections OrderedDict" || global == "m f"; }

Pickle unpickled(std::string_view bytes) {
  Pickle pickle = read_pickle(bytes, "p", some);
  EXPECT_EQ(bytes, "");
  return pickle;
}

std::string pickle_error(std::string_view bytes) {
  return input_error_of([&] { read_pickle(bytes, "p", some); });
}

TEST(Pickle, Numbers) {
  EXPECT_EQ(unpickled("K\x07.").top().integer, 7);
  EXPECT_EQ(unpickled(std::string("M\x01\x01.", 4)).top().integer, 257);
  EXPECT_EQ(unpickled("J\xff\xff\xff\xff.").top().integer, -1);
  EXPECT_EQ(unpickled("I-12\n.").top().integer, -12);
  EXPECT_EQ(unpickled("L12L\n.").top().integer, 12);
  EXPECT_EQ(unpickled("I01\n.").top().kind, PickleKind::boolean);
  EXPECT_EQ(unpickled("\x8a\x02\xff\xff.").top().integer, -1);
  EXPECT_EQ(unpickled(std::string("\x8a\x00.", 3)).top().integer, 0);
  EXPECT_EQ(unpickled(std::string("\x8a\x09\x01\x00\x00\x00\x00\x00\x00\x00\x01.", 12)).top().kind,
            PickleKind::huge_integer);
  EXPECT_EQ(unpickled(std::string("G\xbf\xf0\x00\x00\x00\x00\x00\x00.", 10)).top().real, -1);
  EXPECT_EQ(unpickled("\x88.").top().integer, 1);
  EXPECT_EQ(unpickled("N.").top().kind, PickleKind::none);
}

TEST(Pickle, Containers) {
  const Pickle tuple = unpickled("(K\x01K\x02K\x03t.");
  ASSERT_EQ(tuple.top().kind, PickleKind::tuple);
  EXPECT_EQ(tuple.at(tuple.top().items[2]).integer, 3);
  const Pickle list = unpickled(
      "](K\x01K\x02"
      "eK\x03"
      "a.");
  ASSERT_EQ(list.top().items.size(), 3u);
  EXPECT_EQ(list.at(list.top().items[2]).integer, 3);
  const Pickle dictionary = unpickled(
      "}(U\x01"
      "aK\x01U\x01"
      "bK\x02uU\x01"
      "cNs.");
  ASSERT_EQ(dictionary.top().kind, PickleKind::dictionary);
  ASSERT_EQ(dictionary.top().items.size(), 6u);
  EXPECT_EQ(dictionary.at(dictionary.top().items[2]).text, "b");
  // Remembered and recalled, in all ways.
  const Pickle pairs =
      unpickled("\x80\x04\x95" + little(9, 8) + "\x8c\x01x\x94h" + std::string(1, '\0') + "\x86.");
  ASSERT_EQ(pairs.top().items.size(), 2u);
  EXPECT_EQ(pairs.top().items[0], pairs.top().items[1]);
}

TEST(Pickle, CallsAreData) {
  const Pickle call = unpickled("cm\nf\nK\x01\x85R.");
  ASSERT_EQ(call.top().kind, PickleKind::call);
  EXPECT_EQ(call.at(call.top().items[0]).text, "m f");
  EXPECT_EQ(unpickled("ccollections\nOrderedDict\n)R.").top().kind, PickleKind::dictionary);
  EXPECT_EQ(unpickled("ccollections\nOrderedDict\n(((U\x01"
                      "aK\x01tltR.")
                .top()
                .items.size(),
            2u);
}

TEST(Pickle, WhatPicklesAreFearedFor) {
  EXPECT_EQ(pickle_error("cos\nsystem\n(S'echo'\ntR."),
            "p: the pickle asks for 'os system', which the tensors of a state dict do not need: refused, "
            "nothing was executed. For a whole model, save the state dict, torch.save(model.state_dict(), "
            "FILE), or export it to ONNX (at byte 11)");
  EXPECT_EQ(pickle_error("\x8c\x08"
                         "builtins\x8c\x04"
                         "eval\x93."),
            "p: the pickle asks for 'builtins eval', which the tensors of a state dict do not need: refused, "
            "nothing was executed. For a whole model, save the state dict, torch.save(model.state_dict(), "
            "FILE), or export it to ONNX (at byte 17)");
  EXPECT_EQ(pickle_error("(ios\nsystem\n."),
            "p: the pickle has the opcode INST, which the tensors of a state dict do not need: refused (at "
            "byte 2)");
  EXPECT_EQ(pickle_error(")\x81."),
            "p: the pickle has the opcode NEWOBJ, which the tensors of a state dict do not need: refused (at "
            "byte 2)");
  EXPECT_EQ(pickle_error("\xfe."), "p: the pickle has the opcode 0xfe, which is not known (at byte 1)");
}

TEST(Pickle, Damaged) {
  EXPECT_EQ(pickle_error(""), "p: the file ends too early (at byte 0)");
  EXPECT_EQ(pickle_error("K"), "p: the file ends too early (at byte 1)");
  EXPECT_EQ(pickle_error("X\xff\xff\xff\xff."), "p: the file ends too early (at byte 5)");
  EXPECT_EQ(pickle_error("."), "p: the pickle pops a missing value (at byte 1)");
  EXPECT_EQ(pickle_error("t."), "p: the pickle pops a missing mark (at byte 1)");
  EXPECT_EQ(pickle_error("K\x01(0."), "p: the pickle pops a missing value (at byte 4)");
  EXPECT_EQ(pickle_error("K\x01K\x02"
                         "a."),
            "p: the pickle appends to something that is not a list (at byte 5)");
  EXPECT_EQ(pickle_error("}(K\x01u."), "p: the pickle has a key without a value (at byte 5)");
  EXPECT_EQ(pickle_error("h\x05."), "p: the pickle reads an unset memo entry (at byte 2)");
  EXPECT_EQ(pickle_error("K\x01)R."), "p: the pickle calls something that is not a function (at byte 4)");
  EXPECT_EQ(pickle_error("K\x01K\x02"
                         "b."),
            "p: the pickle sets attributes of something that has none (at byte 5)");
  EXPECT_EQ(pickle_error("\x80\x09N."), "p: the pickle has an unknown version (at byte 2)");
}

TEST(Pickle, DeepCircularAndLong) {
  // A million brackets, each in the one before.
  std::string deep(1'000'000, ']');
  deep += std::string(999'999, 'a') + ".";
  EXPECT_EQ(unpickled(deep).values.size(), 1'000'000u);
  // A list that contains itself.
  const Pickle circle =
      unpickled(std::string("]q\x00h\x00"
                            "a.",
                            7));
  EXPECT_EQ(circle.top().items[0], circle.root);
  EXPECT_EQ(pickle_error(std::string(2'000'000, ')')),
            "p: the pickle has more than 1048576 values (at byte 1048577)");
  EXPECT_EQ(pickle_error(std::string(2'000'000, '(')),
            "p: the pickle has more than 1048576 values (at byte 1048577)");
  EXPECT_EQ(pickle_error("N" + std::string(2'000'000, '2')),
            "p: the pickle has more than 1048576 values (at byte 1048577)");
  EXPECT_EQ(pickle_error("Nr\xff\xff\xff\xff."),
            "p: the pickle has a memo index that is too large (at byte 6)");
  // Copies of one long list, over and over.
  std::string pairs = "]q" + std::string(1, '\0') + "(";
  for (int i = 0; i < 100'000; ++i) pairs += "NN\x86";
  pairs += "eccollections\nOrderedDict\nq\x01";
  for (int i = 0; i < 1000; ++i) pairs += "0h\x01h" + std::string(1, '\0') + "\x85R";
  EXPECT_NE(pickle_error(pairs).find("the pickle has more than 1048576 values"), std::string::npos);
}

}  // namespace
}  // namespace bnnplan::exchange
