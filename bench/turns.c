/* turns: lets the contenders of a row take turns, A B C A B C ..., so that all of
 * them see the same machine, and writes what came of it.
 *
 *   turns [--rounds=N] [--fresh] [--within=SHARE] ROW UNIT WORK NAME=COMMAND ...
 *
 * Each contender is a process that speaks contender.h's lines.  One that is not on
 * stands still (SIGSTOP), so that no pool of threads spins into another's turn.  A
 * round is a turn of each; the first is a warm-up.  --fresh: each turn is a new process's
 * first.  --within: results are the same that differ by less than this share of them (floats
 * that are summed up in another order decide what is computed next).  NAME is WHO or
 * WHO:COMPILER; of each compiler there is an "ours", and figures are ratios to that one's time in
 * the same round: above 1, ours is faster.
 *
 * To stdout, a line each, tab between: row, unit, compiler, who, median of the
 * ratios, quartiles (half of the rounds lie between), ns of work, MiB after the last
 * round, and that over the first's, ns of work in the quickest round.  A contender that
 * cannot be had: row, unit, compiler, who, "-", the reason.  Exit status 1: it failed on the way,
 * or the results of a round are not the same: then there is no row.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROUNDS = 9, ROUNDS_MOST = 101, CONTENDERS_MOST = 16 };

typedef struct contender {
  char who[32], compiler[32];   /* compiler "": none of ours, compared with each */
  const char *command;
  pid_t pid;                    /* 0: not running */
  FILE *to, *from;
  int absent;
  double seconds[ROUNDS_MOST], result;
  long first_kib, last_kib;
} contender;

typedef struct row {
  const char *name, *unit;
  double work, within;
  int rounds, fresh, count;
  contender contenders[CONTENDERS_MOST];
} row;

typedef struct figure {         /* of some numbers: the middle; half lie between; the least */
  double median, low, high, least;
} figure;

/* ---- processes ---- */

static void be_contender(const char *command, int in, int out)
{
  dup2(in, 0);
  dup2(out, 1);
  prctl(PR_SET_PDEATHSIG, SIGKILL);      /* a stopped one would outlive us */
  execl("/bin/sh", "sh", "-c", command, (char *)NULL);
  _exit(127);
}

static int start(contender *c)
{
  int in[2], out[2];
  char line[256];

  if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC)) return -1;
  c->pid = fork();
  if (c->pid < 0) return -1;
  if (c->pid == 0) be_contender(c->command, in[0], out[1]);
  close(in[0]);
  close(out[1]);
  c->to = fdopen(in[1], "w");
  c->from = fdopen(out[0], "r");
  if (!c->to || !c->from) return -1;
  /* what a library prints when it starts is no answer */
  while (fgets(line, sizeof line, c->from))
    if (strcmp(line, "ready\n") == 0) return 0;
  return -1;
}

static void end(contender *c)
{
  if (c->pid <= 0) return;
  kill(c->pid, SIGCONT);
  if (c->to) fclose(c->to);
  if (c->from) fclose(c->from);
  waitpid(c->pid, NULL, 0);
  c->pid = 0;
  c->to = c->from = NULL;
}

/* A turn: wake, run a round, stand still.  round < 0: the warm-up. */
static int turn(const row *r, contender *c, int round)
{
  char line[256];
  double seconds;
  long kib;

  if (r->fresh && start(c)) return -1;
  kill(c->pid, SIGCONT);
  if (fputs("go\n", c->to) < 0 || fflush(c->to) || !fgets(line, sizeof line, c->from) ||
      sscanf(line, "%lf %lf %ld", &seconds, &c->result, &kib) != 3)
    return -1;
  kill(c->pid, SIGSTOP);
  if (round >= 0) c->seconds[round] = seconds;
  if (round <= 0) c->first_kib = kib;
  c->last_kib = kib;
  if (r->fresh) end(c);
  return 0;
}

/* ---- a row ---- */

static int same(const row *r, double a, double b)
{
  return a == b || fabs(a - b) < r->within * fabs(b);
}

/* All that run agree with the first. */
static int agree(const row *r)
{
  const contender *first = NULL;

  for (int i = 0; i < r->count; i++) {
    const contender *c = &r->contenders[i];
    if (c->absent) continue;
    if (!first) first = c;
    if (!same(r, c->result, first->result)) {
      fprintf(stderr, "bench: %s: %s %s says %.17g, %s %s says %.17g\n", r->name, c->who,
              c->compiler, c->result, first->who, first->compiler, first->result);
      return 0;
    }
  }
  return 1;
}

static int set_up(row *r)
{
  for (int i = 0; i < r->count; i++) {
    contender *c = &r->contenders[i];
    if (start(c)) {
      fprintf(stderr, "bench: %s: %s %s does not start\n", r->name, c->who, c->compiler);
      c->absent = 1;
      if (strcmp(c->who, "ours") == 0) return -1;
    }
    if (r->fresh || c->absent) end(c);
    else kill(c->pid, SIGSTOP);
  }
  return 0;
}

static int measure(row *r)
{
  if (set_up(r)) return -1;
  for (int round = -1; round < r->rounds; round++) {
    for (int i = 0; i < r->count; i++) {
      contender *c = &r->contenders[i];
      if (!c->absent && turn(r, c, round)) {
        fprintf(stderr, "bench: %s: %s %s failed\n", r->name, c->who, c->compiler);
        return -1;
      }
    }
    if (!agree(r)) return -1;
  }
  return 0;
}

/* ---- figures ---- */

static int ascending(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;

  return (x > y) - (x < y);
}

static figure figure_of(double *x, int n)
{
  figure f;

  qsort(x, (size_t)n, sizeof *x, ascending);
  f.median = n % 2 ? x[n / 2] : (x[n / 2 - 1] + x[n / 2]) / 2;
  f.low = x[n / 4];
  f.high = x[n - 1 - n / 4];
  f.least = x[0];
  return f;
}

static void write_figures(const row *r, const contender *ours, const contender *c)
{
  double ratio[ROUNDS_MOST], each[ROUNDS_MOST];
  figure of_ratio, of_each;

  printf("%s\t%s\t%s\t%s\t", r->name, r->unit, ours->compiler, c->who);
  if (c->absent) {
    printf("-\tdoes not start\n");
    return;
  }
  for (int i = 0; i < r->rounds; i++) {
    ratio[i] = c->seconds[i] / ours->seconds[i];
    each[i] = 1e9 * c->seconds[i] / r->work;
  }
  of_ratio = figure_of(ratio, r->rounds);
  of_each = figure_of(each, r->rounds);
  printf("%.4f\t%.4f\t%.4f\t%.6g\t%.1f\t%.3f\t%.6g\n", of_ratio.median, of_ratio.low,
         of_ratio.high, of_each.median, (double)c->last_kib / 1024,
         (double)c->last_kib / (double)c->first_kib, of_each.least);
}

static void write_row(const row *r)
{
  for (int o = 0; o < r->count; o++) {
    const contender *ours = &r->contenders[o];
    if (strcmp(ours->who, "ours") != 0) continue;
    for (int i = 0; i < r->count; i++) {
      const contender *c = &r->contenders[i];
      if (!*c->compiler || strcmp(c->compiler, ours->compiler) == 0) write_figures(r, ours, c);
    }
  }
}

/* ---- arguments ---- */

static int read_contender(row *r, const char *text)
{
  contender *c = &r->contenders[r->count];
  const char *command = strchr(text, '=');

  if (!command || r->count == CONTENDERS_MOST) return -1;
  if (sscanf(text, "%31[^:=]:%31[^=]", c->who, c->compiler) < 1) return -1;
  c->command = command + 1;
  r->count++;
  return 0;
}

static int read_row(row *r, int argc, char **argv)
{
  int a = 1;

  r->rounds = ROUNDS;
  for (; a < argc && strncmp(argv[a], "--", 2) == 0; a++) {
    if (strcmp(argv[a], "--fresh") == 0) r->fresh = 1;
    else if (sscanf(argv[a], "--rounds=%d", &r->rounds) != 1 &&
             sscanf(argv[a], "--within=%lf", &r->within) != 1)
      return -1;
  }
  if (r->rounds < 1 || r->rounds > ROUNDS_MOST || argc - a < 4) return -1;
  r->name = argv[a++];
  r->unit = argv[a++];
  r->work = atof(argv[a++]);
  for (; a < argc; a++)
    if (read_contender(r, argv[a])) return -1;
  return 0;
}

int main(int argc, char **argv)
{
  static row r;
  int failed;

  if (read_row(&r, argc, argv)) {
    fprintf(stderr, "usage: turns [--rounds=N] [--fresh] [--within=SHARE] ROW UNIT WORK "
                    "NAME=COMMAND ...\n");
    return 2;
  }
  signal(SIGPIPE, SIG_IGN);
  failed = measure(&r) != 0;
  if (!failed) write_row(&r);
  for (int i = 0; i < r.count; i++) end(&r.contenders[i]);
  return failed;
}
