/* The first block of a tree's file (docs/checkpoint.md), read by itself. */
#include "runtime/info/info.h"

#include "runtime/host/base/crc.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { PREAMBLE = 16, HEAD = 24, MOST = 16 << 20, VERSION = 1 };

typedef struct cursor {
  const unsigned char *at;
  size_t used, bytes;
  int is_bad;
} cursor;

static int complain(const char *path, const char *what)
{
  fprintf(stderr, "snode-info: %s: %s\n", path, what);
  return 1;
}

static uint32_t crc(const void *bytes, size_t count)
{
  static sni_crc tables;

  if (!tables.table[0][1])
    sni_crc_init(&tables);
  return sni_crc_add(&tables, 0, bytes, count);
}

static uint64_t take(cursor *c, size_t bytes)
{
  uint64_t value = 0;

  if (c->bytes - c->used < bytes) {
    c->is_bad = 1;
    return 0;
  }
  for (size_t k = 0; k < bytes; k++)
    value |= (uint64_t)c->at[c->used + k] << 8 * k;
  c->used += bytes;
  return value;
}

static void *new_items(cursor *c, size_t count, size_t bytes)
{
  void *items = calloc(count ? count : 1, bytes);

  c->is_bad |= !items;
  return items;
}

/* To be freed; NULL only where there is no memory. */
static char *take_text(cursor *c)
{
  size_t length = (size_t)take(c, 4);
  char *text;

  if (c->bytes - c->used < length) {
    c->is_bad = 1;
    length = 0;
  }
  text = new_items(c, length + 1, 1);
  if (text)
    memcpy(text, c->at + c->used, length);
  c->used += length;
  return text;
}

/* ---- SNodes and fields ---- */

static int is_kind(uint64_t kind, uint32_t id)
{
  return id == 0 ? kind == SND_SNODE_ROOT : kind > SND_SNODE_ROOT && kind <= SND_SNODE_HASH;
}

static void take_axes(cursor *c, info_shape *s, uint32_t id)
{
  snd_snode_info *snode = &s->snodes[id];

  for (uint32_t k = 0; k < snode->axis_count && !c->is_bad; k++) {
    const uint64_t axis = take(c, 4), extent = take(c, 8);
    c->is_bad |= axis >= SN_MAX_AXES || extent > INT64_MAX;
    c->is_bad |= (extent == 0) != (snode->kind == SND_SNODE_HASH);
    if (c->is_bad)
      return;
    s->extents[id][k] = (int64_t)extent;
    s->axes[id][k].axis = (uint8_t)axis;
    s->axes[id][k].size = extent ? (int64_t)extent : 1;
  }
}

static void take_snode(cursor *c, info_shape *s, uint32_t id)
{
  snd_snode_info *snode = &s->snodes[id];
  uint64_t kind, parent, axes;

  snode->name = take_text(c);
  kind = take(c, 4);
  parent = take(c, 4);
  axes = take(c, 4);
  c->is_bad |= !is_kind(kind, id) || axes > SN_MAX_AXES;
  c->is_bad |= id == 0 ? parent != UINT32_MAX : parent >= id;
  if (c->is_bad)
    return;
  snode->kind = (snd_snode_kind)kind;
  snode->label = snode->name;
  snode->parent = id ? (int32_t)parent : -1;
  snode->axis_count = (uint32_t)axes;
  snode->axes = s->axes[id];
  take_axes(c, s, id);
}

static void take_field(cursor *c, info_shape *s, snd_field_info *field)
{
  uint64_t type, snode, axes;

  field->name = take_text(c);
  type = take(c, 4);
  snode = take(c, 4);
  field->default_bits = take(c, 8);
  axes = take(c, 4);
  c->is_bad |= type > SN_TYPE_F16 || snode >= s->snode_count || axes > SN_MAX_AXES;
  if (c->is_bad)
    return;
  field->type = (sn_type)type;
  field->snode = (int32_t)snode;
  field->axis_count = (uint32_t)axes;
  for (uint32_t k = 0; k < axes; k++) {
    const uint64_t axis = take(c, 4);
    c->is_bad |= axis >= SN_MAX_AXES;
    field->axes[k] = (uint8_t)axis;
    field->origin[k] = (int64_t)take(c, 8);
  }
}

/* ---- whether a tree can be so ---- */

/* The axes that the SNode or one above it divides, by bits; *depth: of SNodes on the path. */
static uint32_t path_axes(const info_shape *s, int32_t id, int *depth)
{
  uint32_t bits = 0;

  for (*depth = 0; id > 0; id = s->snodes[id].parent, ++*depth)
    for (uint32_t k = 0; k < s->snodes[id].axis_count; k++)
      bits |= UINT32_C(1) << s->axes[id][k].axis;
  return bits;
}

/* Own axes are in their order; a hash stands right under the root; a list has one axis. */
static int can_be_snode(const info_shape *s, uint32_t id)
{
  const snd_snode_info *snode = &s->snodes[id];
  int depth;

  (void)path_axes(s, (int32_t)id, &depth);
  for (uint32_t k = 1; k < snode->axis_count; k++)
    if (s->axes[id][k - 1].axis >= s->axes[id][k].axis)
      return 0;
  if (depth > SND_MAX_DEPTH || (id != 0) != (snode->axis_count != 0))
    return 0;
  return (snode->kind != SND_SNODE_HASH || snode->parent == 0) &&
         (snode->kind != SND_SNODE_DYNAMIC || snode->axis_count == 1);
}

/* Its indices are the axes of its path, each once. */
static int can_be_field(const info_shape *s, const snd_field_info *field)
{
  uint32_t bits = 0, bit;
  int depth;

  for (uint32_t k = 0; k < field->axis_count; k++) {
    bit = UINT32_C(1) << field->axes[k];
    if (bits & bit)
      return 0;
    bits |= bit;
  }
  return bits == path_axes(s, field->snode, &depth);
}

static int can_be(const info_shape *s)
{
  for (uint32_t k = 0; k < s->snode_count; k++)
    if (!can_be_snode(s, k))
      return 0;
  for (uint32_t k = 0; k < s->field_count; k++)
    if (!can_be_field(s, &s->fields[k]))
      return 0;
  return 1;
}

static int take_shape(cursor *c, info_shape *s)
{
  s->generator = take_text(c);
  s->name = take_text(c);
  (void)take(c, 8);              /* draws of random numbers */
  s->snode_count = (uint32_t)take(c, 4);
  s->field_count = (uint32_t)take(c, 4);
  if (c->is_bad || s->snode_count < 1 || s->snode_count > INFO_SNODES ||
      s->field_count > INFO_FIELDS) {
    s->snode_count = s->field_count = 0;
    return 1;
  }
  s->snodes = new_items(c, s->snode_count, sizeof *s->snodes);
  s->axes = new_items(c, s->snode_count, sizeof *s->axes);
  s->extents = new_items(c, s->snode_count, sizeof *s->extents);
  s->fields = new_items(c, s->field_count, sizeof *s->fields);
  for (uint32_t k = 0; k < s->snode_count && !c->is_bad; k++)
    take_snode(c, s, k);
  for (uint32_t k = 0; k < s->field_count && !c->is_bad; k++)
    take_field(c, s, &s->fields[k]);
  return c->is_bad || c->used != c->bytes || !can_be(s);
}

/* ---- the file ---- */

/* What is wrong with the first bytes; NULL: nothing.  *length: of the block's payload. */
static const char *check_head(const unsigned char *head, size_t got, size_t *length, uint32_t *sum)
{
  cursor c = { head, 8, PREAMBLE + HEAD, 0 };
  uint64_t number, bytes;

  if (got < 8 || memcmp(head, "\x89SNT\r\n\x1a\n", 8) != 0)
    return "is no file of a tree (docs/checkpoint.md)";
  if (got < PREAMBLE + HEAD)
    return "is cut off in its first block";
  if (take(&c, 4) != VERSION)
    return "has a version of the format that this snode-info does not read";
  if (take(&c, 4) != crc(head, 12))
    return "its first 16 bytes are damaged";
  if (memcmp(head + c.used, "TREE", 4) != 0)
    return "block 0 is damaged: it does not say what the tree is";
  c.used += 4;
  number = take(&c, 4);
  bytes = take(&c, 8);
  *sum = (uint32_t)take(&c, 4);
  if (take(&c, 4) != crc(head + PREAMBLE, 20) || number != 0 || bytes > MOST)
    return "block 0 is damaged: its head";
  *length = (size_t)bytes;
  return NULL;
}

static int read_payload(info_shape *s, FILE *file, const char *path, size_t length, uint32_t sum)
{
  unsigned char *payload = malloc(length ? length : 1);
  cursor c = { payload, 0, length, 0 };
  const char *wrong = NULL;

  if (!payload)
    return complain(path, "no memory");
  if (fread(payload, 1, length, file) != length)
    wrong = "is cut off in its first block";
  else if (crc(payload, length) != sum)
    wrong = "block 0 is damaged: its contents";
  else if (take_shape(&c, s))
    wrong = "block 0 is damaged: it describes no tree";
  free(payload);
  return wrong ? complain(path, wrong) : 0;
}

int info_read_shape(info_shape *s, const char *path)
{
  unsigned char head[PREAMBLE + HEAD];
  FILE *file = fopen(path, "rb");
  const char *wrong;
  size_t length = 0, got;
  uint32_t sum = 0;
  int failed;

  if (!file)
    return complain(path, strerror(errno));
  errno = 0;
  got = fread(head, 1, sizeof head, file);
  wrong = ferror(file) ? strerror(errno) : check_head(head, got, &length, &sum);
  failed = wrong ? complain(path, wrong) : read_payload(s, file, path, length, sum);
  if (!failed && fseek(file, 0, SEEK_END) == 0)
    s->file_bytes = ftell(file);
  fclose(file);
  return failed;
}

void info_free_shape(info_shape *s)
{
  for (uint32_t k = 0; s->snodes && k < s->snode_count; k++)
    free((char *)(uintptr_t)s->snodes[k].name);
  for (uint32_t k = 0; s->fields && k < s->field_count; k++)
    free((char *)(uintptr_t)s->fields[k].name);
  free(s->snodes);
  free(s->axes);
  free(s->extents);
  free(s->fields);
  free(s->generator);
  free(s->name);
}
