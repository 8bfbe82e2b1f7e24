/* What an engine is given is the caller's again when it is made; and an engine whose trace cannot
 * be written ends all the same.
 */
#include <unistd.h>

#include "t/exec/course.h"

static char *copy_of(const char *text)
{
  char *copy = malloc(strlen(text) + 1);

  if (!copy) bail("no memory");
  return strcpy(copy, text);
}

/* The text is gone, and what lies there is another one. */
static void take_back(char *text)
{
  memset(text, 'X', strlen(text));
  free(text);
}

static int names_trace(const char *path)
{
  char text[4096];
  FILE *file = fopen(path, "r");

  text[file ? fread(text, 1, sizeof text - 1, file) : 0] = 0;
  if (file) fclose(file);
  remove(path);
  return strstr(text, "\"traceEvents\"") != NULL && strstr(text, "a task") != NULL;
}

static void test_trace(void)
{
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  sn_engine *engine;
  char path[64], *given;

  snprintf(path, sizeof path, "ends-trace-%ld.json", (long)getpid());
  options.trace = given = copy_of(path);
  engine = engine_by(&options);
  take_back(given);
  is_int(run_task(engine, NULL, "a task", do_nothing, NULL, NULL, 0), SN_OK, "a task");
  is_int(sn_engine_destroy(engine), SN_OK, "the path of the trace was copied");
  ok(names_trace(path), "the trace is there");
}

/* ---- schedulers ---- */

static double last_unit(const sn_ready *task, const sn_unit *unit)
{
  (void)task;
  return -sn_unit_index(unit);
}

static int notes_unit(sn_run *run, void *user)
{
  *(int *)user = sn_unit_index(sn_run_unit(run));
  return SN_OK;
}

static void test_scheduler(int own)
{
  sn_scheduler *given = malloc(sizeof *given);
  char *name = copy_of(own ? "the last unit" : "movement");
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  sn_engine *engine;
  int unit = -1;

  if (!given) bail("no memory");
  memset(given, 0, sizeof *given);
  given->name = name;
  given->cost = last_unit;
  options.memories = 2;
  options.scheduler = own ? NULL : name;
  options.own_scheduler = own ? given : NULL;
  engine = engine_by(&options);
  take_back(name);
  memset(given, 0, sizeof *given);
  free(given);
  is_int(run_task(engine, NULL, "a task", notes_unit, &unit, NULL, 0), SN_OK, "%s",
         own ? "a scheduler of its own" : "a scheduler by name");
  if (own) is_int(unit, 2, "which says where");
  is_int(sn_engine_destroy(engine), SN_OK, "gone");
}

/* ---- a trace that goes nowhere ---- */

static void test_lost(const char *path, const char *reason)
{
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  char text[256];
  sn_engine *engine, *next;
  sn_space *space = NULL;

  options.trace = path;
  engine = engine_by(&options);
  is_int(run_task(engine, NULL, "a task", do_nothing, NULL, NULL, 0), SN_OK, "a task");
  is_int(sn_space_create(engine, 0, 1, &space), SN_EINVAL, "and an error");
  is_int(sn_engine_write_trace(engine, path), SN_EIO, "a trace that cannot be written");
  is_int(sn_engine_destroy(engine), SN_EIO, "the end of the engine says so");
  snprintf(text, sizeof text, "the trace is not written: %s: %s", path, reason);
  is_str(sn_engine_error(engine), text, "whose handle has the text");
  next = engine_by(NULL);
  ok(next != engine, "nobody else has the handle");
  is_int(sn_engine_destroy(engine), SN_OK, "until it is destroyed again");
  is_int(sn_engine_destroy(next), SN_OK, "the other is another");
}

int main(void)
{
  test_trace();
  test_scheduler(0);
  test_scheduler(1);
  test_lost("no-such-folder/trace.json", "No such file or directory");
  if (access("/dev/full", W_OK) == 0) test_lost("/dev/full", "No space left on device");
  return done_testing();
}
