/* Fields as the grids of .vdb and .nvdb files: their cells, and their values in one of the few
 * types that both kinds of file have. */
#include "runtime/io/grids.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/io/io.h"
#include <snode/device/f16.h>

typedef struct set {
  const sni_io_choice *c;
  sni_grids grids;
  sni_grid grid[SNI_IO_FIELDS];
  int32_t *at;                   /* of all: the fields share their SNode */
} set;

/* ---- types ---- */

/* Integers that fit are int32, f16 is float; of two or three elements a vector of floats where
 * these hold the type, else of doubles. */
static sni_grid_kind kind_of(const sni_io_field *field)
{
  const int is_vector = field->elements > 1;

  switch (field->type) {
  case SN_TYPE_BOOL: return is_vector ? SNI_GRID_VEC3F : SNI_GRID_BOOL;
  case SN_TYPE_I8: case SN_TYPE_U8: case SN_TYPE_I16: case SN_TYPE_U16:
    return is_vector ? SNI_GRID_VEC3F : SNI_GRID_INT32;
  case SN_TYPE_I32: return is_vector ? SNI_GRID_VEC3D : SNI_GRID_INT32;
  case SN_TYPE_U32: case SN_TYPE_I64: case SN_TYPE_U64:
    return is_vector ? SNI_GRID_VEC3D : SNI_GRID_INT64;
  case SN_TYPE_F16: case SN_TYPE_F32: return is_vector ? SNI_GRID_VEC3F : SNI_GRID_FLOAT;
  default: return is_vector ? SNI_GRID_VEC3D : SNI_GRID_DOUBLE;
  }
}

/* Of a value; elements that a field lacks are 0. */
static size_t kind_bytes(sni_grid_kind kind)
{
  static const size_t bytes[] = {
    [SNI_GRID_BOOL] = 1, [SNI_GRID_INT32] = 4, [SNI_GRID_INT64] = 8, [SNI_GRID_FLOAT] = 4,
    [SNI_GRID_DOUBLE] = 8, [SNI_GRID_VEC3F] = 12, [SNI_GRID_VEC3D] = 24
  };

  return bytes[kind];
}

static int64_t whole(const void *values, sn_type type, size_t k)
{
  switch (type) {
  case SN_TYPE_BOOL: case SN_TYPE_U8: return ((const uint8_t *)values)[k];
  case SN_TYPE_I8:  return ((const int8_t *)values)[k];
  case SN_TYPE_I16: return ((const int16_t *)values)[k];
  case SN_TYPE_U16: return ((const uint16_t *)values)[k];
  case SN_TYPE_I32: return ((const int32_t *)values)[k];
  case SN_TYPE_U32: return ((const uint32_t *)values)[k];
  default:          return ((const int64_t *)values)[k];
  }
}

static double real(const void *values, sn_type type, size_t k)
{
  switch (type) {
  case SN_TYPE_F16: return (double)sn_f16_float(((const sn_f16 *)values)[k]);
  case SN_TYPE_F32: return (double)((const float *)values)[k];
  case SN_TYPE_F64: return ((const double *)values)[k];
  case SN_TYPE_U64: return (double)((const uint64_t *)values)[k];
  default:          return (double)whole(values, type, k);
  }
}

static void convert(sni_grid_kind kind, const sni_io_field *field, const void *values, size_t k,
                    char *to)
{
  double x[3] = { 0, 0, 0 };

  for (int e = 0; e < field->elements && kind >= SNI_GRID_FLOAT; e++)
    x[e] = real(values, field->type, k * (size_t)field->elements + (size_t)e);
  switch (kind) {
  case SNI_GRID_BOOL:   *to = (char)whole(values, field->type, k); break;
  case SNI_GRID_INT32:  memcpy(to, &(int32_t){ (int32_t)whole(values, field->type, k) }, 4); break;
  case SNI_GRID_INT64:  memcpy(to, &(int64_t){ whole(values, field->type, k) }, 8); break;
  case SNI_GRID_FLOAT:  memcpy(to, &(float){ (float)x[0] }, 4); break;
  case SNI_GRID_DOUBLE: memcpy(to, x, 8); break;
  case SNI_GRID_VEC3F:
    memcpy(to, ((float[]){ (float)x[0], (float)x[1], (float)x[2] }), 12);
    break;
  case SNI_GRID_VEC3D:  memcpy(to, x, 24); break;
  }
}

/* ---- what a grid cannot hold ---- */

static int check(const sni_io_choice *c)
{
  for (int k = 0; k < c->count; k++)
    if (c->fields[k].elements > 3)
      return sni_io_fail(c->tree, SN_EINVAL, "%s: %s has %d elements, and a grid holds 1 to 3: "
                         "name them one by one", c->info->c_name, c->fields[k].name,
                         c->fields[k].elements);
  for (int k = 0; k < 3; k++)
    if (!(c->options.spacing[k] > 0))
      return sni_io_fail(c->tree, SN_EINVAL, "%s: options.spacing[%d] of a grid is above 0",
                         c->info->c_name, k);
  return SN_OK;
}

static int check_values(const sni_io_choice *c, const sni_io_field *field, const void *values,
                        int64_t count)
{
  if (field->type != SN_TYPE_U64 || field->elements > 1)
    return SN_OK;
  for (int64_t k = 0; k < count; k++)
    if (((const uint64_t *)values)[k] > INT64_MAX)
      return sni_io_fail(c->tree, SN_EINVAL, "%s: %s has a value of 2^63 or more, which no type of "
                         "grid holds", c->info->c_name, field->name);
  return SN_OK;
}

/* ---- the grids ---- */

static int take_places(set *s, const sni_io_cells *cells)
{
  const sni_io_choice *c = s->c;
  const int n = c->axes.count;

  s->at = calloc((size_t)cells->count + 1, 3 * sizeof *s->at);
  if (!s->at)
    return sni_io_fail(c->tree, SN_ENOMEM, "%s: no memory for the places of %lld cells",
                       c->info->c_name, (long long)cells->count);
  for (int64_t k = 0; k < cells->count; k++)
    for (int a = 0; a < n; a++) {
      const int64_t i = cells->index[k * n + a];
      if (i < INT32_MIN || i > INT32_MAX)
        return sni_io_fail(c->tree, SN_EINVAL, "%s: the indices of %s pass 32 bits, as a grid's "
                           "are", c->info->c_name, c->fields[0].name);
      s->at[3 * k + a] = (int32_t)i;
    }
  return SN_OK;
}

/* The values, and behind them the background. */
static int take_values(set *s, int k, const sni_io_cells *cells, const void *values)
{
  const sni_io_field *field = &s->c->fields[k];
  const sni_grid_kind kind = kind_of(field);
  const size_t bytes = kind_bytes(kind), count = (size_t)cells->count;
  const size_t each = sni_io_value_bytes(field) / (size_t)field->elements;
  uint64_t background[3] = { 0, 0, 0 };
  char *to = malloc((count + 1) * bytes);

  if (!to)
    return sni_io_fail(s->c->tree, SN_ENOMEM, "%s: no memory for the values of %s",
                       s->c->info->c_name, field->name);
  for (size_t v = 0; v < count; v++)
    convert(kind, field, values, v, to + v * bytes);
  for (int e = 0; e < field->elements; e++)
    sni_io_default(s->c, field, e, (char *)background + (size_t)e * each);
  convert(kind, field, background, 0, to + count * bytes);
  s->grid[k] = (sni_grid){ field->name, field->unit, kind, cells->count, s->at, to,
                           to + count * bytes };
  return SN_OK;
}

static int take_field(set *s, int k)
{
  sni_io_cells cells;
  void *values;
  int code;

  SN_TRY(sni_io_read_cells(s->c, &s->c->fields[k], &cells, &values));
  code = check_values(s->c, &s->c->fields[k], values, cells.count);
  if (code == SN_OK && k == 0)
    code = take_places(s, &cells);
  if (code == SN_OK)
    code = take_values(s, k, &cells, values);
  free(cells.index);
  free(values);
  return code;
}

static int put_grids(set *s, const sni_output_file *out, sni_grids_writer *write)
{
  char why[512] = "";
  int code = SN_OK;

  for (int k = 0; k < s->c->count && code == SN_OK; k++)
    code = take_field(s, k);
  if (code == SN_OK && write(&s->grids, out->partial, why, sizeof why))
    code = sni_io_fail(s->c->tree, SN_EIO, "%s could not be written: %s", out->path, why);
  return code;
}

int sni_io_write_grids(sn_tree *tree, const char *fields, const sn_io_options *options,
                       const char *path, sni_grids_writer *write)
{
  sni_output_file out;
  sni_io_choice c;
  set s;
  int code;

  SN_TRY(sni_io_choose(&c, tree, fields, options, SNI_IO_FIELDS, 3));
  SN_TRY(check(&c));
  SN_TRY(sni_io_open_by_name(&out, tree, path));
  memset(&s, 0, sizeof s);
  s.c = &c;
  s.grids.tree = c.info->name;
  s.grids.length_unit = c.options.length_unit ? c.options.length_unit : "";
  s.grids.count = c.count;
  s.grids.compress = c.options.compress;
  s.grids.grid = s.grid;
  for (int k = 0; k < 3; k++) {
    s.grids.spacing[k] = c.options.spacing[k];
    s.grids.centre[k] = c.options.origin[k] + c.options.spacing[k] / 2;
  }
  code = put_grids(&s, &out, write);
  for (int k = 0; k < c.count; k++)
    free((void *)(uintptr_t)s.grid[k].values);
  free(s.at);
  return sni_io_close(&out, code);
}
