/* IPAMIR, the interface of the incremental track of the MaxSAT Evaluation: one MaxSAT problem after another in
 * one solver. This header declares its functions as the interface defines them; any application written for
 * IPAMIR can be compiled against it. docs/maxsat.md describes our choices where the interface leaves them open.
 *
 *   void* solver = ipamir_init();
 *   ipamir_add_hard(solver, 1); ipamir_add_hard(solver, 2); ipamir_add_hard(solver, 0);    x1 or x2
 *   ipamir_add_soft_lit(solver, 1, 3); ipamir_add_soft_lit(solver, 2, 5);     x1 costs 3, x2 costs 5
 *   ipamir_solve(solver);             30; ipamir_val_obj(solver) is 3
 *   ipamir_assume(solver, -1);
 *   ipamir_solve(solver);             30; ipamir_val_obj(solver) is 5
 *   ipamir_release(solver);
 *
 * Literals are numbers as in DIMACS files: not 0, above INT32_MIN.
 * The state of a solver is INPUT (something was added since its last answer), OPTIMAL, SAT, UNSAT or ERROR. */
#ifndef BNNPLAN_IPAMIR_H
#define BNNPLAN_IPAMIR_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Name and version of this library. */
const char* ipamir_signature(void);

/* A new solver, in state INPUT; a null pointer if there is not enough memory. The caller must release it. */
void* ipamir_init(void);
void ipamir_release(void* solver);

/* The next literal of a hard clause; 0 ends the clause. Clauses are permanent. */
void ipamir_add_hard(void* solver, int32_t lit_or_zero);

/* The literal costs `weight` when it is true; a second call replaces the old weight. */
void ipamir_add_soft_lit(void* solver, int32_t lit, uint64_t weight);

/* The literal must be true in the next call of ipamir_solve, and only there. */
void ipamir_assume(void* solver, int32_t lit);

/* The cheapest solution of all hard clauses under the assumptions:
 *   30  found, state OPTIMAL
 *   20  there is no solution, state UNSAT
 *   10  stopped with a solution, state SAT
 *    0  stopped without one, state INPUT
 *   40  state ERROR: the request was invalid or failed (a clause was not ended, a literal was INT32_MIN, weights
 *       sum up to more than 2^64 - 2, out of memory). Then only ipamir_release may be called. */
int ipamir_solve(void* solver);

/* In state OPTIMAL or SAT: the cost of the solution; and lit if it is true there, -lit if it is false, 0 if it
 * occurs nowhere. */
uint64_t ipamir_val_obj(void* solver);
int32_t ipamir_val_lit(void* solver, int32_t lit);

/* `terminate` is called with `state` regularly during ipamir_solve, which stops soon after it returns
 * anything but 0. A null pointer removes it. */
void ipamir_set_terminate(void* solver, void* state, int (*terminate)(void* state));

#ifdef __cplusplus
}
#endif

#endif
