/* What libFuzzer calls: one input, within a limit of time. */
#include "t/fuzz/fuzz.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MOST_SECONDS = 10 };            /* of the processor's time: others may use it meanwhile */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  const clock_t begun = clock();

  fuzz_one(data, size);
  if ((clock() - begun) / CLOCKS_PER_SEC >= MOST_SECONDS)
    finding("it took more than %d s", MOST_SECONDS);
  return 0;
}

void finding(const char *format, ...)
{
  va_list arguments;

  va_start(arguments, format);
  fputs("finding: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  abort();
}

uint64_t hash_of(const void *data, size_t size)
{
  const unsigned char *bytes = data;
  uint64_t value = UINT64_C(14695981039346656037);

  for (size_t k = 0; k < size; k++)
    value = (value ^ bytes[k]) * UINT64_C(1099511628211);
  return value ^ value >> 32;
}
