/* What t/54-compile.t runs: one step, with compilers from the environment; prints what came.
 *
 *   steps STEP [ignored | reaped | inside]     what the program does with its children; where it
 *                                              compiles
 */
#ifndef _GNU_SOURCE
# define _GNU_SOURCE 1
#endif
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include <snode/compile.h>

enum { ENTRIES = 3 };

static const char *const text[ENTRIES] = {
  "#include <snode/routine.h>\n"
  "int fill(const sn_arguments *a) {\n"
  "  for (int k = 0; k < 3; k++) ((float *)a->arrays[0])[k] = 1.5f; return 0; }\n",
  "#include <snode/routine.h>\n"
  "int spoil(const sn_arguments *a) { ((float *)a->arrays[0])[0] = -1; return 0; }\n",
  "#include <snode/routine.h>\n"
  "int twice(const sn_arguments *a) {\n"
  "  for (int k = 0; k < 3; k++) ((float *)a->arrays[0])[k] *= 2; return 0; }\n",
};

static const char program[] =
  "param f32 GAIN = 1;\n"
  "kernel void scale(inout f32 x[n], f32 by) { foreach (i in 0 .. n) x[i] = GAIN * by * x[i]; }\n";

static int without_spoil(void *user, const char *entry)
{
  (void)user;
  return strcmp(entry, "spoil") != 0;
}

typedef struct course {
  sn_engine *engine;
  sn_queue *queue;
  sn_node *x;
  sn_context *context;
  sn_node_use write, change;
  sn_entry entries[ENTRIES];
  sn_code *code;
} course;

static int begin(course *c)
{
  static const sn_entry standard = SN_ENTRY_INIT;
  static const char *const name[ENTRIES] = { "fill", "spoil", "twice" };

  SN_TRY(sn_engine_create(NULL, &c->engine));
  SN_TRY(sn_queue_create(sn_engine_unit(c->engine, 0), NULL, &c->queue));
  SN_TRY(sn_node_create(c->engine, "x", SN_TYPE_F32, 3, NULL, &c->x));
  SN_TRY(sn_context_create_on(sn_engine_unit(c->engine, 0), NULL, NULL, &c->context));
  c->write.kind = SN_NODE_WRITE;
  c->change.kind = SN_NODE_READ_WRITE;
  c->write.node = c->change.node = c->x;
  for (int k = 0; k < ENTRIES; k++) {
    c->entries[k] = standard;
    c->entries[k].name = name[k];
    c->entries[k].uses = k ? &c->change : &c->write;
    c->entries[k].use_count = 1;
  }
  return SN_OK;
}

static int end(course *c)
{
  SN_TRY(sn_queue_destroy(c->queue));
  SN_TRY(sn_context_destroy(c->context));
  SN_TRY(sn_node_destroy(c->x));
  return sn_engine_destroy(c->engine);
}

/* All routines of the code, in order; x afterwards. */
static int run(course *c, sn_code *code)
{
  sn_routine *routine[ENTRIES] = { NULL, NULL, NULL };
  sn_span span;

  SN_TRY(sn_code_link_all(code, c->context, NULL, routine));
  for (int k = 0; k < sn_code_entries(code); k++)
    if (routine[k]) SN_TRY(sn_routine_schedule(routine[k], c->queue, NULL));
  SN_TRY(sn_queue_await(c->queue));
  SN_TRY(sn_context_array(sn_routine_context(routine[0]), c->x, &span));
  printf("routines %d %d %d: %g\n", routine[0] != NULL, routine[1] != NULL, routine[2] != NULL,
         (double)((float *)span.data)[1]);
  for (int k = ENTRIES - 1; k >= 0; k--)
    if (routine[k]) {
      SN_TRY(sn_context_destroy(sn_routine_context(routine[k])));
      SN_TRY(sn_routine_destroy(routine[k]));
    }
  return SN_OK;
}

static int compile(course *c, const char *name, sn_code **code)
{
  static char long_name[5001];
  static const char *const given[] = { "-DGAIN=2", "-O1", "--bounds=none" };
  static const char *const wrong[] = { "-O1", "--trace", "--emit=ir" };
  const char *texts[ENTRIES] = { text[0], text[1], text[2] };
  sn_source source = SN_SOURCE_INIT;
  sn_compiler compiler = SN_COMPILER_INIT;
  int count = ENTRIES;

  source.texts = texts;
  source.occupancy = without_spoil;
  if (strcmp(name, "device") == 0) compiler.device = "another";
  if (strcmp(name, "forged") == 0) compiler.device = "\nflag -DOTHER";
  if (strcmp(name, "mistake") == 0) texts[2] = "int twice(void) {\n  return nothing;\n}\n";
  if (strcmp(name, "other") == 0) texts[2] = "int thrice(void) { return 0; }\n";
  if (strcmp(name, "folder") == 0) compiler.cache = "there/is/none";
  if (strcmp(name, "absent") == 0) compiler.cc = "no-such-compiler";
  if (strcmp(name, "name") == 0) c->entries[0].name = "no name";
  if (strcmp(name, "before") == 0) {     /* what lies behind a smaller size is no caller's */
    compiler.size = offsetof(sn_compiler, cache);
    memset((char *)&compiler + compiler.size, 0xa5, sizeof compiler - compiler.size);
    source.size = offsetof(sn_source, occupancy);
    memset((char *)&source + source.size, 0xa5, sizeof source - source.size);
  }
  memset(long_name, 'p', sizeof long_name - 1);
  if (strcmp(name, "cut") == 0) {
    memcpy(long_name + 59, "\xc3\xa9", 2);       /* a character, of which the 60th byte is half */
    compiler.cache = long_name;
  }
  if (strcmp(name, "long") == 0) {
    source.program = program;
    source.program_name = long_name;
  }
  if (strcmp(name, "program") == 0 || strcmp(name, "given") == 0 || strcmp(name, "wrong") == 0) {
    compiler.options = strcmp(name, "wrong") == 0 ? wrong : given;
    compiler.option_count = strcmp(name, "program") == 0 ? 0 : 3;
    source.program = program;
    source.program_name = "tune";
    texts[2] = "#include \"tune.h\"\n#include <snode/routine.h>\n"
               "int twice(const sn_arguments *a) {\n"
               "  return tune_scale(a->context, a->arrays[0], 3, 4.0f); }\n";
  }
  return sn_code_compile(c->engine, c->entries, count, &source, &compiler, code);
}

/* ---- what the program makes of its children and signals meanwhile ---- */

static atomic_int is_over;

/* Waits for every child of the process, so that nobody else learns how one has ended. */
static void *reap(void *none)
{
  while (!atomic_load(&is_over))
    if (wait(NULL) < 0) sched_yield();
  return none;
}

typedef struct inside { course *c; const char *name; } inside;

static int step_inside(void *user, int device)
{
  const inside *in = user;

  (void)device;
  return compile(in->c, in->name, &in->c->code);
}

/* In the thread of a queue, where signals are blocked. */
static int compile_inside(course *c, const char *name)
{
  inside in = { c, name };
  sn_event *done = NULL;
  int code;

  SN_TRY(sn_queue_submit(c->queue, step_inside, &in, &done));
  code = sn_event_await(done);
  sn_event_release(done);
  (void)!sn_queue_await(c->queue);       /* which tells it too */
  return code;
}

static int step(course *c, const char *name, const char *how)
{
  pthread_t reaper;
  int code;

  if (strcmp(how, "ignored") == 0) signal(SIGCHLD, SIG_IGN);
  if (strcmp(how, "reaped") == 0 && pthread_create(&reaper, NULL, reap, NULL)) return SN_ENOMEM;
  code = strcmp(how, "inside") == 0 ? compile_inside(c, name) : compile(c, name, &c->code);
  if (strcmp(how, "reaped") == 0) {
    atomic_store(&is_over, 1);
    pthread_join(reaper, NULL);
  }
  SN_TRY(code);
  SN_TRY(run(c, c->code));
  return sn_code_destroy(c->code);
}

int main(int count, char **arguments)
{
  course c;
  int code;

  memset(&c, 0, sizeof c);
  if (count < 2 || count > 3 || begin(&c) != SN_OK) return 2;
  code = step(&c, arguments[1], count == 3 ? arguments[2] : "");
  if (code != SN_OK) printf("%s\n%s\n", sn_strerror(code), sn_engine_error(c.engine));
  return end(&c) != SN_OK;
}
