// The validator of formats itself: what it lets pass, and one file for everything that it refuses.
#include <gtest/gtest.h>

#include "support/run_program.hpp"
#include "support/temporary_folder.hpp"

namespace bnnplan::formats {
namespace {

using testing::TemporaryFolder;

bool has_python() { return testing::run_program({"python3", "--version"}).exit_code == 0; }

// What is wrong with a file of this name and content; "valid" if nothing is.
std::string verdict(const TemporaryFolder& folder, const std::string& name, const std::string& content) {
  const std::string file = folder.write(name, content);
  const auto run =
      testing::run_program({"python3", BNNPLAN_SOURCE_DIR "/tests/formats/strict_validator.py", file});
  EXPECT_EQ(run.exit_code, run.output == file + ": valid\n" ? 0 : 2) << run.errors;
  return run.output.substr(file.size() + 2, run.output.size() - file.size() - 3);
}

TEST(StrictValidator, Clauses) {
  if (!has_python()) GTEST_SKIP() << "no python3 here";
  const TemporaryFolder folder;
  const auto modern = [&](const std::string& text) { return verdict(folder, "f.wcnf", text); };
  EXPECT_EQ(modern("c a comment\nc\nh 1 -2 0\n5 2 0\nh 0\n"), "valid");
  EXPECT_EQ(modern("p wcnf 2 2 9\n9 1 -2 0\n8 2 0\n"), "valid");
  EXPECT_EQ(modern("h 1 0"), "line 1: the last line does not end");
  EXPECT_EQ(modern("h 1  0\n"), "line 1: an empty line, or more than one blank between words or at an end");
  EXPECT_EQ(modern("h 1 0 \n"), "line 1: an empty line, or more than one blank between words or at an end");
  EXPECT_EQ(modern("h 1\t0\n"), "line 1: a character that is not printable ASCII");
  EXPECT_EQ(modern("h 1 0\r\n"), "line 1: a character that is not printable ASCII");
  EXPECT_EQ(modern("\nh 1 0\n"), "line 1: an empty line, or more than one blank between words or at an end");
  EXPECT_EQ(modern("comment\nh 1 0\n"), "line 1: a comment is 'c', a blank and text");
  EXPECT_EQ(modern("h 1\n"), "line 1: a clause ends with 0 on its line");
  EXPECT_EQ(modern("h 1 0 2 0\n"), "line 1: a literal is a number that is not 0");
  EXPECT_EQ(modern("h +1 0\n"), "line 1: a literal is a number that is not 0");
  EXPECT_EQ(modern("h 1 1 0\n"), "line 1: a literal twice in a clause");
  EXPECT_EQ(modern("0 1 0\n"), "line 1: a weight out of range");
  EXPECT_EQ(modern("9223372036854775808 1 0\n"), "line 1: a weight out of range");
  EXPECT_EQ(modern("9223372036854775807 1 0\n9223372036854775807 2 0\n1 3 0\n"),
            "line 3: weights that sum up to 2^64 - 1 or more");
  EXPECT_EQ(modern("x 1 0\n"), "line 1: a clause begins with h or a weight");
  EXPECT_EQ(modern("h 2147483648 0\n"), "line 1: a variable beyond 2^31 - 1");
  EXPECT_EQ(modern(""), "line 1: nothing in the file");
  EXPECT_EQ(modern("h 1 0\np wcnf 1 1 2\n"), "line 2: a p line behind clauses");
  EXPECT_EQ(modern("p wcnf 1 0 2\np wcnf 1 0 2\n"), "line 2: a second p line");
  EXPECT_EQ(modern("p wcnf 1 1\n1 1 0\n"), "line 1: expected 'p wcnf' and its numbers");
  EXPECT_EQ(modern("p wcnf 1 1 0\n1 1 0\n"), "line 1: a top out of range");
  EXPECT_EQ(modern("p wcnf 1 1 5\nh 1 0\n"), "line 2: a clause begins with a weight");
  EXPECT_EQ(modern("p wcnf 1 1 5\n6 1 0\n"), "line 2: a weight above the top");
  EXPECT_EQ(modern("p wcnf 1 1 5\n5 2 0\n"), "line 2: a variable beyond the announced ones");
  EXPECT_EQ(modern("p wcnf 1 2 5\n5 1 0\n"), "line 3: 1 clauses, 2 announced");
  EXPECT_EQ(modern("p wcnf 2 2 5\n3 1 0\n2 2 0\n"),
            "line 4: the top is not above the sum of the soft weights");
  EXPECT_EQ(verdict(folder, "f.cnf", "p cnf 2 1\n1 -2 0\n"), "valid");
  EXPECT_EQ(verdict(folder, "f.cnf", "1 -2 0\n"), "line 1: a clause before the p line");
  EXPECT_EQ(verdict(folder, "f.cnf", "c\n"), "line 2: no p line");
  EXPECT_EQ(verdict(folder, "f.txt", ""), "no .wcnf, .cnf or .opb file");
  EXPECT_NE(verdict(folder, "f.wcnf.gz", "not packed").find("cannot be read: "), std::string::npos);
}

TEST(StrictValidator, Opb) {
  if (!has_python()) GTEST_SKIP() << "no python3 here";
  const TemporaryFolder folder;
  const auto opb = [&](const std::string& text) { return verdict(folder, "f.opb", text); };
  const std::string head = "* #variable= 3 #constraint= 1\n";
  EXPECT_EQ(opb("* #variable= 3 #constraint= 2 * #equal= 1 intsize= 3\n* more\nmin: +1 x1 -2 x3 ;\n+1 x1 +1 "
                "~x2 >= 1 ;\n"
                "+3 x1 +2 x3 = 2 ;\n"),
            "valid");
  EXPECT_EQ(opb(head + ">= 1 ;\n"), "valid");
  EXPECT_EQ(opb("min: +1 x1 ;\n"),
            "line 1: the first line is '* #variable= N #constraint= M', perhaps with #equal= and intsize=");
  EXPECT_EQ(opb(head + "+1 x1 >= 1;\n"), "line 2: a statement is a line that ends with ;");
  EXPECT_EQ(opb(head + "+1 x1 >= 1 ;\nmin: +1 x1 ;\n"), "line 3: min: once, before all constraints");
  EXPECT_EQ(opb(head + "+1 x1 <= 1 ;\n"), "line 2: a constraint is terms, >= or =, and a number");
  EXPECT_EQ(opb(head + "+1 x1 >= x ;\n"), "line 2: the right side is a whole number");
  EXPECT_EQ(opb(head + "1 x1 >= 1 ;\n"), "line 2: a coefficient is a number with a sign");
  EXPECT_EQ(opb(head + "+1 x01 >= 1 ;\n"), "line 2: a variable is x and its number");
  EXPECT_EQ(opb(head + "+1 x1 x2 >= 1 ;\n"), "line 2: terms are pairs of a coefficient and a variable");
  EXPECT_EQ(opb(head + "+1 x1 +1 ~x1 >= 1 ;\n"), "line 2: a variable twice in a line");
  EXPECT_EQ(opb(head + "+1 x4 >= 1 ;\n"), "line 2: a variable beyond the announced ones");
  EXPECT_EQ(opb(head), "line 2: 0 constraints, 1 announced");
  EXPECT_EQ(opb("* #variable= 1 #constraint= 1 #equal= 1 intsize= 1\n+1 x1 >= 1 ;\n"),
            "line 3: 0 equations, 1 announced");
  EXPECT_EQ(opb("* #variable= 1 #constraint= 1 #equal= 0 intsize= 2\n+1 x1 >= 1 ;\n"),
            "line 3: sums of 1 bits, 2 announced");
  EXPECT_EQ(opb(""), "line 1: nothing in the file");
}

}  // namespace
}  // namespace bnnplan::formats
