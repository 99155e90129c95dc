// Files of another kind than the command expects, empty files, and standard input in place of a file.
#include <algorithm>

#include <gtest/gtest.h>

#include "bnnplan/base/text_file.hpp"
#include "support/run_bnnplan.hpp"
#include "support/shipped.hpp"
#include "support/temporary_folder.hpp"

namespace bnnplan::cli {
namespace {

using testing::corridor;
using testing::corridor_plan;
using testing::expect_bad_input;
using testing::ProgramResult;
using testing::run_bnnplan;
using testing::TemporaryFolder;

const std::string domains = BNNPLAN_SOURCE_DIR "/domains/";
const std::string network = testing::models + "corridor.bnn", domain = domains + "navigation.rddl",
                  instance = domains + "navigation_3x3.rddl";

// One file of each kind.
struct Files {
  TemporaryFolder folder;
  std::string data = (folder / "data.csv").string(), formula = (folder / "f.wcnf").string(),
              opb = (folder / "m.opb").string(), lp = (folder / "m.lp").string(),
              proof = (folder / "p.pbp").string(), answer = (folder / "answer").string();

  Files() {
    EXPECT_EQ(run_bnnplan({"simulate", domain, instance, "--exhaustive", "-o", data}).exit_code, 0);
    EXPECT_EQ(run_bnnplan({"encode", corridor, "--to", "wcnf", "-o", formula}).exit_code, 0);
    EXPECT_EQ(run_bnnplan({"encode", corridor, "--to", "opb", "-o", opb}).exit_code, 0);
    EXPECT_EQ(run_bnnplan({"encode", corridor, "--to", "lp", "-o", lp}).exit_code, 0);
    EXPECT_EQ(run_bnnplan({"plan", corridor, "--proof", proof}).exit_code, 0);
    folder.write("answer", run_bnnplan({"maxsat", formula}).output);
  }
};

TEST(FileKind, AProblemIsExpected) {
  const Files files;
  const std::string expected = ", expected a problem (.toml); ";
  const auto refused = [&](const std::string& file, const std::string& is, const std::string& advice) {
    expect_bad_input({"plan", file}, file + ": this is " + is + expected + advice);
  };
  refused(domain, "an RDDL file (.rddl)", "`bnnplan compile DOMAIN INSTANCE` makes one of it");
  refused(network, "a network (.bnn)", "this one is for `bnnplan info`");
  refused(corridor_plan, "a plan (.json)", "this one is for `bnnplan check PROBLEM PLAN`");
  refused(files.data, "a data set (.csv)", "this one is for `bnnplan learn`");
  refused(files.formula, "a WCNF or CNF formula", "this one is for `bnnplan maxsat`");
  for (const std::string& model : {files.opb, files.lp})
    refused(model, "a model for a solver (OPB, LP, MPS or MiniZinc)",
            "this one is for the solver, and for its answer `bnnplan decode`");
  refused(files.proof, "a proof (.pbp)", "this one is for `bnnplan check-proof PROBLEM PROOF`");
  refused(files.answer, "a solver's answer", "this one is for `bnnplan decode PROBLEM ANSWER`");
  // All commands that take one.
  const std::string line =
      network + ": this is a network (.bnn)" + expected + "this one is for `bnnplan info`";
  expect_bad_input({"check", network, corridor_plan}, line);
  expect_bad_input({"encode", network, "--to", "opb", "-o", "-"}, line);
  expect_bad_input({"decode", network, files.answer}, line);
  expect_bad_input({"check-proof", network, files.proof}, line);
  expect_bad_input({"report", network, corridor_plan, "-o", "-"}, line);
  expect_bad_input({"bench", network, "-o", (files.folder / "bench").string()}, line);
  expect_bad_input({"bench", network + "@3", "-o", (files.folder / "bench").string()}, line);
}

// Where the text says nothing, the name does, also of a packed file.
TEST(FileKind, ByItsName) {
  const TemporaryFolder folder;
  for (const char* name : {"f.wcnf", "f.wcnf.gz", "f.cnf.xz"}) {
    const std::string file = folder.write(name, "hello\n");
    expect_bad_input({"plan", file},
                     file +
                         ": this is a WCNF or CNF formula, expected a problem (.toml); this one "
                         "is for `bnnplan maxsat`");
  }
}

TEST(FileKind, OthersAreExpected) {
  const Files files;
  const std::string problem = corridor + ": this is a problem (.toml), expected ";
  expect_bad_input({"check", corridor, corridor},
                   problem + "a plan (.json); `bnnplan plan -o PLAN.json` makes one of it");
  expect_bad_input({"report", corridor, corridor, "-o", "-"},
                   problem + "a plan (.json); `bnnplan plan -o PLAN.json` makes one of it");
  expect_bad_input({"simulate", domain, instance, "--plan", corridor, "-o", "-"},
                   problem + "a plan (.json); `bnnplan plan -o PLAN.json` makes one of it");
  expect_bad_input({"learn", corridor, "--hidden", "3", "-o", "-"},
                   problem + "a data set (.csv); this one is for `bnnplan plan`");
  expect_bad_input({"learn", files.data, "--also", domain, "--hidden", "3", "-o", "-"},
                   domain +
                       ": this is an RDDL file (.rddl), expected a data set (.csv); `bnnplan simulate "
                       "DOMAIN INSTANCE` makes one of it");
  expect_bad_input({"maxsat", corridor},
                   problem + "a WCNF or CNF formula; `bnnplan encode --to wcnf` makes one of it");
  expect_bad_input({"decode", corridor, corridor},
                   problem + "a solver's answer; this one is for `bnnplan plan`");
  expect_bad_input({"check-proof", corridor, corridor},
                   problem + "a proof (.pbp); `bnnplan plan --proof PROOF` makes one of it");
  for (const std::string command : {"simulate", "compile"}) {
    expect_bad_input({command, corridor, instance, "-o", "-"},
                     problem + "an RDDL file (.rddl); this one is for `bnnplan plan`");
    expect_bad_input({command, domain, corridor, "-o", "-"},
                     problem + "an RDDL file (.rddl); this one is for `bnnplan plan`");
  }
  expect_bad_input({"check", corridor, corridor_plan, "--domain", corridor, "--instance", instance},
                   problem + "an RDDL file (.rddl); this one is for `bnnplan plan`");
  expect_bad_input({"plan", corridor, "--repair", corridor, instance},
                   problem + "an RDDL file (.rddl); this one is for `bnnplan plan`");
  expect_bad_input(
      {"compile", domain, instance, "--network", files.data, "-o", "-"},
      files.data + ": this is a data set (.csv), expected a network (.bnn); `bnnplan learn` makes one of it");
  expect_bad_input(
      {"check-proof", files.folder.write("no.opb", "name = 3\n[state]\nx = \"bool\"\n"), files.proof},
      (files.folder / "no.opb").string() +
          ": this is a problem (.toml), expected a model for a solver (OPB, LP, "
          "MPS or MiniZinc); this one is for `bnnplan plan`");
}

// Recognised by what is in it, whatever it is called; by its name where it says nothing.
TEST(FileKind, ByContentThenByName) {
  const TemporaryFolder folder;
  const std::string renamed = folder.write("network.toml", "\n# trained\nbnn 1\nshape 2\n");
  expect_bad_input(
      {"plan", renamed},
      renamed + ": this is a network (.bnn), expected a problem (.toml); this one is for `bnnplan info`");
  const std::string junk = folder.write("junk.csv", "what is this?\n");
  expect_bad_input(
      {"plan", junk},
      junk + ": this is a data set (.csv), expected a problem (.toml); this one is for `bnnplan learn`");
  // What is meant as a problem keeps its own error.
  const std::string wrong = folder.write("wrong.toml", "domain = 3\n[state]\nx = \"bool\"\n");
  expect_bad_input({"plan", wrong}, wrong + ":1: unknown key 'domain'");
  const std::string nameless =
      folder.write("nameless", "horizon = -1\ntransitions = [\"x' == x\"]\n[state]\nx = \"bool\"\n");
  EXPECT_EQ(run_bnnplan({"plan", nameless}).errors.find(nameless + ":1: "), 0u);
  // As does the network that a problem names.
  folder.write("empty.bnn", "");
  const std::string with_network = folder.write("p.toml", "network = \"empty.bnn\"\n[state]\nx = \"bool\"\n");
  expect_bad_input({"plan", with_network},
                   (folder / "empty.bnn").string() + ":1: the file ends, expected 'bnn 1' or 'bnn 2'");
}

TEST(FileKind, EmptyFiles) {
  const TemporaryFolder folder;
  const std::string empty = folder.write("empty", " \n\n");
  const auto refused = [&](const std::vector<std::string>& arguments, const std::string& expected) {
    expect_bad_input(arguments, empty + ":1: the file is empty, expected " + expected);
  };
  refused({"plan", empty}, "a problem (.toml)");
  refused({"info", empty}, "a problem (.toml)");
  refused({"check", corridor, empty}, "a plan (.json)");
  refused({"report", corridor, empty, "-o", "-"}, "a plan (.json)");
  refused({"decode", corridor, empty}, "a solver's answer");
  EXPECT_EQ(run_bnnplan({"check-proof", corridor, empty}).exit_code, 20) << "refused as any other";
  refused({"learn", empty, "--hidden", "3", "-o", "-"}, "a data set (.csv)");
  refused({"simulate", empty, instance, "-o", "-"}, "an RDDL file (.rddl)");
  refused({"compile", domain, empty, "-o", "-"}, "an RDDL file (.rddl)");
  refused({"compile", domain, instance, "--network", empty, "-o", "-"}, "a network (.bnn)");
  const std::string network_file = folder.write("empty.bnn", "");
  expect_bad_input({"info", network_file}, network_file + ":1: the file is empty, expected a network (.bnn)");
  const std::string domain_file = folder.write("empty.rddl", "");
  expect_bad_input({"info", domain_file},
                   domain_file + ":1: the file is empty, expected an RDDL file (.rddl)");
  const std::string remark = folder.write("remark.rddl", "// nothing yet\n");
  expect_bad_input({"info", remark}, remark + ": there is no domain and no instance in this file");
  const std::string comment = folder.write("comment.bnn", "# nothing yet\n");
  expect_bad_input({"info", comment}, comment + ":1: the file ends, expected 'bnn 1' or 'bnn 2'");
}

TEST(FileKind, FilesThatCannotBeRead) {
  const TemporaryFolder folder;
  const std::string here = folder.path().string(), none = here + "/none";
  for (const std::vector<std::string>& command : {std::vector<std::string>{"plan", "FILE"},
                                                  {"info", "FILE"},
                                                  {"maxsat", "FILE"},
                                                  {"check", corridor, "FILE"},
                                                  {"decode", corridor, "FILE"},
                                                  {"check-proof", corridor, "FILE"},
                                                  {"encode", "FILE", "--to", "opb", "-o", "-"},
                                                  {"learn", "FILE", "--hidden", "3", "-o", "-"},
                                                  {"simulate", "FILE", instance, "-o", "-"},
                                                  {"compile", domain, "FILE", "-o", "-"},
                                                  {"report", corridor, "FILE", "-o", "-"},
                                                  {"bench", "FILE", "-o", none + "/x"}}) {
    for (const std::string& file : {none, here}) {
      std::vector<std::string> arguments = command;
      std::replace(arguments.begin(), arguments.end(), std::string("FILE"), file);
      expect_bad_input(arguments, file + (file == none ? ": cannot read: No such file or directory"
                                                       : ": cannot read: Is a directory"));
    }
  }
}

TEST(Info, DescribesDataSetsDomainsAndFormulas) {
  const Files files;
  EXPECT_EQ(run_bnnplan({"info", files.data}).output,
            "data set      45 transitions, 45 distinct\ninputs        13 bits\noutputs       9 bits\n"
            "contradictory 0 transitions\n");
  EXPECT_EQ(run_bnnplan({"info", domain}).output.find("domain        navigation\nfluents       "), 0u)
      << run_bnnplan({"info", domain}).output;
  EXPECT_NE(
      run_bnnplan({"info", instance}).output.find("instance      navigation_3x3 of domain navigation\n"),
      std::string::npos)
      << run_bnnplan({"info", instance}).output;
  EXPECT_EQ(run_bnnplan({"info", files.formula}).output,
            "formula       382 variables, 770 hard and 14 soft clauses\n");
  expect_bad_input({"info", files.proof},
                   files.proof +
                       ": this is a proof (.pbp), expected a problem (.toml); this one is for "
                       "`bnnplan check-proof PROBLEM PROOF`");
}

// The program with this file as its standard input.
ProgramResult run_with_input(const std::string& file, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(),
                   {"sh", "-c", "input=$1; shift; exec \"$0\" \"$@\" < \"$input\"", BNNPLAN_PROGRAM, file});
  return testing::run_program(arguments);
}

// Without the line of `encode --stats` that no two runs have in common.
std::string without_seconds(const std::string& text) {
  const std::size_t line = text.find("\nseconds ");
  return line == std::string::npos ? text : text.substr(0, line);
}

TEST(StandardInput, InPlaceOfAnyFileThatIsReadOnce) {
  const Files files;
  const TemporaryFolder folder;
  const auto same = [&](const std::string& file, std::vector<std::string> arguments) {
    std::vector<std::string> named = arguments;
    std::replace(named.begin(), named.end(), std::string("-"), file);
    const ProgramResult expected = run_bnnplan(named), result = run_with_input(file, arguments);
    EXPECT_EQ(result.exit_code, expected.exit_code) << result.errors;
    EXPECT_EQ(without_seconds(result.output), without_seconds(expected.output));
    EXPECT_EQ(result.errors, expected.errors);
    EXPECT_NE(result.output, "");
  };
  for (const std::string& file : {corridor, network, corridor_plan, files.data, domain, files.formula}) {
    if (file != corridor) same(file, {"info", "-"});
  }
  same(corridor_plan, {"check", corridor, "-"});
  same(files.answer, {"decode", corridor, "-"});
  same(files.formula, {"maxsat", "-"});
  same(files.proof, {"check-proof", corridor, "-"});
  const std::string with_known =
      folder.write("known.toml", "horizon = 2\ntransitions = [\"x' == 1\"]\n[state]\nx = \"bool\"\n");
  same(with_known, {"info", "-"});
  same(with_known, {"encode", "-", "--to", "opb", "--stats"});
  const ProgramResult planned = run_with_input(with_known, {"plan", "-"});
  EXPECT_EQ(planned.exit_code, 0) << planned.errors;
  EXPECT_NE(planned.output.find("optimal plan of 2 steps"), std::string::npos) << planned.output;
  const std::string net = (folder / "net.bnn").string();
  EXPECT_EQ(run_with_input(files.data, {"learn", "-", "--hidden", "8", "--epochs", "2", "--quiet", "-o", net})
                .exit_code,
            0);
  EXPECT_EQ(run_bnnplan({"info", net}).exit_code, 0);
  const std::string page = (folder / "page.html").string();
  EXPECT_EQ(run_with_input(corridor_plan, {"report", corridor, "-", "-o", page}).exit_code, 0);
}

TEST(StandardInput, NetworksAreRelativeToTheCurrentFolder) {
  const ProgramResult there =
      testing::run_program({"sh", "-c", "cd \"$1\" && exec \"$0\" plan - < corridor.toml", BNNPLAN_PROGRAM,
                            BNNPLAN_SOURCE_DIR "/models"});
  EXPECT_EQ(there.exit_code, 0) << there.errors;
  EXPECT_NE(there.output.find("optimal plan of 7 steps, cost 5"), std::string::npos) << there.output;
  const ProgramResult elsewhere =
      testing::run_program({"sh", "-c", "cd / && exec \"$0\" plan - < \"$1\"", BNNPLAN_PROGRAM, corridor});
  EXPECT_EQ(elsewhere.exit_code, 2);
  EXPECT_EQ(elsewhere.errors, "<stdin>:5: corridor.bnn: cannot read: No such file or directory\n");
  const TemporaryFolder folder;
  folder.write("p.toml", "network = \"none.bnn\"\n[state]\nx = \"bool\"\n");
  const ProgramResult missing = testing::run_program(
      {"sh", "-c", "cd \"$1\" && exec \"$0\" plan p.toml", BNNPLAN_PROGRAM, folder.path().string()});
  EXPECT_EQ(missing.errors, "p.toml:1: none.bnn: cannot read: No such file or directory\n")
      << "not: outside the folder";
}

TEST(StandardInput, ErrorsSayTheLine) {
  const TemporaryFolder folder;
  const auto refused = [&](const std::string& text, const std::vector<std::string>& arguments,
                           const std::string& line) {
    const ProgramResult result = run_with_input(folder.write("input", text), arguments);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.errors, line + "\n");
  };
  refused("name = \"x\"\nhorzon = 3\n", {"plan", "-"},
          "<stdin>:2: unknown key 'horzon', did you mean 'horizon'?");
  refused("", {"plan", "-"}, "<stdin>:1: the file is empty, expected a problem (.toml)");
  refused("bnn 1\n", {"plan", "-"},
          "<stdin>: this is a network (.bnn), expected a problem (.toml); this one is for `bnnplan info`");
  refused("h 1 0\nx\n", {"maxsat", "-"}, "<stdin>:2: 'x', expected 'h' or a weight (a whole number from 0)");
  refused("transitions = [\"x' == x\"]\n[state]\nx = \"bool\"\n", {"plan", "-"},
          "<stdin>: the problem states no horizon: give one with -H N");
  refused("{\"steps\":\n ]", {"check", corridor, "-"},
          "<stdin>:2: not JSON: syntax error while parsing value - unexpected ']'; expected '[', '{', or a "
          "literal");
  refused("horizon = 1\ntransitions = [\"x' == x\"]\n[state]\nx = \"bool\"\n", {"check", "-", "-"},
          "bnnplan: only one file can be -, standard input");
  const ProgramResult directory = run_with_input(folder.path().string(), {"plan", "-"});
  EXPECT_EQ(directory.errors, "<stdin>: cannot read: Is a directory\n");
}

// Nothing is written into the pipe, and it does not end.
TEST(StandardInput, LimitsHoldWhileItIsRead) {
  const TemporaryFolder folder;
  const std::string file = (folder / "plan.json").string();
  const ProgramResult result = testing::run_program(
      {"sh", "-c", "mkfifo \"$1\"; exec 3<>\"$1\"; exec \"$0\" plan - --time-limit 0.2 -o \"$2\" <&3",
       BNNPLAN_PROGRAM, (folder / "pipe").string(), file});
  EXPECT_EQ(result.exit_code, 11) << result.errors;
  EXPECT_EQ(result.output, "unknown: time limit while <stdin> was read\n");
  EXPECT_NE(read_text_file(file).find("\"status\": \"unknown\""), std::string::npos);
}

TEST(NoPlan, TheResultIsWrittenAndUnderstood) {
  const TemporaryFolder folder;
  const std::string file = (folder / "none.json").string();
  const ProgramResult planned = run_bnnplan({"plan", corridor, "-H", "4", "-o", file});
  EXPECT_EQ(planned.exit_code, 20);
  EXPECT_EQ(planned.errors, "");
  EXPECT_NE(read_text_file(file).find("\"status\": \"infeasible\""), std::string::npos);
  EXPECT_NE(read_text_file(file).find("\"steps\": null"), std::string::npos);
  expect_bad_input({"check", corridor, file}, file + ": the file holds no plan: it says that there is none");
  expect_bad_input({"simulate", domain, instance, "--plan", file, "-o", "-"},
                   file + ": the file holds no plan: it says that there is none");
  const ProgramResult described = run_bnnplan({"info", file});
  EXPECT_EQ(described.exit_code, 0);
  EXPECT_EQ(described.output.find("plan          the file holds no plan: it says that there is none\n"), 0u)
      << described.output;
  const std::string page = (folder / "page.html").string();
  EXPECT_EQ(run_bnnplan({"report", corridor, file, "-o", page}).output,
            "wrote " + page + " (1 result without a plan)\n");
  EXPECT_EQ(run_bnnplan({"report", corridor, file, corridor_plan, file, "-o", page}).output,
            "wrote " + page + " (1 plan, 2 results without a plan)\n");
  const ProgramResult to_output = run_bnnplan({"plan", corridor, "-H", "4", "-o", "-"});
  EXPECT_EQ(to_output.exit_code, 20);
  EXPECT_EQ(to_output.output.find("{\"problem\": \"corridor\""), 0u) << "the result and nothing else";
}

TEST(NoPlan, UnknownIsWrittenToo) {
  const TemporaryFolder folder;
  const std::string file = (folder / "unknown.json").string();
  const std::vector<std::string> command = {"plan",         testing::models + "sysadmin_10.toml",
                                            "-H",           "40",
                                            "--engine",     "maxsat",
                                            "--time-limit", "0.02",
                                            "-o",           file};
  EXPECT_EQ(run_bnnplan(command).exit_code, 11);
  EXPECT_NE(read_text_file(file).find("\"status\": \"unknown\""), std::string::npos);
  expect_bad_input({"check", testing::models + "sysadmin_10.toml", file},
                   file + ": the file holds no plan: none was found within the limits");
}

}  // namespace
}  // namespace bnnplan::cli
