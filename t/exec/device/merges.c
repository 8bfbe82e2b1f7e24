/* Merge buffers: copied and streamed, between queues of one unit and of two, and what is refused.
 *
 * Run on memories and, where the device image is there, on devices, whose memory routines reach by
 * copies.
 */
#include <time.h>

#include <snode/routine.h>
#include <snode/version.h>
#include <snode/device/runtime.h>

#include "t/exec/course.h"

enum { LENGTH = 5, RUNS = 100 };

typedef struct side {            /* a queue with a context of its own family */
  sn_queue *queue;
  sn_context *context;
  sn_routine *set, *add;
} side;

typedef struct course {
  sn_engine *engine;
  sn_node *p, *q;                /* of 3 and of 5 elements */
  sn_code *code;
  side side[2];
  float value;                   /* what set writes */
} course;

static int fetch(int device, float *to, const void *from, size_t count)
{
  if (device) return snd_backend.copy(-1, to, device - 1, from, count * sizeof(float));
  memcpy(to, from, count * sizeof(float));
  return SN_OK;
}

static int put(int device, void *to, const float *from, size_t count)
{
  if (device) return snd_backend.copy(device - 1, to, -1, from, count * sizeof(float));
  memcpy(to, from, count * sizeof(float));
  return SN_OK;
}

/* p = value */
static int sets(const sn_arguments *a)
{
  const float value = (float)a->indices[0];
  const float values[3] = { value, value, value };

  return put(a->device, a->arrays[0], values, 3);
}

/* p += p.merge, after a while */
static int adds(const sn_arguments *a)
{
  struct timespec t = { 0, *(const long *)a->user };
  float values[3], more[3];

  nanosleep(&t, NULL);
  SN_TRY(fetch(a->device, values, a->arrays[0], 3));
  SN_TRY(fetch(a->device, more, a->arrays[1], 3));
  for (int k = 0; k < 3; k++) values[k] += more[k];
  return put(a->device, a->arrays[0], values, 3);
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
  int code = sn_queue_create(unit, NULL, &s->queue);

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

static float element(course *c, side *s, int k)
{
  void *data = NULL;
  float value = -1;

  if (sn_context_to_host(s->context, c->p, s->queue, NULL, NULL) != SN_OK ||
      sn_node_acquire(c->p, 0, &data) != SN_OK)
    bail("p could not be read");
  value = ((float *)data)[k];
  if (sn_node_release(c->p) != SN_OK) bail("not released");
  return value;
}

static void test_copy(course *c)
{
  side *s = &c->side[0], *t = &c->side[1];
  sn_merge_info info;

  give(c, s, 1, 2, 3);
  give(c, t, 10, 20, 30);
  is_int(sn_routine_schedule(s->add, s->queue, NULL), SN_ESTATE, "nothing was sent");
  ok(strstr(sn_engine_error(c->engine), "routine 'add' expects node 'p' in the merge buffer of ")
     && strstr(sn_engine_error(c->engine), ", which holds none"), "the text");
  sn_engine_clear(c->engine);
  is_int(sn_queue_merge(s->queue, t->context, c->q, NULL), SN_OK, "another was sent");
  is_int(sn_routine_schedule(s->add, s->queue, NULL), SN_ESTATE, "it does not match");
  ok(strstr(sn_engine_error(c->engine), ", which holds 'q'"), "the text");
  sn_engine_clear(c->engine);
  is_int(sn_queue_merge(s->queue, t->context, c->p, NULL), SN_OK, "sent");
  is_int(sn_routine_schedule(s->add, s->queue, NULL), SN_OK, "added");
  is_int(sn_routine_set_index(t->set, "value", 100), SN_OK, "and then");
  is_int(sn_routine_schedule(t->set, t->queue, NULL), SN_OK, "overwritten at its source");
  is_double(element(c, s, 0), 11, "1 + 10");
  is_double(element(c, s, 2), 33, "3 + 30");
  is_int(sn_queue_merge_info(s->queue, &info), SN_OK, "the buffer");
  is_int(info.allocations, 1, "grew once, for the longer one");
  is_int(info.copied, 32, "bytes were copied");
  is_int(info.bytes, 20, "bytes long");
  ok(info.node == c->p, "p is there");
}

/* It grows when it must, and does not shrink. */
static void test_growth(course *c)
{
  side *s = &c->side[1];
  sn_merge_info info;
  static const uint64_t allocations[] = { 1, 2, 2 };

  for (int k = 0; k < 3; k++) {
    is_int(sn_queue_merge(s->queue, c->side[0].context, k == 1 ? c->q : c->p, NULL), SN_OK, "sent");
    is_int(sn_queue_await(s->queue), SN_OK, "there");
    is_int(sn_queue_merge_info(s->queue, &info), SN_OK, "the buffer");
    is_int(info.allocations, allocations[k], "allocations");
  }
}

/* What overwrites the source right after the call does not reach the consumer. */
static void test_streaming(course *c, int is_one_unit)
{
  side *s = &c->side[0], *t = &c->side[1];
  sn_merge_info before, after;
  int copied = -1, code = SN_OK, wrong = 0;

  delay = 200000;
  is_int(sn_queue_merge_info(s->queue, &before), SN_OK, "the buffer");
  code |= sn_routine_set_index(t->set, "value", 100);
  for (int k = 0; k < RUNS; k++) {
    give(c, s, 1, 2, 3);
    give(c, t, 10, 20, 30);
    code |= sn_queue_merge_streaming(s->queue, t->context, c->p, s->add, &copied, NULL);
    code |= sn_routine_schedule(t->set, t->queue, NULL);
    wrong += element(c, s, 1) < 22 || element(c, s, 1) > 22;
  }
  delay = 0;
  is_int(code, SN_OK, "%d times streamed", RUNS);
  is_int(wrong, 0, "always what the source was");
  is_int(copied, !is_one_unit, "copied where it is another unit");
  is_int(sn_queue_merge_info(s->queue, &after), SN_OK, "the buffer");
  is_int(after.copied - before.copied, is_one_unit ? 0 : RUNS * 12, "bytes were copied");
  ok(after.node == NULL, "it holds nothing afterwards");
  is_int(sn_queue_merge_streaming(s->queue, t->context, c->q, s->add, &copied, NULL), SN_ESTATE,
         "another node than expected");
  said(c->engine, "routine 'add' expects node 'p' in the merge buffer, and 'q' is streamed to it");
}

static void test_between(sn_engine *engine, int first, int second)
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
  test_growth(&c);
  test_streaming(&c, first == second);
  forget_side(&c.side[0]);
  forget_side(&c.side[1]);
  is_int(sn_code_destroy(c.code) | sn_node_destroy(c.p) | sn_node_destroy(c.q), SN_OK, "gone");
}

int main(void)
{
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  sn_engine *engine;
  int devices = snd_backend.devices();

  if (devices > 2) devices = 2;
  options.workers = 0;
  options.memories = 1;
  options.backend = &snd_backend;
  options.devices = devices;
  engine = engine_by(&options);
  test_between(engine, 0, 0);
  test_between(engine, 0, 1);
  if (devices == 2) {
    test_between(engine, 2, 2);
    test_between(engine, 2, 3);
    test_between(engine, 1, 2);
  }
  is_int(sn_engine_destroy(engine), SN_OK, "the engine is gone");
  return done_testing();
}
