/* --watch: compiles again when a file changes. */
#ifndef SNODEGEN_WATCH_H
#define SNODEGEN_WATCH_H

#include "gen/options.h"

/* Until a signal ends it.  The exit status: 0 after SIGINT. */
int watch_source(const Options *);

#endif
