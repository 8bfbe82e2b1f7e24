/* What the interpreter keeps of the texts that it has read. */
#include "gen/base/base.h"
#include "gen/interpret/fatal.h"
#include "gen/interpret/reading.h"

#include <pthread.h>
#include <string.h>

#define diag tap_diag         /* gen/base has another */
#include "t/tap.h"
#undef diag

static const char first_line[] = "module \"kept.sn\" prefix kept bounds trap\n";

static void read_module(void *reading)
{
  (void)reading_module(reading);
}

/* Whether a reading of the text was kept; there is one afterwards. */
static bool is_kept(const char *text)
{
  const char *const pieces[] = { first_line, text, NULL };
  const sn_interpreter_program program = { pieces, 0, NULL };
  Reading *r = reading_take(&program);
  const bool kept = r->module != NULL;

  is_int(interpreter_guard(read_module, r), SN_OK, "reading ends");
  ok(r->module != NULL, "the text is a module");
  reading_give_back(r);
  return kept;
}

static void test_kept(void)
{
  static const char *const more[] = {
    "kernel void m0() {\n}\n", "kernel void m1() {\n}\n", "kernel void m2() {\n}\n",
    "kernel void m3() {\n}\n", "kernel void m4() {\n}\n", "kernel void m5() {\n}\n",
    "kernel void m6() {\n}\n"
  };

  ok(!is_kept("kernel void first() {\n}\n"), "a text is read when it is seen first");
  ok(is_kept("kernel void first() {\n}\n"), "and not again");
  for (int k = 0; k < 7; k++)
    ok(!is_kept(more[k]), "other text is another module");
  ok(is_kept("kernel void first() {\n}\n"), "eight are kept");
  ok(!is_kept("kernel void first() {\n}\nkernel void second() {\n}\n"),
     "a text that begins as another one does is read");
  ok(!is_kept("kernel void m0() {\n}\n"), "the one that was not used for longest is given up");
}

static void test_bad_text(void)
{
  ok(!is_kept("kernel void good() {\n}\n"), "a good one before it");
  for (int k = 0; k < 2; k++) {
    const char *const pieces[] = { "?", NULL };
    const sn_interpreter_program program = { pieces, 0, NULL };
    Reading *r = reading_take(&program);
    is_int(interpreter_guard(read_module, r), SN_OK, "reading bad text ends");
    ok(r->module == NULL, "with no module, each time");
    reading_give_back(r);
  }
  ok(is_kept("kernel void good() {\n}\n"), "it takes no place from a good one");
}

/* ---- threads ---- */

enum { THREADS = 4, CALLS = 200 };

typedef struct Caller {
  pthread_t thread;
  int number, good;
} Caller;

/* Each has the reading for itself: what it writes there is its own until it gives it back. */
static void *call_often(void *argument)
{
  static const char *const pieces[] = { first_line, "kernel void all() {\n}\n", NULL };
  const sn_interpreter_program program = { pieces, 0, NULL };
  Caller *caller = argument;

  for (int k = 0; k < CALLS; k++) {
    Reading *r = reading_take(&program);
    (void)interpreter_guard(read_module, r);
    r->module->kernels[0]->number_count = caller->number;
    caller->good += r->module->kernels[0]->number_count == caller->number;
    reading_give_back(r);
  }
  return NULL;
}

static void test_threads(void)
{
  Caller callers[THREADS];

  for (int k = 0; k < THREADS; k++) {
    callers[k] = (Caller){ .number = k };
    if (pthread_create(&callers[k].thread, NULL, call_often, &callers[k]))
      bail("no thread");
  }
  for (int k = 0; k < THREADS; k++) {
    pthread_join(callers[k].thread, NULL);
    is_int(callers[k].good, CALLS, "a reading is one call's at a time");
  }
}

int main(void)
{
  test_kept();
  test_bad_text();
  test_threads();
  return done_testing();
}
