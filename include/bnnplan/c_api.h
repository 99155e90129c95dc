/* The MaxSAT and the pseudo-Boolean solver for programs in C. (For one MaxSAT problem after another that have most in
 * common there is ipamir.h.)
 *
 * Literals are numbers as in DIMACS files: variable v is v, its negation -v; 0 and INT32_MIN are not literals.
 * Functions that return int return a negative number if what was asked cannot be done; _error() then says why in one
 * line, and the problem is as it was before. An object is used by one thread at a time. */
#ifndef BNNPLAN_C_API_H
#define BNNPLAN_C_API_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What the solvers answer, as in the competitions. */
enum {
  BNNPLAN_UNKNOWN = 0,      /* stopped before a solution was found */
  BNNPLAN_SATISFIABLE = 10, /* a solution that is not proved to be optimal */
  BNNPLAN_UNSATISFIABLE = 20,
  BNNPLAN_OPTIMAL = 30,
  BNNPLAN_ERROR = -1
};

/* Weighted partial MaxSAT. */
typedef struct bnnplan_maxsat bnnplan_maxsat;
bnnplan_maxsat* bnnplan_maxsat_new(void); /* null if there is no memory for it */
void bnnplan_maxsat_free(bnnplan_maxsat* formula);

/* Reads a WCNF or CNF file in place of what there is; 0 if it could be read. */
int bnnplan_maxsat_read(bnnplan_maxsat* formula, const char* file);
int bnnplan_maxsat_add_hard(bnnplan_maxsat* formula, const int32_t* literals, size_t count);
/* All weights together are at most 2^64 - 2. */
int bnnplan_maxsat_add_soft(bnnplan_maxsat* formula, const int32_t* literals, size_t count, uint64_t weight);

/* Stops after this number of seconds; 0 or less: never. One of the answers above. */
int bnnplan_maxsat_solve(bnnplan_maxsat* formula, double seconds);

/* Of the last answer. Cost and values are 0 where it has no solution; a value is 1 if the literal is true. */
uint64_t bnnplan_maxsat_cost(const bnnplan_maxsat* formula);
uint64_t bnnplan_maxsat_lower_bound(const bnnplan_maxsat* formula);
int bnnplan_maxsat_value(const bnnplan_maxsat* formula, int32_t literal);
const char* bnnplan_maxsat_error(const bnnplan_maxsat* formula); /* of the last call; empty if it went well */

/* Pseudo-Boolean optimisation. */
typedef struct bnnplan_pb bnnplan_pb;
bnnplan_pb* bnnplan_pb_new(void);
void bnnplan_pb_free(bnnplan_pb* problem);

/* Reads an OPB file in place of what there is. */
int bnnplan_pb_read(bnnplan_pb* problem, const char* file);
/* coefficients[0] literals[0] + ... >= bound; repeated literals and negative numbers are allowed. */
int bnnplan_pb_add_at_least(bnnplan_pb* problem, const int64_t* coefficients, const int32_t* literals, size_t count,
                            int64_t bound);
/* What is minimised, over variables and not their negations, in place of what was before; without it, any solution
 * is BNNPLAN_OPTIMAL. */
int bnnplan_pb_minimize(bnnplan_pb* problem, const int64_t* coefficients, const int32_t* literals, size_t count);
/* A VeriPB proof is written to this file by the next calls of solve that end with a proved answer; null: none. */
int bnnplan_pb_set_proof(bnnplan_pb* problem, const char* file);

int bnnplan_pb_solve(bnnplan_pb* problem, double seconds);
int64_t bnnplan_pb_objective(const bnnplan_pb* problem);
int64_t bnnplan_pb_lower_bound(const bnnplan_pb* problem); /* INT64_MIN if nothing is known */
int bnnplan_pb_value(const bnnplan_pb* problem, int32_t literal);
const char* bnnplan_pb_error(const bnnplan_pb* problem);

#ifdef __cplusplus
}
#endif

#endif
