/* Commands that snodegen runs: a compiler, and what it has made. */
#ifndef SNODEGEN_PROCESS_H
#define SNODEGEN_PROCESS_H

#include "gen/base/base.h"

/* Runs argv (NULL-ended, argv[0] looked for in PATH) and waits for its end.  Its exit status; 128
 * and the signal that ended it; -1 where it could not be started: errno tells.
 * A signal that would end snodegen meanwhile is handed on to it, so that there is time to clean
 * up; what a terminal sends it has had as well. */
int process_run(char **argv);

/* Between the two, signals that would end snodegen wait; those that came without a command to hand
 * them on to do what they do in process_release. */
void process_hold(void);
bool process_is_asked_to_end(void);
void process_release(void);

#endif
