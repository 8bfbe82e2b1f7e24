/* Trees saved, loaded and copied: between contexts, thread counts and units; files that
 * are damaged, cut off, foreign or cannot be written change nothing.
 * By hand from t/host/module.h; the first context is as the environment says, the second
 * one is on the host. */
#ifndef _POSIX_C_SOURCE
# define _POSIX_C_SOURCE 200809L                /* mkdir */
#endif
#include "t/host/module.h"
#include "t/tap.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#define AT(...) ((const int64_t[]){ __VA_ARGS__ })

static char folder[256];

/* A path in the test's own folder; one of four at a time. */
static const char *path_of(const char *name)
{
  static char paths[4][512];
  static int next;
  char *path = paths[next++ % 4];

  snprintf(path, sizeof paths[0], "%s/%s", folder, name);
  return path;
}

static int files_in_folder(void)
{
  DIR *entries = opendir(folder);
  int count = -2;                /* . and .. */

  if (entries == NULL) return -1;
  while (readdir(entries) != NULL) count++;
  closedir(entries);
  return count;
}

static sn_context *new_context(const char *device, const char *threads)
{
  sn_config *config;
  sn_context *context = NULL;

  if (sn_config_create(&config) != SN_OK ||
      (device && sn_config_set(config, "device", device) != SN_OK) ||
      (threads && sn_config_set(config, "threads", threads) != SN_OK) ||
      sn_context_create(config, &context) != SN_OK)
    bail("no context");
  sn_config_destroy(config);
  return context;
}

static sn_tree *grid_in(sn_context *context, int64_t n)
{
  sn_tree *grid = NULL;

  if (new_grid(context, n, &grid) != SN_OK) bail(sn_context_error(context));
  return grid;
}

/* ---- what a tree holds, as one text of numbers ---- */

enum { MOST = 2048 };

typedef struct held {
  float level;
  int on;
  int64_t tiles, nodes, subs;
  uint8_t active[MOST];          /* tiles, then subs */
  float u[MOST];
  int32_t v[MOST];
  double w[MOST];
  int64_t flag[10];
} held;

static void hold(sn_tree *grid, int64_t n, held *out)
{
  int code = SN_OK;

  memset(out, 0, sizeof *out);
#define STEP(call) if (code == SN_OK) code = (call)
  STEP(sn_field_get(grid, &grid_info, GRID_LEVEL, NULL, &out->level));
  STEP(sn_field_get(grid, &grid_info, GRID_ON, NULL, &out->on));
  STEP(sn_snode_count(grid, &grid_info, GRID_TILE, &out->tiles));
  STEP(sn_snode_count(grid, &grid_info, GRID_NODE, &out->nodes));
  STEP(sn_snode_count(grid, &grid_info, GRID_SUB, &out->subs));
  for (int64_t t = 0; t < n * 4; t++) {
    int active = 0;
    STEP(sn_snode_is_active(grid, &grid_info, GRID_TILE, AT(t / 4, t % 4), &active));
    out->active[t] = (uint8_t)active;
    for (int64_t k = 0; k < 3; k++) {
      STEP(sn_snode_is_active(grid, &grid_info, GRID_SUB, AT(t / 4, t % 4, k), &active));
      out->active[n * 4 + t * 3 + k] = (uint8_t)active;
    }
  }
  STEP(sn_field_read(grid, &grid_info, GRID_U, NULL, sn_span_host(out->u, sizeof out->u), NULL));
  STEP(sn_field_read(grid, &grid_info, GRID_V, NULL, sn_span_host(out->v, sizeof out->v), NULL));
  STEP(sn_field_read(grid, &grid_info, GRID_W, NULL, sn_span_host(out->w, sizeof out->w), NULL));
  STEP(sn_field_read(grid, &grid_info, GRID_FLAG, NULL,
                     sn_span_host(out->flag, sizeof out->flag), NULL));
#undef STEP
  if (code != SN_OK) bail(sn_strerror(code));
}

static int same(sn_tree *a, sn_tree *b, int64_t n)
{
  static held left, right;

  hold(a, n, &left);
  hold(b, n, &right);
  return memcmp(&left, &right, sizeof left) == 0;
}

/* Something in every corner: values, active cells that hold only defaults, empty tiles,
 * root values. */
static void furnish(sn_tree *grid, int64_t n, unsigned seed)
{
  int code = SN_OK;
#define STEP(call) if (code == SN_OK) code = (call)
  STEP(sn_field_set(grid, &grid_info, GRID_LEVEL, NULL, &(float){ (float)seed }));
  STEP(sn_field_set(grid, &grid_info, GRID_ON, NULL, &(int){ 1 }));
  STEP(sn_field_set(grid, &grid_info, GRID_FLAG, AT(seed % 10), &(int64_t){ -5 }));
  for (int64_t k = 0; k < n * 2; k++) {
    const int64_t i = (int64_t)(seed = seed * 1103515245u + 12345u) >> 8 & 0xffff;
    const int64_t j = (int64_t)(seed = seed * 1103515245u + 12345u) >> 8 & 0xffff;
    switch (k % 4) {
    case 0:
      STEP(sn_field_set(grid, &grid_info, GRID_U, AT(i % (4 * n), j % 32), &(float){ (float)i }));
      break;
    case 1:
      STEP(sn_field_set(grid, &grid_info, GRID_V, AT(j % 32, i % (4 * n)),
                        &(int32_t){ (int32_t)j }));
      break;
    case 2:
      STEP(sn_field_set(grid, &grid_info, GRID_W, AT(i % n, j % 4, k % 3), &(double){ -2.0 }));
      break;
    default:
      STEP(sn_snode_activate(grid, &grid_info, GRID_TILE, AT(i % n, j % 4)));
    }
  }
#undef STEP
  if (code != SN_OK) bail(sn_strerror(code));
}

static void empty(sn_tree *grid)
{
  if (sn_tree_deactivate_all(grid, &grid_info) != SN_OK) bail("deactivate_all");
}

static int save(sn_tree *grid, const char *path) { return sn_tree_save(grid, &grid_info, path); }
static int load(sn_tree *grid, const char *path) { return sn_tree_load(grid, &grid_info, path); }

/* ---- round trips ---- */

static void test_round_trip(sn_context *from, sn_context *to, int64_t n, const char *what)
{
  sn_tree *a = grid_in(from, n), *b = grid_in(to, n);
  const char *path = path_of("tree");

  is_int(save(a, path), SN_OK, "%s: a new tree is saved", what);
  furnish(b, n, 5);
  is_int(load(b, path), SN_OK, "%s: and loaded over another", what);
  ok(same(a, b, n), "%s: which is new again", what);
  furnish(a, n, 7);
  is_int(save(a, path), SN_OK, "%s: saved over the first file", what);
  is_int(load(b, path), SN_OK, "%s: loaded", what);
  ok(same(a, b, n), "%s: the same cells, the same values", what);
  is_int(load(b, path), SN_OK, "%s: loaded twice", what);
  ok(same(a, b, n), "%s: no difference", what);
  furnish(b, n, 9);
  is_int(sn_tree_copy(b, a, &grid_info), SN_OK, "%s: copied", what);
  ok(same(a, b, n), "%s: the copy is the same", what);
  is_int(sn_tree_copy(a, a, &grid_info), SN_OK, "%s: onto itself", what);
  ok(same(a, b, n), "%s: nothing changed", what);
  empty(a);
  is_int(sn_tree_copy(b, a, &grid_info), SN_OK, "%s: an empty tree is copied", what);
  ok(same(a, b, n), "%s: and is empty", what);
  is_int(files_in_folder(), 1, "%s: one file in all", what);
  sn_tree_destroy(a);
  sn_tree_destroy(b);
}

int main(void)
{
  const char *place = getenv("TMPDIR");
  sn_context *own = new_context(NULL, NULL), *host = new_context("host", "3");

  snprintf(folder, sizeof folder, "%s/snode-test-%ld", place && *place ? place : "/tmp",
           (long)getpid());
  if (mkdir(folder, 0700) != 0) bail("no folder");
  test_round_trip(own, own, 5, "one context");
  test_round_trip(own, host, 5, "to the host");
  test_round_trip(host, own, 16, "from the host");

  (void)unlink(path_of("tree"));
  is_int(rmdir(folder), 0, "nothing is left behind");
  is_int(sn_context_destroy(own), SN_OK, "nothing leaks");
  is_int(sn_context_destroy(host), SN_OK, "nor on the host");
  return done_testing();
}
