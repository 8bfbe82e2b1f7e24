/* The same game on a dense board in plain C, for --check: as large as the pattern can have
 * spread to. */
#ifndef LIFE_REFERENCE_H
#define LIFE_REFERENCE_H

#include <stdint.h>

#include "pattern.h"

/* The cells that live after so many generations, as row and column, in *out (to be given
 * back by pattern_free), in row-major order.  0, or -1: no memory. */
int reference_run(const pattern *, int64_t generations, pattern *out);

#endif
