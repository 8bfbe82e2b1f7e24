/* Kernels submitted to queues: random programs over trees on three units come to what plain calls
 * come to; errors surface at events; what cannot be is refused; memory that runs out loses nothing.
 */
#define _POSIX_C_SOURCE 200809L  /* setenv */

#include "run.h"

#include <snode/module.h>
#include <snode/node.h>
#include <snode/submit.h>

#include "submit.h"

enum { CONTEXTS = 3, TREES = 6, STEPS = 150, OPS = 15, CELLS = 256 };

typedef struct results {
  int64_t weight[STEPS];
  int32_t ends[STEPS][2];
  int64_t sums[STEPS][8];
  int parity[STEPS];
  int32_t a[TREES][CELLS], b[TREES][CELLS];
  int64_t length[TREES], seen[STEPS];
} results;

static uint32_t dice;

/* Where each allocation of this program fails in turn (t/58-run-memory.t), it does less of each. */
static int is_small(void)
{
  const char *small = getenv("SN_SMALL");

  return small && *small;
}

static int roll(int sides)
{
  dice = dice * 1664525u + 1013904223u;
  return (int)((dice >> 8) % (uint32_t)sides);
}

/* ---- a task written by hand that calls on trees: of two contexts, on whatever unit ---- */

typedef struct carry {
  submit_world *from, *to;
} carry;

static int carries(sn_run *run, void *user)
{
  const carry *c = user;
  int32_t cells[CELLS];

  (void)run;
  SN_TRY(submit_a_read(c->from, NULL, sn_span_host(cells, sizeof cells), NULL));
  return submit_b_write(c->to, NULL, sn_span_host(cells, sizeof cells), NULL);
}

static int submit_carry(sn_engine *engine, submit_world *from, submit_world *to)
{
  const carry c = { from, to };
  sn_task_spec spec = SN_TASK_SPEC_INIT;
  sn_use uses[2];

  if (!engine) return carries(NULL, (void *)(uintptr_t)&c);
  uses[0] = sn_tree_use(SN_PERMISSION_READ, (sn_tree *)from);
  uses[1] = sn_tree_use(SN_PERMISSION_WRITE, (sn_tree *)to);
  spec.name = "carry";
  spec.body[SN_UNIT_HOST] = spec.body[SN_UNIT_MEMORY] = carries;
  spec.user = (void *)(uintptr_t)&c;
  spec.user_bytes = sizeof c;
  spec.uses = uses;
  spec.use_count = 2;
  return sn_task_submit(engine, &spec, NULL);
}

/* ---- programs ---- */

/* A step of the program on tree `w`, its neighbour in the same context, and the context; queue
 * NULL: as a plain call. */
#define STEP(call, ...) \
  return queue ? submit_##call##_submit(queue, __VA_ARGS__, NULL) : submit_##call(__VA_ARGS__)

static int take_step(int op, int k, sn_queue *queue, sn_context *in, submit_world *w,
                     submit_world *beside, results *r)
{
  const int32_t at[2] = { k % CELLS, (k * 7) % CELLS };

  switch (op) {
  case 0: case 1: STEP(plant, w, k);
  case 2: STEP(grow, w, k);
  case 3: STEP(scatter, w);
  case 4: STEP(peak, w, k);
  case 5: STEP(thin, w, k);
  case 6: STEP(fell, w, k);
  case 7: STEP(push, w, k);
  case 8: STEP(count, w);
  case 9: STEP(dice, w);
  case 10: STEP(blend, w, beside);
  case 11: STEP(weigh, w, &r->weight[k]);
  case 12: STEP(ends, w, at, r->ends[k]);
  default:
    if (k % 3 == 0)
      STEP(odd, in, k, &r->parity[k]);
    STEP(copy_out, w, r->sums[k], 8);
  }
}

/* The whole program; now and then a plain call in between, which waits for what it must. */
static int run_program(uint32_t seed, sn_engine *engine, sn_context *const *context,
                       submit_world *const *tree, sn_queue *const *queue, results *r)
{
  dice = seed;
  for (int k = 0; k < STEPS; k++) {
    const int op = roll(OPS), t = roll(TREES), q = roll(2);
    if (op == OPS - 1)
      SN_TRY(submit_carry(engine, tree[t], tree[(t + 1) % TREES]));
    else
      SN_TRY(take_step(op, k, queue ? queue[t / 2 * 2 + q] : NULL, context[t / 2], tree[t],
                       tree[t ^ 1], r));
    if (roll(12) == 0)
      SN_TRY(submit_weigh(tree[t], &r->seen[k]));
  }
  for (int t = 0; t < TREES; t++) {
    SN_TRY(submit_a_read(tree[t], NULL, sn_span_host(r->a[t], sizeof r->a[t]), NULL));
    SN_TRY(submit_b_read(tree[t], NULL, sn_span_host(r->b[t], sizeof r->b[t]), NULL));
    SN_TRY(submit_list_length(tree[t], &r->length[t]));
  }
  return SN_OK;
}

/* ---- contexts on the units of an engine ---- */

typedef struct place {
  sn_engine *engine;
  sn_context *context[CONTEXTS];
  submit_world *tree[TREES];
  sn_queue *queue[2 * CONTEXTS];
} place;

/* The last one computes where the environment says. */
static int make_context(int k, int on_device, sn_unit *unit, sn_context **ctx)
{
  sn_config *config;
  int code;

  SN_TRY(sn_config_create(&config));
  SN_TRY(sn_config_set(config, "threads", "2"));
  if (k < CONTEXTS - 1 || !on_device)
    SN_TRY(sn_config_set(config, "device", "host"));
  code = sn_context_create(config, ctx);
  sn_config_destroy(config);
  return code == SN_OK ? sn_context_attach(*ctx, unit) : code;
}

static int make_place(place *p, int workers)
{
  const char *device = getenv("SNODE_DEVICE");
  const int on_device = device && strncmp(device, "gpu", 3) == 0;
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;

  options.workers = workers;
  options.memories = CONTEXTS - 1;
  options.backend = submit_module()->backend;
  options.devices = on_device;
  SN_TRY(sn_engine_create(&options, &p->engine));
  for (int k = 0; k < CONTEXTS; k++) {
    sn_unit *unit = sn_engine_unit(p->engine, k == CONTEXTS - 1 && on_device ? CONTEXTS : k);
    SN_TRY(make_context(k, on_device, unit, &p->context[k]));
    for (int q = 0; q < 2; q++) {
      sn_queue_options immediate = SN_QUEUE_OPTIONS_INIT;
      immediate.immediate = 1;
      SN_TRY(sn_queue_create(unit, k == 1 && q ? &immediate : NULL, &p->queue[2 * k + q]));
      SN_TRY(submit_world_create(p->context[k], NULL, &p->tree[2 * k + q]));
    }
  }
  return SN_OK;
}

static int destroy_place(place *p)
{
  for (int t = 0; t < TREES; t++) submit_world_destroy(p->tree[t]);
  for (int k = 0; k < CONTEXTS; k++) SN_TRY(sn_context_destroy(p->context[k]));
  for (int q = 0; q < 2 * CONTEXTS; q++) SN_TRY(sn_queue_destroy(p->queue[q]));
  return sn_engine_destroy(p->engine);
}

static int compare(sn_context *ctx)
{
  static const int workers[] = { 1, 2, 4, 16 };
  static results expected, got;

  for (int w = 0; w < 4; w += is_small() ? 2 : 1) {
    sn_context *plain[CONTEXTS] = { ctx, ctx, ctx };
    submit_world *tree[TREES];
    place p;
    memset(&expected, 0, sizeof expected);
    memset(&got, 0, sizeof got);
    for (int t = 0; t < TREES; t++) CHECK(submit_world_create(ctx, NULL, &tree[t]));
    CHECK(run_program((uint32_t)w, NULL, plain, tree, NULL, &expected));
    for (int t = 0; t < TREES; t++) submit_world_destroy(tree[t]);
    CHECK(make_place(&p, workers[w]));
    CHECK(run_program((uint32_t)w, p.engine, p.context, p.tree, p.queue, &got));
    CHECK(destroy_place(&p));
    printf("%d workers: %s\n", workers[w],
           memcmp(&got, &expected, sizeof got) == 0 ? "as plain calls" : "another outcome");
  }
  return 0;
}

/* ---- errors ---- */

static void tell(sn_engine *engine, const char *what, int code)
{
  printf("%s: %s\n", what, sn_strerror(code));
  if (*sn_engine_error(engine)) printf("  %s\n", sn_engine_error(engine));
  sn_engine_clear(engine);
}

static int holds(sn_run *run, void *user)
{
  (void)run;
  (void)user;
  return SN_OK;
}

/* Behind a task that holds the tree until all are submitted (without workers it runs when someone
 * waits): a kernel that fails, one behind it in
 * another queue, and one of another tree behind that. */
static int fail_at_event(sn_context *ctx, place *p)
{
  sn_event *failed, *behind, *beside;
  sn_use use = sn_tree_use(SN_PERMISSION_READ, (sn_tree *)p->tree[0]);
  sn_task_spec spec = SN_TASK_SPEC_INIT;

  spec.body[SN_UNIT_HOST] = holds;
  spec.uses = &use;
  spec.use_count = 1;
  CHECK(submit_plant(p->tree[0], 1));
  CHECK(sn_task_submit(p->engine, &spec, NULL));
  CHECK(submit_fails_submit(p->queue[0], p->tree[0], 7, &failed));
  CHECK(submit_plant_submit(p->queue[1], p->tree[0], 2, &behind));
  CHECK(submit_plant_submit(p->queue[1], p->tree[1], 3, &beside));
  printf("at the event: %s\n", sn_strerror(sn_event_await(failed)));
  printf("behind it: %s\n", sn_strerror(sn_event_await(behind)));
  printf("beside it: %s\n", sn_strerror(sn_event_await(beside)));
  printf("%s\n", strstr(sn_context_error(p->context[0]), "x is 7") ? "the context has its text"
                                                                   : "no text");
  sn_event_release(failed);
  sn_event_release(behind);
  sn_event_release(beside);
  sn_engine_clear(p->engine);
  printf("at the queues' next calls: %s, %s\n",
         sn_strerror(submit_plant_submit(p->queue[0], p->tree[0], 4, NULL)),
         sn_strerror(submit_plant_submit(p->queue[1], p->tree[0], 4, NULL)));
  CHECK(submit_plant_submit(p->queue[0], p->tree[0], 4, NULL));
  return 0;
}

/* A struct is kept until the call is made. */
static int take_struct(sn_context *ctx, place *p)
{
  submit_share given = { 1, 5, { 4, 9 } }, result = { 0 }, same;
  sn_event *done;

  CHECK(submit_shared(p->tree[0], &given, &same));
  CHECK(submit_shared_submit(p->queue[0], p->tree[0], &given, &result, &done));
  memset(&given, 0, sizeof given);
  CHECK(sn_event_await(done));
  sn_event_release(done);
  printf("a struct: %d %d, %s\n", result.twice, (int)result.at[1],
         result.of == same.of && result.of != 5 ? "the same" : "another");
  return 0;
}

static int refuse(sn_context *ctx, place *p)
{
  submit_world *gone, *elsewhere;
  sn_engine *other;
  sn_context *spare;
  sn_queue *queue;

  tell(p->engine, "another unit's queue", submit_grow_submit(p->queue[0], p->tree[2], 1, NULL));
  CHECK(submit_world_create(p->context[0], NULL, &gone));
  submit_world_destroy(gone);
  tell(p->engine, "a destroyed tree", submit_grow_submit(p->queue[0], gone, 1, NULL));
  CHECK(submit_world_create(ctx, NULL, &elsewhere));
  tell(p->engine, "a tree of no engine", submit_grow_submit(p->queue[0], elsewhere, 1, NULL));
  submit_world_destroy(elsewhere);
  tell(p->engine, "two contexts",
       submit_blend_submit(p->queue[0], p->tree[0], p->tree[2], NULL));
  tell(p->engine, "a context of no engine", submit_odd_submit(p->queue[0], ctx, 1, NULL, NULL));

  CHECK(sn_engine_create(NULL, &other));
  CHECK(sn_context_create_on(sn_engine_unit(other, 0), NULL, "spare", &spare));
  printf("another unit than it was made on: %s\n",
         sn_strerror(sn_context_attach(spare, sn_engine_unit(p->engine, 1))));
  CHECK(sn_context_attach(spare, NULL));
  CHECK(sn_queue_create(sn_engine_unit(other, 0), NULL, &queue));
  CHECK(submit_world_create(spare, NULL, &elsewhere));
  CHECK(submit_plant_submit(queue, elsewhere, 1, NULL));
  tell(p->engine, "a tree of another engine", submit_grow_submit(p->queue[0], elsewhere, 1, NULL));
  submit_world_destroy(elsewhere);
  CHECK(sn_context_destroy(spare));
  CHECK(sn_queue_destroy(queue));
  CHECK(sn_context_create(NULL, &spare));
  printf("a context that stands already: %s\n",
         sn_strerror(sn_context_attach(p->context[0], sn_engine_unit(other, 0))));
  CHECK(submit_world_create(spare, NULL, &elsewhere));
  printf("one that has trees: %s\n",
         sn_strerror(sn_context_attach(spare, sn_engine_unit(other, 0))));
  submit_world_destroy(elsewhere);
  CHECK(sn_context_destroy(spare));
  CHECK(sn_engine_destroy(other));
  tell(p->engine, "an engine with contexts", sn_engine_destroy(p->engine));
  return 0;
}

/* Two trees' contexts in one call, from outside and while kernels are under way. */
static int copy_between(sn_context *ctx, place *p)
{
  static int32_t from[CELLS], to[CELLS];

  for (int k = 0; k < 20; k++) {
    CHECK(submit_grow_submit(p->queue[0], p->tree[0], k, NULL));
    CHECK(submit_plant_submit(p->queue[2], p->tree[2], k, NULL));
    if (k % 5 == 4) CHECK(submit_world_copy(p->tree[2], p->tree[0]));
  }
  CHECK(submit_a_read(p->tree[0], NULL, sn_span_host(from, sizeof from), NULL));
  CHECK(submit_a_read(p->tree[2], NULL, sn_span_host(to, sizeof to), NULL));
  printf("copies: %s\n", memcmp(from, to, sizeof from) == 0 ? "equal" : "different");
  return 0;
}

/* ---- memory that runs out: each allocation of an engine fails once ---- */

typedef struct shortage {
  sn_engine *engine;
  sn_context *context;
  int failed, mute;              /* calls that said SN_ENOMEM; without a text */
} shortage;

/* Whether there was too little memory: said in words, and then forgotten. */
static int was_short(shortage *s, int code)
{
  if (code != SN_ENOMEM) return 0;
  s->failed++;
  s->mute += !strstr(sn_engine_error(s->engine), "memory") &&
             !strstr(sn_context_error(s->context), "memory");
  sn_engine_clear(s->engine);
  return 1;
}

/* A call that had too little memory has changed nothing: the second attempt succeeds. */
#define TRY_TWICE(s, call)                              \
  do {                                                  \
    int twice_code = (call);                            \
    if (was_short(s, twice_code)) twice_code = (call);  \
    SN_TRY(twice_code);                                 \
  } while (0)

#define TEN_TIMES(w, v) w, v, w, v, w, v, w, v, w, v

/* What the trees come to, by kernels submitted (or called, where there is no queue). */
static int plant_and_look(shortage *s, sn_queue *queue, submit_world *w, submit_world *v,
                          int64_t *sums)
{
  sn_event *done[2] = { NULL, NULL };

  if (!queue) {
    SN_TRY(submit_plant(w, 0));
    SN_TRY(submit_dice(w));
    SN_TRY(submit_blend(v, w));
    SN_TRY(submit_weigh(v, &sums[0]));
    return submit_survey(TEN_TIMES(w, v), &sums[1]);
  }
  TRY_TWICE(s, submit_plant_submit(queue, w, 0, NULL));
  TRY_TWICE(s, submit_dice_submit(queue, w, NULL));
  TRY_TWICE(s, submit_blend_submit(queue, v, w, NULL));
  TRY_TWICE(s, submit_weigh_submit(queue, v, &sums[0], &done[0]));
  TRY_TWICE(s, submit_survey_submit(queue, TEN_TIMES(w, v), &sums[1], &done[1]));
  for (int k = 0; k < 2; k++) {
    SN_TRY(sn_event_await(done[k]));
    sn_event_release(done[k]);
  }
  return SN_OK;
}

static int work_in_shortage(shortage *s, int64_t *sums)
{
  const char *device = getenv("SNODE_DEVICE");
  const int on_device = device && strncmp(device, "gpu", 3) == 0;
  sn_unit *unit = sn_engine_unit(s->engine, 1 + on_device);
  submit_world *w, *v;
  sn_queue *queue;

  TRY_TWICE(s, sn_context_attach(s->context, unit));
  TRY_TWICE(s, sn_queue_create(unit, NULL, &queue));
  TRY_TWICE(s, submit_world_create(s->context, NULL, &w));
  TRY_TWICE(s, submit_world_create(s->context, NULL, &v));
  SN_TRY(plant_and_look(s, queue, w, v, sums));
  submit_world_destroy(v);
  submit_world_destroy(w);
  SN_TRY(sn_context_destroy(s->context));
  return sn_queue_destroy(queue);
}

/* failed 0: no allocation of the engine was the n-th one. */
static int run_with_shortage(int n, shortage *s, int64_t *sums)
{
  const char *device = getenv("SNODE_DEVICE");
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  char number[16];
  int code;

  options.workers = 1;
  options.memories = 1;
  options.backend = submit_module()->backend;
  options.devices = device && strncmp(device, "gpu", 3) == 0;
  snprintf(number, sizeof number, "%d", n);
  setenv("SNODE_FAIL_ALLOCATION", number, 1);
  code = sn_engine_create(&options, &s->engine);
  unsetenv("SNODE_FAIL_ALLOCATION");
  if (code == SN_ENOMEM) {
    s->failed++;
    return sn_engine_create(&options, &s->engine) == SN_OK ? sn_engine_destroy(s->engine)
                                                           : SN_EBUG;
  }
  SN_TRY(code);
  SN_TRY(sn_context_create(NULL, &s->context));
  SN_TRY(work_in_shortage(s, sums));
  return sn_engine_destroy(s->engine);
}

static int run_each_shortage(sn_context *ctx)
{
  int64_t expected[2];
  submit_world *w, *v;
  int n = 1, wrong = 0, mute = 0;

  CHECK(submit_world_create(ctx, NULL, &w));
  CHECK(submit_world_create(ctx, NULL, &v));
  CHECK(plant_and_look(NULL, NULL, w, v, expected));
  submit_world_destroy(v);
  submit_world_destroy(w);
  for (int failed = 1; failed && n < 1000; n += is_small() ? 20 : 1) {
    shortage s = { NULL, NULL, 0, 0 };
    int64_t sums[2] = { -1, -1 };
    const int code = run_with_shortage(n, &s, sums);
    if (code != SN_OK) {
      printf("allocation %d: %s: %s\n", n, sn_strerror(code), sn_engine_error(s.engine));
      return 1;
    }
    failed = s.failed;
    mute += s.mute;
    wrong += s.context && (sums[0] != expected[0] || sums[1] != expected[1]);
  }
  printf("short of memory, once: %s; %d without a text, %d another outcome\n",
         n > 20 && n < 1000 ? "at each allocation" : "at few", mute, wrong);
  return 0;
}

int run_submit(sn_context *ctx)
{
  place p;

  if (compare(ctx)) return 1;
  CHECK(make_place(&p, 0));
  if (fail_at_event(ctx, &p) || take_struct(ctx, &p) || refuse(ctx, &p) || copy_between(ctx, &p))
    return 1;
  CHECK(destroy_place(&p));
  return run_each_shortage(ctx);
}
