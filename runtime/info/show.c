/* The SNodes and fields of a tree as text. */
#include "runtime/info/info.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <snode/device/f16.h>

enum { AXIS_TEXT = 1024 };

static const char *const kinds[] = {
  [SND_SNODE_ROOT] = "root", [SND_SNODE_DENSE] = "dense", [SND_SNODE_BITMASKED] = "bitmasked",
  [SND_SNODE_POINTER] = "pointer", [SND_SNODE_DYNAMIC] = "dynamic", [SND_SNODE_HASH] = "hash"
};

const char *info_type_name(sn_type type)
{
  static const char *const names[] = {
    [SN_TYPE_BOOL] = "bool", [SN_TYPE_I8] = "i8", [SN_TYPE_I16] = "i16", [SN_TYPE_I32] = "i32",
    [SN_TYPE_I64] = "i64", [SN_TYPE_U8] = "u8", [SN_TYPE_U16] = "u16", [SN_TYPE_U32] = "u32",
    [SN_TYPE_U64] = "u64", [SN_TYPE_F32] = "f32", [SN_TYPE_F64] = "f64", [SN_TYPE_F16] = "f16"
  };

  return names[type];
}

/* Axes have the letters i to t. */
static char letter(unsigned axis)
{
  return (char)('i' + axis);
}

static void put_depth(int depth)
{
  printf("%*s", 2 * depth, "");
}

/* ---- fields ---- */

static void put_default(const snd_field_info *field)
{
  const uint64_t bits = field->default_bits;
  float f32;
  double f64;

  switch (field->type) {
  case SN_TYPE_F16: printf("%g", (double)sn_f16_float((sn_f16)bits)); break;
  case SN_TYPE_F32:
    memcpy(&f32, &(uint32_t){ (uint32_t)bits }, sizeof f32);
    printf("%g", (double)f32);
    break;
  case SN_TYPE_F64: memcpy(&f64, &bits, 8); printf("%g", f64); break;
  case SN_TYPE_I8:  printf("%d", (int8_t)bits); break;
  case SN_TYPE_I16: printf("%d", (int16_t)bits); break;
  case SN_TYPE_I32: printf("%d", (int)(int32_t)bits); break;
  case SN_TYPE_I64: printf("%" PRId64, (int64_t)bits); break;
  default:          printf("%" PRIu64, bits); break;
  }
}

static void put_field(const snd_field_info *field, int depth)
{
  put_depth(depth);
  printf("%s %s", info_type_name(field->type), field->name);
  for (uint32_t k = 0; k < field->axis_count; k++) {
    printf("%s%c", k ? ", " : "[", letter(field->axes[k]));
    if (field->origin[k])
      printf(" from %" PRId64, field->origin[k]);
  }
  printf("%s = ", field->axis_count ? "]" : "");
  put_default(field);
  printf("\n");
}

/* ---- SNodes ---- */

static void axes_text(const info_shape *s, uint32_t id, char text[AXIS_TEXT])
{
  size_t used = 0;

  text[0] = 0;
  for (uint32_t k = 0; k < s->snodes[id].axis_count; k++) {
    used += (size_t)snprintf(text + used, AXIS_TEXT - used, "%s%c", k ? ", " : "[",
                             letter(s->axes[id][k].axis));
    if (s->extents[id][k])
      used += (size_t)snprintf(text + used, AXIS_TEXT - used, ": %" PRId64, s->extents[id][k]);
  }
  if (used)
    snprintf(text + used, AXIS_TEXT - used, "]");
}

/* The row of that name; NULL: none. */
static const sn_memory_info *row_of(const char *name, const sn_memory_info *rows, int count)
{
  for (int k = 0; k < count; k++)
    if (strcmp(rows[k].name, name) == 0)
      return &rows[k];
  return NULL;
}

static int put_snode(const info_view *v, uint32_t id, int depth, const sn_memory_info *rows,
                     int count)
{
  const snd_snode_info *snode = &v->shape->snodes[id];
  const sn_memory_info *row = row_of(snode->name, rows, count);
  char axes[AXIS_TEXT];
  int64_t active;

  SN_TRY(sn_snode_count(v->tree, v->info, (int)id, &active));
  axes_text(v->shape, id, axes);
  put_depth(depth);
  printf("%s %s%s: %" PRId64 " %s cell%s", kinds[snode->kind], snode->name, axes, active,
         snode->kind == SND_SNODE_DENSE ? "existing" : "active", active == 1 ? "" : "s");
  if (row && row->bytes)
    printf(", %" PRId64 " bytes of memory here", row->bytes);
  printf("\n");
  return SN_OK;
}

static int put_below(const info_view *v, uint32_t id, int depth, const sn_memory_info *rows,
                     int count)
{
  const info_shape *s = v->shape;

  if (id)
    SN_TRY(put_snode(v, id, depth, rows, count));
  for (uint32_t k = 0; k < s->field_count; k++)
    if (s->fields[k].snode == (int32_t)id)
      put_field(&s->fields[k], depth + 1);
  for (uint32_t k = id + 1; k < s->snode_count; k++)
    if (s->snodes[k].parent == (int32_t)id)
      SN_TRY(put_below(v, k, depth + 1, rows, count));
  return SN_OK;
}

int info_show(const info_view *v)
{
  const int most = (int)v->shape->snode_count;
  sn_memory_info *rows = calloc((size_t)most, sizeof *rows);
  int count = 0, code;

  if (!rows)
    return sn_tree_fail(v->tree, SN_ENOMEM, "no memory");
  code = sn_tree_memory(v->tree, v->info, rows, most, &count);
  printf("tree %s, written by %s\n", v->shape->name, v->shape->generator);
  if (code == SN_OK)
    code = put_below(v, 0, 0, rows, count < most ? count : most);
  free(rows);
  return code;
}
