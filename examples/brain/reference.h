/* What brain.sn does, as loops over dense arrays in plain C: what it is checked
 * against, and measured beside.
 *
 * All arrays have the padded extents m[0] m[1] m[2] (the volume's, plus 2), row-major;
 * the voxels of the volume are 1 .. m - 2 on each axis.
 */
#ifndef BRAIN_REFERENCE_H
#define BRAIN_REFERENCE_H

#include "volume.h"

typedef struct reference {
  int64_t m[3];
  float *u, *next;
  uint8_t *inside, *grown;
} reference;

/* 0, or -1 when there is no memory. */
int reference_create(const volume *, float threshold, reference *out);
void reference_free(reference *);

/* One step of diffusion: into next, which then becomes u. */
void reference_diffuse(reference *, float rate, float inverse_kappa);
/* Grows the stored set by its six neighbours; how many voxels joined. */
int64_t reference_dilate(reference *, float value);
int64_t reference_count(const reference *);
double reference_mass(const reference *);

static inline int64_t reference_at(const reference *r, int64_t i, int64_t j, int64_t k)
{
  return (i * r->m[1] + j) * r->m[2] + k;
}

#endif
