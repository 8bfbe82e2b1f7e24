/* Sections of a volume as PNG files, with libpng's simple interface. */
#include "picture.h"

#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GAP = 4 };                       /* pixels between two sections */

typedef struct canvas {
  int64_t width, height;
  uint8_t *pixel;                       /* red green blue, row by row */
} canvas;

typedef struct source {
  const int64_t *n;
  const float *value;
  const uint8_t *mark;
  float white;
} source;

static void paint(canvas *c, int64_t x, int64_t y, const source *s, int64_t at)
{
  uint8_t *p = c->pixel + 3 * (y * c->width + x);
  float bright = s->value[at] / s->white;
  int grey;

  if (!(bright > 0)) bright = 0;
  if (bright > 1) bright = 1;
  grey = (int)(bright * 255 + 0.5f);
  p[0] = p[1] = p[2] = (uint8_t)grey;
  if (s->mark && s->mark[at]) {         /* half the brightness, half orange */
    p[0] = (uint8_t)(grey / 2 + 127);
    p[1] = (uint8_t)(grey / 2 + 64);
    p[2] = (uint8_t)(grey / 2);
  }
}

/* One section: rows run along `down` (its end on top: heads are upright), pixels
 * along `right`, the third axis in its middle. */
static void section(canvas *c, int64_t x0, const source *s, int down, int right)
{
  const int fixed = 3 - down - right;
  const int64_t y0 = (c->height - s->n[down]) / 2;
  int64_t at[3];

  at[fixed] = s->n[fixed] / 2;
  for (int64_t y = 0; y < s->n[down]; y++) {
    at[down] = s->n[down] - 1 - y;
    for (int64_t x = 0; x < s->n[right]; x++) {
      at[right] = x;
      paint(c, x0 + x, y0 + y, s, (at[0] * s->n[1] + at[1]) * s->n[2] + at[2]);
    }
  }
}

int picture_save(const char *path, int64_t width, int64_t height, const uint8_t *pixel,
                 char *message, size_t bytes)
{
  png_image image;

  memset(&image, 0, sizeof image);
  image.version = PNG_IMAGE_VERSION;
  image.width = (png_uint_32)width;
  image.height = (png_uint_32)height;
  image.format = PNG_FORMAT_RGB;
  if (png_image_write_to_file(&image, path, 0, pixel, 0, NULL)) return 0;
  snprintf(message, bytes, "%s: %s", path, image.message);
  return -1;
}

int picture_write(const char *path, const int64_t n[3], const float *value,
                  const uint8_t *mark, float white, char *message, size_t bytes)
{
  const source s = { n, value, mark, white > 0 ? white : 1 };
  canvas c = { n[2] + GAP + n[2] + GAP + n[1], n[0] > n[1] ? n[0] : n[1], NULL };
  int failed;

  c.pixel = calloc((size_t)(c.width * c.height), 3);
  if (!c.pixel) {
    snprintf(message, bytes, "%s: no memory for the picture", path);
    return -1;
  }
  section(&c, 0, &s, 1, 2);                              /* axial: y down, x right */
  section(&c, n[2] + GAP, &s, 0, 2);                     /* coronal: z down, x right */
  section(&c, 2 * (n[2] + GAP), &s, 0, 1);               /* sagittal: z down, y right */

  failed = picture_save(path, c.width, c.height, c.pixel, message, bytes);
  free(c.pixel);
  return failed;
}

int picture_reduce(const char *path, float patch[32 * 32], char *message, size_t bytes)
{
  png_image image;
  uint8_t *pixel = NULL;

  memset(&image, 0, sizeof image);
  image.version = PNG_IMAGE_VERSION;
  if (!png_image_begin_read_from_file(&image, path)) {
    snprintf(message, bytes, "%s: %s", path, image.message);
    return -1;
  }
  image.format = PNG_FORMAT_GRAY;
  pixel = malloc(PNG_IMAGE_SIZE(image));
  if (!pixel || !png_image_finish_read(&image, NULL, pixel, 0, NULL)) {
    snprintf(message, bytes, "%s: %s", path, pixel ? image.message : "no memory");
    png_image_free(&image);
    free(pixel);
    return -1;
  }
  for (int row = 0; row < 32; row++) {
    const size_t y0 = image.height * (size_t)row / 32;
    const size_t y1 = image.height * (size_t)(row + 1) / 32;
    for (int column = 0; column < 32; column++) {
      const size_t x0 = image.width * (size_t)column / 32;
      const size_t x1 = image.width * (size_t)(column + 1) / 32;
      double sum = 0;
      for (size_t y = y0; y < y1; y++)
        for (size_t x = x0; x < x1; x++) sum += pixel[y * image.width + x];
      patch[row * 32 + column] =
          y1 > y0 && x1 > x0 ? (float)(sum / 255 / (double)((y1 - y0) * (x1 - x0))) : 0;
    }
  }
  free(pixel);
  return 0;
}
