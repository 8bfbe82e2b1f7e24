/* The block of a file that describes its tree: written from the tree, and compared with
 * the one that is to be loaded.
 *
 * SNodes must be the same one by one.  Fields are found by name: they must have the same
 * type, SNode and origin; either side may have more.
 */
#include "runtime/host/base/text.h"
#include "runtime/host/tree/checkpoint.h"

#include <stdio.h>
#include <string.h>

static const char *const kinds[] = {
  [SND_SNODE_ROOT] = "root", [SND_SNODE_DENSE] = "dense", [SND_SNODE_BITMASKED] = "bitmasked",
  [SND_SNODE_POINTER] = "pointer", [SND_SNODE_DYNAMIC] = "dynamic", [SND_SNODE_HASH] = "hash"
};

enum { KIND_COUNT = sizeof kinds / sizeof *kinds };

/* ---- writing ---- */

/* A hash's axes have no extent: 0. */
static uint64_t extent_of(const sn_tree *tree, int32_t snode, int axis)
{
  const snd_snode_view *node = sni_view_of(tree, snode);

  return node->kind == SND_SNODE_HASH ? 0 : (uint64_t)node->extent[axis];
}

/* The root has no name. */
static const char *name_of(const sn_tree *tree, int32_t snode)
{
  const char *name = tree->info->snodes[snode].name;

  return name ? name : "";
}

static void put_snode(sni_cursor *cursor, const sn_tree *tree, int32_t snode)
{
  const snd_snode_info *info = &tree->info->snodes[snode];

  sni_put_text(cursor, name_of(tree, snode));
  sni_put(cursor, info->kind, 4);
  sni_put(cursor, (uint32_t)info->parent, 4);
  sni_put(cursor, info->axis_count, 4);
  for (uint32_t k = 0; k < info->axis_count; k++) {
    sni_put(cursor, info->axes[k].axis, 4);
    sni_put(cursor, extent_of(tree, snode, info->axes[k].axis), 8);
  }
}

static void put_field(sni_cursor *cursor, const snd_field_info *info)
{
  sni_put_text(cursor, info->name);
  sni_put(cursor, info->type, 4);
  sni_put(cursor, (uint32_t)info->snode, 4);
  sni_put(cursor, info->default_bits, 8);
  sni_put(cursor, info->axis_count, 4);
  for (uint32_t k = 0; k < info->axis_count; k++) {
    sni_put(cursor, info->axes[k], 4);
    sni_put(cursor, (uint64_t)info->origin[k], 8);
  }
}

static void put_tree(sni_cursor *cursor, const sn_tree *tree)
{
  const sn_tree_info *info = tree->info;

  sni_put_text(cursor, tree->module->generator);
  sni_put_text(cursor, info->name);
  sni_put(cursor, tree->draws, 8);
  sni_put(cursor, info->snode_count, 4);
  sni_put(cursor, sni_lasting_fields(tree), 4);
  for (uint32_t k = 0; k < info->snode_count; k++)
    put_snode(cursor, tree, (int32_t)k);
  for (uint32_t k = 0; k < sni_lasting_fields(tree); k++)
    put_field(cursor, &info->fields[k]);
}

int sni_write_tree(sni_writer *writer)
{
  sn_tree *tree = writer->tree;
  sni_accounts *accounts = &tree->context->accounts;
  sni_cursor cursor = { 0 };
  int code;

  put_tree(&cursor, tree);
  cursor.bytes = cursor.used;
  cursor.used = 0;
  cursor.at = sni_new(accounts, 1, cursor.bytes);
  if (!cursor.at)
    return sni_fail(tree->context, SN_ENOMEM, "%s: no memory for the head of a file",
                    tree->info->c_name);
  put_tree(&cursor, tree);
  code = sni_write_block(writer, SNI_BLOCK_TREE, cursor.at, cursor.bytes, NULL, 0);
  sni_delete(accounts, cursor.at, 1, cursor.bytes);
  return code;
}

/* ---- reading ---- */

#ifdef __GNUC__
__attribute__((format(printf, 2, 3)))
#endif
static int differs(const sni_reader *reader, const char *format, ...)
{
  char text[SNI_TEXT_BYTES / 2];
  va_list arguments;

  va_start(arguments, format);
  (void)sni_text_vformat(text, sizeof text, format, arguments);
  va_end(arguments);
  return sni_fail(reader->tree->context, SN_EINVAL, "%s: %s holds another tree: %s",
                  reader->tree->info->c_name, reader->path, text);
}

static int is_text(const char *text, size_t length, const char *name)
{
  return strlen(name) == length && memcmp(text, name, length) == 0;
}

static int check_axis(sni_reader *reader, sni_cursor *cursor, int32_t snode, uint32_t k)
{
  const snd_snode_info *info = &reader->tree->info->snodes[snode];
  const uint32_t axis = (uint32_t)sni_take(cursor, 4);
  const uint64_t extent = sni_take(cursor, 8);
  const uint64_t own = extent_of(reader->tree, snode, info->axes[k].axis);

  if (axis != info->axes[k].axis)
    return differs(reader, "%s has other axes there", info->name);
  if (extent != own)
    return differs(reader, "extent %u of %s is %llu there and %llu here", (unsigned)k, info->name,
                   (unsigned long long)extent, (unsigned long long)own);
  return SN_OK;
}

static int check_snode(sni_reader *reader, sni_cursor *cursor, int32_t snode)
{
  const snd_snode_info *info = &reader->tree->info->snodes[snode];
  const char *own = name_of(reader->tree, snode);
  size_t length;
  const char *name = sni_take_text(cursor, &length);
  const uint32_t kind = (uint32_t)sni_take(cursor, 4);
  const int32_t parent = (int32_t)sni_take(cursor, 4);
  const uint32_t axes = (uint32_t)sni_take(cursor, 4);

  if (kind != info->kind || !is_text(name, length, own))
    return differs(reader, "SNode %d is %s %.*s there and %s %s here", (int)snode,
                   kind < KIND_COUNT ? kinds[kind] : "a new kind", (int)length, name,
                   kinds[info->kind], own);
  if (parent != info->parent)
    return differs(reader, "%s stands below another SNode", own);
  if (axes != info->axis_count)
    return differs(reader, "%s has %u axes there and %u here", own, (unsigned)axes,
                   (unsigned)info->axis_count);
  for (uint32_t k = 0; k < axes; k++)
    SN_TRY(check_axis(reader, cursor, snode, k));
  return SN_OK;
}

static int32_t find_field(const sn_tree *tree, const char *name, size_t length)
{
  for (uint32_t k = 0; k < sni_lasting_fields(tree); k++)
    if (is_text(name, length, tree->info->fields[k].name))
      return (int32_t)k;
  return -1;
}

/* Adds a name to a list; where there is no more room it ends in "...". */
static void add_name(char *list, size_t bytes, const char *name, size_t length)
{
  const size_t used = strlen(list);

  if (used + length + sizeof ", , ..." > bytes)
    snprintf(list + used, bytes - used, "%s", strstr(list, "...") ? "" : ", ...");
  else
    snprintf(list + used, bytes - used, "%s%.*s", used ? ", " : "", (int)length, name);
}

/* Its indices: -1 where the tree has no such field, and nothing is to be compared. */
static int check_origin(sni_reader *reader, sni_cursor *cursor, int32_t field, uint32_t axes)
{
  const snd_field_info *info = field < 0 ? NULL : &reader->tree->info->fields[field];

  if (info && axes != info->axis_count)
    return differs(reader, "field %s has %u indices there and %u here", info->name,
                   (unsigned)axes, (unsigned)info->axis_count);
  for (uint32_t k = 0; k < axes && !cursor->is_short; k++) {
    const uint32_t axis = (uint32_t)sni_take(cursor, 4);
    const int64_t origin = (int64_t)sni_take(cursor, 8);
    if (info && axis != info->axes[k])
      return differs(reader, "index %u of field %s runs along another axis", (unsigned)k,
                     info->name);
    if (info && origin != info->origin[k])
      return differs(reader, "index %u of field %s begins at %lld there and at %lld here",
                     (unsigned)k, info->name, (long long)origin, (long long)info->origin[k]);
  }
  return SN_OK;
}

static int check_field(sni_reader *reader, sni_cursor *cursor, sni_file_tree *file, uint32_t k)
{
  const sn_tree *tree = reader->tree;
  sni_file_field *out = &file->fields[k];
  const snd_field_info *info;
  size_t length;
  const char *name = sni_take_text(cursor, &length);
  const uint32_t type = (uint32_t)sni_take(cursor, 4);
  uint32_t axes;

  out->snode = (int32_t)sni_take(cursor, 4);
  (void)sni_take(cursor, 8);     /* its default: this tree's own is what counts */
  axes = (uint32_t)sni_take(cursor, 4);
  if (cursor->is_short || !sni_type_name((sn_type)type) || out->snode < 0 ||
      (uint32_t)out->snode >= tree->info->snode_count)
    return sni_read_damaged(reader, "a field that cannot be");
  out->field = find_field(tree, name, length);
  out->bytes = sni_type_bytes((sn_type)type);
  info = out->field < 0 ? NULL : &tree->info->fields[out->field];
  if (!info)
    add_name(file->skipped, sizeof file->skipped, name, length);
  if (info && (type != info->type || out->snode != info->snode))
    return differs(reader, "field %s is %s in SNode %d there and %s in SNode %d here", info->name,
                   sni_type_name((sn_type)type), (int)out->snode, sni_type_name(info->type),
                   (int)info->snode);
  return check_origin(reader, cursor, out->field, axes);
}

static int check_tree(sni_reader *reader, sni_cursor *cursor, sni_file_tree *file,
                      uint32_t *field_count)
{
  const sn_tree_info *info = reader->tree->info;
  size_t length;
  const char *name;
  uint32_t snodes;

  (void)sni_take_text(cursor, &length);          /* the generator: for people */
  name = sni_take_text(cursor, &length);
  file->draws = sni_take(cursor, 8);
  snodes = (uint32_t)sni_take(cursor, 4);
  *field_count = (uint32_t)sni_take(cursor, 4);
  if (cursor->is_short)
    return sni_read_damaged(reader, "it is too short");
  if (!is_text(name, length, info->name))
    return differs(reader, "%.*s, and not %s", (int)length, name, info->name);
  if (snodes != info->snode_count)
    return differs(reader, "it has %u SNodes there and %u here", (unsigned)snodes,
                   (unsigned)info->snode_count);
  for (uint32_t k = 0; k < snodes; k++)
    SN_TRY(check_snode(reader, cursor, (int32_t)k));
  return SN_OK;
}

int sni_read_tree(sni_reader *reader, sni_file_tree *file)
{
  sn_tree *tree = reader->tree;
  sni_cursor cursor = { reader->payload, 0, reader->bytes, 0 };
  uint32_t count;

  if (reader->kind != SNI_BLOCK_TREE)
    return sni_read_damaged(reader, "it does not describe a tree");
  SN_TRY(check_tree(reader, &cursor, file, &count));
  /* No field takes fewer bytes: a number that cannot be asks for no memory. */
  if (count > reader->bytes / 24)
    return sni_read_damaged(reader, "it is too short");
  file->fields = sni_new(&tree->context->accounts, count, sizeof *file->fields);
  if (!file->fields)
    return sni_fail(tree->context, SN_ENOMEM, "%s: %s: no memory for its fields",
                    tree->info->c_name, reader->path);
  file->field_count = count;
  for (uint32_t k = 0; k < count; k++)
    SN_TRY(check_field(reader, &cursor, file, k));
  if (cursor.is_short || cursor.used != cursor.bytes)
    return sni_read_damaged(reader, "its length");
  return SN_OK;
}

void sni_file_tree_free(sn_tree *tree, sni_file_tree *file)
{
  sni_delete(&tree->context->accounts, file->fields, file->field_count, sizeof *file->fields);
}

/* Whether the file has the tree's field. */
static int has_field(const sni_file_tree *file, int32_t field)
{
  for (uint32_t k = 0; k < file->field_count; k++)
    if (file->fields[k].field == field)
      return 1;
  return 0;
}

void sni_file_tree_note(sni_reader *reader, const sni_file_tree *file)
{
  const sn_tree_info *info = reader->tree->info;
  char missing[sizeof file->skipped] = "";

  for (uint32_t k = 0; k < sni_lasting_fields(reader->tree); k++)
    if (!has_field(file, (int32_t)k))
      add_name(missing, sizeof missing, info->fields[k].name, strlen(info->fields[k].name));
  if (*missing || *file->skipped)
    sni_note(reader->tree->context, "%s: %s: %s%s%s%s%s", info->c_name, reader->path,
             *missing ? "at their defaults, since they are not in the file: " : "", missing,
             *missing && *file->skipped ? "; " : "",
             *file->skipped ? "skipped, since the tree has them not: " : "", file->skipped);
}
