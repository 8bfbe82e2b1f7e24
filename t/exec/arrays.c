/* Contexts with their arrays, transfers, host arrays that are acquired; and the order that all
 * of it keeps: random courses on several queues against the same course, one after the other.
 */
#include <snode/routine.h>

#include "t/exec/course.h"

typedef struct place {
  sn_engine *engine;
  sn_unit *unit;
  sn_queue *queue;
} place;

static place place_on(int unit, int immediate)
{
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  sn_queue_options queues = SN_QUEUE_OPTIONS_INIT;
  place p = { NULL, NULL, NULL };

  options.workers = 0;
  options.memories = 2;
  p.engine = engine_by(&options);
  p.unit = sn_engine_unit(p.engine, unit);
  queues.immediate = immediate;
  if (sn_queue_create(p.unit, &queues, &p.queue) != SN_OK) bail("no queue");
  return p;
}

static void leave(place *p)
{
  is_int(sn_queue_destroy(p->queue), SN_OK, "the queue is gone");
  is_int(sn_engine_destroy(p->engine), SN_OK, "the engine is gone");
}

static sn_node *node_named(sn_engine *engine, const char *name, sn_mode mode, void *host)
{
  sn_node_options options = SN_NODE_OPTIONS_INIT;
  sn_node *node = NULL;

  options.mode = mode;
  options.host = host;
  is_int(sn_node_create(engine, name, SN_TYPE_I64, 3, &options, &node), SN_OK, "node %s", name);
  return node;
}

static sn_context *context_named(sn_unit *unit, const char *name)
{
  sn_context *context = NULL;

  is_int(sn_context_create_on(unit, NULL, name, &context), SN_OK, "context %s", name);
  return context;
}

static int64_t *array_of(sn_context *context, sn_node *node)
{
  sn_span span = sn_span_host(NULL, 0);

  if (sn_context_array(context, node, &span) != SN_OK) bail("no array");
  return span.data;
}

/* ---- families ---- */

static void test_families(void)
{
  place p = place_on(1, 0);
  sn_unit_memory memory = SN_UNIT_MEMORY_INIT;
  sn_node *x = node_named(p.engine, "x", SN_MODE_UNSET, NULL);
  sn_context *main_one = context_named(p.unit, "main"), *left = NULL, *right = NULL, *other;

  is_int(sn_context_create_child(main_one, "left", &left), SN_OK, "a child");
  is_int(sn_context_create_child(main_one, "right", &right), SN_OK, "another");
  ok(sn_context_parent(left) == main_one && sn_context_unit(left) == p.unit, "they know where");
  is_int(sn_context_add(left, x), SN_OK, "left has x");
  ok(array_of(left, x) && !array_of(main_one, x) && !array_of(right, x), "and nobody else");
  is_int(sn_context_add(right, x), SN_ESTATE, "right may not have another");
  said(p.engine, "context 'right' would get an array of node 'x' of its own, and 'left' of the "
                 "same family has one, which is not above it: link below 'left', or add the node "
                 "to a context above both");
  is_int(sn_context_add(main_one, x), SN_ESTATE, "nor may the one above");
  sn_engine_clear(p.engine);
  other = context_named(p.unit, "other");
  is_int(sn_context_add(other, x), SN_OK, "another family has its own");
  ok(array_of(other, x) != array_of(left, x), "which is another array");
  is_int(sn_context_destroy(main_one), SN_ESTATE, "above children");
  said(p.engine, "context 'main' still has 2 contexts below it");
  is_int(sn_context_destroy(left), SN_OK, "left goes, and its array");
  is_int(sn_context_add(main_one, x), SN_OK, "now the one above may have it");
  ok(array_of(right, x) == array_of(main_one, x), "and its children share it");
  is_int(sn_unit_memory_of(p.unit, &memory), SN_OK, "memory");
  is_int(memory.used, 48, "of two arrays");
  is_int(sn_node_destroy(x), SN_ESTATE, "a node in use");
  said(p.engine, "node 'x' cannot be destroyed: a context holds it");
  is_int(sn_context_destroy(right), SN_OK, "destroying a child");
  ok(array_of(main_one, x) != NULL, "frees nothing of its parent's");
  is_int(sn_engine_destroy(p.engine), SN_ESTATE, "the engine is in use");
  said(p.engine, "the engine still has 1 queues, 0 events, 0 tensors and 0 unfinished tasks");
  is_int(sn_context_destroy(main_one), SN_OK, "gone");
  is_int(sn_context_destroy(other), SN_OK, "gone");
  is_int(sn_unit_memory_of(p.unit, &memory), SN_OK, "memory");
  is_int(memory.used, 0, "all given back");
  is_int(sn_node_destroy(x), SN_OK, "gone");
  leave(&p);
}

static void test_engine_is_left(void)
{
  place p = place_on(0, 0);
  sn_node *x = node_named(p.engine, NULL, SN_MODE_UNSET, NULL);

  is_str(sn_node_name(x), "node 0", "a node without a name has a number");
  is_int(sn_queue_destroy(p.queue), SN_OK, "no queue");
  is_int(sn_engine_destroy(p.engine), SN_ESTATE, "a node is left");
  said(p.engine, "the engine still has 0 contexts, 1 nodes and 0 codes");
  is_int(sn_node_destroy(x), SN_OK, "gone");
  is_int(sn_engine_destroy(p.engine), SN_OK, "gone");
}

/* ---- transfers ---- */

static void test_transfers(int immediate)
{
  place p = place_on(1, immediate), q = { p.engine, sn_engine_unit(p.engine, 2), NULL };
  int64_t values[3] = { 1, 2, 3 };
  sn_node *x = node_named(p.engine, "x", SN_MODE_HOSTED_NONCONSTANT, values);
  sn_node *d = node_named(p.engine, "d", SN_MODE_ON_DEVICE, NULL);
  sn_context *a = context_named(p.unit, "a"), *b = context_named(q.unit, "b");
  sn_event *done = NULL;
  int moved = -1;

  if (sn_queue_create(q.unit, NULL, &q.queue) != SN_OK) bail("no queue");
  is_int(sn_context_from_host(a, x, p.queue, &moved, NULL), SN_EINVAL, "not there yet");
  said(p.engine, "from_host: context 'a' lacks node 'x': add it, or link what writes it");
  is_int(sn_context_add(a, x) | sn_context_add(b, x) | sn_context_add(a, d), SN_OK, "now");
  is_int(array_of(a, x)[2], 0, "it begins with zeros");
  is_int(sn_context_from_host(a, x, p.queue, &moved, &done), SN_OK, "from the host");
  is_int(sn_event_await(done) | !moved, 0, "it moved");
  sn_event_release(done);
  is_int(array_of(a, x)[2], 3, "and is there");
  is_int(sn_context_copy(b, a, x, q.queue, &moved, &done), SN_OK, "to another unit");
  is_int(sn_event_await(done) | !moved, 0, "it moved");
  sn_event_release(done);
  is_int(array_of(b, x)[1], 2, "and is there");
  array_of(b, x)[1] = 20;
  is_int(sn_context_to_host(b, x, q.queue, &moved, NULL), SN_OK, "to the host");
  is_int(sn_queue_await(q.queue) | !moved, 0, "it moved");
  is_int(values[1], 20, "and is there");
  is_int(sn_context_copy(a, a, x, p.queue, &moved, &done), SN_OK, "onto itself");
  is_int(sn_event_await(done) | moved, 0, "nothing moved");
  sn_event_release(done);
  is_int(sn_context_copy(b, a, x, p.queue, &moved, NULL), SN_EINVAL, "on the other's queue");
  said(p.engine, "copy: context 'b' is on memory 2, and queue 0 on memory 1: a queue of its own "
                 "unit is wanted");
  is_int(sn_context_to_host(a, d, p.queue, &moved, NULL), SN_ESTATE, "not hosted");
  said(p.engine, "to_host: node 'd' has no array on the host: it is on device by 'its making', not "
                 "hosted");
  is_int(sn_context_copy(b, a, d, q.queue, &moved, NULL), SN_EINVAL, "there it is not");
  said(p.engine, "copy: context 'b' lacks node 'd': add it, or link what writes it");
  is_int(sn_queue_await(p.queue) | sn_queue_await(q.queue), SN_OK, "all is done");
  is_int(sn_context_destroy(a) | sn_context_destroy(b), SN_OK, "contexts gone");
  is_int(sn_node_destroy(x) | sn_node_destroy(d), SN_OK, "nodes gone");
  is_int(sn_queue_destroy(q.queue), SN_OK, "queue gone");
  leave(&p);
}

/* ---- the host's own hands ---- */

static void test_acquire(void)
{
  place p = place_on(1, 0);
  sn_queue_options options = SN_QUEUE_OPTIONS_INIT;
  sn_queue *at_once;
  sn_node *x = node_named(p.engine, "x", SN_MODE_HOSTED_CHANGED, NULL);
  sn_node *d = node_named(p.engine, "d", SN_MODE_ON_DEVICE, NULL);
  sn_context *a = context_named(p.unit, "a");
  sn_event *done = NULL;
  void *data = NULL;
  int is_done = -1;

  options.immediate = 1;
  if (sn_queue_create(p.unit, &options, &at_once) != SN_OK) bail("no queue");
  is_int(sn_context_add(a, x), SN_OK, "an array");
  is_int(sn_node_acquire(d, 0, &data), SN_ESTATE, "not hosted");
  said(p.engine, "acquire: node 'd' has no array on the host: it is on device by 'its making', not "
                 "hosted");
  is_int(sn_node_release(x), SN_ESTATE, "not acquired");
  said(p.engine, "node 'x' was not acquired");
  is_int(sn_node_acquire(x, 1, &data), SN_OK, "acquired");
  is_int(sn_node_acquire(x, 0, &data), SN_ESTATE, "twice");
  said(p.engine, "node 'x' is acquired already: release it first");
  is_int(sn_context_from_host(a, x, p.queue, NULL, &done), SN_OK, "a transfer is enqueued");
  is_int(sn_context_from_host(a, x, at_once, NULL, NULL), SN_ESTATE, "at once it cannot be");
  said(p.engine, "queue 1 would wait for the array of node 'x' on the host, which is acquired: "
                 "release it first");
  is_int(sn_event_is_done(done, &is_done) | is_done, 0, "it waits");
  is_int(sn_node_destroy(x) == SN_OK, 0, "a node in use stays");
  is_int(sn_context_destroy(a), SN_ESTATE, "a context in use stays");
  sn_engine_clear(p.engine);
  ((int64_t *)data)[0] = 8;
  is_int(sn_node_release(x), SN_OK, "released");
  is_int(sn_event_await(done), SN_OK, "now it ran");
  sn_event_release(done);
  is_int(array_of(a, x)[0], 8, "and saw what was written");
  is_int(sn_queue_destroy(at_once), SN_OK, "queue gone");
  is_int(sn_context_destroy(a), SN_OK, "context gone");
  is_int(sn_node_destroy(x) | sn_node_destroy(d), SN_OK, "nodes gone");
  leave(&p);
}

/* ---- the order: two contexts, three queues, four nodes, whatever comes ---- */

enum { NODES = 4, QUEUES = 3, STEPS = 400 };

/* to = 31 * to + from + number, in a routine that sometimes takes its time */
static int mixes(const sn_arguments *a)
{
  const int64_t *from = a->arrays[1];
  int64_t *to = a->arrays[0];

  if (a->indices[0] % 7 == 0) {
    struct timespec t = { 0, 100000 };
    nanosleep(&t, NULL);
  }
  for (int k = 0; k < 3; k++)
    to[k] = (int64_t)(31 * (uint64_t)to[k] + (uint64_t)from[k] + (uint64_t)a->indices[0]);
  return SN_OK;
}

typedef struct world {
  place at[QUEUES];              /* 0 and 1: one unit; 2: another one */
  sn_context *context[2];
  sn_node *node[NODES];
  sn_code *code;
  sn_routine *mix[2][NODES][NODES];
  int64_t value[2][NODES], host[NODES];          /* as they should be, by contexts */
} world;

static uint32_t draw(uint32_t *state, uint32_t n)
{
  *state = *state * 1664525u + 1013904223u;
  return (*state >> 8) % n;
}

/* One step on the engine and on what should be. */
static int step(world *w, uint32_t *state, int number)
{
  const int q = (int)draw(state, QUEUES), c = q == 2;
  const int to = (int)draw(state, NODES), from = (to + 1 + (int)draw(state, NODES - 1)) % NODES;
  sn_queue *queue = w->at[q].queue;

  switch (draw(state, 6)) {
  case 0:
    w->value[c][to] = w->host[to];
    return sn_context_from_host(w->context[c], w->node[to], queue, NULL, NULL);
  case 1:
    w->host[to] = w->value[c][to];
    return sn_context_to_host(w->context[c], w->node[to], queue, NULL, NULL);
  case 2:
    w->value[c][to] = w->value[!c][to];
    return sn_context_copy(w->context[c], w->context[!c], w->node[to], queue, NULL, NULL);
  default:
    w->value[c][to] = (int64_t)(31 * (uint64_t)w->value[c][to] + (uint64_t)w->value[c][from] +
                                (uint64_t)number);
    SN_TRY(sn_routine_set_index(w->mix[c][to][from], "number", number));
    return sn_routine_schedule(w->mix[c][to][from], queue, NULL);
  }
}

static void link_all(world *w, int c)
{
  int code = SN_OK, n = 0;

  for (int to = 0; to < NODES; to++)
    for (int from = 0; from < NODES; from++, n++)
      if (to != from)
        code |= sn_code_link(w->code, n, w->context[c], NULL, &w->mix[c][to][from]);
  is_int(code, SN_OK, "linked");
}

static void make_code(world *w)
{
  static const sn_static_index number = { "number", 0 };
  sn_entry entry[NODES * NODES];
  sn_node_use use[NODES * NODES][2];
  int n = 0;

  for (int to = 0; to < NODES; to++)
    for (int from = 0; from < NODES; from++, n++) {
      const sn_entry standard = SN_ENTRY_INIT;
      const sn_node_use change = { SN_NODE_READ_WRITE, w->node[to] };
      const sn_node_use look = { SN_NODE_READ, w->node[from] };
      entry[n] = standard;
      entry[n].name = "mix";
      entry[n].run = mixes;
      entry[n].uses = use[n];
      entry[n].use_count = to == from ? 1 : 2;   /* the former are never linked */
      entry[n].indices = &number;
      entry[n].index_count = 1;
      use[n][0] = change;
      use[n][1] = look;
    }
  is_int(sn_code_create(w->at[0].engine, entry, n, &w->code), SN_OK, "code");
}

static void unlink_all(world *w, int c)
{
  int code = SN_OK;

  for (int to = 0; to < NODES; to++)
    for (int from = 0; from < NODES; from++)
      if (to != from) {
        code |= sn_context_destroy(sn_routine_context(w->mix[c][to][from]));
        code |= sn_routine_destroy(w->mix[c][to][from]);
      }
  code |= sn_context_destroy(w->context[c]);
  is_int(code, SN_OK, "unlinked");
}

static void test_order(int immediate)
{
  static world w;
  uint32_t state = 7;
  int code = SN_OK, wrong = 0;
  sn_queue_options options = SN_QUEUE_OPTIONS_INIT;

  memset(&w, 0, sizeof w);
  w.at[0] = place_on(0, 0);
  for (int q = 1; q < QUEUES; q++) {
    w.at[q].unit = sn_engine_unit(w.at[0].engine, q == 2);
    options.immediate = immediate && q == 1;
    if (sn_queue_create(w.at[q].unit, &options, &w.at[q].queue) != SN_OK) bail("no queue");
  }
  for (int k = 0; k < NODES; k++)
    w.node[k] = node_named(w.at[0].engine, NULL, SN_MODE_HOSTED_NONCONSTANT, NULL);
  for (int c = 0; c < 2; c++) {
    w.context[c] = context_named(w.at[2 * c].unit, c ? "second" : "first");
    for (int k = 0; k < NODES; k++) code |= sn_context_add(w.context[c], w.node[k]);
  }
  make_code(&w);
  link_all(&w, 0);
  link_all(&w, 1);
  for (int n = 0; n < STEPS; n++) code |= step(&w, &state, n);
  for (int q = 0; q < QUEUES; q++) code |= sn_queue_await(w.at[q].queue);
  is_int(code, SN_OK, "%d steps", STEPS);
  for (int c = 0; c < 2; c++)
    for (int k = 0; k < NODES; k++) wrong += array_of(w.context[c], w.node[k])[1] != w.value[c][k];
  for (int k = 0; k < NODES; k++) {
    void *data = NULL;
    if (sn_node_acquire(w.node[k], 0, &data) != SN_OK) bail("no host array");
    wrong += ((int64_t *)data)[1] != w.host[k];
    code |= sn_node_release(w.node[k]);
  }
  is_int(wrong, 0, "every array is what it is one after the other%s",
         immediate ? ", an immediate queue among them" : "");
  unlink_all(&w, 0);
  unlink_all(&w, 1);
  code |= sn_code_destroy(w.code);
  for (int k = 0; k < NODES; k++) code |= sn_node_destroy(w.node[k]);
  for (int q = 1; q < QUEUES; q++) code |= sn_queue_destroy(w.at[q].queue);
  is_int(code, SN_OK, "all gone");
  leave(&w.at[0]);
}

int main(void)
{
  test_families();
  test_engine_is_left();
  test_transfers(0);
  test_transfers(1);
  test_acquire();
  test_order(0);
  test_order(1);
  return done_testing();
}
