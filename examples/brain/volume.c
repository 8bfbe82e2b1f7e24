/* Reading NIfTI-1 volumes with libniftiio, which knows headers, gzip and byte order.
 *
 * The library says what is wrong on stderr, or not at all (a file that is cut off
 * reads as zeros): so it is told to be quiet, and the voxels are read here.
 */
#include "volume.h"

#include <errno.h>
#include <math.h>
#include <nifti1_io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Data lies there without alignment guaranteed: each value is copied. */
#define CONVERT(T)                                                            \
  for (size_t i = 0; i < count; i++) {                                        \
    T x;                                                                      \
    memcpy(&x, (const char *)data + i * sizeof x, sizeof x);                  \
    out[i] = (float)x;                                                        \
  }                                                                           \
  return 0

/* Numbers of the file's type as float; -1 for a type that is no real number. */
static int convert(int type, const void *data, size_t count, float *out)
{
  switch (type) {
    case DT_UINT8:   CONVERT(uint8_t);
    case DT_INT8:    CONVERT(int8_t);
    case DT_UINT16:  CONVERT(uint16_t);
    case DT_INT16:   CONVERT(int16_t);
    case DT_UINT32:  CONVERT(uint32_t);
    case DT_INT32:   CONVERT(int32_t);
    case DT_UINT64:  CONVERT(uint64_t);
    case DT_INT64:   CONVERT(int64_t);
    case DT_FLOAT32: CONVERT(float);
    case DT_FLOAT64: CONVERT(double);
    default: return -1;
  }
}

/* The header's scale (a slope of 0 means none), and the range of what comes out. */
static void scale(volume *v, float slope, float intercept)
{
  const int64_t count = volume_voxels(v);

  if (slope == 0 || !isfinite(slope) || !isfinite(intercept)) {
    slope = 1;
    intercept = 0;
  }
  v->least = INFINITY;
  v->greatest = -INFINITY;
  for (int64_t i = 0; i < count; i++) {
    float x = v->value[i] * slope + intercept;
    if (!isfinite(x)) x = 0;
    if (x < v->least) v->least = x;
    if (x > v->greatest) v->greatest = x;
    v->value[i] = x;
  }
}

static int is_there(const char *path, char *message, size_t bytes)
{
  FILE *file = fopen(path, "rb");
  const int there = file && fgetc(file) != EOF;

  if (!file) snprintf(message, bytes, "%s: %s", path, strerror(errno));
  else if (!there) snprintf(message, bytes, "%s: the file is empty, or a folder", path);
  if (file) fclose(file);
  return there ? 0 : -1;
}

/* What the header says, taken over where it makes sense. */
static int take_shape(const nifti_image *image, volume *v, char *message, size_t bytes)
{
  v->n[0] = image->ndim < 3 ? 1 : image->nz;
  v->n[1] = image->ndim < 2 ? 1 : image->ny;
  v->n[2] = image->nx;
  for (int a = 0; a < 3; a++) {
    if (v->n[a] < 1 || v->n[a] > 32767) {
      snprintf(message, bytes, "%s: an extent of %lld voxels makes no sense",
               image->fname ? image->fname : "the file", (long long)v->n[a]);
      return -1;
    }
  }
  return 0;
}

/* The first volume's numbers as they stand in the file, in this machine's byte
 * order; NULL with a line in message. */
static void *read_numbers(const nifti_image *image, size_t count, char *message, size_t bytes)
{
  const size_t size = (size_t)image->nbyper;
  znzFile file = znzopen(image->iname, "rb", nifti_is_gzfile(image->iname));
  void *data = file ? malloc(count * size) : NULL;

  if (!file) snprintf(message, bytes, "%s: %s", image->iname, strerror(errno));
  else if (!data) snprintf(message, bytes, "%s: no memory for %zu voxels", image->iname, count);
  else if (znzseek(file, (long)image->iname_offset, SEEK_SET) < 0 ||
           znzread(data, size, count, file) != count) {
    snprintf(message, bytes, "%s: the voxels cannot be read: the file is cut off or damaged",
             image->iname);
    free(data);
    data = NULL;
  }
  if (data && image->swapsize > 1 && image->byteorder != nifti_short_order())
    nifti_swap_Nbytes(count, image->swapsize, data);
  if (file) znzclose(file);
  return data;
}

int volume_read(const char *path, volume *out, char *message, size_t bytes)
{
  nifti_image *image = NULL;
  volume v = { { 0, 0, 0 }, NULL, 0, 0 };
  void *data = NULL;
  int failed = -1;
  size_t count;

  nifti_set_debug_level(0);
  if (is_there(path, message, bytes)) return -1;
  if (is_nifti_file(path) <= 0 || !(image = nifti_image_read(path, 0))) {
    snprintf(message, bytes, "%s: not a NIfTI-1 volume", path);
    return -1;
  }
  if (take_shape(image, &v, message, bytes)) goto done;
  if (convert(image->datatype, NULL, 0, NULL)) {         /* of nothing: is the type known? */
    snprintf(message, bytes, "%s: voxels of type %s are not real numbers", path,
             nifti_datatype_string(image->datatype));
    goto done;
  }
  count = (size_t)volume_voxels(&v);
  data = read_numbers(image, count, message, bytes);
  if (!data) goto done;
  v.value = malloc(count * sizeof *v.value);
  if (!v.value) {
    snprintf(message, bytes, "%s: no memory for %zu voxels", path, count);
  } else {
    convert(image->datatype, data, count, v.value);
    scale(&v, image->scl_slope, image->scl_inter);
    *out = v;
    failed = 0;
  }
done:
  free(data);
  nifti_image_free(image);
  return failed;
}

void volume_crop(volume *v, int64_t n)
{
  int64_t first[3], kept[3];
  float *to = v->value;

  if (n < 1) return;
  for (int a = 0; a < 3; a++) {
    kept[a] = v->n[a] < n ? v->n[a] : n;
    first[a] = (v->n[a] - kept[a]) / 2;
  }
  v->least = INFINITY;
  v->greatest = -INFINITY;
  /* in place: what is kept moves towards the beginning */
  for (int64_t i = 0; i < kept[0]; i++) {
    for (int64_t j = 0; j < kept[1]; j++) {
      const float *row =
          v->value + ((first[0] + i) * v->n[1] + first[1] + j) * v->n[2] + first[2];
      for (int64_t k = 0; k < kept[2]; k++) {
        const float x = row[k];
        if (x < v->least) v->least = x;
        if (x > v->greatest) v->greatest = x;
        *to++ = x;
      }
    }
  }
  memcpy(v->n, kept, sizeof kept);
}

void volume_free(volume *v)
{
  free(v->value);
  v->value = NULL;
}
