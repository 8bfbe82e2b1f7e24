/* Every allocation of saving, loading and copying fails once: each time it is SN_ENOMEM
 * with its text, the file at the path stays whole, nothing is left beside it, nothing
 * leaks, and the same calls work afterwards.
 */
#ifndef _POSIX_C_SOURCE
# define _POSIX_C_SOURCE 200809L                /* setenv */
#endif
#include "t/host/folder.h"
#include "t/host/kinds.h"

static const char *path;

#define STEP(call) if (code == SN_OK) code = (call)

/* A cell of each kind. */
static int furnish(sn_tree *zoo)
{
  const double value = 1;
  int code = SN_OK;

  STEP(sn_field_set(zoo, &zoo_info, ZOO_D, (const int64_t[]){ 3, 4, 1 }, &value));
  STEP(sn_field_set(zoo, &zoo_info, ZOO_F, (const int64_t[]){ -9, 99 }, &value));
  STEP(sn_field_set(zoo, &zoo_info, ZOO_T, (const int64_t[]){ 1, 1, 99 }, &(int32_t){ 4 }));
  STEP(sn_snode_activate(zoo, &zoo_info, ZOO_ALIVE, (const int64_t[]){ 1, 1, 69 }));
  return code;
}

static int as_furnished(sn_tree *zoo)
{
  double d = 0;
  int64_t alive = 0, trail = 0;
  int code = SN_OK;

  STEP(sn_field_get(zoo, &zoo_info, ZOO_D, (const int64_t[]){ 3, 4, 1 }, &d));
  STEP(sn_snode_count(zoo, &zoo_info, ZOO_ALIVE, &alive));
  STEP(sn_snode_length(zoo, &zoo_info, ZOO_TRAIL, (const int64_t[]){ 1, 1 }, &trail));
  return code == SN_OK && (d < 1 || alive != 1 || trail != 100) ? -1 : code;
}

/* One round; other: a tree of another context. */
static int use(sn_context *context, sn_tree *other)
{
  sn_tree *a = NULL, *b = NULL;
  int code = SN_OK;

  STEP(new_zoo(context, 4, NULL, &a));
  STEP(new_zoo(context, 4, NULL, &b));
  STEP(furnish(a));
  STEP(sn_tree_save(a, &zoo_info, path));
  STEP(sn_tree_load(b, &zoo_info, path));
  STEP(as_furnished(b));
  STEP(sn_tree_deactivate_all(b, &zoo_info));
  STEP(sn_tree_copy(b, a, &zoo_info));
  STEP(as_furnished(b));
  STEP(sn_tree_copy(other, a, &zoo_info));
  STEP(as_furnished(other));
  STEP(sn_tree_copy(a, other, &zoo_info));
  STEP(as_furnished(a));
  sn_tree_destroy(a);
  sn_tree_destroy(b);
  return code;
}

/* 0: nothing could be told to fail any more. */
static int try_with(int n, sn_context *well, sn_tree *other, int *clean)
{
  sn_context *context = NULL;
  char number[16];
  int failures = 0, code;

  snprintf(number, sizeof number, "%d", n);
  setenv("SNODE_FAIL_ALLOCATION", number, 1);
  code = sn_context_create(NULL, &context);
  unsetenv("SNODE_FAIL_ALLOCATION");
  *clean = 1;
  if (code != SN_OK) {
    *clean = code == SN_ENOMEM;
    return 1;
  }
  for (int round = 0; round < 2; round++) {
    code = use(context, other);
    if (code == SN_OK) continue;
    failures++;
    /* The text is the destination's, which is the other context once. */
    *clean = *clean && code == SN_ENOMEM &&
             (*sn_context_error(context) || *sn_context_error(well));
    if (!*clean) diag("allocation %d, round %d: %d, %s", n, round, code, sn_context_error(context));
    sn_context_clear(context);
    sn_context_clear(well);
  }
  if (access(path, F_OK) == 0)
    *clean = *clean && files_in_folder() == 1 && sn_tree_load(other, &zoo_info, path) == SN_OK &&
             as_furnished(other) == SN_OK;
  else
    *clean = *clean && files_in_folder() == 0;
  *clean = *clean && failures <= 1 && sn_context_destroy(context) == SN_OK;
  return failures != 0;
}

int main(void)
{
  const char *device = getenv("SNODE_DEVICE");
  /* A new tree on a device takes much memory ahead, and that takes its time. */
  const int step = device && strncmp(device, "gpu", 3) == 0 ? 17 : 1;
  int quiet = 0, failures = 0, dirty = 0;
  sn_context *well;
  sn_tree *other;

  make_folder();
  path = path_of("zoo");
  if (sn_context_create(NULL, &well) != SN_OK ||
      new_zoo(well, 4, NULL, &other) != SN_OK)
    bail("no tree");
  /* Some may fail without harm (a hash's buckets, headroom): the end is where none fails
   * for long. */
  for (int n = 1; quiet < 40 && dirty < 5; n += step) {
    int clean = 0;
    const int failed = try_with(n, well, other, &clean);
    failures += failed;
    quiet = failed ? 0 : quiet + step;
    if (!clean) {
      dirty++;
      ok(0, "allocation %d fails cleanly", n);
    }
  }
  is_int(dirty, 0, "all failures are clean");
  ok(failures > 40 / step, "%d allocations failed", failures);
  sn_tree_destroy(other);
  is_int(sn_context_destroy(well), SN_OK, "nothing leaks");
  (void)unlink(path);
  is_int(rmdir(folder), 0, "nothing is left behind");
  return done_testing();
}
