/* Scenario 15, on home and on four more units: the log of a routine line by line, its tree, and the
 * capture that takes the lines of runs out of stdout and leaves all else as it is.
 */
#include <unistd.h>

#include <snode/log.h>

#include "t/exec/course.h"
#include "t/exec/outside.h"
#include "t/exec/units/units.h"

enum { TEXT = 1 << 16 };

typedef struct course {
  sn_engine *engine;
  sn_queue *queue[2];
  sn_node *a, *x;
  sn_context *context[2];
  sn_code *code;
  sn_routine *demo[2], *chatter, *wrapped;
} course;

static int64_t runs[2];          /* the numbers of the demos' last runs */
static const sn_context *first_demo;

/* x =: a + 1, as a person who debugs it would have it; user: its source */
static int demo(const sn_arguments *r)
{
  float a[2], x[2];

  SN_TRY(units_get(r->device, a, r->arrays[0], sizeof a));
  SN_TRY(units_get(r->device, x, r->arrays[1], sizeof x));
  runs[r->context != first_demo] = r->run;
  sn_log_begin(r, "demo");
  for (int i = 0; i < 2; i++) {
    const float value = a[i] + 1;
    sn_log_index(r, "i", i);
    sn_log_source(r, r->user);
    sn_log_line(r, "x[%d]{=%g} = %g = (a[%d]{=%g} + 1)", i, (double)x[i], (double)value, i,
                (double)a[i]);
    x[i] = value;
  }
  sn_log_end(r);
  return units_put(r->device, r->arrays[1], x, sizeof x);
}

static int chatter(const sn_arguments *r)
{
  const int lines = tap_size(1000, 100000, 100000);

  for (int k = 0; k < lines; k++) {
    sn_log_line(r, "line %d of a log that is long, so that it does not fit into any pipe's buffer, "
                "and has to be read while it is written", k);
    if (r->log && k % (lines / 10) == 0) printf("user %d\n", k / (lines / 10));
  }
  return SN_OK;
}

static void make_code(course *c)
{
  static char source[] = "x =: a + 1", on_two_lines[] = "x =:\na + 1";
  sn_node_use uses[2] = { { SN_NODE_READ, NULL }, { SN_NODE_READ_WRITE, NULL } };
  sn_entry entries[3] = { SN_ENTRY_INIT, SN_ENTRY_INIT, SN_ENTRY_INIT };

  uses[0].node = c->a;
  uses[1].node = c->x;
  entries[0].name = "demo";
  entries[0].run = demo;
  entries[0].user = source;
  entries[0].uses = uses;
  entries[0].use_count = 2;
  entries[1] = entries[0];
  entries[1].name = "wrapped";
  entries[1].user = on_two_lines;
  entries[2].name = "chatter";
  entries[2].run = chatter;
  is_int(sn_code_create(c->engine, entries, 3, &c->code), SN_OK, "code");
}

/* A queue and a context on the unit, and one of each on the next. */
static void begin(course *c, int unit)
{
  static const float values[2] = { 2, 5 };
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  sn_node_options given = SN_NODE_OPTIONS_INIT;
  int code = SN_OK;

  memset(c, 0, sizeof *c);
  options.workers = 0;
  if (units_engine(options, &c->engine) != SN_OK) bail("no engine");
  given.mode = SN_MODE_HOSTED_CONSTANT;
  given.host = (void *)(uintptr_t)values;
  code |= sn_node_create(c->engine, "a", SN_TYPE_F32, 2, &given, &c->a);
  code |= sn_node_create(c->engine, "x", SN_TYPE_F32, 2, NULL, &c->x);
  make_code(c);
  for (int k = 0; k < 2; k++) {
    sn_unit *on = sn_engine_unit(c->engine, (unit + k) % UNITS);
    code |= sn_queue_create(on, NULL, &c->queue[k]);
    code |= sn_context_create_on(on, NULL, NULL, &c->context[k]);
    code |= sn_context_add(c->context[k], c->x);
    code |= sn_code_link(c->code, 0, c->context[k], NULL, &c->demo[k]);
  }
  first_demo = sn_routine_context(c->demo[0]);
  code |= sn_code_link(c->code, 1, c->context[0], NULL, &c->wrapped);
  code |= sn_code_link(c->code, 2, c->context[0], NULL, &c->chatter);
  is_int(code, SN_OK, "begun on %s", sn_unit_name(sn_engine_unit(c->engine, unit)));
}

static int forget(sn_routine *routine)
{
  return sn_context_destroy(sn_routine_context(routine)) | sn_routine_destroy(routine);
}

static void end(course *c)
{
  int code = forget(c->demo[0]) | forget(c->demo[1]) | forget(c->wrapped) | forget(c->chatter);

  for (int k = 0; k < 2; k++)
    code |= sn_context_destroy(c->context[k]) | sn_queue_destroy(c->queue[k]);
  code |= sn_code_destroy(c->code) | sn_node_destroy(c->a) | sn_node_destroy(c->x);
  is_int(code | sn_engine_destroy(c->engine), SN_OK, "ended");
}

static void collect(void *user, const char *text)
{
  strncat(user, text, TEXT - 1 - strlen(user));
}

static const char tree[] =
  "demo\n  index i = 0\n  x =: a + 1\n  x[0]{=0} = 3 = (a[0]{=2} + 1)\n"
  "  index i = 1\n  x =: a + 1\n  x[1]{=0} = 6 = (a[1]{=5} + 1)\n";

static void *array_of(sn_routine *routine, sn_node *node)
{
  sn_span span = sn_span_host(NULL, 0);

  if (sn_context_array(sn_routine_context(routine), node, &span) != SN_OK) bail("no array");
  return span.data;
}

/* All of the log of demo k, whose x was `first` and `second`. */
static const char *expected(const course *c, int k, int first, int second)
{
  static char text[512];

  snprintf(text, sizeof text,
           "a = %p\nx = %p\nCOMMENT: demo\n"
           "index i = 0\n# x =: a + 1\nx[0]{=%d} = 3 = (a[0]{=2} + 1)\n"
           "index i = 1\n# x =: a + 1\nx[1]{=%d} = 6 = (a[1]{=5} + 1)\nCOMMENT: end\n",
           array_of(c->demo[k], c->a), array_of(c->demo[k], c->x), first, second);
  return text;
}

static void test_lines(int unit)
{
  static char log[TEXT], shown[TEXT];
  course c;
  float x[2] = { 0, 0 };

  log[0] = shown[0] = 0;
  begin(&c, unit);
  is_int(sn_routine_schedule(c.demo[1], c.queue[1], NULL), SN_OK, "not logged");
  is_int(sn_queue_await(c.queue[1]), SN_OK, "done");
  is_int(sn_routine_set_log(c.demo[0], NULL, collect, log), SN_OK, "logged");
  is_int(sn_routine_schedule(c.demo[0], c.queue[0], NULL), SN_OK, "scheduled");
  is_int(sn_queue_await(c.queue[0]), SN_OK, "done");
  is_str(log, expected(&c, 0, 0, 0), "line by line");
  is_int(units_get(sn_unit_device(sn_engine_unit(c.engine, unit)), x, array_of(c.demo[0], c.x),
                   sizeof x), SN_OK, "x");
  ok(x[0] == 3 && x[1] == 6, "its values");
  is_int(sn_log_tree(strstr(log, "COMMENT"), collect, shown), SN_OK, "shown");
  is_str(shown, tree, "as a tree");
  log[0] = 0;
  is_int(sn_routine_set_log(c.wrapped, NULL, collect, log), SN_OK, "a source of two lines");
  is_int(sn_routine_schedule(c.wrapped, c.queue[0], NULL), SN_OK, "scheduled");
  is_int(sn_queue_await(c.queue[0]), SN_OK, "done");
  ok(strstr(log, "\n# x =:$a + 1\n") != NULL, "is one of the log");
  end(&c);
}

static void test_trees(void)
{
  char shown[TEXT] = "";

  is_int(sn_log_tree("COMMENT: end\nCOMMENT: a\nCOMMENT: b\n# x =:$y\nCOMMENT: end\ny", collect,
                     shown), SN_OK, "blocks within blocks");
  is_str(shown, "a\n  b\n    x =:\n    y\n  y\n", "an end too many changes nothing");
}

/* ---- by way of stdout, which leads into a file meanwhile ---- */

static void test_capture(int unit)
{
  static char log[2][TEXT];
  const char *out;
  course c;
  sn_capture *capture = NULL;
  outside o;
  int code = SN_OK;
  size_t first;

  log[0][0] = log[1][0] = 0;
  begin(&c, unit);
  o = leave_stdout();
  code |= sn_capture_create(&capture);
  printf("before\nand !@ what is no prefix, !@#7: nor a run\n");
  for (int k = 0; k < 2; k++) {
    code |= sn_routine_set_log(c.demo[k], capture, collect, log[k]);
    code |= sn_routine_schedule(c.demo[k], c.queue[k], NULL);
  }
  code |= sn_queue_await(c.queue[0]) | sn_queue_await(c.queue[1]);
  printf("between ");
  code |= sn_routine_schedule(c.demo[0], c.queue[0], NULL);
  code |= sn_queue_await(c.queue[0]);
  printf("the lines\nafter!");
  code |= sn_capture_destroy(capture);
  out = come_back(&o);
  is_int(code, SN_OK, "captured");
  is_str(out, "before\nand !@ what is no prefix, !@#7: nor a run\nbetween the lines\nafter!",
         "all else is as it was");
  is_str(log[1], expected(&c, 1, 0, 0), "one run has its lines");
  first = strlen(expected(&c, 0, 0, 0));
  ok(strncmp(log[0], expected(&c, 0, 0, 0), first) == 0, "the other has its own");
  is_str(log[0] + (first < strlen(log[0]) ? first : 0), expected(&c, 0, 3, 6),
         "and those of its second run");
  ok(runs[0] && runs[1] && runs[0] != runs[1], "each run has a number of its own");
  end(&c);
}

static void count_bytes(void *user, const char *text)
{
  *(size_t *)user += strlen(text);
}

static void test_much(int unit)
{
  const char *out;
  course c;
  sn_capture *capture = NULL;
  outside o;
  size_t bytes = 0;
  int code = SN_OK, held;

  begin(&c, unit);
  o = leave_stdout();
  code |= sn_capture_create(&capture);
  code |= sn_routine_set_log(c.chatter, capture, count_bytes, &bytes);
  code |= sn_routine_schedule(c.chatter, c.queue[0], NULL);
  code |= sn_queue_await(c.queue[0]);
  held = sn_capture_destroy(capture);
  out = come_back(&o);
  is_int(code | held, SN_OK, "a long log");
  ok(bytes > (size_t)tap_size(100000, 10000000, 10000000), "%zu bytes of it", bytes);
  is_str(out, "user 0\nuser 1\nuser 2\nuser 3\nuser 4\nuser 5\nuser 6\nuser 7\nuser 8\nuser 9\n",
         "and the user's own lines");
  end(&c);
}

int main(void)
{
  for (int unit = 0; unit < UNITS; unit++) {
    test_lines(unit);
    test_capture(unit);
  }
  test_trees();
  test_much(UNITS - 1);
  is_int(sn_capture_destroy(NULL), SN_OK, "nothing");
  is_int(sn_capture_create(NULL), SN_EINVAL, "to nowhere");
  return done_testing();
}
