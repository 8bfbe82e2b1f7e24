/* Compression by zlib; without it the same format with what is stored as it is. */
#ifdef HAVE_CONFIG_H
# include <config.h>
#endif
#include "runtime/io/io.h"

#include <stdlib.h>
#include <string.h>

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

uint32_t sni_io_crc(uint32_t sum, const unsigned char *bytes, size_t count)
{
  sum = ~sum;
  for (size_t k = 0; k < count; k++) {
    sum ^= bytes[k];
    for (int b = 0; b < 8; b++)
      sum = sum >> 1 ^ (UINT32_C(0xedb88320) & (0 - (sum & 1)));
  }
  return ~sum;
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
enum { STORED_MOST = 65535 };

static uint32_t adler(const unsigned char *bytes, size_t count)
{
  uint32_t a = 1, b = 0;

  for (size_t k = 0; k < count; k++) {
    a = (a + bytes[k]) % 65521;
    b = (b + a) % 65521;
  }
  return b << 16 | a;
}

unsigned char *sni_io_deflate(const unsigned char *bytes, size_t count, size_t *packed)
{
  const size_t blocks = count / STORED_MOST + 1;
  unsigned char *to = malloc(count + 5 * blocks + 6);
  const uint32_t sum = adler(bytes, count);
  size_t at = 2;

  if (!to)
    return NULL;
  to[0] = 0x78;
  to[1] = 0x01;
  for (size_t done = 0, k = 0; k < blocks; k++) {
    const size_t length = count - done < STORED_MOST ? count - done : STORED_MOST;
    to[at++] = k + 1 == blocks;
    to[at++] = (unsigned char)length;
    to[at++] = (unsigned char)(length >> 8);
    to[at++] = (unsigned char)~length;
    to[at++] = (unsigned char)(~length >> 8);
    if (length)
      memcpy(to + at, bytes + done, length);
    at += length;
    done += length;
  }
  for (int k = 3; k >= 0; k--)
    to[at++] = (unsigned char)(sum >> 8 * k);
  *packed = at;
  return to;
}
#endif
