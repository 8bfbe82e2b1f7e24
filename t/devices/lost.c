/* A device that is lost: from call LOST_FROM (an environment variable) on no copy to it or from it
 * succeeds, and it has no memory; linked with --wrap=omp_target_memcpy and --wrap=omp_target_alloc.
 * Regions still run, since libomptarget ends the process where one fails.
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

int __real_omp_target_memcpy(void *to, const void *from, size_t bytes, size_t to_offset,
                             size_t from_offset, int to_device, int from_device);
int __wrap_omp_target_memcpy(void *to, const void *from, size_t bytes, size_t to_offset,
                             size_t from_offset, int to_device, int from_device);
void *__real_omp_target_alloc(size_t bytes, int device);
void *__wrap_omp_target_alloc(size_t bytes, int device);

static int lost(void)
{
  static long calls;
  const char *from = getenv("LOST_FROM");

  calls++;
  if (!from || calls < atol(from)) return 0;
  if (calls == atol(from)) fprintf(stderr, "lost\n");
  return 1;
}

int __wrap_omp_target_memcpy(void *to, const void *from, size_t bytes, size_t to_offset,
                             size_t from_offset, int to_device, int from_device)
{
  if (lost()) return 1;
  return __real_omp_target_memcpy(to, from, bytes, to_offset, from_offset, to_device, from_device);
}

void *__wrap_omp_target_alloc(size_t bytes, int device)
{
  return lost() ? NULL : __real_omp_target_alloc(bytes, device);
}
