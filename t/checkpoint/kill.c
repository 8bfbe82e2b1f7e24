/* kill FOLDER TIMES: processes save to one path, now a small tree, now a large one, and are
 * killed at random moments; after each the file there is one of the two, whole.  Where the disk
 * has become slower than it was at the beginning, no process comes to a second save: then six times
 * as often at most, and later, until a save was cut off and each of the two was found.
 * Serial: a process that has run OpenMP cannot be forked.
 */
#ifndef _POSIX_C_SOURCE
# define _POSIX_C_SOURCE 200809L                /* fork, kill */
#endif
#include "t/host/module.h"
#include "t/tap.h"

#include <dirent.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { N = 128 };                /* tiles: N x 4 */

static char path[1024];
static const char *folder;

/* Level 1: the first tile alone; level 2: all of them. */
static void furnish(sn_tree *grid, int level)
{
  const float value = (float)level;
  int code = sn_field_set(grid, &grid_info, GRID_LEVEL, NULL, &value);

  for (int64_t t = 0; t < (level == 1 ? 1 : N * 4) && code == SN_OK; t++)
    code = sn_snode_activate(grid, &grid_info, GRID_TILE, (const int64_t[]){ t / 4, t % 4 });
  if (code == SN_OK) code = sn_field_fill(grid, &grid_info, GRID_U, &value);
  if (code != SN_OK) bail("furnish");
}

/* Whether the tree is one of the two; which: *level. */
static int is_whole(sn_tree *grid, int *level)
{
  float value = 0;
  int64_t tiles = 0;
  double all = 0;

  if (sn_field_get(grid, &grid_info, GRID_LEVEL, NULL, &value) != SN_OK ||
      sn_snode_count(grid, &grid_info, GRID_TILE, &tiles) != SN_OK || sum(grid, &all) != SN_OK)
    return 0;
  *level = value < 1.5f ? 1 : 2;
  return tiles == (*level == 1 ? 1 : N * 4) && all == (double)(tiles * 32 * *level);
}

/* What killed processes left beside the file: counted, and taken away. */
static int sweep(void)
{
  DIR *entries = opendir(folder);
  struct dirent *entry;
  int count = 0;

  if (entries == NULL) bail("no folder");
  while ((entry = readdir(entries)) != NULL) {
    char name[1400];
    if (strstr(entry->d_name, ".partial-") == NULL) continue;
    snprintf(name, sizeof name, "%s/%s", folder, entry->d_name);
    count += unlink(name) == 0;
  }
  closedir(entries);
  return count;
}

static void save_for_ever(sn_tree *small, sn_tree *large)
{
  while (sn_tree_save(small, &grid_info, path) == SN_OK &&
         sn_tree_save(large, &grid_info, path) == SN_OK) { }
  _exit(1);
}

static double now(void)
{
  struct timespec time;

  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void wait_for(long microseconds)
{
  const struct timespec span = { microseconds / 1000000, microseconds % 1000000 * 1000 };

  nanosleep(&span, NULL);
}

int main(int argc, char **argv)
{
  const int times = argc > 2 ? atoi(argv[2]) : 0;
  int broken = 0, partial = 0, levels[3] = { 0 }, seen = 0, kills, status;
  sn_context *context;
  sn_tree *small, *large, *loaded;
  double began;
  long span;

  if (times < 1 || sn_context_create(NULL, &context) != SN_OK ||
      new_grid(context, N, &small) != SN_OK || new_grid(context, N, &large) != SN_OK ||
      new_grid(context, N, &loaded) != SN_OK)
    bail("usage: kill FOLDER TIMES");
  folder = argv[1];
  snprintf(path, sizeof path, "%s/tree", folder);
  furnish(small, 1);
  furnish(large, 2);
  began = now();
  srand((unsigned)time(NULL));
  for (int k = 0; k < 4; k++)
    if (sn_tree_save(k % 2 ? large : small, &grid_info, path) != SN_OK) bail("save");
  /* Moments within a few saves: what they take is the disk's to say. */
  span = (long)((now() - began) * 1e6) + 2000;
  for (kills = 0; kills < times || (!seen && kills < 6 * times); kills++) {
    const pid_t child = fork();
    int level = 0;
    if (child < 0) bail("fork");
    if (child == 0) save_for_ever(small, large);
    if (kills > 0 && kills % times == 0) span *= 4;
    wait_for(rand() % span);
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    if (!WIFSIGNALED(status)) bail("a save failed");
    partial += sweep() > 0;
    if (sn_tree_load(loaded, &grid_info, path) != SN_OK || !is_whole(loaded, &level)) {
      broken++;
      diag("kill %d: %s", kills, sn_context_error(context));
      sn_context_clear(context);
    }
    levels[level]++;
    seen = partial > 0 && levels[1] > 0 && levels[2] > 0;
  }
  is_int(broken, 0, "%d kills: each time the file is whole", kills);
  ok(partial > 0, "%d of them in the middle of a save", partial);
  ok(levels[1] > 0 && levels[2] > 0, "the small tree %d times, the large one %d times", levels[1],
     levels[2]);
  sn_tree_destroy(small);
  sn_tree_destroy(large);
  sn_tree_destroy(loaded);
  is_int(sn_context_destroy(context), SN_OK, "nothing leaks");
  return done_testing();
}
