/* When a tape holds, restores and runs again: the binomial schedule.
 *
 * A chain of steps is reversed from its last one to its first.  To reverse step k, the state behind
 * it is needed, which is made from a checkpoint by running steps again.  With `places` checkpoints,
 * of which the first is the state before step 0, and no step run forward more than `times` times,
 * C(places + times, places) steps can be reversed and no more, and the schedule that splits a chain
 * by these numbers runs the fewest steps: A. Griewank and A. Walther, "Algorithm 799: revolve: an
 * implementation of checkpointing for the reverse or adjoint mode of computational
 * differentiation", ACM Transactions on Mathematical Software 26 (2000), 19-45.
 *
 * This file knows no fields and no kernels: it says what is done next, and is told nothing.
 */
#ifndef SNI_TREE_TAPE_SCHEDULE_H
#define SNI_TREE_TAPE_SCHEDULE_H

#include <stdint.h>

/* State k is that before step k. */
typedef enum sni_action_kind {
  SNI_ACTION_RESTORE,            /* the state that the place holds */
  SNI_ACTION_FORWARD,            /* run steps from .. to - 1: the state is then `to` */
  SNI_ACTION_HOLD,               /* the state as it is, in the place, which may hold another one */
  SNI_ACTION_TURN,               /* run step `from`, then its adjoint */
  SNI_ACTION_END
} sni_action_kind;

typedef struct sni_action {
  sni_action_kind kind;
  uint64_t from, to, place;
} sni_action;

typedef struct sni_schedule {
  uint64_t *held;                /* the state in each place, ascending; the caller's */
  uint64_t places, count;        /* of held; how many hold one */
  uint64_t at, end;              /* the state now; the steps that are still to be reversed */
} sni_schedule;

/* For `steps` steps.  held: `places` of them, at least 1; place 0 holds state 0 already. */
void sni_schedule_begin(sni_schedule *, uint64_t steps, uint64_t *held, uint64_t places);
sni_action sni_schedule_next(sni_schedule *);

/* C(places + times, places): how many steps can be reversed; UINT64_MAX where it is more. */
uint64_t sni_schedule_reach(uint64_t places, uint64_t times);

#endif
