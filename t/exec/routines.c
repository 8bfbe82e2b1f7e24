/* Code and routines: linking, what is refused and in which words, static indices, local nodes,
 * failures, the order of destruction; each allocation fails once.  (Sharing: device/contexts.c.)
 */
#include <snode/routine.h>

#include "t/exec/course.h"

typedef struct course {
  sn_engine *engine;
  sn_unit *unit;
  sn_queue *queue;
  sn_node *a, *y, *t;
  sn_context *base;
} course;

static int doubles(const sn_arguments *arguments)
{
  const int64_t *from = arguments->arrays[0];
  int64_t *to = arguments->arrays[1];

  for (int k = 0; k < 3; k++) to[k] = 2 * from[k];
  return SN_OK;
}

static int adds_index(const sn_arguments *arguments)
{
  int64_t *to = arguments->arrays[0];

  if (arguments->size != sizeof *arguments || !arguments->user) return SN_EBUG;
  to[arguments->indices[1]] += arguments->indices[0] * *(const int64_t *)arguments->user;
  return SN_OK;
}

static int fails(const sn_arguments *arguments)
{
  (void)arguments;
  return SN_EASSERT;
}

static const int64_t ten = 10;

/* double: y = 2 a; add: y[at] += 10 by; fail */
static int make_code(const course *c, sn_code **out)
{
  static const sn_static_index indices[] = { { "by", 0 }, { "at", 3 } };
  sn_node_use uses[3] = { { SN_NODE_READ, NULL }, { SN_NODE_WRITE, NULL },
                          { SN_NODE_READ_WRITE, NULL } };
  sn_entry entries[3] = { SN_ENTRY_INIT, SN_ENTRY_INIT, SN_ENTRY_INIT };

  uses[0].node = c->a;
  uses[1].node = uses[2].node = c->y;
  entries[0].name = "double";
  entries[0].run = doubles;
  entries[0].uses = uses;
  entries[0].use_count = 2;
  entries[1].name = "add";
  entries[1].run = adds_index;
  entries[1].user = (void *)(uintptr_t)&ten;
  entries[1].uses = uses + 2;
  entries[1].use_count = 1;
  entries[1].indices = indices;
  entries[1].index_count = 2;
  entries[2].name = "fail";
  entries[2].run = fails;
  return sn_code_create(c->engine, entries, 3, out);
}

static int begin(course *c, int unit)
{
  static const int64_t values[3] = { 1, 2, 3 };
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  sn_node_options given = SN_NODE_OPTIONS_INIT;

  memset(c, 0, sizeof *c);
  options.workers = 0;
  options.memories = 1;
  SN_TRY(sn_engine_create(&options, &c->engine));
  c->unit = sn_engine_unit(c->engine, unit);
  given.mode = SN_MODE_HOSTED_CONSTANT;
  given.host = (void *)(uintptr_t)values;
  SN_TRY(sn_queue_create(c->unit, NULL, &c->queue));
  SN_TRY(sn_node_create(c->engine, "a", SN_TYPE_I64, 3, &given, &c->a));
  SN_TRY(sn_node_create(c->engine, "y", SN_TYPE_I64, 3, NULL, &c->y));
  SN_TRY(sn_node_create(c->engine, "t", SN_TYPE_I64, 3, NULL, &c->t));
  return sn_context_create_on(c->unit, NULL, "base", &c->base);
}

static int end(course *c)
{
  SN_TRY(sn_queue_destroy(c->queue));
  SN_TRY(sn_context_destroy(c->base));
  SN_TRY(sn_node_destroy(c->a));
  SN_TRY(sn_node_destroy(c->y));
  SN_TRY(sn_node_destroy(c->t));
  return sn_engine_destroy(c->engine);
}

/* The routine and its context. */
static int forget(sn_routine *routine)
{
  SN_TRY(sn_context_destroy(sn_routine_context(routine)));
  return sn_routine_destroy(routine);
}

static const int64_t *array_of(sn_context *context, sn_node *node)
{
  sn_span span = sn_span_host(NULL, 0);

  if (sn_context_array(context, node, &span) != SN_OK) bail("no array");
  return span.data;
}

/* ---- a chain of routines ---- */

static void test_chain(int unit)
{
  course c;
  sn_code *code = NULL;
  sn_routine *routine[3] = { NULL, NULL, NULL };
  sn_context *last;
  sn_event *done = NULL;
  char text[8192] = "";

  is_int(begin(&c, unit), SN_OK, "begun");
  is_int(make_code(&c, &code), SN_OK, "code");
  is_int(sn_code_entries(code), 3, "entries");
  is_str(sn_code_entry_name(code, 1), "add", "the second");
  is_int(sn_code_link(code, 1, c.base, NULL, &routine[1]), SN_EINVAL, "add alone");
  said(c.engine, "routine add changes node 'y', which context 'base' lacks: add it, or link what "
                 "writes it first");
  is_int(sn_code_link_all(code, c.base, NULL, routine), SN_OK, "all of it, one below the other");
  last = sn_routine_context(routine[2]);
  ok(sn_context_parent(last) == sn_routine_context(routine[1]), "a chain");
  ok(!array_of(c.base, c.y) && array_of(last, c.y), "y is below base");
  is_int(sn_routine_schedule(routine[1], c.queue, NULL), SN_ESTATE, "without its indices");
  said(c.engine, "routine 'add': index 'by' has no value");
  is_int(sn_routine_set_index(routine[1], "by", 5), SN_OK, "by");
  is_int(sn_routine_set_index(routine[1], "at", 3), SN_EBOUNDS, "at, too far");
  said(c.engine, "routine 'add': index 'at' is 3, and goes from 0 to 2");
  is_int(sn_routine_set_index(routine[1], "on", 3), SN_EINVAL, "no such index");
  said(c.engine, "routine 'add' has no index 'on'");
  is_int(sn_routine_explain(routine[1], collect_text, text), SN_OK, "explained");
  is_str(text, unit ? "add on memory 1: changes y; by = 5; at = ?\n"
                    : "add on host: changes y; by = 5; at = ?\n", "what it does");
  is_int(sn_routine_schedule(routine[0], c.queue, NULL), SN_OK, "double");
  for (int k = 0; k < 3; k++) {          /* each run has the values it was enqueued with */
    is_int(sn_routine_set_index(routine[1], "at", k), SN_OK, "at %d", k);
    is_int(sn_routine_schedule(routine[1], c.queue, k == 2 ? &done : NULL), SN_OK, "add");
  }
  is_int(sn_event_await(done), SN_OK, "done");
  sn_event_release(done);
  ok(array_of(last, c.y)[0] == 52 && array_of(last, c.y)[2] == 56, "2 a + 50");
  is_int(sn_routine_schedule(routine[2], c.queue, &done), SN_OK, "fail");
  is_int(sn_event_await(done), SN_EASSERT, "its error is the event's");
  sn_event_release(done);
  is_int(sn_routine_schedule(routine[0], c.queue, NULL), SN_EASSERT, "and told once");
  is_int(sn_routine_schedule(routine[0], c.queue, NULL), SN_OK, "then it goes on");
  is_int(sn_queue_await(c.queue), SN_OK, "to the end");
  is_int(sn_code_destroy(code), SN_ESTATE, "code in use");
  said(c.engine, "code with entry 'double' still has 3 routines");
  is_int(sn_context_destroy(last), SN_OK, "the last context goes");
  is_int(sn_routine_schedule(routine[2], c.queue, NULL), SN_ESTATE, "its routine runs no more");
  said(c.engine, "routine 'fail': its context was destroyed, or began anew");
  ok(sn_routine_context(routine[2]) == NULL, "and knows it");
  is_int(sn_routine_destroy(routine[2]), SN_OK, "it goes");
  is_int(forget(routine[1]) | forget(routine[0]) | sn_code_destroy(code), SN_OK, "all go");
  is_int(end(&c), SN_OK, "ended");
}

/* ---- what entries must be ---- */

static void test_entries(void)
{
  course c;
  sn_code *code = NULL;
  sn_node_use uses[3] = { { SN_NODE_WRITE, NULL }, { SN_NODE_MERGE, NULL },
                          { SN_NODE_MERGE, NULL } };
  sn_entry entry = SN_ENTRY_INIT;
  sn_link_options link = SN_LINK_OPTIONS_INIT;
  sn_routine *routine = NULL;

  is_int(begin(&c, 0), SN_OK, "begun");
  uses[0].node = uses[1].node = c.y;
  uses[2].node = c.t;
  entry.name = "merge";
  entry.run = fails;
  entry.uses = uses;
  entry.use_count = 3;
  is_int(sn_code_create(c.engine, &entry, 1, &code), SN_EINVAL, "two merge nodes");
  said(c.engine, "entry 'merge' reads two merge nodes, 'y' and 't': a queue has one merge buffer");
  uses[1].kind = SN_NODE_READ;
  is_int(sn_code_create(c.engine, &entry, 1, &code), SN_EINVAL, "a node twice");
  said(c.engine, "entry 'merge' names node 'y' twice: one use says all that it does to it");
  uses[1].kind = SN_NODE_MERGE;
  entry.use_count = 2;
  is_int(sn_code_create(c.engine, &entry, 1, &code), SN_OK, "once, and once as merge");
  link.merge = c.t;
  is_int(sn_code_link(code, 0, c.base, &link, &routine), SN_EINVAL, "another will be sent");
  said(c.engine, "entry 'merge' expects node 'y' in the merge buffer, and will be sent 't'");
  is_int(sn_node_destroy(c.y), SN_ESTATE, "a node of code");
  said(c.engine, "node 'y' cannot be destroyed: code uses it");
  is_int(sn_code_destroy(code), SN_OK, "gone");
  is_int(end(&c), SN_OK, "ended");
}

/* ---- modes ---- */

static void test_modes(void)
{
  course c;
  sn_code *code = NULL;
  sn_routine *routine = NULL;

  is_int(begin(&c, 1), SN_OK, "begun");
  is_int(make_code(&c, &code), SN_OK, "code");
  is_int(sn_node_set_mode(c.t, SN_MODE_VIRTUAL, "line 1"), SN_OK, "virtual");
  is_int(sn_context_add(c.base, c.t), SN_ESTATE, "a virtual node has no array");
  said(c.engine, "node 't' is virtual by 'line 1', and 'base' has it materialized");
  is_int(sn_node_set_mode(c.y, SN_MODE_HOSTED_VOLATILE, "line 2"), SN_OK, "volatile");
  is_int(sn_code_link(code, 0, c.base, NULL, &routine), SN_ESTATE, "no device may write it");
  said(c.engine, "routine double writes node 'y', which is hosted, volatile by 'line 2'");
  is_int(sn_node_destroy(c.y), SN_ESTATE, "code uses it");
  sn_engine_clear(c.engine);
  is_int(sn_code_destroy(code), SN_OK, "gone");

  is_int(sn_node_destroy(c.y), SN_OK, "a new one");
  is_int(sn_node_create(c.engine, "y", SN_TYPE_I64, 3, NULL, &c.y), SN_OK, "y");
  is_int(sn_node_set_mode(c.y, SN_MODE_LOCAL, "line 3"), SN_OK, "local");
  is_int(make_code(&c, &code), SN_OK, "code");
  is_int(sn_code_link(code, 1, c.base, NULL, &routine), SN_ESTATE, "a local one read first");
  said(c.engine, "routine add reads node 'y' before it writes it, which is local by 'line 3': its "
                 "values do not outlive a run");
  is_int(sn_code_link(code, 0, c.base, NULL, &routine), SN_OK, "written, it is a routine's own");
  ok(!array_of(sn_routine_context(routine), c.y), "which no context sees");
  is_int(sn_routine_schedule(routine, c.queue, NULL), SN_OK, "it runs");
  is_int(sn_queue_await(c.queue), SN_OK, "well");
  is_int(forget(routine) | sn_code_destroy(code), SN_OK, "gone");
  is_int(end(&c), SN_OK, "ended");
}

/* ---- the wrong unit, other engines ---- */

static void test_misuse(void)
{
  course c, d;
  sn_code *code = NULL;
  sn_queue *there = NULL;
  sn_context *lone = NULL;
  sn_routine *routine = NULL;

  is_int(begin(&c, 0) | begin(&d, 0), SN_OK, "two engines");
  is_int(make_code(&c, &code), SN_OK, "code");
  is_int(sn_queue_create(sn_engine_unit(c.engine, 1), NULL, &there), SN_OK, "a queue elsewhere");
  is_int(sn_code_link(code, 0, d.base, NULL, &routine), SN_EINVAL, "the other's context");
  said(c.engine, "entry 'double': context 'base' is another engine's");
  is_int(sn_context_add(d.base, c.y), SN_EINVAL, "the other's node");
  said(d.engine, "node 'y' is another engine's");
  is_int(sn_context_create(NULL, &lone), SN_OK, "a context of no engine");
  is_int(sn_code_link(code, 0, lone, NULL, &routine), SN_EINVAL, "holds no arrays");
  is_int(sn_context_destroy(lone), SN_OK, "gone");
  is_int(sn_code_link(code, 0, c.base, NULL, &routine), SN_OK, "linked");
  is_int(sn_routine_schedule(routine, there, NULL), SN_EINVAL, "the wrong unit");
  said(c.engine, "double: context 'base.double' is on host, and queue 1 on memory 1: a queue of "
                 "its own unit is wanted");
  is_int(sn_routine_schedule(routine, d.queue, NULL), SN_EINVAL, "the wrong engine");
  said(c.engine, "double: the queue is another engine's");
  is_int(sn_routine_schedule(routine, c.queue, NULL), SN_OK, "all is well still");
  is_int(sn_queue_await(c.queue) | sn_queue_destroy(there), SN_OK, "done");
  is_int(forget(routine) | sn_code_destroy(code), SN_OK, "gone");
  is_int(sn_routine_destroy(NULL) | sn_code_destroy(NULL) | sn_node_destroy(NULL), SN_OK, "NULL");
  is_int(sn_routine_schedule(NULL, c.queue, NULL), SN_EINVAL, "nothing");
  is_int(end(&c) | end(&d), SN_OK, "ended");
}

/* ---- memory that runs out ---- */

static int work(course *c)
{
  sn_code *code = NULL;
  sn_routine *routine[3] = { NULL, NULL, NULL };
  int result = make_code(c, &code);

  if (result == SN_OK) result = sn_code_link_all(code, c->base, NULL, routine);
  if (result == SN_OK) result = sn_routine_schedule(routine[0], c->queue, NULL);
  if (result == SN_OK)
    result = sn_queue_merge(c->queue, sn_routine_context(routine[0]), c->y, NULL);
  if (sn_queue_await(c->queue) == SN_ENOMEM) result = SN_ENOMEM;
  for (int k = 2; k >= 0; k--)
    if (routine[k] && forget(routine[k]) != SN_OK) return SN_EBUG;
  return sn_code_destroy(code) == SN_OK ? result : SN_EBUG;
}

static void test_memory(void)
{
  int failed = 0, odd = 0, n = 1;

  for (; n < 200; n++) {
    char number[16];
    course c;
    int code;
    snprintf(number, sizeof number, "%d", n);
    setenv("SNODE_FAIL_ALLOCATION", number, 1);
    code = begin(&c, 1);
    if (code == SN_OK) code = work(&c);
    odd += code != SN_OK && code != SN_ENOMEM;
    odd += c.engine && end(&c) != SN_OK;
    if (code == SN_OK) break;
    failed++;
  }
  unsetenv("SNODE_FAIL_ALLOCATION");
  ok(failed > 20 && n < 200, "%d of %d allocations failed once", failed, n - 1);
  is_int(odd, 0, "and all was taken down");
}

int main(void)
{
  test_chain(0);
  test_chain(1);
  test_entries();
  test_modes();
  test_misuse();
  test_memory();
  return done_testing();
}
