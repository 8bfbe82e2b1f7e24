/* Scenario 11: merge buffers, copied and streamed, between queues of one unit and of two, and what
 * is refused; on home and on four more units.
 */
#include <time.h>

#include <snode/routine.h>

#include "t/exec/course.h"
#include "t/exec/units/units.h"

enum { LENGTH = 5 };

typedef struct side {            /* a queue with a context of its own family */
  const char *name;              /* the queue's */
  sn_queue *queue;
  sn_context *context;
  sn_routine *set, *add;
} side;

typedef struct course {
  sn_engine *engine;
  sn_node *p, *q;                /* of 3 and of 5 elements */
  sn_code *code;
  side side[2];
} course;

/* p = value */
static int sets(const sn_arguments *a)
{
  const float value = (float)a->indices[0];
  const float values[3] = { value, value, value };

  return units_put(a->device, a->arrays[0], values, sizeof values);
}

/* p += p.merge, after a while */
static int adds(const sn_arguments *a)
{
  struct timespec t = { 0, *(const long *)a->user };
  float values[3], more[3];

  nanosleep(&t, NULL);
  SN_TRY(units_get(a->device, values, a->arrays[0], sizeof values));
  SN_TRY(units_get(a->device, more, a->arrays[1], sizeof more));
  for (int k = 0; k < 3; k++) values[k] += more[k];
  return units_put(a->device, a->arrays[0], values, sizeof values);
}

static long delay;

static void make_code(course *c)
{
  static const sn_static_index value = { "value", 0 };
  sn_entry entries[2] = { SN_ENTRY_INIT, SN_ENTRY_INIT };
  sn_node_use uses[3] = { { SN_NODE_READ_WRITE, NULL }, { SN_NODE_MERGE, NULL },
                          { SN_NODE_WRITE, NULL } };

  uses[0].node = uses[1].node = uses[2].node = c->p;
  entries[0].name = "add";
  entries[0].run = adds;
  entries[0].user = &delay;
  entries[0].uses = uses;
  entries[0].use_count = 2;
  entries[1].name = "set";
  entries[1].run = sets;
  entries[1].uses = uses + 2;
  entries[1].use_count = 1;
  entries[1].indices = &value;
  entries[1].index_count = 1;
  is_int(sn_code_create(c->engine, entries, 2, &c->code), SN_OK, "code");
}

static void make_side(course *c, side *s, sn_unit *unit, const char *name)
{
  sn_queue_options options = SN_QUEUE_OPTIONS_INIT;
  int code;

  options.name = s->name = name;
  code = sn_queue_create(unit, &options, &s->queue);
  code |= sn_context_create_on(unit, NULL, name, &s->context);
  code |= sn_context_add(s->context, c->p);
  code |= sn_context_add(s->context, c->q);
  code |= sn_code_link(c->code, 0, s->context, NULL, &s->add);
  code |= sn_code_link(c->code, 1, s->context, NULL, &s->set);
  is_int(code, SN_OK, "a side on %s", sn_unit_name(unit));
}

static void forget_side(side *s)
{
  int code = sn_queue_await(s->queue);

  code |= sn_context_destroy(sn_routine_context(s->add)) | sn_routine_destroy(s->add);
  code |= sn_context_destroy(sn_routine_context(s->set)) | sn_routine_destroy(s->set);
  code |= sn_context_destroy(s->context) | sn_queue_destroy(s->queue);
  is_int(code, SN_OK, "a side is gone");
}

/* p of the side, by way of the host. */
static void give(course *c, side *s, float first, float second, float third)
{
  void *data = NULL;
  int code = sn_node_acquire(c->p, 1, &data);

  if (code == SN_OK) {
    ((float *)data)[0] = first;
    ((float *)data)[1] = second;
    ((float *)data)[2] = third;
  }
  code |= sn_node_release(c->p);
  code |= sn_context_from_host(s->context, c->p, s->queue, NULL, NULL);
  if (code != SN_OK) bail("p could not be given");
}

/* p of the side, as it comes home. */
static void fetch(course *c, side *s, float *values)
{
  void *data = NULL;

  if (sn_context_to_host(s->context, c->p, s->queue, NULL, NULL) != SN_OK ||
      sn_node_acquire(c->p, 0, &data) != SN_OK)
    bail("p could not be read");
  memcpy(values, data, 3 * sizeof *values);
  if (sn_node_release(c->p) != SN_OK) bail("not released");
}

/* How many of p's elements are not what is expected. */
static int differ(course *c, side *s, float first, float second, float third)
{
  const float expected[3] = { first, second, third };
  float values[3];
  int wrong = 0;

  fetch(c, s, values);
  for (int k = 0; k < 3; k++) wrong += values[k] < expected[k] || values[k] > expected[k];
  return wrong;
}

/* What the buffer has come to. */
static void holds(side *s, const sn_node *node, int copied, int allocations)
{
  sn_merge_info info = SN_MERGE_INFO_INIT;

  is_int(sn_queue_await(s->queue) | sn_queue_merge_info(s->queue, &info), SN_OK, "the buffer");
  is_int(info.copied, copied, "bytes copied");
  is_int(info.allocations, allocations, "allocations");
  ok(info.node == node, "what it holds");
}

static void test_copy(course *c)
{
  side *s = &c->side[0], *t = &c->side[1];

  give(c, s, 1, 2, 3);
  give(c, t, 10, 20, 30);
  is_int(sn_queue_merge(s->queue, t->context, c->p, NULL), SN_OK, "sent");
  is_int(sn_routine_schedule(s->add, s->queue, NULL), SN_OK, "p += p.merge");
  is_int(sn_routine_set_index(t->set, "value", 100), SN_OK, "and then");
  is_int(sn_routine_schedule(t->set, t->queue, NULL), SN_OK, "overwritten at its source");
  is_int(differ(c, s, 11, 22, 33), 0, "p");
  is_int(differ(c, t, 100, 100, 100), 0, "the source");
  holds(s, c->p, 12, 1);
  is_int(sn_queue_merge(s->queue, t->context, c->q, NULL), SN_OK, "five elements");
  holds(s, c->q, 12 + 20, 2);
  is_int(sn_queue_merge(s->queue, t->context, c->p, NULL), SN_OK, "three again");
  holds(s, c->p, 12 + 20 + 12, 2);
}

/* It is refused when it is scheduled, and changes nothing. */
static void test_mismatch(course *c)
{
  side *s = &c->side[1], *t = &c->side[0];
  char text[200];

  give(c, s, 1, 2, 3);
  is_int(sn_routine_schedule(s->add, s->queue, NULL), SN_ESTATE, "nothing was sent");
  snprintf(text, sizeof text, "routine 'add' expects node 'p' in the merge buffer of %s, which "
           "holds none", s->name);
  said(c->engine, text);
  is_int(sn_queue_merge(s->queue, t->context, c->q, NULL), SN_OK, "another was sent");
  is_int(sn_routine_schedule(s->add, s->queue, NULL), SN_ESTATE, "it does not match");
  snprintf(text, sizeof text, "routine 'add' expects node 'p' in the merge buffer of %s, which "
           "holds 'q'", s->name);
  said(c->engine, text);
  is_int(differ(c, s, 1, 2, 3), 0, "p is as it was");
}

static int fails(void *user, int device)
{
  (void)user;
  (void)device;
  return SN_EIO;
}

static void test_refused(course *c)
{
  side *s = &c->side[0], *t = &c->side[1];
  sn_event *failed = NULL;
  int copied = 42;

  is_int(sn_queue_merge_streaming(s->queue, t->context, c->q, s->add, &copied, NULL), SN_ESTATE,
         "another node than expected");
  said(c->engine, "routine 'add' expects node 'p' in the merge buffer, and 'q' is streamed to it");
  is_int(sn_queue_merge_streaming(s->queue, t->context, c->p, s->set, &copied, NULL), SN_ESTATE,
         "to a routine without a merge buffer");
  said(c->engine, "routine 'set' reads no merge buffer, and node 'p' is streamed to it");
  is_int(sn_queue_submit(s->queue, fails, NULL, &failed), SN_OK, "work that fails");
  is_int(sn_event_await(failed), SN_EIO, "at its event");
  sn_engine_clear(c->engine);
  is_int(sn_queue_merge_streaming(s->queue, t->context, c->p, s->add, &copied, NULL), SN_EIO,
         "and at the queue's next call");
  is_int(copied, 42, "what is refused says nothing of a copy");
  sn_event_release(failed);
}

/* What overwrites the source right after the call does not reach the consumer, which takes its
 * time. */
static void test_streaming(course *c, int is_one_unit, int runs)
{
  side *s = &c->side[0], *t = &c->side[1];
  sn_merge_info before = SN_MERGE_INFO_INIT, after = SN_MERGE_INFO_INIT;
  int copied = -1, code = SN_OK, wrong = 0;

  delay = 1000000;
  is_int(sn_queue_merge_info(s->queue, &before), SN_OK, "the buffer");
  code |= sn_routine_set_index(t->set, "value", 100);
  for (int k = 0; k < runs; k++) {
    give(c, s, 1, 2, 3);
    give(c, t, 10, 20, 30);
    code |= sn_queue_merge_streaming(s->queue, t->context, c->p, s->add, &copied, NULL);
    code |= sn_routine_schedule(t->set, t->queue, NULL);
    wrong += differ(c, s, 11, 22, 33) + differ(c, t, 100, 100, 100);
  }
  delay = 0;
  is_int(code, SN_OK, "%d times streamed", runs);
  is_int(wrong, 0, "always what the source was");
  is_int(copied, !is_one_unit, "copied where it is another unit");
  is_int(sn_queue_merge_info(s->queue, &after), SN_OK, "the buffer");
  is_int(after.copied - before.copied, is_one_unit ? 0 : runs * 12, "bytes were copied");
  ok(after.node == NULL, "it holds nothing afterwards");
}

static void test_between(sn_engine *engine, int first, int second, int runs)
{
  course c;
  sn_node_options options = SN_NODE_OPTIONS_INIT;

  memset(&c, 0, sizeof c);
  c.engine = engine;
  options.mode = SN_MODE_HOSTED_NONCONSTANT;
  is_int(sn_node_create(engine, "p", SN_TYPE_F32, 3, &options, &c.p), SN_OK, "p");
  is_int(sn_node_create(engine, "q", SN_TYPE_F32, LENGTH, NULL, &c.q), SN_OK, "q");
  make_code(&c);
  make_side(&c, &c.side[0], sn_engine_unit(engine, first), "left");
  make_side(&c, &c.side[1], sn_engine_unit(engine, second), "right");
  test_copy(&c);
  test_mismatch(&c);
  test_streaming(&c, first == second, runs);
  test_refused(&c);
  forget_side(&c.side[0]);
  forget_side(&c.side[1]);
  is_int(sn_code_destroy(c.code) | sn_node_destroy(c.p) | sn_node_destroy(c.q), SN_OK, "gone");
}

int main(void)
{
  const int some = tap_size(2, 20, 20), many = tap_size(2, units_devices() ? 1000 : 20, 1000);
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  sn_engine *engine;

  options.workers = 0;
  if (units_engine(options, &engine) != SN_OK) bail("no engine");
  for (int u = 0; u < UNITS; u++) {
    test_between(engine, u, u, u == 1 ? many : some);
    test_between(engine, u, (u + 1) % UNITS, some);
    test_between(engine, u, (u + 2) % UNITS, 1);
  }
  is_int(sn_engine_destroy(engine), SN_OK, "the engine is gone");
  return done_testing();
}
