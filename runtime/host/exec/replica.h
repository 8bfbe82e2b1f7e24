/* Replicas: a block's copies in the units that are not its home, and the machine that keeps
 * them true (docs/execution.md has the table; replica.def is its data).
 *
 * A request asks for a block on a unit in a mode.  It waits while a transfer of the block is
 * under way that it must not overtake; it is granted (the count rises, the state changes)
 * by one step of the table; it is runnable when the transfers that the step began are done.
 * The home unit's replica is the block itself.
 *
 * All under engine->lock; transfers run on each unit's transfer queue, without it.
 */
#ifndef SNI_EXEC_REPLICA_H
#define SNI_EXEC_REPLICA_H

#include <stdint.h>

struct sni_tensor_block;
struct sn_unit;

typedef enum sni_state { SNI_UNALLOC, SNI_UNI, SNI_READY, SNI_DIRTY, SNI_DIRTYACC, SNI_STATES }
  sni_state;
typedef enum sni_pending { SNI_IDLE, SNI_GET, SNI_PUT, SNI_ACCALL } sni_pending;
typedef enum sni_mode { SNI_MODE_READ, SNI_MODE_WRITE, SNI_MODE_READ_WRITE, SNI_MODE_ACCUMULATE }
  sni_mode;
typedef enum sni_release { SNI_RELEASE_PLAIN, SNI_RELEASE_PUT, SNI_RELEASE_ADD, SNI_RELEASE_CANCEL }
  sni_release;

typedef struct sni_replica {
  sni_state state, before;       /* before: where a cancel returns to */
  int count;                     /* requests that are granted and not released */
  sni_pending pending;
  void *memory;                  /* in the unit */
  uint64_t used;                 /* when: for the eviction of the least recently used */
  struct sni_request *holder;    /* that pending transfers make runnable */
} sni_replica;

typedef enum sni_request_state { SNI_WAITING, SNI_GRANTED, SNI_RUNNABLE, SNI_REFUSED, SNI_RELEASED }
  sni_request_state;

typedef struct sni_request {
  struct sni_request *next;      /* of the block's waiting ones */
  struct sni_tensor_block *block;
  struct sn_unit *unit;
  sni_mode mode;
  int is_cancellable;
  int is_exposed;                /* the buffer was handed out */
  sni_request_state state;
  int code;                      /* REFUSED: SN_ECAPACITY, SN_EDEVICE */
  void *memory;                  /* RUNNABLE: the buffer's memory in the unit */
  void *private_memory;          /* accumulating at home: zeros, added at release */
  /* called once, lock held, when it becomes RUNNABLE or REFUSED after sni_replica_request has
   * returned; never from within that call */
  void (*changed)(struct sni_request *, void *user);
  void *user;
} sni_request;

/* Fills block, unit, mode ... before.  What it has become stands in request->state. */
void sni_replica_request(sni_request *);
/* Gives a granted request back.  SN_ESTATE: not as its mode allows. */
int sni_replica_release(sni_request *, sni_release how);
/* A request that is not runnable yet is given up. */
void sni_replica_withdraw(sni_request *);

#endif
