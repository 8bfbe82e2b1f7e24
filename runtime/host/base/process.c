/* Programs, libraries, folders: POSIX. */
#ifndef _POSIX_C_SOURCE
# define _POSIX_C_SOURCE 200809L
#endif
#include "runtime/host/base/process.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
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

  while (waitpid(child, &ended, 0) < 0)
    if (errno != EINTR)
      return errno;
  *status = WIFEXITED(ended) ? WEXITSTATUS(ended) : -1;
  return 0;
}

int sni_process_run(const char *const *arguments, const char *output, int *status)
{
  posix_spawn_file_actions_t actions;
  char *const *argv;
  pid_t child;
  int code = posix_spawn_file_actions_init(&actions);

  if (code)
    return code;
  memcpy(&argv, &arguments, sizeof argv);        /* POSIX has no const there, and changes nothing */
  code = outputs(&actions, output);
  if (!code)
    code = posix_spawnp(&child, arguments[0], &actions, NULL, argv, environ);
  (void)posix_spawn_file_actions_destroy(&actions);
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

/* ---- a file descriptor ---- */

int sni_redirect_begin(sni_redirect *redirect, int number)
{
  int ends[2], code = 0;

  redirect->number = number;
  redirect->before = fcntl(number, F_DUPFD_CLOEXEC, 3);
  if (redirect->before < 0)
    return errno;
  if (pipe(ends)) {
    code = errno;
    (void)close(redirect->before);
    return code;
  }
  redirect->pipe = ends[0];
  (void)fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  if (dup2(ends[1], number) < 0) {
    code = errno;
    sni_redirect_close(redirect);
  }
  (void)close(ends[1]);
  return code;
}

size_t sni_redirect_read(sni_redirect *redirect, char *to, size_t bytes)
{
  ssize_t got;

  do
    got = read(redirect->pipe, to, bytes);
  while (got < 0 && errno == EINTR);
  return got > 0 ? (size_t)got : 0;
}

void sni_redirect_write(sni_redirect *redirect, const char *from, size_t bytes)
{
  while (bytes) {
    const ssize_t put = write(redirect->before, from, bytes);
    if (put < 0 && errno != EINTR)
      return;                            /* nobody reads it any more */
    if (put > 0) {
      from += put;
      bytes -= (size_t)put;
    }
  }
}

void sni_redirect_end(sni_redirect *redirect)
{
  (void)dup2(redirect->before, redirect->number);
}

void sni_redirect_close(sni_redirect *redirect)
{
  (void)close(redirect->before);
  (void)close(redirect->pipe);
}
