#pragma once

// bnnplan as a library: binarized neural networks that describe how a world behaves, and provably optimal
// plans in it.
//
//   problem.hpp   problems: reading, writing, building them, importing those of FD-SAT-Plan
//   build.hpp     ProblemBuilder: a problem made in memory, a part at a time
//   network.hpp   networks: reading, writing, exact folding of batch normalisation, inference
//   exchange.hpp  networks of other tools: import_network(source, file, options),
//                 export_network(file, network, target); networks on data:
//                 evaluate_samples(network, files, options)
//   plan.hpp      plan(problem, options): an optimal plan and its proof; plans as files and as text
//   check.hpp     check(problem, plan), check_proof(problem, proof): independent of whatever found them
//   learn.hpp     learn(data, options): a network from transitions
//   discover.hpp  discover(domain, instance) or with any program as the world: learn, plan and try in turn
//   evidence.hpp  evidence_of(problem, plan, data), domain_optimum(domain, instance): how far to trust a plan
//   domain.hpp    RDDL domains: simulate(domain, options), compile(domain, instance, options)
//   episode.hpp   Episode: a domain to act in, a step at a time
//   replanner.hpp Replanner: plans from wherever one has come to, again and again
//   closed_loop.hpp  run_policy(domain, policy, options): plan, act, look, plan again
//   encode.hpp    encode(problem, options, file) for any solver, outcome_of_answer(problem, answer)
//   maxsat.hpp    solve_maxsat(formula, request), write_maxsat_proof(...)
//   pseudo_boolean.hpp  solve_pseudo_boolean(formula, request)
//   c_api.h       both of these for programs in C
//   ipamir.h      the incremental MaxSAT interface of the MaxSAT Evaluation, a library of its own
//   verify.hpp    verify(network, query): how near to an input a network errs
//   report.hpp    report(problem, name, plans): a page for a browser; info(file): what a file holds
//   suite.hpp     make_suite(options): the 45 benchmark problems as files
//   bench.hpp     bench(options): engines and other solvers compared on problems
//
// Everything is in the namespace bnnplan; the namespaces in it (bnnplan::rddl, ...) are the library's own.
// Whatever is wrong with files, text or options that a user gave is an InputError, whose what() is one line
// "file:line: what is wrong, what was expected". Nothing here prints, exits or catches signals. Functions
// that run long take Limits (time, memory, threads, a flag that interrupts them) and report their progress to
// a callback. options_of(options) lists the options of a call by name, with their help and allowed values.
//
// Each header can be included alone. examples/ has programs that use them.

#include <bnnplan/bench.hpp>
#include <bnnplan/build.hpp>
#include <bnnplan/c_api.h>
#include <bnnplan/check.hpp>
#include <bnnplan/closed_loop.hpp>
#include <bnnplan/discover.hpp>
#include <bnnplan/domain.hpp>
#include <bnnplan/encode.hpp>
#include <bnnplan/episode.hpp>
#include <bnnplan/evidence.hpp>
#include <bnnplan/exchange.hpp>
#include <bnnplan/ipamir.h>
#include <bnnplan/learn.hpp>
#include <bnnplan/maxsat.hpp>
#include <bnnplan/network.hpp>
#include <bnnplan/plan.hpp>
#include <bnnplan/problem.hpp>
#include <bnnplan/pseudo_boolean.hpp>
#include <bnnplan/replanner.hpp>
#include <bnnplan/report.hpp>
#include <bnnplan/suite.hpp>
#include <bnnplan/verify.hpp>
