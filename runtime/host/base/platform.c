/* POSIX, with what Linux adds where it is there. */
#ifdef HAVE_CONFIG_H
# include <config.h>
#endif
#ifndef _GNU_SOURCE
# define _GNU_SOURCE 1            /* MAP_NORESERVE, madvise */
#endif
#include "runtime/host/base/platform.h"
#include "runtime/host/base/text.h"

#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
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
      /* A hint to the system: nothing depends on its being followed. */
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

int sni_mutex_try(sni_mutex *mutex)
{
  return pthread_mutex_trylock(mutex) == 0;
}

void sni_mutex_unlock(sni_mutex *mutex)
{
  (void)pthread_mutex_unlock(mutex);
}

/* ---- conditions and threads ---- */

/* Waits are timed by the clock of sni_seconds, which nobody sets. */
void sni_condition_create(sni_condition *condition)
{
  pthread_condattr_t attributes;

  (void)pthread_condattr_init(&attributes);
  (void)pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  (void)pthread_cond_init(condition, &attributes);
  (void)pthread_condattr_destroy(&attributes);
}

void sni_condition_destroy(sni_condition *condition)
{
  (void)pthread_cond_destroy(condition);
}

void sni_condition_wait(sni_condition *condition, sni_mutex *mutex)
{
  (void)pthread_cond_wait(condition, mutex);
}

int sni_condition_wait_for(sni_condition *condition, sni_mutex *mutex, double seconds)
{
  const double until = sni_seconds() + seconds;
  const struct timespec at = { .tv_sec = (time_t)until,
                               .tv_nsec = (long)(1e9 * (until - (double)(time_t)until)) };

  return pthread_cond_timedwait(condition, mutex, &at) == 0;
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

/* What a thread of the library takes: the rest is the program's, whose handlers run in the threads
 * that it made itself. */
static void signals_to_block(sigset_t *signals)
{
  static const int own[] = { SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS, SIGPROF };

  (void)sigfillset(signals);
  for (size_t k = 0; k < sizeof own / sizeof *own; k++)
    (void)sigdelset(signals, own[k]);
}

static void name_thread(sni_thread thread, const char *name)
{
#ifdef __linux__
  char text[16];                 /* what the kernel has room for */

  (void)sni_text_copy(text, sizeof text, name);
  (void)pthread_setname_np(thread, text);
#else
  (void)thread;
  (void)name;
#endif
}

int sni_thread_start(sni_thread *thread, const char *name, size_t stack, void *(*run)(void *),
                     void *user)
{
  pthread_attr_t attributes;
  sigset_t blocked, before;
  const long least = sysconf(_SC_THREAD_STACK_MIN);
  int code;

  if (pthread_attr_init(&attributes) != 0)
    return 0;
  if (least > 0 && stack < (size_t)least)
    stack = (size_t)least;
  /* A size that the system does not like leaves its own. */
  (void)pthread_attr_setstacksize(&attributes, whole_pages(stack));
  signals_to_block(&blocked);
  /* The new thread has the mask of the one that makes it. */
  (void)pthread_sigmask(SIG_BLOCK, &blocked, &before);
  code = pthread_create(thread, &attributes, run, user);
  (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
  (void)pthread_attr_destroy(&attributes);
  if (code == 0)
    name_thread(*thread, name);
  return code == 0;
}

void sni_thread_join(sni_thread thread)
{
  (void)pthread_join(thread, NULL);
}

int sni_thread_bind(int index)
{
#ifdef CPU_COUNT
  cpu_set_t mine, one;
  int left;

  if (sched_getaffinity(0, sizeof mine, &mine) != 0 || CPU_COUNT(&mine) == 0)
    return 0;
  left = index % CPU_COUNT(&mine);
  for (int k = 0; k < CPU_SETSIZE; k++)
    if (CPU_ISSET(k, &mine) && left-- == 0) {
      CPU_ZERO(&one);
      CPU_SET(k, &one);
      return sched_setaffinity(0, sizeof one, &one) == 0;
    }
#endif
  (void)index;
  return 0;
}

void sni_thread_yield(void)
{
  (void)sched_yield();
}

static pthread_once_t keys_once = PTHREAD_ONCE_INIT, forks_once = PTHREAD_ONCE_INIT;
static pthread_key_t value_key, text_key;
static int has_keys;
static unsigned forks;           /* written where there is one thread: in the child of a fork */

/* A text is freed by the C library's own function, which is there when this library is not any
 * more. */
static void make_keys(void)
{
  if (pthread_key_create(&value_key, NULL) != 0)
    return;
  has_keys = pthread_key_create(&text_key, free) == 0;
  if (!has_keys)
    (void)pthread_key_delete(value_key);
}

int sni_thread_has_value(void)
{
  (void)pthread_once(&keys_once, make_keys);
  return has_keys;
}

char *sni_thread_text(void)
{
  char *text = sni_thread_has_value() ? pthread_getspecific(text_key) : NULL;

  if (!text && has_keys) {
    text = calloc(1, SNI_THREAD_TEXT);
    if (text && pthread_setspecific(text_key, text) != 0) {
      free(text);
      text = NULL;
    }
  }
  return text;
}

static void count_fork(void)
{
  forks++;
}

static void watch_forks(void)
{
  /* Fails only where memory has run out: then a fork is not noticed. */
  (void)pthread_atfork(NULL, NULL, count_fork);
}

unsigned sni_process_forks(void)
{
  return forks;
}

unsigned sni_process_watch_forks(void)
{
  (void)pthread_once(&forks_once, watch_forks);
  return forks;
}

int sni_process_at_end(void (*at_end)(void), void (*in_child)(void))
{
  return pthread_atfork(NULL, NULL, in_child) == 0 && atexit(at_end) == 0;
}

void *sni_thread_value(void)
{
  return pthread_getspecific(value_key);
}

void sni_thread_set_value(void *value)
{
  (void)pthread_setspecific(value_key, value);
}

sni_thread sni_thread_this(void)
{
  return pthread_self();
}

int sni_thread_is_this(sni_thread thread)
{
  return pthread_equal(thread, pthread_self());
}
