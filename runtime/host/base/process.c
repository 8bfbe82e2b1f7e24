/* Programs, libraries, folders: POSIX. */
#ifndef _POSIX_C_SOURCE
# define _POSIX_C_SOURCE 200809L
#endif
#include "runtime/host/base/process.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* ---- programs ---- */

static int outputs(posix_spawn_file_actions_t *actions, const char *output)
{
  int code = posix_spawn_file_actions_addopen(actions, 0, "/dev/null", O_RDONLY, 0);

  if (!code)
    code = posix_spawn_file_actions_addopen(actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (!code)
    code = posix_spawn_file_actions_adddup2(actions, 1, 2);
  return code;
}

static int await(pid_t child, int *status)
{
  int ended;

  while (waitpid(child, &ended, 0) < 0) {
    if (errno == ECHILD) {       /* it has ended: waitpid comes back no sooner */
      *status = SNI_LOST;
      return 0;
    }
    if (errno != EINTR)
      return errno;
  }
  *status = WIFEXITED(ended) ? WEXITSTATUS(ended) : SNI_SIGNALED;
  return 0;
}

/* A program of its own, not a part of this one: it begins with no signal blocked, as threads of the
 * library have them, and with those as usual by which it hears of its own children and pipes. */
static int begin_signals(posix_spawnattr_t *attributes)
{
  sigset_t none, usual;
  int code;

  (void)sigemptyset(&none);
  (void)sigemptyset(&usual);
  (void)sigaddset(&usual, SIGCHLD);
  (void)sigaddset(&usual, SIGPIPE);
  code = posix_spawnattr_setsigmask(attributes, &none);
  if (!code)
    code = posix_spawnattr_setsigdefault(attributes, &usual);
  return code ? code : posix_spawnattr_setflags(attributes,
                                                POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
}

static int spawn(const char *const *arguments, const char *output,
                 const posix_spawnattr_t *attributes, pid_t *child)
{
  posix_spawn_file_actions_t actions;
  char *const *argv;
  int code = posix_spawn_file_actions_init(&actions);

  if (code)
    return code;
  memcpy(&argv, &arguments, sizeof argv);        /* POSIX has no const there, and changes nothing */
  code = outputs(&actions, output);
  if (!code)
    code = posix_spawnp(child, arguments[0], &actions, attributes, argv, environ);
  (void)posix_spawn_file_actions_destroy(&actions);
  return code;
}

int sni_process_run(const char *const *arguments, const char *output, int *status)
{
  posix_spawnattr_t attributes;
  pid_t child;
  int code = posix_spawnattr_init(&attributes);

  if (code)
    return code;
  code = begin_signals(&attributes);
  if (!code)
    code = spawn(arguments, output, &attributes, &child);
  (void)posix_spawnattr_destroy(&attributes);
  return code ? code : await(child, status);
}

/* ---- libraries ---- */

void *sni_library_open(const char *path, int stays, char *text, size_t bytes)
{
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL | (stays ? RTLD_NODELETE : 0));
  const char *why = library ? NULL : dlerror();

  if (!library)
    snprintf(text, bytes, "%s", why ? why : "it could not be loaded");
  return library;
}

void *sni_library_find(void *library, const char *symbol)
{
  return dlsym(library, symbol);
}

void sni_library_close(void *library)
{
  (void)dlclose(library);
}

/* ---- folders ---- */

int sni_folder_create(const char *in, char *path, size_t bytes)
{
  const char *temporary = getenv("TMPDIR");
  const char *above = in ? in : temporary && temporary[0] ? temporary : "/tmp";

  for (unsigned n = 0; ; n++) {          /* the first number that nobody has taken */
    const int length = snprintf(path, bytes, "%s/partial-%ld-%u", above, (long)getpid(), n);
    if (length < 0 || (size_t)length >= bytes)
      return ENAMETOOLONG;
    if (mkdir(path, 0700) == 0)
      return 0;
    if (errno != EEXIST)
      return errno;
  }
}

void sni_folder_remove(const char *path)
{
  DIR *folder = opendir(path);
  const struct dirent *entry;

  if (!folder)
    return;
  while ((entry = readdir(folder)))
    (void)unlinkat(dirfd(folder), entry->d_name, 0);     /* not . and .., which are folders */
  (void)closedir(folder);
  (void)rmdir(path);
}

int sni_file_is_there(const char *path)
{
  return access(path, F_OK) == 0;
}

/* ---- stdout, through a pipe ---- */

enum { STDOUT = 1 };

static int open_pipe(sni_redirect *redirect)
{
  int ends[2];

  if (pipe(ends))
    return errno;
  redirect->from = ends[0];
  redirect->to = ends[1];
  (void)fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  (void)fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  return 0;
}

int sni_redirect_begin(sni_redirect *redirect)
{
  int code;

  redirect->before = fcntl(STDOUT, F_DUPFD_CLOEXEC, 3);
  if (redirect->before < 0)
    return errno;
  code = open_pipe(redirect);
  if (code) {
    (void)close(redirect->before);
    return code;
  }
  flockfile(stdout);
  (void)fflush(stdout);
  code = dup2(redirect->to, STDOUT) < 0 ? errno : 0;
  funlockfile(stdout);
  if (code)
    sni_redirect_close(redirect);
  return code;
}

size_t sni_redirect_read(sni_redirect *redirect, char *to, size_t bytes)
{
  ssize_t got;

  do
    got = read(redirect->from, to, bytes);
  while (got < 0 && errno == EINTR);
  return got > 0 ? (size_t)got : 0;
}

static void write_all(int descriptor, const char *from, size_t bytes)
{
  while (bytes) {
    const ssize_t put = write(descriptor, from, bytes);
    if (put < 0 && errno != EINTR)
      return;                            /* nobody reads it any more */
    if (put > 0) {
      from += put;
      bytes -= (size_t)put;
    }
  }
}

void sni_redirect_write(sni_redirect *redirect, const char *from, size_t bytes)
{
  write_all(redirect->before, from, bytes);
}

/* Nobody else prints meanwhile, so that no line is cut in two by the mark. */
int sni_redirect_mark(sni_redirect *redirect, const char *text)
{
  int is_whole;

  flockfile(stdout);
  is_whole = fflush(stdout) == 0;
  write_all(redirect->to, text, strlen(text));
  funlockfile(stdout);
  return is_whole;
}

/* Whether stdout's descriptor is the pipe still. */
static int leads_here(const sni_redirect *redirect)
{
  struct stat here, there;

  return fstat(redirect->to, &here) == 0 && fstat(STDOUT, &there) == 0 &&
         here.st_dev == there.st_dev && here.st_ino == there.st_ino;
}

void sni_redirect_end(sni_redirect *redirect)
{
  flockfile(stdout);
  (void)fflush(stdout);
  if (leads_here(redirect))
    (void)dup2(redirect->before, STDOUT);
  funlockfile(stdout);
}

void sni_redirect_close(sni_redirect *redirect)
{
  (void)close(redirect->before);
  (void)close(redirect->from);
  (void)close(redirect->to);
}
