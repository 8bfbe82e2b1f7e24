/* FNV-1a of 64 bits (G. Fowler, L. C. Noll, K.-P. Vo): spreads texts well, and is no protection
 * against texts that were made to collide.
 */
#ifndef SNI_BASE_FNV_H
#define SNI_BASE_FNV_H

#include <stdint.h>

/* Of the text without the zero behind it. */
static inline uint64_t sni_fnv(const char *text)
{
  uint64_t hash = UINT64_C(0xCBF29CE484222325);

  for (; *text; text++)
    hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001B3);
  return hash;
}

#endif
