/* How much memory this process may have: what a memory limit is where nobody has set one. */
#ifndef SNI_BASE_ALLOWED_H
#define SNI_BASE_ALLOWED_H

#include <stdint.h>

/* Bytes: the least of the machine's memory, of what the process's control groups are allowed, and
 * of its own limits of address space and data (ulimit -v, -d). */
uint64_t sni_memory_allowed(void);

/* What the process's control groups are allowed, and those around them; UINT64_MAX: no limit.  Of
 * both versions.  root: the folder in which proc and sys stand, "" for the system's own. */
uint64_t sni_control_group_memory(const char *root);

#endif
