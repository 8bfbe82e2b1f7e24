/* Random concurrent operations on a tree of all kinds of SNodes, against a set in plain C.
 *
 *   oracle SEED OPERATIONS FOLDER [lie]    sequences of steps drawn from the seed, until so many
 *                                          operations are done; FOLDER is for files.  One that
 *                                          fails is shortened, and printed.
 *   oracle replay FILE FOLDER [lie]        the steps of a file: KIND SEED N, one a line
 *
 * An operation is one access inside a kernel (a write, an addition, an activation, a deactivation,
 * an append, a read, a cell that a loop over cells visits), or one call from C.  What the
 * comparison with the model reads counts for nothing.
 *
 * Steps run in a process of their own, which may crash or hang: the process that was called
 * notes the steps, and shortens what failed by running less and less of it.
 */
#include "t/oracle/steps.h"

#include <errno.h>
#include <inttypes.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { STEPS = 40, TRIES = 3, TRIALS = 100, SECONDS = 300, PATH_BYTES = 1024, SHRUNK = 1 };

typedef struct sequence {
  step steps[STEPS];
  int count;
} sequence;

/* ---- files of steps ---- */

static void write_sequence(const sequence *q, const char *path)
{
  FILE *file = fopen(path, "w");

  for (int k = 0; file && k < q->count; k++)
    fprintf(file, "%s %" PRIu64 " %" PRId64 "\n", step_name(q->steps[k].kind), q->steps[k].seed,
            q->steps[k].n);
  if (!file || fclose(file)) exit(3);
}

static int read_sequence(sequence *q, const char *path)
{
  FILE *file = fopen(path, "r");
  char name[32];
  step st;

  q->count = 0;
  while (file && q->count < STEPS &&
         fscanf(file, "%31s %" SCNu64 " %" SCNd64, name, &st.seed, &st.n) == 3) {
    const int kind = step_by_name(name);
    if (kind < 0) break;
    st.kind = (step_kind)kind;
    q->steps[q->count++] = st;
  }
  return !file || fclose(file) || q->count == 0;
}

/* ---- sequences of chance ---- */

static uint64_t below(uint64_t *state, uint64_t limit)
{
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (*state >> 33) % limit;
}

static step_kind any_kind(uint64_t *state)
{
  static const int weight[] = {
#define STEP(name, weight, meaning) weight,
    ORACLE_STEPS(STEP)
#undef STEP
  };
  int all = 0, at, k = 0;

  for (int i = 0; i < STEP_COUNT; i++) all += weight[i];
  for (at = (int)below(state, (uint64_t)all); at >= weight[k]; k++) at -= weight[k];
  return (step_kind)k;
}

/* Mostly many operations, sometimes few. */
static void draw_sequence(sequence *q, uint64_t *state, int64_t most)
{
  q->count = STEPS;
  for (int k = 0; k < STEPS; k++) {
    step *st = &q->steps[k];
    st->kind = any_kind(state);
    st->seed = below(state, UINT64_C(1) << 31) << 31 | below(state, UINT64_C(1) << 31);
    st->n = most >> below(state, 4) * below(state, 4);
    if (st->kind == STEP_own) st->n = 1 + (int64_t)below(state, 200);
  }
}

/* ---- running ---- */

/* 0: all held. */
static int run(const sequence *q, const char *folder, int lies, int64_t *operations)
{
  course *c = course_create(folder, lies);
  int bad = c == NULL;

  for (int k = 0; k < q->count && !bad; k++) {
    bad = course_step(c, &q->steps[k], operations);
    if (bad) printf("# step %d, %s\n", k, step_name(q->steps[k].kind));
  }
  if (c) course_destroy(c);
  return bad;
}

static int replay(const char *path, const char *folder, int lies)
{
  sequence q;
  int64_t operations = 0;

  alarm(SECONDS);
  if (read_sequence(&q, path)) return 3;
  if (run(&q, folder, lies, &operations)) return 1;
  printf("%" PRId64 "\n", operations);
  return 0;
}

/* ---- in another process ---- */

typedef struct place {
  const char *program, *folder, *lie;
  char file[PATH_BYTES], said[PATH_BYTES];
} place;

/* Its exit status; a signal is one too.  What it says goes to p->said. */
static int replay_apart(const place *p, const sequence *q)
{
  char *const argv[] = { (char *)(uintptr_t)p->program, (char[]){ "replay" },
                         (char *)(uintptr_t)p->file, (char *)(uintptr_t)p->folder,
                         (char *)(uintptr_t)p->lie, NULL };
  posix_spawn_file_actions_t actions;
  pid_t child;
  int status = 0, code;

  write_sequence(q, p->file);
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, p->said, 0x241, 0600);
  code = posix_spawn(&child, p->program, &actions, NULL, argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (code) exit(3);
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) exit(3);
  return status;
}

static void show_said(const place *p)
{
  FILE *file = fopen(p->said, "r");
  char line[512];

  while (file && fgets(line, sizeof line, file)) fputs(line, stdout);
  if (file) (void)fclose(file);
}

static int64_t operations_said(const place *p)
{
  FILE *file = fopen(p->said, "r");
  int64_t operations = 0;

  if (!file || fscanf(file, "%" SCNd64, &operations) != 1) operations = 0;
  if (file) (void)fclose(file);
  return operations;
}

/* ---- shortening ---- */

/* What has no order fails by chance: a few tries. */
static int still_fails(const place *p, const sequence *q, int *trials)
{
  for (int k = 0; k < TRIES; k++) {
    if (--*trials < 0) return 0;
    if (replay_apart(p, q)) return 1;
  }
  return 0;
}

/* Without the steps from `from` on, so many. */
static sequence without(const sequence *q, int from, int many)
{
  sequence less = *q;

  if (many > q->count - from) many = q->count - from;
  less.count -= many;
  memmove(&less.steps[from], &less.steps[from + many],
          (size_t)(q->count - from - many) * sizeof *less.steps);
  return less;
}

static void shorten(const place *p, sequence *q)
{
  int trials = TRIALS;

  for (int many = q->count / 2; many > 0; many /= 2)
    for (int from = 0; from < q->count && q->count > 1;) {
      const sequence less = without(q, from, many);
      if (less.count && still_fails(p, &less, &trials)) *q = less;
      else from += many;
    }
  for (int k = 0; k < q->count; k++)
    while (q->steps[k].n > SHRUNK) {
      sequence less = *q;
      less.steps[k].n /= 2;
      if (!still_fails(p, &less, &trials)) break;
      *q = less;
    }
}

static void report(const place *p, const sequence *whole, int lies)
{
  sequence q = *whole;

  show_said(p);
  shorten(p, &q);
  (void)replay_apart(p, &q);
  write_sequence(&q, p->file);
  printf("# shortened from %d steps to %d: oracle replay FILE FOLDER%s, with the lines\n",
         whole->count, q.count, lies ? " lie" : "");
  for (int k = 0; k < q.count; k++)
    printf("#   %s %" PRIu64 " %" PRId64 "\n", step_name(q.steps[k].kind), q.steps[k].seed,
           q.steps[k].n);
  show_said(p);
}

/* ---- the whole ---- */

/* Operations of a kernel: many, where many are wanted. */
static int64_t longest_kernel(int64_t wanted)
{
  const int64_t longest = 200000;

  return wanted / 40 < longest ? 1 + wanted / 40 : longest;
}

static int search(place *p, uint64_t seed, int64_t wanted, int lies)
{
  uint64_t state = seed * UINT64_C(0x9E3779B97F4A7C15) + 1;
  const int64_t most = longest_kernel(wanted);
  const time_t begun = time(NULL);
  int64_t operations = 0;
  sequence q;

  printf("# seed %" PRIu64 "\n", seed);
  fflush(stdout);
  while (operations < wanted) {
    draw_sequence(&q, &state, most);
    if (replay_apart(p, &q)) {
      report(p, &q, lies);
      return 1;
    }
    operations += operations_said(p);
  }
  printf("# %" PRId64 " operations, %ld s\n", operations, (long)(time(NULL) - begun));
  return 0;
}

int main(int argc, char **argv)
{
  place p = { .program = "/proc/self/exe" };
  const int lies = argc == 5;

  if (argc < 4) return 2;
  p.folder = argv[3];
  p.lie = argc == 5 ? argv[4] : NULL;
  if (strcmp(argv[1], "replay") == 0) return replay(argv[2], argv[3], lies);
  snprintf(p.file, sizeof p.file, "%s/steps", p.folder);
  snprintf(p.said, sizeof p.said, "%s/said", p.folder);
  return search(&p, strtoull(argv[1], NULL, 10), strtoll(argv[2], NULL, 10), lies);
}
