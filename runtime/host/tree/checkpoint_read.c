/* sn_tree_load: the file is read twice.  First all of it is checked, so that what is
 * damaged, cut off or of another tree changes nothing; then the tree is emptied, and
 * batch after batch imported.
 *
 * A file is a grammar: TREE { CELL DATA... }... DONE, where behind each CELL come the
 * values of each of the file's fields that lie in those cells, in the file's order,
 * without a gap.  Both readings go through it.
 */
#include "runtime/host/tree/access.h"
#include "runtime/host/tree/checkpoint.h"
#include "runtime/host/tree/range.h"
#include "runtime/host/tree/tape.h"

#include <string.h>

typedef struct loader {
  sni_reader reader;
  sn_tree *tree;
  sni_file_tree file;
  sni_side *side;                /* NULL: the file is only checked */
  sni_batch batch;               /* the last CELL; its records lie in the payload */
  uint64_t *select;              /* SNI_BATCH_RECORDS */
  uint32_t field;                /* of the file: whose values come next; field_count: none */
  uint64_t first;                /* of them: the element that comes next */
  uint64_t cells, values;        /* so far */
} loader;

/* ---- CELL ---- */

/* What the coordinates of a record are those of: a cell of the hash itself, else the cell that
 * holds the container. */
static sni_range range_of_records(const sn_tree *tree, int32_t snode)
{
  return sni_is_kind(tree, snode, SND_SNODE_HASH) ? sni_range_of_cells(tree, snode)
                                                 : sni_range_of_containers(tree, snode);
}

/* Whether a record is one that a tree of this shape can have. */
static int check_record(const sn_tree *tree, int32_t snode, const sni_range *range,
                        const uint64_t *record)
{
  const snd_snode_view *node = sni_view_of(tree, snode);
  const uint64_t *two = record + range->axes;

  if (!sni_range_holds(range, (const int64_t *)record))
    return 0;
  switch (node->kind) {
  case SND_SNODE_HASH:
    return 1;
  case SND_SNODE_DYNAMIC:
    return two[0] < two[1] && two[1] <= node->cells && two[1] - two[0] <= SND_PIECE_CELLS;
  default:
    return two[1] != 0 && two[0] < node->mask_words &&
           (two[0] < node->cells / 64 || two[1] >> node->cells % 64 == 0);
  }
}

/* The next of the file's fields that lies in the batch's cells. */
static uint32_t next_field(const loader *l, uint32_t from)
{
  while (from < l->file.field_count &&
         sni_holder_of_values(l->tree, l->file.fields[from].snode) != l->batch.snode)
    from++;
  return from;
}

static int read_records(loader *l, uint64_t cells)
{
  sni_batch *batch = &l->batch;
  sni_range range = { 0 };

  if (batch->records)
    range = range_of_records(l->tree, batch->snode);
  batch->record = (uint64_t *)(void *)(l->reader.payload + SNI_CELLS_HEAD_BYTES);
  sni_reorder(batch->record, (size_t)(batch->records * batch->record_words),
              sizeof *batch->record);
  batch->cells = batch->snode == 0;
  for (uint64_t r = 0; r < batch->records; r++) {
    const uint64_t *record = batch->record + r * batch->record_words;
    if (!check_record(l->tree, batch->snode, &range, record))
      return sni_read_damaged(&l->reader, "a cell that cannot be");
    l->select[2 * r] = 0;
    l->select[2 * r + 1] = batch->cells;
    batch->cells += sni_record_cells(l->tree, batch->snode, record);
  }
  if (batch->cells != cells || cells > SNI_BATCH_CELLS)
    return sni_read_damaged(&l->reader, "the number of its cells");
  return SN_OK;
}

static int read_cells(loader *l)
{
  sni_cursor cursor = { l->reader.payload, 0, l->reader.bytes, 0 };
  const int32_t snode = (int32_t)sni_take(&cursor, 4);
  const uint64_t words = sni_take(&cursor, 4);
  const uint64_t cells = sni_take(&cursor, 8);
  const uint64_t records = sni_take(&cursor, 8);

  if (l->field < l->file.field_count)
    return sni_read_damaged(&l->reader, "it comes before the values of the cells before it");
  if (snode < 0 || (uint32_t)snode >= l->tree->info->snode_count ||
      sni_view_of(l->tree, snode)->kind == SND_SNODE_DENSE ||
      words != sni_record_words(l->tree, snode) || records > SNI_BATCH_RECORDS ||
      (snode == 0 && records) ||
      l->reader.bytes != SNI_CELLS_HEAD_BYTES + records * words * sizeof(uint64_t))
    return sni_read_damaged(&l->reader, "its length");
  l->batch.snode = snode;
  l->batch.records = records;
  l->batch.record_words = words;
  SN_TRY(read_records(l, cells));
  l->cells += cells;
  l->field = next_field(l, 0);
  l->first = 0;
  return l->side ? sni_import_cells(l->side, &l->batch) : SN_OK;
}

/* ---- DATA ---- */

static int read_values(loader *l)
{
  sni_cursor cursor = { l->reader.payload, 0, l->reader.bytes, 0 };
  const uint32_t number = (uint32_t)sni_take(&cursor, 4);
  const uint32_t bytes = (uint32_t)sni_take(&cursor, 4);
  const uint64_t first = sni_take(&cursor, 8);
  const uint64_t count = sni_take(&cursor, 8);
  const sni_file_field *field;
  unsigned char *values = l->reader.payload + SNI_VALUES_HEAD_BYTES;
  uint64_t all;

  if (cursor.is_short || l->field >= l->file.field_count || number != l->field ||
      first != l->first)
    return sni_read_damaged(&l->reader, "values that are out of place");
  field = &l->file.fields[number];
  all = l->batch.cells * sni_values_per_cell(l->tree, field->snode);
  if (bytes != field->bytes || count == 0 || count > all - first ||
      count > SNI_BATCH_BYTES / bytes || l->reader.bytes != SNI_VALUES_HEAD_BYTES + count * bytes)
    return sni_read_damaged(&l->reader, "the number of its values");
  l->values += count;
  l->first += count;
  if (l->first == all) {
    l->field = next_field(l, number + 1);
    l->first = 0;
  }
  if (!l->side || field->field < 0)
    return SN_OK;
  sni_reorder(values, (size_t)count, bytes);
  return sni_import_values(l->side, l->batch.snode, field->field, first, count, values);
}

/* ---- the whole file ---- */

static int read_done(loader *l)
{
  sni_cursor cursor = { l->reader.payload, 0, l->reader.bytes, 0 };
  const uint64_t blocks = sni_take(&cursor, 8), cells = sni_take(&cursor, 8);
  const uint64_t values = sni_take(&cursor, 8);

  if (l->reader.bytes != SNI_END_BYTES || l->field < l->file.field_count ||
      blocks != l->reader.blocks || cells != l->cells || values != l->values)
    return sni_read_damaged(&l->reader, "its sums are not those of the file");
  return sni_read_end(&l->reader);
}

static int read_blocks(loader *l)
{
  l->cells = l->values = 0;
  l->field = l->file.field_count;
  for (;;) {
    SN_TRY(sni_read_block(&l->reader));
    switch (l->reader.kind) {
    case SNI_BLOCK_CELLS: SN_TRY(read_cells(l)); break;
    case SNI_BLOCK_VALUES: SN_TRY(read_values(l)); break;
    case SNI_BLOCK_END: return read_done(l);
    default: return sni_read_damaged(&l->reader, "a kind of block that this libsnode knows not");
    }
  }
}

static int check_file(loader *l)
{
  SN_TRY(sni_read_rewind(&l->reader));
  SN_TRY(sni_read_block(&l->reader));
  SN_TRY(sni_read_tree(&l->reader, &l->file));
  return read_blocks(l);
}

/* The tree becomes what the file holds; its first block was understood before. */
static int import_file(loader *l, sn_call *call)
{
  sni_side side;
  int code = sni_side_open(&side, call, 0);

  if (code == SN_OK) {
    sni_deactivate_all(call, 0, 0);
    code = call->code;
  }
  l->side = &side;
  if (code == SN_OK)
    code = sni_read_rewind(&l->reader);
  if (code == SN_OK)
    code = sni_read_block(&l->reader);
  if (code == SN_OK)
    code = read_blocks(l);
  sni_transfer_note(&side, "load");
  sni_side_close(&side);
  return code;
}

static int load_file(loader *l)
{
  sn_tree *tree = l->tree;
  sn_call *call;
  int code;

  SN_TRY(check_file(l));
  SN_TRY(sni_call_open(tree->context, tree->module, NULL, tree->info->c_name, &tree, 1, NULL, 0,
                       &call));
  code = import_file(l, call);
  (void)sni_call_close(call);
  if (code == SN_OK) {
    tree->draws = l->file.draws;
    sni_file_tree_note(&l->reader, &l->file);
  }
  return code;
}

static int load(sn_tree *tree, const char *path)
{
  sni_accounts *accounts = &tree->context->accounts;
  loader l = { .tree = tree };
  int code;

  if (!path)
    return sni_fail(tree->context, SN_EINVAL, "%s_load: the path is NULL", tree->info->c_name);
  SN_TRY(sni_read_open(&l.reader, tree, path));
  l.select = l.batch.select = sni_new(accounts, SNI_BATCH_RECORDS, 2 * sizeof *l.select);
  code = l.select ? load_file(&l)
                  : sni_fail(tree->context, SN_ENOMEM, "%s_load: no memory", tree->info->c_name);
  sni_delete(accounts, l.select, SNI_BATCH_RECORDS, 2 * sizeof *l.select);
  sni_file_tree_free(tree, &l.file);
  sni_read_close(&l.reader);
  return code;
}

int sn_tree_load(sn_tree *tree, const sn_tree_info *info, const char *path)
{
  int code;

  SN_TRY(sni_access_enter(tree, info));
  code = sni_tape_write(tree, -1, "load");
  if (code == SN_OK)
    code = load(tree, path);
  sni_leave(tree->context);
  return code;
}
