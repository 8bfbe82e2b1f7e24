/* How generated files are compiled and linked on this machine. */
#ifndef SNODEGEN_BUILDING_H
#define SNODEGEN_BUILDING_H

#include "gen/options.h"

void write_cflags(Arena *, const Options *, Text *);
void write_libs(Arena *, const Options *, Text *);
void write_targets(Arena *, Text *);
/* Whether the file can be compiled for what is said ("nvptx:sm_90"): NULL, or what can be said. */
const char *check_build(Arena *, const char *said);
/* --cc: base.c to base.so.  The exit status. */
int run_compiler(Arena *, const Options *, const char *base);
/* Files of C to a program.  Where neither CC nor the options choose a compiler and the configured
 * one is not there: by any, for one thread, after a message.  The exit status. */
int build_program(Arena *, const Options *, const char *program, const char *const *sources,
                  int source_count);

#endif
