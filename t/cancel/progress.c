/* A function is told how far a kernel is, when it is time, and may cancel. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <pthread.h>
#include <time.h>

#include <snode/submit.h>

#include "t/tap.h"
#include "steps.h"

typedef struct told {
  sn_context *context;
  steps_line *tree;
  pthread_t thread;              /* that makes the call */
  long count;                    /* how often it was told */
  int is_wrong;                  /* a time that did not fit what was told before */
  uint64_t done;                 /* tasks, the last time */
  uint64_t cancel_at;            /* tasks after which it cancels; 0: never */
  int32_t most_index;
  int code;                      /* of a call on the context that it makes; SN_OK: none */
  sn_progress last;
  char text[64];
} told;

static void tell(void *user, const sn_progress *what)
{
  told *t = user;

  t->is_wrong |= what->size != sizeof *what || !pthread_equal(pthread_self(), t->thread);
  t->is_wrong |= what->task_index < 0 || what->task_index >= what->task_count || what->line < 1;
  t->is_wrong |= t->count > 0 && what->tasks_done < t->done;
  t->count++;
  t->done = what->tasks_done;
  if (what->task_index > t->most_index) t->most_index = what->task_index;
  if (t->cancel_at && what->tasks_done >= t->cancel_at) sn_context_cancel(t->context);
  t->last = *what;
  snprintf(t->text, sizeof t->text, "%s", what->kernel);
}

/* What such a function must not do. */
static void call_again(void *user, const sn_progress *what)
{
  told *t = user;
  int64_t n;

  tell(user, what);
  if (t->code == SN_OK) t->code = steps_steps(t->tree, &n);
}

static told fresh(sn_context *context, steps_line *tree)
{
  told t = { .context = context, .tree = tree, .thread = pthread_self() };

  return t;
}

static double now(void)
{
  struct timespec t;

  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Before each task: each step of the kernel has a loop over cells, and what comes behind it. */
static void each_task(sn_context *context, steps_line *tree)
{
  told ten = fresh(context, tree), twenty = ten;

  is_int(sn_context_set_progress(context, tell, &ten, 0), SN_OK, "before each task");
  is_int(steps_go_on(tree, 10), SN_OK, "ten steps");
  is_int(sn_context_set_progress(context, tell, &twenty, 0), SN_OK, "another one is told");
  is_int(steps_go_on(tree, 20), SN_OK, "of twenty");
  ok(!ten.is_wrong && !twenty.is_wrong, "by the thread that calls, with numbers that grow");
  ok(ten.count >= 20 && (uint64_t)ten.count == ten.done + 1, "of each of the %ld tasks", ten.count);
  ok(twenty.count - ten.count >= 20 && (twenty.count - ten.count) % 10 == 0,
     "which are as many in each turn of the loop");
  is_str(ten.text, "steps_go_on", "the kernel has its name in C");
  ok(ten.most_index > 0 && ten.most_index < ten.last.task_count, "a task its place");
  is_int(sn_context_set_progress(context, NULL, NULL, 0), SN_OK, "nobody is told any more");
  is_int(steps_go_on(tree, 10), SN_OK, "of ten steps");
  ok((uint64_t)twenty.count == twenty.done + 1, "and nobody was");
}

/* It is told at most as often as it asked for, and soon enough to cancel. */
static void at_times(sn_context *context, steps_line *tree)
{
  told t = fresh(context, tree);
  const double before = now();
  double passed;

  is_int(sn_context_set_progress(context, tell, &t, 1000), SN_OK, "each thousand seconds");
  is_int(steps_go_on(tree, 100), SN_OK, "a hundred steps take less");
  is_int(t.count, 0, "and nobody is told");
  is_int(sn_context_set_progress(context, tell, &t, 0.02), SN_OK, "each 20 ms");
  t.cancel_at = 1000;
  while (steps_go_on(tree, 1000000) == SN_OK) continue;
  passed = now() - before;
  ok(t.count >= 1, "told %ld times", t.count);
  ok((double)t.count <= passed / 0.02 + 1, "in %.3f seconds", passed);
  sn_context_clear(context);
}

static void cancels(sn_context *context, steps_line *tree)
{
  told t = fresh(context, tree);
  char text[128];
  int64_t n = -1;

  t.cancel_at = 41;
  is_int(sn_context_set_progress(context, tell, &t, 0), SN_OK, "one that cancels is told");
  is_int(steps_go_on(tree, 1000000), SN_ECANCELED, "the kernel ends");
  is_int((int64_t)t.done, 41, "before the task that it was told of");
  snprintf(text, sizeof text, "steps_go_on: canceled before task %s", t.last.task);
  ok(strncmp(sn_context_error(context), text, strlen(text)) == 0, "which the text names: %s",
     sn_context_error(context));
  is_int(sn_context_set_progress(context, NULL, NULL, 0), SN_OK, "nobody is told");
  sn_context_clear(context);
  is_int(steps_steps(tree, &n), SN_OK, "the tree can be used");
  ok(n > 0 && n <= 41, "after some steps");
}

static void refused(sn_context *context, steps_line *tree)
{
  told t = fresh(context, tree);

  is_int(sn_context_set_progress(NULL, tell, &t, 0), SN_EINVAL, "no context");
  is_int(sn_context_set_progress(context, tell, &t, -1), SN_EINVAL, "time that runs backwards");
  ok(strstr(sn_context_error(context), "-1 seconds") != NULL, "%s", sn_context_error(context));
  is_int(sn_context_set_progress(context, tell, &t, (double)NAN), SN_EINVAL, "no number");
  sn_context_clear(context);
  is_int(sn_context_set_progress(context, call_again, &t, 0), SN_OK, "one that calls again");
  is_int(steps_go_on(tree, 3), SN_OK, "its kernel ends well");
  is_int(t.code, SN_EBUSY, "its call is refused");
  ok(strstr(sn_context_error(context), "in use") != NULL, "%s", sn_context_error(context));
  is_int(sn_context_set_progress(context, NULL, NULL, 0), SN_OK, "nobody is told");
  sn_context_clear(context);
}

/* Of a kernel that was submitted too, by the thread that runs it. */
static void submitted(void)
{
  sn_engine *engine = NULL;
  sn_queue *queue = NULL;
  sn_context *context = NULL;
  steps_line *tree = NULL;
  told t;
  int64_t n = -1;

  is_int(sn_engine_create(NULL, &engine), SN_OK, "an engine");
  is_int(sn_context_create(NULL, &context), SN_OK, "a context");
  is_int(sn_context_attach(context, sn_engine_unit(engine, 0)), SN_OK, "on the engine's host");
  is_int(sn_queue_create(sn_engine_unit(engine, 0), NULL, &queue), SN_OK, "a queue");
  is_int(steps_line_create(context, NULL, &tree), SN_OK, "a tree");
  t = fresh(context, tree);
  is_int(sn_context_set_progress(context, tell, &t, 0), SN_OK, "before each task");
  is_int(steps_go_on_submit(queue, tree, 10, NULL), SN_OK, "ten steps are submitted");
  is_int(steps_steps(tree, &n), SN_OK, "a plain call waits for them");
  is_int(n, 10, "they are over");
  ok(t.count >= 20, "the function was told %ld times", t.count);
  steps_line_destroy(tree);
  is_int(sn_context_destroy(context), SN_OK, "the context goes");
  is_int(sn_queue_destroy(queue), SN_OK, "the queue");
  is_int(sn_engine_destroy(engine), SN_OK, "the engine");
}

int main(void)
{
  sn_context *context = NULL;
  steps_line *tree = NULL;

  is_int(sn_context_create(NULL, &context), SN_OK, "a context");
  is_int(steps_line_create(context, NULL, &tree), SN_OK, "a tree");
  each_task(context, tree);
  at_times(context, tree);
  cancels(context, tree);
  refused(context, tree);
  if (!getenv("SNODE_DEVICE") || strcmp(getenv("SNODE_DEVICE"), "host") == 0) submitted();
  steps_line_destroy(tree);
  is_int(sn_context_destroy(context), SN_OK, "the context goes");
  return done_testing();
}
