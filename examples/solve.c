/* The solvers of bnnplan from plain C: a small MaxSAT problem and a small pseudo-Boolean one. */
#include <stdio.h>

#include <bnnplan/c_api.h>

static int solve_formula(void) {
  bnnplan_maxsat* formula = bnnplan_maxsat_new();
  const int32_t one[] = {1, 2}, not_one[] = {-1}, not_two[] = {-2};
  bnnplan_maxsat_add_hard(formula, one, 2);
  bnnplan_maxsat_add_soft(formula, not_one, 1, 3);
  bnnplan_maxsat_add_soft(formula, not_two, 1, 5);
  const int answer = bnnplan_maxsat_solve(formula, 60);
  if (answer < 0) fprintf(stderr, "%s\n", bnnplan_maxsat_error(formula));
  if (answer == BNNPLAN_OPTIMAL)
    printf("x1 or x2: cost %llu, x1 is %d\n", (unsigned long long)bnnplan_maxsat_cost(formula),
           bnnplan_maxsat_value(formula, 1));
  bnnplan_maxsat_free(formula);
  return answer == BNNPLAN_OPTIMAL ? 0 : 1;
}

static int solve_knapsack(void) {
  bnnplan_pb* problem = bnnplan_pb_new();
  const int32_t things[] = {1, 2, 3, 4};
  const int64_t weights[] = {-5, -4, -3, -2}, worth[] = {-10, -9, -5, -4};
  bnnplan_pb_add_at_least(problem, weights, things, 4, -8); /* together at most 8 */
  bnnplan_pb_minimize(problem, worth, things, 4);
  const int answer = bnnplan_pb_solve(problem, 60);
  if (answer < 0) fprintf(stderr, "%s\n", bnnplan_pb_error(problem));
  if (answer == BNNPLAN_OPTIMAL) printf("knapsack: worth %lld\n", -(long long)bnnplan_pb_objective(problem));
  bnnplan_pb_free(problem);
  return answer == BNNPLAN_OPTIMAL ? 0 : 1;
}

int main(void) { return solve_formula() + solve_knapsack(); }
