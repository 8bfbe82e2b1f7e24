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

#include "runtime/host/exec/handoff.h"
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
  sn_unit *unit;
};

typedef struct sni_line {        /* of tasks, greatest priority first, then first come */
  sni_task *head, *last;
  int64_t count;
} sni_line;

struct sni_task {
  sni_task *next;                /* in a line, or among those that have come back */
  sni_task *sibling_next, *sibling_previous;     /* in its scope, those that have not ended */
  sn_engine *engine;
  sni_task *parent;              /* NULL: the root scope */
  sni_task *child;               /* the first of its scope */
  uint64_t number;               /* from 1, in order of submission */
  uint64_t place;                /* its number, or that of the task whose place it took */
  uint64_t mark;                 /* who has seen it last, while edges are drawn */
  const char *name;              /* NULL: its number */
  sni_task_state state;
  int code;                      /* its own, and at its end what it comes to with its children */
  int child_code;                /* of the first child in their order that has failed */
  uint64_t child_place;          /* of that one */
  int is_canceled;               /* an earlier task has failed */
  atomic_int has_begun;          /* of one that was handed over, whose state is READY still */
  int is_reserved;
  int is_committing;             /* the body is over, its commits are not */
  int waits;                     /* predecessors that have not ended */
  int children;                  /* that have not ended */
  int priority;
  sni_edge *later;               /* who waits for it */
  struct sni_scope *scope;       /* its children's hazards; NULL: it had none */
  sn_event *done;
  sn_body_fn body[3];
  void *user;
  sn_unit *unit;                 /* given, or where it was placed; NULL: any that can */
  sn_queue *queue;               /* where it has its place; NULL: a worker runs it */
  sni_part *parts;
  sn_buffer *buffers;            /* declared */
  sn_buffer *extra;              /* others, newest first */
  sn_buffer *held;               /* of both, those that are in its children's way */
  sni_commit *commits;
  sni_line blocked;              /* its children that wait for held buffers and commits */
  int part_count, buffer_count;
  double expected;               /* seconds, as the scheduler thought */
  struct sn_recording *recording;                /* its children are recorded, not run */
  const struct sni_replay *replay;               /* that it belongs to; NULL: none */
  sn_run run;
  size_t bytes;                  /* of all this memory */
};

/* What the lines of a crew hold beside the tasks that were handed over: nothing; some to be handed
 * over next; some for which a worker has to take the lock now. */
typedef enum sni_lined { SNI_LINED_NONE, SNI_LINED_NEXT, SNI_LINED_NOW } sni_lined;

typedef struct sni_crew {        /* a unit's workers and what they have before them */
  sn_unit *unit;
  sni_line ready, preparing, prepared;
  int is_full;                   /* the first that is being prepared finds no room: no more */
  int demands;                   /* running tasks that wait for room: nobody else takes any */
  int ahead;                     /* how many are prepared before a worker asks for them */
  int running;
  double load;                   /* expected seconds of what was placed here and has not ended */
  int hands_over;                /* what its workers can take without the lock; the host's alone */
  sni_handoff handoff;           /* the host's: ready tasks that workers take without the lock */
  int64_t out;                   /* of those: handed over, and not yet collected */
  int out_priority;              /* of all that are in its ring */
  int is_served;                 /* who holds the lock has promised to collect */
  sni_condition work;
  atomic_int sleeping;           /* of its workers; tasks->sleeping: of all */
  int woken;                     /* of those: are on their way, and count as looking */
  atomic_int looking;            /* awake, with nothing to do yet */
  atomic_int lined;              /* what its lines hold, as a hint: sni_lined */
  atomic_uint arrived;           /* what came to its lines, ever: idle workers look */
  sni_thread *threads;
  int thread_count, threads_wanted;
  int is_closing;
} sni_crew;

enum { SNI_POOLS = 24 };

typedef struct sni_tasks {
  sni_crew *crews;               /* by unit */
  sni_line shared;               /* ready; more than one unit may run them */
  const sn_scheduler *scheduler;
  sni_task *live;                /* the first of the root scope */
  int64_t live_count, preparing_count, sleeping;
  uint64_t submitted;
  uint64_t mark;                 /* the last one: each look at the order has its own */
  sn_task_counters counters;
  void *pool[SNI_POOLS];         /* free pieces of 64 << k bytes, linked by their first word */
  struct sni_graph *graph;       /* record_graph: what has ended too */
  struct sni_measure *measures;
} sni_tasks;

#endif
