// Files without gaps, and the way back to the model's variables.
#include "bnnplan/formats/file_numbering.hpp"

#include <gtest/gtest.h>

#include "support/input_error_of.hpp"

namespace bnnplan::formats {
namespace {

using testing::input_error_of;
using Old = std::vector<std::uint32_t>;

TEST(FileNumbering, ClausesOfEveryFormat) {
  const RenumberedFile modern = renumber_clauses(
      "c variables 1 to 9 are those of the problem and its neurons, step by step\nh 3 -7 0\nh 9 -9 0\n5 -12 "
      "0\nh 0\n");
  EXPECT_EQ(
      modern.text,
      "c variables are numbered without gaps; the map beside says which is which\nh 1 -2 0\n5 -3 0\nh 0\n");
  EXPECT_EQ(modern.old_variable, (Old{2, 6, 11}));
  const RenumberedFile classic = renumber_clauses("p wcnf 20 3 9\n9 20 -4 0\n9 3 -3 0\n2 -4 0\n");
  EXPECT_EQ(classic.text, "p wcnf 2 2 9\n9 2 -1 0\n2 -1 0\n");
  EXPECT_EQ(classic.old_variable, (Old{3, 19}));
  EXPECT_EQ(renumber_clauses("p cnf 8 2\n8 0\n-8 5 0\n").text, "p cnf 2 2\n2 0\n-2 1 0\n");
}

TEST(FileNumbering, Opb) {
  const RenumberedFile file = renumber_opb(
      "* #variable= 12 #constraint= 2 * #equal= 1 intsize= 3\n* x3 in a comment\nmin: +1 x12 -2 x3 ;\n"
      "+1 x3 +1 ~x10 >= 1 ;\n+2 x12 = 0 ;\n");
  EXPECT_EQ(file.text,
            "* #variable= 3 #constraint= 2 * #equal= 1 intsize= 3\n* x3 in a comment\nmin: +1 x3 -2 x1 ;\n"
            "+1 x1 +1 ~x2 >= 1 ;\n+2 x3 = 0 ;\n");
  EXPECT_EQ(file.old_variable, (Old{2, 9, 11}));
}

TEST(FileNumbering, ValuesAndMapsThereAndBack) {
  model::ZeroOneModel model;
  model.layout.horizon = 1;
  model.layout.state_bits = 2;
  model.layout.action_bits = 1;
  model.state_names = {"at home", "x.0"};
  model.action_names = {"go"};
  ASSERT_EQ(model.layout.variable_count(), 5u);
  const FileNumbering numbering{{4, 1, FileNumbering::none, 2}};
  const std::string text = numbering_text(numbering, model, "f.wcnf");
  EXPECT_EQ(text,
            "c variables of f.wcnf: number, number in the model, name\np map 4 5\n1 5 x.0@2\n2 2 x.0@1\n3 - "
            "-\n4 3 go@1\n");
  EXPECT_EQ(parse_numbering(text, "f.map", 5), numbering);
  constexpr BitValue none = unknown_bit;
  EXPECT_EQ(numbering.in_model({1, 0, 1, 1}, 5), (BitValues{none, 0, 1, none, 1}));
  EXPECT_EQ(numbering.in_model({1}, 5), (BitValues{none, none, none, none, 1}));
}

TEST(FileNumbering, WrongMapsAreRefused) {
  const auto error = [](const std::string& text) {
    return input_error_of([&] { parse_numbering(text, "f.map", 5); });
  };
  EXPECT_EQ(error("1 2 x\n"), "f.map:1: expected 'p map VARIABLES MODEL-VARIABLES' first");
  EXPECT_EQ(error("p map 1 6\n"), "f.map:1: a map for another model, expected one with 5 variables");
  EXPECT_EQ(error("p map x 5\n"), "f.map:1: 'x', expected a number");
  EXPECT_EQ(error("p map 2 5\n2 1 x\n"), "f.map:2: variable 2, expected 1");
  EXPECT_EQ(error("p map 2 5\n1 6 x\n"),
            "f.map:2: variable 6 of the model, expected each of 1 to 5 at most once");
  EXPECT_EQ(error("p map 2 5\n1 2 x\n2 2 y\n"),
            "f.map:3: variable 2 of the model, expected each of 1 to 5 at most once");
  EXPECT_EQ(error("p map 2 5\n1 2 x\n"),
            "f.map:2: the map ends here, expected a line for each variable that it announces");
}

}  // namespace
}  // namespace bnnplan::formats
