/* Which threads have page faults while trees are made, as /proc tells. */
#include "touch.h"
#include "run.h"

#ifdef __linux__
# include <dirent.h>
# include <sys/prctl.h>
#endif

enum { MOST_THREADS = 64 };

typedef struct faults {
  char task[MOST_THREADS][24];
  long count[MOST_THREADS];
  int threads;
} faults;

#ifdef __linux__
/* Of the tenth word, behind the name in brackets. */
static long faults_of(const char *task)
{
  char path[64], text[512];
  const char *behind;
  long count = 0;
  FILE *file;

  snprintf(path, sizeof path, "/proc/self/task/%s/stat", task);
  file = fopen(path, "r");
  if (!file) return 0;
  text[fread(text, 1, sizeof text - 1, file)] = 0;
  fclose(file);
  behind = strrchr(text, ')');
  if (behind) sscanf(behind + 1, " %*c %*d %*d %*d %*d %*d %*u %ld", &count);
  return count;
}

static void look(faults *f)
{
  DIR *tasks = opendir("/proc/self/task");
  const struct dirent *entry;

  f->threads = 0;
  while (tasks && (entry = readdir(tasks)) != NULL && f->threads < MOST_THREADS)
    if (entry->d_name[0] != '.') {
      snprintf(f->task[f->threads], sizeof f->task[0], "%.20s", entry->d_name);
      f->count[f->threads++] = faults_of(entry->d_name);
    }
  if (tasks) closedir(tasks);
}
#else
static void look(faults *f)
{
  f->threads = 0;
}
#endif

/* Of those since then: how many in all, and how many threads have so many. */
static long since(const faults *then, long share, int *threads)
{
  static faults now;
  long all = 0;

  look(&now);
  *threads = 0;
  for (int k = 0; k < now.threads; k++) {
    long count = now.count[k];
    for (int j = 0; j < then->threads; j++)
      if (strcmp(now.task[k], then->task[j]) == 0) count -= then->count[j];
    all += count;
    *threads += count >= share;
  }
  return all;
}

/* The threads of a task on the host; 0: this is not told here. */
static int threads_told(const faults *f)
{
  const char *device = getenv("SNODE_DEVICE"), *threads = getenv("SNODE_THREADS");

  return f->threads > 0 && device && strcmp(device, "host") == 0 && threads ? atoi(threads) : 0;
}

int run_touch(sn_context *ctx)
{
  static faults before;
  touch_set_tree *set;
  touch_plain_tree *plain;
  touch_last_tree *last;
  int threads, told;

#ifdef __linux__
  (void)prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);       /* a fault for each small page */
#endif
  CHECK(touch_last_tree_create(ctx, NULL, &last));
  CHECK(touch_wake(last));               /* there are threads */
  look(&before);
  told = threads_told(&before);
  CHECK(touch_set_tree_create(ctx, NULL, &set));
  if (told) {                            /* 512 pages */
    const long all = since(&before, 512 / told / 4, &threads);
    if (all < 512 || threads < told)
      printf("of %d threads %d have touched a share of %ld\n", told, threads, all);
  }
  look(&before);
  CHECK(touch_plain_tree_create(ctx, NULL, &plain));
  if (told && since(&before, 1, &threads) > 256) printf("zeros have been touched\n");
  printf("touched by who fills\n");
  touch_last_tree_destroy(last);
  touch_set_tree_destroy(set);
  touch_plain_tree_destroy(plain);
  return 0;
}
