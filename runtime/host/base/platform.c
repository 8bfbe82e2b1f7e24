/* POSIX, with what Linux adds where it is there. */
#ifdef HAVE_CONFIG_H
# include <config.h>
#endif
#ifndef _GNU_SOURCE
# define _GNU_SOURCE 1            /* MAP_NORESERVE, madvise */
#endif
#ifndef _FILE_OFFSET_BITS
# define _FILE_OFFSET_BITS 64     /* files beyond 2 GiB where long has 32 bits */
#endif
#include "runtime/host/base/platform.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#ifndef MAP_NORESERVE
# define MAP_NORESERVE 0
#endif

/* From here on a stretch asks for huge pages: four of x86's. */
#define HUGE_FROM ((size_t)8 << 20)

size_t sni_page_bytes(void)
{
  const long bytes = sysconf(_SC_PAGESIZE);

  return bytes > 0 ? (size_t)bytes : 4096;
}

uint64_t sni_physical_memory(void)
{
  const long pages = sysconf(_SC_PHYS_PAGES);

  return pages > 0 ? (uint64_t)pages * sni_page_bytes() : UINT64_C(1) << 62;
}

double sni_seconds(void)
{
  struct timespec now;

  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static size_t whole_pages(size_t bytes)
{
  const size_t page = sni_page_bytes();

  return bytes > SIZE_MAX - page ? SIZE_MAX - SIZE_MAX % page : (bytes + page - 1) / page * page;
}

void *sni_pages_reserve(size_t *bytes, size_t least, int huge)
{
  size_t want = whole_pages(*bytes);

  least = whole_pages(least);
  for (;;) {
    void *base = mmap(NULL, want, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base != MAP_FAILED) {
#ifdef MADV_HUGEPAGE
      /* A wish: nothing depends on its being granted. */
      if (huge && want >= HUGE_FROM)
        (void)madvise(base, want, MADV_HUGEPAGE);
#else
      (void)huge;
#endif
      *bytes = want;
      return base;
    }
    if (want <= least)
      return NULL;
    want = whole_pages(want / 2);
    if (want < least)
      want = least;
  }
}

void sni_pages_release(void *base, size_t bytes)
{
  if (base)
    (void)munmap(base, bytes);
}

/* What is locked is short, and to sleep and be woken takes longer than most of it: look a few times
 * first, where the system's mutexes can do that. */
void sni_mutex_create(sni_mutex *mutex)
{
  pthread_mutexattr_t attributes;

  (void)pthread_mutexattr_init(&attributes);
#ifdef PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP
  (void)pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ADAPTIVE_NP);
#endif
  /* Fails only for attributes that are not there. */
  (void)pthread_mutex_init(mutex, &attributes);
  (void)pthread_mutexattr_destroy(&attributes);
}

void sni_mutex_destroy(sni_mutex *mutex)
{
  (void)pthread_mutex_destroy(mutex);
}

void sni_mutex_lock(sni_mutex *mutex)
{
  (void)pthread_mutex_lock(mutex);
}

void sni_mutex_unlock(sni_mutex *mutex)
{
  (void)pthread_mutex_unlock(mutex);
}

/* ---- files ---- */

/* Links are followed, so that the file they lead to is replaced and not they. */
static int resolve(const char *path, char *target)
{
  char *real = realpath(path, NULL);
  const char *from = real ? real : path;
  const int fits = strlen(from) < SNI_PATH_BYTES;

  if (fits)
    strcpy(target, from);
  free(real);
  return fits ? 0 : ENAMETOOLONG;
}

/* A name that nobody has: processes that save to one path do not meet. */
static int create_beside(sni_aside *aside, mode_t mode)
{
  int file = -1;

  for (unsigned k = 0; k < 1000 && file < 0; k++) {
    const int length = snprintf(aside->name, sizeof aside->name, "%s.partial-%ld-%u",
                                aside->target, (long)getpid(), k);
    if (length < 0 || (size_t)length >= sizeof aside->name) {
      errno = ENAMETOOLONG;
      return -1;
    }
    file = open(aside->name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (file < 0 && errno != EEXIST)
      return -1;
  }
  return file;
}

int sni_aside_open(sni_aside *aside, const char *path)
{
  struct stat status;
  const int code = resolve(path, aside->target);
  int file, is_there;

  if (code)
    return code;
  is_there = stat(aside->target, &status) == 0;
  if (!is_there || S_ISREG(status.st_mode)) {
    file = create_beside(aside, is_there ? status.st_mode & 0777 : 0666);
  } else {
    strcpy(aside->name, aside->target);
    file = open(aside->name, O_WRONLY | O_CLOEXEC);
  }
  if (file < 0)
    return errno;
  aside->file = fdopen(file, "wb");
  if (!aside->file) {
    const int failed = errno;
    (void)close(file);
    sni_aside_drop(aside);
    return failed;
  }
  return 0;
}

static int is_beside(const sni_aside *aside)
{
  return strcmp(aside->name, aside->target) != 0;
}

void sni_aside_drop(sni_aside *aside)
{
  if (aside->file)
    (void)fclose(aside->file);
  if (is_beside(aside))
    (void)unlink(aside->name);
}

/* The folder that holds the file: so that the new name is on the disk too.  A folder
 * that may not be read, or a file system that cannot do it, is no error: the file is
 * in its place. */
static int sync_folder(char *path)
{
  char *slash = strrchr(path, '/');
  int folder, failed = 0;

  if (slash)
    slash[slash == path] = 0;
  folder = open(slash ? path : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0)
    return 0;
  if (fsync(folder) != 0 && errno == EIO)
    failed = errno;
  (void)close(folder);
  return failed;
}

int sni_aside_commit(sni_aside *aside)
{
  FILE *file = aside->file;
  int failed = 0;

  aside->file = NULL;
  if (fflush(file) != 0 || (is_beside(aside) && fsync(fileno(file)) != 0))
    failed = errno;
  if (fclose(file) != 0 && !failed)
    failed = errno;
  if (!is_beside(aside))
    return failed;
  if (!failed && rename(aside->name, aside->target) != 0)
    failed = errno;
  if (failed) {
    sni_aside_drop(aside);
    return failed;
  }
  return sync_folder(aside->target);
}

FILE *sni_file_read(const char *path)
{
  return fopen(path, "rbe");
}

/* ---- conditions and threads ---- */

void sni_condition_create(sni_condition *condition)
{
  (void)pthread_cond_init(condition, NULL);
}

void sni_condition_destroy(sni_condition *condition)
{
  (void)pthread_cond_destroy(condition);
}

void sni_condition_wait(sni_condition *condition, sni_mutex *mutex)
{
  (void)pthread_cond_wait(condition, mutex);
}

void sni_condition_wake_one(sni_condition *condition)
{
  (void)pthread_cond_signal(condition);
}

void sni_condition_wake_all(sni_condition *condition)
{
  (void)pthread_cond_broadcast(condition);
}

int sni_processors(void)
{
#ifdef CPU_COUNT
  cpu_set_t mine;

  if (sched_getaffinity(0, sizeof mine, &mine) == 0 && CPU_COUNT(&mine) > 0)
    return CPU_COUNT(&mine);
#endif
  const long online = sysconf(_SC_NPROCESSORS_ONLN);

  return online > 0 ? (int)online : 1;
}

int sni_thread_start(sni_thread *thread, void *(*run)(void *), void *user)
{
  return pthread_create(thread, NULL, run, user) == 0;
}

void sni_thread_join(sni_thread thread)
{
  (void)pthread_join(thread, NULL);
}

int sni_thread_bind(int turn)
{
#ifdef CPU_COUNT
  cpu_set_t mine, one;
  int left;

  if (sched_getaffinity(0, sizeof mine, &mine) != 0 || CPU_COUNT(&mine) == 0)
    return 0;
  left = turn % CPU_COUNT(&mine);
  for (int k = 0; k < CPU_SETSIZE; k++)
    if (CPU_ISSET(k, &mine) && left-- == 0) {
      CPU_ZERO(&one);
      CPU_SET(k, &one);
      return sched_setaffinity(0, sizeof one, &one) == 0;
    }
#endif
  (void)turn;
  return 0;
}

void sni_thread_yield(void)
{
  (void)sched_yield();
}

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t value_key;
static int has_key;

static void make_key(void)
{
  has_key = pthread_key_create(&value_key, NULL) == 0;
}

int sni_thread_has_value(void)
{
  (void)pthread_once(&once, make_key);
  return has_key;
}

void *sni_thread_value(void)
{
  return pthread_getspecific(value_key);
}

void sni_thread_set_value(void *value)
{
  (void)pthread_setspecific(value_key, value);
}

int sni_thread_is_this(sni_thread thread)
{
  return pthread_equal(thread, pthread_self());
}
