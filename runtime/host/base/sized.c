/* Structs of callers of before. */
#include "runtime/host/base/sized.h"

#include <string.h>

static size_t size_of(const void *given)
{
  size_t size;

  memcpy(&size, given, sizeof size);
  return size;
}

/* Whether a struct that has `bytes` today may have had so many: one that begins with a size_t ends
 * where another could begin. */
static int is_size(size_t size, size_t bytes)
{
  return size >= sizeof size && size <= bytes && size % sizeof size == 0;
}

const void *sni_sized(const void *given, void *own, const void *standard, size_t bytes)
{
  const size_t size = given ? size_of(given) : 0;

  if (!given)
    return standard;
  if (size == bytes)
    return given;
  if (!is_size(size, bytes))
    return NULL;
  memcpy(own, standard, bytes);
  memcpy(own, given, size);
  memcpy(own, &bytes, sizeof bytes);
  return own;
}

void sni_sized_fill(void *out, const void *from, size_t bytes)
{
  const size_t given = size_of(out);
  const size_t size = is_size(given, bytes) ? given : bytes;

  memcpy((char *)out + sizeof size, (const char *)from + sizeof size, size - sizeof size);
}
