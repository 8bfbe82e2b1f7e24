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

/* pool.c */
void *sni_pool_take(sn_engine *, size_t bytes);                /* not zeroed; NULL: no memory */
void sni_pool_give(sn_engine *, void *, size_t bytes);
void sni_pools_destroy(sn_engine *);
void sni_line_push(sni_line *, sni_task *);
void sni_line_push_ahead(sni_line *, sni_task *);              /* of those of its priority */
sni_task *sni_line_remove(sni_line *, sni_task *before);       /* the one behind; NULL: the head */

/* crew.c */
int sni_tasks_create(sn_engine *);             /* lock held; SN_OK when they are there already */
void sni_tasks_destroy(sn_engine *);           /* no lock; nothing is live */
/* Nothing stands in its way but buffers: its parent's, and its own. */
void sni_task_is_ready(sni_task *);
/* Its body is over; its commits are prepared on the unit where it ran. */
void sni_task_is_committing(sni_task *);
/* Wakes as many workers as there is work for, but for what the calling one takes itself. */
void sni_crews_wake(sn_engine *, const sni_crew *caller);
/* Lock held, both.  A running task finds no room on its unit: what is reserved there for tasks that
 * have not begun is given back, and nothing is reserved for others until it is withdrawn. */
void sni_room_demand(sn_unit *);
void sni_room_withdraw(sn_unit *);
/* Lock held: the beginning and the end of a stretch in which bodies that end need not wait for the
 * lock: the end collects them.  The lock is not let go in between. */
void sni_crews_serve(sn_engine *);
void sni_crews_unserve(sn_engine *);
/* What waited for transfers, buffers or room tries again. */
void sni_crews_pump(sn_engine *);
/* Without workers: runs one of the host's tasks, if there is one.  0: there is none. */
int sni_crews_help(sn_engine *);
int sni_task_can_run_on(const sni_task *, const sn_unit *);

/* submit.c.  Into and out of its parent's scope, or the root. */
void sni_scope_link(sni_task *);
void sni_scope_unlink(sni_task *);
int sni_task_submit(sn_engine *, sni_task *parent, const sn_task_spec *, sn_event **done);
/* The rest of it, when it is known what is wanted of which blocks. */
struct sni_requirements;
int sni_task_submit_requirements(const struct sni_requirements *, sni_task *parent,
                                 const sn_task_spec *, sn_event **done);
const char *sni_task_name(const sni_task *, char text[SNI_NAME]);
/* NONE: the task has none there. */
sni_permission sni_task_may(const sni_task *, const sni_tensor_block *);
/* As what it is ordered: deterministic sums are made in the order of the tasks, accumulating
 * excludes others. */
sni_permission sni_order_of(const sn_engine *, sni_permission);
extern const char *const sni_permission_name[];

/* enqueue.c: tasks of a queue. */
int sni_queue_check_task(const sn_queue *, const sni_task *parent, const sn_task_spec *,
                         const char *name);
/* No lock held: by the queue, which has come to it. */
void sni_queue_run_task(sn_queue *, sni_task *);

/* Lock held: a task, its pieces and its edges are made (edges: it waits for others); it is alive
 * from then on: in its scope, counted, ready when it waits for nobody. */
void sni_task_is_alive(sni_task *);
/* By how many tasks its tensors are used: once a tensor, whose parts are neighbours. */
void sni_task_hold_tensors(const sni_task *);
void sni_task_drop_tensors(const sni_task *);

/* replay.c */
/* Lock held.  Room for one more task, which is then added: nobody runs it.  0: no memory. */
int sni_recording_make_room(struct sn_recording *);
void sni_recording_add(struct sn_recording *, sni_task *);
/* Lock held: the task of a replay is gone. */
void sni_replay_over(const struct sni_replay *);

/* finish.c */
/* The body has returned, or never ran: task->code. */
void sni_task_body_returned(sni_task *);
/* Its commits are done too. */
void sni_task_body_over(sni_task *);

/* commit.c */
sni_permission sni_commit_needs(sni_commit_kind);

/* buffer.c */
/* Off the lock: what was declared is put in order for the body. */
int sni_buffers_begin(sni_task *);
/* Lock held: what the body left is given back (the caller tells the engine that something has
 * changed); SN_ESTATE: a write that was not released. */
int sni_buffers_end(sni_task *);
/* Off the lock; then lock held: the commits of temporary buffers. */
int sni_commits_run(sni_task *);
void sni_commits_end(sni_task *);

/* uses.c: whether it is the kind of a use; the least permission that one needs. */
int sni_use_is_kind(uint32_t kind);
sni_permission sni_use_permission(uint32_t kind);

/* scope.c, lock held. */
/* A block of which the parent holds a buffer that the child conflicts with, or has a commit to
 * make; NULL: none. */
const sni_tensor_block *sni_task_blocked_by(const sni_task *child);
/* 1: so it is, and the child is ready again when the parent has released something. */
int sni_task_is_blocked(sni_task *child);
void sni_blocked_release(sni_task *parent);
/* A buffer that is granted, or accumulates: in its task's children's way, until it is let go. */
void sni_buffer_hold(sn_buffer *);
void sni_buffer_let_go(sn_buffer *);
/* What its children, those that have ended too, may do to a block where that conflicts with what
 * is wanted; NONE: nothing does. */
sni_permission sni_task_left(const sni_task *parent, const sni_tensor_block *,
                             sni_permission wanted);

/* scope.c: NULL: no memory; one that is there is found without. */
sni_hazard *sni_scope_hazard(sni_task *parent, sni_tensor_block *);
sni_hazard *sni_scope_find(const sni_task *parent, const sni_tensor_block *);  /* NULL: not there */
void sni_scope_destroy(sni_task *parent);

/* scheduler.c */
const sn_scheduler *sni_scheduler_named(const char *name);
sn_unit *sni_place(sni_task *);                /* NULL: whoever comes first */
int64_t sni_unit_load(const sn_unit *);        /* tasks that it has before it */
void sni_measure_add(sni_task *, const sn_unit *, double seconds);
void sni_measures_destroy(sn_engine *);

/* graph.c: record_graph */
void sni_graph_add_task(sni_task *);
void sni_graph_add_edge(const sni_task *earlier, const sni_task *later);
void sni_graph_note_end(const sni_task *);
void sni_graph_destroy(sn_engine *);

#endif
