/* POSIX, with what Linux adds where it is there. */
#ifdef HAVE_CONFIG_H
# include <config.h>
#endif
#ifndef _GNU_SOURCE
# define _GNU_SOURCE 1            /* MAP_NORESERVE, madvise */
#endif
#include "runtime/host/base/platform.h"

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

void sni_mutex_create(sni_mutex *mutex)
{
  /* Fails only for attributes, and none are given. */
  (void)pthread_mutex_init(mutex, NULL);
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
