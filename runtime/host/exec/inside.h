/* What the calling thread runs for engines: the body of a task, the work of a queue, a callback,
 * one inside the other; and what it may not do there.
 *
 * Every call into an engine begins with sni_engine_may_call.
 *
 * Tasks and the work of queues run to their end and wait for nobody of their engine: whatever waits
 * asks sni_engine_may_wait first, and nothing else decides that.
 */
#ifndef SNI_EXEC_INSIDE_H
#define SNI_EXEC_INSIDE_H

#include <snode/engine.h>

/* A place on the stack of the function that calls the user's. */
typedef struct sni_inside {
  const struct sni_inside *outer;
  const sn_engine *engine;       /* NULL: a callback under an engine's lock */
  const sn_queue *queue;         /* whose work it is; NULL: a task's body, which run says */
  struct sn_run *run;            /* the body's; NULL: the work of a queue */
  const char *callback;          /* what it is, for messages */
} sni_inside;

/* The calling thread is inside of it from now on, and then no more. */
void sni_inside_queue(sni_inside *, const sn_queue *);
void sni_inside_body(sni_inside *, struct sn_run *);
/* Of bodies one after the other: inside->run says which; NULL between two of them. */
void sni_inside_bodies(sni_inside *, const sn_engine *);
void sni_inside_callback(sni_inside *, const char *what);
void sni_inside_end(const sni_inside *);

/* What every call begins with that looks into an engine, and NULL where there is none: SN_OK;
 * SN_EINVAL: NULL; SN_ESTATE, with the engine's text: the calling thread holds an engine's lock,
 * for which a callback of the user's was called, or the process is a child of the one that made the
 * engine: its threads are not here, and its locks may be held for ever. */
int sni_engine_may_call(sn_engine *);
/* Whether it runs such a callback. */
int sni_is_in_callback(void);
/* The engine, and that of a handle; NULL: it is NULL or gone. */
#define SNI_ALIVE(engine) (sni_is_gone(engine) ? NULL : (engine))
#define SNI_ENGINE_OF(handle) (sni_is_gone(handle) ? NULL : (handle)->engine)
#define SNI_TASK_ENGINE(handle) (sni_is_gone(handle) ? NULL : (handle)->task->engine)
/* Of those that no table of handles knows (alive.h). */
#define SNI_ENGINE_OR_NULL(handle) ((handle) ? (handle)->engine : NULL)

/* The task's body that the calling thread runs, the innermost one; NULL: none. */
struct sn_run *sni_engine_running(void);
/* Whether it runs a body or a queue's work of the engine. */
int sni_engine_is_inside(const sn_engine *);
/* SN_OK: the calling thread may wait for what others do in the engine; SN_ESTATE: it is inside, and
 * the text says of what, and what would have waited. */
#ifdef __GNUC__
__attribute__((format(printf, 2, 3)))
#endif
int sni_engine_may_wait(sn_engine *, const char *what, ...);

#endif
