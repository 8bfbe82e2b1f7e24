/* Recorded graphs: replayed, with other tensors and arguments, they come to what submitting the
 * same tasks comes to; what cannot be replayed is refused.
 */
#include "t/exec/course.h"

#include <stddef.h>
#include <string.h>

enum { BLOCKS = 9, TASKS = 300 };

static sn_engine *engine_of(int workers, int memories, uint64_t blocks)
{
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;

  options.workers = workers;
  options.memories = memories;
  options.capacity = blocks * sizeof(int64_t);
  return engine_by(&options);
}

/* ---- a random graph ---- */

typedef struct step {
  int64_t number, from, into, amount;
  int kind;                      /* 0: into = 3 into + from, 1: into += amount, 2: 0 in a child */
} step;

typedef struct graph {
  sn_tensor *a, *b;
  step step[TASKS];
} graph;

typedef struct work {
  const graph *graph;
  step step;
} work;

static void choose(graph *g)
{
  uint32_t seed = 7;

  for (int k = 0; k < TASKS; k++) {
    step *s = &g->step[k];
    s->number = k;
    seed = seed * 1664525u + 1013904223u;
    s->kind = (int)(seed >> 8) % 8;
    s->kind = s->kind < 4 ? 0 : s->kind < 7 ? 1 : 2;
    s->from = (seed >> 12) % BLOCKS;
    s->into = (seed >> 18) % BLOCKS;
    s->amount = (seed >> 24) % 100;
  }
}

/* The amount is scaled by what the replay is given: a copy, aligned as any type may be. */
typedef struct scaling {
  _Alignas(max_align_t) int64_t scale;
} scaling;

static int64_t scale_of(const sn_run *run)
{
  const scaling *s = sn_run_arguments(run);

  return !s ? 1 : (uintptr_t)s % _Alignof(max_align_t) ? 0 : s->scale;
}

static void run_plainly(const graph *g, int64_t scale, int64_t *a, int64_t *b)
{
  for (int k = 0; k < TASKS; k++) {
    const step *s = &g->step[k];
    if (s->kind == 1)
      b[s->into] += scale * s->amount;
    else
      b[s->into] = (3 * b[s->into] + a[s->from] + s->number) % 1000003;
    if (s->number % 5 == 0) a[s->from] = (a[s->from] + b[s->into]) % 1000003;
  }
}

static int64_t *value(sn_buffer *buffer) { return sn_buffer_data(buffer); }

static int run_step(sn_run *run, void *user)
{
  const work *w = user;
  const step *s = &w->step;
  sn_tensor *a = sn_run_tensor(run, w->graph->a), *b = sn_run_tensor(run, w->graph->b);
  sn_buffer *from, *into;

  if (s->kind == 1 && s->number % 5) {
    SN_TRY(sn_buffer_acc(run, b, s->into, &into));
    *value(into) += scale_of(run) * s->amount;
    return sn_buffer_release_add(into);
  }
  SN_TRY(sn_buffer_read_write(run, b, s->into, &into));
  SN_TRY(s->number % 5 ? sn_buffer_read(run, a, s->from, &from)
                       : sn_buffer_read_write(run, a, s->from, &from));
  *value(into) = s->kind == 1 ? *value(into) + scale_of(run) * s->amount
                              : (3 * *value(into) + *value(from) + s->number) % 1000003;
  if (s->number % 5 == 0) *value(from) = (*value(from) + *value(into)) % 1000003;
  SN_TRY(s->number % 5 ? sn_buffer_release(from) : sn_buffer_release_put(from));
  return sn_buffer_release_put(into);
}

static int run_nested(sn_run *run, void *user);

/* Of the tensors that stand for the graph's own in this run. */
static int submit_step(sn_run *run, const work *w, int is_nested)
{
  const step *s = &w->step;
  const int sums = s->kind == 1 && s->number % 5;
  sn_tensor *a = sn_run_tensor(run, w->graph->a), *b = sn_run_tensor(run, w->graph->b);
  const sn_use uses[2] = {
    sn_use_block(sums ? SN_ACCESS_ACCUMULATE_BUFFER : SN_ACCESS_READ_WRITE_BUFFER, b, s->into),
    sn_use_block(s->number % 5 ? SN_ACCESS_READ_BUFFER : SN_ACCESS_READ_WRITE_BUFFER, a, s->from)
  };
  sn_task_spec spec = spec_with(s->number % 7 ? NULL : "named", run_step, NULL, uses, 2 - sums);

  /* A child that declares what its parent holds would wait for it. */
  const sn_use permissions[2] = {
    sn_use_block(sums ? SN_PERMISSION_ACCUMULATE : SN_PERMISSION_WRITE, b, s->into),
    sn_use_block(s->number % 5 ? SN_PERMISSION_READ : SN_PERMISSION_WRITE, a, s->from)
  };
  if (s->kind == 2 && !is_nested) {
    spec.body[SN_UNIT_HOST] = spec.body[SN_UNIT_MEMORY] = run_nested;
    spec.uses = permissions;
  }
  spec.user = (void *)(uintptr_t)w;
  spec.user_bytes = sizeof *w;
  return sn_task_submit_child(run, &spec, NULL);
}

static int run_nested(sn_run *run, void *user) { return submit_step(run, user, 1); }

static int submit_graph(sn_run *run, void *user)
{
  const graph *g = user;

  for (int k = 0; k < TASKS; k++) {
    const work w = { g, g->step[k] };
    SN_TRY(submit_step(run, &w, 0));
  }
  return SN_OK;
}

static int matches(sn_tensor *tensor, const int64_t *expected)
{
  int64_t got[BLOCKS];

  return sn_tensor_read(tensor, got, sizeof got) == SN_OK &&
         memcmp(got, expected, sizeof got) == 0;
}

static void test_equal(int workers, int memories, uint64_t blocks)
{
  static graph g;
  sn_engine *engine = engine_of(workers, memories, blocks);
  sn_tensor *c = tensor_named(engine, "C", BLOCKS, 1), *d = tensor_named(engine, "D", BLOCKS, 1);
  int64_t a[BLOCKS] = { 0 }, b[BLOCKS] = { 0 }, other[2][BLOCKS] = { { 0 } };
  const scaling by = { 10 };
  sn_recording *recording = NULL;
  sn_replay_spec spec = SN_REPLAY_SPEC_INIT;
  sn_use uses[2];
  int codes = 0;

  g.a = tensor_named(engine, "A", BLOCKS, 1);
  g.b = tensor_named(engine, "B", BLOCKS, 1);
  choose(&g);
  uses[0] = sn_use_whole(SN_PERMISSION_WRITE, g.a);
  uses[1] = sn_use_whole(SN_PERMISSION_WRITE, g.b);
  is_int(run_task(engine, sn_engine_unit(engine, 0), "fresh", submit_graph, &g, uses, 2), SN_OK,
         "submitted as ever, %d workers, %d memories", workers, memories);
  run_plainly(&g, 1, a, b);
  ok(matches(g.a, a) && matches(g.b, b), "what they come to");

  is_int(sn_record(engine, submit_graph, &g, &recording), SN_OK, "recorded");
  is_int(sn_recording_tasks(recording), TASKS, "all of it");
  ok(matches(g.a, a) && matches(g.b, b), "and nothing run");
  for (int k = 0; k < 3; k++) {
    codes |= sn_replay(recording, NULL, NULL);
    run_plainly(&g, 1, a, b);
  }
  spec.arguments = &by;
  spec.argument_bytes = sizeof by;
  codes |= sn_replay(recording, &spec, NULL);
  run_plainly(&g, by.scale, a, b);
  ok(codes == SN_OK && matches(g.a, a) && matches(g.b, b), "replayed, and with an argument");

  {
    sn_tensor *const from[2] = { g.a, g.b }, *const to[2] = { d, c };
    sn_event *done = NULL;
    spec.name = "elsewhere";
    spec.from = from;
    spec.to = to;
    spec.tensor_count = 2;
    codes |= sn_replay(recording, &spec, &done);
    sn_recording_destroy(recording);
    codes |= sn_event_await(done);
    sn_event_release(done);
  }
  run_plainly(&g, by.scale, other[0], other[1]);
  ok(codes == SN_OK && matches(d, other[0]) && matches(c, other[1]),
     "and with other tensors, while it is given up");
  ok(matches(g.a, a) && matches(g.b, b), "the recorded ones are as they were");
  is_int(sn_tensor_destroy(g.a) | sn_tensor_destroy(g.b) | sn_tensor_destroy(c) |
           sn_tensor_destroy(d) | sn_engine_destroy(engine), SN_OK, "gone");
}

/* ---- a tensor that only temporary buffers name ---- */

static int use_temporary(sn_run *run, void *user)
{
  const int64_t three = 3;
  sn_buffer *buffer;
  int is_there;

  SN_TRY(sn_buffer_tmp(run, sn_run_tensor(run, *(sn_tensor **)user), 0, &three, &buffer));
  is_there = *value(buffer) == 3;
  SN_TRY(sn_buffer_release(buffer));
  return is_there ? SN_OK : SN_EASSERT;
}

static int submit_temporary(sn_run *run, void *user)
{
  const sn_use use = sn_use_block(SN_ACCESS_TEMP_BUFFER, *(sn_tensor **)user, 0);
  const sn_task_spec spec = spec_with("temporary", use_temporary, user, &use, 1);

  return sn_task_submit_child(run, &spec, NULL);
}

static void test_temporary(int strict)
{
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  sn_replay_spec spec = SN_REPLAY_SPEC_INIT;
  sn_recording *recording = NULL;
  sn_tensor *tensor, *other;
  sn_event *done = NULL;
  sn_engine *engine;

  options.workers = 0;
  options.strict = strict;
  engine = engine_by(&options);
  tensor = tensor_named(engine, "A", 1, 1);
  other = tensor_named(engine, "B", 1, 1);
  is_int(sn_record(engine, submit_temporary, &tensor, &recording), SN_OK,
         "one that is named by a temporary buffer alone");
  spec.from = &tensor;
  spec.to = &other;
  spec.tensor_count = 1;
  is_int(sn_replay(recording, &spec, &done), SN_OK, "is exchanged as any");
  sn_recording_destroy(recording);
  is_int(sn_tensor_destroy(other), SN_ESTATE, "it stays while the replay may ask for it");
  said(engine, "B is destroyed, and tasks that are unfinished or recorded name it");
  is_int(sn_event_await(done), SN_OK, "which it does");
  sn_event_release(done);
  is_int(sn_tensor_destroy(tensor) | sn_tensor_destroy(other) | sn_engine_destroy(engine), SN_OK,
         "gone");
}

/* ---- refusals ---- */

typedef struct trial {
  sn_engine *engine;
  sn_tensor *tensor;
  int refused[6];
} trial;

static int ask_for_all(sn_run *run, void *user)
{
  trial *t = user;
  const sn_use use = sn_use_block(SN_PERMISSION_WRITE, t->tensor, 0);
  sn_task_spec spec = spec_with("recorded", do_nothing, NULL, &use, 1);
  sn_buffer *buffer;
  sn_event *done;
  sn_recording *inner;

  t->refused[0] = sn_buffer_read(run, t->tensor, 0, &buffer);
  said(t->engine, "a read buffer of A is asked for while a graph is recorded: what depends on "
                  "values cannot be replayed; let a recorded task look at them");
  t->refused[1] = sn_task_submit(t->engine, &spec, NULL);
  said(t->engine, "'recorded' is submitted while a graph is recorded, and not as a child of what "
                  "is recorded: it would not be in it");
  t->refused[2] = sn_task_submit_child(run, &spec, &done);
  said(t->engine, "'recorded' is recorded and asks for an event: each replay has one of its own");
  t->refused[3] = sn_engine_await(t->engine);
  sn_engine_clear(t->engine);
  t->refused[4] = sn_record(t->engine, do_nothing, NULL, &inner);
  said(t->engine, "a recording begins inside another one");
  t->refused[5] = sn_run_flush(run, t->tensor, 0);
  said(t->engine, "A is flushed while a graph is recorded: what depends on values cannot be "
                  "replayed; let a recorded task look at them");
  return sn_task_submit_child(run, &spec, NULL);
}

static int fail_it(sn_run *run, void *user)
{
  (void)run;
  (void)user;
  return SN_EIO;
}

/* When it is told to: who is submitted behind it by then is canceled with it. */
static int fail_at_gate(sn_run *run, void *user)
{
  (void)run;
  while (!atomic_load((atomic_int *)user))
    nap(1);
  return SN_EIO;
}

static void refuse_pair(trial *t, sn_recording *recording, sn_tensor *from, sn_tensor *to,
                        const char *text)
{
  sn_replay_spec spec = SN_REPLAY_SPEC_INIT;

  spec.from = &from;
  spec.to = &to;
  spec.tensor_count = 1;
  is_int(sn_replay(recording, &spec, NULL), SN_EINVAL, "refused");
  said(t->engine, text);
}

static int two_tensors(sn_run *run, void *user)
{
  sn_tensor *const *tensor = user;
  const sn_use uses[2] = { sn_use_whole(SN_PERMISSION_READ, tensor[0]),
                           sn_use_whole(SN_PERMISSION_WRITE, tensor[1]) };
  const sn_task_spec spec = spec_with("two", do_nothing, NULL, uses, 2);

  return sn_task_submit_child(run, &spec, NULL);
}

static void test_refused(void)
{
  sn_engine *engine = engine_of(1, 0, 0);
  sn_tensor *other = tensor_named(engine, "B", 2, 1), *longer = tensor_named(engine, "C", 3, 1);
  trial t = { engine, tensor_named(engine, "A", 2, 1), { 0 } };
  sn_tensor *both[2] = { t.tensor, other };
  sn_recording *recording = NULL, *pair = NULL;
  sn_event *failed = NULL, *later = NULL;

  is_int(sn_record(engine, ask_for_all, &t, &recording), SN_OK, "a body that asks for too much");
  is_int(t.refused[0], SN_ESTATE, "a buffer is refused");
  is_int(t.refused[1], SN_ESTATE, "a task beside it");
  is_int(t.refused[2], SN_EINVAL, "an event");
  is_int(t.refused[3], SN_ESTATE, "waiting");
  is_int(t.refused[4], SN_ESTATE, "another recording");
  is_int(t.refused[5], SN_ESTATE, "flushing");
  is_int(sn_recording_tasks(recording), 1, "what was not refused is recorded");
  is_int(sn_record(engine, fail_it, NULL, &pair), SN_EIO, "a body that fails");
  said(engine, "the body that was recorded has failed: a file could not be read or written");

  refuse_pair(&t, recording, other, other,
              "a replay exchanges B, which its recording does not name");
  refuse_pair(&t, recording, t.tensor, longer,
              "a replay exchanges A for C, which has another type, other tiles or other stored "
              "blocks");
  refuse_pair(&t, recording, t.tensor, NULL, "a replay exchanges A for no tensor");
  is_int(sn_record(engine, two_tensors, both, &pair), SN_OK, "two tensors");
  refuse_pair(&t, pair, t.tensor, other,
              "a replay exchanges A for B, which the recording uses too");
  {
    sn_tensor *const to[2] = { longer, longer };
    sn_replay_spec spec = SN_REPLAY_SPEC_INIT;
    spec.from = both;
    spec.to = to;
    spec.tensor_count = 2;
    is_int(sn_replay(pair, &spec, NULL), SN_EINVAL, "two that become one, of other tiles");
    sn_engine_clear(engine);
    spec.to = both;
    is_int(sn_replay(pair, &spec, NULL), SN_OK, "each for itself is no exchange");
    spec.size--;
    is_int(sn_replay(pair, &spec, NULL), SN_EINVAL, "a spec of another size");
    ok(strstr(sn_engine_error(engine), "a replay's spec: its member size is") != NULL, "the text");
    sn_engine_clear(engine);
  }
  is_int(sn_engine_await(engine), SN_OK, "run");
  is_int(sn_tensor_destroy(t.tensor), SN_ESTATE, "a recorded tensor stays");
  said(engine, "A is destroyed, and tasks that are unfinished or recorded name it");
  {
    const sn_use use = sn_use_whole(SN_PERMISSION_WRITE, t.tensor);
    atomic_int gate = 0;
    sn_task_spec spec = spec_with("fails", fail_at_gate, &gate, &use, 1);
    is_int(sn_task_submit(engine, &spec, &failed) | sn_replay(recording, NULL, &later), SN_OK,
           "behind what fails");
    atomic_store(&gate, 1);
    is_int(sn_event_await(failed), SN_EIO, "it fails");
    is_int(sn_event_await(later), SN_ECANCELED, "a replay is cancelled");
    sn_event_release(failed);
    sn_event_release(later);
    sn_engine_clear(engine);
  }
  is_int(sn_tensor_destroy(longer), SN_OK, "what is not recorded goes");
  sn_recording_destroy(pair);
  is_int(sn_tensor_destroy(other), SN_OK, "and what was");
  sn_recording_destroy(recording);
  recording = NULL;
  is_int(sn_tensor_destroy(t.tensor), SN_OK, "a tensor goes when its recording is gone");
  is_int(sn_record(engine, do_nothing, NULL, &recording), SN_OK, "nothing at all");
  is_int(sn_replay(recording, NULL, NULL) | sn_engine_await(engine), SN_OK, "replayed");
  is_int(sn_engine_destroy(engine), SN_ESTATE, "an engine stays");
  said(engine, "the engine still has 1 recordings");
  sn_recording_destroy(recording);
  is_int(sn_engine_destroy(engine), SN_OK, "and goes");
}

int main(void)
{
  test_equal(0, 0, 0);
  test_equal(2, 0, 0);
  test_equal(2, 2, 4);
  test_temporary(0);
  test_temporary(1);
  test_refused();
  return done_testing();
}
