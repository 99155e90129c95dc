/* An application of IPAMIR, in plain C: robots on a grid, one horizon after the other.
 *
 * Each robot goes from its start to its goal; two are never on the same square and never change places. Entering
 * a square costs its weight, waiting is free. A plan of h steps is a plan of h + 1 steps up to its last one, so
 * the solver grows: steps stay, and the goal of horizon h is assumed, not added. Says for each horizon what the
 * cheapest plan costs.
 *
 *   growing_horizons [SIZE [ROBOTS [LAST [SEED]]]] [--fresh]
 *
 * With --fresh a new solver is made for every horizon: the answers are the same.
 * It uses nothing but the interface, so it can be linked with any solver that has it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ipamir.h>

typedef struct {
  int size, robots, last;
  unsigned seed;
} World;

typedef struct {
  void* solver;
  const World* world;
  int steps; /* that are in the solver */
} Plan;

static unsigned next_random(unsigned* state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 16;
}

static int squares(const World* world) { return world->size * world->size; }

/* Variables: at t (0 .. last) robot r is on square s; it has entered s by the move of step t. */
static int on(const World* world, int t, int r, int s) {
  return 1 + 2 * ((t * world->robots + r) * squares(world) + s);
}
static int entered(const World* world, int t, int r, int s) { return on(world, t, r, s) + 1; }

static int are_near(const World* world, int a, int b) {
  const int dx = abs(a % world->size - b % world->size), dy = abs(a / world->size - b / world->size);
  return dx + dy <= 1;
}

static unsigned weight(const World* world, int square) {
  unsigned state = world->seed * 7919u + (unsigned)square;
  next_random(&state);
  return 1 + next_random(&state) % 9;
}

/* Starts along one edge, goals along the opposite one in reverse order: robots have to pass each other. */
static int start(int r) { return r; }
static int goal(const World* world, int r) { return squares(world) - 1 - r; }

static void add2(void* solver, int a, int b) {
  ipamir_add_hard(solver, a);
  ipamir_add_hard(solver, b);
  ipamir_add_hard(solver, 0);
}

static void add3(void* solver, int a, int b, int c) {
  ipamir_add_hard(solver, a);
  add2(solver, b, c);
}

/* Every robot on exactly one square, no square with two. */
static void add_time(Plan* plan, int t) {
  const World* world = plan->world;
  const int n = squares(world);
  for (int r = 0; r < world->robots; ++r) {
    for (int s = 0; s < n; ++s) ipamir_add_hard(plan->solver, on(world, t, r, s));
    ipamir_add_hard(plan->solver, 0);
    for (int s = 0; s < n; ++s) {
      for (int u = 0; u < s; ++u) add2(plan->solver, -on(world, t, r, s), -on(world, t, r, u));
      for (int q = 0; q < r; ++q) add2(plan->solver, -on(world, t, r, s), -on(world, t, q, s));
    }
  }
}

static void add_step(Plan* plan) {
  const World* world = plan->world;
  const int t = ++plan->steps, n = squares(world);
  add_time(plan, t);
  for (int r = 0; r < world->robots; ++r) {
    for (int s = 0; s < n; ++s) {
      ipamir_add_hard(plan->solver, -on(world, t - 1, r, s));
      for (int u = 0; u < n; ++u) {
        if (are_near(world, s, u)) ipamir_add_hard(plan->solver, on(world, t, r, u));
      }
      ipamir_add_hard(plan->solver, 0);
      add3(plan->solver, -on(world, t, r, s), on(world, t - 1, r, s), entered(world, t, r, s));
      ipamir_add_soft_lit(plan->solver, entered(world, t, r, s), weight(world, s));
      for (int q = 0; q < r; ++q) {
        for (int u = 0; u < n; ++u) {
          if (u == s || !are_near(world, s, u)) continue;
          ipamir_add_hard(plan->solver, -on(world, t - 1, r, s));
          ipamir_add_hard(plan->solver, -on(world, t, r, u));
          add2(plan->solver, -on(world, t - 1, q, u), -on(world, t, q, s));
        }
      }
    }
  }
}

static void begin(Plan* plan, const World* world) {
  plan->solver = ipamir_init();
  plan->world = world;
  plan->steps = 0;
  add_time(plan, 0);
  for (int r = 0; r < world->robots; ++r) {
    ipamir_add_hard(plan->solver, on(world, 0, r, start(r)));
    ipamir_add_hard(plan->solver, 0);
  }
}

static int number(const char* text, int least, int most) {
  const int value = atoi(text);
  if (value < least || value > most) {
    fprintf(stderr, "%s: a number from %d to %d was expected\n", text, least, most);
    exit(1);
  }
  return value;
}

int main(int argc, char** argv) {
  World world = {4, 2, 10, 1};
  int fresh = 0, position = 0;
  for (int i = 1; i < argc; ++i) {
    if (strcmp(argv[i], "--fresh") == 0) {
      fresh = 1;
    } else if (position == 0) {
      world.size = number(argv[i], 2, 100);
      ++position;
    } else if (position == 1) {
      world.robots = number(argv[i], 1, world.size);
      ++position;
    } else if (position == 2) {
      world.last = number(argv[i], 1, 1000);
      ++position;
    } else {
      world.seed = (unsigned)number(argv[i], 0, 1000000);
    }
  }
  printf("c %s\n", ipamir_signature());
  Plan plan;
  begin(&plan, &world);
  for (int horizon = 1; horizon <= world.last; ++horizon) {
    if (fresh && horizon > 1) {
      ipamir_release(plan.solver);
      begin(&plan, &world);
    }
    while (plan.steps < horizon) add_step(&plan);
    for (int r = 0; r < world.robots; ++r)
      ipamir_assume(plan.solver, on(&world, horizon, r, goal(&world, r)));
    const int answer = ipamir_solve(plan.solver);
    if (answer == 30) {
      printf("horizon %d: cost %llu\n", horizon, (unsigned long long)ipamir_val_obj(plan.solver));
    } else if (answer == 20) {
      printf("horizon %d: no plan\n", horizon);
    } else {
      fprintf(stderr, "horizon %d: the solver answered %d\n", horizon, answer);
      return 1;
    }
    fflush(stdout);
  }
  ipamir_release(plan.solver);
  return 0;
}
