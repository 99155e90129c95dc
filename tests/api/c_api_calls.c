/* Every function of c_api.h, called from C. Returns what was expected and is not so, or null. */
#include <bnnplan/c_api.h>
#include <limits.h>
#include <string.h>

#define EXPECT(condition) \
  if (!(condition)) return #condition

const char* maxsat_calls(const char* formula_file, const char* wrong_file) {
  bnnplan_maxsat* formula = bnnplan_maxsat_new();
  const int32_t either[] = {1, -3}, first[] = {-1}, second[] = {3}, wrong[] = {1, 0}, none[] = {INT32_MIN};
  EXPECT(bnnplan_maxsat_solve(formula, 0) == BNNPLAN_OPTIMAL); /* nothing to satisfy */
  EXPECT(bnnplan_maxsat_add_hard(formula, either, 2) == 0);
  EXPECT(bnnplan_maxsat_add_soft(formula, first, 1, 4) == 0);
  EXPECT(bnnplan_maxsat_add_soft(formula, second, 1, UINT64_MAX - 5) == 0);
  EXPECT(bnnplan_maxsat_add_hard(formula, wrong, 2) == BNNPLAN_ERROR);
  EXPECT(strstr(bnnplan_maxsat_error(formula), "0 is not a literal") != NULL);
  EXPECT(bnnplan_maxsat_add_soft(formula, none, 1, 1) == BNNPLAN_ERROR);
  EXPECT(bnnplan_maxsat_add_soft(formula, first, 1, 9) == BNNPLAN_ERROR); /* too much in all */
  EXPECT(bnnplan_maxsat_solve(formula, 60) == BNNPLAN_OPTIMAL);
  EXPECT(strcmp(bnnplan_maxsat_error(formula), "") == 0);
  EXPECT(bnnplan_maxsat_cost(formula) == 4 && bnnplan_maxsat_lower_bound(formula) == 4);
  EXPECT(bnnplan_maxsat_value(formula, 1) == 1 && bnnplan_maxsat_value(formula, -1) == 0);
  EXPECT(bnnplan_maxsat_value(formula, 3) == 1 && bnnplan_maxsat_value(formula, 99) == 0);
  EXPECT(bnnplan_maxsat_add_hard(formula, NULL, 0) == 0); /* the empty clause */
  EXPECT(bnnplan_maxsat_value(formula, 1) == 0);          /* no answer any more */
  EXPECT(bnnplan_maxsat_solve(formula, 60) == BNNPLAN_UNSATISFIABLE);
  EXPECT(bnnplan_maxsat_read(formula, wrong_file) == BNNPLAN_ERROR);
  EXPECT(strstr(bnnplan_maxsat_error(formula), wrong_file) != NULL);
  EXPECT(bnnplan_maxsat_read(formula, formula_file) == 0);
  EXPECT(bnnplan_maxsat_solve(formula, 60) == BNNPLAN_OPTIMAL);
  EXPECT(bnnplan_maxsat_cost(formula) == 7);
  bnnplan_maxsat_free(formula);
  return NULL;
}

const char* pb_calls(const char* problem_file, const char* wrong_file, const char* proof_file) {
  bnnplan_pb* problem = bnnplan_pb_new();
  const int32_t variables[] = {1, 2, 2}, negations[] = {-1, -2}, wrong[] = {0};
  const int64_t ones[] = {1, 1, 1}, mixed[] = {3, -2, 4};
  EXPECT(bnnplan_pb_lower_bound(problem) == INT64_MIN);
  EXPECT(bnnplan_pb_add_at_least(problem, ones, variables, 2, 1) == 0);
  EXPECT(bnnplan_pb_solve(problem, 60) == BNNPLAN_OPTIMAL); /* no objective: any solution */
  EXPECT(bnnplan_pb_minimize(problem, mixed, variables, 3) == 0); /* 3 x1 + 2 x2 */
  EXPECT(bnnplan_pb_minimize(problem, mixed, negations, 2) == BNNPLAN_ERROR);
  EXPECT(strstr(bnnplan_pb_error(problem), "over variables") != NULL);
  EXPECT(bnnplan_pb_add_at_least(problem, ones, wrong, 1, 1) == BNNPLAN_ERROR);
  EXPECT(bnnplan_pb_set_proof(problem, proof_file) == 0);
  EXPECT(bnnplan_pb_solve(problem, 60) == BNNPLAN_OPTIMAL);
  EXPECT(bnnplan_pb_objective(problem) == 2 && bnnplan_pb_lower_bound(problem) == 2);
  EXPECT(bnnplan_pb_value(problem, 2) == 1 && bnnplan_pb_value(problem, -2) == 0);
  EXPECT(bnnplan_pb_value(problem, 7) == 0);
  EXPECT(bnnplan_pb_set_proof(problem, NULL) == 0);
  EXPECT(bnnplan_pb_add_at_least(problem, ones, negations, 2, 2) == 0);
  EXPECT(bnnplan_pb_solve(problem, 60) == BNNPLAN_UNSATISFIABLE);
  EXPECT(bnnplan_pb_read(problem, wrong_file) == BNNPLAN_ERROR);
  EXPECT(bnnplan_pb_read(problem, problem_file) == 0);
  EXPECT(bnnplan_pb_solve(problem, 60) == BNNPLAN_OPTIMAL);
  EXPECT(bnnplan_pb_objective(problem) == -1);
  bnnplan_pb_free(problem);
  return NULL;
}
