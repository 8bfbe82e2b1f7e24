/* What an engine's threads are to the process: their names, their signals, their stacks; and what
 * is left of an engine in the child of a fork, which has none of them: a refusal.
 */
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <snode/log.h>

#include "t/exec/course.h"

/* ---- threads ---- */

typedef struct seen {
  char name[32];
  sigset_t blocked;
  size_t stack;
} seen;

static void look(seen *s)
{
  memset(s, 0, sizeof *s);
  (void)pthread_sigmask(SIG_SETMASK, NULL, &s->blocked);
#ifdef __linux__
  {
    pthread_attr_t attributes;
    void *base;
    if (pthread_getname_np(pthread_self(), s->name, sizeof s->name)) bail("no name");
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
      (void)pthread_attr_getstack(&attributes, &base, &s->stack);
      (void)pthread_attr_destroy(&attributes);
    }
  }
#endif
}

static int body_looks(sn_run *run, void *user)
{
  (void)run;
  look(user);
  return SN_OK;
}

static int work_looks(void *user, int device)
{
  (void)device;
  look(user);
  return SN_OK;
}

static void check(const seen *s, const char *name, size_t stack)
{
  static const int blocked[] = { SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGALRM, SIGCHLD, SIGPIPE };
  static const int own[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGPROF };
  int wrong = 0;

  for (size_t k = 0; k < sizeof blocked / sizeof *blocked; k++)
    wrong += !sigismember(&s->blocked, blocked[k]);
  for (size_t k = 0; k < sizeof own / sizeof *own; k++) wrong += sigismember(&s->blocked, own[k]);
  is_int(wrong, 0, "a thread that leaves the program's signals to the program");
#ifdef __linux__
  is_str(s->name, name, "its name");
  /* a sanitizer, or the memory of the thread's own variables, takes a part */
  ok(s->stack > stack / 2 && s->stack <= stack + (1 << 16), "its stack of %zu bytes, of %zu",
     s->stack, stack);
#else
  (void)name;
  (void)stack;
#endif
}

static void test_threads(size_t stack)
{
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  sn_queue_options named = SN_QUEUE_OPTIONS_INIT;
  const size_t expected = stack ? stack : (size_t)8 << 20;
  sigset_t before, after;
  sn_engine *engine;
  sn_queue *queue;
  int changed = 0;
  seen s;

  (void)pthread_sigmask(SIG_SETMASK, NULL, &before);
  options.workers = 1;
  options.memories = 1;
  options.stack = stack;
  engine = engine_by(&options);
  is_int(run_task(engine, sn_engine_unit(engine, 0), "looks", body_looks, &s, NULL, 0), SN_OK,
         "the host's worker");
  check(&s, "sn:host 0", expected);
  is_int(run_task(engine, sn_engine_unit(engine, 1), "looks", body_looks, &s, NULL, 0), SN_OK,
         "a memory's worker");
  check(&s, "sn:memory 1 0", expected);
  named.name = "of my own \xc3\xa9\xc3\xa9";
  is_int(sn_queue_create(sn_engine_unit(engine, 0), &named, &queue) |
           sn_queue_submit(queue, work_looks, &s, NULL) | sn_queue_await(queue), SN_OK,
         "a queue's");
  check(&s, "sn:of my own \xc3\xa9", expected);
  is_int(sn_queue_destroy(queue) | sn_engine_destroy(engine), SN_OK, "gone");
  (void)pthread_sigmask(SIG_SETMASK, NULL, &after);
  for (int k = 1; k < 32; k++) changed += sigismember(&before, k) != sigismember(&after, k);
  is_int(changed, 0, "the caller's own signals are as they were");
}

/* ---- the child of a fork ---- */

typedef struct held {
  sn_engine *engine;
  sn_queue *queue;
  sn_tensor *tensor;
  sn_event *event;
  sn_context *context;
  sn_node *node;
  sn_capture *capture;
} held;

static int do_no_work(void *user, int device)
{
  (void)user;
  (void)device;
  return SN_OK;
}

/* How many calls are not refused. */
static int call_all(const held *h)
{
  const sn_task_spec spec = spec_with("task", do_nothing, NULL, NULL, 0);
  sn_task_counters counters = SN_TASK_COUNTERS_INIT;
  sn_unit_memory memory = SN_UNIT_MEMORY_INIT;
  sn_unit *unit = sn_engine_unit(h->engine, 0);
  sn_queue *queue;
  sn_space *space;
  int64_t value;
  void *data;
  int is;
  const int codes[] = {
    sn_task_submit(h->engine, &spec, NULL), sn_engine_await(h->engine),
    sn_engine_is_idle(h->engine, &is), sn_engine_counters(h->engine, &counters),
    sn_engine_graph(h->engine, collect_text, NULL), sn_unit_await(unit),
    sn_unit_memory_of(unit, &memory), sn_queue_create(unit, NULL, &queue),
    sn_queue_submit(h->queue, do_no_work, NULL, NULL), sn_queue_await(h->queue),
    sn_queue_destroy(h->queue), sn_event_is_done(h->event, &is), sn_event_await(h->event),
    sn_tensor_read(h->tensor, &value, sizeof value), sn_tensor_destroy(h->tensor),
    sn_space_create(h->engine, 1, 1, &space), sn_node_acquire(h->node, 1, &data),
    sn_node_destroy(h->node), sn_context_destroy(h->context), sn_capture_destroy(h->capture),
    sn_engine_destroy(h->engine)
  };
  int wrong = 0;

  for (size_t k = 0; k < sizeof codes / sizeof *codes; k++)
    if (codes[k] != SN_ESTATE) {
      fprintf(stderr, "call %zu gives %d\n", k, codes[k]);
      wrong++;
    }
  sn_event_release(h->event);
  sn_engine_clear(h->engine);
  return wrong;
}

/* A child may make an engine of its own.  (The thread sanitizer ends one that starts threads.) */
static int make_own(void)
{
#if defined(__SANITIZE_THREAD__)
  return 0;
#elif defined(__has_feature)
# if __has_feature(thread_sanitizer)
  return 0;
# endif
#endif
  {
    sn_engine *engine = engine_by(NULL);
    int ran = run_task(engine, NULL, "task", do_nothing, NULL, NULL, 0);
    return ran != SN_OK || sn_engine_destroy(engine) != SN_OK;
  }
}

static int in_child(const held *h)
{
  int wrong = call_all(h);

  wrong += strstr(sn_engine_error(h->engine), "which fork has made") == NULL;
  wrong += strcmp(sn_unit_name(sn_engine_unit(h->engine, 0)), "host") != 0;
  return wrong + make_own();
}

static void test_fork(void)
{
  held h;
  int status = 0;
  pid_t child;

  memset(&h, 0, sizeof h);
  h.engine = engine_by(NULL);
  h.tensor = tensor_named(h.engine, "A", 1, 1);
  is_int(sn_queue_create(sn_engine_unit(h.engine, 0), NULL, &h.queue) |
           sn_queue_submit(h.queue, do_no_work, NULL, &h.event) | sn_queue_await(h.queue) |
           sn_context_create_on(sn_engine_unit(h.engine, 0), NULL, NULL, &h.context) |
           sn_node_create(h.engine, "x", SN_TYPE_I64, 1, NULL, &h.node), SN_OK, "an engine");
  fflush(stdout);
  is_int(sn_capture_create(&h.capture), SN_OK, "and a capture");
  fflush(stdout);
  child = fork();
  if (child == 0) {
    alarm(60);                   /* what is not refused may wait for ever */
    _exit(in_child(&h));
  }
  waitpid(child, &status, 0);
  is_int(sn_capture_destroy(h.capture), SN_OK, "the parent's capture ends");
  ok(child > 0 && WIFEXITED(status), "the child of a fork ends");
  is_int(WIFEXITED(status) ? WEXITSTATUS(status) : -1, 0, "what it calls on the engine is refused");
  sn_event_release(h.event);
  is_int(sn_queue_destroy(h.queue) | sn_context_destroy(h.context) | sn_node_destroy(h.node) |
           sn_tensor_destroy(h.tensor) | sn_engine_destroy(h.engine), SN_OK,
         "the parent goes on as before");
}

int main(void)
{
  test_threads(0);
  test_threads((size_t)1 << 20);
  test_fork();
  return done_testing();
}
