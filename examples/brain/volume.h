/* Volumes of voxels: read from NIfTI-1 files, cut to a cube.
 *
 * A volume is an array of float in row-major order with extents n[0] n[1] n[2],
 * which are the file's z y x: the last axis is the one that lies in a row.
 */
#ifndef BRAIN_VOLUME_H
#define BRAIN_VOLUME_H

#include <stddef.h>
#include <stdint.h>

typedef struct volume {
  int64_t n[3];
  float *value;                 /* n[0] * n[1] * n[2] of them, owned */
  float least, greatest;
} volume;

/* Reads FILE.nii, FILE.nii.gz or FILE.hdr with its .img, of any number type, scaled as
 * its header says; of a series in time the first volume; not a number becomes 0.
 * Returns 0, or -1 with a line in message and nothing to free. */
int volume_read(const char *path, volume *out, char *message, size_t bytes);

/* Keeps the cube of n voxels a side in the middle; an axis shorter than n stays
 * as it is. */
void volume_crop(volume *, int64_t n);

void volume_free(volume *);

static inline int64_t volume_voxels(const volume *v)
{
  return v->n[0] * v->n[1] * v->n[2];
}

#endif
