/* Tasks inside.
 *
 * A task waits for its predecessors; is ready, in the line of a unit or in the shared one; is
 * prepared there: its declared buffers are reserved, all or none, and brought; runs; and ends when
 * its descendants have ended.  It is one piece of memory: the task, its parts (the blocks that it
 * names, in their order, each with what it may do there in all), its declared buffers, the edges
 * that lead to it, its user data and its name.
 *
 * All under engine->lock, but what a running body does with its own buffers, and what passes
 * between the lock's holder and the host's workers (handoff.h): a task that needs nothing but a
 * worker is given to it without the lock, and comes back without it; meanwhile it is its worker's,
 * but for its children.
 */
#ifndef SNI_EXEC_TASK_H
#define SNI_EXEC_TASK_H

#include <snode/task.h>

#include <stdatomic.h>

#include "runtime/host/exec/queue.h"
#include "runtime/host/exec/tensor.h"

typedef struct sni_task sni_task;

typedef struct sni_edge {        /* part of the later task's memory */
  struct sni_edge *next;         /* of the earlier task's */
  sni_task *later;
} sni_edge;

typedef struct sni_part {
  sni_tensor_block *block;
  sni_permission permission;     /* NONE: named alone, by a temporary buffer: it orders nothing */
  sni_member member;             /* in the block's hazard, of the task's scope */
} sni_part;

typedef enum sni_buffer_state { SNI_DECLARED, SNI_HANDED, SNI_RETURNED } sni_buffer_state;

struct sn_buffer {
  sn_buffer *next;               /* of its task, among those that were not declared */
  sn_buffer *held_next;          /* of its task, among those that are in its children's way */
  sni_task *task;
  uint32_t kind;                 /* SN_ACCESS_..., SN_CANCELLABLE with it */
  sni_buffer_state state;
  sn_buffer *original;           /* of a copy */
  int copies;                    /* of an original: alive */
  int is_committed;              /* an original: by itself or by a copy */
  sni_request request;           /* a copy's: TMP */
};

/* What a temporary buffer does to its block: a cycle of its own. */
typedef struct sni_commit {
  struct sni_commit *next;
  sn_buffer *from;
  sni_commit_kind how;
  sni_request request;           /* at home: WRITE or ACC */
} sni_commit;

typedef enum sni_task_state {
  SNI_TASK_WAITS, SNI_TASK_READY, SNI_TASK_PREPARING, SNI_TASK_PREPARED, SNI_TASK_RUNNING,
  SNI_TASK_CHILDREN, SNI_TASK_ENDED
} sni_task_state;

struct sn_run {
  sni_task *task;
  sn_unit *unit;                 /* where it has to run, was placed, or runs; NULL: any that can */
};

typedef struct sni_line {        /* of tasks, greatest priority first, then first come */
  sni_task *head, *last;
  int64_t count;
} sni_line;

/* Four cache lines, by who touches them: a worker that runs a task without the lock touches the
 * first one and the user's data, and the order mostly the second. */
struct sni_task {
  sni_task *next;                /* in a line, or among those that have come back */
  sn_run run;
  sn_body_fn body[3];            /* by kind of unit */
  void *user;
  int code;                      /* its own, and at its end what it comes to with its children */
  atomic_schar has_begun;        /* of one that was handed over, whose state is READY still */
  unsigned char state;           /* sni_task_state */
  unsigned char is_reserved;
  unsigned char is_committing;   /* the body is over, its commits are not */

  sni_edge *later;               /* who waits for it */
  int waits;                     /* predecessors that have not ended */
  int part_count;
  uint64_t mark;                 /* who has seen it last, while edges are drawn */
  sni_task *parent;              /* NULL: the root scope */
  struct sni_scope *scope;       /* its children's hazards; NULL: it had none */
  sn_event *done;
  sn_queue *queue;               /* where it has its place; NULL: a worker runs it */
  int priority;
  unsigned char is_canceled;     /* an earlier task has failed */
  unsigned char is_recording;    /* its children are recorded, not run: sni_recording_of */

  sni_task *sibling_next, *sibling_previous;     /* in its scope, those that have not ended */
  sn_engine *engine;
  uint64_t number;               /* from 1, in order of submission */
  uint64_t place;                /* its number, or that of the task whose place it took */
  const char *name;              /* NULL: its number */
  size_t bytes;                  /* of all this memory */
  int buffer_count;
  int children;                  /* that have not ended */

  sni_task *child;               /* the first of its scope */
  uint64_t child_place;          /* of the first child in their order that has failed */
  int child_code;                /* what that one came to */
  float expected;                /* seconds, as the scheduler thought */
  sn_buffer *buffers;            /* declared */
  sn_buffer *extra;              /* others, newest first */
  sn_buffer *held;               /* of both, those that are in its children's way */
  sni_commit *commits;
  const struct sni_replay *replay;               /* that it belongs to; NULL: none */
};

static inline sni_part *sni_task_parts(const sni_task *task)
{
  return (sni_part *)(uintptr_t)(task + 1);
}

/* So many bytes, up to where any type of C may stand in a task's memory. */
static inline size_t sni_task_padded(size_t bytes)
{
  return (bytes + 15) & ~(size_t)15;
}

enum { SNI_POOLS = 36 };

typedef struct sni_slab {        /* of memory for the pieces of a pool */
  struct sni_slab *next;
  size_t bytes;
} sni_slab;

/* What those beneath the workers call, when something has changed for tasks: a transfer has ended,
 * a thread waits and could run one. */
typedef struct sni_upward {
  void (*pump)(sn_engine *);     /* sni_crews_pump */
  int (*help)(sn_engine *);      /* sni_crews_help */
} sni_upward;

typedef struct sni_tasks {
  struct sni_crew *crews;               /* by unit */
  const sni_upward *calls;
  sni_line shared;               /* ready; more than one unit may run them */
  int64_t shared_by[3];          /* of those: with a body for that kind of unit */
  const sn_scheduler *scheduler;
  sni_task *live;                /* the first of the root scope */
  int64_t live_count, preparing_count, sleeping;
  int64_t wakes_above;           /* nobody is to be woken while no more are live (wake.c) */
  uint64_t mark;                 /* the last one: each look at the order has its own */
  sn_task_counters counters;
  void *pool[SNI_POOLS];         /* free pieces by size (pool.c), linked by their first word */
  sni_slab *slabs;
  struct sni_graph *graph;       /* record_graph: what has ended too */
  struct sni_measure *measures;
} sni_tasks;

/* ---- what it is: task.c, and here what each submission asks ---- */

const char *sni_task_name(const sni_task *, char text[SNI_NAME]);
/* NONE: the task has none there. */
sni_permission sni_task_may(const sni_task *, const sni_tensor_block *);

/* As what it is ordered: deterministic sums are made in the order of the tasks, accumulating
 * excludes others. */
static inline sni_permission sni_order_of(const sn_engine *engine, sni_permission permission)
{
  return permission == SNI_ACCUMULATE && engine->options.deterministic ? SNI_WRITE : permission;
}

/* Bytes that its declared buffers take in a unit other than home. */
uint64_t sni_task_bytes(const sni_task *);

static inline int sni_task_can_run_on(const sni_task *task, const sn_unit *unit)
{
  return task->body[unit->kind] && (!task->run.unit || task->run.unit == unit) &&
         (!unit->memory.capacity || !task->buffer_count ||
          sni_task_bytes(task) <= unit->memory.capacity);
}

/* By how many tasks its tensors are used: once a tensor, whose parts are neighbours. */
static inline void sni_task_count_users(const sni_task *task, uint64_t one)
{
  const sn_tensor *last = NULL;

  for (int k = 0; k < task->part_count; k++) {
    sn_tensor *tensor = sni_task_parts(task)[k].block->tensor;
    tensor->users += tensor != last ? one : 0;
    last = tensor;
  }
}

static inline void sni_task_hold_tensors(const sni_task *task)
{
  sni_task_count_users(task, 1);
}

static inline void sni_task_drop_tensors(const sni_task *task)
{
  sni_task_count_users(task, (uint64_t)-1);
}

/* ---- the lines that tasks wait in; lock held ---- */

void sni_line_push(sni_line *, sni_task *);
void sni_line_push_ahead(sni_line *, sni_task *);              /* of those of its priority */
sni_task *sni_line_remove(sni_line *, sni_task *before);       /* the one behind; NULL: the head */

#endif
