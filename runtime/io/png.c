/* A slice as a picture: PNG of 8 bits of grey, by libpng. */
#ifdef HAVE_CONFIG_H
# include <config.h>
#endif
#include "runtime/io/io.h"

int sn_io_has_png(void)
{
#ifdef SN_HAVE_PNG
  return 1;
#else
  return 0;
#endif
}

#ifdef SN_HAVE_PNG
# include <png.h>
# include <stdlib.h>
# include <string.h>

# include <snode/device/f16.h>

typedef struct picture {
  int64_t width, height;
  unsigned char *pixels;
} picture;

static double number(const void *values, sn_type type, size_t k)
{
  switch (type) {
  case SN_TYPE_BOOL: case SN_TYPE_U8: return ((const uint8_t *)values)[k];
  case SN_TYPE_I8:  return ((const int8_t *)values)[k];
  case SN_TYPE_I16: return ((const int16_t *)values)[k];
  case SN_TYPE_I32: return ((const int32_t *)values)[k];
  case SN_TYPE_I64: return (double)((const int64_t *)values)[k];
  case SN_TYPE_U16: return ((const uint16_t *)values)[k];
  case SN_TYPE_U32: return ((const uint32_t *)values)[k];
  case SN_TYPE_U64: return (double)((const uint64_t *)values)[k];
  case SN_TYPE_F32: return (double)((const float *)values)[k];
  case SN_TYPE_F16: return (double)sn_f16_float(((const sn_f16 *)values)[k]);
  default: return ((const double *)values)[k];
  }
}

static unsigned char grey(double value, double low, double high)
{
  const double share = (value - low) / (high - low);

  if (!(share > 0))              /* what is no number is black too */
    return 0;
  return share >= 1 ? 255 : (unsigned char)(255 * share + 0.5);
}

/* The two indices that are wider than a cell; of one row or one cell the last ones. */
static int shape(const sni_io_choice *c, picture *p)
{
  int64_t wide[2] = { 1, 1 };
  int count = 0;

  for (int k = 0; k < c->axes.count; k++) {
    const int64_t extent = c->box.hi[k] - c->box.lo[k];
    if (extent == 1)
      continue;
    if (count == 2)
      return sni_io_fail(c->tree, SN_EINVAL, "%s: a picture of %s is a slice: give options.box, "
                         "one cell wide along all indices but two", c->info->c_name,
                         c->fields[0].name);
    wide[count++] = extent;
  }
  p->height = count == 2 ? wide[0] : 1;
  p->width = count == 2 ? wide[1] : wide[0];
  if (p->width > INT32_MAX || p->height > INT32_MAX)
    return sni_io_fail(c->tree, SN_EINVAL, "%s: a picture of %lld x %lld pixels is too large",
                       c->info->c_name, (long long)p->width, (long long)p->height);
  return SN_OK;
}

static int paint(const sni_io_choice *c, picture *p, double low, double high)
{
  const size_t count = (size_t)p->width * (size_t)p->height;
  int code;
  void *values = sni_io_read_box(c, &c->fields[0], 0, &code);

  if (code != SN_OK)
    return code;
  p->pixels = malloc(count);
  if (!p->pixels)
    code = sni_io_fail(c->tree, SN_ENOMEM, "no memory for a picture of %s", c->fields[0].name);
  for (size_t k = 0; code == SN_OK && k < count; k++)
    p->pixels[k] = grey(number(values, c->fields[0].type, k), low, high);
  free(values);
  return code;
}

static int put_picture(const sni_io_choice *c, sni_output_file *out, const picture *p)
{
  png_image image;

  memset(&image, 0, sizeof image);
  image.version = PNG_IMAGE_VERSION;
  image.width = (png_uint_32)p->width;
  image.height = (png_uint_32)p->height;
  image.format = PNG_FORMAT_GRAY;
  if (png_image_write_to_stdio(&image, out->file, 0, p->pixels, 0, NULL))
    return SN_OK;
  return sni_io_fail(c->tree, SN_EIO, "%s could not be written: libpng: %s", out->path,
                     image.message);
}

int sn_io_write_png(sn_tree *tree, const char *field, const sn_io_options *options, double low,
                    double high, const char *path)
{
  sni_output_file out;
  sni_io_choice c;
  picture p = { 0, 0, NULL };
  int code;

  SN_TRY(sni_io_choose(&c, tree, field, options, 1, 12));
  if (c.fields[0].elements > 1)
    return sni_io_fail(tree, SN_EINVAL, "%s: %s has %d elements: a picture is of one of them",
                       c.info->c_name, c.fields[0].name, c.fields[0].elements);
  if (!(low < high))
    return sni_io_fail(tree, SN_EINVAL, "%s: a picture's low is below its high", c.info->c_name);
  SN_TRY(sni_io_take_box(&c));
  SN_TRY(shape(&c, &p));
  SN_TRY(sni_io_open(&out, tree, path));
  code = paint(&c, &p, low, high);
  if (code == SN_OK)
    code = put_picture(&c, &out, &p);
  free(p.pixels);
  return sni_io_close(&out, code);
}
#else
int sn_io_write_png(sn_tree *tree, const char *field, const sn_io_options *options, double low,
                    double high, const char *path)
{
  (void)field;
  (void)options;
  (void)low;
  (void)high;
  (void)path;
  return tree ? sni_io_fail(tree, SN_ENOTSUP, "this libsnode_io was built without libpng, which "
                            "writes pictures") : SN_EINVAL;
}
#endif
