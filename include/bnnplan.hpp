#pragma once

// bnnplan as a library. This header brings in the public types and functions, each with its contract:
//
//   Problem, read_problem, write_problem        learned planning problems     problem/problem.hpp, problem_file.hpp
//   Network, fold, read_network, write_network  binarized neural networks     network/network.hpp, network_file.hpp
//   PackedNetwork                               fast inference                network/packed_inference.hpp
//   Plan, read_plan, check_plan                 plans and their replay        problem/plan.hpp, check/plan_check.hpp
//   engines, run_checked                        planning                      engines/engine.hpp, checked_run.hpp
//   check_problem_proof                         proofs of optimality          check/problem_proof.hpp
//   InputError                                  whatever is wrong with input  base/input_error.hpp
//
//   #include <bnnplan.hpp>
//
//   bnnplan::Problem problem = bnnplan::read_problem("models/corridor.toml");
//   bnnplan::Plan plan = bnnplan::read_plan("models/corridor.plan.json", problem);
//   bnnplan::PlanCheck result = bnnplan::check_plan(problem, plan);
//   if (!result.accepted) std::cout << result.violation << '\n';
//
// examples/check_plan is this as a CMake project of its own that uses find_package(bnnplan).

#include "base/input_error.hpp"
#include "check/model_check.hpp"
#include "check/plan_check.hpp"
#include "check/problem_proof.hpp"
#include "check/proof_check.hpp"
#include "engines/checked_run.hpp"
#include "engines/engine.hpp"
#include "engines/neuron/growing_horizon.hpp"
#include "formats/clause_writer.hpp"
#include "formats/lp_writer.hpp"
#include "formats/minizinc_writer.hpp"
#include "formats/mps_writer.hpp"
#include "formats/opb_writer.hpp"
#include "formats/solver_answer.hpp"
#include "model/decode.hpp"
#include "model/simplify.hpp"
#include "model/unroll.hpp"
#include "network/network.hpp"
#include "network/network_file.hpp"
#include "network/packed_inference.hpp"
#include "problem/fd_sat_plan.hpp"
#include "problem/plan.hpp"
#include "problem/plan_file.hpp"
#include "problem/problem.hpp"
#include "problem/problem_file.hpp"
#include "report/plan_table.hpp"
