/* SPDX-License-Identifier: BSD-3-Clause */
/* snode/engine.h: engines, units, queues and events.
 *
 * An **engine** owns units, queues, tensors and tasks.  A **unit** is a memory with those
 * who work in it: unit 0 is the host, where every tensor has its home; further units are
 * devices of a backend, or stretches of host memory with workers of their own
 * (options.memories), which behave like devices.  A **queue** belongs to a unit and runs
 * what is given to it in order, on a thread of its own or, without one, at once.  An
 * **event** is done when the work that it was made for is.
 *
 * Ownership: an engine is destroyed last (SN_ESTATE while queues, events, tensors or unfinished
 * tasks are there); events are counted: who was given one releases it.  What options name is
 * copied, but where they say otherwise.
 * Threads: any thread may call an engine and what belongs to it, at any time.  The engine's own
 * threads leave the process's signals to those of the program (all but those that tell a thread of
 * a fault of its own, and SIGPROF); their names begin with "sn:".
 * Waiting: the body of a task and the work of a queue run to their end and wait for nobody of their
 * engine: what waits is SN_ESTATE there: the functions named await (but sn_event_await of what is
 * done), sn_queue_destroy, the calls that read, write, fill, flush and print tensors, acquiring an
 * array that is in use, and whatever is given to an immediate queue.
 * Callbacks: functions that get text (sn_text_fn) are called without a lock and may call the
 * engine; a scheduler's cost may call what snode/task.h says, and any other call is SN_ESTATE.
 * fork: the child has none of the engine's threads: there each call on the engine and on what
 * belongs to it is SN_ESTATE, nothing of it is given back, and the child may make an engine of its
 * own.
 * Errors: a call returns its own; what happens later surfaces at the event of the work,
 * or at the next call on the queue (once).  Texts: sn_engine_error.
 * A handle after its end (destroyed; released by the last who had it; a run or a buffer when its
 * body has returned) is the caller's error: a library configured with --enable-debug refuses it as
 * it refuses NULL.
 * NULL: SN_EINVAL, where nothing else is said.  No call prints, exits or aborts.
 */
#ifndef SNODE_ENGINE_H
#define SNODE_ENGINE_H

#include <snode/context.h>
#include <snode/tree.h>

SN_BEGIN_DECLS

typedef struct sn_engine sn_engine;
typedef struct sn_unit sn_unit;
typedef struct sn_queue sn_queue;
typedef struct sn_event sn_event;

/* ---- engines ---- */

typedef struct sn_engine_options {
  size_t size;                   /* of this struct; one of before is smaller: what it lacks has its
                                    default, here and in the structs of the other headers */
  int workers;                   /* threads for the host's tasks; 0: none: tasks run in the threads
                                    that await; below 0: one per processor.  A thread that waits for
                                    all tasks (sn_engine_await) or for half of most_tasks runs some
                                    too, in place of a worker that sleeps: no more bodies at a time
                                    than there are workers, so that what comes meanwhile may wait
                                    for the one that it runs */
  int memories;                  /* further units in host memory, a worker each */
  const sn_backend *backend;     /* of a generated file, or a file that includes
                                    snode/device/backend.h; NULL: no devices */
  int devices;                   /* units for the backend's first devices; -1: all */
  uint64_t capacity;             /* memory limit (snode/context.h) of each unit but the host; 0:
                                    what its allocator gives */
  const char *scheduler;         /* sn_engine_schedulers() has the names; NULL: the first */
  const struct sn_scheduler *own_scheduler;      /* instead of a name; snode/task.h */
  int strict;                    /* 1: an access needs its permission written; 0: it implies it */
  int deterministic;             /* 1: accumulations are added in the order of their tasks */
  int record_graph;              /* 1: finished tasks stay known to sn_engine_graph */
  const char *trace;             /* path of a Chrome trace, written by sn_engine_destroy and
                                    sn_engine_write_trace; NULL: none */
  int bind;                      /* 1: each worker and each unit's transfers stay on one processor,
                                    in turn over those that their maker may use (not for tasks that
                                    start threads: these would share it); 0, or where the system
                                    has no such thing: it places them */
  int most_tasks;                /* that have not ended: who submits one more, and is no task, waits
                                    until half of them have, and runs some of them (so not for tasks
                                    that wait for what their submitter does later); 0: no limit.
                                    Meanwhile it submits nothing: where a few bodies are long, the
                                    workers idle unless the limit leaves them enough beside these */
  size_t stack;                  /* bytes of the stack of each thread that it starts; 0: 8 MiB */
  void *scheduler_user;          /* what own_scheduler is told by sn_ready_user */
} sn_engine_options;
#define SN_ENGINE_OPTIONS_INIT \
  { sizeof(sn_engine_options), -1, 0, NULL, 0, 0, NULL, NULL, 0, 0, 0, NULL, 0, 0, 0, NULL }

/* options: NULL: SN_ENGINE_OPTIONS_INIT.  SN_EDEVICE: fewer devices than asked for, or one
 * that does not run what the backend brings; SN_EINVAL: no such scheduler, most_tasks or memories
 * below 0, a size that no such struct has; SN_ENOMEM.  sn_engine_error(NULL) has the text. */
SN_API SN_NODISCARD int sn_engine_create(const sn_engine_options *, sn_engine **out);
/* NULL is fine.  SN_ESTATE, and nothing done, while something of it is in use.  SN_EIO: it has
 * ended, and its trace could not be written: the handle is still good for sn_engine_error, and for
 * a second call of this function, which gives the last of its memory back. */
SN_API SN_NODISCARD int sn_engine_destroy(sn_engine *);
/* Returns when every task is finished and every queue is empty.  The calling thread runs tasks
 * itself, in place of a worker that sleeps, where there is a processor for it. */
SN_API SN_NODISCARD int sn_engine_await(sn_engine *);
SN_API SN_NODISCARD int sn_engine_is_idle(sn_engine *, int *idle);
/* Text of the first error since the engine was made or cleared; "" when there was none.  A
 * copy for the calling thread: it stands until this thread's next call of this function.
 * NULL: why this thread's last sn_engine_create made none ("no engine": it did), which stands until
 * its next call of that one. */
SN_API const char *sn_engine_error(sn_engine *);
SN_API void sn_engine_clear(sn_engine *);

/* ---- units ---- */

SN_API int sn_engine_unit_count(const sn_engine *);             /* 0 for NULL */
SN_API sn_unit *sn_engine_unit(sn_engine *, int index);         /* NULL: there is none */

typedef enum sn_unit_kind { SN_UNIT_HOST, SN_UNIT_MEMORY, SN_UNIT_DEVICE } sn_unit_kind;

SN_API const char *sn_unit_name(const sn_unit *);               /* "host", "memory 1", "device 0" */
SN_API int sn_unit_index(const sn_unit *);
SN_API sn_unit_kind sn_unit_kind_of(const sn_unit *);
SN_API int sn_unit_device(const sn_unit *);                     /* sn_span.device: 0: host memory */
SN_API sn_engine *sn_unit_engine(sn_unit *);

typedef struct sn_unit_memory {
  size_t size;                   /* of this struct, set by the caller: so much is filled */
  uint64_t capacity;             /* 0: no limit */
  uint64_t used, peak;           /* bytes of replicas and private buffers */
  uint64_t gets, puts, adds;     /* transfers begun from, to, and added to a home; a temporary
                                    buffer's commit is one */
  uint64_t bytes_in, bytes_out;
  uint64_t evictions;
} sn_unit_memory;
#define SN_UNIT_MEMORY_INIT { sizeof(sn_unit_memory), 0, 0, 0, 0, 0, 0, 0, 0, 0 }
SN_API SN_NODISCARD int sn_unit_memory_of(sn_unit *, sn_unit_memory *out);

/* Whether its queues are empty and its workers have nothing to do; and waiting for that. */
SN_API SN_NODISCARD int sn_unit_is_idle(sn_unit *, int *idle);
SN_API SN_NODISCARD int sn_unit_await(sn_unit *);

/* ---- queues ---- */

typedef struct sn_queue_options {
  size_t size;
  int immediate;                 /* 1: no thread: what is submitted runs before the call returns, in
                                    the calling thread, when what came before has run; nothing is
                                    taken from inside a task or the work of a queue (SN_ESTATE) */
  const char *name;              /* in traces; NULL: a number */
} sn_queue_options;
#define SN_QUEUE_OPTIONS_INIT { sizeof(sn_queue_options), 0, NULL }

SN_API SN_NODISCARD int sn_queue_create(sn_unit *, const sn_queue_options *, sn_queue **out);
/* Awaits what it holds.  NULL is fine.  The code of what failed in it and was not told. */
SN_API SN_NODISCARD int sn_queue_destroy(sn_queue *);

/* Runs in the queue, in order; returns SN_OK or an error, which cancels nothing that
 * follows: FIFO queues go on.  device: sn_span.device of the queue's unit. */
typedef int (*sn_work_fn)(void *user, int device);

/* done: NULL, or where the event of this work is put, to be released by the caller; also in the
 * calls below.  An error of earlier work that was not told yet is returned here, and
 * nothing is enqueued. */
SN_API SN_NODISCARD int sn_queue_submit(sn_queue *, sn_work_fn, void *user, sn_event **done);
/* Transfers; memory belongs to the runtime until they are done.  Spans name any memory of the
 * engine's units; dst.bytes and src.bytes are equal.  *moved (may be NULL): whether there was
 * anything to move: 0 for no bytes, or a copy onto itself. */
SN_API SN_NODISCARD int sn_queue_copy(sn_queue *, sn_span dst, sn_span src, int *moved,
                                      sn_event **done);
SN_API SN_NODISCARD int sn_queue_fill(sn_queue *, sn_span dst, uint8_t byte, sn_event **done);
/* An event for everything enqueued so far. */
SN_API SN_NODISCARD int sn_queue_record(sn_queue *, sn_event **out);
/* What is enqueued from now on waits for the event, of any queue of the engine. */
SN_API SN_NODISCARD int sn_queue_wait(sn_queue *, sn_event *);
SN_API SN_NODISCARD int sn_queue_is_idle(sn_queue *, int *idle);
/* Waits until it is empty.  The first error that was not told yet. */
SN_API SN_NODISCARD int sn_queue_await(sn_queue *);

/* ---- events ---- */

SN_API SN_NODISCARD int sn_event_is_done(sn_event *, int *done);
/* Waits; gives what the work returned, however often it is asked. */
SN_API SN_NODISCARD int sn_event_await(sn_event *);
SN_API void sn_event_release(sn_event *);                       /* NULL is fine */

SN_END_DECLS

#endif
