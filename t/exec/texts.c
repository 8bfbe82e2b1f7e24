/* Texts: the error of an engine is the caller's own copy, and one that is not made has a text too;
 * names and messages are cut between characters; the trace is JSON whatever the names are.
 */
#include <locale.h>
#include <pthread.h>
#include <unistd.h>

#include "runtime/host/base/text.h"

#include "t/exec/course.h"

/* ---- errors ---- */

static void *ask_elsewhere(void *user)
{
  sn_engine *engine = user;
  static char text[512];

  snprintf(text, sizeof text, "%s", sn_engine_error(engine));
  return text;
}

static void make_no_space(sn_engine *engine, int64_t extent)
{
  sn_space *space = NULL;

  if (sn_space_create(engine, extent, 1, &space) == SN_OK) bail("a space that cannot be");
}

static void test_copies(void)
{
  sn_engine *engine = engine_by(NULL);
  const char *text;
  pthread_t thread;
  void *elsewhere = NULL;

  make_no_space(engine, -1);
  text = sn_engine_error(engine);
  is_str(text, "a space of -1 indices in tiles of 1: both are 1 or more", "an error");
  sn_engine_clear(engine);
  make_no_space(engine, -2);
  is_str(text, "a space of -1 indices in tiles of 1: both are 1 or more",
         "its text stands until this thread asks again");
  if (pthread_create(&thread, NULL, ask_elsewhere, engine)) bail("no thread");
  pthread_join(thread, &elsewhere);
  is_str(elsewhere, "a space of -2 indices in tiles of 1: both are 1 or more",
         "another thread has a text of its own");
  is_str(text, "a space of -1 indices in tiles of 1: both are 1 or more", "and this one keeps its");
  ok(sn_engine_error(engine) == text, "which is where the next one goes");
  is_str(text, "a space of -2 indices in tiles of 1: both are 1 or more", "here it is");
  is_int(sn_engine_destroy(engine), SN_OK, "the engine is gone");
  is_str(text, "a space of -2 indices in tiles of 1: both are 1 or more", "the text is not");
}

typedef struct writer { sn_engine *engine; atomic_int is_over; } writer;

static void *fail_and_clear(void *user)
{
  writer *w = user;

  for (int k = 0; k < 2000; k++) {
    make_no_space(w->engine, -1 - k % 2 * 1000000);
    sn_engine_clear(w->engine);
  }
  atomic_store(&w->is_over, 1);
  return NULL;
}

/* Whole texts only, while others write and clear. */
static void test_races(void)
{
  writer w = { engine_by(NULL), 0 };
  pthread_t thread;
  int wrong = 0;

  if (pthread_create(&thread, NULL, fail_and_clear, &w)) bail("no thread");
  while (!atomic_load(&w.is_over)) {
    const char *text = sn_engine_error(w.engine);
    wrong += strcmp(text, "") != 0 &&
             strcmp(text, "a space of -1 indices in tiles of 1: both are 1 or more") != 0 &&
             strcmp(text, "a space of -1000001 indices in tiles of 1: both are 1 or more") != 0;
  }
  pthread_join(thread, NULL);
  is_int(wrong, 0, "no text is half of one and half of another");
  is_int(sn_engine_destroy(w.engine), SN_OK, "gone");
}

/* Makes none, for this reason. */
static void refused(const sn_engine_options *options, int code, const char *text)
{
  sn_engine *engine = NULL;

  is_int(sn_engine_create(options, &engine), code, "no engine");
  is_str(sn_engine_error(NULL), text, "the text");
  ok(engine == NULL, "nothing was put there");
}

static void test_creation(void)
{
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  char text[128];
  sn_engine *engine;

  is_str(sn_engine_error(NULL), "no engine", "at first");
  options.scheduler = "no such";
  refused(&options, SN_EINVAL, "there is no scheduler 'no such', but first, movement, measured");
  options.scheduler = NULL;
  options.most_tasks = -1;
  refused(&options, SN_EINVAL, "at most -1 tasks (most_tasks): below 0");
  options.most_tasks = 0;
  options.memories = -3;
  refused(&options, SN_EINVAL, "-3 memories are wanted");
  options.memories = 0;
  options.devices = 2;
  refused(&options, SN_EDEVICE, "2 devices are wanted, and there are 0: no backend was given");
  options.size = 3;
  snprintf(text, sizeof text, "the options of an engine: its member size is 3, and such a struct "
           "has %zu bytes: begin with its INIT", sizeof options);
  refused(&options, SN_EINVAL, text);
  is_int(sn_engine_create(NULL, NULL), SN_EINVAL, "nowhere to put it");
  is_str(sn_engine_error(NULL), "an engine is made, and the place where to put it is NULL",
         "the text");
  engine = engine_by(NULL);
  is_str(sn_engine_error(NULL), "no engine", "one that was made leaves no text");
  is_int(sn_engine_destroy(engine), SN_OK, "gone");
}

/* ---- names ---- */

/* Whether each character is whole. */
static int is_utf8(const char *text)
{
  char piece[SNI_JSON_BYTES];

  while (*text) {
    sni_text_json(&text, piece);
    if (strcmp(piece, "\\ufffd") == 0) return 0;
  }
  return 1;
}

/* 46 letters, then characters of two bytes: the 47th byte is the middle of one. */
#define LONG_NAME "0123456789012345678901234567890123456789012345\xc3\xa9t\xc3\xa9"
#define CUT_NAME "0123456789012345678901234567890123456789012345"

static const char *file_of(const char *path)
{
  static char text[1 << 16];
  FILE *file = fopen(path, "r");

  text[file ? fread(text, 1, sizeof text - 1, file) : 0] = 0;
  if (file) fclose(file);
  remove(path);
  return text;
}

static void test_names(void)
{
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  sn_queue_options named = SN_QUEUE_OPTIONS_INIT;
  sn_engine *engine;
  sn_tensor *tensor;
  sn_queue *queue;
  char path[64], graph[8192] = "";
  const char *text;

  snprintf(path, sizeof path, "texts-trace-%ld.json", (long)getpid());
  options.trace = path;
  options.workers = 1;
  options.record_graph = 1;
  engine = engine_by(&options);
  tensor = tensor_named(engine, LONG_NAME, 1, 1);
  is_str(sn_tensor_name(tensor), CUT_NAME, "a tensor's name");
  named.name = LONG_NAME;
  is_int(sn_queue_create(sn_engine_unit(engine, 0), &named, &queue), SN_OK, "a queue of that name");
  is_int(sn_queue_fill(queue, sn_span_host(path, 0), 0, NULL), SN_OK, "which does something");
  is_int(run_task(engine, NULL, LONG_NAME, do_nothing, NULL, NULL, 0), SN_OK, "a task");
  is_int(run_task(engine, NULL, "\xe9 of Latin 1", do_nothing, NULL, NULL, 0), SN_OK, "another");
  is_int(sn_engine_graph(engine, collect_text, graph), SN_OK, "the graph");
  ok(strstr(graph, "\"" CUT_NAME "\"") != NULL, "has its name");
  is_int(sn_queue_destroy(queue) | sn_tensor_destroy(tensor) | sn_engine_destroy(engine), SN_OK,
         "gone");
  text = file_of(path);
  ok(is_utf8(text), "the trace is UTF-8");
  ok(strstr(text, "{\"name\":\"" CUT_NAME "\"") != NULL, "with the name, whole characters of it");
  ok(strstr(text, "{\"name\":\"\\ufffd of Latin 1\"") != NULL, "and what is none is replaced");
}

/* A message that is longer than its place. */
static void test_messages(void)
{
  enum { LONG = 3000 };
  sn_engine *engine = engine_by(NULL);
  static char name[LONG + 1];
  const sn_use use = sn_use_block(SN_PERMISSION_READ, NULL, 0);
  sn_task_spec spec = spec_with(name, do_nothing, NULL, &use, 1);

  for (int shift = 0; shift < 3; shift++) {
    memset(name, 'a', LONG);
    for (int k = shift; k + 3 <= LONG; k += 3) memcpy(name + k, "\xe2\x82\xac", 3);
    name[LONG - shift] = 0;
    is_int(sn_task_submit(engine, &spec, NULL), SN_EINVAL, "a use of no tensor");
    ok(is_utf8(sn_engine_error(engine)) && strlen(sn_engine_error(engine)) > 500,
       "a long message, cut behind a character");
    sn_engine_clear(engine);
  }
  is_int(sn_engine_destroy(engine), SN_OK, "gone");
}

/* Numbers have points, whatever the locale has; a locale with commas may be absent. */
static void test_locale(void)
{
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  char path[64];
  sn_engine *engine;
  const char *ts;

  if (!setlocale(LC_NUMERIC, "de_DE.UTF-8")) {
    skip(2, "no locale with commas");
    return;
  }
  snprintf(path, sizeof path, "texts-locale-%ld.json", (long)getpid());
  options.trace = path;
  engine = engine_by(&options);
  is_int(run_task(engine, NULL, "task", do_nothing, NULL, NULL, 0) | sn_engine_destroy(engine),
         SN_OK, "a trace");
  setlocale(LC_NUMERIC, "C");
  ts = strstr(file_of(path), "\"ts\":");
  ok(ts && ts[5 + strspn(ts + 5, "0123456789")] == '.', "its times");
}

int main(void)
{
  test_creation();
  test_copies();
  test_races();
  test_names();
  test_messages();
  test_locale();
  return done_testing();
}
