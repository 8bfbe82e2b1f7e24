/* Cells as C structs would have them: their fields, the containers of the SNodes right below, and
 * the id of a cell that is allocated.  Files do not depend on it. */
#include "runtime/info/info.h"

static const char too_large[] = "the tree is too large for this machine";

static const char too_sparse[] = "a node has so many cells that the file is damaged, or the tree "
                                 "is too sparse for snode-info";

enum { LOG2_MOST = 46 };         /* of bytes of a container */
/* Places that are looked at for active cells: so many take seconds, and so many for each byte of
 * the file are no wonder. */
static const double most_places = 1 << 30, most_for_a_byte = 64;

typedef struct place {
  uint64_t bytes, align;         /* so far, of a cell */
} place;

static uint64_t type_bytes(sn_type type)
{
  switch (type) {
  case SN_TYPE_BOOL: case SN_TYPE_I8: case SN_TYPE_U8: return 1;
  case SN_TYPE_I16: case SN_TYPE_U16: case SN_TYPE_F16: return 2;
  case SN_TYPE_I32: case SN_TYPE_U32: case SN_TYPE_F32: return 4;
  default: return 8;
  }
}

static uint64_t put(place *p, uint64_t bytes, uint64_t align)
{
  const uint64_t offset = (p->bytes + align - 1) / align * align;

  p->bytes = offset + bytes;
  if (align > p->align)
    p->align = align;
  return offset;
}

/* 0: too many. */
static uint64_t cells_of(const info_shape *s, uint32_t id)
{
  uint64_t cells = 1;

  for (uint32_t k = 0; k < s->snodes[id].axis_count; k++) {
    const uint64_t size = (uint64_t)s->axes[id][k].size;
    if (size == 0 || cells > (UINT64_C(1) << LOG2_MOST) / size)
      return 0;
    cells *= size;
  }
  return cells;
}

/* A container of the SNode, in a cell above it; 0: too large. */
static uint64_t container_bytes(const info_shape *s, uint32_t id)
{
  const snd_snode_info *snode = &s->snodes[id];
  const uint64_t cells = cells_of(s, id);
  const uint64_t each = snode->kind == SND_SNODE_POINTER ? 8 : snode->cell_bytes;
  uint64_t bytes;

  if (snode->kind == SND_SNODE_DYNAMIC)
    return 8;
  if (!cells || (each && cells > (UINT64_C(1) << LOG2_MOST) / each))
    return 0;
  bytes = cells * each;
  if (snode->kind == SND_SNODE_BITMASKED)
    bytes = (bytes + 7) / 8 * 8 + 16 * ((cells + 63) / 64);
  return bytes ? bytes : 1;
}

/* Children stand behind their parents, so that theirs are known before. */
static const char *lay_out_cell(info_shape *s, uint32_t id, uint64_t *aligns)
{
  snd_snode_info *snode = &s->snodes[id];
  place p = { 0, 1 };

  for (uint32_t k = 0; k < s->field_count; k++)
    if (s->fields[k].snode == (int32_t)id) {
      const uint64_t bytes = type_bytes(s->fields[k].type);
      s->fields[k].offset = put(&p, bytes, bytes);
    }
  for (uint32_t k = id + 1; k < s->snode_count && id; k++)
    if (s->snodes[k].parent == (int32_t)id) {
      const uint64_t bytes = container_bytes(s, k);
      if (!bytes)
        return too_large;
      s->snodes[k].container_offset =
        put(&p, bytes, s->snodes[k].kind == SND_SNODE_DENSE ? aligns[k] : 8);
      if (p.bytes > UINT64_C(1) << LOG2_MOST)
        return too_large;
    }
  if (snode->kind == SND_SNODE_POINTER || snode->kind == SND_SNODE_HASH)
    snode->id_offset = (uint32_t)put(&p, 4, 4);
  if (snode->kind == SND_SNODE_DYNAMIC && p.bytes == 0)
    p.bytes = 1;
  aligns[id] = p.align;
  snode->cell_bytes = (p.bytes + p.align - 1) / p.align * p.align;
  if (snode->id_offset && p.bytes > UINT32_MAX)
    return too_large;
  return NULL;
}

/* Of the SNode's containers, in one cell of what is allocated above them. */
static double places_of(const info_shape *s, uint32_t id)
{
  double places = s->snodes[id].kind == SND_SNODE_BITMASKED ? 1.0 / 64 : 1;

  if (s->snodes[id].kind == SND_SNODE_HASH || s->snodes[id].kind == SND_SNODE_DYNAMIC)
    return 0;
  do {
    places *= (double)cells_of(s, id);
    id = (uint32_t)s->snodes[id].parent;
  } while (id && (s->snodes[id].kind == SND_SNODE_DENSE ||
                  s->snodes[id].kind == SND_SNODE_BITMASKED));
  return places;
}

const char *info_lay_out(info_shape *s)
{
  static uint64_t aligns[INFO_SNODES];

  for (uint32_t k = s->snode_count; k-- > 0;) {
    const char *wrong = lay_out_cell(s, k, aligns);
    if (wrong)
      return wrong;
  }
  for (uint32_t k = 1; k < s->snode_count; k++) {
    const double places = places_of(s, k);
    if (places > most_places && places > most_for_a_byte * (double)s->file_bytes)
      return too_sparse;
  }
  s->root_bytes = s->snodes[0].cell_bytes;
  return NULL;
}
