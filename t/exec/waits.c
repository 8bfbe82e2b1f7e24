/* What waits is refused inside a task's body and inside the work of a queue, wherever that runs;
 * immediate queues: each item in its turn, by the threads that bring them, and destroyed when the
 * last one has run.
 */
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include <snode/node.h>

#include "t/exec/course.h"

/* ---- every call that waits ---- */

typedef struct course {
  sn_engine *engine;
  sn_queue *held, *own, *at_once;        /* held: its work waits until the gate is open */
  sn_event *pending;
  sn_tensor *tensor;
  sn_node *node;
  sn_context *context;
  atomic_int gate;
  const char *place;             /* what the texts name */
  int told;
} course;

static int wait_for_gate(void *user, int device)
{
  course *c = user;

  (void)device;
  while (!atomic_load(&c->gate)) sched_yield();
  return SN_OK;
}

static int nothing(void *user, int device)
{
  (void)user;
  (void)device;
  return SN_OK;
}

static void drop_text(void *user, const char *text)
{
  (void)user;
  (void)text;
}

/* The call is refused, and the text begins with this and names the place. */
static void refused(course *c, int code, const char *text)
{
  const char *told = sn_engine_error(c->engine);

  is_int(code, SN_ESTATE, "%s inside %s", text, c->place);
  ok(strncmp(told, text, strlen(text)) == 0 && strstr(told, c->place) != NULL, "by name: %s", told);
  sn_engine_clear(c->engine);
}

static void wait_for_all(course *c)
{
  int64_t values[2];
  void *data;
  sn_unit *unit = sn_engine_unit(c->engine, 0);

  refused(c, sn_engine_await(c->engine), "sn_engine_await");
  refused(c, sn_unit_await(unit), "sn_unit_await of host");
  refused(c, sn_queue_await(c->held), "sn_queue_await of held");
  refused(c, sn_queue_await(c->own), "sn_queue_await of own");
  refused(c, sn_queue_destroy(c->held), "sn_queue_destroy of held");
  refused(c, sn_event_await(c->pending), "sn_event_await");
  refused(c, sn_tensor_read(c->tensor, values, sizeof values), "read of A");
  refused(c, sn_tensor_write(c->tensor, values, sizeof values), "write of A");
  refused(c, sn_tensor_fill(c->tensor, 1), "fill of A");
  refused(c, sn_tensor_flush(c->tensor), "flush of A");
  refused(c, sn_tensor_print(c->tensor, drop_text, NULL), "print of A");
  refused(c, sn_node_acquire(c->node, 1, &data), "sn_node_acquire of 'x'");
}

static void give_at_once(course *c)
{
  static char to[4];
  const sn_use use = sn_use_block(SN_PERMISSION_READ, c->tensor, 0);
  sn_task_spec spec = spec_with("kept out", do_nothing, NULL, &use, 1);
  sn_event *event = NULL;
  int moved = 42;

  spec.queue = c->at_once;
  refused(c, sn_queue_submit(c->at_once, nothing, NULL, NULL), "at once is immediate");
  refused(c, sn_queue_fill(c->at_once, sn_span_host(to, sizeof to), 0, NULL),
          "at once is immediate");
  refused(c, sn_queue_copy(c->at_once, sn_span_host(to, 2), sn_span_host(to + 2, 2), &moved, NULL),
          "at once is immediate");
  refused(c, sn_queue_record(c->at_once, &event), "at once is immediate");
  refused(c, sn_queue_wait(c->at_once, c->pending), "at once is immediate");
  refused(c, sn_task_submit(c->engine, &spec, NULL), "at once is immediate");
  refused(c, sn_context_to_host(c->context, c->node, c->at_once, &moved, NULL),
          "at once is immediate");
  is_int(moved, 42, "what is refused says nothing of what has moved");
}

static int work_waits(void *user, int device)
{
  course *c = user;

  (void)device;
  wait_for_all(c);
  give_at_once(c);
  c->told++;
  return sn_queue_submit(c->held, nothing, NULL, NULL);  /* which waits for nobody */
}

static int body_waits(sn_run *run, void *user)
{
  (void)run;
  return work_waits(user, 0);
}

static sn_queue *queue_named(sn_engine *engine, const char *name, int immediate)
{
  sn_queue_options options = SN_QUEUE_OPTIONS_INIT;
  sn_queue *queue;

  options.name = name;
  options.immediate = immediate;
  if (sn_queue_create(sn_engine_unit(engine, 0), &options, &queue) != SN_OK) bail("no queue");
  return queue;
}

static void begin(course *c, int workers)
{
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  sn_node_options given = SN_NODE_OPTIONS_INIT;
  int code = SN_OK;

  memset(c, 0, sizeof *c);
  options.workers = workers;
  c->engine = engine_by(&options);
  c->held = queue_named(c->engine, "held", 0);
  c->own = queue_named(c->engine, "own", 0);
  c->at_once = queue_named(c->engine, "at once", 1);
  c->tensor = tensor_named(c->engine, "A", 2, 1);
  given.mode = SN_MODE_HOSTED_CHANGED;
  code |= sn_node_create(c->engine, "x", SN_TYPE_I64, 1, &given, &c->node);
  code |= sn_context_create_on(sn_engine_unit(c->engine, 0), NULL, NULL, &c->context);
  code |= sn_context_add(c->context, c->node);
  code |= sn_queue_submit(c->held, wait_for_gate, c, &c->pending);
  code |= sn_context_to_host(c->context, c->node, c->held, NULL, NULL);
  is_int(code, SN_OK, "an engine with %d workers", workers);
}

static void end(course *c)
{
  int code;

  atomic_store(&c->gate, 1);
  sn_event_release(c->pending);
  code = sn_queue_destroy(c->held) | sn_queue_destroy(c->own) | sn_queue_destroy(c->at_once);
  code |= sn_context_destroy(c->context) | sn_node_destroy(c->node);
  code |= sn_tensor_destroy(c->tensor);
  is_int(code | sn_engine_destroy(c->engine), SN_OK, "gone");
}

static void test_inside(int workers)
{
  course c;
  sn_queue *other;

  begin(&c, workers);
  c.place = "'waits'";
  is_int(run_task(c.engine, NULL, "waits", body_waits, &c, NULL, 0), SN_OK, "a task");
  c.place = "the work of own";
  is_int(sn_queue_submit(c.own, work_waits, &c, NULL) | sn_queue_await(c.own), SN_OK,
         "the work of a queue");
  c.place = "the work of another at once";
  other = queue_named(c.engine, "another at once", 1);
  is_int(sn_queue_submit(other, work_waits, &c, NULL), SN_OK, "the work of an immediate queue");
  is_int(c.told, 3, "all of them ran");
  is_int(sn_queue_destroy(other), SN_OK, "the other queue is gone");
  end(&c);
}

/* ---- through another engine ---- */

typedef struct pair {
  course *outer;
  sn_engine *inner;
  int code;
} pair;

static int waits_for_outer(sn_run *run, void *user)
{
  pair *p = user;

  (void)run;
  p->code = sn_event_await(p->outer->pending);
  return SN_OK;
}

/* Runs the other engine's task in this thread: that one has no workers. */
static int runs_inner(sn_run *run, void *user)
{
  pair *p = user;

  (void)run;
  return run_task(p->inner, NULL, "inner", waits_for_outer, p, NULL, 0);
}

static void test_two_engines(void)
{
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  course c;
  pair p = { &c, NULL, -1 };

  begin(&c, 1);
  options.workers = 0;
  p.inner = engine_by(&options);
  is_int(run_task(c.engine, NULL, "outer", runs_inner, &p, NULL, 0), SN_OK,
         "a task that runs another engine's");
  is_int(p.code, SN_ESTATE, "which waits for the first engine");
  said(c.engine, "sn_event_await of what is not done inside 'outer': a task waits for nobody: "
                 "submit what follows as a task of its own");
  is_int(sn_engine_destroy(p.inner), SN_OK, "the other engine is gone");
  end(&c);
}

/* ---- immediate queues ---- */

static int is_done(sn_run *run, void *user)
{
  (void)run;
  atomic_store((atomic_int *)user, 1);
  return SN_OK;
}

/* The thread that waits in the queue's place is the one that runs the task. */
static void test_wait_without_workers(void)
{
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  sn_engine *engine;
  sn_queue *queue;
  sn_event *done = NULL;
  atomic_int ran = 0;
  sn_task_spec spec = spec_with("task", is_done, &ran, NULL, 0);

  options.workers = 0;
  engine = engine_by(&options);
  queue = queue_named(engine, "at once", 1);
  is_int(sn_task_submit(engine, &spec, &done), SN_OK, "a task that nobody runs yet");
  is_int(sn_queue_wait(queue, done), SN_OK, "an immediate queue waits for it");
  is_int(atomic_load(&ran), 1, "so it has run");
  sn_event_release(done);
  is_int(sn_queue_destroy(queue) | sn_engine_destroy(engine), SN_OK, "gone");
}

enum { CROWD = 4, TURNS = 200 };

typedef struct crowd {
  sn_queue *queue;
  atomic_int inside, wrong, ran;
} crowd;

static int takes_turn(void *user, int device)
{
  crowd *c = user;

  (void)device;
  if (atomic_fetch_add(&c->inside, 1)) atomic_fetch_add(&c->wrong, 1);
  sched_yield();
  atomic_fetch_sub(&c->inside, 1);
  atomic_fetch_add(&c->ran, 1);
  return SN_OK;
}

static void *brings_turns(void *user)
{
  crowd *c = user;
  int codes = 0;

  for (int k = 0; k < TURNS; k++) codes |= sn_queue_submit(c->queue, takes_turn, c, NULL);
  if (codes) atomic_fetch_add(&c->wrong, 1);
  return NULL;
}

static void test_crowd(void)
{
  sn_engine *engine = engine_by(NULL);
  crowd c = { queue_named(engine, "at once", 1), 0, 0, 0 };
  pthread_t threads[CROWD];

  for (int k = 0; k < CROWD; k++)
    if (pthread_create(&threads[k], NULL, brings_turns, &c)) bail("no thread");
  for (int k = 0; k < CROWD; k++) pthread_join(threads[k], NULL);
  is_int(atomic_load(&c.wrong), 0, "one at a time");
  is_int(atomic_load(&c.ran), CROWD * TURNS, "all of them ran");
  is_int(sn_queue_destroy(c.queue) | sn_engine_destroy(engine), SN_OK, "gone");
}

/* ---- two immediate queues, each of whose work gives the other something ---- */

typedef struct side {
  sn_queue *mine, *other;
  atomic_int *in;
  int code, inner;
} side;

static int gives_other(void *user, int device)
{
  side *s = user;

  (void)device;
  atomic_fetch_add(s->in, 1);
  while (atomic_load(s->in) < 2) sched_yield();
  s->inner = sn_queue_submit(s->other, nothing, NULL, NULL);
  return SN_OK;
}

static void *begins_side(void *user)
{
  side *s = user;

  s->code = sn_queue_submit(s->mine, gives_other, s, NULL);
  if (s->code != SN_OK) atomic_fetch_add(s->in, 1);      /* the other side waits for no one */
  return NULL;
}

static void test_crossed(void)
{
  sn_engine *engine = engine_by(NULL);
  sn_queue *a = queue_named(engine, "a", 1), *b = queue_named(engine, "b", 1);
  atomic_int in = 0;
  side sides[2] = { { a, b, &in, -1, -1 }, { b, a, &in, -1, -1 } };
  pthread_t threads[2];

  for (int k = 0; k < 2; k++)
    if (pthread_create(&threads[k], NULL, begins_side, &sides[k])) bail("no thread");
  for (int k = 0; k < 2; k++) pthread_join(threads[k], NULL);
  is_int(sides[0].code | sides[1].code, SN_OK, "the work of two immediate queues");
  is_int(sides[0].inner, SN_ESTATE, "gives the other queue nothing");
  is_int(sides[1].inner, SN_ESTATE, "nor the other way round");
  is_int(sn_queue_destroy(a) | sn_queue_destroy(b) | sn_engine_destroy(engine), SN_OK, "gone");
}

/* ---- destroyed while the last item ends ---- */

static int begins(void *user, int device)
{
  (void)device;
  atomic_store(&((crowd *)user)->inside, 1);
  sched_yield();
  return SN_OK;
}

static void *brings_one(void *user)
{
  crowd *c = user;

  if (sn_queue_submit(c->queue, begins, c, NULL) != SN_OK) {
    atomic_fetch_add(&c->wrong, 1);
    atomic_store(&c->inside, 1);         /* what has not begun is not waited for */
  }
  return NULL;
}

static void test_destroyed(void)
{
  sn_engine *engine = engine_by(NULL);
  crowd c = { NULL, 0, 0, 0 };
  int codes = 0;

  for (int k = 0; k < TURNS && !atomic_load(&c.wrong); k++) {
    pthread_t thread;
    c.queue = queue_named(engine, "at once", 1);
    atomic_store(&c.inside, 0);
    if (pthread_create(&thread, NULL, brings_one, &c)) bail("no thread");
    while (!atomic_load(&c.inside)) sched_yield();
    codes |= sn_queue_destroy(c.queue);
    pthread_join(thread, NULL);
  }
  is_int(codes, SN_OK, "%d queues are destroyed while their last item ends", TURNS);
  is_int(atomic_load(&c.wrong), 0, "which was not refused");
  is_int(sn_engine_destroy(engine), SN_OK, "gone");
}

int main(void)
{
  alarm(120);                    /* what waits for itself waits for ever */
  test_inside(1);
  test_inside(0);
  test_two_engines();
  test_wait_without_workers();
  test_crowd();
  test_crossed();
  test_destroyed();
  return done_testing();
}
