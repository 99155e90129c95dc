#include "bnnplan/problem/fd_sat_plan.hpp"

#include <fstream>

#include <gtest/gtest.h>

#include "bnnplan/base/text_file.hpp"
#include "bnnplan/problem/problem_file.hpp"
#include "support/input_error_of.hpp"
#include "support/published.hpp"
#include "support/temporary_folder.hpp"

namespace bnnplan {
namespace {

using testing::input_error_of;
using testing::TemporaryFolder;

TEST(FdSatPlan, AllNinePublishedInstancesImportAndComeBack) {
  BNNPLAN_NEEDS_PUBLISHED();
  const TemporaryFolder folder;
  for (const auto& published : testing::published_instances()) {
    const Problem problem =
        read_fd_sat_plan(testing::published_folder(), published.domain, published.instance);
    EXPECT_EQ(shape_text(*problem.network), published.shape);
    EXPECT_EQ(problem.network_inputs.size(), problem.network->inputs.size());
    EXPECT_FALSE(problem.objective.terms.empty());
    write_problem(folder / "copy.toml", problem);
    Problem copy = read_problem(folder / "copy.toml");
    EXPECT_EQ(copy, problem) << published.domain << " " << published.instance;
  }
}

TEST(FdSatPlan, PublishedDetails) {
  BNNPLAN_NEEDS_PUBLISHED();
  const Problem navigation = read_fd_sat_plan(testing::published_folder(), "navigation", "3x3");
  EXPECT_EQ(navigation.goal.size(), 2u) << "the goal, and the constraint over state variables alone";
  EXPECT_EQ(navigation.constraints.size(), 2u);
  EXPECT_EQ(std::count(navigation.initial.begin(), navigation.initial.end(), unknown_bit), 8);
  EXPECT_EQ(navigation.network->inputs[0], "move-east");
  EXPECT_EQ(navigation.network->inputs[4], "robot-at[$x21| $y12]");
  // 13 inputs, c = -1.07368: ceil((13 - 1.07368) / 2) = 6
  EXPECT_EQ(navigation.network->layers[0].neurons[0].threshold, 6);
  EXPECT_EQ(navigation.network->layers[0].neurons[0].weights,
            (std::vector<std::int8_t>{-1, 1, -1, 1, 1, 1, -1, 1, 1, -1, 1, -1, -1}));
  const Problem cellda = read_fd_sat_plan(testing::published_folder(), "cellda", "x");
  EXPECT_EQ(cellda.auxiliary.bit_count(), 37u);
  EXPECT_EQ(cellda.network_outputs.size(), 4u);
  EXPECT_EQ(cellda.state.bit_count(), 10u);
  const Problem inventory = read_fd_sat_plan(testing::published_folder(), "inventory", "2");
  EXPECT_EQ(inventory.transitions.size(), 5u);
  EXPECT_EQ(inventory.objective.terms[0], (Term{8, {Place::next, 1}}));
  EXPECT_FALSE(inventory.objective.maximize) << "a reward that only takes is a cost";
  const Problem sysadmin = read_fd_sat_plan(testing::published_folder(), "sysadmin", "4");
  EXPECT_EQ(sysadmin.goal.size(), 4u) << "goals that are also constraints are not repeated";
}

// A tiny instance of our own, so that every message can be tried without the published files.
class FdSatPlanFiles : public ::testing::Test {
 protected:
  FdSatPlanFiles() {
    for (const char* part : {"bnn", "normalization", "translation"})
      std::filesystem::create_directory(folder_ / part);
    write("translation/pvariables", "action_data: go,state_data_label: at[$a| $b],state: done\n");
    write("translation/initial", "at[$a| $b],==,0\ndone,==,0");
    write("translation/goals", "done,==,1");
    write("translation/constraints", "go,~at[$a| $b],<=,1\ndone,<=,1\n");
    write("translation/transitions", "done',~at[$a| $b],==,1");
    write("translation/reward", "go,-1.5\nat[$a| $b],2\n");
    write("bnn/bnn", "bnn\n2,2\n11\n10\n2,1\n11\n");
    write("normalization/normalization", "normalization\n0.5,-3\n1e9\n");
  }

  void write(const std::string& kind, std::string_view content) const {
    folder_.write(kind + "_d_i.txt", content);
  }
  Problem read() const { return read_fd_sat_plan(folder_.path(), "d", "i"); }
  std::string error(const std::string& kind, std::string_view content) const {
    const std::string saved = read_text_file(folder_ / (kind + "_d_i.txt"));
    write(kind, content);
    const std::string message = input_error_of([&] { read(); });
    write(kind, saved);
    const std::string prefix = (folder_ / (kind + "_d_i.txt")).string();
    EXPECT_EQ(message.substr(0, prefix.size()), prefix);
    return message.substr(std::min(prefix.size(), message.size()));
  }

  TemporaryFolder folder_;
};

TEST_F(FdSatPlanFiles, Reads) {
  const Problem problem = read();
  EXPECT_EQ(problem.name, "d i");
  EXPECT_EQ(problem.goal.size(), 2u);
  EXPECT_EQ(problem.goal[1].text, "done <= 1");
  EXPECT_EQ(problem.objective.terms, (std::vector<Term>{{15, {Place::action, 0}}, {-20, {Place::next, 0}}}));
  EXPECT_EQ(problem.objective.text, "-1.5 go + 2 at[$a| $b]'");
  EXPECT_TRUE(problem.objective.maximize);
  EXPECT_EQ(problem.network->layers[0].neurons[0].threshold, 2);  // ceil(2.5 / 2)
  EXPECT_EQ(problem.network->layers[0].neurons[1].threshold, 0);  // ceil(-1 / 2)
  EXPECT_EQ(problem.network->layers[1].neurons[0].threshold, 3) << "never: clipped to one above the inputs";
}

TEST_F(FdSatPlanFiles, RefusesWithFileAndLine) {
  EXPECT_EQ(error("translation/pvariables", "go"), ":1: 'go', expected 'kind: name'");
  EXPECT_EQ(error("translation/pvariables", "actoin: go"),
            ":1: unknown kind of variable 'actoin', expected action_data, state_data, state_data_label, "
            "state or auxiliary");
  EXPECT_EQ(error("translation/pvariables", "action_data: go,state: go"), ":1: duplicate variable 'go'");
  EXPECT_EQ(error("translation/constraints", "go,1"),
            ":1: 'go,1', expected literals, a comparison and a bound");
  EXPECT_EQ(error("translation/constraints", "\ngone,<=,1"),
            ":2: unknown variable 'gone', did you mean 'done'?");
  EXPECT_EQ(error("translation/initial", "done,>=,1"),
            ": 'done >= 1', expected one variable that equals 0 or 1");
  EXPECT_EQ(error("translation/reward", "go"), ":1: 'go', expected 'name,coefficient'");
  EXPECT_EQ(error("translation/reward", "goo,1"), ":1: unknown variable 'goo', did you mean 'go'?");
  EXPECT_EQ(error("translation/reward", "go,x"), ":1: 'x', expected a decimal number");
  EXPECT_EQ(error("translation/reward", "go,99999999999999999999"),
            ":1: '99999999999999999999': number too large: it does not fit into 64 bits");
  EXPECT_EQ(error("bnn/bnn", ""), ": the file ends, expected 'bnn'");
  EXPECT_EQ(error("bnn/bnn", "nnb"), ":1: 'nnb', expected 'bnn'");
  EXPECT_EQ(error("bnn/bnn", "bnn\n2"), ":2: '2', expected 'inputs,outputs' of a layer");
  EXPECT_EQ(error("bnn/bnn", "bnn\n2,x"), ":2: bad layer width 'x', expected a positive integer");
  EXPECT_EQ(error("bnn/bnn", "bnn\n3,1\n111"), ":2: a layer with 3 inputs, expected 2");
  EXPECT_EQ(error("bnn/bnn", "bnn\n2,2\n11"), ":3: the file ends, expected 1 more neuron");
  EXPECT_EQ(error("bnn/bnn", "bnn\n2,2\n11\n12"), ":4: expected 2 weights 0 or 1");
  EXPECT_EQ(error("bnn/bnn", "bnn\n2,2\n11\n11"),
            ": the last layer has 2 neurons, expected 1: one for each variable to predict");
  EXPECT_EQ(error("normalization/normalization", "norm"), ":1: expected 'normalization'");
  EXPECT_EQ(error("normalization/normalization", "normalization\n1,1\n"),
            ":2: the file ends, expected a line for every layer");
  EXPECT_EQ(error("normalization/normalization", "normalization\n1\n1\n"),
            ":2: 1 number, expected 2, one for each neuron of the layer");
  EXPECT_EQ(error("normalization/normalization", "normalization\n1,nan\n1\n"),
            ":2: 'nan', expected a decimal number");
  EXPECT_EQ(error("normalization/normalization", "normalization\n1,1\n1\n1\n"),
            ":4: more lines than the network has layers");
  std::filesystem::remove(folder_ / "translation/reward_d_i.txt");
  EXPECT_EQ(input_error_of([&] { read(); }),
            (folder_ / "translation/reward_d_i.txt").string() + ": cannot read: No such file or directory");
}

}  // namespace
}  // namespace bnnplan
