/* How the stages of snodegen end early inside another process: not at all. */
#ifndef SNODEGEN_INTERPRET_FATAL_H
#define SNODEGEN_INTERPRET_FATAL_H

/* Calls body(user).  SN_OK when it returned; SN_ENOMEM or SN_EBUG when something in
 * it gave up, which then did not return: what user points to says how far it had
 * come.  Each thread has its own. */
int interpreter_guard(void (*body)(void *), void *user);

#endif
