/* What all fuzz targets share.
 *
 * A target is a file of this folder that defines fuzz_one; t/fuzz/build.mk names them, t/fuzz/run
 * runs them.
 */
#ifndef SN_T_FUZZ_FUZZ_H
#define SN_T_FUZZ_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One input.  It leaves nothing behind: the next one finds what this one found. */
void fuzz_one(const uint8_t *data, size_t size);

/* Says what is wrong and aborts, so that the input is kept. */
_Noreturn void finding(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* FNV-1a: the same choice whenever the input is the same. */
uint64_t hash_of(const void *data, size_t size);

#endif
