/* Compression by zlib, where the library was built with it. */
#ifdef HAVE_CONFIG_H
# include <config.h>
#endif
#include "runtime/io/io.h"

#include <stdlib.h>

#ifdef SN_HAVE_ZLIB
# include <zlib.h>
#endif

int sn_io_has_zlib(void)
{
#ifdef SN_HAVE_ZLIB
  return 1;
#else
  return 0;
#endif
}

#ifdef SN_HAVE_ZLIB
unsigned char *sni_io_deflate(const unsigned char *bytes, size_t count, size_t *packed)
{
  uLongf length = compressBound((uLong)count);
  unsigned char *to = malloc(length);

  if (to && compress2(to, &length, bytes, (uLong)count, 4) != Z_OK) {
    free(to);
    to = NULL;
  }
  *packed = (size_t)length;
  return to;
}
#else
unsigned char *sni_io_deflate(const unsigned char *bytes, size_t count, size_t *packed)
{
  (void)bytes;
  (void)count;
  *packed = 0;
  return NULL;
}
#endif
