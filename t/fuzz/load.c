/* Target: any bytes as the file of a tree (docs/checkpoint.md).
 *
 * A file that is refused changes nothing, and is refused with a reason.  One that is loaded leaves
 * a tree that works: it is saved, and loaded from that file another tree is the same.
 *
 * Files are changed block by block, with their numbers and sums made right again
 * (t/fuzz/blocks.c), since nearly everything else would end at a sum.
 */
#include "t/fuzz/fuzz.h"
#include "world.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);

enum { PATH_BYTES = 64, FILLED = 5 };

static void must(int code, sn_context *ctx, const char *what)
{
  if (code)
    finding("%s: %d %s", what, code, ctx ? sn_context_error(ctx) : "");
}

static int64_t tally(sn_context *ctx, world_world *w)
{
  int64_t sum = 0;

  must(world_tally(w, &sum), ctx, "a tally");
  return sum;
}

/* ---- files in memory ---- */

/* A path that names the bytes as long as the descriptor is open. */
static int make_file(const uint8_t *data, size_t size, char *path)
{
  const int file = memfd_create("tree", MFD_CLOEXEC);

  if (file < 0 || write(file, data, size) != (ssize_t)size)
    finding("no file in memory");
  snprintf(path, PATH_BYTES, "/proc/self/fd/%d", file);
  return file;
}

static const char *saved_path(void)
{
  static char path[PATH_BYTES];

  snprintf(path, sizeof path, "%s/snode-fuzz-%ld", access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm",
           (long)getpid());
  return path;
}

/* ---- what must hold ---- */

static void save_and_load(sn_context *ctx, world_world *w)
{
  const int64_t before = tally(ctx, w);
  world_world *other;

  must(world_world_save(w, saved_path()), ctx, "saving what was loaded");
  must(world_world_create(ctx, NULL, &other), ctx, "another tree");
  must(world_world_load(other, saved_path()), ctx, "loading what was saved");
  (void)unlink(saved_path());
  if (tally(ctx, other) != before)
    finding("what was saved is another tree");
  world_world_destroy(other);
}

static void load(sn_context *ctx, world_world *w, const char *path)
{
  int64_t before;
  int code;

  must(world_fill(w, FILLED), ctx, "filling a tree");
  before = tally(ctx, w);
  code = world_world_load(w, path);
  if (code && code != SN_EIO && code != SN_EINVAL)
    finding("refused with %d %s", code, sn_context_error(ctx));
  if (code && !sn_context_error(ctx)[0])
    finding("refused without a reason");
  sn_context_clear(ctx);
  if (code && tally(ctx, w) != before)
    finding("refused, and yet the tree has changed");
  if (!code)
    save_and_load(ctx, w);
  must(world_world_deactivate_all(w), ctx, "emptying a tree");
  must(world_fill(w, FILLED), ctx, "filling it again");
}

/* FUZZ_SEED=PATH: a file to begin with, where there is none. */
static void write_seed(const char *path)
{
  sn_context *ctx;
  world_world *w;

  must(sn_context_create(NULL, &ctx), NULL, "a context");
  must(world_world_create(ctx, NULL, &w), ctx, "a tree");
  must(world_fill(w, 3), ctx, "filling a tree");
  must(world_world_save(w, path), ctx, "saving it");
  world_world_destroy(w);
  must(sn_context_destroy(ctx), NULL, "the context's end");
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
  const char *path = getenv("FUZZ_SEED");

  (void)argc;
  (void)argv;
  if (path)
    write_seed(path);
  return 0;
}

void fuzz_one(const uint8_t *data, size_t size)
{
  char path[PATH_BYTES];
  const int file = make_file(data, size, path);
  sn_context *ctx;
  world_world *w;

  must(sn_context_create(NULL, &ctx), NULL, "a context");
  must(world_world_create(ctx, NULL, &w), ctx, "a tree");
  load(ctx, w, path);
  world_world_destroy(w);
  must(sn_context_destroy(ctx), NULL, "the context's end");
  close(file);
}
