/* Which allocation fails (memory.c), as the sweep says (sweep.c). */
#ifndef SN_T_EXEC_FAILING_MEMORY_H
#define SN_T_EXEC_FAILING_MEMORY_H

#include <stdatomic.h>

/* From now on allocation `number` fails (0: none), and each is counted there. */
void failing_begin(unsigned long number, atomic_ulong *counted);

#endif
