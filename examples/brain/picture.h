/* Three sections through the middle of a volume, side by side, as a PNG file; PNG files. */
#ifndef BRAIN_PICTURE_H
#define BRAIN_PICTURE_H

#include <stddef.h>
#include <stdint.h>

/* Writes the axial, coronal and sagittal sections of value (row-major, extents
 * n[0] n[1] n[2] = z y x), black at 0 or below and white at `white`.  Voxels
 * with mark[...] != 0 are tinted orange; mark may be NULL.
 * Returns 0, or -1 with a line in message. */
int picture_write(const char *path, const int64_t n[3], const float *value,
                  const uint8_t *mark, float white, char *message, size_t bytes);

/* Writes pixels, 3 bytes each: red, green, blue, row by row from the top.
 * Returns 0, or -1 with a line in message. */
int picture_save(const char *path, int64_t width, int64_t height, const uint8_t *pixel,
                 char *message, size_t bytes);

/* The mean brightness (0 to 1) of 32 x 32 patches of a PNG file, row by row;
 * 0, or -1 with a line in message. */
int picture_reduce(const char *path, float patch[32 * 32], char *message, size_t bytes);

#endif
