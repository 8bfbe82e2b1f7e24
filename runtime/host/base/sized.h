/* Structs of the public headers that begin with their size, `size_t size`, which the caller sets
 * (by the INIT of the struct): a caller that was compiled with the headers of before has a smaller
 * struct than this library, whose end was added since.
 *
 * What is added to such a struct goes to its end and not into the padding that was there.
 */
#ifndef SNI_BASE_SIZED_H
#define SNI_BASE_SIZED_H

#include <stddef.h>

/* The given struct as today's, of `bytes`: itself, or a copy in *own that has of `standard` what
 * the given one lacks; `standard` where NULL is given.  NULL: its size is none that such a struct
 * had: less than the size itself takes, no multiple of that, or more than today's, whose caller may
 * ask for what is not known here. */
const void *sni_sized(const void *given, void *own, const void *standard, size_t bytes);
/* Fills what the caller has room for of a struct of `bytes`; its size stays, and counts as today's
 * where it is larger, or none that such a struct had. */
void sni_sized_fill(void *out, const void *from, size_t bytes);

#endif
