/* The replica machine: random courses of it whose transfers really overlap, against a model that
 * knows nothing but the value that each block must have.  (A known course: device/replica.c.)
 */
#include "t/exec/holder.h"

enum { LENGTH = 8 };             /* elements of a block */

static sn_engine *engine_with(int memories, uint64_t capacity)
{
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  sn_engine *engine = NULL;

  options.memories = memories;
  options.capacity = capacity;
  if (sn_engine_create(&options, &engine) != SN_OK) bail("no engine");
  return engine;
}

static sn_tensor *tensor_of(sn_engine *engine, int64_t blocks)
{
  sn_space *space;
  sn_tensor *tensor;

  if (sn_space_create(engine, blocks * LENGTH, LENGTH, &space) != SN_OK) bail("no space");
  if (sn_tensor_create(engine, SN_TYPE_I32, 1, &space, NULL, &tensor) != SN_OK) bail("no tensor");
  sn_space_release(space);
  return tensor;
}

/* ---- random courses ---- */

enum { BLOCKS = 3, HELD = 4, MOST_UNITS = 4 };

typedef struct held {
  sni_request request;
  int is_out;
  int has_begun;
  int32_t value;                 /* read: what it must be; written, added: what it brings */
} held;

typedef struct course {
  sn_engine *engine;
  sn_tensor *tensor;
  int32_t value[BLOCKS];         /* as if all had happened in order */
  held held[HELD];
  uint64_t random;
  int wrong;
  int64_t steps;
} course;

static uint32_t draw(course *c, uint32_t below)
{
  c->random = c->random * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(c->random >> 33) % below;
}

static int all_are(const int32_t *values, int32_t value)
{
  for (int k = 0; k < LENGTH; k++)
    if (values[k] != value) return 0;
  return 1;
}

/* What is out is of the kind that may be out together with this mode: as tasks are ordered. */
static int may_come(const course *c, const sni_tensor_block *block, sni_operation mode)
{
  for (int k = 0; k < HELD; k++)
    if (c->held[k].is_out && c->held[k].request.block == block &&
        (c->held[k].request.mode != mode || (mode != SNI_OP_READ && mode != SNI_OP_ACC)))
      return 0;
  return 1;
}

/* Asks, and waits for transfers; what others of this course hold is not waited for. */
static void ask(course *c, held *h)
{
  static const sni_operation modes[] = { SNI_OP_READ, SNI_OP_WRITE, SNI_OP_RW, SNI_OP_ACC };
  const int number = (int)draw(c, BLOCKS);
  sni_outcome outcome;

  memset(h, 0, sizeof *h);
  h->request.block = &c->tensor->blocks[number];
  h->request.unit = sn_engine_unit(c->engine, (int)draw(c, (uint32_t)c->engine->unit_count));
  h->request.mode = modes[draw(c, 4)];
  h->request.is_cancellable = h->request.mode != SNI_OP_READ && draw(c, 4) == 0;
  if (!may_come(c, h->request.block, h->request.mode)) return;
  while ((outcome = sni_requests_reserve(&h->request)) == SNI_WAITS ||
         outcome == SNI_ROOM_COMES) {
    if (outcome == SNI_WAITS && sni_request_obstacle(&h->request) == SNI_A_HOLDER) return;
    sni_engine_wait(c->engine);
  }
  if (outcome != SNI_GRANTED) return;
  h->is_out = 1;
  h->value = h->request.mode == SNI_OP_READ || h->request.mode == SNI_OP_RW ? c->value[number]
                                                                           : 0;
}

/* The holder works: reads are compared, writes are whole, sums are added. */
static void begin(course *c, held *h)
{
  const int32_t change = (int32_t)draw(c, 1000) + 1;
  int32_t *values;
  int code;

  while (!sni_request_is_there(&h->request)) sni_engine_wait(c->engine);
  sni_mutex_unlock(&c->engine->lock);
  code = sni_request_begin(&h->request);
  values = sni_request_memory(&h->request);
  if (h->request.mode == SNI_OP_READ || h->request.mode == SNI_OP_RW)
    c->wrong += code != SN_OK || !all_are(values, h->value);
  if (h->request.mode == SNI_OP_ACC && h->request.unit->index == 0)
    c->wrong += !all_are(values, 0);             /* a task's own zeros */
  for (int k = 0; k < LENGTH && h->request.mode != SNI_OP_READ; k++)
    values[k] = h->request.mode == SNI_OP_ACC ? values[k] + change : change;
  sni_mutex_lock(&c->engine->lock);
  h->value = change;
  h->has_begun = 1;
}

/* Committed; or given up, if nobody has seen it or it may be. */
static void end(course *c, held *h)
{
  sni_request *request = &h->request;
  const int number = (int)request->block->number;
  const int may_cancel = !h->has_begun || request->is_cancellable;
  int commits = !may_cancel || draw(c, 2);

  if (commits && !h->has_begun) begin(c, h);
  sni_mutex_unlock(&c->engine->lock);
  if (commits) c->wrong += sni_request_commit(request) != SN_OK;
  sni_mutex_lock(&c->engine->lock);
  if (request->mode == SNI_OP_READ) commits = 1;
  c->wrong += sni_request_release(request, commits) != SN_OK;
  h->is_out = 0;
  if (commits && request->mode == SNI_OP_ACC) c->value[number] += h->value;
  if (commits && (request->mode == SNI_OP_WRITE || request->mode == SNI_OP_RW))
    c->value[number] = h->value;
}

static void step(course *c)
{
  held *h = &c->held[draw(c, HELD)];
  sni_tensor_block *block = &c->tensor->blocks[draw(c, BLOCKS)];
  sn_unit *unit = sn_engine_unit(c->engine, 1 + (int)draw(c, (uint32_t)c->engine->unit_count - 1));
  sni_replica *replica = sni_replica_of(block, unit);

  c->steps++;
  switch (draw(c, 8)) {
  case 0:
    if (replica) (void)sni_replica_take(replica, SNI_OP_EVICT);
    break;
  case 1:
    if (replica && !replica->count) (void)sni_replica_take(replica, SNI_OP_FLUSH);
    break;
  case 2:
    sni_block_prefetch(block, unit);
    break;
  default:
    if (!h->is_out) ask(c, h);
    else if (!h->has_begun && draw(c, 3)) begin(c, h);
    else end(c, h);
  }
}

/* At most one DIRTY, and then no READY or DIRTYACC elsewhere. */
static int is_sound(const course *c)
{
  for (int b = 0; b < BLOCKS; b++) {
    int of[SNI_STATES] = { 0 };
    for (int u = 1; u < c->engine->unit_count; u++) {
      const sni_replica *replica = sni_replica_of(&c->tensor->blocks[b], &c->engine->units[u]);
      if (replica) of[replica->state]++;
    }
    if (of[SNI_DIRTY] > 1 || (of[SNI_DIRTY] && (of[SNI_READY] || of[SNI_DIRTYACC]))) return 0;
  }
  return 1;
}

static void run(course *c, int steps)
{
  sni_mutex_lock(&c->engine->lock);
  for (int k = 0; k < steps; k++) {
    step(c);
    c->wrong += !is_sound(c);
  }
  for (int k = 0; k < HELD; k++)
    if (c->held[k].is_out) end(c, &c->held[k]);
  for (int b = 0; b < BLOCKS; b++) {
    sni_tensor_block *block = &c->tensor->blocks[b];
    while (!sni_block_flush(block)) sni_engine_wait(c->engine);
    c->wrong += block->is_lost || !all_are(block->home, c->value[b]);
    sni_replicas_settle(block);
    memcpy(&c->value[b], block->home, sizeof c->value[b]);       /* one error is one */
    for (int i = 0; i < LENGTH; i++) ((int32_t *)block->home)[i] = c->value[b];
    block->is_lost = 0;
  }
  sni_mutex_unlock(&c->engine->lock);
}

static void test_random(int memories, uint64_t blocks_that_fit, int runs)
{
  static course c;
  int wrong_runs = 0;
  sn_unit_memory memory = SN_UNIT_MEMORY_INIT;
  uint64_t transfers = 0, evictions = 0;

  memset(&c, 0, sizeof c);
  c.engine = engine_with(memories, blocks_that_fit * LENGTH * sizeof(int32_t));
  c.tensor = tensor_of(c.engine, BLOCKS);
  for (int k = 0; k < runs; k++) {
    c.random = (uint64_t)k * 1000003u + (uint64_t)memories;
    c.wrong = 0;
    run(&c, 24);
    if (c.wrong && !wrong_runs++) diag("run %d is the first that is wrong", k);
  }
  for (int u = 1; u <= memories; u++)
    if (sn_unit_memory_of(sn_engine_unit(c.engine, u), &memory) == SN_OK) {
      transfers += memory.gets + memory.puts + memory.adds;
      evictions += memory.evictions;
    }
  is_int(wrong_runs, 0, "%d runs on %d units, %d blocks each: wrong ones", runs, memories,
         (int)blocks_that_fit);
  ok(transfers > (uint64_t)runs, "%d transfers", (int)transfers);
  ok(!blocks_that_fit || evictions > (uint64_t)runs / 20, "%d evictions for room",
     (int)evictions);
  is_int(sn_tensor_destroy(c.tensor), SN_OK, "the tensor is gone");
  for (int u = 1; u <= memories; u++)
    is_int(c.engine->units[u].memory.used, 0, "unit %d is empty", u);
  is_int(sn_engine_destroy(c.engine), SN_OK, "the engine too");
}

/* ---- sums that meet at home ---- */

static void test_sums(void)
{
  enum { UNITS = 3, MANY = 1 << 12, ROUNDS = 10 };
  sn_engine *engine = engine_with(UNITS, 0);
  sn_space *space;
  sn_tensor *tensor;
  sni_tensor_block *block;
  sni_request request[UNITS];
  int wrong = 0;

  if (sn_space_create(engine, MANY, MANY, &space) != SN_OK) bail("no space");
  if (sn_tensor_create(engine, SN_TYPE_I32, 1, &space, NULL, &tensor) != SN_OK) bail("no tensor");
  sn_space_release(space);
  block = &tensor->blocks[0];
  sni_mutex_lock(&engine->lock);
  for (int r = 0; r < ROUNDS; r++) {
    for (int u = 0; u < UNITS; u++) {
      int32_t *values;
      memset(&request[u], 0, sizeof request[u]);
      request[u].block = block;
      request[u].unit = sn_engine_unit(engine, u + 1);
      request[u].mode = SNI_OP_ACC;
      values = have(&request[u]);
      for (int k = 0; k < MANY; k++) values[k]++;
    }
    for (int u = 0; u < UNITS; u++) wrong += give(&request[u], 1) != SN_OK;
    while (!sni_block_flush(block)) sni_engine_wait(engine);
    for (int k = 0; k < MANY; k++) wrong += ((int32_t *)block->home)[k] != UNITS * (r + 1);
  }
  sni_mutex_unlock(&engine->lock);
  is_int(wrong, 0, "three units add at once, %d times", ROUNDS);
  is_int(sn_tensor_destroy(tensor) | sn_engine_destroy(engine), SN_OK, "gone");
}

int main(void)
{
  const int runs = tap_size(10, 400, 20000);

  test_sums();
  for (int memories = 1; memories <= 3; memories++) {
    test_random(memories, 0, runs);
    test_random(memories, 2, runs);
  }
  return done_testing();
}
