/* Replicas: a block's copies in the units that are not its home, and the machine that keeps
 * them true (docs/execution.md has the table; replica.def is its data).
 *
 * A request asks for a block on a unit in a mode.  It waits while another holder or a transfer
 * stands in its way; it is granted (the count rises, the state changes) by one step of the
 * table; its buffer may be used when the transfers that the step began are done.  The home
 * unit's replica is the block itself.
 *
 * Nobody is called back: who waits tries again when something has changed
 * (sni_engine_changed).  All under engine->lock, but for transfers, which run on each unit's
 * transfer queue, and what is said to be off the lock.
 */
#ifndef SNI_EXEC_REPLICA_H
#define SNI_EXEC_REPLICA_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/host/exec/commit.h"
#include "runtime/host/exec/queue.h"

struct sni_tensor_block;

typedef enum sni_state { SNI_UNALLOC, SNI_UNI, SNI_READY, SNI_DIRTY, SNI_DIRTYACC, SNI_STATES }
  sni_state;
/* Of an AccAll with a Get behind it: ACCALL until both are done. */
typedef enum sni_pending { SNI_IDLE, SNI_GET, SNI_PUT, SNI_ACCALL } sni_pending;
typedef enum sni_operation {
  SNI_OP_READ, SNI_OP_WRITE, SNI_OP_RW, SNI_OP_ACC, SNI_OP_RELEASE, SNI_OP_CANCEL, SNI_OP_EVICT,
  SNI_OP_FLUSH, SNI_OPERATIONS,
  SNI_OP_TMP                     /* a private buffer: no state, no cell */
} sni_operation;

/* Whether a request of this mode needs what the block is worth. */
static inline int sni_needs_value(sni_operation mode)
{
  return mode == SNI_OP_READ || mode == SNI_OP_RW;
}

typedef struct sni_replica {
  struct sni_tensor_block *block;
  sn_unit *unit;
  sni_state state, before;       /* before: where a cancel returns to */
  int count;                     /* requests that are granted and not released */
  int is_pinned;                 /* not to be evicted: one of a set that is being reserved */
  int is_tentative;              /* its holder may give it up: the block's value is at home */
  sni_pending pending;
  int then_get;                  /* the AccAll under way has a Get behind it */
  void *memory;                  /* in the unit */
  struct sni_replica *older, *newer;             /* in the unit, by their last use */
  sni_item transfer;             /* in the unit's transfer queue while one is pending */
} sni_replica;

/* ---- the table ---- */

typedef enum sni_verdict {
  SNI_DO, SNI_VERDICT_WAIT, SNI_VERDICT_SKIP, SNI_VERDICT_ERROR
} sni_verdict;
typedef enum sni_action {
  SNI_DO_NOTHING, SNI_DO_ALLOCATE, SNI_DO_FREE, SNI_DO_GET, SNI_DO_PUT, SNI_DO_ACCALL,
  SNI_DO_ACCALL_GET, SNI_DO_FILL, SNI_DO_PUT_FILL
} sni_action;
typedef struct sni_step {
  sni_verdict verdict;
  sni_action action;
  int count;                     /* afterwards */
  sni_state next;
} sni_step;

/* What the operation would do to the replica as it is; changes nothing (replica.c). */
sni_step sni_replica_step(const sni_replica *, sni_operation);
/* reserve.c.  The verdict; where it is DO, the step has been taken, but for ALLOCATE and FILL. */
sni_verdict sni_replica_take(sni_replica *, sni_operation);
/* Rule 2: where the cancel of such a request returns to. */
sni_state sni_replica_before(sni_operation, sni_state granted_in);
/* Whether this transfer may end in this state. */
int sni_replica_may_end(sni_state, sni_pending);

/* ---- requests: reserve.c, then request.c ---- */

typedef struct sni_request {
  struct sni_request *next;      /* of its set */
  struct sni_tensor_block *block;
  sn_unit *unit;
  sni_operation mode;            /* READ, WRITE, RW, ACC, TMP */
  sni_commit_kind how;           /* ACC: ADD, MAX or MIN */
  int is_cancellable;
  int is_direct;                 /* accumulating at home: the holder adds, it gets no buffer */
  int is_granted;
  int has_begun;                 /* the holder may have changed the memory */
  int fills_block;               /* what adds nothing is to be put into the memory before its use */
  void *memory;                  /* GRANTED: the block's, in the unit; NULL: TMP */
  void *own;                     /* a private buffer: TMP; at home what may be cancelled or is
                                    accumulated */
} sni_request;

typedef enum sni_outcome {
  SNI_GRANTED,
  SNI_WAITS,                     /* for holders or transfers */
  SNI_ROOM_COMES,                /* in the unit, when transfers that make it are done */
  SNI_NO_ROOM,                   /* until others release */
  SNI_NO_MEMORY                  /* the unit's allocator gave none, or no queue could be had */
} sni_outcome;

/* All of the set, or none; flushes and evictions that are in the way are begun in any case. */
sni_outcome sni_requests_reserve(sni_request *set);
/* Whether the transfers are done that a granted request waits for. */
int sni_request_is_there(const sni_request *);
/* What is in the way of a request: transfers end by themselves, holders release. */
typedef enum sni_obstacle { SNI_NOTHING, SNI_A_TRANSFER, SNI_A_HOLDER } sni_obstacle;
sni_obstacle sni_request_obstacle(const sni_request *);
/* Off the lock, once, when it is there: zeros and private copies; an engine's error. */
int sni_request_begin(sni_request *);
/* Off the lock: brings the private buffer of a granted request to the block, if it has one. */
int sni_request_commit(sni_request *);
/* Gives a granted request back: as a commit, or as if it had never been (rule 2).  The memory
 * of its private buffer is freed.  SN_EBUG: not granted, or not in that state. */
int sni_request_release(sni_request *, int commits);
/* The memory that the holder works on. */
void *sni_request_memory(const sni_request *);

/* ---- replicas ---- */

/* Writes home what the replicas hold; waits for holders and transfers: 0: come again. */
int sni_block_flush(struct sni_tensor_block *);
/* Begins a Get where the unit has no good copy, there is room and nobody is in the way. */
void sni_block_prefetch(struct sni_tensor_block *, sn_unit *);
/* Waits for transfers, and forgets the replicas and what they hold; nobody has requests. */
void sni_replicas_settle(struct sni_tensor_block *);
/* No lock needed: nobody knows the block any more. */
void sni_replicas_destroy(struct sni_tensor_block *);

/* ---- the pieces: room.c, transfer.c, reserve.c, replica.c ---- */

/* Memory of a unit, counted; NULL: there is none.  Device calls are made under the lock. */
void *sni_room_take(sn_unit *, size_t bytes);
void sni_room_give(sn_unit *, void *, size_t bytes);
/* Makes room for so many bytes by evicting what was used longest ago; SNI_NO_ROOM: what is left
 * is held. */
sni_outcome sni_room_make(sn_unit *, size_t bytes);
/* The replica is the one used last. */
void sni_replica_touch(sni_replica *);
void sni_replica_forget(sni_replica *);
/* Lock held: a transfer between the unit and a home, and what it moves; then_get: an AccAll has a
 * Get behind it. */
void sni_transfer_count(sn_unit *, sni_pending, int then_get, uint64_t bytes);
/* Begins it; the replica is pending until it is done.  action: GET to ACCALL_GET, PUT_FILL. */
void sni_transfer_begin(sni_replica *, sni_action);
/* 0: no thread could be had for the unit's transfer queue. */
int sni_unit_has_transfers(sn_unit *);
void sni_unit_end_transfers(sn_unit *);
/* The transfer has ended with this code: rule 3's last part. */
void sni_replica_done(sni_replica *, int code);
/* Rule 3: READY replicas but this one (NULL: all) are old. */
void sni_block_outdate(struct sni_tensor_block *, const sni_replica *but);
/* Adds from into to, as `how` says, at most one at a time into a block (rule 5). */
int sni_block_add(struct sni_tensor_block *, sni_commit_kind how, sn_span to, sn_span from);
/* Off the lock: fills it with what adds nothing: zeros, the type's least, its greatest. */
int sni_block_fill_neutral(const struct sni_tensor_block *, sni_commit_kind how, sn_span);

#endif
