/* Memory of which one piece cannot be had: libsnode's calls of malloc, calloc and mmap, and its
 * devices' allocations, come here (t/failing.sh).  In each run of the program (sweep.c) one of
 * them fails, by its number in the whole process, from 1; the sweep sees how many there were.
 */
#include <stdio.h>
#include <stdlib.h>

#include <sanitizer/lsan_interface.h>
#include <sys/mman.h>

#include "t/exec/failing/memory.h"

void *failing_malloc(size_t bytes);
void *failing_calloc(size_t count, size_t bytes);
void *failing_mmap(void *address, size_t bytes, int protection, int flags, int file, off_t offset);
void failing_stop(void);

static unsigned long failing_number;
static atomic_ulong *count;

void failing_begin(unsigned long number, atomic_ulong *counted)
{
  failing_number = number;
  count = counted;
}

static int fails(void)
{
  return atomic_fetch_add(count, 1) + 1 == failing_number;
}

void *failing_malloc(size_t bytes)
{
  return fails() ? NULL : malloc(bytes);
}

void *failing_calloc(size_t number, size_t bytes)
{
  return fails() ? NULL : calloc(number, bytes);
}

void *failing_mmap(void *address, size_t bytes, int protection, int flags, int file, off_t offset)
{
  return fails() ? MAP_FAILED : mmap(address, bytes, protection, flags, file, offset);
}

#ifdef FAILING_DEVICES           /* linked with --wrap=omp_target_alloc */
void *__real_omp_target_alloc(size_t bytes, int device);
void *__wrap_omp_target_alloc(size_t bytes, int device);

void *__wrap_omp_target_alloc(size_t bytes, int device)
{
  return fails() ? NULL : __real_omp_target_alloc(bytes, device);
}
#endif

/* At the first check that does not hold (t/tap.h), while threads may still be at work: nothing is
 * taken down below them. */
void failing_stop(void)
{
  fflush(stdout);
  __lsan_do_leak_check();
  _Exit(1);
}
