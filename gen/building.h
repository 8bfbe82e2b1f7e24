/* How generated files are compiled and linked on this machine. */
#ifndef SNODEGEN_BUILDING_H
#define SNODEGEN_BUILDING_H

#include "gen/options.h"

void write_cflags(Arena *, const Options *, Text *);
void write_libs(Arena *, const Options *, Text *);
void write_targets(Text *);
/* --cc: base.c to base.so.  The exit status. */
int run_compiler(Arena *, const Options *, const char *base);

#endif
