/* CRC-32 of IEEE 802.3: polynomial 0x04C11DB7, reflected (0xEDB88320), started and
 * finished with all ones: the one of zip, PNG and Ethernet.
 */
#ifndef SNI_BASE_CRC_H
#define SNI_BASE_CRC_H

#include <stddef.h>
#include <stdint.h>

/* Table k: what a byte comes to with k zero bytes behind it. */
typedef struct sni_crc {
  uint32_t table[8][256];
} sni_crc;

void sni_crc_init(sni_crc *);
/* The sum of what was summed before (0: nothing yet) and these bytes. */
uint32_t sni_crc_add(const sni_crc *, uint32_t sum, const void *bytes, size_t count);

#endif
