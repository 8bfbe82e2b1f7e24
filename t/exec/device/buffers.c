/* Buffers: every getter and every commit, copies, what is refused and in which words; scenario 6.
 *
 * Each course runs on home and on four more units, declared and on the spot.
 */
#include "t/exec/course.h"
#include "t/exec/units/units.h"

typedef struct course {
  sn_engine *engine;
  sn_tensor *tensor;
  int step;                      /* which part a body does */
  int64_t seen, more;
  int codes;
} course;

/* ---- getters and commits ---- */

static int writes(sn_run *run, void *user)
{
  course *c = user;
  const int64_t seven = 7;
  sn_buffer *buffer;
  int64_t dims[1] = { 0 };

  SN_TRY(sn_buffer_write(run, c->tensor, 1, &seven, &buffer));
  c->codes |= sn_buffer_tensor(buffer) != c->tensor || sn_buffer_block(buffer) != 1 ||
              sn_buffer_bytes(buffer) != 24 || sn_buffer_dims(buffer, dims) != 1 || dims[0] != 3;
  c->seen = buffer_value(run, buffer, 2);
  return sn_buffer_release_put(buffer);
}

static int reads(sn_run *run, void *user)
{
  course *c = user;
  sn_buffer *buffer, *copy;
  int equal = 0;

  SN_TRY(sn_buffer_read(run, c->tensor, 1, &buffer));
  c->seen = buffer_value(run, buffer, 1);
  SN_TRY(sn_buffer_copy(buffer, &copy));
  SN_TRY(sn_buffer_equal(buffer, copy, &equal));
  c->codes |= !equal;
  SN_TRY(buffer_change(run, copy, 1, 1));        /* deep: the block does not know */
  SN_TRY(sn_buffer_equal(buffer, copy, &equal));
  c->codes |= equal;
  SN_TRY(sn_buffer_release(copy));
  return sn_buffer_release(buffer);
}

static int doubles(sn_run *run, void *user)
{
  course *c = user;
  sn_buffer *buffer;

  SN_TRY(sn_buffer_read_write(run, c->tensor, 1, &buffer));
  SN_TRY(buffer_change(run, buffer, 2, 0));
  return sn_buffer_release_put(buffer);
}

static int adds(sn_run *run, void *user)
{
  course *c = user;
  sn_buffer *buffer;

  SN_TRY(sn_buffer_acc(run, c->tensor, 1, &buffer));
  SN_TRY(buffer_change(run, buffer, 1, 100));
  return sn_buffer_release_add(buffer);
}

static int temporary(sn_run *run, void *user)
{
  course *c = user;
  const int64_t five = 5;
  sn_buffer *first, *second;

  SN_TRY(sn_buffer_tmp(run, c->tensor, 1, &five, &first));
  SN_TRY(sn_buffer_tmp(run, c->tensor, 1, &five, &second));       /* as many as one likes */
  SN_TRY(buffer_set(run, second, 0, 6));
  SN_TRY(sn_buffer_release(second));
  return c->step == 0 ? sn_buffer_release_put(first)
         : c->step == 1 ? sn_buffer_release_add(first) : sn_buffer_release(first);
}

static void test_cycle(course *c, sn_unit *unit, int declared)
{
  sn_use use = sn_use_block(declared ? SN_ACCESS_WRITE_BUFFER : SN_PERMISSION_WRITE, c->tensor, 1);

  c->codes = 0;
  is_int(run_task(c->engine, unit, "writes", writes, c, &use, 1), SN_OK, "write, %s on %s",
         declared ? "declared" : "on the spot", sn_unit_name(unit));
  is_int(c->seen, 7, "its initial value");
  use.kind = declared ? SN_ACCESS_READ_BUFFER : SN_PERMISSION_READ;
  is_int(run_task(c->engine, unit, "reads", reads, c, &use, 1), SN_OK, "read");
  is_int(c->seen, 7, "what was written");
  use.kind = declared ? SN_ACCESS_READ_WRITE_BUFFER : SN_PERMISSION_WRITE;
  is_int(run_task(c->engine, unit, "doubles", doubles, c, &use, 1), SN_OK, "read_write");
  use.kind = declared ? SN_ACCESS_ACCUMULATE_BUFFER : SN_PERMISSION_ACCUMULATE;
  for (int k = 0; k < 2; k++)
    is_int(run_task(c->engine, unit, "adds", adds, c, &use, 1), SN_OK, "acc");
  is_int(value_of(c->tensor, 1), 214, "written, doubled, added to twice");
  use.kind = SN_PERMISSION_WRITE;
  for (c->step = 0; c->step < 3; c->step++)
    is_int(run_task(c->engine, unit, "temporary", temporary, c, &use, 1), SN_OK, "tmp");
  is_int(value_of(c->tensor, 1), 10, "put, added, given up");
  is_int(c->codes, 0, "all as it should be");
  is_str(sn_engine_error(c->engine), "", "without an error");
}

/* ---- cancellable buffers ---- */

static int gives_up(sn_run *run, void *user)
{
  course *c = user;
  const int64_t seven = 7;
  sn_buffer *buffer, *copy;

  SN_TRY(sn_buffer_cwrite(run, c->tensor, 0, &seven, &buffer));
  SN_TRY(sn_buffer_copy(buffer, &copy));
  SN_TRY(buffer_change(run, copy, 0, 9));
  SN_TRY(sn_buffer_release(buffer));
  c->codes |= sn_buffer_release(buffer) != SN_ESTATE;
  return sn_buffer_release_put(copy);
}

static int gives_up_all(sn_run *run, void *user)
{
  course *c = user;
  sn_buffer *buffer, *other;

  if (c->step == 0) {
    SN_TRY(sn_buffer_cread_write(run, c->tensor, 0, &buffer));
    c->seen = buffer_value(run, buffer, 0);
  } else {
    SN_TRY(sn_buffer_cacc(run, c->tensor, 0, &buffer));
    c->seen = buffer_value(run, buffer, 0);
  }
  SN_TRY(buffer_change(run, buffer, 0, 3));
  if (c->step == 0) {            /* nothing is changed before it is committed */
    SN_TRY(sn_buffer_read(run, c->tensor, 0, &other));
    c->codes |= buffer_value(run, other, 0) != 9;
    SN_TRY(sn_buffer_release(other));
  }
  return c->step == 2 ? SN_OK : sn_buffer_release(buffer);       /* or left: the same */
}

static int commits_twice(sn_run *run, void *user)
{
  course *c = user;
  sn_buffer *buffer, *copy;

  SN_TRY(sn_buffer_cacc(run, c->tensor, 0, &buffer));
  SN_TRY(buffer_set(run, buffer, 0, 1));
  SN_TRY(sn_buffer_copy(buffer, &copy));
  SN_TRY(sn_buffer_release_add(copy));
  c->codes |= sn_buffer_release_add(buffer) != SN_ESTATE;
  return SN_OK;
}

static void test_cancellable(course *c, sn_unit *unit, int declared)
{
  sn_use use = sn_use_block(declared ? SN_ACCESS_WRITE_BUFFER | SN_CANCELLABLE
                                     : SN_PERMISSION_WRITE, c->tensor, 0);

  c->codes = 0;
  is_int(sn_tensor_fill(c->tensor, 1), SN_OK, "ones");
  is_int(run_task(c->engine, unit, "gives_up", gives_up, c, &use, 1), SN_OK,
         "cwrite, %s on %s: a copy is committed", declared ? "declared" : "on the spot",
         sn_unit_name(unit));
  said(c->engine, "'gives_up': release of a cancellable write buffer of A[0]: it was released "
                  "before");
  is_int(value_of(c->tensor, 0), 9, "the copy's value");
  if (declared) use.kind = SN_ACCESS_READ_WRITE_BUFFER | SN_CANCELLABLE;
  for (c->step = 0; c->step < 3; c->step++) {
    is_int(run_task(c->engine, unit, "gives_up_all", gives_up_all, c, &use, 1), SN_OK,
           "given up %d", c->step);
    is_int(c->seen, c->step ? 0 : 9, "what it began with");
    is_int(value_of(c->tensor, 0), 9, "and left as it was");
    if (declared) use.kind = SN_ACCESS_ACCUMULATE_BUFFER | SN_CANCELLABLE;
  }
  is_int(run_task(c->engine, unit, "commits_twice", commits_twice, c, &use, 1), SN_OK,
         "committed once");
  is_int(value_of(c->tensor, 0), 10, "not twice");
  said(c->engine, "'commits_twice': release_add of a cancellable acc buffer of A[0]: it was "
                  "committed before, from another copy");
  is_int(c->codes, 0, "all as it should be");
}

/* ---- a write that is declared and never asked for ---- */

static int looks(sn_run *run, void *user)
{
  course *c = user;
  sn_buffer *buffer;

  SN_TRY(sn_buffer_read(run, c->tensor, 0, &buffer));
  c->seen = buffer_value(run, buffer, 0);
  return sn_buffer_release(buffer);
}

/* Its replica was UNI and is so again: who reads brings the block from home. */
static void test_unexposed(course *c, sn_unit *unit)
{
  sn_use use = sn_use_block(SN_ACCESS_WRITE_BUFFER, c->tensor, 0);
  sn_unit_memory before = SN_UNIT_MEMORY_INIT, after = SN_UNIT_MEMORY_INIT;

  is_int(sn_tensor_fill(c->tensor, 9) | sn_unit_memory_of(unit, &before), SN_OK, "nines");
  is_int(run_task(c->engine, unit, "asks for nothing", do_nothing, c, &use, 1), SN_OK,
         "a write is declared on %s, and canceled", sn_unit_name(unit));
  use.kind = SN_ACCESS_READ_BUFFER;
  is_int(run_task(c->engine, unit, "looks", looks, c, &use, 1), SN_OK, "a read");
  is_int(sn_unit_memory_of(unit, &after), SN_OK, "counted");
  is_int(after.gets - before.gets, sn_unit_index(unit) ? 1 : 0, "Gets");
  is_int(after.puts - before.puts, 0, "Puts");
  is_int(c->seen, 9, "the block as it was");
}

/* ---- what is refused ---- */

static int refused(sn_run *run, void *user)
{
  course *c = user;
  sn_buffer *buffer = NULL, *copy = NULL, *other = NULL;

  switch (c->step) {
  case 0:
    return sn_buffer_read(run, c->tensor, 3, &buffer);
  case 1:
    return sn_buffer_read(run, c->tensor, 99, &buffer);
  case 2:
    return sn_buffer_write(run, c->tensor, 0, NULL, &buffer);
  case 3:                        /* the wrong commit, the right one, another one */
    SN_TRY(sn_buffer_write(run, c->tensor, 2, NULL, &buffer));
    c->seen = sn_buffer_release_add(buffer);
    SN_TRY(buffer_set(run, buffer, 0, 1));
    SN_TRY(sn_buffer_release_put(buffer));
    c->more = sn_buffer_release_put(buffer);
    return sn_buffer_data(buffer) ? SN_EASSERT : SN_OK;
  case 4:
    SN_TRY(sn_buffer_write(run, c->tensor, 2, NULL, &buffer));
    SN_TRY(sn_buffer_copy(buffer, &copy));
    c->seen = sn_buffer_release_put(copy);
    sn_buffer_free(copy);
    c->more = sn_buffer_release(buffer);
    SN_TRY(buffer_set(run, buffer, 0, 4));
    return sn_buffer_release_put(buffer);
  case 5:
    SN_TRY(sn_buffer_tmp(run, c->tensor, 0, NULL, &buffer));
    c->seen = sn_buffer_release_put(buffer);
    c->more = sn_buffer_release_add(buffer);
    return SN_OK;
  case 6:                        /* what is out is not written on the spot; it may be read */
    SN_TRY(sn_buffer_read(run, c->tensor, 2, &buffer));
    c->seen = sn_buffer_write(run, c->tensor, 2, NULL, &other);
    SN_TRY(sn_buffer_release(buffer));
    SN_TRY(sn_buffer_read_write(run, c->tensor, 2, &buffer));
    SN_TRY(buffer_set(run, buffer, 0, 12));
    SN_TRY(sn_buffer_read(run, c->tensor, 2, &other));
    c->more = buffer_value(run, other, 0);
    SN_TRY(sn_buffer_release(other));
    SN_TRY(sn_buffer_acc(run, c->tensor, 2, &other));            /* added after the body */
    SN_TRY(buffer_set(run, other, 0, 30));
    SN_TRY(sn_buffer_release_add(other));
    return sn_buffer_release_put(buffer);
  default:
    return sn_buffer_write(run, c->tensor, 2, NULL, &buffer);    /* and left */
  }
}

static void test_refused(course *c, sn_unit *unit)
{
  static const struct { int code, seen, more; const char *text; } expected[] = {
    { SN_EPERMISSION, 0, 0, "'t0' asks for a read buffer of A[3], which needs read; its permission "
                            "there is nothing" },
    { SN_EBOUNDS, 0, 0, "'t1' asks for block 99 of A, which has blocks 0 to 3" },
    { SN_EPERMISSION, 0, 0, "'t2' asks for a write buffer of A[0], which needs write; its "
                            "permission there is read" },
    { SN_OK, SN_ESTATE, SN_ESTATE, "'t3': release_add of a write buffer of A[2]: it is committed "
                                   "by release_put" },
    { SN_OK, SN_ESTATE, SN_ESTATE, "'t4': release_put of a write buffer of A[2]: only the "
                                   "original can be committed, this is a copy" },
    { SN_OK, SN_EPERMISSION, SN_EPERMISSION, "'t5': release_put of a tmp buffer of A[0]: the task "
                                             "may not write the block" },
    { SN_OK, SN_ESTATE, 12, "'t6' asks to write A[2], of which a buffer is out: release that "
                            "first, or submit a continuation" },
    { SN_ESTATE, 0, 0, "'t7' has ended with an unreleased write: its write buffer of A[2] was "
                       "neither put nor added" }
  };
  sn_use uses[2];

  is_int(sn_tensor_fill(c->tensor, 1), SN_OK, "ones");
  uses[0] = sn_use_block(SN_PERMISSION_READ, c->tensor, 0);
  uses[1] = sn_use_block(SN_PERMISSION_WRITE, c->tensor, 2);
  for (c->step = 0; c->step < 8; c->step++) {
    char name[] = "t0";
    name[1] += (char)c->step;
    c->seen = c->more = 0;
    is_int(run_task(c->engine, unit, name, refused, c, uses, 2), expected[c->step].code,
           "course %d on %s", c->step, sn_unit_name(unit));
    is_int(c->seen, expected[c->step].seen, "a refusal");
    is_int(c->more, expected[c->step].more, "another one");
    said(c->engine, expected[c->step].text);
    if (expected[c->step].code != SN_OK) {       /* it has failed: what it might write is lost */
      is_int(value_of(c->tensor, 2), -1, "lost");
      said(c->engine, "'read' needs A[2], which is lost: the task that wrote it has failed");
      is_int(sn_tensor_fill(c->tensor, 1), SN_OK, "until it is written whole");
    }
    if (c->step == 4) is_int(value_of(c->tensor, 2), 4, "what the original put");
    if (c->step == 6) is_int(value_of(c->tensor, 2), 42, "put, then added to");
  }
  is_int(value_of(c->tensor, 0) + value_of(c->tensor, 2), 2, "and there again");
}

int main(void)
{
  for (int workers = 0; workers < 5; workers = workers ? 2 * workers : 1) {
    sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
    course c;
    options.workers = workers;
    memset(&c, 0, sizeof c);
    if (units_engine(options, &c.engine) != SN_OK) bail("no engine");
    c.tensor = tensor_named(c.engine, "A", 4, 3);
    for (int u = 0; u < UNITS; u++) {
      sn_unit *unit = sn_engine_unit(c.engine, u);
      for (int declared = 0; declared < 2; declared++) {
        test_cycle(&c, unit, declared);
        test_cancellable(&c, unit, declared);
      }
      test_refused(&c, unit);
      test_unexposed(&c, unit);
    }
    is_int(sn_tensor_destroy(c.tensor) | sn_engine_destroy(c.engine), SN_OK, "gone");
  }
  return done_testing();
}
