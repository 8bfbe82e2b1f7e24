/* What t/54-compile.t runs: routines of a `.sn` program, which is compiled here or was linked in;
 * scenario 11 of merge buffers on one unit and between two, modes, refusals.
 */
#include <stdio.h>
#include <string.h>

#include <snode/log.h>
#include <snode/module.h>
#include <snode/program.h>

#include "nodes.h"

enum { RUNS = 100, SIDES = 2, LOG = 1 << 12 };

typedef struct side {            /* a queue with a context of its own family */
  sn_queue *queue;
  sn_context *context;
  sn_routine *add, *set, *fill;
} side;

typedef struct course {
  sn_engine *engine;
  sn_program *program;
  sn_node *p, *q;
  side side[SIDES];
} course;

static int begin_side(course *c, side *s, sn_unit *unit, const char *name)
{
  SN_TRY(sn_queue_create(unit, NULL, &s->queue));
  SN_TRY(sn_context_create_on(unit, NULL, name, &s->context));
  SN_TRY(sn_context_add(s->context, c->p));
  SN_TRY(sn_context_add(s->context, c->q));
  SN_TRY(sn_program_link(c->program, "add", s->context, NULL, &s->add));
  SN_TRY(sn_program_link(c->program, "set", s->context, NULL, &s->set));
  return sn_program_link(c->program, "fill", s->context, NULL, &s->fill);
}

static int forget(sn_routine *routine)
{
  SN_TRY(sn_context_destroy(sn_routine_context(routine)));
  return sn_routine_destroy(routine);
}

static int end_side(side *s)
{
  SN_TRY(sn_queue_await(s->queue));
  SN_TRY(forget(s->add));
  SN_TRY(forget(s->set));
  SN_TRY(forget(s->fill));
  SN_TRY(sn_context_destroy(s->context));
  return sn_queue_destroy(s->queue);
}

/* p[i] = (i + 1) * by */
static int give(side *s, int64_t by)
{
  SN_TRY(sn_routine_set_index(s->fill, "by", by));
  return sn_routine_schedule(s->fill, s->queue, NULL);
}

static int set(side *s, int64_t value)
{
  SN_TRY(sn_routine_set_index(s->set, "value", value));
  return sn_routine_schedule(s->set, s->queue, NULL);
}

static int fetch(course *c, side *s, float out[3])
{
  void *data;

  SN_TRY(sn_context_to_host(s->context, c->p, s->queue, NULL, NULL));
  SN_TRY(sn_node_acquire(c->p, 0, &data));
  memcpy(out, data, 3 * sizeof *out);
  return sn_node_release(c->p);
}

static int show(course *c, side *s, const char *what)
{
  float p[3];
  sn_merge_info info = SN_MERGE_INFO_INIT;

  SN_TRY(fetch(c, s, p));
  SN_TRY(sn_queue_merge_info(s->queue, &info));
  printf("%s: %g %g %g, %llu bytes, %llu allocations\n", what, (double)p[0], (double)p[1],
         (double)p[2], (unsigned long long)info.copied, (unsigned long long)info.allocations);
  return SN_OK;
}

static int refused(course *c, int code)
{
  printf("%s: %s\n", sn_strerror(code), sn_engine_error(c->engine));
  sn_engine_clear(c->engine);
  return code == SN_OK;
}

static int copies(course *c)
{
  side *mine = &c->side[0], *theirs = &c->side[1];

  SN_TRY(give(mine, 1));
  SN_TRY(give(theirs, 10));
  SN_TRY(refused(c, sn_routine_schedule(mine->add, mine->queue, NULL)));
  SN_TRY(sn_queue_merge(mine->queue, theirs->context, c->p, NULL));
  SN_TRY(set(theirs, 100));              /* too late to be seen */
  SN_TRY(sn_routine_schedule(mine->add, mine->queue, NULL));
  SN_TRY(show(c, mine, "copied"));
  SN_TRY(sn_queue_merge(mine->queue, theirs->context, c->q, NULL));
  SN_TRY(refused(c, sn_routine_schedule(mine->add, mine->queue, NULL)));
  SN_TRY(sn_queue_merge(mine->queue, theirs->context, c->p, NULL));
  return show(c, mine, "five elements and back");
}

/* What overwrites the source right behind the call does not reach the consumer. */
static int streams(course *c)
{
  side *mine = &c->side[0], *theirs = &c->side[1];
  int copied = -1, wrong = 0;
  float p[3];

  for (int k = 0; k < RUNS; k++) {
    SN_TRY(give(mine, 1));
    SN_TRY(give(theirs, 10));
    SN_TRY(sn_queue_merge_streaming(mine->queue, theirs->context, c->p, mine->add, &copied, NULL));
    SN_TRY(set(theirs, 100));
    SN_TRY(fetch(c, mine, p));
    wrong += (int)p[0] != 11 || (int)p[1] != 22 || (int)p[2] != 33;
  }
  printf("streamed %d times, %d wrong, copied %d\n", RUNS, wrong, copied);
  return show(c, mine, "then");
}

static void print(void *user, const char *text)
{
  (void)user;
  fputs(text, stdout);
}

static int link_refused(course *c, const char *kernel)
{
  sn_routine *routine = NULL;

  return refused(c, sn_program_link(c->program, kernel, c->side[0].context, NULL, &routine));
}

static int refusals(course *c)
{
  static const char *const kernels[] = { "total", "scale", "noise", "touch", "pair", "swap",
                                         "none" };

  for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++)
    SN_TRY(link_refused(c, kernels[k]));
  SN_TRY(refused(c, sn_program_node(c->program, "sparse") ? SN_OK : SN_EINVAL));
  SN_TRY(refused(c, sn_program_node(c->program, "nothing") ? SN_OK : SN_EINVAL));
  SN_TRY(sn_routine_set_index(c->side[0].fill, "by", INT64_C(1) << 40));
  SN_TRY(sn_routine_schedule(c->side[0].fill, c->side[0].queue, NULL));
  SN_TRY(refused(c, sn_queue_await(c->side[0].queue)));
  return refused(c, sn_program_destroy(c->program));
}

static int modes(course *c)
{
  static const char *const fields[] = { "p", "common", "own", "fixed", "kept" };

  for (size_t k = 0; k < sizeof fields / sizeof *fields; k++) {
    sn_node *node = sn_program_node(c->program, fields[k]);
    printf("%s, %lld elements\n", sn_node_name(node), (long long)sn_node_elements(node));
    SN_TRY(sn_node_explain(node, print, NULL));
  }
  return refused(c, sn_node_set_sharing(sn_program_node(c->program, "common"),
                                        SN_SHARING_PER_QUEUE, "a test"));
}

/* The lines of a run, without what it was given: addresses. */
static void show_log(const char *who, const char *log)
{
  while (*log) {
    const size_t length = strcspn(log, "\n");
    if (!strstr(log, " = 0x") || strstr(log, " = 0x") > log + length)
      printf("%s: %.*s\n", who, (int)length, log);
    log += length + (log[length] == '\n');
  }
}

static void collect(void *user, const char *text)
{
  strncat(user, text, LOG - 1 - strlen(user));
}

/* Two runs at once, each with its log; by way of stdout, and beside what others write there. */
static int logs(course *c, int by_stdout)
{
  static char log[SIDES][LOG];
  sn_capture *capture = NULL;

  if (by_stdout) SN_TRY(sn_capture_create(&capture));
  for (int k = 0; k < SIDES; k++) SN_TRY(give(&c->side[k], 1 + 9 * k));
  for (int k = 0; k < SIDES; k++) {
    side *s = &c->side[k];
    SN_TRY(sn_queue_merge(s->queue, c->side[1 - k].context, c->p, NULL));
    SN_TRY(sn_routine_set_log(s->add, capture, collect, log[k]));
  }
  for (int k = 0; k < SIDES; k++) SN_TRY(sn_queue_await(c->side[k].queue));
  for (int k = 0; k < SIDES; k++)
    SN_TRY(sn_routine_schedule(c->side[k].add, c->side[k].queue, NULL));
  for (int k = 0; k < SIDES; k++) SN_TRY(sn_queue_await(c->side[k].queue));
  SN_TRY(sn_capture_destroy(capture));
  for (int k = 0; k < SIDES; k++) show_log(k ? "right" : "left", log[k]);
  return SN_OK;
}

/* A trap's text is the engine's. */
static int traps(course *c)
{
  side *s = &c->side[0];
  sn_routine *far;

  SN_TRY(sn_program_link(c->program, "far", s->context, NULL, &far));
  SN_TRY(sn_routine_set_index(far, "i", 2));
  SN_TRY(sn_routine_schedule(far, s->queue, NULL));
  SN_TRY(sn_queue_await(s->queue));
  SN_TRY(sn_routine_set_index(far, "i", 3));
  SN_TRY(sn_routine_schedule(far, s->queue, NULL));
  SN_TRY(refused(c, sn_queue_await(s->queue)));
  SN_TRY(sn_routine_explain(far, print, NULL));
  return forget(far);
}

static int run(course *c, const char *step, int units[SIDES])
{
  int code = SN_OK;

  c->p = sn_program_node(c->program, "p");
  c->q = sn_program_node(c->program, "q");
  for (int k = 0; k < SIDES; k++)
    SN_TRY(begin_side(c, &c->side[k], sn_engine_unit(c->engine, units[k]), k ? "right" : "left"));
  if (strcmp(step, "merge") == 0) {
    SN_TRY(copies(c));
    code = streams(c);
  } else if (strcmp(step, "modes") == 0) {
    code = modes(c);
  } else if (strcmp(step, "log") == 0 || strcmp(step, "stdout") == 0) {
    code = logs(c, step[0] == 's');
  } else {
    SN_TRY(refusals(c));
    code = traps(c);
  }
  for (int k = 0; k < SIDES; k++)
    SN_TRY(end_side(&c->side[k]));
  return code;
}

/* STEP UNIT UNIT [SOURCE]: the source is compiled; without it what is linked in is taken. */
int main(int count, char **arguments)
{
  static char text[1 << 16];
  course c = { NULL, NULL, NULL, NULL, { { NULL, NULL, NULL, NULL, NULL } } };
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  FILE *file = count > 4 ? fopen(arguments[4], "r") : NULL;
  int units[SIDES], code;

  if (count < 4) return 2;
  for (int k = 0; k < SIDES; k++) units[k] = arguments[2 + k][0] - '0';
  options.workers = 0;
  options.memories = 1;
  options.backend = nodes_module()->backend;
  options.devices = options.backend->devices() > 2 ? 2 : options.backend->devices();
  if (sn_engine_create(&options, &c.engine) != SN_OK) return 2;
  if (file && fread(text, 1, sizeof text - 1, file)) {
    fclose(file);
    code = sn_program_compile(c.engine, text, "nodes", NULL, &c.program);
  } else {
    code = sn_program_create(c.engine, nodes_routines(), &c.program);
  }
  if (code == SN_OK) code = run(&c, arguments[1], units);
  if (code == SN_OK) code = sn_program_destroy(c.program);
  if (code != SN_OK) printf("%s: %s\n", sn_strerror(code), sn_engine_error(c.engine));
  else code = sn_engine_destroy(c.engine);
  return code != SN_OK;
}
