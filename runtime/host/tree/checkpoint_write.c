/* sn_tree_save: an export whose sink is a file. */
#include "runtime/host/tree/access.h"
#include "runtime/host/tree/checkpoint.h"

static int write_cells(void *self, const sni_batch *batch)
{
  sni_writer *writer = self;
  unsigned char head[SNI_CELLS_HEAD_BYTES];
  sni_cursor cursor = { head, 0, sizeof head, 0 };
  const uint64_t words = batch->records * batch->record_words;

  sni_put(&cursor, (uint32_t)batch->snode, 4);
  sni_put(&cursor, batch->record_words, 4);
  sni_put(&cursor, batch->cells, 8);
  sni_put(&cursor, batch->records, 8);
  sni_reorder(batch->record, (size_t)words, sizeof *batch->record);
  writer->cells += batch->cells;
  return sni_write_block(writer, SNI_BLOCK_CELLS, head, sizeof head, batch->record,
                         (size_t)words * sizeof *batch->record);
}

static int write_values(void *self, int32_t field, uint64_t first, uint64_t count, void *values)
{
  sni_writer *writer = self;
  const uint32_t bytes = sni_type_bytes(writer->tree->info->fields[field].type);
  unsigned char head[SNI_VALUES_HEAD_BYTES];
  sni_cursor cursor = { head, 0, sizeof head, 0 };

  sni_put(&cursor, (uint32_t)field, 4);
  sni_put(&cursor, bytes, 4);
  sni_put(&cursor, first, 8);
  sni_put(&cursor, count, 8);
  sni_reorder(values, (size_t)count, bytes);
  writer->values += count;
  return sni_write_block(writer, SNI_BLOCK_VALUES, head, sizeof head, values,
                         (size_t)count * bytes);
}

static int write_end(sni_writer *writer)
{
  unsigned char head[SNI_END_BYTES];
  sni_cursor cursor = { head, 0, sizeof head, 0 };

  sni_put(&cursor, writer->blocks + 1, 8);
  sni_put(&cursor, writer->cells, 8);
  sni_put(&cursor, writer->values, 8);
  return sni_write_block(writer, SNI_BLOCK_END, head, sizeof head, NULL, 0);
}

static int write_all(sni_writer *writer, sn_call *call)
{
  const sni_sink sink = { .self = writer, .cells = write_cells, .values = write_values };
  sni_side side;
  int code;

  SN_TRY(sni_write_tree(writer));
  code = sni_side_open(&side, call, 0);
  if (code == SN_OK)
    code = sni_export(&side, &sink);
  sni_transfer_note(&side, "save");
  sni_side_close(&side);
  return code == SN_OK ? write_end(writer) : code;
}

static int save(sn_tree *tree, const char *path)
{
  sni_writer writer;
  sn_call *call;
  int code;

  if (!path)
    return sni_fail(tree->context, SN_EINVAL, "%s_save: the path is NULL", tree->info->c_name);
  SN_TRY(sni_write_open(&writer, tree, path));
  code = sni_call_open(tree->context, tree->module, NULL, tree->info->c_name, &tree, 1, NULL, 0,
                       &call);
  if (code == SN_OK) {
    code = write_all(&writer, call);
    (void)sni_call_close(call);
  }
  if (code == SN_OK)
    return sni_write_commit(&writer);
  sni_write_drop(&writer);
  return code;
}

int sn_tree_save(sn_tree *tree, const sn_tree_info *info, const char *path)
{
  int code;

  SN_TRY(sni_access_enter(tree, info));
  code = save(tree, path);
  sni_leave(tree->context);
  return code;
}
