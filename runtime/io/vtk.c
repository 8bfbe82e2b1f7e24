/* Arrays of VTK's XML files, appended raw: each is its length in bytes and the values; compressed,
 * it is the number of blocks, the bytes of a block, those of a last short one (0: there is none),
 * the compressed bytes of each, and the blocks.  All of these are UInt64. */
#include "runtime/io/vtk.h"

#include <stdlib.h>
#include <string.h>

#include <snode/device/f16.h>

enum { BLOCK_BYTES = 1 << 18 };

void sni_vtk_begin(sni_vtk *vtk, sn_tree *tree, const sn_io_options *options)
{
  memset(vtk, 0, sizeof *vtk);
  vtk->tree = tree;
  vtk->compress = options->compress && sn_io_has_zlib();
}

static unsigned char *store(const void *values, size_t bytes, size_t *count)
{
  const uint64_t length = bytes;
  unsigned char *to = malloc(bytes + sizeof length);

  if (!to)
    return NULL;
  memcpy(to, &length, sizeof length);
  if (bytes)
    memcpy(to + sizeof length, values, bytes);
  *count = bytes + sizeof length;
  return to;
}

/* Behind what `to` has; NULL: no memory, and it is freed. */
static unsigned char *append(unsigned char *to, size_t *count, const unsigned char *bytes,
                             size_t more)
{
  unsigned char *grown = realloc(to, *count + more);

  if (!grown) {
    free(to);
    return NULL;
  }
  memcpy(grown + *count, bytes, more);
  *count += more;
  return grown;
}

static unsigned char *pack(const unsigned char *values, size_t bytes, size_t *count)
{
  const size_t blocks = (bytes + BLOCK_BYTES - 1) / BLOCK_BYTES;
  const uint64_t head[3] = { blocks, BLOCK_BYTES, bytes % BLOCK_BYTES };
  unsigned char *to = calloc(3 + blocks, sizeof(uint64_t));

  *count = (3 + blocks) * sizeof(uint64_t);
  if (to)
    memcpy(to, head, sizeof head);
  for (size_t k = 0; k < blocks && to; k++) {
    const size_t left = bytes - k * BLOCK_BYTES;
    size_t packed;
    unsigned char *block =
      sni_io_deflate(values + k * BLOCK_BYTES, left < BLOCK_BYTES ? left : BLOCK_BYTES, &packed);
    const uint64_t length = packed;
    if (!block) {
      free(to);
      return NULL;
    }
    memcpy(to + (3 + k) * sizeof length, &length, sizeof length);
    to = append(to, count, block, packed);
    free(block);
  }
  return to;
}

int sni_vtk_add(sni_vtk *vtk, const char *name, const char *type, int components,
                const void *values, size_t bytes)
{
  sni_vtk_array *array = &vtk->arrays[vtk->count];

  array->name = name;
  array->type = type;
  array->components = components;
  array->offset = vtk->bytes;
  array->bytes = vtk->compress ? pack(values, bytes, &array->count)
                               : store(values, bytes, &array->count);
  if (!array->bytes)
    return sni_io_fail(vtk->tree, SN_ENOMEM, "no memory for the values of %s in a file", name);
  vtk->count++;
  vtk->bytes += array->count;
  return SN_OK;
}

static const char *type_name(sn_type type)
{
  static const char *const names[] = {
    [SN_TYPE_BOOL] = "UInt8", [SN_TYPE_I8] = "Int8", [SN_TYPE_I16] = "Int16",
    [SN_TYPE_I32] = "Int32", [SN_TYPE_I64] = "Int64", [SN_TYPE_U8] = "UInt8",
    [SN_TYPE_U16] = "UInt16", [SN_TYPE_U32] = "UInt32", [SN_TYPE_U64] = "UInt64",
    [SN_TYPE_F32] = "Float32", [SN_TYPE_F64] = "Float64", [SN_TYPE_F16] = "Float32"
  };

  return names[type];
}

static int add_halves(sni_vtk *vtk, const sni_io_field *field, const sn_f16 *values, size_t count)
{
  float *wide = malloc((count ? count : 1) * sizeof *wide);
  int code;

  if (!wide)
    return sni_io_fail(vtk->tree, SN_ENOMEM, "no memory for the values of %s in a file",
                       field->name);
  for (size_t k = 0; k < count; k++)
    wide[k] = sn_f16_float(values[k]);
  code = sni_vtk_add(vtk, field->name, type_name(field->type), field->elements, wide,
                     count * sizeof *wide);
  free(wide);
  return code;
}

int sni_vtk_add_field(sni_vtk *vtk, const sni_io_field *field, const void *values, int64_t count)
{
  if (field->type == SN_TYPE_F16)
    return add_halves(vtk, field, values, (size_t)count * (size_t)field->elements);
  return sni_vtk_add(vtk, field->name, type_name(field->type), field->elements, values,
                     (size_t)count * sni_io_value_bytes(field));
}

static int is_little_endian(void)
{
  const uint16_t one = 1;
  unsigned char first;

  memcpy(&first, &one, 1);
  return first == 1;
}

void sni_vtk_head(const sni_vtk *vtk, sni_output_file *out, const char *kind)
{
  sni_io_print(out, "<?xml version=\"1.0\"?>\n"
               "<VTKFile type=\"%s\" version=\"1.0\" byte_order=\"%sEndian\" "
               "header_type=\"UInt64\"%s>\n  <%s", kind, is_little_endian() ? "Little" : "Big",
               vtk->compress ? " compressor=\"vtkZLibDataCompressor\"" : "", kind);
}

void sni_vtk_tags(const sni_vtk *vtk, sni_output_file *out, int first, int last)
{
  for (int k = first; k < last; k++) {
    const sni_vtk_array *array = &vtk->arrays[k];
    sni_io_print(out, "        <DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" "
                 "format=\"appended\" offset=\"%llu\"/>\n", array->type, array->name,
                 array->components, (unsigned long long)array->offset);
  }
}

void sni_vtk_tail(const sni_vtk *vtk, sni_output_file *out, const char *kind)
{
  sni_io_print(out, "    </Piece>\n  </%s>\n  <AppendedData encoding=\"raw\">\n   _", kind);
  for (int k = 0; k < vtk->count; k++)
    sni_io_put(out, vtk->arrays[k].bytes, vtk->arrays[k].count);
  sni_io_print(out, "\n  </AppendedData>\n</VTKFile>\n");
}

void sni_vtk_end(sni_vtk *vtk)
{
  for (int k = 0; k < vtk->count; k++)
    free(vtk->arrays[k].bytes);
}
