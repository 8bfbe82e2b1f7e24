/* Every allocation fails once, the host's and the device's: each time the error is
 * clean, nothing leaks, and the context works on as if it had not been. */
#ifndef _POSIX_C_SOURCE
# define _POSIX_C_SOURCE 200809L                /* setenv */
#endif
#include "t/host/kinds.h"
#include "t/host/module.h"
#include "t/tap.h"

static void discard(void *user, const char *text)
{
  (void)user;
  (void)text;
}

#define STEP(call) if (code == SN_OK) code = (call)

/* What needs memory of all kinds: of SNodes. */
static int use_zoo(sn_context *context)
{
  const double value = 1;
  int64_t index[3 * 64], last = 0, n = 0;
  double values[64];
  sn_tree_options options = SN_TREE_OPTIONS_INIT;
  sn_tree *zoo;
  int code;

  options.memory_limit = 12 << 20;               /* a device writes all that it gets */
  code = new_zoo(context, 4, &options, &zoo);
  if (code != SN_OK) return code;
  STEP(sn_field_set(zoo, &zoo_info, ZOO_D, (const int64_t[]){ 3, 4, 1 }, &value));
  STEP(sn_field_set(zoo, &zoo_info, ZOO_F, (const int64_t[]){ -9, 99 }, &value));
  STEP(sn_field_set(zoo, &zoo_info, ZOO_T, (const int64_t[]){ 1, 1, 99 }, &(int32_t){ 4 }));
  STEP(zoo_call(&kinds_grow_list, zoo, 2, 3, 5000, 0, &last));
  STEP(sn_field_read_active(zoo, &zoo_info, ZOO_F, index, values, 64, &n));
  STEP(sn_snode_count(zoo, &zoo_info, ZOO_LIST, &last));
  STEP(sn_snode_count(zoo, &zoo_info, ZOO_DEEP, &n));
  STEP(zoo_call(&kinds_empty, zoo, 2, 3, 1, 1, &n));
  STEP(sn_tree_deactivate_all(zoo, &zoo_info));
  if (code == SN_OK && last != 5000) code = -1;
  sn_tree_destroy(zoo);
  return code;
}

/* Of calls. */
static int use(sn_context *context)
{
  const sn_box box = { { 2, 6 }, { 6, 10 } };
  const int64_t stride[] = { 64, 2 }, at[] = { 5, 5 };
  static float strided[64 * 4];
  const sn_span span = sn_span_host(strided, sizeof strided);
  int64_t numbers[] = { 1, 2 }, index[256], n = 0;
  const char *json;
  sn_tree *grid;
  float values[128];
  double out = 0;
  int code = new_grid(context, 8, &grid);

  if (code != SN_OK) return code;
  strided[0] = 9;
  STEP(sn_field_set(grid, &grid_info, GRID_W, (const int64_t[]){ 0, 0, 0 }, &(double){ 1 }));
  STEP(sn_field_write(grid, &grid_info, GRID_U, &box, span, stride));
  STEP(sn_field_read(grid, &grid_info, GRID_U, &box, span, stride));
  STEP(touch(grid, at, 1, 4));
  STEP(sum(grid, &out));
  STEP(twice(grid, numbers, 2));
  STEP(complain(grid, 1));
  STEP(sn_field_read_active(grid, &grid_info, GRID_U, index, values, 128, &n));
  STEP(sn_snode_deactivate(grid, &grid_info, GRID_TILE, (const int64_t[]){ 0, 0 }));
  STEP(sn_tree_deactivate_all(grid, &grid_info));
  STEP(sn_stat_add(context, "a sum", 1));
  STEP(sn_profile_json(context, &json));
  if (code == SN_OK && (n != 128 || numbers[1] != 4)) code = -1;
  sn_tree_destroy(grid);
  return code;
}

/* 0: nothing could be told to fail any more. */
static int try_with(int n, const sn_config *config, int *clean)
{
  sn_context *context = NULL;
  char number[16];
  int failures = 0, code;

  snprintf(number, sizeof number, "%d", n);
  setenv("SNODE_FAIL_ALLOCATION", number, 1);
  *clean = 1;
  code = sn_context_create(config, &context);
  if (code != SN_OK) {
    *clean = code == SN_ENOMEM && context == NULL;
    return 1;
  }
  /* Three times: one of them meets the failure, the others must not notice. */
  for (int round = 0; round < 3; round++) {
    code = round % 2 ? use_zoo(context) : use(context);
    if (code != SN_OK) {
      failures++;
      *clean = *clean && code == SN_ENOMEM && *sn_context_error(context);
      if (!*clean || failures > 1)
        diag("allocation %d, round %d: %d, %s", n, round, code, sn_context_error(context));
      sn_context_clear(context);
    }
  }
  *clean = *clean && failures <= 1 && sn_context_destroy(context) == SN_OK;
  return failures != 0;
}

int main(void)
{
  sn_config *config;
  int quiet = 0, failures = 0, dirty = 0;

  if (sn_config_create(&config) != SN_OK || sn_config_set(config, "profile", "1") != SN_OK ||
      sn_config_set_print(config, discard, NULL) != SN_OK)
    bail("no configuration");
  /* Some allocations may fail without harm (a row of the profile, headroom): the end
   * is where none fails for long. */
  for (int n = 1; quiet < 64 && dirty < 5; n++) {
    int clean = 0;
    const int failed = try_with(n, config, &clean);
    failures += failed;
    quiet = failed ? 0 : quiet + 1;
    if (!clean) {
      dirty++;
      ok(0, "allocation %d fails cleanly", n);
    }
  }
  is_int(dirty, 0, "all failures are clean");
  ok(failures > 20, "%d allocations failed", failures);
  setenv("SNODE_FAIL_ALLOCATION", "1", 1);
  sn_config_destroy(config);
  is_int(sn_config_create(&config), SN_ENOMEM, "a configuration without memory");
  setenv("SNODE_FAIL_ALLOCATION", "first", 1);
  is_int(sn_config_create(&config), SN_OK, "what is no number lets none fail");
  sn_config_destroy(config);
  return done_testing();
}
