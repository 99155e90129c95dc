// `bnnplan maxsat` as a solver of the MaxSAT Evaluation: o, s and v lines, exit codes, signals; and against
// clasp.
#include <chrono>
#include <csignal>
#include <optional>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#include "bnnplan/base/text_file.hpp"
#include "bnnplan/formats/wcnf_reader.hpp"
#include "bnnplan/maxsat/formula_check.hpp"
#include "bnnplan/maxsat/maxsat.hpp"
#include "support/formula_families.hpp"
#include "support/run_bnnplan.hpp"
#include "support/temporary_folder.hpp"

namespace bnnplan::maxsat {
namespace {

using testing::below;
using testing::ProgramResult;
using testing::Random;
using testing::TemporaryFolder;
using testing::WcnfFormat;

ProgramResult maxsat(const std::vector<std::string>& arguments) {
  std::vector<std::string> all = {"maxsat"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  return testing::run_bnnplan(all);
}

// What a program printed in the protocol.
struct ProtocolAnswer {
  std::string status;
  std::optional<formats::Weight> cost;  // of the last o line
  std::optional<std::string> values;
};

ProtocolAnswer parse_answer(const std::string& output) {
  ProtocolAnswer answer;
  LineReader lines(output);
  std::string_view line;
  while (lines.next(line)) {
    const std::string rest(line.substr(std::min<std::size_t>(2, line.size())));
    if (line.substr(0, 2) == "o ") {
      EXPECT_TRUE(answer.status.empty());
      EXPECT_TRUE(!answer.cost || std::stoull(rest) < *answer.cost) << output;
      answer.cost = std::stoull(rest);
    } else if (line.substr(0, 2) == "s ") {
      EXPECT_TRUE(answer.status.empty());
      answer.status = rest;
    } else if (line.substr(0, 2) == "v ") {
      EXPECT_FALSE(answer.values);
      answer.values = rest;
    } else {
      EXPECT_EQ(line.substr(0, 1), "c") << output;
    }
  }
  return answer;
}

void expect_model(const formats::Wcnf& formula, const ProtocolAnswer& answer) {
  ASSERT_TRUE(answer.values && answer.cost);
  ASSERT_EQ(answer.values->size(), formula.variables);
  MaxSatModel model;
  for (const char value : *answer.values) model.push_back(value == '1');
  EXPECT_FALSE(falsified_hard_clause(formula, model));
  EXPECT_EQ(cost_of_model(formula, model), *answer.cost);
}

// The file has this optimum, or none if it is empty.
void expect_optimum(const std::string& file, std::optional<formats::Weight> optimum,
                    const std::vector<std::string>& options = {}) {
  std::vector<std::string> arguments = options;
  arguments.push_back(file);
  const ProgramResult result = maxsat(arguments);
  EXPECT_EQ(result.errors, "");
  const ProtocolAnswer answer = parse_answer(result.output);
  if (!optimum) {
    EXPECT_EQ(result.exit_code, 20);
    EXPECT_EQ(answer.status, "UNSATISFIABLE");
    EXPECT_FALSE(answer.cost || answer.values);
    return;
  }
  EXPECT_EQ(result.exit_code, 30);
  EXPECT_EQ(answer.status, "OPTIMUM FOUND");
  EXPECT_EQ(answer.cost, optimum);
  expect_model(formats::read_wcnf(file), answer);
}

TEST(MaxSatProgram, SpecialFormulas) {
  const TemporaryFolder folder;
  const auto expect = [&](const std::string& text, std::optional<formats::Weight> optimum) {
    SCOPED_TRACE(text);
    expect_optimum(folder.write("f.wcnf", text), optimum);
    expect_optimum(folder.write("f.wcnf", text), optimum, {"--strategy", "improve"});
  };
  expect("", 0);  // no clauses at all
  expect("c only a comment\n", 0);
  expect("p wcnf 3 0 1\n", 0);    // variables that occur nowhere
  expect("h 0\n", std::nullopt);  // empty hard clause
  expect("h 1 0\nh -1 0\n5 1 0\n", std::nullopt);
  expect("7 0\n", 7);  // empty soft clause
  expect("7 0\n7 0\nh 1 0\n", 14);
  expect("3 1 0\n3 1 0\n4 -1 0\n", 4);  // duplicates add up
  expect("3 1 2 0\n3 2 1 0\n1 -1 0\n1 -2 0\n5 -1 -2 0\n", 1);
  expect("0 1 0\n0 -1 0\n0 0\n", 0);  // weight 0
  expect("h 1 1 1 0\nh 2 -2 0\n5 3 -3 0\n2 -1 -1 0\n", 2);
  expect("h 1000 0\n4 -1000 500 0\n1 -500 0\n", 1);  // gaps
  expect("p wcnf 2 3 9\n9 1 0\n10 -2 0\n3 -1 2 0\n", 3);
  expect("p wcnf 1 2\n5 1 0\n6 -1 0\n", 5);
  expect("p cnf 2 2\n1 2 0\n-1 0\n", 0);
  expect("9223372036854775807 0\n", 9223372036854775807u);
  expect("18446744073709551614 0\n", formats::largest_weight_sum);
  // Each below 2^63, together 2^64 - 2: what the MaxSAT Evaluation allows.
  const std::string heaviest = "9223372036854775807";
  expect(heaviest + " 1 0\n" + heaviest + " -1 0\n", 9223372036854775807u);
  expect(heaviest + " 1 0\n" + heaviest + " 1 0\nh -1 0\n", formats::largest_weight_sum);
  expect("h 1 2 0\n" + heaviest + " -1 0\n" + heaviest + " -2 0\n", 9223372036854775807u);
  expect(
      "h 1 2 0\nh 3 4 0\nh 1 4 0\nh 5 0\n4611686018427387905 -1 0\n4611686018427387904 -2 "
      "0\n4611686018427387904 -3 "
      "0\n4611686018427387900 -4 0\n1 -5 0\n",
      9223372036854775805u);
  expect("4611686018427387904 1 0\n4611686018427387903 -1 0\n", 4611686018427387903u);
  expect(
      "h 1 2 0\nh 1 3 0\nh 2 3 0\n3000000000000000000 -1 0\n3000000000000000001 -2 0\n3000000000000000002 -3 "
      "0\n",
      6000000000000000001u);
}

TEST(MaxSatProgram, PrintsLiteralsIfAsked) {
  const TemporaryFolder folder;
  const ProgramResult result = maxsat({"--literals", folder.write("f", "h 1 0\nh -2 0\nh 3 0\n")});
  EXPECT_EQ(result.exit_code, 30);
  EXPECT_NE(result.output.find("\ns OPTIMUM FOUND\nv 1 -2 3 0\n"), std::string::npos) << result.output;
}

TEST(MaxSatProgram, RefusesBadInput) {
  const TemporaryFolder folder;
  const auto expect = [](const ProgramResult& result, const std::string& error) {
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.output, "");
    EXPECT_EQ(result.errors, error + "\n");
  };
  const std::string file = folder.write("f.wcnf", "h 1 0\n18446744073709551614 1 0\n1 2 0\n");
  expect(maxsat({file}), file + ":3: the soft weights sum up to 2^64 - 1 or more here, expected less");
  folder.write("f.wcnf", "h 1 2\n");
  expect(maxsat({file}), file + ":1: the line ends here, expected a literal or the 0 that ends the clause");
  const std::string missing = (folder / "missing.wcnf").string();
  expect(maxsat({missing}), missing + ": cannot read: No such file or directory");
  EXPECT_EQ(maxsat({}).exit_code, 1);
  EXPECT_EQ(maxsat({"--strategy", "guess", file}).exit_code, 1);
  EXPECT_EQ(maxsat({"--time-limit", "-1", file}).exit_code, 1);
}

TEST(MaxSatProgram, AgreesWithTheLibraryOnFiles) {
  Random random(77);
  const TemporaryFolder folder;
  for (int i = 0; i < 100 && !HasFailure(); ++i) {
    const formats::Wcnf formula = testing::wild_formula(random, 9, i % 2 == 0 ? 4 : std::int64_t{1} << 56);
    const std::string text = wcnf_text(formula, i % 3 == 0 ? WcnfFormat::classic : WcnfFormat::modern);
    SCOPED_TRACE(text);
    std::string file = folder.write("f.wcnf", text);
    if (i % 5 == 0) {
      file += ".gz";
      const gzFile gzip = ::gzopen(file.c_str(), "wb");
      ::gzwrite(gzip, text.data(), static_cast<unsigned>(text.size()));
      ::gzclose(gzip);
    }
    expect_optimum(file, solve_maxsat(formula).cost);
  }
}

// The formula with its weights multiplied, and without soft clauses of weight 0.
formats::Wcnf multiplied(const formats::Wcnf& formula, formats::Weight factor) {
  formats::Wcnf result;
  result.variables = formula.variables;
  for (std::size_t i = 0; i < formula.hard.size(); ++i) result.add_hard(formula.hard[i]);
  for (std::size_t i = 0; i < formula.soft.size(); ++i) {
    if (formula.weights[i] > 0) result.add_soft(formula.soft[i], formula.weights[i] * factor);
  }
  return result;
}

// Optimum by clasp; nothing if unsatisfiable. clasp has to be there: a test that skips itself proves nothing.
// It takes no soft clauses of weight 0.
std::optional<formats::Weight> clasp_optimum(const std::string& file) {
  const ProgramResult result = testing::run_program({"clasp", "--quiet=2,0", file});
  if (result.exit_code == 127) throw std::runtime_error("clasp is not installed (Debian package clasp)");
  const ProtocolAnswer answer = parse_answer(result.output);
  if (answer.status == "OPTIMUM FOUND") return answer.cost;
  EXPECT_EQ(answer.status, "UNSATISFIABLE") << result.output << result.errors;
  return std::nullopt;
}

TEST(MaxSatProgram, AgreesWithClaspOnThreeHundredFormulas) {
  Random random(2024);
  const TemporaryFolder folder;
  const int formulas = 300;
  for (int i = 0; i < formulas && !HasFailure(); ++i) {
    const std::int64_t heaviest = i % 3 == 0 ? 1 : i % 3 == 1 ? 9 : 1'000'000;
    const auto size = [&](std::int64_t least, std::int64_t most) {
      return static_cast<std::uint32_t>(least + below(random, most - least + 1));
    };
    formats::Wcnf formula;
    switch (i % 8) {
      case 0:
        formula = testing::random_three_sat(random, size(30, 60), 3.2, heaviest);
        break;
      case 1:
        formula = testing::max_two_sat(random, size(30, 40), 100, heaviest);
        break;
      case 2:
        formula = testing::vertex_cover(random, size(40, 60), 120, heaviest);
        break;
      case 3:
        formula = testing::max_cut(random, size(20, 24), 50, heaviest);
        break;
      case 4:
        formula = testing::set_cover(random, 60, size(25, 35), heaviest);
        break;
      case 5:
        formula = testing::scheduling(random, 8, 5, size(10, 18), std::min<std::int64_t>(heaviest, 1000));
        break;
      case 6:
        formula = testing::unrolled_circuit(random, size(12, 20), 6, heaviest);
        break;
      case 7:
        formula = testing::wild_formula(random, size(20, 40), heaviest);
        break;
    }
    SCOPED_TRACE(i);
    const auto optimum =
        clasp_optimum(folder.write("clasp.wcnf", wcnf_text(multiplied(formula, 1), WcnfFormat::classic)));
    std::vector<std::string> options;
    if (i % 8 == 5 || i % 8 == 7) options = {"--strategy", "improve"};
    expect_optimum(folder.write("ours.wcnf", wcnf_text(formula, WcnfFormat::classic)), optimum, options);
    // clasp's weights end at 2^31; ours are those, and the largest multiples that fit into 64 bits.
    const formats::Weight factor = formats::largest_weight_sum / (formula.weight_sum + 1);
    const formats::Wcnf heavy = multiplied(formula, factor);
    const MaxSatOutcome outcome = solve_maxsat(heavy);
    EXPECT_EQ(outcome.cost.has_value(), optimum.has_value());
    if (outcome.cost && optimum) {
      EXPECT_EQ(*outcome.cost, *optimum * factor);
    }
  }
}

// A formula that takes far longer than any test: many models, no proof.
formats::Wcnf endless_formula() {
  Random random(3);
  return testing::random_three_sat(random, 400, 3.5, 50);
}

// The soft limit on processor time sends SIGXCPU. `ulimit -t` sets the hard one as well, at which the kernel
// kills without a word, so we have to be faster.
TEST(MaxSatProgram, ALimitOnProcessorTimePrintsTheBestModel) {
  const TemporaryFolder folder;
  const formats::Wcnf formula = endless_formula();
  const std::string file = folder.write("f.wcnf", wcnf_text(formula, WcnfFormat::modern));
  const std::string run = "; exec " BNNPLAN_PROGRAM " maxsat ";
  for (const std::string& command :
       {"ulimit -S -t 1" + run, "ulimit -t 2" + run, "ulimit -t 2" + run + "--strategy improve "}) {
    SCOPED_TRACE(command);
    const ProgramResult result = testing::run_program({"sh", "-c", command + file});
    EXPECT_EQ(result.exit_code, 10) << result.errors;
    const ProtocolAnswer answer = parse_answer(result.output);
    EXPECT_EQ(answer.status, "SATISFIABLE");
    expect_model(formula, answer);
  }
}

TEST(MaxSatProgram, ReadsXz) {
  const TemporaryFolder folder;
  Random random(5);
  const formats::Wcnf formula = testing::set_cover(random, 20, 12, 100);
  const std::string plain = folder.write("f.wcnf", wcnf_text(formula, WcnfFormat::modern));
  ASSERT_EQ(testing::run_program({"xz", "-k", plain}).exit_code, 0);
  expect_optimum(plain + ".xz", solve_maxsat(formula).cost);
  const std::string piped = "xz -c " + plain + " | " BNNPLAN_PROGRAM " maxsat -";
  EXPECT_EQ(testing::run_program({"sh", "-c", piped}).output, maxsat({plain}).output);
  const std::string foreign = folder.write("f.wcnf.bz2", "BZh91AY&SY\x01\x02\x03");
  EXPECT_EQ(maxsat({foreign}).errors, foreign + ": packed with bzip2, expected plain text, gzip or xz\n");
  const std::string binary = folder.write("f.wcnf.lz4", "\x04\x22\x4d\x18\x60\x40");
  EXPECT_EQ(maxsat({binary}).errors,
            binary + ":1: binary data, expected 'h' or a weight (a whole number from 0)\n");
}

TEST(MaxSatProgram, WhatIsTooLargeIsUnknown) {
  const TemporaryFolder folder;
  const std::string file = folder.write("f.wcnf", "h 1 0\nh 134217729 0\n");
  const ProgramResult result = maxsat({file});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.output, "c " + file + ":2: variable 134217729, expected at most 134217728\ns UNKNOWN\n");
  EXPECT_EQ(result.errors, "");
}

TEST(MaxSatProgram, TimeLimitPrintsTheBestModel) {
  const TemporaryFolder folder;
  const formats::Wcnf formula = endless_formula();
  const std::string file = folder.write("f.wcnf", wcnf_text(formula, WcnfFormat::modern));
  for (const std::string strategy : {"core", "improve"}) {
    const ProgramResult result = maxsat({"--strategy", strategy, "--time-limit", "0.3", file});
    EXPECT_EQ(result.exit_code, 10);
    const ProtocolAnswer answer = parse_answer(result.output);
    EXPECT_EQ(answer.status, "SATISFIABLE");
    expect_model(formula, answer);
    EXPECT_NE(result.output.find("\nc stopped: time limit\nc lower bound "), std::string::npos);
  }
  const ProgramResult nothing = maxsat({"--memory-limit", "1", file});
  EXPECT_EQ(nothing.exit_code, 0);
  EXPECT_EQ(parse_answer(nothing.output).status, "UNKNOWN");
}

TEST(MaxSatProgram, SignalPrintsTheBestModel) {
  const TemporaryFolder folder;
  const formats::Wcnf formula = endless_formula();
  const std::string file = folder.write("f.wcnf", wcnf_text(formula, WcnfFormat::modern));
  const std::string output = (folder / "output").string();
  for (const int signal : {SIGTERM, SIGINT}) {
    folder.write("output", "");
    const pid_t child = ::fork();
    if (child == 0) {
      ::dup2(::open(output.c_str(), O_WRONLY | O_TRUNC), STDOUT_FILENO);
      ::execl(BNNPLAN_PROGRAM, BNNPLAN_PROGRAM, "maxsat", file.c_str(), nullptr);
      ::_exit(127);
    }
    // The first o line says that it is running and that o lines come at once.
    for (int i = 0; i < 2000 && read_text_file(output).find("\no ") == std::string::npos; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    EXPECT_EQ(read_text_file(output).find("\ns "), std::string::npos);
    ::kill(child, signal);
    int status = 0;
    ::waitpid(child, &status, 0);
    ASSERT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 10);
    const ProtocolAnswer answer = parse_answer(read_text_file(output));
    EXPECT_EQ(answer.status, "SATISFIABLE");
    expect_model(formula, answer);
  }
}

}  // namespace
}  // namespace bnnplan::maxsat
