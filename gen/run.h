/* --run: a source compiled and run at once. */
#ifndef SNODEGEN_RUN_H
#define SNODEGEN_RUN_H

#include "gen/options.h"

/* The exit status: that of the program; before it runs, as of a compile. */
int run_source(Arena *, const Options *);

#endif
