/* Programs, libraries, folders: POSIX. */
#ifndef _POSIX_C_SOURCE
# define _POSIX_C_SOURCE 200809L
#endif
#ifndef _GNU_SOURCE
# define _GNU_SOURCE 1            /* dladdr, dlinfo */
#endif
#include "runtime/host/base/process.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined RTLD_DI_LINKMAP || defined __GLIBC__         /* where it is no macro */
# define HAS_LINK_MAP 1
# include <link.h>
#endif

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

#ifndef RTLD_FIRST               /* of macOS: what a library loads is not searched */
# define RTLD_FIRST 0
#endif

void *sni_library_open(const char *path, int stays, char *text, size_t bytes)
{
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_FIRST | (stays ? RTLD_NODELETE : 0));
  const char *why = library ? NULL : dlerror();

  if (!library)
    snprintf(text, bytes, "%s", why ? why : "it could not be loaded");
  return library;
}

/* dlsym searches what the library needs as well: libc has a send and an index. */
static int is_own(void *library, const void *symbol)
{
#ifdef HAS_LINK_MAP
  struct link_map *map;
  Dl_info mine, found;

  if (dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 && dladdr(map->l_ld, &mine) &&
      dladdr(symbol, &found))
    return mine.dli_fbase == found.dli_fbase;
#else
  (void)library;
  (void)symbol;
#endif
  return 1;
}

void *sni_library_find(void *library, const char *symbol)
{
  void *found = dlsym(library, symbol);

  return found && is_own(library, found) ? found : NULL;
}

void sni_library_close(void *library)
{
  (void)dlclose(library);
}

/* ---- folders ---- */

const char *sni_folder_above(const char *in)
{
  const char *temporary = getenv("TMPDIR");

  return in ? in : temporary && temporary[0] ? temporary : "/tmp";
}

/* dlopen takes a path that it knows for the object that it has loaded from there, though that file
 * is gone: no number comes twice in a process.  The counter is relaxed: each addition gives another
 * number whatever the order, and nothing else is read by it. */
int sni_folder_create(const char *in, char *path, size_t bytes)
{
  static atomic_ulong next;

  for (;;) {                             /* a number that no process of before has left */
    const unsigned long number = atomic_fetch_add_explicit(&next, 1, memory_order_relaxed);
    const int length = snprintf(path, bytes, "%s/partial-%ld-%lu", sni_folder_above(in),
                                (long)getpid(), number);
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

static int copy_all(FILE *from, FILE *to)
{
  char some[1 << 14];
  size_t length;

  while ((length = fread(some, 1, sizeof some, from)) > 0)
    if (fwrite(some, 1, length, to) != length)
      return errno;
  return ferror(from) ? errno : 0;
}

int sni_file_copy(const char *from, const char *to)
{
  FILE *source = fopen(from, "rb"), *copy = source ? fopen(to, "wb") : NULL;
  int code = copy ? copy_all(source, copy) : errno;

  if (copy && fclose(copy) && !code)
    code = errno;
  if (source)
    (void)fclose(source);
  return code;
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
