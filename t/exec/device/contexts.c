/* Scenario 13, on home and on four more units: what contexts share, and what is freed with them.
 * (Each cell of the table of modes: modes.c; batches that are compiled: t/54-compile.t.)
 */
#include <string.h>

#include <snode/routine.h>

#include "t/exec/course.h"
#include "t/exec/units/units.h"

enum { LENGTH = 3, BYTES = LENGTH * sizeof(int64_t) };

typedef struct place {
  sn_engine *engine;
  sn_unit *unit;
  sn_queue *queue;
} place;

static sn_node *node_named(sn_engine *engine, const char *name, sn_mode mode, void *host)
{
  sn_node_options options = SN_NODE_OPTIONS_INIT;
  sn_node *node = NULL;

  options.mode = mode;
  options.host = host;
  if (sn_node_create(engine, name, SN_TYPE_I64, LENGTH, &options, &node) != SN_OK) bail("no node");
  return node;
}

static sn_context *context_named(sn_unit *unit, const char *name)
{
  sn_context *context = NULL;

  if (sn_context_create_on(unit, NULL, name, &context) != SN_OK) bail("no context");
  return context;
}

static void *array_of(sn_context *context, sn_node *node)
{
  sn_span span = sn_span_host(NULL, 0);

  if (sn_context_array(context, node, &span) != SN_OK) bail("no array");
  return span.data;
}

static uint64_t used(sn_unit *unit)
{
  sn_unit_memory memory = SN_UNIT_MEMORY_INIT;

  if (sn_unit_memory_of(unit, &memory) != SN_OK) bail("no counters");
  return memory.used;
}

/* The routine and its context. */
static int forget(sn_routine *routine)
{
  SN_TRY(sn_context_destroy(sn_routine_context(routine)));
  return sn_routine_destroy(routine);
}

/* ---- code: y = 2 a; y += 1 ---- */

static int doubles(const sn_arguments *r)
{
  int64_t values[LENGTH];

  SN_TRY(units_get(r->device, values, r->arrays[0], sizeof values));
  SN_TRY(units_put(r->device, r->arrays[1], values, sizeof values));
  return units_change(r->device, r->arrays[1], LENGTH, 2, 0);
}

static int increments(const sn_arguments *r)
{
  return units_change(r->device, r->arrays[0], LENGTH, 1, 1);
}

static sn_code *code_of(sn_engine *engine, sn_node *a, sn_node *y)
{
  sn_node_use uses[3] = { { SN_NODE_READ, NULL }, { SN_NODE_WRITE, NULL },
                          { SN_NODE_READ_WRITE, NULL } };
  sn_entry entries[2] = { SN_ENTRY_INIT, SN_ENTRY_INIT };
  sn_code *code = NULL;

  uses[0].node = a;
  uses[1].node = uses[2].node = y;
  entries[0].name = "double";
  entries[0].run = doubles;
  entries[0].uses = uses;
  entries[0].use_count = 2;
  entries[1].name = "increment";
  entries[1].run = increments;
  entries[1].uses = uses + 2;
  entries[1].use_count = 1;
  if (sn_code_create(engine, entries, 2, &code) != SN_OK) bail("no code");
  return code;
}

/* ---- what is shared ---- */

/* Two streams that read a constant read one array, which is freed with the last of them. */
static void test_constant(const place *p)
{
  static int64_t values[LENGTH] = { 4, 5, 6 };
  const uint64_t before = used(p->unit);
  sn_node *c = node_named(p->engine, "c", SN_MODE_HOSTED_CONSTANT, values);
  sn_context *first = context_named(p->unit, "first"), *second = context_named(p->unit, "second");
  int64_t seen[LENGTH] = { 0 };
  int moved = -1;

  is_int(sn_context_add(first, c) | sn_context_add(second, c), SN_OK, "a constant on %s, twice",
         sn_unit_name(p->unit));
  ok(array_of(first, c) && array_of(first, c) == array_of(second, c), "is one array");
  is_int(array_of(first, c) == (void *)values, sn_unit_index(p->unit) == 0,
         "on home it is the host's own");
  is_int(units_get(sn_unit_device(p->unit), seen, array_of(first, c), BYTES), SN_OK, "read");
  is_int(seen[0] * 100 + seen[1] * 10 + seen[2], 456, "with its values");
  is_int(sn_context_copy(second, first, c, p->queue, &moved, NULL), SN_OK, "a copy between them");
  is_int(moved, 0, "moves nothing");
  is_int(sn_queue_await(p->queue) | sn_context_destroy(first), SN_OK, "one goes");
  is_int(units_get(sn_unit_device(p->unit), seen, array_of(second, c), BYTES), SN_OK, "read");
  is_int(seen[2], 6, "the other has it still");
  is_int(sn_context_destroy(second) | sn_node_destroy(c), SN_OK, "gone");
  is_int(used(p->unit), before, "with all its bytes");
}

/* ---- what is found in another family ---- */

typedef struct told { char text[1024]; } told;

static void collect(void *user, const char *text)
{
  told *to = user;

  strncat(to->text, text, sizeof to->text - 1 - strlen(to->text));
}

/* The last line that is told of the node. */
static void explained(sn_node *node, const char *expected, const char *what)
{
  told to = { "" };
  const char *last = to.text;

  is_int(sn_node_explain(node, collect, &to), SN_OK, "%s", what);
  for (const char *at = to.text; *at; at++)
    if (*at == '\n' && at[1]) last = at + 1;
  is_str(last, expected, "told");
}

/* Whoever only reads finds what another family has, where nothing writes it and it is the one. */
static void test_candidate(const place *p)
{
  sn_node *a = node_named(p->engine, "a", SN_MODE_UNSET, NULL);
  sn_node *y = node_named(p->engine, "y", SN_MODE_UNSET, NULL);
  sn_context *first = context_named(p->unit, "first"), *second = context_named(p->unit, "second");
  sn_context *third = context_named(p->unit, "third"), *below = NULL;
  sn_code *code = code_of(p->engine, a, y);
  sn_routine *one = NULL, *two = NULL, *more = NULL;
  const char *on = sn_unit_name(p->unit);
  const uint64_t before = used(p->unit);
  char text[256];

  is_int(sn_code_link(code, 0, second, NULL, &two), SN_EINVAL, "nobody has a, on %s", on);
  said(p->engine, "routine double reads node 'a', which context 'second' lacks: add it, or link "
                  "what writes it first");
  is_int(sn_context_add(first, a), SN_OK, "the first has it");
  snprintf(text, sizeof text, "a: an array on %s of first: a candidate for sharing: nothing that "
           "is linked writes it\n", on);
  explained(a, text, "a candidate");
  is_int(sn_code_link(code, 0, second, NULL, &two), SN_OK, "a second family reads it");
  ok(array_of(sn_routine_context(two), a) == array_of(first, a), "the same array");
  is_int(sn_node_sharing(a), SN_SHARING_ACROSS_QUEUES, "shared");
  snprintf(text, sizeof text, "a: an array on %s of second.double, first: shared across queues\n",
           on);
  explained(a, text, "and told");
  is_int(sn_code_link(code, 0, third, NULL, &one), SN_OK, "a third finds it");
  is_int(used(p->unit) - before, 3 * BYTES, "a once, y twice");

  /* what a routine writes is no candidate, nor what changes would be seen of */
  snprintf(text, sizeof text, "y: an array on %s of third.double: no candidate for sharing: "
           "routine double writes it\n", on);
  explained(y, text, "what is written");
  is_int(sn_code_link(code, 1, first, NULL, &more), SN_EINVAL, "is not found");
  said(p->engine, "routine increment changes node 'y', which context 'first' lacks: add it, or "
                  "link what writes it first");
  is_int(forget(one) | forget(two) | sn_context_destroy(third) | sn_context_destroy(second), SN_OK,
         "they go");
  is_int(used(p->unit), before + BYTES, "and a stays with the first");

  /* an own array is asked for, not found */
  is_int(sn_context_create_child(first, "below", &below), SN_OK, "a context below");
  is_int(sn_context_add(below, y), SN_OK, "has y");
  second = context_named(p->unit, "second");
  is_int(sn_context_add(second, y), SN_OK, "another family its own");
  snprintf(text, sizeof text, "y: an array on %s of second: no candidate for sharing: %s has "
           "another one\n", on, on);
  explained(y, text, "two of them");
  is_int(sn_context_destroy(below) | sn_context_destroy(first) | sn_context_destroy(second), SN_OK,
         "gone");
  is_int(sn_code_destroy(code) | sn_node_destroy(a) | sn_node_destroy(y), SN_OK, "gone");
}

/* Two families write what is shared, on a queue each: in the order in which they were enqueued. */
static void test_writers(const place *p)
{
  static int64_t values[LENGTH] = { 1, 2, 3 };
  sn_node *a = node_named(p->engine, "a", SN_MODE_HOSTED_CONSTANT, values);
  sn_node *y = node_named(p->engine, "y", SN_MODE_UNSET, NULL);
  sn_context *base = context_named(p->unit, "base"), *other = context_named(p->unit, "other");
  sn_routine *doubling = NULL, *again = NULL, *counting = NULL;
  int64_t seen[LENGTH] = { 0 };
  sn_queue *second = NULL;
  sn_code *code;
  int failed = 0;

  is_int(sn_node_set_sharing(y, SN_SHARING_ACROSS_QUEUES, "line 4"), SN_OK, "shared");
  is_int(sn_queue_create(p->unit, NULL, &second), SN_OK, "a second queue");
  code = code_of(p->engine, a, y);
  is_int(sn_context_add(other, y), SN_OK, "another family has y");
  is_int(sn_code_link(code, 0, base, NULL, &doubling), SN_OK, "the first writer");
  is_int(sn_code_link(code, 0, other, NULL, &again) | sn_code_link(code, 1, other, NULL, &counting),
         SN_OK, "those of a second family");
  ok(array_of(other, y) == array_of(sn_routine_context(doubling), y), "one array");
  failed = sn_routine_schedule(again, second, NULL);
  for (int k = 0; k < 20; k++) {
    failed |= sn_routine_schedule(counting, second, NULL);
    failed |= sn_routine_schedule(k % 4 ? counting : doubling, k % 4 ? second : p->queue, NULL);
  }
  is_int(failed | sn_queue_await(p->queue) | sn_queue_await(second), SN_OK, "run in turn");
  is_int(units_get(sn_unit_device(p->unit), seen, array_of(other, y), BYTES), SN_OK, "read");
  is_int(seen[0] * 10000 + seen[1] * 100 + seen[2], 81012, "each saw what was written before");
  is_int(forget(doubling) | forget(again) | forget(counting), SN_OK, "they go");
  is_int(sn_context_destroy(other) | sn_context_destroy(base), SN_OK, "gone");
  is_int(sn_queue_destroy(second) | sn_code_destroy(code), SN_OK, "gone");
  is_int(sn_node_destroy(a) | sn_node_destroy(y), SN_OK, "gone");
}

/* ---- beginning anew ---- */

static int waits(void *user, int device)
{
  const struct timespec nap = { 0, 1000000 };

  (void)device;
  while (!atomic_load((atomic_int *)user)) nanosleep(&nap, NULL);
  return SN_OK;
}

/* What it and those below it held is given back; it is linked to again. */
static void test_anew(const place *p)
{
  sn_node *a = node_named(p->engine, "a", SN_MODE_UNSET, NULL);
  sn_node *y = node_named(p->engine, "y", SN_MODE_UNSET, NULL);
  sn_context *parent = context_named(p->unit, "parent"), *top = NULL, *low = NULL, *old = NULL;
  sn_code *code = code_of(p->engine, a, y);
  sn_routine *routine = NULL, *again = NULL;
  const uint64_t before = used(p->unit);
  sn_queue *held = NULL;
  atomic_int opened = 0;

  is_int(sn_context_add(parent, a) | sn_context_create_child(parent, "top", &top), SN_OK,
         "a family on %s", sn_unit_name(p->unit));
  is_int(sn_code_link(code, 0, top, NULL, &routine), SN_OK, "with a routine");
  low = sn_routine_context(routine);
  is_int(used(p->unit) - before, 2 * BYTES, "and two arrays");

  /* not while something uses them */
  is_int(sn_queue_create(p->unit, NULL, &held), SN_OK, "a queue");
  is_int(sn_queue_submit(held, waits, &opened, NULL), SN_OK, "that is held");
  is_int(sn_routine_schedule(routine, held, NULL), SN_OK, "a run behind it");
  is_int(sn_context_reinitialize(top), SN_ESTATE, "is in the way");
  said(p->engine, "context 'top.double': something that is enqueued uses its array of node 'y': "
                  "await the queue first");
  ok(array_of(low, y) != NULL, "nothing has changed");
  atomic_store(&opened, 1);
  is_int(sn_queue_await(held), SN_OK, "it is over");

  is_int(sn_context_reinitialize(top), SN_OK, "anew");
  ok(array_of(low, y) == NULL, "the context below holds nothing");
  ok(array_of(low, a) != NULL, "but what is above is above");
  is_int(used(p->unit) - before, BYTES, "which is all");
  is_int(sn_routine_schedule(routine, p->queue, NULL), SN_ESTATE, "its routine");
  said(p->engine, "routine 'double': its context was destroyed, or began anew");
  old = sn_routine_context(routine);
  ok(old == NULL, "has none");
  is_int(sn_code_link(code, 0, top, NULL, &again), SN_OK, "linked again");
  is_int(sn_routine_schedule(again, p->queue, NULL) | sn_queue_await(p->queue), SN_OK, "and run");
  is_int(forget(again) | sn_routine_destroy(routine), SN_OK, "gone");
  is_int(sn_context_destroy(low) | sn_context_destroy(top), SN_OK, "gone");
  is_int(sn_context_destroy(parent), SN_OK, "gone");
  is_int(sn_context_reinitialize(NULL), SN_EINVAL, "no context");
  is_int(used(p->unit), before, "with all bytes");
  is_int(sn_queue_destroy(held), SN_OK, "gone");
  is_int(sn_code_destroy(code) | sn_node_destroy(a) | sn_node_destroy(y), SN_OK, "gone");
}

/* ---- parents and children ---- */

/* A child has its parent's arrays and frees its own alone. */
static void test_child(const place *p)
{
  sn_node *x = node_named(p->engine, "x", SN_MODE_UNSET, NULL);
  sn_node *t = node_named(p->engine, "t", SN_MODE_UNSET, NULL);
  sn_context *parent = context_named(p->unit, "parent"), *child = NULL;
  uint64_t before;

  is_int(sn_context_add(parent, x) | sn_context_create_child(parent, "child", &child), SN_OK,
         "a child on %s", sn_unit_name(p->unit));
  before = used(p->unit);
  is_int(sn_context_add(child, x) | sn_context_add(child, t), SN_OK, "with x and t");
  ok(array_of(child, x) == array_of(parent, x), "x is its parent's");
  ok(array_of(child, t) && !array_of(parent, t), "t its own");
  is_int(used(p->unit) - before, BYTES, "which are the only bytes");
  is_int(sn_context_destroy(child), SN_OK, "the child goes");
  child = NULL;
  is_int(used(p->unit), before, "and its bytes");
  is_int(sn_context_destroy(child), SN_OK, "nothing is left to destroy");
  is_int(used(p->unit), before, "the parent's bytes are there");
  ok(array_of(parent, x) != NULL, "with its array");
  is_int(sn_context_destroy(parent) | sn_node_destroy(x) | sn_node_destroy(t), SN_OK, "gone");
}

/* Siblings have one array of what all of a unit share, and not each one of their own. */
static void test_siblings(const place *p)
{
  static int64_t values[LENGTH] = { 7, 8, 9 };
  sn_node *c = node_named(p->engine, "c", SN_MODE_HOSTED_CONSTANT, values);
  sn_node *x = node_named(p->engine, "x", SN_MODE_UNSET, NULL);
  sn_context *parent = context_named(p->unit, "parent"), *left = NULL, *right = NULL;

  is_int(sn_context_create_child(parent, "left", &left) |
           sn_context_create_child(parent, "right", &right), SN_OK, "siblings");
  is_int(sn_context_add(left, c) | sn_context_add(right, c), SN_OK, "both have a constant");
  ok(array_of(left, c) == array_of(right, c), "which is one array");
  is_int(sn_context_add(left, x), SN_OK, "one has x");
  is_int(sn_context_add(right, x), SN_ESTATE, "the other may not");
  said(p->engine, "context 'right' would get an array of node 'x' of its own, and 'left' of the "
                  "same family has one, which is not above it: link below 'left', or add the node "
                  "to a context above both");
  is_int(sn_context_destroy(left) | sn_context_destroy(right), SN_OK, "gone");
  is_int(sn_context_destroy(parent) | sn_node_destroy(c) | sn_node_destroy(x), SN_OK, "gone");
}

/* An entry that reads what no context above has is refused, and leaves nothing. */
static void test_lacking(const place *p)
{
  static int64_t values[LENGTH] = { 1, 2, 3 };
  sn_node *a = node_named(p->engine, "a", SN_MODE_HOSTED_CONSTANT, values);
  sn_node *y = node_named(p->engine, "y", SN_MODE_UNSET, NULL);
  sn_code *code = code_of(p->engine, a, y);
  sn_context *base = context_named(p->unit, "base");
  const uint64_t before = used(p->unit);
  sn_routine *routine = NULL;

  is_int(sn_code_link(code, 1, base, NULL, &routine), SN_EINVAL, "increment alone");
  said(p->engine, "routine increment changes node 'y', which context 'base' lacks: add it, or link "
                  "what writes it first");
  ok(routine == NULL, "no routine");
  is_int(used(p->unit), before, "no array");
  is_int(sn_context_destroy(base) | sn_code_destroy(code), SN_OK, "gone");
  is_int(sn_node_destroy(a) | sn_node_destroy(y), SN_OK, "gone");
}

int main(void)
{
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  place p;

  options.workers = 0;
  if (units_engine(options, &p.engine) != SN_OK) bail("no engine");
  for (int u = 0; u < UNITS; u++) {
    p.unit = sn_engine_unit(p.engine, u);
    if (sn_queue_create(p.unit, NULL, &p.queue) != SN_OK) bail("no queue");
    test_constant(&p);
    test_candidate(&p);
    test_anew(&p);
    test_writers(&p);
    test_child(&p);
    test_siblings(&p);
    test_lacking(&p);
    is_int(sn_queue_destroy(p.queue), SN_OK, "the queue is gone");
    is_int(used(p.unit), 0, "no bytes are left");
  }
  is_int(sn_engine_destroy(p.engine), SN_OK, "the engine is gone");
  return done_testing();
}
