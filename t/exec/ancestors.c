/* A child and the buffers of its parent: it begins when those are released that it conflicts with,
 * whatever it declares and on whichever unit; and what a task has left to its children it asks
 * for no more.
 */
#include "t/exec/course.h"

static int64_t *data(sn_buffer *buffer)
{
  return sn_buffer_data(buffer);
}

/* ---- one parent, one child ---- */

typedef struct family {
  sn_tensor *tensor;
  int hold;                      /* how the parent comes to the block */
  sn_use wants;                  /* of the child */
  sn_body_fn child;
  sn_unit *child_unit;
  atomic_int has_begun, sibling;
  int too_early;                 /* the child had begun while the parent held the block */
  int64_t seen;
  char text[200];                /* why the child waits */
} family;

static int child_reads(sn_run *run, void *user)
{
  family *f = user;
  sn_buffer *buffer;

  atomic_store(&f->has_begun, 1);
  SN_TRY(sn_buffer_read(run, f->tensor, 0, &buffer));
  f->seen = data(buffer)[0];
  return sn_buffer_release(buffer);
}

static int child_writes(sn_run *run, void *user)
{
  family *f = user;
  sn_buffer *buffer;

  atomic_store(&f->has_begun, 1);
  SN_TRY(sn_buffer_read_write(run, f->tensor, 0, &buffer));
  f->seen = data(buffer)[0]++;
  return sn_buffer_release_put(buffer);
}

static int child_adds(sn_run *run, void *user)
{
  family *f = user;
  sn_buffer *buffer;

  atomic_store(&f->has_begun, 1);
  SN_TRY(sn_buffer_acc(run, f->tensor, 0, &buffer));
  data(buffer)[0] += 100;
  return sn_buffer_release_add(buffer);
}

static int sibling(sn_run *run, void *user)
{
  (void)run;
  atomic_store((atomic_int *)user, 1);
  return SN_OK;
}

/* When a task that came after the child has run, the child would have begun, had it been let. */
static int submit(sn_run *run, family *f)
{
  sn_task_spec spec = spec_with("child", f->child, f, &f->wants, 1);
  sn_event *done = NULL;
  int code;

  spec.unit = f->child_unit;
  SN_TRY(sn_task_submit_child(run, &spec, &done));
  spec = spec_with("sibling", sibling, &f->sibling, NULL, 0);
  spec.unit = f->child_unit;
  code = sn_task_submit_child(run, &spec, NULL);
  if (code == SN_OK) {
    spin_until(&f->sibling, sn_run_engine(run));
    f->too_early = atomic_load(&f->has_begun);
    code = sn_task_explain(done, collect_text, f->text);
  }
  sn_event_release(done);
  return code;
}

enum { READ_WRITE, WRITE, CANCELLABLE, LATE_PUT, LATE_SUM, HOLDS };

/* Each leaves 77 in the block, when the child was submitted. */
static int parent(sn_run *run, void *user)
{
  family *f = user;
  const int64_t seventy = 70;
  sn_buffer *buffer, *other;

  switch (f->hold) {
  case READ_WRITE:
    SN_TRY(sn_buffer_read_write(run, f->tensor, 0, &buffer));
    SN_TRY(submit(run, f));
    data(buffer)[0] = 77;
    return sn_buffer_release_put(buffer);
  case WRITE:
    SN_TRY(sn_buffer_write(run, f->tensor, 0, &seventy, &buffer));
    SN_TRY(submit(run, f));
    data(buffer)[0] = 77;
    return sn_buffer_release_put(buffer);
  case CANCELLABLE:
    SN_TRY(sn_buffer_cread_write(run, f->tensor, 0, &buffer));
    SN_TRY(submit(run, f));
    data(buffer)[0] = 77;
    return sn_buffer_release_put(buffer);
  case LATE_PUT:                 /* a buffer of the block is out: it is put after the body */
    SN_TRY(sn_buffer_read(run, f->tensor, 0, &other));
    SN_TRY(sn_buffer_tmp(run, f->tensor, 0, &seventy, &buffer));
    data(buffer)[0] = 77;
    SN_TRY(sn_buffer_release_put(buffer));
    SN_TRY(submit(run, f));
    return sn_buffer_release(other);
  default:                       /* the same for a sum, which is a buffer of its own here */
    SN_TRY(sn_buffer_read_write(run, f->tensor, 0, &other));
    SN_TRY(sn_buffer_acc(run, f->tensor, 0, &buffer));
    data(other)[0] = 70;
    SN_TRY(submit(run, f));
    data(buffer)[0] = 7;
    SN_TRY(sn_buffer_release_put(other));
    return sn_buffer_release_add(buffer);
  }
}

static void test_hold(sn_engine *engine, family *f, sn_unit *unit, int declared)
{
  static const uint32_t kinds[] = { SN_ACCESS_READ_WRITE_BUFFER, SN_ACCESS_WRITE_BUFFER,
                                    SN_ACCESS_READ_WRITE_BUFFER | SN_CANCELLABLE };
  static const struct { uint32_t kind; sn_body_fn body; int64_t seen, left; } children[] = {
    { SN_PERMISSION_READ, child_reads, 77, 77 }, { SN_ACCESS_READ_BUFFER, child_reads, 77, 77 },
    { SN_PERMISSION_WRITE, child_writes, 77, 78 },
    { SN_ACCESS_READ_WRITE_BUFFER, child_writes, 77, 78 },
    { SN_PERMISSION_ACCUMULATE, child_adds, 0, 177 }
  };
  sn_use use = sn_use_block(declared ? kinds[f->hold] : SN_PERMISSION_WRITE, f->tensor, 0);

  for (size_t k = 0; k < sizeof children / sizeof *children; k++) {
    atomic_store(&f->has_begun, 0);
    atomic_store(&f->sibling, 0);
    f->seen = *f->text = 0;
    f->wants = sn_use_block(children[k].kind, f->tensor, 0);
    f->child = children[k].body;
    is_int(sn_tensor_fill(f->tensor, 5) | run_task(engine, unit, "parent", parent, f, &use, 1),
           SN_OK, "way %d to hold a block, %s on %s, and child %d", f->hold,
           declared ? "declared" : "on the spot", sn_unit_name(unit), (int)k);
    is_int(f->too_early, 0, "the child waits");
    is_str(f->text, "'child' waits for 'parent' to release A[0]\n", "and says for what");
    is_int(f->seen, children[k].seen, "it finds what its parent has left");
    is_int(value_of(f->tensor, 0), children[k].left, "so does who comes after both");
  }
  is_str(sn_engine_error(engine), "", "without an error");
}

/* ---- who does not conflict does not wait ---- */

typedef struct meeting {
  sn_tensor *tensor;
  atomic_int child;
} meeting;

static int meets_reading(sn_run *run, void *user)
{
  meeting *m = user;
  sn_buffer *buffer;

  SN_TRY(sn_buffer_read(run, m->tensor, 0, &buffer));
  SN_TRY(sn_buffer_release(buffer));
  SN_TRY(sn_buffer_tmp(run, m->tensor, 1, NULL, &buffer));
  SN_TRY(sn_buffer_release(buffer));
  SN_TRY(sn_buffer_acc(run, m->tensor, 2, &buffer));
  data(buffer)[0] += 5;
  SN_TRY(sn_buffer_release_add(buffer));
  atomic_store(&m->child, 1);
  return SN_OK;
}

/* The parent waits for its child inside its body: a child that is held back would never come. */
static int holds_what_agrees(sn_run *run, void *user)
{
  meeting *m = user;
  const sn_use uses[3] = { sn_use_block(SN_PERMISSION_READ, m->tensor, 0),
                           sn_use_block(SN_ACCESS_TEMP_BUFFER, m->tensor, 1),
                           sn_use_block(SN_PERMISSION_ACCUMULATE, m->tensor, 2) };
  sn_task_spec spec = spec_with("child", meets_reading, m, uses, 3);
  sn_buffer *read, *written, *sum, *again;

  spec.unit = sn_engine_unit(sn_run_engine(run), 0);
  SN_TRY(sn_buffer_read(run, m->tensor, 0, &read));
  SN_TRY(sn_buffer_read_write(run, m->tensor, 1, &written));
  SN_TRY(sn_buffer_acc(run, m->tensor, 2, &sum));
  SN_TRY(sn_task_submit_child(run, &spec, NULL));
  spin_until(&m->child, sn_run_engine(run));
  SN_TRY(sn_buffer_release(read));
  SN_TRY(sn_buffer_release_put(written));
  data(sum)[0] += 6;
  SN_TRY(sn_buffer_release_add(sum));
  SN_TRY(sn_buffer_read(run, m->tensor, 0, &again));   /* and may be asked for afterwards */
  SN_TRY(sn_buffer_release(again));
  SN_TRY(sn_buffer_acc(run, m->tensor, 2, &again));
  return sn_buffer_release_add(again);
}

static void test_no_conflict(sn_engine *engine, sn_unit *unit)
{
  meeting m = { tensor_named(engine, "A", 3, 1), 0 };
  const sn_use use = sn_use_whole(SN_PERMISSION_WRITE, m.tensor);

  is_int(run_task(engine, unit, "parent", holds_what_agrees, &m, &use, 1), SN_OK,
         "readers, sums and temporary buffers meet, a parent's on %s and a child's",
         sn_unit_name(unit));
  is_int(value_of(m.tensor, 2), 11, "the sum");
  is_int(sn_tensor_destroy(m.tensor), SN_OK, "gone");
}

/* ---- what was left to a child ---- */

typedef struct trial {
  sn_tensor *tensor;
  uint32_t child, kind;          /* what it may do; what its parent asks for then */
} trial;

static int asks_too_late(sn_run *run, void *user)
{
  const trial *t = user;
  const sn_use use = sn_use_block(t->child, t->tensor, 0);
  const sn_task_spec spec = spec_with("child", do_nothing, NULL, &use, 1);
  const int64_t one = 1;
  sn_buffer *buffer;
  int code;

  if (t->kind == SN_ACCESS_TEMP_BUFFER) SN_TRY(sn_buffer_tmp(run, t->tensor, 0, &one, &buffer));
  SN_TRY(sn_task_submit_child(run, &spec, NULL));
  switch (t->kind) {
  case SN_ACCESS_READ_BUFFER: return sn_buffer_read(run, t->tensor, 0, &buffer);
  case SN_ACCESS_READ_WRITE_BUFFER: return sn_buffer_read_write(run, t->tensor, 0, &buffer);
  case SN_ACCESS_ACCUMULATE_BUFFER: return sn_buffer_acc(run, t->tensor, 0, &buffer);
  default:
    code = sn_buffer_release_put(buffer);
    SN_TRY(sn_buffer_release(buffer));           /* a refusal leaves it as it is */
    return code;
  }
}

static int asks_for_the_declared(sn_run *run, void *user)
{
  const trial *t = user;
  const sn_use use = sn_use_block(t->child, t->tensor, 0);
  const sn_task_spec spec = spec_with("child", do_nothing, NULL, &use, 1);
  sn_buffer *buffer;

  SN_TRY(sn_task_submit_child(run, &spec, NULL));
  SN_TRY(sn_buffer_read_write(run, t->tensor, 0, &buffer));
  data(buffer)[0] = 8;
  return sn_buffer_release_put(buffer);
}

/* Whether the child has begun or ended by then changes nothing: it is told by the order alone. */
static void test_too_late(int workers, int deterministic)
{
  static const struct { uint32_t child, kind; const char *text; } rows[] = {
    { SN_PERMISSION_WRITE, SN_ACCESS_READ_BUFFER, "a read buffer of A[0], which its children may "
                                                  "write" },
    { SN_PERMISSION_READ, SN_ACCESS_READ_WRITE_BUFFER, "a read_write buffer of A[0], which its "
                                                       "children may read" },
    { SN_PERMISSION_ACCUMULATE, SN_ACCESS_READ_BUFFER, "a read buffer of A[0], which its children "
                                                       "may accumulate" },
    { SN_PERMISSION_ACCUMULATE, SN_ACCESS_ACCUMULATE_BUFFER,
      "an acc buffer of A[0], which its children may accumulate" },
    { SN_PERMISSION_READ, SN_ACCESS_TEMP_BUFFER, NULL }
  };
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  sn_engine *engine;
  trial t;
  sn_use use;

  options.workers = workers;
  options.deterministic = deterministic;
  engine = engine_by(&options);
  t.tensor = tensor_named(engine, "A", 1, 1);
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    char text[256];
    const int is_sum = rows[k].kind == SN_ACCESS_ACCUMULATE_BUFFER;
    if (is_sum != deterministic) continue;       /* sums exclude each other there */
    use = sn_use_block(SN_PERMISSION_WRITE, t.tensor, 0);
    t.child = rows[k].child;
    t.kind = rows[k].kind;
    is_int(run_task(engine, NULL, "asks", asks_too_late, &t, &use, 1), SN_ESTATE,
           "asked for too late, %d, %d workers", (int)k, workers);
    snprintf(text, sizeof text, "'asks' asks for %s: ask before they are submitted, or let a child "
             "do it that comes after them", rows[k].text ? rows[k].text : "");
    said(engine, rows[k].text ? text : "'asks': release_put of a tmp buffer of A[0]: its children "
                                       "may read the block: release it before they are submitted");
    is_int(sn_tensor_fill(t.tensor, 1), SN_OK, "there again");
  }
  t.child = SN_PERMISSION_READ;
  use = sn_use_block(SN_ACCESS_READ_WRITE_BUFFER, t.tensor, 0);
  is_int(run_task(engine, NULL, "asks", asks_for_the_declared, &t, &use, 1), SN_OK,
         "what is declared is the parent's own until it is released");
  is_int(value_of(t.tensor, 0), 8, "its value");
  is_int(sn_tensor_destroy(t.tensor) | sn_engine_destroy(engine), SN_OK, "gone");
}

/* ---- down several generations, with one worker and with more ---- */

typedef struct line {
  sn_tensor *tensor;
  int64_t left;
} line;

/* Each generation holds the block, changes it and leaves it to the next. */
static int generation(sn_run *run, void *user)
{
  const line *l = user;
  line next = { l->tensor, l->left - 1 };
  const sn_use use = sn_use_block(SN_PERMISSION_WRITE, l->tensor, 0);
  sn_task_spec spec = spec_with(NULL, generation, &next, &use, 1);
  sn_buffer *buffer;

  spec.user_bytes = sizeof next;
  SN_TRY(sn_buffer_read_write(run, l->tensor, 0, &buffer));
  if (l->left) SN_TRY(sn_task_submit_child(run, &spec, NULL));
  data(buffer)[0] = (3 * data(buffer)[0] + l->left) % 1000003;
  return sn_buffer_release_put(buffer);
}

static void test_generations(int workers, int memories)
{
  const int depth = tap_size(10, 300, 300);
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  int64_t expected = 1;
  sn_engine *engine;
  line l = { NULL, depth };
  sn_use use;

  options.workers = workers;
  options.memories = memories;
  engine = engine_by(&options);
  l.tensor = tensor_named(engine, "A", 1, 1);
  use = sn_use_block(SN_PERMISSION_WRITE, l.tensor, 0);
  for (int64_t k = depth; k >= 0; k--) expected = (3 * expected + k) % 1000003;
  is_int(sn_tensor_fill(l.tensor, 1) | run_task(engine, NULL, "first", generation, &l, &use, 1),
         SN_OK, "%d generations, %d workers, %d memories", depth, workers, memories);
  is_int(value_of(l.tensor, 0), expected, "each after the one before it");
  is_int(sn_tensor_destroy(l.tensor) | sn_engine_destroy(engine), SN_OK, "gone");
}

int main(void)
{
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  sn_engine *engine;
  family f;

  options.workers = 2;
  options.memories = 2;
  engine = engine_by(&options);
  memset(&f, 0, sizeof f);
  f.tensor = tensor_named(engine, "A", 1, 1);
  for (int u = 0; u < 2; u++)
    for (int child = tap_size(2, 0, 0); child < 3; child += 2) {
      f.child_unit = sn_engine_unit(engine, child);
      for (f.hold = 0; f.hold < HOLDS; f.hold++)
        for (int declared = 0; declared <= (f.hold < LATE_PUT); declared++)
          test_hold(engine, &f, sn_engine_unit(engine, u), declared);
    }
  for (int u = 0; u < 2; u++) test_no_conflict(engine, sn_engine_unit(engine, u));
  is_int(sn_tensor_destroy(f.tensor) | sn_engine_destroy(engine), SN_OK, "gone");
  for (int workers = 0; workers < 4; workers++) {
    test_too_late(workers, 0);
    test_too_late(workers, 1);
    test_generations(workers, workers % 3);
  }
  return done_testing();
}
