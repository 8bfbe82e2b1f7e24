/* The only door to the operating system: memory pages, time, locks, the size of
 * the machine.  A port to another system is this file's pair and nothing else.
 */
#ifndef SNI_BASE_PLATFORM_H
#define SNI_BASE_PLATFORM_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

size_t sni_page_bytes(void);
uint64_t sni_physical_memory(void);      /* bytes; 2^62 where it cannot be told */
double sni_seconds(void);                /* since some moment; never runs backwards */

/* Reserves address space that reads as zero and takes memory only where it is
 * touched.  Large stretches ask for huge pages where `huge` says so.  *bytes: wanted; where that much
 * cannot be had it is halved until it can, down to least.  The result is whole
 * pages.  NULL: not even least. */
void *sni_pages_reserve(size_t *bytes, size_t least, int huge);
void sni_pages_release(void *base, size_t bytes);

typedef pthread_mutex_t sni_mutex;
void sni_mutex_create(sni_mutex *);
void sni_mutex_destroy(sni_mutex *);
void sni_mutex_lock(sni_mutex *);
void sni_mutex_unlock(sni_mutex *);

#endif
