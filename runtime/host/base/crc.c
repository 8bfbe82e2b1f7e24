/* CRC-32, eight bytes at a step: one look-up for each of them in its own table
 * (Kounavis and Berry, "Novel Table Lookup-Based Algorithms for High-Performance
 * CRC Generation", 2008).
 */
#include "runtime/host/base/crc.h"

#define POLYNOMIAL UINT32_C(0xEDB88320)

void sni_crc_init(sni_crc *crc)
{
  for (uint32_t byte = 0; byte < 256; byte++) {
    uint32_t sum = byte;
    for (int bit = 0; bit < 8; bit++)
      sum = sum >> 1 ^ (sum & 1 ? POLYNOMIAL : 0);
    crc->table[0][byte] = sum;
  }
  for (uint32_t byte = 0; byte < 256; byte++)
    for (int k = 1; k < 8; k++) {
      const uint32_t before = crc->table[k - 1][byte];
      crc->table[k][byte] = before >> 8 ^ crc->table[0][before & 255];
    }
}

/* By shifts: the same on any byte order. */
static uint32_t four(const unsigned char *at)
{
  return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

uint32_t sni_crc_add(const sni_crc *crc, uint32_t sum, const void *bytes, size_t count)
{
  const uint32_t (*const t)[256] = crc->table;
  const unsigned char *at = bytes;

  sum = ~sum;
  for (; count >= 8; count -= 8, at += 8) {
    const uint32_t low = four(at) ^ sum, high = four(at + 4);
    sum = t[7][low & 255] ^ t[6][low >> 8 & 255] ^ t[5][low >> 16 & 255] ^ t[4][low >> 24] ^
          t[3][high & 255] ^ t[2][high >> 8 & 255] ^ t[1][high >> 16 & 255] ^ t[0][high >> 24];
  }
  for (; count; count--, at++)
    sum = sum >> 8 ^ t[0][(sum ^ *at) & 255];
  return ~sum;
}
