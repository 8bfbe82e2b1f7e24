/* Files: POSIX, with what Linux adds where it is there. */
#ifdef HAVE_CONFIG_H
# include <config.h>
#endif
#ifndef _GNU_SOURCE
# define _GNU_SOURCE 1            /* O_PATH */
#endif
#ifndef _FILE_OFFSET_BITS
# define _FILE_OFFSET_BITS 64     /* files beyond 2 GiB where long has 32 bits */
#endif
#include "runtime/host/base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "runtime/host/base/text.h"

enum { MOST_LINKS = 40 };        /* as the system's own limit */

/* ---- a pipe that nobody reads ---- */

/* Writing to one raises SIGPIPE in the thread that writes, which ends a process that does not
 * expect it.  The signal is kept back meanwhile, and taken away where it was not waiting before. */
typedef struct guard {
  sigset_t pipe, before;
  int is_on, was_pending;
} guard;

static int is_beside(const sni_aside *aside)
{
  return aside->folder >= 0;
}

static void guard_begin(guard *g, const sni_aside *aside)
{
  sigset_t pending;

  g->is_on = !is_beside(aside);
  if (!g->is_on)
    return;
  (void)sigemptyset(&g->pipe);
  (void)sigaddset(&g->pipe, SIGPIPE);
  g->was_pending = sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE) == 1;
  (void)pthread_sigmask(SIG_BLOCK, &g->pipe, &g->before);
}

static void guard_end(const guard *g)
{
  const struct timespec now = { 0, 0 };

  if (!g->is_on)
    return;
  if (!g->was_pending)
    while (sigtimedwait(&g->pipe, NULL, &now) < 0 && errno == EINTR)
      continue;
  (void)pthread_sigmask(SIG_SETMASK, &g->before, NULL);
}

/* ---- where a path leads ---- */

static char *last_part(char *path)
{
  char *slash = strrchr(path, '/');

  return slash ? slash + 1 : path;
}

/* What the link says, in the place of its own name: the system goes through the folders.
 * 0, EINVAL: it is no link, or errno. */
static int follow(char *path)
{
  char target[SNI_PATH_BYTES];
  const ssize_t length = readlink(path, target, sizeof target - 1);
  char *name = last_part(path);

  if (length < 0)
    return errno;
  target[length] = 0;
  if (target[0] == '/')
    name = path;
  if ((size_t)(name - path) + (size_t)length >= SNI_PATH_BYTES)
    return ENAMETOOLONG;
  strcpy(name, target);
  return 0;
}

/* Through links to the file, or to where it would be. */
static int resolve(char *path)
{
  for (int k = 0; k < MOST_LINKS; k++) {
    const int code = follow(path);
    if (code == EINVAL || code == ENOENT)
      return 0;
    if (code)
      return code;
  }
  return ELOOP;
}

/* Which may not be readable: then it is a place only. */
static int open_folder(const char *path)
{
  int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

#ifdef O_PATH
  if (folder < 0 && errno == EACCES)
    folder = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
#endif
  return folder;
}

/* The folder is opened; the name is its last part. */
static int split(sni_aside *aside, char *path)
{
  char *name = last_part(path);

  if (strlen(name) >= sizeof aside->name)
    return ENAMETOOLONG;
  if (!*name)
    return EISDIR;
  strcpy(aside->name, name);
  *name = 0;
  aside->folder = open_folder(*path ? path : ".");
  return aside->folder < 0 ? errno : 0;
}

/* ---- writing ---- */

/* Bytes of a name that the folder takes, and the 0 behind it. */
static size_t room_for_name(const sni_aside *aside)
{
  const long most = fpathconf(aside->folder, _PC_NAME_MAX);

  return most > 0 && most < SNI_NAME_BYTES - 1 ? (size_t)most + 1 : SNI_NAME_BYTES;
}

/* As much of the name as there is room for, and what makes it nobody's. */
static void make_partial(sni_aside *aside, unsigned number)
{
  char behind[64];
  const size_t length = sni_text_format(behind, sizeof behind, ".partial-%ld-%u", (long)getpid(),
                                        number);

  (void)sni_text_copy(aside->partial, room_for_name(aside) - length, aside->name);
  strcat(aside->partial, behind);
}

static int create_partial(sni_aside *aside)
{
  const mode_t mode = aside->has_mode ? 0600 : 0666;
  int file = -1;

  for (unsigned k = 0; k < 1000 && file < 0; k++) {
    make_partial(aside, k);
    file = openat(aside->folder, aside->partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (file < 0 && errno != EEXIST)
      break;
  }
  return file;
}

/* Who may not give the file away keeps it, and a file system without permissions has none to
 * keep: until here nobody else could read it.  The mode comes last, since a change of owner can
 * take bits of it. */
static void keep_permissions(const sni_aside *aside, int file)
{
  int kept;

  if (!aside->has_mode)
    return;
  kept = fchown(file, aside->owner, aside->group) == 0 ||
         fchown(file, (uid_t)-1, aside->group) == 0;
  kept &= fchmod(file, aside->mode) == 0;
  (void)kept;
}

static int open_beside(sni_aside *aside, char *path, const struct stat *status)
{
  int code = resolve(path), file;

  if (!code)
    code = split(aside, path);
  if (code)
    return code;
  aside->has_mode = status != NULL;
  if (status) {
    aside->mode = status->st_mode & 0777;
    aside->owner = status->st_uid;
    aside->group = status->st_gid;
  }
  file = create_partial(aside);
  if (file < 0)
    return errno;
  aside->file = fdopen(file, "wb");
  if (aside->file)
    return 0;
  code = errno;
  (void)close(file);
  return code;
}

static int open_in_place(sni_aside *aside, const char *path)
{
  const int file = open(path, O_WRONLY | O_CLOEXEC);

  if (file < 0)
    return errno;
  aside->file = fdopen(file, "wb");
  if (!aside->file) {
    const int failed = errno;
    (void)close(file);
    return failed;
  }
  return 0;
}

int sni_aside_open(sni_aside *aside, const char *path)
{
  char target[SNI_PATH_BYTES];
  struct stat status;
  int is_there, code;

  memset(aside, 0, sizeof *aside);
  aside->folder = -1;
  if (strlen(path) >= sizeof target)
    return ENAMETOOLONG;
  strcpy(target, path);
  is_there = stat(path, &status) == 0;
  if (is_there && !S_ISREG(status.st_mode))
    return open_in_place(aside, path);
  code = open_beside(aside, target, is_there ? &status : NULL);
  if (code)
    sni_aside_drop(aside);
  return code;
}

int sni_file_has_messages(void)
{
  return fcntl(STDERR_FILENO, F_GETFD) >= 0;
}

/* A descriptor of its own: the stream may be closed while the program's goes on. */
int sni_aside_open_messages(sni_aside *aside)
{
  const int file = dup(STDERR_FILENO);
  int failed;

  memset(aside, 0, sizeof *aside);
  aside->folder = -1;
  if (file < 0)
    return errno;
  aside->file = fdopen(file, "wb");
  if (aside->file)
    return 0;
  failed = errno;
  (void)close(file);
  return failed;
}

int sni_aside_write(sni_aside *aside, const void *bytes, size_t count)
{
  guard g;
  int failed = 0;

  guard_begin(&g, aside);
  errno = 0;
  if (count && fwrite(bytes, 1, count, aside->file) != count)
    failed = errno ? errno : EIO;
  guard_end(&g);
  return failed;
}

/* What the stream still holds goes out first. */
static int close_file(sni_aside *aside)
{
  FILE *file = aside->file;
  guard g;
  int failed = 0;

  if (!file)
    return 0;
  aside->file = NULL;
  guard_begin(&g, aside);
  if (fflush(file) != 0)
    failed = errno;
  if (!failed && is_beside(aside)) {
    keep_permissions(aside, fileno(file));
    failed = fsync(fileno(file)) == 0 ? 0 : errno;
  }
  if (fclose(file) != 0 && !failed)
    failed = errno;
  guard_end(&g);
  return failed;
}

void sni_aside_drop(sni_aside *aside)
{
  (void)close_file(aside);
  if (!is_beside(aside))
    return;
  if (*aside->partial)
    (void)unlinkat(aside->folder, aside->partial, 0);
  (void)close(aside->folder);
  aside->folder = -1;
}

int sni_aside_commit(sni_aside *aside)
{
  int failed = close_file(aside);

  if (!is_beside(aside))
    return failed;
  if (!failed && renameat(aside->folder, aside->partial, aside->folder, aside->name) != 0)
    failed = errno;
  if (failed) {
    sni_aside_drop(aside);
    return failed;
  }
  /* So that the new name is on the disk too.  A file system that cannot do it is no error: the
   * file is in its place. */
  if (fsync(aside->folder) != 0 && errno == EIO)
    failed = EIO;
  (void)close(aside->folder);
  return failed;
}

/* ---- reading ---- */

/* Not to wait for a pipe's writer: it is not read. */
FILE *sni_file_read(const char *path)
{
  const int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  FILE *stream = NULL;
  int failed = 0;

  if (file < 0)
    return NULL;
  if (lseek(file, 0, SEEK_SET) < 0 || (stream = fdopen(file, "rb")) == NULL)
    failed = errno;
  if (failed) {
    (void)close(file);
    errno = failed;
  }
  return stream;
}

/* Not blocking: a pipe that nobody reads is an error, and no wait. */
int sni_file_hold(const char *path, int *held)
{
  const int file = open(path, O_WRONLY | O_CREAT | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0666);
  int failed;

  if (file < 0)
    return errno;
  if (flock(file, LOCK_EX | LOCK_NB) == 0) {
    *held = file;
    return 0;
  }
  failed = errno;
  (void)close(file);
  return failed;
}

void sni_file_let_go(int held)
{
  (void)close(held);
}
