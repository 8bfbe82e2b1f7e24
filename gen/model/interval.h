/* Intervals of integer values, and what arithmetic makes of them: of literals in the checked
 * program (gen/front/bounds.c), of statements of the IR (gen/ir/interval.h).
 */
#ifndef SNODEGEN_MODEL_INTERVAL_H
#define SNODEGEN_MODEL_INTERVAL_H

#include "gen/base/type.h"
#include "gen/model/operators.h"

typedef struct Interval {
  int64_t lo, hi;                   /* both are included */
} Interval;

/* What values of the type can be.  Of u64 only the lower half is told apart. */
Interval interval_of_type(const Type *);
bool interval_is_inside(Interval, Interval outer);

/* The least interval of a + b, a - b or a * b; each of its ends is taken where one side is a
 * constant.  false: it is another operator, or a result may not fit an i64. */
bool interval_of_operator(Op, Interval a, Interval b, Interval *);

#endif
