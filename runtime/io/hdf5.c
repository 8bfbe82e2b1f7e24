/* HDF5: the values of a box, or the active cells, as snode/io.h describes the file.
 *
 * HDF5 makes the file in memory, which is written as all others are: where HDF5 1.10 cannot write
 * to a disk, it does not close the file either, and the process crashes when it exits.
 *
 * A chunk of a compressed dataset holds about CHUNK_BYTES: it is read and unpacked as a whole.
 */
#include "runtime/io/io.h"

#include <hdf5.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK_BYTES = 1 << 20, GROWTH_BYTES = 16 << 20, DEFLATE_LEVEL = 4, RANK = SN_MAX_AXES + 1 };

typedef struct hdf5 {
  const sni_io_choice *c;
  hid_t file, fields;            /* the group of datasets */
  char why[256];                 /* "": no call has failed */
} hdf5;

/* ---- errors: what HDF5 says innermost ---- */

static herr_t take_reason(unsigned n, const H5E_error2_t *error, void *to)
{
  (void)n;
  snprintf(to, sizeof ((hdf5 *)0)->why, "%s", error->desc ? error->desc : "");
  return 1;                      /* enough */
}

/* Whether the call has not failed; the first reason stays. */
static int went_well(hdf5 *h, int64_t result)
{
  if (result >= 0)
    return h->why[0] == 0;
  if (!h->why[0])
    (void)H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_reason, h->why);
  if (!h->why[0])
    snprintf(h->why, sizeof h->why, "an error without a text");
  return 0;
}

/* ---- types ---- */

static hid_t bool_type(void)
{
  const hid_t type = H5Tenum_create(H5T_NATIVE_INT8);

  (void)H5Tenum_insert(type, "FALSE", &(int8_t){ 0 });
  (void)H5Tenum_insert(type, "TRUE", &(int8_t){ 1 });
  return type;
}

/* IEEE's binary16 in the order of this machine. */
static hid_t half_type(void)
{
  const hid_t type = H5Tcopy(H5T_NATIVE_FLOAT);

  (void)H5Tset_fields(type, 15, 10, 5, 0, 10);
  (void)H5Tset_size(type, 2);
  (void)H5Tset_ebias(type, 15);
  return type;
}

/* To be closed. */
static hid_t type_of(sn_type type)
{
  switch (type) {
  case SN_TYPE_BOOL: return bool_type();
  case SN_TYPE_F16:  return half_type();
  case SN_TYPE_I8:   return H5Tcopy(H5T_NATIVE_INT8);
  case SN_TYPE_I16:  return H5Tcopy(H5T_NATIVE_INT16);
  case SN_TYPE_I32:  return H5Tcopy(H5T_NATIVE_INT32);
  case SN_TYPE_I64:  return H5Tcopy(H5T_NATIVE_INT64);
  case SN_TYPE_U8:   return H5Tcopy(H5T_NATIVE_UINT8);
  case SN_TYPE_U16:  return H5Tcopy(H5T_NATIVE_UINT16);
  case SN_TYPE_U32:  return H5Tcopy(H5T_NATIVE_UINT32);
  case SN_TYPE_U64:  return H5Tcopy(H5T_NATIVE_UINT64);
  case SN_TYPE_F32:  return H5Tcopy(H5T_NATIVE_FLOAT);
  default:           return H5Tcopy(H5T_NATIVE_DOUBLE);
  }
}

/* ---- attributes ---- */

/* count values; 0: one, as a scalar.  The type is closed. */
static void put_attribute(hdf5 *h, hid_t of, const char *name, hid_t type, int count,
                          const void *values)
{
  const hsize_t extent = (hsize_t)count;
  const hid_t space = count ? H5Screate_simple(1, &extent, NULL) : H5Screate(H5S_SCALAR);
  const hid_t attribute = H5Acreate2(of, name, type, space, H5P_DEFAULT, H5P_DEFAULT);

  if (went_well(h, attribute))
    (void)went_well(h, H5Awrite(attribute, type, values));
  if (attribute >= 0)
    (void)H5Aclose(attribute);
  (void)H5Sclose(space);
  (void)H5Tclose(type);
}

/* NULL or "": none. */
static void put_text(hdf5 *h, hid_t of, const char *name, const char *text)
{
  hid_t type;

  if (!text || !text[0])
    return;
  type = H5Tcopy(H5T_C_S1);
  (void)H5Tset_size(type, strlen(text));
  (void)H5Tset_strpad(type, H5T_STR_NULLPAD);
  (void)H5Tset_cset(type, H5T_CSET_UTF8);
  put_attribute(h, of, name, type, 0, text);
}

static void put_default(hdf5 *h, hid_t of, const sni_io_field *field)
{
  const size_t bytes = sni_io_value_bytes(field), each = bytes / (size_t)field->elements;
  unsigned char *value = malloc(bytes);

  if (!value) {
    snprintf(h->why, sizeof h->why, "no memory for the default of %s", field->name);
    return;
  }
  for (int k = 0; k < field->elements; k++)
    sni_io_default(h->c, field, k, value + (size_t)k * each);
  put_attribute(h, of, "default", type_of(field->type), field->elements > 1 ? field->elements : 0,
                value);
  free(value);
}

/* What both files say of themselves. */
static void put_attributes(hdf5 *h)
{
  const sni_io_choice *c = h->c;
  const int n = c->axes.count, lengths = n < 3 ? n : 3;
  char letters[2 * SN_MAX_AXES];

  for (int k = 0; k < n; k++) {
    letters[2 * k] = (char)('i' + c->axes.index[k]);
    letters[2 * k + 1] = k + 1 < n ? ' ' : 0;
  }
  put_text(h, h->file, "tree", c->info->name);
  put_text(h, h->file, "indices", letters);
  put_attribute(h, h->file, "origin", H5Tcopy(H5T_NATIVE_DOUBLE), lengths, c->options.origin);
  put_attribute(h, h->file, "spacing", H5Tcopy(H5T_NATIVE_DOUBLE), lengths, c->options.spacing);
  put_text(h, h->file, "length_units", c->options.length_unit);
}

/* ---- datasets ---- */

/* Of a dataset that has values and is to be compressed; to be closed. */
static hid_t layout(const hdf5 *h, int rank, const hsize_t *extent, size_t bytes)
{
  const hid_t plan = H5Pcreate(H5P_DATASET_CREATE);
  hsize_t chunk[RANK], values = 1;
  int k = 0;

  for (int a = 0; a < rank; a++)
    values *= chunk[a] = extent[a];
  if (!h->c->options.compress || !values || H5Zfilter_avail(H5Z_FILTER_DEFLATE) <= 0)
    return plan;
  while (k < rank && values * bytes > CHUNK_BYTES) {
    values /= chunk[k];
    chunk[k] = chunk[k] / 2 + chunk[k] % 2;
    values *= chunk[k];
    k += chunk[k] == 1;
  }
  (void)H5Pset_chunk(plan, rank, chunk);
  (void)H5Pset_shuffle(plan);
  (void)H5Pset_deflate(plan, DEFLATE_LEVEL);
  return plan;
}

/* The dataset, to be closed; below 0: it failed.  The type is closed.  elements: a last axis;
 * 1: none. */
static hid_t put_values(hdf5 *h, hid_t in, const char *name, hid_t type, int rank,
                        const hsize_t *extents, int elements, const void *values)
{
  hsize_t extent[RANK] = { 0 };
  hid_t space, plan, set;

  for (int k = 0; k < rank; k++)
    extent[k] = extents[k];
  if (elements > 1)
    extent[rank++] = (hsize_t)elements;
  space = H5Screate_simple(rank, extent, NULL);
  plan = layout(h, rank, extent, H5Tget_size(type));
  set = H5Dcreate2(in, name, type, space, H5P_DEFAULT, plan, H5P_DEFAULT);
  if (went_well(h, set))
    (void)went_well(h, H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
  (void)H5Pclose(plan);
  (void)H5Sclose(space);
  (void)H5Tclose(type);
  return set;
}

static void put_field(hdf5 *h, const sni_io_field *field, int rank, const hsize_t *extents,
                      const void *values)
{
  const hid_t set = put_values(h, h->fields, field->name, type_of(field->type), rank, extents,
                               field->elements, values);

  if (set < 0)
    return;
  put_default(h, set, field);
  put_text(h, set, "units", field->unit);
  (void)went_well(h, H5Dclose(set));
}

static int put_box(hdf5 *h)
{
  const sni_io_choice *c = h->c;
  const int n = c->axes.count;
  hsize_t extents[SN_MAX_AXES];
  int code = SN_OK;

  put_attribute(h, h->file, "lo", H5Tcopy(H5T_NATIVE_INT64), n, c->box.lo);
  put_attribute(h, h->file, "hi", H5Tcopy(H5T_NATIVE_INT64), n, c->box.hi);
  for (int k = 0; k < n; k++)
    extents[k] = (hsize_t)(c->box.hi[k] - c->box.lo[k]);
  for (int k = 0; k < c->count && code == SN_OK && !h->why[0]; k++) {
    void *values = sni_io_read_box(c, &c->fields[k], 0, &code);
    if (code == SN_OK)
      put_field(h, &c->fields[k], n, extents, values);
    free(values);
  }
  return code;
}

/* The first field brings the indices: the others share its SNode. */
static int put_active(hdf5 *h)
{
  const sni_io_choice *c = h->c;
  sni_io_cells cells;
  int code = SN_OK;

  for (int k = 0; k < c->count && code == SN_OK && !h->why[0]; k++) {
    hsize_t extents[2];
    void *values;
    code = sni_io_read_cells(c, &c->fields[k], &cells, &values);
    if (code != SN_OK)
      return code;
    extents[0] = (hsize_t)cells.count;
    extents[1] = (hsize_t)c->axes.count;
    if (k == 0) {
      const hid_t set = put_values(h, h->file, "index", H5Tcopy(H5T_NATIVE_INT64), 2, extents, 1,
                                   cells.index);
      if (set >= 0)
        (void)went_well(h, H5Dclose(set));
    }
    if (!h->why[0])
      put_field(h, &c->fields[k], 1, extents, values);
    free(cells.index);
    free(values);
  }
  return code;
}

/* ---- the file ---- */

/* To be closed. */
static hid_t create_in_memory(const char *name)
{
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  hid_t file;

  (void)H5Pset_fapl_core(access, GROWTH_BYTES, 0);
  file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, access);
  (void)H5Pclose(access);
  return file;
}

/* The bytes of the file, where they stand. */
static void put_image(hdf5 *h, sni_output_file *out)
{
  void **bytes;
  ssize_t count;

  if (!went_well(h, H5Fflush(h->file, H5F_SCOPE_GLOBAL)) ||
      !went_well(h, count = H5Fget_file_image(h->file, NULL, 0)) ||
      !went_well(h, H5Fget_vfd_handle(h->file, H5P_DEFAULT, (void **)&bytes)))
    return;
  sni_io_put(out, *bytes, (size_t)count);
}

static int put_file(const sni_io_choice *c, sni_output_file *out, int (*put)(hdf5 *))
{
  hdf5 h = { c, create_in_memory(out->path), -1, "" };
  int code = SN_OK;

  if (went_well(&h, h.file)) {
    h.fields = H5Gcreate2(h.file, "fields", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (went_well(&h, h.fields)) {
      put_attributes(&h);
      code = put(&h);
      (void)went_well(&h, H5Gclose(h.fields));
    }
    if (code == SN_OK)
      put_image(&h, out);
    (void)went_well(&h, H5Fclose(h.file));
  }
  if (code == SN_OK && h.why[0])
    code = sni_io_fail(c->tree, SN_EIO, "%s could not be written: HDF5: %s", out->path, h.why);
  return code;
}

/* HDF5 prints no error in here: the context gets it. */
static int write_hdf5(const sni_io_choice *c, const char *path, int (*put)(hdf5 *))
{
  sni_output_file out;
  H5E_auto2_t print;
  void *print_data;
  int code;

  SN_TRY(sni_io_open(&out, c->tree, path));
  (void)H5Eget_auto2(H5E_DEFAULT, &print, &print_data);
  (void)H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  code = put_file(c, &out, put);
  (void)H5Eset_auto2(H5E_DEFAULT, print, print_data);
  return sni_io_close(&out, code);
}

int sn_io_write_hdf5(sn_tree *tree, const char *fields, const sn_io_options *options,
                     const char *path)
{
  sni_io_choice c;

  SN_TRY(sni_io_choose(&c, tree, fields, options, SNI_IO_FIELDS, SN_MAX_AXES));
  SN_TRY(sni_io_take_box(&c));
  return write_hdf5(&c, path, put_box);
}

int sn_io_write_hdf5_active(sn_tree *tree, const char *fields, const sn_io_options *options,
                            const char *path)
{
  sni_io_choice c;

  SN_TRY(sni_io_choose(&c, tree, fields, options, SNI_IO_FIELDS, SN_MAX_AXES));
  return write_hdf5(&c, path, put_active);
}
