/* Where the accesses of a parallel task go, as its iterations see it.
 *
 * An access has a *way* when no two iterations go to one place by it.  Two accesses to one
 * field that have the same way go to one place in different iterations never; of two that
 * have different ways nothing is known.
 */
#ifndef SNODEGEN_PASSES_WAYS_H
#define SNODEGEN_PASSES_WAYS_H

#include "gen/passes/tools.h"

enum {
  WAY_SHARED = -1,             /* it has none */
  WAY_OWN,                     /* below the cell that the loop stands on */
  WAY_BESIDE,                  /* at just the loop's indices, in another SNode */
  WAY_APPENDED,                /* in a cell that an append of this iteration made */
  WAY_FIRST                    /* from here on: a row of Ways.elements */
};

/* An index as times * element + constant + the sum of terms, which are the same throughout
 * the task, + 0 to `width`, as the turns of serial loops go. */
enum { LINEAR_TERMS = 4 };
typedef struct Linear {
  int64_t times, constant, width;
  const IrStmt *term[LINEAR_TERMS];
  int64_t factor[LINEAR_TERMS];
  int term_count;
} Linear;

/* What differs in any two iterations, the loop's indices or what a `unique` has, stands
 * among the indices of an access: element n in index at[n], as `index` says. */
typedef struct Elements {
  const IrStmt *unique;        /* NULL: the loop's indices */
  int count;
  int at[MAX_AXES];
  Linear index[MAX_AXES];
} Elements;

typedef struct Ways {
  Arena *arena;
  const IrStmt *task;          /* NULL: in a function that it calls */
  IrStmt **uniques;  int unique_count;
  Elements *elements; int element_count;
} Ways;

/* Notes what is unique in the task.  Needs note_declarations(). */
Ways ways_of_task(Arena *, const IrStmt *task);
/* Of a load, a store, an atomic, or of those of an array. */
int way_of(Ways *, const IrStmt *access);
/* Whether both compute the same, in one iteration; loads too, if nothing is stored between. */
bool is_same_expression(const IrStmt *, const IrStmt *);
/* Whether it stands where one iteration at most comes: behind `if`s that say which. */
bool is_of_one_iteration(const IrStmt *task, const IrStmt *);

#endif
