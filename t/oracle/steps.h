/* Steps of a sequence: each is done to the tree and to the model, and both are compared. */
#ifndef SN_T_ORACLE_STEPS_H
#define SN_T_ORACLE_STEPS_H

#include <stdint.h>

/* STEP(name, weight, meaning): what a step is, how often it is drawn */
#define ORACLE_STEPS(STEP)                                                         \
  STEP(grow, 8, "additions, activations, lists that grow: all at once, anywhere")  \
  STEP(shrink, 2, "cells go at any level, some more than once")                    \
  STEP(halves, 6, "half of the cells at the top grow, the others go")              \
  STEP(leaves, 6, "side by side in one container cells grow and go")               \
  STEP(chaos, 8, "the same cells are written and go at once")                      \
  STEP(own, 8, "each cell at the top is one iteration's, in a given order")        \
  STEP(look, 4, "reads")                                                           \
  STEP(visit, 4, "loops over cells")                                               \
  STEP(save, 1, "a file")                                                          \
  STEP(load, 1, "another tree from the file, or from none")                        \
  STEP(copy, 1, "another tree as a copy")                                          \
  STEP(empty, 1, "all cells of an SNode go, or of the tree")

typedef enum step_kind {
#define STEP(name, weight, meaning) STEP_##name,
  ORACLE_STEPS(STEP)
#undef STEP
  STEP_COUNT
} step_kind;

typedef struct step {
  step_kind kind;
  uint64_t seed;
  int64_t n;                     /* of operations; of the iterations of a step that owns: turns */
} step;

typedef struct course course;    /* a tree and its model */

/* folder: for files; lies: the model forgets some deactivations, so that a test sees them found.
 * NULL: after a message. */
course *course_create(const char *folder, int lies);
void course_destroy(course *);
/* 0: the tree is as the model says; *operations grows by those that were done to it.  Else what is
 * wrong was said. */
int course_step(course *, const step *, int64_t *operations);

const char *step_name(step_kind);
/* -1: there is none. */
int step_by_name(const char *);

#endif
