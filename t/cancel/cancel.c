/* Kernels that would run for hours are canceled, by a signal handler and by another thread. */
#define _DEFAULT_SOURCE
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include "t/tap.h"
#include "steps.h"

static const int64_t HOURS = INT64_C(1000000000000);

static sn_context *context;

static void on_alarm(int number)
{
  (void)number;
  sn_context_cancel(context);
}

static void *wait_and_cancel(void *user)
{
  (void)user;
  usleep(100000);
  sn_context_cancel(context);
  return NULL;
}

/* What a canceled kernel has left can be read, and is as of a step's beginning or middle. */
static void looks(steps_line *tree, int64_t before, const char *who)
{
  int64_t n = -1, cells = -1, first = -1;

  is_int(steps_steps(tree, &n), SN_ECANCELED, "by %s: later kernels are not begun", who);
  is_int(n, -1, "and give nothing");
  sn_context_clear(context);
  is_int(steps_steps(tree, &n), SN_OK, "after sn_context_clear they are");
  ok(n > before, "it had begun");
  is_int(steps_cells(tree, &cells), SN_OK, "cells are counted");
  ok(cells == 64 * (n < 64 ? n : 64) || cells == 64 * (n < 63 ? n + 1 : 64), "as many as it made");
  is_int(steps_first(tree, &first), SN_OK, "a value is read");
  ok(first == n || first == n - 1, "it is of the last step, or of the one before");
  is_int(steps_go_on(tree, n), SN_OK, "the tree goes on");
  is_int(steps_line_deactivate_all(tree), SN_OK, "and can be emptied");
}

int main(void)
{
  const struct itimerval soon = { { 0, 0 }, { 0, 100000 } };
  steps_line *tree = NULL;
  pthread_t thread;
  int64_t n = -1;

  sn_context_cancel(NULL);
  is_int(sn_context_create(NULL, &context), SN_OK, "a context");
  is_int(steps_line_create(context, NULL, &tree), SN_OK, "a tree");

  is_int(steps_go_on(tree, 1), SN_OK, "a first step, for which a device loads its image");
  is_int(steps_line_deactivate_all(tree), SN_OK, "its tile goes");

  signal(SIGALRM, on_alarm);
  is_int(setitimer(ITIMER_REAL, &soon, NULL), 0, "an alarm is set");
  is_int(steps_go_on(tree, HOURS), SN_ECANCELED, "a signal handler cancels");
  ok(strstr(sn_context_error(context), "steps_go_on: canceled before task ") != NULL,
     "the text says what and where: %s", sn_context_error(context));
  looks(tree, 1, "a signal");

  is_int(pthread_create(&thread, NULL, wait_and_cancel, NULL), 0, "a thread");
  is_int(steps_go_on(tree, HOURS), SN_ECANCELED, "it cancels");
  is_int(pthread_join(thread, NULL), 0, "and ends");
  looks(tree, 0, "a thread");

  sn_context_cancel(context);
  is_int(steps_go_on(tree, 3), SN_ECANCELED, "one that was canceled before it began");
  sn_context_clear(context);
  is_int(steps_go_on(tree, 3), SN_OK, "runs after sn_context_clear");
  is_int(steps_steps(tree, &n), SN_OK, "to its end");
  is_int(n, 3, "with all its steps");
  steps_line_destroy(tree);
  is_int(sn_context_destroy(context), SN_OK, "the context goes");
  return done_testing();
}
