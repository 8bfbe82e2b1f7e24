/* What a running task can ask of itself, and a scheduler of one that is ready; and a declared
 * access that is given up before the body ends.
 */
#include "t/exec/course.h"

static int64_t *data(sn_buffer *buffer)
{
  return sn_buffer_data(buffer);
}

/* ---- uses, as text: "r0 w1 M2 Read3": permissions, then accesses ---- */

static void note_use(void *text, const sn_use *use)
{
  static const char *const names[] = { "r", "w", "a", "Read", "Write", "ReadWrite", "Acc", "Temp" };
  char word[64];

  snprintf(word, sizeof word, "%s%s%s%s%s%d", *(char *)text ? " " : "", names[use->kind & 0xff],
           use->kind & SN_CANCELLABLE ? "?" : "", use->kind & SN_BY_MAX ? ">" : "",
           use->kind & SN_BY_MIN ? "<" : "", (int)use->block);
  collect_text(text, word);
  if (!use->is_block || sn_slice_blocks(&use->where) != 1) collect_text(text, " (no block)");
}

enum { USES = 9 };

/* Of a tensor of six blocks: merged they are w0 a>1 r2 r3 w5. */
static void fill_uses(sn_tensor *tensor, sn_use *uses)
{
  uses[0] = sn_use_block(SN_PERMISSION_READ, tensor, 0);
  uses[1] = sn_use_block(SN_PERMISSION_ACCUMULATE, tensor, 0);
  uses[2] = sn_use_block(SN_PERMISSION_ACCUMULATE | SN_BY_MAX, tensor, 1);
  uses[3] = sn_use_slice(SN_PERMISSION_READ, sn_slice_whole(tensor));
  uses[3].where.lo[0] = 2;
  uses[3].where.hi[0] = 4;
  uses[4] = sn_use_block(SN_ACCESS_READ_BUFFER, tensor, 3);
  uses[5] = sn_use_block(SN_ACCESS_READ_BUFFER, tensor, 3);       /* shared: declared once */
  uses[6] = sn_use_block(SN_ACCESS_TEMP_BUFFER, tensor, 4);
  uses[7] = sn_use_block(SN_ACCESS_WRITE_BUFFER | SN_CANCELLABLE, tensor, 5);
  uses[8] = sn_use_block(SN_ACCESS_ACCUMULATE_BUFFER | SN_BY_MAX, tensor, 1);
}

static const char *const what_it_uses = "w0 a>1 r2 r3 w5 Read3 Temp4 Write?5 Acc>1";

/* ---- a task of itself ---- */

typedef struct self {
  sn_tensor *tensor;
  sn_unit *unit;
  sn_queue *queue;
  sn_event *own;                 /* its end */
  char text[200];
  int count, may, code;
  atomic_int has_worked;
} self;

static int counts(void *user, int device)
{
  (void)device;
  atomic_fetch_add((atomic_int *)user, 1);
  return SN_OK;
}

static int looks_at_itself(sn_run *run, void *user)
{
  self *s = user;
  sn_tensor *a = s->tensor;

  is_str(sn_run_name(run), "looks", "its name");
  ok(sn_run_unit(run) == s->unit && sn_run_engine(run) == sn_unit_engine(s->unit), "its unit");
  s->count = sn_run_uses(run, note_use, s->text);
  s->may = sn_run_may(run, SN_PERMISSION_READ, a, 0) &&
           sn_run_may(run, SN_PERMISSION_WRITE, a, 0) &&
           sn_run_may(run, SN_ACCESS_ACCUMULATE_BUFFER | SN_BY_MAX, a, 1) &&
           sn_run_may(run, SN_ACCESS_READ_BUFFER, a, 2) &&
           sn_run_may(run, SN_ACCESS_TEMP_BUFFER, a, 4) &&
           !sn_run_may(run, SN_ACCESS_READ_WRITE_BUFFER, a, 2) &&
           !sn_run_may(run, SN_PERMISSION_ACCUMULATE, a, 1) &&
           !sn_run_may(run, SN_PERMISSION_READ, a, 4) &&
           !sn_run_may(run, SN_PERMISSION_READ, a, 6) &&
           !sn_run_may(run, SN_PERMISSION_READ, a, -1) && !sn_run_may(run, 99, a, 0) &&
           !sn_run_may(run, SN_PERMISSION_READ, NULL, 0);
  SN_TRY(sn_run_event(run, &s->own));
  s->code = sn_event_await(s->own);              /* its own end cannot be awaited here */
  sn_engine_clear(sn_run_engine(run));
  SN_TRY(sn_queue_wait(s->queue, s->own));       /* a queue can */
  SN_TRY(sn_queue_submit(s->queue, counts, &s->has_worked, NULL));
  is_int(atomic_load(&s->has_worked), 0, "what waits for its end waits");
  return SN_OK;
}

static int has_no_name(sn_run *run, void *user)
{
  (void)user;
  is_str(sn_run_name(run), "", "one without a name");
  is_int(sn_run_uses(run, NULL, NULL), 0, "and without uses");
  return SN_OK;
}

static int fails_and_tells(sn_run *run, void *user)
{
  SN_TRY(sn_run_event(run, user));
  return SN_EIO;
}

static void test_self(sn_engine *engine, sn_unit *unit)
{
  self s = { tensor_named(engine, "A", 6, 1), unit, NULL, NULL, "", 0, 0, 0, 0 };
  sn_event *failed = NULL;
  sn_use uses[USES];

  fill_uses(s.tensor, uses);
  is_int(sn_queue_create(sn_engine_unit(engine, 0), NULL, &s.queue), SN_OK, "a queue");
  is_int(run_task(engine, unit, "looks", looks_at_itself, &s, uses, USES), SN_OK,
         "a task that looks at itself on %s", sn_unit_name(unit));
  is_str(s.text, what_it_uses, "what it may do by block, and what it has declared");
  is_int(s.count, 9, "so many");
  is_int(s.may, 1, "one thing asked for");
  is_int(s.code, SN_ESTATE, "it does not wait for itself");
  is_int(sn_event_await(s.own), SN_OK, "others do, when it has ended too");
  is_int(sn_queue_await(s.queue) | sn_queue_destroy(s.queue), SN_OK, "the queue went on");
  is_int(atomic_load(&s.has_worked), 1, "with the work behind it");
  is_int(run_task(engine, unit, NULL, has_no_name, NULL, NULL, 0), SN_OK, "another one");
  is_int(run_task(engine, unit, "fails", fails_and_tells, &failed, NULL, 0), SN_EIO, "one fails");
  is_int(sn_event_await(failed), SN_EIO, "its own event says so too");
  sn_engine_clear(engine);
  sn_event_release(s.own);
  sn_event_release(failed);
  is_int(sn_tensor_destroy(s.tensor), SN_OK, "gone");
}

static int ask_while_recording(sn_run *run, void *user)
{
  sn_tensor *a = user;
  sn_event *event;

  is_int(sn_run_may(run, SN_PERMISSION_WRITE, a, 0), 1, "a recording may do everything");
  is_int(sn_run_event(run, &event), SN_ESTATE, "it has no end to wait for");
  said(sn_run_engine(run), "the event of 'a recording' is asked for: each replay has one of its "
                           "own");
  return SN_OK;
}

static void test_nobody(sn_engine *engine)
{
  sn_tensor *tensor = tensor_named(engine, "A", 1, 1);
  sn_recording *recording = NULL;
  sn_event *event = NULL;

  is_str(sn_run_name(NULL), "", "no run");
  is_int(sn_run_uses(NULL, note_use, NULL), 0, "uses nothing");
  is_int(sn_run_may(NULL, SN_PERMISSION_READ, NULL, 0), 0, "may do nothing");
  is_int(sn_run_event(NULL, &event), SN_EINVAL, "has no event");
  is_int(sn_run_cancel(NULL, NULL, 0), SN_EINVAL, "gives up nothing");
  is_int(sn_ready_uses(NULL, note_use, NULL), 0, "no ready task");
  ok(sn_ready_user(NULL) == NULL && sn_unit_missing(NULL, NULL, 0) == 0, "nor its scheduler");
  is_int(sn_record(engine, ask_while_recording, tensor, &recording), SN_OK, "a recording");
  sn_recording_destroy(recording);
  is_int(sn_tensor_destroy(tensor), SN_OK, "gone");
}

/* ---- a declared access is given up ---- */

static const uint32_t accesses[] = {
  SN_ACCESS_READ_BUFFER, SN_ACCESS_WRITE_BUFFER, SN_ACCESS_READ_WRITE_BUFFER,
  SN_ACCESS_ACCUMULATE_BUFFER, SN_ACCESS_WRITE_BUFFER | SN_CANCELLABLE,
  SN_ACCESS_READ_WRITE_BUFFER | SN_CANCELLABLE, SN_ACCESS_ACCUMULATE_BUFFER | SN_CANCELLABLE,
  SN_ACCESS_ACCUMULATE_BUFFER | SN_BY_MAX
};
enum { ACCESSES = sizeof accesses / sizeof *accesses };

typedef struct giver {
  sn_tensor *tensor;
  atomic_int child;
  uint64_t before, after;        /* bytes on its unit, of a temporary buffer */
} giver;

static int child_runs(sn_run *run, void *user)
{
  giver *g = user;
  sn_buffer *buffer;

  SN_TRY(sn_buffer_read(run, g->tensor, 0, &buffer));
  atomic_store(&g->child, (int)data(buffer)[0]);
  return sn_buffer_release(buffer);
}

/* What its child waits for it gives up, and then waits itself: it could not before. */
static int gives_up(sn_run *run, void *user)
{
  giver *g = user;
  const sn_use use = sn_use_block(SN_ACCESS_READ_BUFFER, g->tensor, 0);
  sn_task_spec spec = spec_with("child", child_runs, g, &use, 1);

  spec.unit = sn_engine_unit(sn_run_engine(run), 0);
  SN_TRY(sn_task_submit_child(run, &spec, NULL));
  SN_TRY(sn_run_cancel(run, g->tensor, 0));
  spin_until(&g->child, sn_run_engine(run));
  return SN_OK;
}

static void test_cancel(sn_engine *engine, sn_unit *unit)
{
  giver g = { tensor_named(engine, "A", 1, 1), 0, 0, 0 };

  for (int k = 0; k < ACCESSES; k++) {
    const sn_use uses[2] = { sn_use_block(accesses[k], g.tensor, 0),
                             sn_use_block(SN_PERMISSION_WRITE, g.tensor, 0) };
    atomic_store(&g.child, 0);
    is_int(sn_tensor_fill(g.tensor, 40 + k) |
             run_task(engine, unit, "gives up", gives_up, &g, uses, 2), SN_OK,
           "access %d is given up in a body on %s", k, sn_unit_name(unit));
    is_int(atomic_load(&g.child), 40 + k, "its child runs before it ends, on what was there");
    is_int(value_of(g.tensor, 0), 40 + k, "the block is as it was");
  }
  is_str(sn_engine_error(engine), "", "without an error");
  is_int(sn_tensor_destroy(g.tensor), SN_OK, "gone");
}

static int gives_up_temporary(sn_run *run, void *user)
{
  giver *g = user;
  sn_unit_memory memory = SN_UNIT_MEMORY_INIT;
  const int64_t one = 1;
  sn_buffer *buffer;

  SN_TRY(sn_unit_memory_of(sn_run_unit(run), &memory));
  g->before = memory.used;
  SN_TRY(sn_run_cancel(run, g->tensor, 0));
  SN_TRY(sn_unit_memory_of(sn_run_unit(run), &memory));
  g->after = memory.used;
  is_int(sn_run_cancel(run, g->tensor, 0), SN_ESTATE, "a second time");
  said(sn_run_engine(run), "'gives up' gives up A[0]: it has declared no access to it that is "
                           "left");
  SN_TRY(sn_buffer_tmp(run, g->tensor, 0, &one, &buffer));        /* another one, on the spot */
  return sn_buffer_release(buffer);
}

static int is_refused(sn_run *run, void *user)
{
  giver *g = user;
  sn_engine *engine = sn_run_engine(run);
  sn_buffer *buffer, *again;

  is_int(sn_run_cancel(run, g->tensor, 1), SN_ESTATE, "what was not declared");
  said(engine, "'asks' gives up A[1]: it has declared no access to it that is left");
  is_int(sn_run_cancel(run, g->tensor, 2), SN_EBOUNDS, "no such block");
  said(engine, "'asks' gives up block 2 of A, which has blocks 0 to 1");
  is_int(sn_run_cancel(run, NULL, 0), SN_EINVAL, "no tensor");
  SN_TRY(sn_buffer_read_write(run, g->tensor, 0, &buffer));
  is_int(sn_run_cancel(run, g->tensor, 0), SN_ESTATE, "what is out");
  said(engine, "'asks' gives up A[0]: its buffer has been handed out: release that");
  data(buffer)[0] = 6;
  SN_TRY(sn_buffer_release_put(buffer));
  is_int(sn_run_cancel(run, g->tensor, 0), SN_ESTATE, "what was released");
  sn_engine_clear(engine);
  SN_TRY(sn_buffer_read_write(run, g->tensor, 0, &again));        /* the permission stays */
  data(again)[0]++;
  return sn_buffer_release_put(again);
}

static void test_cancel_more(sn_engine *engine, sn_unit *unit)
{
  giver g = { tensor_named(engine, "A", 2, 1), 0, 0, 0 };
  sn_use use = sn_use_block(SN_ACCESS_TEMP_BUFFER, g.tensor, 0);

  is_int(run_task(engine, unit, "gives up", gives_up_temporary, &g, &use, 1), SN_OK,
         "a temporary buffer on %s", sn_unit_name(unit));
  is_int(g.before - g.after, sizeof(int64_t), "gives its memory back");
  use.kind = SN_ACCESS_READ_WRITE_BUFFER;
  is_int(run_task(engine, sn_engine_unit(engine, 0), "asks", is_refused, &g, &use, 1), SN_OK,
         "refusals");
  is_int(value_of(g.tensor, 0), 7, "and what is asked for after them");
  is_int(sn_tensor_destroy(g.tensor), SN_OK, "gone");
}

/* ---- a scheduler ---- */

typedef struct mind {
  char text[200];
  int asked;
  uint64_t missing[3];           /* of block 3, by unit */
  sn_tensor *tensor;
} mind;

static double notes_all(const sn_ready *task, const sn_unit *unit)
{
  mind *m = sn_ready_user(task);

  if (strcmp(sn_ready_name(task), "looks") != 0) return 0;
  if (!m->asked++) m->asked += 100 * sn_ready_uses(task, note_use, m->text);
  m->missing[sn_unit_index(unit)] = sn_unit_missing(unit, m->tensor, 3);
  return -sn_unit_index(unit);
}

static void test_scheduler(void)
{
  static const sn_scheduler own = { "notes", notes_all };
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  mind m = { "", 0, { 0 }, NULL };
  sn_engine *engine;
  sn_use uses[USES], read;

  options.workers = 1;
  options.memories = 2;
  options.own_scheduler = &own;
  options.scheduler_user = &m;
  engine = engine_by(&options);
  m.tensor = tensor_named(engine, "A", 6, 1);
  read = sn_use_block(SN_ACCESS_READ_BUFFER, m.tensor, 3);
  is_int(run_task(engine, sn_engine_unit(engine, 1), "brings", do_nothing, NULL, &read, 1), SN_OK,
         "a block is brought to memory 1");
  fill_uses(m.tensor, uses);
  is_int(run_task(engine, NULL, "looks", do_nothing, NULL, uses, USES), SN_OK, "placed");
  is_str(m.text, what_it_uses, "a scheduler is told what the task names");
  is_int(m.asked, 903, "once for each unit");
  is_int(m.missing[0] * 100 + m.missing[1] * 10 + m.missing[2], 8, "and where its blocks are");
  is_int(sn_unit_missing(sn_engine_unit(engine, 2), m.tensor, 2), 8, "whoever may ask");
  is_int(sn_unit_missing(sn_engine_unit(engine, 2), m.tensor, 6), 0, "of a block that is there");
  is_int(sn_tensor_destroy(m.tensor) | sn_engine_destroy(engine), SN_OK, "gone");
}

int main(void)
{
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  sn_engine *engine;

  options.workers = 2;
  options.memories = 1;
  engine = engine_by(&options);
  for (int u = 0; u < 2; u++) {
    test_self(engine, sn_engine_unit(engine, u));
    test_cancel(engine, sn_engine_unit(engine, u));
    test_cancel_more(engine, sn_engine_unit(engine, u));
  }
  test_nobody(engine);
  is_int(sn_engine_destroy(engine), SN_OK, "gone");
  test_scheduler();
  return done_testing();
}
