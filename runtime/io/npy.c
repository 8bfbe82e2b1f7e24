/* NumPy's arrays: version 1.0 of the format. */
#include "runtime/io/io.h"

#include <stdlib.h>
#include <string.h>

static const char *letter_of(sn_type type)
{
  static const char *const letters[] = {
    [SN_TYPE_BOOL] = "b1", [SN_TYPE_I8] = "i1", [SN_TYPE_I16] = "i2", [SN_TYPE_I32] = "i4",
    [SN_TYPE_I64] = "i8", [SN_TYPE_U8] = "u1", [SN_TYPE_U16] = "u2", [SN_TYPE_U32] = "u4",
    [SN_TYPE_U64] = "u8", [SN_TYPE_F32] = "f4", [SN_TYPE_F64] = "f8", [SN_TYPE_F16] = "f2"
  };

  return letters[type];
}

static char order_of(sn_type type)
{
  const uint16_t one = 1;
  unsigned char first;

  memcpy(&first, &one, 1);
  return letter_of(type)[1] == '1' ? '|' : first ? '<' : '>';
}

/* elements: a last axis; 1: none. */
static void put_head(sni_output_file *out, sn_type type, int axes, const int64_t *shape,
                     int elements)
{
  char text[512];
  unsigned char length[2];
  int used = snprintf(text, sizeof text, "{'descr': '%c%s', 'fortran_order': False, 'shape': (",
                      order_of(type), letter_of(type));
  int padded;

  for (int k = 0; k < axes; k++)
    used += snprintf(text + used, sizeof text - (size_t)used, "%lld, ", (long long)shape[k]);
  if (elements > 1)
    used += snprintf(text + used, sizeof text - (size_t)used, "%d, ", elements);
  used += snprintf(text + used, sizeof text - (size_t)used, "), }");
  padded = (10 + used + 1 + 63) / 64 * 64 - 10;
  length[0] = (unsigned char)padded;
  length[1] = (unsigned char)(padded >> 8);
  sni_io_put(out, "\x93NUMPY\x01\x00", 8);
  sni_io_put(out, length, 2);
  sni_io_print(out, "%-*s\n", padded - 1, text);
}

int sn_io_write_npy(sn_tree *tree, const char *field, const sn_io_options *options,
                    const char *path)
{
  sni_io_choice c;
  sni_output_file out;
  int64_t shape[12];
  void *values;
  int code;

  SN_TRY(sni_io_choose(&c, tree, field, options, 1, 12));
  SN_TRY(sni_io_take_box(&c));
  for (int k = 0; k < c.axes.count; k++)
    shape[k] = c.box.hi[k] - c.box.lo[k];
  SN_TRY(sni_io_open(&out, tree, path));
  values = sni_io_read_box(&c, &c.fields[0], 0, &code);
  if (code == SN_OK) {
    put_head(&out, c.fields[0].type, c.axes.count, shape, c.fields[0].elements);
    sni_io_put(&out, values, (size_t)c.cells * sni_io_value_bytes(&c.fields[0]));
  }
  free(values);
  return sni_io_close(&out, code);
}

static int write_array(const sni_io_choice *c, const char *path, sn_type type, int axes,
                       const int64_t *shape, int elements, const void *values, size_t bytes)
{
  sni_output_file out;

  SN_TRY(sni_io_open(&out, c->tree, path));
  put_head(&out, type, axes, shape, elements);
  sni_io_put(&out, values, bytes);
  return sni_io_close(&out, SN_OK);
}

int sn_io_write_npy_active(sn_tree *tree, const char *field, const char *indices,
                           const char *values)
{
  sni_io_choice c;
  sni_io_cells cells;
  int64_t shape[2];
  void *read;
  int code;

  SN_TRY(sni_io_choose(&c, tree, field, NULL, 1, 12));
  SN_TRY(sni_io_read_cells(&c, &c.fields[0], &cells, &read));
  shape[0] = cells.count;
  shape[1] = c.axes.count;
  code = write_array(&c, indices, SN_TYPE_I64, 2, shape, 1, cells.index,
                     (size_t)(shape[0] * shape[1]) * sizeof *cells.index);
  if (code == SN_OK)
    code = write_array(&c, values, c.fields[0].type, 1, shape, c.fields[0].elements, read,
                       (size_t)cells.count * sni_io_value_bytes(&c.fields[0]));
  free(cells.index);
  free(read);
  return code;
}
