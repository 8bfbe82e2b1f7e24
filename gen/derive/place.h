/* Where an access goes: each index is a *base* and a constant.
 *
 * A base has one value in each turn of its *home*, a loop, or in the whole kernel:
 *
 *   x[t + 1, i]     in a loop over t: base t, whose home is the loop, and 1
 *   x[t + 1, i]     with a parameter t: base t, which has no home, and 1
 */
#ifndef SNODEGEN_DERIVE_PLACE_H
#define SNODEGEN_DERIVE_PLACE_H

#include "gen/derive/refuse.h"

typedef struct Place {
  bool is_known;
  const IrStmt *base;         /* a param, a loop's index, the get of a variable; NULL: none */
  const IrStmt *home;         /* NULL: it has one value in the kernel */
  int64_t step;               /* what home adds to it in a turn; 0: unknown */
  bool may_stay;              /* in some turns home adds nothing */
  bool is_stepped;            /* the value is that of behind the step in its turn */
  int64_t plus;
} Place;

/* Of each index of a read, a write or an atomic; found once. */
const Place *places_of(const Refusal *, const IrStmt *access);

/* The innermost loop, serial or parallel; NULL: none. */
const IrStmt *loop_around(const IrStmt *);

#endif
