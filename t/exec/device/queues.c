/* Engines, units, queues, events: order and waiting inside a queue (scenario 10), transfers,
 * errors, misuse; on home and on four more units.
 */
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "t/exec/units/units.h"

#include "t/tap.h"

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void nap(long milliseconds)
{
  struct timespec t = { milliseconds / 1000, milliseconds % 1000 * 1000000 };
  nanosleep(&t, NULL);
}

static sn_engine *engine_of_five(void)
{
  const sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  sn_engine *engine = NULL;

  is_int(units_engine(options, &engine), SN_OK, "an engine of five units, %d of them devices",
         units_devices());
  return engine;
}

static sn_queue *queue_of(sn_unit *unit, int immediate)
{
  sn_queue_options options = SN_QUEUE_OPTIONS_INIT;
  sn_queue *queue = NULL;

  options.immediate = immediate;
  is_int(sn_queue_create(unit, &options, &queue), SN_OK, "a queue of %s", sn_unit_name(unit));
  return queue;
}

/* ---- units ---- */

static void test_units(sn_engine *engine)
{
  const int memories = UNITS - 1 - units_devices();
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  sn_engine *other = NULL;

  is_int(sn_engine_unit_count(engine), UNITS, "units");
  is_str(sn_unit_name(sn_engine_unit(engine, 0)), "host", "the first");
  ok(sn_engine_unit(engine, UNITS) == NULL, "none beyond");
  for (int u = 1; u < UNITS; u++) {
    char name[32];
    sn_unit *unit = sn_engine_unit(engine, u);
    const int is_memory = u <= memories;
    snprintf(name, sizeof name, is_memory ? "memory %d" : "device %d",
             is_memory ? u : u - memories - 1);
    is_str(sn_unit_name(unit), name, "a further one");
    is_int(sn_unit_kind_of(unit), is_memory ? SN_UNIT_MEMORY : SN_UNIT_DEVICE, "its kind");
    is_int(sn_unit_device(unit), is_memory ? 0 : u - memories, "as a span names it");
  }
  options.memories = 2;
  is_int(sn_engine_create(&options, &other), SN_OK, "an engine with two memories");
  is_int(sn_engine_unit_count(other), 3, "its units");
  is_int(sn_engine_destroy(other), SN_OK, "gone");
}

/* ---- scenario 10: first in, first out; events ---- */

enum { MOST = 1000 };
static int operations;           /* MOST, or fewer */

typedef struct story {
  atomic_int gate;               /* the kernel ends when it is open, */
  int gave_up;                   /* or after a minute */
  void *x, *y;                   /* a 64-bit integer in each unit's memory */
  int order[MOST];
  atomic_int count;
} story;

static int held_x(void *user, int device)
{
  story *s = user;

  for (int turn = 0; turn < 60000 && !atomic_load(&s->gate); turn++) nap(1);
  s->gave_up = !atomic_load(&s->gate);
  return units_change(device, s->x, 1, 0, 1);
}

typedef struct step { story *story; int number; } step;

static int append(void *user, int device)
{
  const step *s = user;
  (void)device;
  s->story->order[atomic_fetch_add(&s->story->count, 1)] = s->number;
  return SN_OK;
}

static int adds_one(void *user, int device)
{
  return units_change(device, ((story *)user)->y, 1, 1, 1);
}

static sn_span one_of(void *data, sn_unit *unit)
{
  const sn_span span = { data, sizeof(int64_t), sn_unit_device(unit) };
  return span;
}

static void begin_story(story *s, sn_unit *a, sn_unit *b, int is_open)
{
  const int64_t zero = 0;
  int code;

  memset(s, 0, sizeof *s);
  atomic_store(&s->gate, is_open);
  code = units_alloc(sn_unit_device(a), sizeof zero, &s->x);
  code |= units_alloc(sn_unit_device(b), sizeof zero, &s->y);
  code |= units_put(sn_unit_device(a), s->x, &zero, sizeof zero);
  code |= units_put(sn_unit_device(b), s->y, &zero, sizeof zero);
  if (code != SN_OK) bail("no memory");
}

/* Queue a: a kernel x = 1, a thousand operations, an event.  Queue b: waits for it, y = x + 1.
 * The kernel is held until all of it is enqueued: whatever waits for it meanwhile waits until it
 * gives up. */
static void test_order(sn_unit *a_unit, sn_unit *b_unit, int immediate)
{
  static step steps[MOST];
  static story s;
  sn_queue *a = queue_of(a_unit, immediate), *b = queue_of(b_unit, immediate);
  sn_event *event = NULL;
  int64_t y = 0;
  int done = -1, wrong = 0, codes = 0, idle = 0, ran;
  double began;

  begin_story(&s, a_unit, b_unit, immediate);
  began = now();
  codes |= sn_queue_submit(a, held_x, &s, NULL);
  for (int k = 0; k < operations; k++) {
    steps[k].story = &s;
    steps[k].number = k;
    codes |= sn_queue_submit(a, append, &steps[k], NULL);
  }
  codes |= sn_queue_record(a, &event);
  codes |= sn_event_is_done(event, &done);
  codes |= sn_queue_wait(b, event);
  codes |= sn_queue_copy(b, one_of(s.y, b_unit), one_of(s.x, a_unit), NULL, NULL);
  codes |= sn_queue_submit(b, adds_one, &s, NULL);
  diag("all of it submitted in %.1f ms", 1e3 * (now() - began));
  ran = atomic_load(&s.count);
  atomic_store(&s.gate, 1);
  is_int(codes, SN_OK, "all is enqueued, on %s and %s%s", sn_unit_name(a_unit),
         sn_unit_name(b_unit), immediate ? ", at once" : "");
  is_int(done, immediate, immediate ? "done at once" : "not done yet");
  is_int(ran, immediate ? operations : 0, immediate ? "all has run" : "nothing has run yet");
  is_int(sn_queue_await(b), SN_OK, "the other queue");
  is_int(units_get(sn_unit_device(b_unit), &y, s.y, sizeof y), SN_OK, "y");
  is_int(y, 2, "which waited for the event inside");
  is_int(sn_event_is_done(event, &done) | !done, 0, "the event is done");
  is_int(sn_event_await(event), SN_OK, "awaited by the host");
  is_int(sn_event_await(event), SN_OK, "and again");
  is_int(s.gave_up, 0, "no call waited for the kernel");
  is_int(atomic_load(&s.count), operations, "all ran");
  for (int k = 0; k < operations; k++) wrong += s.order[k] != k;
  is_int(wrong, 0, "in order");
  is_int(sn_unit_is_idle(a_unit, &idle) | !idle, 0, "the unit is idle");
  is_int(sn_engine_await(sn_unit_engine(a_unit)), SN_OK, "so is the engine");
  sn_event_release(event);
  is_int(sn_queue_destroy(a) | sn_queue_destroy(b), SN_OK, "queues gone");
  units_free(sn_unit_device(a_unit), s.x);
  units_free(sn_unit_device(b_unit), s.y);
}

/* ---- transfers ---- */

static void *allocate(sn_unit *unit, size_t bytes)
{
  void *data = NULL;

  if (units_alloc(sn_unit_device(unit), bytes, &data) != SN_OK) bail("no memory");
  return data;
}

static sn_span span_of(sn_unit *unit, void *data, size_t bytes)
{
  const sn_span span = { data, bytes, sn_unit_device(unit) };
  return span;
}

/* Host, unit, other unit, host: the same bytes. */
static void test_transfers(sn_unit *unit, sn_unit *other)
{
  enum { BYTES = 100003 };
  static uint8_t from[BYTES], to[BYTES];
  sn_queue *queue = queue_of(unit, 0);
  void *a = allocate(unit, BYTES), *b = allocate(other, BYTES);
  int moved = -1, same = -1, codes = 0, wrong = 0;
  sn_span part = span_of(other, b, 7);

  for (int k = 0; k < BYTES; k++) from[k] = (uint8_t)(k * 7 + k / 251);
  codes |= sn_queue_copy(queue, span_of(unit, a, BYTES), sn_span_host(from, BYTES), &moved, NULL);
  codes |= sn_queue_copy(queue, span_of(other, b, BYTES), span_of(unit, a, BYTES), NULL, NULL);
  codes |= sn_queue_copy(queue, span_of(other, b, BYTES), span_of(other, b, BYTES), &same, NULL);
  codes |= sn_queue_fill(queue, part, 0xab, NULL);
  codes |= sn_queue_copy(queue, sn_span_host(to, BYTES), span_of(other, b, BYTES), NULL, NULL);
  is_int(codes | sn_queue_await(queue), SN_OK, "%s to %s and back", sn_unit_name(unit),
         sn_unit_name(other));
  is_int(moved, 1, "something moved");
  is_int(same, 0, "onto itself: nothing");
  for (int k = 0; k < BYTES; k++) wrong += to[k] != (k < 7 ? 0xab : from[k]);
  is_int(wrong, 0, "every byte");
  is_int(sn_queue_copy(queue, span_of(other, b, 5), sn_span_host(from, 6), NULL, NULL), SN_EINVAL,
         "of two lengths");
  part.device = 99;
  is_int(sn_queue_fill(queue, part, 0, NULL), SN_EINVAL, "a device that is not there");
  is_int(sn_queue_destroy(queue), SN_OK, "queue gone");
  units_free(sn_unit_device(unit), a);
  units_free(sn_unit_device(other), b);
}

/* ---- errors ---- */

static int fails(void *user, int device)
{
  (void)user;
  (void)device;
  return SN_EASSERT;
}

static int counts(void *user, int device)
{
  (void)device;
  atomic_fetch_add((atomic_int *)user, 1);
  return SN_OK;
}

static void test_errors(sn_unit *unit, sn_unit *other_unit, int immediate)
{
  sn_queue *queue = queue_of(unit, immediate), *other = queue_of(other_unit, immediate);
  sn_event *event = NULL, *later = NULL;
  atomic_int ran = 0;
  char text[128];

  sn_engine_clear(sn_unit_engine(unit));
  is_int(sn_queue_submit(queue, fails, NULL, &event), SN_OK, "work that will fail");
  is_int(sn_event_await(event), SN_EASSERT, "its event says so");
  snprintf(text, sizeof text, ": work has failed: %s", sn_strerror(SN_EASSERT));
  ok(strstr(sn_engine_error(sn_unit_engine(unit)), text) != NULL, "and the engine's text: %s",
     sn_engine_error(sn_unit_engine(unit)));
  is_int(sn_queue_submit(other, counts, &ran, NULL), SN_OK, "another queue does not know");
  is_int(sn_queue_submit(queue, counts, &ran, &later), SN_EASSERT,
         "the next call on the queue does");
  is_int(sn_queue_submit(queue, counts, &ran, &later), SN_OK, "once");
  is_int(sn_event_await(later), SN_OK, "and work goes on");
  is_int(sn_event_await(event), SN_EASSERT, "the event keeps its code");
  is_int(sn_queue_submit(queue, fails, NULL, NULL), SN_OK, "another one");
  is_int(sn_queue_destroy(queue), SN_EASSERT, "what was not told is told at the end");
  is_int(sn_queue_destroy(other), SN_OK, "the other queue is clean");
  is_int(atomic_load(&ran), 2, "what was refused did not run");
  sn_event_release(event);
  sn_event_release(later);
}

static int slow(void *user, int device)
{
  (void)user;
  (void)device;
  nap(20);
  return SN_OK;
}

typedef struct inside {
  sn_engine *engine;
  sn_unit *unit;
  sn_queue *queue;
  sn_event *event;
  int codes[4];
} inside;

static int misuses(void *user, int device)
{
  inside *in = user;
  (void)device;
  in->codes[0] = sn_queue_await(in->queue);
  in->codes[1] = sn_engine_await(in->engine);
  in->codes[2] = sn_unit_await(in->unit);
  in->codes[3] = sn_event_await(in->event);
  return SN_OK;
}

static void test_misuse(sn_engine *engine, sn_engine *foreign)
{
  sn_unit *unit = sn_engine_unit(engine, 0);
  sn_queue *queue = queue_of(unit, 0), *theirs = queue_of(sn_engine_unit(foreign, 0), 0);
  sn_event *event = NULL;
  inside in = { engine, unit, queue, NULL, { 0 } };

  sn_engine_clear(engine);               /* of what the tests before left */
  is_int(sn_queue_submit(queue, NULL, NULL, NULL), SN_EINVAL, "no work");
  is_int(sn_queue_submit(NULL, counts, NULL, NULL), SN_EINVAL, "no queue");
  is_int(sn_queue_create(NULL, NULL, &queue), SN_EINVAL, "no unit");
  is_int(sn_event_await(NULL), SN_EINVAL, "no event");
  is_int(sn_queue_submit(theirs, slow, NULL, &in.event), SN_OK, "work that takes its time");
  is_int(sn_queue_submit(queue, misuses, &in, &event), SN_OK, "work that waits for itself");
  is_int(sn_event_await(event), SN_OK, "ends");
  is_int(in.codes[0], SN_ESTATE, "its queue");
  is_int(in.codes[1], SN_ESTATE, "its engine");
  is_int(in.codes[2], SN_ESTATE, "its unit");
  is_int(in.codes[3], SN_OK, "another engine's event may be awaited");
  ok(strstr(sn_engine_error(engine), "waits for") != NULL, "the text: %s", sn_engine_error(engine));
  is_int(sn_queue_wait(queue, in.event), SN_EINVAL, "a queue waits for its own engine's events");
  is_int(sn_engine_destroy(engine), SN_ESTATE, "an engine in use stays");
  sn_engine_clear(engine);
  is_str(sn_engine_error(engine), "", "cleared");
  sn_event_release(in.event);
  sn_event_release(event);
  is_int(sn_queue_destroy(queue) | sn_queue_destroy(theirs), SN_OK, "queues gone");
}

static void test_creation(void)
{
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  sn_engine *engine = NULL;

  is_int(sn_engine_create(NULL, NULL), SN_EINVAL, "nowhere to put it");
  options.size = 3;
  is_int(sn_engine_create(&options, &engine), SN_EINVAL, "options of another size");
  options.size = sizeof options;
  options.devices = 1;
  is_int(sn_engine_create(&options, &engine), SN_EDEVICE, "devices without a backend");
  options.backend = units_backend();
  options.devices = 10000;
  is_int(sn_engine_create(&options, &engine), SN_EDEVICE, "more devices than there are");
  options.devices = 0;
  options.memories = -1;
  is_int(sn_engine_create(&options, &engine), SN_EINVAL, "fewer memories than none");
  ok(engine == NULL, "nothing was made");
  is_int(sn_engine_destroy(NULL), SN_OK, "nothing to destroy");
}

/* ---- many threads at many queues ---- */

static int chain(void *user, int device)
{
  int *value = user;
  (void)device;
  ++*value;                              /* ordered by events alone */
  return SN_OK;
}

static void test_crowd(sn_engine *engine)
{
  enum { QUEUES = 12 };
  const int rounds = tap_size(5, 400, 400);
  sn_queue *queue[QUEUES];
  sn_event *before = NULL;
  int value = 0, codes = 0;

  for (int q = 0; q < QUEUES; q++)
    queue[q] = queue_of(sn_engine_unit(engine, q % sn_engine_unit_count(engine)), 0);
  for (int r = 0; r < rounds; r++)
    for (int q = 0; q < QUEUES; q++) {
      sn_event *event = NULL;
      if (before) codes |= sn_queue_wait(queue[q], before);
      sn_event_release(before);
      codes |= sn_queue_submit(queue[q], chain, &value, &event);
      before = event;
    }
  codes |= sn_engine_await(engine);
  is_int(codes, SN_OK, "a chain through %d queues", QUEUES);
  is_int(value, QUEUES * rounds, "each link once, in order");
  sn_event_release(before);
  for (int q = 0; q < QUEUES; q++) codes |= sn_queue_destroy(queue[q]);
  is_int(codes, SN_OK, "queues gone");
}

/* ---- the trace ---- */

static void test_trace(void)
{
  static char text[1 << 16];
  char path[64];
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  sn_queue_options named = SN_QUEUE_OPTIONS_INIT;
  sn_engine *engine = NULL;
  sn_queue *queue = NULL;
  atomic_int ran = 0;
  FILE *file;

  snprintf(path, sizeof path, "queues-trace-%ld.json", (long)getpid());
  options.trace = path;
  named.name = "a \"quoted\" name";
  is_int(sn_engine_create(&options, &engine), SN_OK, "an engine with a trace");
  is_int(sn_queue_create(sn_engine_unit(engine, 0), &named, &queue), SN_OK, "a queue with a name");
  is_int(sn_queue_submit(queue, counts, &ran, NULL) |
           sn_queue_fill(queue, sn_span_host(text, 9), 0, NULL), SN_OK, "work and a fill");
  is_int(sn_queue_destroy(queue) | sn_engine_destroy(engine), SN_OK, "ended");
  file = fopen(path, "r");
  text[file ? fread(text, 1, sizeof text - 1, file) : 0] = 0;
  if (file) fclose(file);
  remove(path);
  ok(strstr(text, "\"name\":\"a \\\"quoted\\\" name\",\"cat\":\"work\",\"ph\":\"X\"") != NULL,
     "the work is in it");
  ok(strstr(text, "\"cat\":\"fill\"") && strstr(text, "\"bytes\":9"),
     "the fill too, with its bytes");
  ok(strstr(text, "\"args\":{\"name\":\"host\"}") != NULL, "the unit has its name");
  ok(strlen(text) > 3 && strcmp(text + strlen(text) - 3, "]}\n") == 0, "it is whole");
}

int main(void)
{
  sn_engine *engine, *foreign;

  operations = tap_size(20, MOST, MOST);
  test_creation();
  engine = engine_of_five();
  foreign = engine_of_five();
  test_units(engine);
  for (int u = 0; u < UNITS; u++) {
    sn_unit *unit = sn_engine_unit(engine, u), *other = sn_engine_unit(engine, (u + 1) % UNITS);
    for (int immediate = 0; immediate < 2; immediate++) {
      test_order(unit, other, immediate);
      test_order(unit, unit, immediate);
      test_errors(unit, unit, immediate);
      test_errors(unit, other, immediate);
    }
    for (int v = 0; v < UNITS; v++) test_transfers(unit, sn_engine_unit(engine, v));
  }
  test_misuse(engine, foreign);
  test_crowd(engine);
  test_trace();
  is_int(sn_engine_destroy(foreign), SN_OK, "an engine is gone");
  is_int(sn_engine_destroy(engine), SN_OK, "the other too");
  return done_testing();
}
