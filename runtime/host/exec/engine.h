/* The engine inside: units, events and queues, under one lock.
 *
 * engine->lock guards everything of an engine but what passes between its holder and the host's
 * workers (handoff.h), and its small allocations, which have a lock of their own (and are taken
 * inside the other, never the other way round).
 * Nothing that takes long runs under it: work, copies and fills do not.  Whoever
 * changes what others wait for wakes engine->changed, where somebody waits.
 */
#ifndef SNI_EXEC_ENGINE_H
#define SNI_EXEC_ENGINE_H

#include <stdatomic.h>

#include <snode/device/abi.h>
#include <snode/engine.h>
#include <snode/task.h>

#include "runtime/host/base/accounts.h"
#include "runtime/host/base/platform.h"
#include "runtime/host/exec/alive.h"
#include "runtime/host/exec/inside.h"
#include "runtime/host/base/trace.h"

enum { SNI_ENGINE_TEXT = SNI_THREAD_TEXT / 2, SNI_NAME = 48, SNI_ADDING = 16 };

struct sn_unit {
  sn_engine *engine;
  int index;
  sn_unit_kind kind;
  int device;                    /* as sn_span.device */
  char name[SNI_NAME];
  uint64_t busy;                 /* pieces of work that are queued or running */
  sn_unit_memory memory;
  struct sni_replica *oldest, *newest;           /* replicas that have memory, by last use */
  sn_queue *transfers;           /* started by the first one */
};

struct sn_engine {
  unsigned forks;                /* sni_process_forks of the process that made it */
  sni_mutex memory_lock;
  sni_accounts accounts;
  sni_mutex lock;
  sni_condition changed;         /* an event, a unit or a queue: look again */
  int waiters;                   /* at changed */
  sni_condition moved;           /* a transfer has ended or a buffer was released */
  int moved_waiters;
  sn_engine_options options;
  const sn_backend *backend;
  sn_unit *units;
  int unit_count;
  sn_queue *queues;              /* alive, linked */
  uint64_t queue_count, event_count;
  int next_queue;                /* number of the next one, for its name */
  int next_bound;                /* index of the host's next worker among the processors */
  sni_mutex error_lock;          /* the last one: nothing is taken or called inside */
  char error[SNI_ENGINE_TEXT];
  int has_error;
  sni_trace trace;
  char *trace_path;              /* where it goes at the end; NULL: nowhere */
  sn_scheduler scheduler;
  uint64_t tensor_count, recording_count;
  int next_tensor;               /* number of the next one, for its name */
  sni_mutex adding[SNI_ADDING];  /* one sum at a time into a block; taken without the lock */
  struct sni_tasks *tasks;       /* made by the first task */
  sni_mutex linking;             /* nodes, contexts, codes: node.h */
  struct sni_array_set *contexts;        /* alive, linked */
  uint64_t node_count, code_count;
  int next_node, next_context;   /* numbers of the next ones, for their names */
  uint64_t next_job;             /* marks who has seen what, in the lock */
  int64_t next_run;              /* number of the next run that is logged, in the lock */
  struct sni_attachment *attachments;    /* contexts on its units: runtime/host/bridge */
  sn_engine *next_ended;         /* behind its end: of those that could not write their trace */
};

/* Notes the error and gives its code: the first text since the last clear stays.  With or
 * without the lock held. */
#ifdef __GNUC__
__attribute__((format(printf, 3, 4)))
#endif
int sni_engine_fail(sn_engine *, int code, const char *format, ...);

/* As sni_sized, with a text where it gives NULL; what: "the options of an engine". */
const void *sni_engine_sized(sn_engine *, const char *what, const void *given, void *own,
                             const void *standard, size_t bytes);

/* error.c.  A text for sn_engine_error(NULL) of the calling thread: "" for none. */
void sni_engine_keep_text(const char *);
/* An engine of which nothing is left but its error.  keep: it stays for who asks for that;
 * drop: 0: it is none of those, and was not looked at. */
void sni_engine_free(sn_engine *);
void sni_engine_keep_ended(sn_engine *);
int sni_engine_drop_ended(sn_engine *);

/* engine_base.c.  Small allocations, zeroed; from any thread. */
void *sni_engine_new(sn_engine *, size_t count, size_t bytes);
void sni_engine_delete(sn_engine *, void *, size_t count, size_t bytes);
/* How every array of the core grows: room for `need` entries in *array, by doubling; new ones are
 * zero.  0: no memory, and nothing has changed. */
int sni_engine_grow(sn_engine *, void **array, size_t *capacity, size_t need, size_t bytes);

/* Lock held: waits for a change (wake.c); wakes those who do. */
void sni_engine_wait(sn_engine *);
void sni_engine_wake(sn_engine *);
/* Lock held: a transfer has ended or a buffer was released: whoever waits for one tries again. */
void sni_engine_changed(sn_engine *);
void sni_engine_wait_moved(sn_engine *);
/* As sni_engine_wait, for the host's calls: without workers they run the tasks themselves. */
void sni_engine_await_change(sn_engine *);
/* The same of who waits until there are no more than so many unfinished tasks.  *idle: 0 at first,
 * counts how often it found none to run. */
void sni_engine_await_tasks(sn_engine *, int64_t until, int *idle);

/* Lock held.  options.bind: the calling thread, a unit's worker or its transfers, stays on its
 * processor from now on. */
void sni_engine_bind(sn_unit *, int is_transfers);

/* span.c.  Copies and fills between any memories of the engine's units; no lock held. */
int sni_engine_copy(sn_engine *, sn_span dst, sn_span src);
int sni_engine_fill(sn_engine *, sn_span dst, uint8_t byte);
/* Whether the span names memory that the engine reaches. */
int sni_engine_reaches(const sn_engine *, const sn_span *);
/* unit.c.  Lock held: its queues hold something, or its workers have tasks before them. */
int sni_unit_is_busy(const sn_unit *);
int sni_units_create(sn_engine *);
void sni_units_destroy(sn_engine *);

/* ---- events (event.c) ---- */

struct sn_event {
  sn_engine *engine;
  atomic_int done;               /* released behind the code */
  int code;
  uint32_t references;           /* who may still look, and the work itself */
  struct sni_task *task;         /* whose end it is, while that is to come */
  sn_event *next;                /* of the same task */
};

/* For a piece of work and, where done is not NULL, its caller.  NULL: no memory. */
sn_event *sni_event_create(sn_engine *, int references);
/* Lock held. */
sn_event *sni_event_create_held(sn_engine *, int references);
void sni_event_complete(sn_event *, int code);
void sni_event_keep(sn_event *);
void sni_event_drop(sn_event *);

#endif
