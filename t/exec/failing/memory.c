/* Memory of which one piece cannot be had: libsnode's calls of malloc, calloc and mmap, and its
 * devices' allocations, come here (t/failing.sh).  The one numbered FAIL_AT, in the whole process,
 * from 1, fails; how many there were is written to the file FAIL_COUNT at the end.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include <sanitizer/lsan_interface.h>
#include <sys/mman.h>

void *failing_malloc(size_t bytes);
void *failing_calloc(size_t count, size_t bytes);
void *failing_mmap(void *address, size_t bytes, int protection, int flags, int file, off_t offset);
void failing_stop(void);

static atomic_ulong allocations;

static int fails(void)
{
  static atomic_ulong at;
  unsigned long number = atomic_load(&at);

  if (!number) {                 /* threads that meet here find the same */
    const char *given = getenv("FAIL_AT");
    number = given ? strtoul(given, NULL, 10) : (unsigned long)-1;
    atomic_store(&at, number);
  }
  return atomic_fetch_add(&allocations, 1) + 1 == number;
}

void *failing_malloc(size_t bytes)
{
  return fails() ? NULL : malloc(bytes);
}

void *failing_calloc(size_t count, size_t bytes)
{
  return fails() ? NULL : calloc(count, bytes);
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

/* ---- the end ---- */

__attribute__((destructor)) static void tell(void)
{
  const char *path = getenv("FAIL_COUNT");
  FILE *file = path ? fopen(path, "w") : NULL;

  if (!file) return;
  fprintf(file, "%lu\n", (unsigned long)atomic_load(&allocations));
  fclose(file);
}

/* At the first check that does not hold (t/tap.h), while threads may still be at work: nothing is
 * taken down below them. */
void failing_stop(void)
{
  fflush(stdout);
  tell();
  __lsan_do_leak_check();
  _Exit(1);
}
