/* Configurations, contexts, errors, profile, statistics, threads, level memory. */
#ifndef _POSIX_C_SOURCE
# define _POSIX_C_SOURCE 200809L                /* setenv, getrusage */
#endif
#include <pthread.h>
#include <sys/resource.h>

#include "t/host/module.h"
#include "t/tap.h"

#ifdef __SANITIZE_ADDRESS__
enum { LEVEL_TIMES = 500 };
#else
enum { LEVEL_TIMES = 10000 };
#endif

static char text[4096];

static void keep(void *user, const char *line)
{
  strncat(user, line, sizeof text - strlen(user) - 2);
}

/* ---- codes and versions ---- */

static void test_codes(void)
{
  static const struct { int code, number; } codes[] = {
    { SN_OK, 0 }, { SN_ENOMEM, 1 }, { SN_ECAPACITY, 2 }, { SN_EINVAL, 3 }, { SN_EBOUNDS, 4 },
    { SN_EDEVICE, 5 }, { SN_EPERMISSION, 6 }, { SN_ESTATE, 7 }, { SN_EABI, 8 }, { SN_EIO, 9 },
    { SN_EASSERT, 10 }, { SN_EARITHMETIC, 11 }, { SN_ECANCELED, 12 }, { SN_ENOTSUP, 13 },
    { SN_EBUSY, 14 }, { SN_EBUG, 15 }, { SN_EDERIVATIVE, 16 }
  };

  for (int k = 0; k < (int)(sizeof codes / sizeof *codes); k++) {
    is_int(codes[k].code, codes[k].number, "the number of a code is its ABI");
    ok(strcmp(sn_strerror(codes[k].code), "unknown error") != 0, "%s", sn_strerror(codes[k].code));
  }
  is_int(SN_ERROR_COUNT, 17, "all of them");
  is_str(sn_strerror(-1), "unknown error", "below");
  is_str(sn_strerror(SN_ERROR_COUNT), "unknown error", "beyond");
  is_str(sn_version(), SNODE_VERSION, "release");
  is_int(sn_version_api(), SNODE_API, "API");
  is_int(sn_version_abi(), SNODE_ABI, "ABI");
}

/* ---- options ---- */

static void test_options(void)
{
  static const struct { const char *name, *value; int code; } rows[] = {
    { "device", "host", SN_OK }, { "device", "auto", SN_OK }, { "device", "gpu:3", SN_OK },
    { "device", "gpu", SN_EINVAL }, { "device", "gpu:", SN_EINVAL },
        { "device", "gpu:-1", SN_EINVAL },
    { "device", "", SN_EINVAL }, { "threads", "8", SN_OK }, { "threads", "-1", SN_EINVAL },
    { "threads", "8x", SN_EINVAL }, { "threads", "99999999999", SN_EINVAL },
    { "threads", "1024", SN_OK }, { "threads", "1025", SN_EINVAL },
    { "memory_limit", "1048576", SN_OK }, { "memory_limit", "3G", SN_OK },
    { "memory_limit", "3X", SN_EINVAL }, { "memory_limit", "3Gi", SN_EINVAL },
    { "memory_limit", "9999999999T", SN_EINVAL }, { "reserve", "16M", SN_OK },
    { "reserve", "lots", SN_EINVAL }, { "pool", "0.3", SN_OK }, { "pool", "64M", SN_OK },
    { "pool", "0", SN_OK }, { "pool", "0.", SN_EINVAL }, { "pool", "1.5", SN_EINVAL },
    { "pool", "0.1234567", SN_EINVAL }, { "pool", "0.3M", SN_EINVAL }, { "pool", "", SN_EINVAL },
    { "block_dim", "128", SN_OK },
        { "block_dim", "a", SN_EINVAL },
    { "profile", "1", SN_OK }, { "profile", "2", SN_EINVAL }, { "trace", "0", SN_OK },
    { "trace", "some.json", SN_OK }, { "seed", "0", SN_OK }, { "seed", "42", SN_OK },
    { "claims", "4096", SN_OK }, { "claims", "few", SN_EINVAL },
    { "deterministic", "1", SN_OK }, { "deterministic", "0", SN_OK },
    { "deterministic", "refuse", SN_OK }, { "deterministic", "2", SN_EINVAL },
    { "divice", "host", SN_EINVAL },
  };
  sn_config *config;

  is_int(sn_config_create(NULL), SN_EINVAL, "a configuration to nowhere");
  is_int(sn_config_create(&config), SN_OK, "a configuration");
  is_str(sn_config_error(config), "", "no error yet");
  for (int k = 0; k < (int)(sizeof rows / sizeof *rows); k++)
    is_int(sn_config_set(config, rows[k].name, rows[k].value), rows[k].code, "%s = \"%s\"",
           rows[k].name, rows[k].value);
  is_str(sn_config_error(config), "there is no option 'divice': did you mean 'device'?",
         "the last error's text");
  is_int(sn_config_set(config, NULL, "1"), SN_EINVAL, "no name");
  is_int(sn_config_set(config, "threads", NULL), SN_EINVAL, "no value");
  is_int(sn_config_set(NULL, "threads", "1"), SN_EINVAL, "no configuration");
  is_int(sn_config_set_log(NULL, keep, text), SN_EINVAL, "log of none");
  is_int(sn_config_set_print(NULL, keep, text), SN_EINVAL, "print of none");
  is_str(sn_config_error(NULL), "no configuration", "error of none");
  sn_config_destroy(config);
  sn_config_destroy(NULL);
}

/* A bad value in the environment is told by the call that binds. */
static void test_environment(void)
{
  sn_context *context = NULL;

  setenv("SNODE_THREADS", "many", 1);
  is_int(sn_context_create(NULL, &context), SN_OK, "a context");
  is_int(sn_module_bind(&hand, context), SN_EINVAL, "a bad variable");
  is_str(sn_context_error(context), "SNODE_THREADS=many: expected a whole number from 0 to 1024",
         "says what is wrong");
  is_int(sn_context_destroy(context), SN_OK, "destroy");
  setenv("SNODE_THREADS", "", 1);
  setenv("SNODE_TRACE", "no/such/folder/trace.json", 1);
  is_int(sn_context_create(NULL, &context), SN_OK, "a context");
  is_int(sn_context_bind(context, &snd_backend), SN_EIO, "a trace that cannot be written");
  is_int(sn_context_destroy(context), SN_OK, "destroy");
  unsetenv("SNODE_TRACE");
  unsetenv("SNODE_THREADS");
}

static sn_context *context_with(const char *name, const char *value)
{
  sn_context *context = NULL;
  sn_config *config;

  if (sn_config_create(&config) != SN_OK || sn_config_set(config, name, value) != SN_OK ||
      sn_config_set_log(config, keep, text) != SN_OK ||
      sn_config_set_print(config, keep, text) != SN_OK ||
      sn_context_create(config, &context) != SN_OK)
    bail("no context");
  sn_config_destroy(config);
  text[0] = 0;
  return context;
}

/* ---- binding ---- */

static int no_devices(void) { return 0; }
static int one_device(void) { return 1; }
static int does_not_run(int device) { return device < 0; }

static void test_binding(void)
{
  sn_backend backend = snd_backend, old = snd_backend;
  sn_module module = hand;
  sn_context *context = context_with("device", "gpu:0");
  const int64_t n = 1;
  sn_tree *grid;

  backend.devices = no_devices;
  is_int(sn_context_bind(context, &backend), SN_EDEVICE, "a device that is absent");
  ok(strstr(sn_context_error(context), "gpu:0 is absent") != NULL &&
     strstr(sn_context_error(context), "can be host or auto") != NULL,
     "%s", sn_context_error(context));
  sn_context_clear(context);
  backend.devices = one_device;
  backend.probe = does_not_run;
  is_int(sn_context_bind(context, &backend), SN_EDEVICE, "one that does not run the code");
  ok(strstr(sn_context_error(context), "does not run") != NULL &&
     strstr(sn_context_error(context), "--print-targets") != NULL,
     "%s", sn_context_error(context));
  is_int(sn_context_destroy(context), SN_OK, "destroy");

  context = context_with("device", "auto");
  is_int(sn_context_bind(context, &backend), SN_OK, "auto without a device");
  ok(strstr(text, "bound to the host") != NULL, "is the host: %s", text);
  is_int(sn_context_bind(context, &backend), SN_OK, "a second time");
  is_int(sn_context_bind(context, &snd_backend), SN_OK, "another backend");
  is_int(sn_context_bind(context, NULL), SN_EINVAL, "no backend");
  is_int(sn_context_bind(NULL, &backend), SN_EINVAL, "no context");
  is_int(sn_module_bind(NULL, context), SN_EINVAL, "no module");
  is_int(sn_module_bind(&hand, NULL), SN_EINVAL, "no context");
  old.abi = 99;
  is_int(sn_context_bind(context, &old), SN_EABI, "a backend of another ABI");
  module.abi = 99;
  is_int(sn_module_bind(&module, context), SN_EABI, "a module of another ABI");
  is_int(sn_tree_create(context, &module, &grid_info, &n, NULL, &grid), SN_EABI, "its trees");
  is_int(sn_context_destroy(context), SN_OK, "destroy");
  is_int(sn_context_create(NULL, NULL), SN_EINVAL, "a context to nowhere");
  is_str(sn_context_error(NULL), "no context", "error of none");
  sn_context_clear(NULL);
  ok(sn_module_find_kernel(&hand, "sum") == &hand_sum, "a kernel by name");
  ok(sn_module_find_kernel(&hand, "nothing") == NULL, "one that is not there");
  ok(sn_module_find_kernel(NULL, "sum") == NULL, "in no module");
  ok(sn_module_find_kernel(&hand, NULL) == NULL, "without a name");
}

static int another_runtime;
static int inside(void) { return 1; }

/* What is said once through the log. */
static void test_log(void)
{
  sn_backend backend = snd_backend, first = snd_backend;
  sn_module module = hand;
  sn_context *context = context_with("device", "host");
  const int64_t n = 1;
  sn_tree *grid;
  int64_t cells;

  first.runtime_id = text;
  backend.runtime_id = &another_runtime;
  is_int(sn_context_bind(context, &first), SN_OK, "bind");
  text[0] = 0;
  is_int(sn_context_bind(context, &backend), SN_OK, "another OpenMP runtime");
  ok(strstr(text, "another OpenMP runtime") != NULL, "%s", text);
  text[0] = 0;
  is_int(sn_context_bind(context, &backend), SN_OK, "again");
  is_str(text, "", "is said once");
  backend.in_parallel = inside;
  module.backend = &backend;
  is_int(sn_tree_create(context, &module, &grid_info, &n, NULL, &grid), SN_OK, "in parallel");
  is_int(sn_snode_count(grid, &grid_info, GRID_TILE, &cells), SN_OK, "a call");
  ok(strstr(text, "inside a parallel region") != NULL, "%s", text);
  text[0] = 0;
  is_int(sn_snode_count(grid, &grid_info, GRID_TILE, &cells), SN_OK, "another");
  is_str(text, "", "is said once");
  sn_tree_destroy(grid);
  is_int(sn_context_destroy(context), SN_OK, "destroy");
}

/* ---- profile and statistics ---- */

static void test_profile(void)
{
  sn_context *context = context_with("profile", "1");
  const char *json = NULL;
  double out = 0;
  sn_tree *grid;

  is_int(new_grid(context, 4, &grid), SN_OK, "create");
  is_int(touch(grid, (const int64_t[]){ 1, 1 }, 1, 2), SN_OK, "touch");
  is_int(sum(grid, &out), SN_OK, "sum");
  is_int(sn_stat_add(context, "voxels", 2), SN_OK, "add");
  is_int(sn_stat_add(context, "voxels", 0.5), SN_OK, "add");
  is_int(sn_stat_get(context, "voxels", &out), SN_OK, "get");
  is_double(out, 2.5, "the sum");
  is_int(sn_stat_get(context, "never", &out), SN_OK, "get what was never added to");
  is_double(out, 0, "0");
  is_int(sn_stat_get(context, "tasks", &out), SN_OK, "get");
  is_double(out, 2, "two tasks");
  is_int(sn_profile_json(context, &json), SN_OK, "json");
  ok(strstr(json, "{\"kind\":\"task\",\"name\":\"hand_touch: range_for\",\"line\":11,"
                  "\"calls\":1,") != NULL, "names the task: %s", json);
  if (getenv("SNODE_DEVICE") && strcmp(getenv("SNODE_DEVICE"), "gpu:0") == 0)
    ok(strstr(json, "{\"kind\":\"transfer\",\"name\":\"hand_touch\"") != NULL, "arrays that moved");
  ok(strstr(json, "\"voxels\":2.5") != NULL, "and the sums");
  text[0] = 0;
  is_int(sn_profile_print(context), SN_OK, "print");
  ok(strstr(text, "hand_sum: struct_for(S2dense), line 12, over node\n") != NULL,
     "names the task:\n# %s", text);
  text[0] = 0;
  is_int(sn_stat_print(context), SN_OK, "print");
  ok(strstr(text, "voxels                   2.5\n") != NULL, "the sums");
  is_int(sn_stat_add(context, "", 1), SN_EINVAL, "an empty key");
  is_int(sn_stat_add(context, NULL, 1), SN_EINVAL, "no key");
  is_int(sn_stat_add(NULL, "a", 1), SN_EINVAL, "no context");
  is_int(sn_stat_get(context, NULL, &out), SN_EINVAL, "no key");
  is_int(sn_stat_get(context, "a", NULL), SN_EINVAL, "nowhere");
  is_int(sn_stat_get(NULL, "a", &out), SN_EINVAL, "no context");
  is_int(sn_stat_print(NULL), SN_EINVAL, "no context");
  is_int(sn_profile_print(NULL), SN_EINVAL, "no context");
  is_int(sn_profile_json(context, NULL), SN_EINVAL, "nowhere");
  is_int(sn_profile_json(NULL, &json), SN_EINVAL, "no context");
  sn_tree_destroy(grid);
  is_int(sn_context_destroy(context), SN_OK, "destroy");
  context = context_with("profile", "0");
  is_int(sn_profile_print(context), SN_ESTATE, "no profile without the option");
  is_int(sn_profile_json(context, &json), SN_ESTATE, "in no form");
  is_int(sn_context_destroy(context), SN_OK, "destroy");
}

/* ---- one context by one thread at a time ---- */

#define IN_USE "the context is in use: another thread is inside a call on it, or what such a " \
               "call calls (a print or a log function) calls the context"

typedef struct reentry {
  sn_context *context;
  sn_tree *grid;
  int code;
  char told[256], kept[256];     /* of a call, of a tree that is destroyed */
} reentry;

static void call_again(void *user, const char *line)
{
  reentry *r = user;
  int64_t n;

  (void)line;
  r->code = sn_snode_count(r->grid, &grid_info, GRID_TILE, &n);
  snprintf(r->told, sizeof r->told, "%s", sn_context_error(r->context));
  sn_context_clear(r->context);
  sn_tree_destroy(r->grid);
  snprintf(r->kept, sizeof r->kept, "%s", sn_context_error(r->context));
  sn_context_clear(r->context);
}

static void test_busy(void)
{
  reentry r = { NULL, NULL, SN_OK, "", "" };
  sn_context *context = NULL;
  int64_t n = -1;
  sn_config *config;

  if (sn_config_create(&config) != SN_OK || sn_config_set_print(config, call_again, &r) != SN_OK ||
      sn_context_create(config, &context) != SN_OK)
    bail("no context");
  r.context = context;
  is_int(new_grid(context, 2, &r.grid), SN_OK, "create");
  is_int(complain(r.grid, 1), SN_OK, "a kernel whose print calls the context");
  is_int(r.code, SN_EBUSY, "is told so");
  is_str(r.told, IN_USE, "the text");
  is_str(r.kept, "hand_grid_destroy: the tree stays: " IN_USE, "so is who destroys a tree there");
  is_int(sn_snode_count(r.grid, &grid_info, GRID_TILE, &n), SN_OK, "which lives on");
  sn_tree_destroy(r.grid);
  sn_config_destroy(config);
  is_int(sn_context_destroy(context), SN_OK, "destroy");
}

static void *work(void *user)
{
  const int64_t seed = *(const int64_t *)user;
  sn_context *context = NULL;
  sn_tree *grid = NULL;
  intptr_t bad = sn_context_create(NULL, &context) != SN_OK;

  bad += new_grid(context, 32, &grid) != SN_OK;
  for (int64_t round = 0; round < 200 && !bad; round++) {
    const int64_t at[] = { (seed + round) % 128, round % 32 };
    double out = 0;
    bad += touch(grid, at, 1, (float)seed) != SN_OK;
    bad += sum(grid, &out) != SN_OK;
    bad += out < 31 * 1.5 + (double)seed || out > 31 * 1.5 + (double)seed;
    bad += drop(grid, at[0] / 4, at[1] / 8) != SN_OK;
  }
  sn_tree_destroy(grid);
  bad += sn_context_destroy(context) != SN_OK;
  return (void *)bad;
}

static void test_threads(void)
{
  static const int64_t seeds[] = { 3, 40, 500, 6000 };
  pthread_t threads[4];
  void *bad = NULL;

  for (int k = 0; k < 4; k++)
    if (pthread_create(&threads[k], NULL, work,
                       (void *)(uintptr_t)&seeds[k]) != 0) bail("no threads");
  for (int k = 0; k < 4; k++) {
    pthread_join(threads[k], &bad);
    is_int((intptr_t)bad, 0, "thread %d with a context of its own", k);
  }
}

/* ---- level memory ---- */

static int64_t peak_kib(void)
{
  struct rusage usage;

  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

static void create_and_destroy(sn_context *context, int times)
{
  int bad = 0;

  for (int k = 0; k < times && !bad; k++) {
    sn_tree *grid;
    bad += new_grid(context, 64, &grid) != SN_OK;
    bad += sn_field_set(grid, &grid_info, GRID_U, (const int64_t[]){ k % 256, 0 },
                        &(float){ 1 }) != SN_OK;
    sn_tree_destroy(grid);
  }
  is_int(bad, 0, "%d times", times);
}

static void test_level(int times)
{
  sn_context *context = context_with("device", "host");
  int64_t before;

  create_and_destroy(context, times / 10);
  before = peak_kib();
  create_and_destroy(context, times);
#ifdef __SANITIZE_ADDRESS__
  (void)before;
  skip(1, "memory stays level: a sanitizer keeps what is freed");
#else
  ok(peak_kib() - before < 2048, "memory stays level: %d KiB more", (int)(peak_kib() - before));
#endif
  is_int(sn_context_destroy(context), SN_OK, "destroy");
}

int main(void)
{
  test_codes();
  test_options();
  test_binding();
  test_log();
  test_profile();
  test_busy();
  test_threads();
  test_level(LEVEL_TIMES);
  test_environment();
  return done_testing();
}
