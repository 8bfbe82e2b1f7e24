/* A compile as the command line asks for it: files read, files written. */
#ifndef SNODEGEN_COMMAND_H
#define SNODEGEN_COMMAND_H

#include "gen/imports.h"
#include "gen/options.h"

/* The exit status.  Diagnostics go to messages; *imports: the files that were read, which are the
 * arena's. */
int command_run(Arena *, const Options *, FILE *messages, Imports *imports);

#endif
