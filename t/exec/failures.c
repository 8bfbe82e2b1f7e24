/* What a failure means: who is canceled, which blocks are lost and to whom, and which code a task
 * ends with.  All of it is told by the order of the tasks, in every schedule.
 */
#include "t/exec/course.h"

/* ---- a chain behind one that fails ---- */

static int counts(sn_run *run, void *user)
{
  (void)run;
  atomic_fetch_add((atomic_int *)user, 1);
  return SN_OK;
}

static void test_chain(sn_engine *engine)
{
  enum { CHAIN = 2000 };
  sn_tensor *tensor = tensor_named(engine, "A", 2, 1);
  sn_use uses[2];
  atomic_int gate = 0;
  sn_task_spec spec = spec_with("fails", fails_at_gate, &gate, uses, 1);
  sn_event *first = NULL, *last = NULL, *other = NULL;
  sn_task_counters before = SN_TASK_COUNTERS_INIT, after = SN_TASK_COUNTERS_INIT;
  atomic_int ran = 0;
  int codes = sn_engine_counters(engine, &before);

  uses[0] = sn_use_block(SN_PERMISSION_WRITE, tensor, 0);
  codes |= sn_task_submit(engine, &spec, &first);
  spec = spec_with("counts", counts, &ran, uses, 1);
  for (int k = 1; k < CHAIN; k++) codes |= sn_task_submit(engine, &spec, NULL);
  codes |= sn_task_submit(engine, &spec, &last);
  uses[0] = sn_use_block(SN_PERMISSION_WRITE, tensor, 1);
  codes |= sn_task_submit(engine, &spec, &other);
  atomic_store(&gate, 1);
  is_int(codes, SN_OK, "one that fails, and a chain behind it");
  is_int(sn_event_await(first), SN_EIO, "it says so");
  is_int(sn_event_await(last), SN_ECANCELED, "the last of the chain is canceled");
  is_int(sn_event_await(other), SN_OK, "another block's is not");
  is_int(atomic_load(&ran), 1, "only that one ran");
  said(engine, "'fails' has failed: a file could not be read or written");
  is_int(sn_engine_counters(engine, &after), SN_OK, "counters");
  is_int(after.failed - before.failed, 1, "one has failed");
  is_int(after.canceled - before.canceled, CHAIN, "the others were canceled");
  is_int(value_of(tensor, 0), -1, "the block is lost");
  sn_engine_clear(engine);
  uses[0] = sn_use_block(SN_ACCESS_READ_BUFFER, tensor, 0);
  is_int(run_task(engine, NULL, "reads", do_nothing, NULL, uses, 1), SN_ESTATE, "declared or not");
  said(engine, "'reads' needs A[0], which is lost: the task that wrote it has failed");
  is_int(sn_tensor_fill(tensor, 4), SN_OK, "written whole");
  is_int(value_of(tensor, 0), 4, "it is there again");
  sn_event_release(first);
  sn_event_release(last);
  sn_event_release(other);
  is_int(sn_tensor_destroy(tensor), SN_OK, "gone");
}

/* ---- beside one that is canceled ---- */

enum { ON_THE_SPOT, DECLARED, WAYS };

static int adds_one(sn_run *run, void *user)
{
  sn_buffer *buffer;

  SN_TRY(sn_buffer_acc(run, user, 1, &buffer));
  ++*(int64_t *)sn_buffer_data(buffer);
  return sn_buffer_release_add(buffer);
}

/* Without workers, in the order of their priorities: the one that fails, and with it the one that
 * adds behind it, before those that add beside that one. */
static void test_beside(int way)
{
  static const char *const names[] = { "fails", "before", "canceled", "after", "reads" };
  static const int priority[] = { 3, 1, 2, 1, 2 };
  static const int codes[] = { SN_EIO, SN_OK, SN_ECANCELED, SN_OK, SN_ECANCELED };
  const uint32_t kind = way == DECLARED ? SN_ACCESS_ACCUMULATE_BUFFER : SN_PERMISSION_ACCUMULATE;
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  sn_engine *engine;
  sn_tensor *tensor;
  sn_event *done[5] = { NULL };
  sn_use use;
  int code = SN_OK;

  options.workers = 0;
  engine = engine_by(&options);
  tensor = tensor_named(engine, "A", 2, 1);
  for (int k = 0; k < 5; k++) {
    const sn_use uses[2] = { sn_use_block(k == 4 ? SN_PERMISSION_READ : kind, tensor, 1),
                             sn_use_block(SN_PERMISSION_READ, tensor, 0) };
    const sn_use first = sn_use_block(SN_PERMISSION_WRITE, tensor, 0);
    const sn_body_fn body = k == 0 ? fails_at_gate : k == 4 ? do_nothing : adds_one;
    sn_task_spec spec = spec_with(names[k], body, k ? tensor : NULL, k ? uses : &first,
                                  k == 2 ? 2 : 1);
    spec.priority = priority[k];
    code |= sn_task_submit(engine, &spec, &done[k]);
  }
  is_int(code, SN_OK, "sums beside one that will be canceled, way %d", way);
  for (int k = 0; k < 5; k++) {
    is_int(sn_event_await(done[k]), codes[k], "'%s'", names[k]);
    sn_event_release(done[k]);
  }
  sn_engine_clear(engine);
  is_int(value_of(tensor, 1), -1, "the block is lost to who reads it");
  use = sn_use_block(kind, tensor, 1);
  is_int(run_task(engine, NULL, "adds", adds_one, tensor, &use, 1), SN_OK,
         "not to who needs no value of it");
  is_int(value_of(tensor, 1), -1, "who does not mend it either");
  is_int(sn_tensor_fill(tensor, 7), SN_OK, "it is written whole");
  is_int(value_of(tensor, 1), 7, "and there again");
  is_int(sn_tensor_destroy(tensor) | sn_engine_destroy(engine), SN_OK, "gone");
}

/* ---- beside a child that fails ---- */

static void wait_for(sn_event *event)
{
  int is_done = 0;

  while (sn_event_is_done(event, &is_done) == SN_OK && !is_done)
    ;
}

static int adds_beside_child(sn_run *run, void *user)
{
  const sn_use use = sn_use_block(SN_PERMISSION_ACCUMULATE, user, 1);
  sn_task_spec spec = spec_with("child", fails_at_gate, NULL, &use, 1);
  sn_event *done = NULL;

  spec.unit = sn_engine_unit(sn_run_engine(run), 0);
  SN_TRY(sn_task_submit_child(run, &spec, &done));
  wait_for(done);
  sn_event_release(done);
  return adds_one(run, user);
}

static void test_beside_child(sn_engine *engine)
{
  sn_tensor *tensor = tensor_named(engine, "A", 2, 1);
  const sn_use use = sn_use_block(SN_PERMISSION_ACCUMULATE, tensor, 1);

  is_int(run_task(engine, sn_engine_unit(engine, 1), "parent", adds_beside_child, tensor, &use, 1),
         SN_EIO, "a parent that adds when its child has failed fails with its child's code");
  said(engine, "'child' has failed: a file could not be read or written");
  is_int(value_of(tensor, 1), -1, "what both might change is lost");
  is_int(sn_tensor_destroy(tensor), SN_OK, "gone");
}

/* ---- which code ---- */

typedef struct siblings {
  _Atomic(sn_event *) first, second;             /* the ends of two children */
  int own;                       /* what the parent's body returns */
} siblings;

static int fails_first(sn_run *run, void *user)
{
  (void)run;
  (void)user;
  return SN_EASSERT;
}

static int fails_behind_it(sn_run *run, void *user)
{
  siblings *s = user;

  while (!atomic_load(&s->second) && !is_broken(sn_run_engine(run)))
    ;
  if (atomic_load(&s->second)) wait_for(atomic_load(&s->second));
  return SN_EIO;
}

static int has_failing_children(sn_run *run, void *user)
{
  siblings *s = user;
  sn_task_spec spec = spec_with("first", fails_behind_it, s, NULL, 0);
  sn_event *done = NULL;

  SN_TRY(sn_task_submit_child(run, &spec, &done));
  atomic_store(&s->first, done);
  spec = spec_with("second", fails_first, s, NULL, 0);
  SN_TRY(sn_task_submit_child(run, &spec, &done));
  atomic_store(&s->second, done);
  if (s->own != SN_OK) wait_for(atomic_load(&s->first));
  return s->own;
}

static void test_codes(int own)
{
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  siblings s = { NULL, NULL, own };
  sn_engine *engine;

  options.workers = 3;
  engine = engine_by(&options);
  is_int(run_task(engine, NULL, "parent", has_failing_children, &s, NULL, 0), own ? own : SN_EIO,
         "%s", own ? "a body's own code comes before its children's"
                   : "of the children the one that was submitted first counts");
  is_int(sn_event_await(atomic_load(&s.first)), SN_EIO, "the first child's");
  is_int(sn_event_await(atomic_load(&s.second)), SN_EASSERT, "the second child's");
  sn_event_release(atomic_load(&s.first));
  sn_event_release(atomic_load(&s.second));
  is_int(sn_engine_destroy(engine), SN_OK, "gone");
}

/* ---- random waves of tasks, some of which fail, against what their order comes to ---- */

enum { BLOCKS = 5, TASKS = 40, USES = 3, NEVER = 0, AT_ONCE, AT_THE_END };

typedef struct step {
  int64_t block;
  char kind;                     /* r: read, u: read and write, w: write whole, a: add, m: max */
} step;

typedef struct work {
  sn_tensor *tensor;
  step step[USES];
  int count, fails, is_declared, is_nested;
  int64_t amount;
  int code;                      /* what it comes to */
} work;

typedef struct world {
  sn_engine *engine;
  sn_tensor *tensor;
  int is_deterministic;
  uint64_t random;
  work work[TASKS];
  int64_t value[BLOCKS];
  int lost[BLOCKS];
} world;

static uint32_t draw(world *w, uint32_t below)
{
  w->random = w->random * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(w->random >> 33) % below;
}

static int64_t combined(char kind, int64_t value, int64_t amount)
{
  switch (kind) {
  case 'u': return (3 * value + amount) % 1000003;
  case 'w': return amount;
  case 'a': return value + amount;
  case 'm': return value > amount ? value : amount;
  default: return value;
  }
}

static int run_one(sn_run *run, const work *p, const step *s)
{
  sn_buffer *buffer;
  int64_t *value;

  SN_TRY(s->kind == 'r' ? sn_buffer_read(run, p->tensor, s->block, &buffer)
         : s->kind == 'u' ? sn_buffer_read_write(run, p->tensor, s->block, &buffer)
         : s->kind == 'w' ? sn_buffer_write(run, p->tensor, s->block, NULL, &buffer)
         : s->kind == 'a' ? sn_buffer_acc(run, p->tensor, s->block, &buffer)
                          : sn_buffer_acc_by(run, p->tensor, s->block, SN_BY_MAX, &buffer));
  value = sn_buffer_data(buffer);
  if (s->kind != 'r') *value = combined(s->kind, *value, p->amount);
  return s->kind == 'r' ? sn_buffer_release(buffer)
         : s->kind == 'a' ? sn_buffer_release_add(buffer)
         : s->kind == 'm' ? sn_buffer_release_max(buffer) : sn_buffer_release_put(buffer);
}

static int run_work(sn_run *run, void *user)
{
  const work *p = user;

  if (p->fails == AT_ONCE) return SN_EIO;
  for (int k = 0; k < p->count; k++) SN_TRY(run_one(run, p, &p->step[k]));
  return p->fails == AT_THE_END ? SN_EIO : SN_OK;
}

static uint32_t kind_of(char kind, int is_declared)
{
  switch (kind) {
  case 'r': return is_declared ? SN_ACCESS_READ_BUFFER : SN_PERMISSION_READ;
  case 'u': return is_declared ? SN_ACCESS_READ_WRITE_BUFFER : SN_PERMISSION_WRITE;
  case 'w': return is_declared ? SN_ACCESS_WRITE_BUFFER : SN_PERMISSION_WRITE;
  case 'a': return is_declared ? SN_ACCESS_ACCUMULATE_BUFFER : SN_PERMISSION_ACCUMULATE;
  default: return (is_declared ? SN_ACCESS_ACCUMULATE_BUFFER : SN_PERMISSION_ACCUMULATE) |
                  SN_BY_MAX;
  }
}

static sn_task_spec spec_of(work *p, sn_use *uses, int is_declared, sn_body_fn body)
{
  for (int k = 0; k < p->count; k++)
    uses[k] = sn_use_block(kind_of(p->step[k].kind, is_declared), p->tensor, p->step[k].block);
  return spec_with(NULL, body, p, uses, p->count);
}

static int run_nested(sn_run *run, void *user)
{
  work *p = user;
  sn_use uses[USES];
  const sn_task_spec spec = spec_of(p, uses, p->is_declared, run_work);

  return sn_task_submit_child(run, &spec, NULL);
}

static void choose(world *w, work *p)
{
  const uint32_t first = draw(w, BLOCKS), fate = draw(w, 120);

  p->tensor = w->tensor;
  p->count = 1 + (int)draw(w, USES);
  p->amount = 1 + draw(w, 100);
  p->fails = fate == 0 ? AT_ONCE : fate == 1 ? AT_THE_END : NEVER;
  p->is_declared = (int)draw(w, 2);
  p->is_nested = draw(w, 4) == 0;
  for (int k = 0; k < p->count; k++) {
    p->step[k].block = (first + 2 * (uint32_t)k) % BLOCKS;
    p->step[k].kind = "rruwaaam"[draw(w, 8)];
  }
}

/* ---- what the order says ---- */

static int excludes(const world *w, char a, char b)
{
  return a != b || a == 'u' || a == 'w' || (a == 'a' && w->is_deterministic);
}

static int conflicts(const world *w, const work *a, const work *b)
{
  for (int i = 0; i < a->count; i++)
    for (int k = 0; k < b->count; k++)
      if (a->step[i].block == b->step[k].block && excludes(w, a->step[i].kind, b->step[k].kind))
        return 1;
  return 0;
}

static int needs_what_is_lost(const world *w, const work *p)
{
  for (int k = 0; k < p->count; k++) {
    const step *s = &p->step[k];
    if (w->lost[s->block] && (s->kind == 'r' || s->kind == 'u')) return 1;
  }
  return 0;
}

/* What is declared is looked at before the body.  Writing whole is what mends; sums are made, and
 * lost with the block. */
static int come_to(world *w, const work *p)
{
  if (p->fails == AT_ONCE && !(p->is_declared && needs_what_is_lost(w, p))) return SN_EIO;
  if (needs_what_is_lost(w, p)) return SN_ESTATE;
  for (int k = 0; k < p->count; k++) {
    const step *s = &p->step[k];
    w->value[s->block] = combined(s->kind, w->value[s->block], p->amount);
    if (s->kind == 'w') w->lost[s->block] = 0;
  }
  return p->fails == AT_THE_END ? SN_EIO : SN_OK;
}

static void predict(world *w, int number)
{
  work *p = &w->work[number];

  p->code = SN_OK;
  for (int k = 0; k < number; k++)
    if (w->work[k].code != SN_OK && conflicts(w, &w->work[k], p)) p->code = SN_ECANCELED;
  if (p->code == SN_OK) p->code = come_to(w, p);
  for (int k = 0; k < p->count && p->code != SN_OK; k++)
    if (p->step[k].kind != 'r') w->lost[p->step[k].block] = 1;
}

/* ---- a wave: nobody has ended before all are submitted ---- */

static int gate_keeper(sn_run *run, void *user)
{
  (void)run;
  while (!atomic_load((atomic_int *)user))
    ;
  return SN_OK;
}

static int run_wave(world *w, int workers, int *wrong)
{
  const uint32_t units = (uint32_t)sn_engine_unit_count(w->engine);
  sn_event *done[TASKS] = { NULL };
  atomic_int gate = workers == 0;
  sn_use uses[USES], all = sn_use_whole(SN_PERMISSION_WRITE, w->tensor);
  sn_task_spec spec = spec_with("gate", gate_keeper, &gate, &all, 1);
  int codes = 0;

  spec.unit = sn_engine_unit(w->engine, 0);
  codes |= sn_task_submit(w->engine, &spec, NULL);
  for (int k = 0; k < TASKS; k++) {
    work *p = &w->work[k];
    choose(w, p);
    predict(w, k);
    spec = p->is_nested ? spec_of(p, uses, 0, run_nested)
                        : spec_of(p, uses, p->is_declared, run_work);
    spec.priority = (int)draw(w, 4);
    if (draw(w, 2)) spec.unit = sn_engine_unit(w->engine, (int)draw(w, units));
    codes |= sn_task_submit(w->engine, &spec, &done[k]);
  }
  atomic_store(&gate, 1);
  for (int k = 0; k < TASKS; k++) {
    const int code = done[k] ? sn_event_await(done[k]) : SN_OK;
    if (codes == SN_OK && code != w->work[k].code && !(*wrong)++)
      diag("task %d is the first that is wrong: %d, not %d", k, code, w->work[k].code);
    sn_event_release(done[k]);
  }
  if (codes != SN_OK) codes |= sn_engine_await(w->engine);
  return codes;
}

static void mend(world *w, int64_t block, int *codes)
{
  w->value[block] = block;
  w->lost[block] = 0;
  *codes |= sn_tensor_write_block(w->tensor, block, &w->value[block], sizeof w->value[block]);
}

static void test_waves(int workers, int memories, int deterministic)
{
  static world w;
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  const int waves = tap_size(2, 20, 200);
  int codes = 0, wrong_codes = 0, wrong_blocks = 0, lost = 0, there = 0;

  memset(&w, 0, sizeof w);
  options.workers = workers;
  options.memories = memories;
  options.deterministic = deterministic;
  w.engine = engine_by(&options);
  w.tensor = tensor_named(w.engine, "A", BLOCKS, 1);
  w.is_deterministic = deterministic;
  w.random = (uint64_t)(100 * workers + 10 * memories + deterministic);
  for (int wave = 0; wave < waves && codes == SN_OK; wave++) {
    codes |= run_wave(&w, workers, &wrong_codes);
    for (int b = 0; b < BLOCKS; b++) {
      int64_t value = 0;
      const int code = sn_tensor_read_block(w.tensor, b, &value, sizeof value);
      wrong_blocks += code != (w.lost[b] ? SN_ESTATE : SN_OK) ||
                      (code == SN_OK && value != w.value[b]);
      lost += w.lost[b];
      there += !w.lost[b];
      if (w.lost[b] && draw(&w, 6)) mend(&w, b, &codes);
    }
    sn_engine_clear(w.engine);
  }
  is_int(codes, SN_OK, "%d waves with %d workers, %d memories%s", waves, workers, memories,
         deterministic ? ", sums in order" : "");
  is_int(wrong_codes, 0, "each task comes to what the order says");
  is_int(wrong_blocks, 0, "so does each block");
  ok((lost && there) || waves < 20, "blocks were lost, and others not: %d, %d", lost, there);
  is_int(sn_tensor_destroy(w.tensor) | sn_engine_destroy(w.engine), SN_OK, "gone");
}

int main(void)
{
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  sn_engine *engine;

  options.workers = 2;
  options.memories = 1;
  engine = engine_by(&options);
  test_chain(engine);
  test_beside_child(engine);
  is_int(sn_engine_destroy(engine), SN_OK, "gone");
  for (int way = 0; way < WAYS; way++) test_beside(way);
  test_codes(SN_OK);
  test_codes(SN_EINVAL);
  for (int workers = 0; workers < tap_size(3, 5, 5); workers++)
    for (int memories = 0; memories < 3; memories++)
      test_waves(workers, memories, workers % 2);
  return done_testing();
}
