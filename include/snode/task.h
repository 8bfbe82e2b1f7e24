/* SPDX-License-Identifier: BSD-3-Clause */
/* snode/task.h: tasks with permissions on blocks, and the buffers they work on.
 *
 * A task is submitted with **permissions** (what it may do; they order it) and **accesses** (what
 * it will do; they bring the data).  Tasks whose permissions conflict run in the order of
 * their submission, others may run at once; the outcome is that of running all in order.
 *
 * A body runs to its end and never waits.  It reaches blocks by buffers, which it must
 * release; it may submit children, whose permissions are at most its own; what follows a task
 * waits for all its descendants.  A child begins when its parent has released the buffers that it
 * conflicts with; what a task has left to a child it asks for no more (SN_ESTATE), but for what it
 * has declared.  One that needs more data submits a continuation.
 *
 * A task that returns an error, or leaves a write unreleased, or has a child that does, fails:
 * tasks ordered behind it are canceled (SN_ECANCELED), and the blocks that it or they might change
 * are lost until they are written whole: to read them is SN_ESTATE, to accumulate into them is lost
 * with them.  A task that stands before one that fails, or beside it, does not notice.
 */
#ifndef SNODE_TASK_H
#define SNODE_TASK_H

#include <snode/tensor.h>

SN_BEGIN_DECLS

typedef struct sn_run sn_run;    /* a body's view of its run: its task, unit and buffers */

/* ---- what a task may and will do ---- */

typedef enum sn_use_kind {
  SN_PERMISSION_READ,            /* with other readers */
  SN_PERMISSION_WRITE,           /* alone; includes the others */
  SN_PERMISSION_ACCUMULATE,      /* with others that accumulate the same way: sums */
  SN_ACCESS_READ_BUFFER,         /* an updated copy */
  SN_ACCESS_WRITE_BUFFER,        /* every element will be overwritten */
  SN_ACCESS_READ_WRITE_BUFFER,
  SN_ACCESS_ACCUMULATE_BUFFER,   /* what the body adds to it, release_add adds to the block: zeros,
                                    or what tasks before have added on this unit */
  SN_ACCESS_TEMP_BUFFER,         /* a private one; conflicts with nothing */
  SN_CANCELLABLE = 0x100,        /* with the three modifying accesses: may be given up */
  SN_BY_MAX = 0x200,             /* with the two that accumulate: the greatest of all (a NaN is left
                                    out), from the type's least; with others that do the same */
  SN_BY_MIN = 0x400              /* the least of all, from the type's greatest */
} sn_use_kind;
/* Read and write together are write. */
#define SN_PERMISSION_READ_WRITE SN_PERMISSION_WRITE

/* A slice, or one block by its number: then nothing but the tensor of `where` is looked at, so
 * that the use of a block is made in a few instructions. */
typedef struct sn_use {
  uint32_t kind;                 /* sn_use_kind; an access names one block */
  uint32_t is_block;
  int64_t block;                 /* is_block: its number, in where.tensor */
  sn_slice where;
} sn_use;

static inline sn_use sn_use_slice(uint32_t kind, sn_slice where)
{
  sn_use use;

  use.kind = kind;
  use.is_block = 0;
  use.block = -1;
  use.where = where;
  return use;
}

static inline sn_use sn_use_block(uint32_t kind, sn_tensor *tensor, int64_t block)
{
  sn_use use;

  use.kind = kind;
  use.is_block = 1;
  use.block = block;
  use.where.tensor = tensor;
  return use;
}

static inline sn_use sn_use_whole(uint32_t kind, sn_tensor *tensor)
{
  return sn_use_slice(kind, sn_slice_whole(tensor));
}

/* ---- resources: what orders tasks and holds nothing ----
 * `count` things in a row: a tensor of one dimension none of whose blocks is stored.  Tasks name
 * them beside blocks, with permissions, and are ordered by them as by blocks.  names: how messages
 * call them, count of them, alive as long as the resource; NULL: by number. */
SN_API SN_NODISCARD int sn_resource_create(sn_engine *, const char *name, int64_t count,
                                           const char *const *names, sn_tensor **out);

/* ---- tasks ---- */

/* Returns SN_OK, or an error with which the task fails. */
typedef int (*sn_body_fn)(sn_run *, void *user);

typedef struct sn_task_spec {
  size_t size;
  const char *name;              /* in messages, traces, graphs; copied; NULL: a number */
  sn_body_fn body[3];            /* by sn_unit_kind: host, memory, device; NULL: not there.  On a
                                    device it runs on the host, and its buffers are device memory */
  void *user;
  size_t user_bytes;             /* not 0: user is copied with the task, aligned for any type */
  const sn_use *uses;
  int use_count;
  sn_unit *unit;                 /* runs there; NULL: where the scheduler says */
  int priority;                  /* greater first, among those that are ready */
  sn_queue *queue;               /* runs there, in the queue's order, when those have ended that it
                                    is ordered behind; NULL: by a worker.  It declares no
                                    accesses, and is no child (SN_EINVAL) */
} sn_task_spec;
#define SN_TASK_SPEC_INIT \
  { sizeof(sn_task_spec), NULL, { NULL, NULL, NULL }, NULL, 0, NULL, 0, NULL, 0, NULL }

/* done: NULL, or the event of its end (its own and its descendants'), to be released.  Refused,
 * with nothing changed: SN_EPERMISSION an access without permission under strict; SN_EBOUNDS
 * no such block; SN_ECAPACITY its declared buffers fit into no unit that it could run on;
 * SN_EINVAL no body for any unit, tensors of another engine.  With a queue also what failed there
 * and was not told yet; SN_ESTATE: to an immediate queue from a task or the work of a queue. */
SN_API SN_NODISCARD int sn_task_submit(sn_engine *, const sn_task_spec *, sn_event **done);
/* From a body: a child.  SN_EPERMISSION: more than the parent may; the text names both tasks,
 * the block, what was wanted and what is allowed. */
SN_API SN_NODISCARD int sn_task_submit_child(sn_run *, const sn_task_spec *, sn_event **done);
/* ---- recorded graphs ----
 * What a body submits is kept with its order, and run again and again, with other tensors and
 * arguments, for less than it takes to submit it. */

typedef struct sn_recording sn_recording;

/* Runs the body at once, in the calling thread: the children that it submits are checked and
 * ordered as ever, but not run.  Their user data are copied where user_bytes says so, else they
 * must stand as long as the recording, whose tensors cannot be destroyed either.  Refused, to the
 * body: SN_ESTATE a buffer or a task outside the recording, since what depends on values cannot
 * be replayed; SN_EINVAL an event of a child: the replay has one.  The body's own error. */
SN_API SN_NODISCARD int sn_record(sn_engine *, sn_body_fn body, void *user, sn_recording **out);
SN_API void sn_recording_destroy(sn_recording *);               /* NULL is fine */
SN_API int64_t sn_recording_tasks(const sn_recording *);

typedef struct sn_replay_spec {
  size_t size;
  const char *name;              /* of the task that the replay is; NULL: a number */
  sn_tensor *const *from, *const *to;            /* to[k] stands for from[k]: of its type, tiles and
                                                    stored blocks, and nowhere else in it */
  int tensor_count;
  const void *arguments;         /* copied, aligned for any type: what sn_run_arguments gives in its
                                    tasks */
  size_t argument_bytes;
} sn_replay_spec;
#define SN_REPLAY_SPEC_INIT { sizeof(sn_replay_spec), NULL, NULL, NULL, 0, NULL, 0 }

/* Submits the recorded tasks, as children of one task that may do what they may together: outcome
 * and order are those of submitting that task and them.  done: as for a task.  spec: NULL: as
 * recorded. */
SN_API SN_NODISCARD int sn_replay(sn_recording *, const sn_replay_spec *, sn_event **done);
/* In a task of a replay, or a descendant of one: the tensor that stands for this one (itself where
 * none does), and the arguments; outside: itself, and NULL. */
SN_API sn_tensor *sn_run_tensor(const sn_run *, sn_tensor *);
SN_API const void *sn_run_arguments(const sn_run *);

/* ---- a task as it is ---- */

/* Why the task of this event waits, through write: "waits for write of A[3] by 'fill'"; of other
 * work of a queue whether it has ended. */
SN_API SN_NODISCARD int sn_task_explain(sn_event *, sn_text_fn write, void *user);

/* To the body of a task, of itself. */
SN_API sn_unit *sn_run_unit(const sn_run *);
SN_API sn_engine *sn_run_engine(const sn_run *);
SN_API const char *sn_run_name(const sn_run *);                 /* "": it has none */
/* What the task may and will do, each a use of one block: first what it may do, each block once (a
 * SN_PERMISSION_..., that of all its uses together), then the accesses that it has declared, in
 * their order; of two that read one block the first.  How many; visit: NULL, or called for each. */
typedef void (*sn_use_fn)(void *user, const sn_use *);
SN_API int sn_run_uses(const sn_run *, sn_use_fn visit, void *user);
/* 1: it may do that to the block; 0: it may not, or there is no such block or kind of use. */
SN_API int sn_run_may(const sn_run *, uint32_t kind, const sn_tensor *, int64_t block);
/* The event of the task's end (its own and its descendants'), to be released: for a queue that
 * shall wait for it, or another thread.  In the body to wait for it is SN_ESTATE.  SN_ENOMEM;
 * SN_ESTATE while a graph is recorded. */
SN_API SN_NODISCARD int sn_run_event(sn_run *, sn_event **out);
/* Gives up the accesses to the block that the task has declared and has not asked for yet: they are
 * as if they had not been declared, children do not wait for them, and their memory is free.
 * The permission stays.  SN_ESTATE: none is left: none was declared, or its buffer is out (which is
 * released instead); SN_EBOUNDS. */
SN_API SN_NODISCARD int sn_run_cancel(sn_run *, sn_tensor *, int64_t block);

/* ---- buffers ----
 * On the unit where the task runs.  A declared one is there already; another is made ready on
 * the spot, without waiting for any task.  initial: NULL, or one element for all.
 * SN_EPERMISSION, SN_EBOUNDS, SN_ECAPACITY no room on the unit, SN_ESTATE the block is lost, is
 * to be written while another buffer of it is out, or has been left to a child that conflicts.
 * A buffer belongs to its task: its memory is there until the body returns. */
SN_API SN_NODISCARD int sn_buffer_tmp(sn_run *, sn_tensor *, int64_t block, const void *initial,
                                      sn_buffer **out);
SN_API SN_NODISCARD int sn_buffer_read(sn_run *, sn_tensor *, int64_t block, sn_buffer **out);
SN_API SN_NODISCARD int sn_buffer_write(sn_run *, sn_tensor *, int64_t block, const void *initial,
                                        sn_buffer **out);
SN_API SN_NODISCARD int sn_buffer_read_write(sn_run *, sn_tensor *, int64_t block, sn_buffer **out);
SN_API SN_NODISCARD int sn_buffer_acc(sn_run *, sn_tensor *, int64_t block, sn_buffer **out);
/* by: SN_BY_MAX or SN_BY_MIN, and SN_CANCELLABLE where wanted. */
SN_API SN_NODISCARD int sn_buffer_acc_by(sn_run *, sn_tensor *, int64_t block, uint32_t by,
                                         sn_buffer **out);
SN_API SN_NODISCARD int sn_buffer_cwrite(sn_run *, sn_tensor *, int64_t block, const void *initial,
                                         sn_buffer **out);
SN_API SN_NODISCARD int sn_buffer_cread_write(sn_run *, sn_tensor *, int64_t block,
                                              sn_buffer **out);
SN_API SN_NODISCARD int sn_buffer_cacc(sn_run *, sn_tensor *, int64_t block, sn_buffer **out);

/* What units hold of the block and its home does not goes home: sums, and what was written.  With
 * any permission of it; SN_ESTATE where a buffer of it is out: the caller's, or that of another
 * task, which a task does not wait for. */
SN_API SN_NODISCARD int sn_run_flush(sn_run *, sn_tensor *, int64_t block);

SN_API void *sn_buffer_data(sn_buffer *);                       /* row-major; unit memory */
SN_API size_t sn_buffer_bytes(const sn_buffer *);
SN_API sn_tensor *sn_buffer_tensor(const sn_buffer *);
SN_API int64_t sn_buffer_block(const sn_buffer *);
SN_API int sn_buffer_dims(const sn_buffer *, int64_t *dims);    /* how many; dims may be NULL */
/* Deep: another buffer with the same values.  Whether two hold the same values. */
SN_API SN_NODISCARD int sn_buffer_copy(const sn_buffer *, sn_buffer **out);
SN_API SN_NODISCARD int sn_buffer_equal(const sn_buffer *, const sn_buffer *, int *equal);

/* Commits; the buffer is gone afterwards; a refusal leaves it as it is.
 * put fits write and read_write; add, max and min fit what accumulates so; of a tmp all, as the
 * permission allows; a
 * plain release fits read, tmp and what is cancellable (whose changes it gives up).  A buffer that
 * cannot be cancelled is committed by the original only, one that can from any copy, once.
 * SN_ESTATE: the wrong commit, a copy, a second time, of a tmp whose block has been left to a child
 * that conflicts; SN_EPERMISSION. */
SN_API SN_NODISCARD int sn_buffer_release_put(sn_buffer *);
SN_API SN_NODISCARD int sn_buffer_release_add(sn_buffer *);
SN_API SN_NODISCARD int sn_buffer_release_max(sn_buffer *);
SN_API SN_NODISCARD int sn_buffer_release_min(sn_buffer *);
SN_API SN_NODISCARD int sn_buffer_release(sn_buffer *);
/* Gives up what can be given up, without a word: a copy, what is read, temporary or cancellable. */
SN_API void sn_buffer_free(sn_buffer *);                        /* NULL is fine */

/* ---- scheduling: where a ready task goes ---- */

typedef struct sni_task sn_ready;                /* a task that is ready, as schedulers see it */

typedef struct sn_scheduler {
  const char *name;
  /* What it costs to run the task there; the unit with the least cost gets it, among those that
   * can run it.  Called under the engine's lock: it may call what follows, up to sn_unit_expected,
   * and sn_unit_index, _name, _kind_of, _device; any other call on an engine or on what belongs to
   * one is SN_ESTATE.  NULL: the task goes to the first worker that is free. */
  double (*cost)(const sn_ready *, const sn_unit *);
} sn_scheduler;

/* Names, NULL-ended: "first" (whoever comes first), "movement" (the fewest bytes to move),
 * "measured" (the earliest end, by the times that tasks of that name took). */
SN_API const char *const *sn_engine_schedulers(void);

SN_API const char *sn_ready_name(const sn_ready *);             /* "": it has none */
SN_API int sn_ready_priority(const sn_ready *);
SN_API void *sn_ready_user(const sn_ready *);                   /* options.scheduler_user */
SN_API int sn_ready_uses(const sn_ready *, sn_use_fn visit, void *user);       /* as sn_run_uses */
/* Bytes of declared buffers that would have to be brought to the unit. */
SN_API uint64_t sn_ready_missing(const sn_ready *, const sn_unit *);
/* Bytes that would have to be brought to the unit to read the block there; 0: none, or there is no
 * such block. */
SN_API uint64_t sn_unit_missing(const sn_unit *, const sn_tensor *, int64_t block);
/* Mean seconds of the bodies of that name on that unit; below 0: none has ended. */
SN_API double sn_ready_seconds(const sn_ready *, const sn_unit *);
SN_API double sn_unit_load(const sn_unit *);                    /* tasks that it has before it */
SN_API double sn_unit_expected(const sn_unit *);                /* their seconds, where known */

/* ---- seeing it ---- */

/* The graph of tasks as Graphviz: those that are not finished, and with record_graph all. */
SN_API SN_NODISCARD int sn_engine_graph(sn_engine *, sn_text_fn write, void *user);
SN_API SN_NODISCARD int sn_engine_write_trace(sn_engine *, const char *path);

typedef struct sn_task_counters {
  size_t size;                   /* of this struct, set by the caller: so much is filled */
  uint64_t submitted, refused, finished, failed, canceled;
  uint64_t edges;                /* ever drawn */
  uint64_t ready, running, waiting;              /* now */
  uint64_t continuations;        /* whose parent's place they took */
} sn_task_counters;
#define SN_TASK_COUNTERS_INIT { sizeof(sn_task_counters), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }
SN_API SN_NODISCARD int sn_engine_counters(sn_engine *, sn_task_counters *out);

SN_END_DECLS

#endif
