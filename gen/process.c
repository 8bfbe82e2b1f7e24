/* Commands that snodegen runs.
 *
 * While one runs, the signals that would end snodegen are blocked and taken one by one by
 * sigwaitinfo, with SIGCHLD: so none comes between a look and a wait.
 */
#define _XOPEN_SOURCE 700
#include "gen/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const int ending[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
enum { ENDING = sizeof ending / sizeof *ending };

static sigset_t mask_before;
static bool is_held;

static sigset_t ending_set(void)
{
  sigset_t set;

  sigemptyset(&set);
  for (int k = 0; k < ENDING; k++)
    sigaddset(&set, ending[k]);
  return set;
}

/* SIGCHLD needs a handler to be kept while it is blocked: who ignores it has none pending. */
static void note_child(int number)
{
  (void)number;
}

void process_hold(void)
{
  struct sigaction action;
  sigset_t set = ending_set();

  memset(&action, 0, sizeof action);
  action.sa_handler = note_child;
  sigaction(SIGCHLD, &action, NULL);
  sigaddset(&set, SIGCHLD);
  sigprocmask(SIG_BLOCK, &set, &mask_before);
  is_held = true;
}

void process_release(void)
{
  is_held = false;
  sigprocmask(SIG_SETMASK, &mask_before, NULL);
}

bool process_is_asked_to_end(void)
{
  sigset_t pending;

  sigpending(&pending);
  for (int k = 0; k < ENDING; k++)
    if (sigismember(&pending, ending[k]) == 1)
      return true;
  return false;
}

/* In the child: why it could not be started goes through the pipe, which closes where it was. */
static void become(char **argv, int report)
{
  int why;

  sigprocmask(SIG_SETMASK, &mask_before, NULL);
  execvp(argv[0], argv);
  why = errno;
  if (write(report, &why, sizeof why) < 0)
    _exit(126);
  _exit(127);
}

/* The status by waitpid, when the child has ended. */
static int wait_for(pid_t child)
{
  sigset_t set = ending_set();
  siginfo_t info;
  int status, number;

  sigaddset(&set, SIGCHLD);
  for (;;) {
    pid_t ended = waitpid(child, &status, WNOHANG);
    if (ended == child)
      return status;
    if (ended < 0 && errno != EINTR)
      return 127 << 8;
    number = sigwaitinfo(&set, &info);
    /* what the terminal sends goes to all its processes */
    if (number > 0 && number != SIGCHLD && info.si_code <= 0)
      kill(child, number);
  }
}

static int reason_of(int report)
{
  int why = 0;

  while (read(report, &why, sizeof why) < 0 && errno == EINTR)
    ;
  close(report);
  return why;
}

static int start_and_wait(char **argv)
{
  int ends[2], status, why;
  pid_t child;

  if (pipe(ends) != 0)
    return -1;
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  child = fork();
  if (child == 0) {
    close(ends[0]);
    become(argv, ends[1]);
  }
  close(ends[1]);
  if (child < 0) {
    close(ends[0]);
    return -1;
  }
  why = reason_of(ends[0]);
  status = wait_for(child);
  if (why != 0) {
    errno = why;
    return -1;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int process_run(char **argv)
{
  const bool holds = !is_held;
  int status;

  fflush(NULL);
  if (holds)
    process_hold();
  status = start_and_wait(argv);
  if (holds) {
    const int why = errno;
    process_release();
    errno = why;
  }
  return status;
}
