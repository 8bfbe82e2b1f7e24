/* Who waits for whom: the hazards of one block.
 *
 * For each block a kind, a current group and an earlier group of tasks that are not
 * finished.  A task whose merged permission is of the current kind, and that is read or
 * accumulate, waits for the earlier group and joins the current one; any other waits for the
 * current group, which becomes the earlier one, and begins a new one.  A finished task
 * leaves its group; the kind stays.  (StarPU orders its accessors by the same two levels.)
 *
 * The root scope's hazards stand in the blocks; those of a parent's children in the parent, by
 * block, from empty.
 */
#ifndef SNI_EXEC_ORDER_H
#define SNI_EXEC_ORDER_H

#include <stddef.h>
#include <stdint.h>

typedef enum sni_permission {    /* none < read, three ways to accumulate < write */
  SNI_NONE, SNI_READ, SNI_ACCUMULATE, SNI_ACCUMULATE_MAX, SNI_ACCUMULATE_MIN, SNI_WRITE
} sni_permission;

/* A task (of arrays: an operation) in a group: in a ring with the others, so that it leaves in
 * O(1), and finds the group's head by itself when it is the last. */
typedef struct sni_member {
  struct sni_member *next, *previous;
  void *who;                     /* whose end the others wait for */
  struct sni_group *group;
} sni_member;

typedef struct sni_group {
  sni_member *any;               /* NULL: empty */
} sni_group;

typedef struct sni_hazard {
  unsigned char kind;            /* of the current group; NONE: nobody came yet */
  unsigned char ever;            /* what all tasks that came may do together */
  unsigned char current;         /* which of the groups that is; the other is the earlier one */
  sni_group group[2];
} sni_hazard;

/* Whether a task with the permission comes to the current group; it begins a new one otherwise. */
static inline int sni_order_joins(const sni_hazard *hazard, sni_permission permission)
{
  return hazard->kind == permission && permission != SNI_WRITE;
}
/* Lock held, all.  Whom a task with this permission (not none) must wait for, one after the other;
 * then its member joins.  A hazard does not move in memory while it has members. */
static inline const sni_member *sni_order_first(const sni_hazard *hazard, sni_permission permission)
{
  return hazard->group[hazard->current ^ sni_order_joins(hazard, permission)].any;
}
static inline const sni_member *sni_order_next(const sni_member *member, const sni_member *first)
{
  return member->next != first ? member->next : NULL;
}
void sni_order_enter(sni_hazard *, sni_member *, sni_permission);
/* Lock held.  The task is finished; once. */
void sni_order_leave(sni_member *);

/* Both together: the same stays, anything else is write. */
static inline sni_permission sni_permission_merge(sni_permission a, sni_permission b)
{
  if (a == SNI_NONE || a == b)
    return b;
  return b == SNI_NONE ? a : SNI_WRITE;
}
/* Whether `wanted` is at most `allowed`. */
int sni_permission_allows(sni_permission allowed, sni_permission wanted);
/* Whether one of the two waits for the other. */
int sni_permissions_conflict(sni_permission, sni_permission);

#endif
