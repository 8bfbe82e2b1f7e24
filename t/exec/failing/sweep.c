/* A program that is run again and again, with another allocation failing each time, until there is
 * none left that could.  Each run is a child that this process forks before main: it begins
 * with what the loader and the sanitizers have made ready, which costs more than most programs do.
 * Linked with --wrap=main; runs in a folder of its own.
 *
 * FAIL_RUNS     how many runs, about; 0: one for each allocation
 * FAIL_SECONDS  what a run may take
 * FAIL_FROM, FAIL_UNTIL   the allocations that fail, not all: a long sweep in parts
 *
 * What nobody may see goes to stdout; the file `runs` says how many allocations have failed so far,
 * of how many.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "t/exec/failing/memory.h"

enum { LINES = 30, HUNG = -1, OFTEN = 100 };

int __real_main(int argc, char **argv);
int __wrap_main(int argc, char **argv);

typedef struct program {
  int argc;
  char **argv;
  sigset_t usual, child_ends;    /* signals that are blocked: in a run; here, which waits for it */
  atomic_ulong *allocations;     /* of the last run */
} program;

static unsigned long number_or(const char *name, unsigned long unset)
{
  const char *text = getenv(name);

  return text && *text ? strtoul(text, NULL, 10) : unset;
}

static void give_up(const char *what)
{
  perror(what);
  _exit(2);
}

/* ---- one run ---- */

static void send_to(int stream, const char *path)
{
  const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);

  if (file < 0 || dup2(file, stream) < 0) give_up(path);
  close(file);
}

/* The child.  What it starts itself is in its group, and ends with it where it hangs. */
static int begin(const program *p, unsigned long number)
{
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  setpgid(0, 0);
  send_to(STDOUT_FILENO, "said");
  send_to(STDERR_FILENO, "err");
  sigprocmask(SIG_SETMASK, &p->usual, NULL);
  failing_begin(number, p->allocations);
  return __real_main(p->argc, p->argv);
}

/* Its status as a shell tells it; HUNG. */
static int status_of(const program *p, pid_t child, time_t seconds)
{
  const struct timespec limit = { seconds, 0 };
  int status, has_hung = 0;

  while (waitpid(child, &status, WNOHANG) == 0)
    if (sigtimedwait(&p->child_ends, NULL, &limit) < 0 && errno == EAGAIN) {
      has_hung = 1;
      kill(-child, SIGKILL);
      waitpid(child, &status, 0);
      break;
    }
  return has_hung ? HUNG : WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* ---- what nobody may see ---- */

/* The last line of the file; "" where there is none. */
static const char *last_line(const char *path)
{
  static char line[2000];
  FILE *file = fopen(path, "r");

  line[0] = 0;
  while (file && fgets(line, sizeof line, file)) line[strcspn(line, "\n")] = 0;
  if (file) fclose(file);
  return line;
}

/* Those lines of the file that have the word in them, behind the text. */
static void print_lines(const char *path, const char *word, const char *before)
{
  char line[2000];
  FILE *file = fopen(path, "r");

  for (int k = 0; file && k < LINES && fgets(line, sizeof line, file);)
    if (line[0] != '\n' && strstr(line, word)) {
      printf("%s%s", before, line);
      k++;
    }
  if (file) fclose(file);
}

static void judge(unsigned long number, int status)
{
  char name[40];

  snprintf(name, sizeof name, "allocation %lu: ", number);
  if (status == HUNG)
    printf("%sit hangs: %s\n", name, last_line("said"));
  else if (status == 1 && number == 0)
    printf("no allocation fails, and it ends by itself: %s\n", last_line("said"));
  else if (status == 0 || status == 1)
    print_lines("err", "runtime error", name);
  else {
    printf("%sexit status %d\n", name, status);
    print_lines("err", "", "");
  }
  fflush(stdout);
}

/* ---- all of them ---- */

/* Whether this is the child, whose main has ended: *status is what it has returned. */
static int is_over(program *p, unsigned long number, int *status)
{
  pid_t child;

  atomic_store(p->allocations, 0);
  child = fork();
  if (child < 0) give_up("fork");
  if (child == 0) {
    *status = begin(p, number);
    return 1;
  }
  judge(number, status_of(p, child, (time_t)number_or("FAIL_SECONDS", 0)));
  return 0;
}

static void tell(unsigned long runs, unsigned long all)
{
  FILE *file = fopen("runs", "w");

  if (!file) give_up("runs");
  fprintf(file, "%lu of %lu\n", runs, all);
  fclose(file);
}

/* A program of several threads does not allocate as often each time: the end is where no run has
 * come further. */
int __wrap_main(int argc, char **argv)
{
  const unsigned long wanted = number_or("FAIL_RUNS", 0);
  const unsigned long from = number_or("FAIL_FROM", 1), until = number_or("FAIL_UNTIL", ULONG_MAX);
  program p = { argc, argv, .allocations = mmap(NULL, sizeof *p.allocations, PROT_READ | PROT_WRITE,
                                                MAP_SHARED | MAP_ANONYMOUS, -1, 0) };
  unsigned long first, most, step, runs = 0;
  int status;

  if (p.allocations == MAP_FAILED) give_up("mmap");
  sigemptyset(&p.child_ends);
  sigaddset(&p.child_ends, SIGCHLD);
  sigprocmask(SIG_BLOCK, &p.child_ends, &p.usual);
  if (is_over(&p, 0, &status)) return status;
  first = most = atomic_load(p.allocations);
  step = wanted ? first / wanted + 1 : 1;
  for (unsigned long number = from; number <= most && number <= 2 * first + 100 && number <= until;
       number += step) {
    if (is_over(&p, number, &status)) return status;
    if (atomic_load(p.allocations) > most) most = atomic_load(p.allocations);
    runs += atomic_load(p.allocations) >= number;
    if (number % OFTEN == 0) tell(runs, most);
  }
  tell(runs, most);
  _exit(0);
}
