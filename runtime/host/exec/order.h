/* Who waits for whom: the hazards of one block.
 *
 * For each block a kind, a current group and a previous group of tasks that are not finished.  A task
 * whose merged permission is of the current kind, which is read or accumulate, waits for the
 * previous group and joins the current one; any other waits for the current group, which
 * becomes the previous one, and begins a new one.  A finished task leaves its groups; the
 * kind stays.  (StarPU orders its accessors by the same two levels.)
 *
 * The root scope's hazards stand in the blocks; those of a parent's children in the parent, by
 * block, from empty.
 */
#ifndef SNI_EXEC_ORDER_H
#define SNI_EXEC_ORDER_H

#include <stdint.h>

struct sni_task;

typedef enum sni_permission {    /* ordered: none < read, accumulate < write */
  SNI_NONE, SNI_READ, SNI_ACCUMULATE, SNI_WRITE
} sni_permission;

typedef struct sni_member {      /* a task in a group of a block: in a ring, so that leaving is O(1) */
  struct sni_member *next, *previous;
  struct sni_task *task;
} sni_member;

typedef struct sni_hazard {
  sni_permission kind;           /* of the current group; NONE: nobody came yet */
  sni_member *current, *earlier; /* any member of each ring; NULL: empty */
} sni_hazard;

/* Both together: R + R, A + A stay, anything else is write. */
sni_permission sni_permission_merge(sni_permission, sni_permission);
/* Whether `wanted` is at most `allowed`. */
int sni_permission_allows(sni_permission allowed, sni_permission wanted);

#endif
