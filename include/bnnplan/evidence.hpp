#pragma once

// How far a plan of a learned model can be trusted: what of it occurs in data, and how far it is from the
// domain's own optimum.
//
//   const bnnplan::DataSet data = bnnplan::read_data_set("data.csv", bnnplan::data_options_of(problem));
//   const bnnplan::Evidence evidence = bnnplan::evidence_of(problem, plan, data);
//   std::cout << bnnplan::answer_of(evidence).text;

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <bnnplan/check.hpp>
#include <bnnplan/domain.hpp>
#include <bnnplan/learn.hpp>
#include <bnnplan/plan.hpp>

namespace bnnplan {

struct Evidence {
  std::string data_file;
  Errors measured;               // of the network on all lines of the data
  std::vector<bool> seen;        // of each step of the plan: whether the data has its state and action
  std::size_t contradicted = 0;  // steps that are in the data, with another state after them; the first is:
  std::size_t first_contradicted = 0, first_unseen = 0;  // from 1; 0 if none
};

// How the data of a problem is read: the columns of its network, where integers have the bits that the
// problem gives them.
DataOptions data_options_of(const Problem& problem);

// Requires a plan that says everything (as plan() and check_plan() return it). Throws InputError if the
// problem has no network, or the data lacks columns that it has.
Evidence evidence_of(const Problem& problem, const Plan& plan, const DataSet& data);
Answer answer_of(const Evidence& evidence);

// The optimum of the domain itself, where it can be compiled.
struct DomainOptimum {
  Problem problem;  // compiled, without a network
  Outcome outcome;
};

// Plans in the compiled domain over this number of steps. Throws InputError if it cannot be compiled.
DomainOptimum domain_optimum(const std::filesystem::path& domain, const std::filesystem::path& instance,
                             int horizon, const CompileOptions& options = {},
                             const Limits& limits = whole_machine());

// How far a plan that was checked in that domain is from its optimum.
Answer answer_of(const DomainOptimum& optimum, const CheckResult& check);

}  // namespace bnnplan
