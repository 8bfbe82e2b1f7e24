/* Export and import of a tree in batches, by SND_RT_TRANSFER. */
#include "runtime/host/base/numbers.h"
#include "runtime/host/tree/headroom.h"
#include "runtime/host/tree/task_chunks.h"
#include "runtime/host/tree/transfer.h"

#include <string.h>

enum { WINDOW_WORDS = 1 << 16 };                 /* of masks or entries, looked at at once */

/* ---- what follows from the tree's shape ---- */

int32_t sni_holder_of_values(const sn_tree *tree, int32_t snode)
{
  while (sni_view_of(tree, snode)->kind == SND_SNODE_DENSE)
    snode = sni_view_of(tree, snode)->parent;
  return snode;
}

uint64_t sni_values_per_cell(const sn_tree *tree, int32_t snode)
{
  uint64_t count = 1;

  for (; sni_view_of(tree, snode)->kind == SND_SNODE_DENSE;
       snode = sni_view_of(tree, snode)->parent)
    count *= sni_view_of(tree, snode)->cells;
  return count;
}

uint64_t sni_record_words(const sn_tree *tree, int32_t snode)
{
  const snd_snode_view *node = sni_view_of(tree, snode);

  if (snode == 0)
    return 0;
  if (node->kind == SND_SNODE_HASH)
    return sni_count_bits(node->own_axes);
  return sni_count_bits(sni_view_of(tree, node->parent)->path_axes) + 2;
}

uint64_t sni_record_cells(const sn_tree *tree, int32_t snode, const uint64_t *record)
{
  const uint64_t words = sni_record_words(tree, snode);

  switch (sni_view_of(tree, snode)->kind) {
  case SND_SNODE_HASH: return 1;
  case SND_SNODE_DYNAMIC: return record[words - 1] - record[words - 2];
  default: return sni_count_bits(record[words - 1]);
  }
}

/* ---- memory of a side ---- */

static int stage(sni_side *side, size_t bytes, sni_staging *staging)
{
  sn_context *context = side->tree->context;

  SN_TRY(sni_memory_alloc(&context->memory, bytes, SNI_ANY, &staging->block));
  staging->bytes = bytes;
  staging->host = sni_on_host(side->tree) ? sni_pointer(staging->block.address)
                                          : sni_new(&context->accounts, 1, bytes);
  return staging->host ? SN_OK : SN_ENOMEM;
}

static void unstage(sni_side *side, sni_staging *staging)
{
  sn_context *context = side->tree->context;

  if (!sni_on_host(side->tree))
    sni_delete(&context->accounts, staging->host, 1, staging->bytes);
  sni_memory_free(&context->memory, &staging->block);
}

static int stage_all(sni_side *side)
{
  const sn_tree *tree = side->tree;
  size_t words = 1;

  for (uint32_t k = 1; k < tree->info->snode_count; k++)
    if (sni_record_words(tree, (int32_t)k) > words)
      words = (size_t)sni_record_words(tree, (int32_t)k);
  SN_TRY(stage(side, SNI_BATCH_RECORDS * 2 * sizeof(uint64_t), &side->select));
  SN_TRY(stage(side, SNI_BATCH_RECORDS * words * sizeof(uint64_t), &side->record));
  SN_TRY(stage(side, SNI_BATCH_BYTES, &side->value));
  if (!sni_on_host(tree)) {
    side->window = sni_new(&tree->context->accounts, WINDOW_WORDS, sizeof *side->window);
    if (!side->window)
      return SN_ENOMEM;
  }
  return sni_memory_alloc(&tree->context->memory, SNI_BATCH_CELLS * SND_TRANSFER_CELL,
                          SNI_ANY, &side->cell);
}

int sni_side_open(sni_side *side, sn_call *call, int32_t slot)
{
  int code;

  memset(side, 0, sizeof *side);
  side->call = call;
  side->slot = slot;
  side->tree = call->trees[slot];
  code = stage_all(side);
  if (code != SN_OK)
    sni_call_fail(call, code, "no memory for batches of cells and values");
  return call->code;
}

void sni_side_close(sni_side *side)
{
  unstage(side, &side->select);
  unstage(side, &side->record);
  unstage(side, &side->value);
  sni_delete(&side->tree->context->accounts, side->window, WINDOW_WORDS, sizeof *side->window);
  sni_memory_free(&side->tree->context->memory, &side->cell);
}

/* The unit's address of host memory: a copy of it on a device. */
static sn_addr bring(sni_side *side, sni_staging *staging, const void *host, size_t bytes)
{
  if (sni_on_host(side->tree))
    return sni_address(host);
  if (side->call->code == SN_OK &&
      sni_memory_put(&side->tree->context->memory, staging->block.address, host, bytes) != SN_OK)
    sni_call_fail(side->call, SN_EDEVICE, "a batch could not be copied to the device");
  return staging->block.address;
}

/* The host's copy of what a task left. */
static void fetch(sni_side *side, sni_staging *staging, size_t bytes)
{
  if (!sni_on_host(side->tree) && side->call->code == SN_OK &&
      sni_memory_get(&side->tree->context->memory, staging->host, staging->block.address, bytes)
        != SN_OK)
    sni_call_fail(side->call, SN_EDEVICE, "a batch could not be copied from the device");
}

/* ---- export ---- */

typedef struct exporter {
  sni_side *side;
  const sni_sink *sink;
  sni_batch batch;
} exporter;

static int has_failed(const exporter *x)
{
  return x->side->call->code != SN_OK;
}

/* A sink has noted its text where it belongs; this call ends with its code. */
static void take_code(exporter *x, int code)
{
  if (!has_failed(x))
    x->side->call->code = code;
}

/* A sink has the host's copy of the staging memory. */
static void give_values(exporter *x, const snd_transfer_params *task, uint32_t bytes)
{
  sni_side *side = x->side;

  sni_call_runtime(side->call, SND_RT_TRANSFER, side->slot, x->batch.snode, task);
  fetch(side, &side->value, (size_t)task->count * bytes);
  if (!has_failed(x))
    take_code(x, x->sink->values(x->sink->self, task->field, task->first, task->count,
                                 side->value.host));
}

static void put_values(exporter *x, snd_transfer_params *task, uint32_t bytes)
{
  sni_side *side = x->side;

  take_code(x, x->sink->values(x->sink->self, task->field, task->first, task->count,
                               side->value.host));
  task->value = bring(side, &side->value, side->value.host, (size_t)task->count * bytes);
  sni_call_runtime(side->call, SND_RT_TRANSFER, side->slot, x->batch.snode, task);
}

static void export_field(exporter *x, int32_t field)
{
  sni_side *side = x->side;
  const snd_field_info *info = &side->tree->info->fields[field];
  const uint32_t bytes = sni_type_bytes(info->type);
  const uint64_t all = x->batch.cells * sni_values_per_cell(side->tree, info->snode);
  snd_transfer_params task = {
    .op = x->sink->is_put ? SND_TRANSFER_SCATTER : SND_TRANSFER_GATHER, .field = field,
    .cell = side->cell.address, .value = side->value.block.address
  };

  for (; task.first < all && !has_failed(x); task.first += task.count) {
    task.count = sni_least(SNI_BATCH_BYTES / bytes, all - task.first);
    if (x->sink->is_put)
      put_values(x, &task, bytes);
    else
      give_values(x, &task, bytes);
    side->bytes += (double)task.count * bytes;
  }
}

/* Whether values of the field go with the cells of the SNode. */
static int goes_with(const exporter *x, uint32_t field, int32_t snode)
{
  const sn_tree *tree = x->side->tree;

  return (!x->sink->fields || x->sink->fields[field]) &&
         sni_holder_of_values(tree, tree->info->fields[field].snode) == snode;
}

/* Hands over the batch and its values, and begins the next. */
static void flush(exporter *x)
{
  sni_side *side = x->side;
  const sn_tree *tree = side->tree;
  sni_batch *batch = &x->batch;
  const size_t bytes = (size_t)(batch->records * batch->record_words) * sizeof(uint64_t);
  snd_transfer_params task = {
    .op = SND_TRANSFER_EXPORT, .field = -1, .records = batch->records,
    .record_words = batch->record_words, .record = side->record.block.address,
    .cell = side->cell.address
  };

  if (batch->cells == 0)
    return;
  if (batch->records) {
    task.select = bring(side, &side->select, batch->select,
                        (size_t)batch->records * 2 * sizeof(uint64_t));
    sni_call_runtime(side->call, SND_RT_TRANSFER, side->slot, batch->snode, &task);
    fetch(side, &side->record, bytes);
    side->bytes += (double)bytes;
  }
  if (!has_failed(x) && x->sink->cells)
    take_code(x, x->sink->cells(x->sink->self, batch));
  for (uint32_t f = 0; f < sni_lasting_fields(tree) && !has_failed(x); f++)
    if (goes_with(x, f, batch->snode))
      export_field(x, (int32_t)f);
  batch->cells = batch->records = 0;
}

/* One more record, of `cells` cells. */
static void push(exporter *x, uint64_t number, uint64_t cells)
{
  sni_batch *batch = &x->batch;

  if (batch->records == SNI_BATCH_RECORDS || batch->cells + cells > SNI_BATCH_CELLS)
    flush(x);
  batch->select[2 * batch->records] = number;
  batch->select[2 * batch->records + 1] = batch->cells;
  batch->records++;
  batch->cells += cells;
}

/* Words of the unit, for the host to read until the next look. */
static const uint64_t *look(exporter *x, sn_addr at, uint64_t words)
{
  sn_context *context = x->side->tree->context;

  if (sni_on_host(x->side->tree))
    return sni_pointer(at);
  if (sni_memory_get(&context->memory, x->side->window, at, (size_t)words * sizeof(uint64_t)) !=
      SN_OK)
    sni_call_fail(x->side->call, SN_EDEVICE, "a list could not be read from the device");
  return x->side->window;
}

/* pointer, bitmasked: a record for each word that is not 0; hash: for each bit. */
static void export_masked(exporter *x, uint64_t length)
{
  const snd_snode_view *node = sni_view_of(x->side->tree, x->batch.snode);
  const uint64_t words = length * node->mask_words;

  for (uint64_t at = 0; at < words && !has_failed(x); at += WINDOW_WORDS) {
    const uint64_t count = sni_least(WINDOW_WORDS, words - at);
    const uint64_t *masks = look(x, node->masks + at * sizeof(uint64_t), count);
    for (uint64_t k = 0; k < count && !has_failed(x); k++)
      if (masks[k] && node->kind != SND_SNODE_HASH)
        push(x, at + k, sni_count_bits(masks[k]));
      else
        for (uint64_t c = 0; c < 64 && masks[k] >> c; c++)
          if (masks[k] >> c & 1)
            push(x, (at + k) * 64 + c, 1);
  }
}

/* dynamic: a record for each entry, which ends with its first cell, the one behind its
 * last, and the body. */
static void export_pieces(exporter *x, uint64_t length)
{
  const snd_snode_view *node = sni_view_of(x->side->tree, x->batch.snode);
  const uint64_t words = node->entry_words, most = WINDOW_WORDS / words;

  for (uint64_t at = 0; at < length && !has_failed(x); at += most) {
    const uint64_t count = sni_least(most, length - at);
    const uint64_t *entries =
      look(x, node->entries + at * words * sizeof(uint64_t), count * words);
    for (uint64_t k = 0; k < count && !has_failed(x); k++) {
      const uint64_t *behind = entries + (k + 1) * words;
      push(x, at + k, behind[-2] - behind[-3]);
    }
  }
}

static void export_snode(exporter *x, int32_t snode)
{
  sni_side *side = x->side;

  sni_list_refresh(side->call, side->slot, snode);
  if (!has_failed(x) && sni_tree_fetch_counters(side->tree) != SN_OK)
    sni_call_fail(side->call, SN_EDEVICE, "the counters could not be read");
  if (has_failed(x))
    return;
  x->batch.snode = snode;
  x->batch.record_words = sni_record_words(side->tree, snode);
  if (sni_view_of(side->tree, snode)->kind == SND_SNODE_DYNAMIC)
    export_pieces(x, side->tree->counters[snode].list_length);
  else
    export_masked(x, side->tree->counters[snode].list_length);
  if (!has_failed(x))
    flush(x);
}

/* Whether a field goes with the SNode's cells. */
static int has_values(const exporter *x, int32_t snode)
{
  for (uint32_t f = 0; f < sni_lasting_fields(x->side->tree); f++)
    if (goes_with(x, f, snode))
      return 1;
  return 0;
}

/* What lies in the root's cell: a batch only where there is such a field. */
static void export_root(exporter *x)
{
  x->batch.cells = has_values(x, 0);
  flush(x);
}

/* Cells that the sink does not take are gone through for their values alone. */
static int is_exported(const exporter *x, int32_t snode)
{
  return sni_view_of(x->side->tree, snode)->kind != SND_SNODE_DENSE &&
         (x->sink->cells || has_values(x, snode));
}

int sni_export(sni_side *side, const sni_sink *sink)
{
  exporter x = { .side = side, .sink = sink };

  if (side->call->code != SN_OK)
    return side->call->code;
  x.batch.select = side->select.host;
  x.batch.record = side->record.host;
  export_root(&x);
  for (uint32_t k = 1; k < side->tree->info->snode_count && !has_failed(&x); k++)
    if (is_exported(&x, (int32_t)k))
      export_snode(&x, (int32_t)k);
  return side->call->code;
}

/* ---- import ---- */

/* Devices: memory for the cells before the task that takes it; what a dynamic's cells
 * need is not known, and the task is run again where it was not enough. */
static void make_room(sni_side *side, int32_t snode, uint64_t cells)
{
  const sn_tree *tree = side->tree;
  const snd_snode_view *node = sni_view_of(tree, snode);

  if (sni_has_manager(tree, snode))
    sni_snode_grow(side->call, side->slot, snode, sni_most(cells, sni_headroom(tree, snode)));
  for (int32_t k = node->pool; k < node->pool + node->pool_count; k++)
    sni_snode_grow(side->call, side->slot, k, sni_headroom(tree, k));
  sni_chunks_prepare(side->call);
}

/* Activating twice does no harm, so the task can be run again when there is more
 * memory for it. */
static void activate(sni_side *side, int32_t snode, const snd_transfer_params *task)
{
  sn_call *call = side->call;
  int code;

  do {
    code = sni_call_launch(call, &call->backend->runtime_tasks[SND_RT_TRANSFER], side->slot, snode,
                           task);
    if (code != SN_OK)
      sni_call_fail(call, code, "task transfer could not be run");
    sni_call_settle(call);
  } while (sni_call_made_room(call));
  sni_call_check(call);
}

int sni_import_cells(sni_side *side, const sni_batch *batch)
{
  const size_t bytes = (size_t)(batch->records * batch->record_words) * sizeof(uint64_t);
  snd_transfer_params task = {
    .op = SND_TRANSFER_IMPORT, .field = -1, .records = batch->records,
    .record_words = batch->record_words, .cell = side->cell.address
  };

  if (batch->records == 0 || side->call->code != SN_OK)
    return side->call->code;
  task.select = bring(side, &side->select, batch->select,
                      (size_t)batch->records * 2 * sizeof(uint64_t));
  task.record = bring(side, &side->record, batch->record, bytes);
  side->bytes += (double)bytes;
  if (!sni_on_host(side->tree))
    make_room(side, batch->snode, batch->cells);
  if (side->call->code == SN_OK)
    activate(side, batch->snode, &task);
  return side->call->code;
}

int sni_import_values(sni_side *side, int32_t snode, int32_t field, uint64_t first, uint64_t count,
                      const void *values)
{
  const uint32_t bytes = sni_type_bytes(side->tree->info->fields[field].type);
  snd_transfer_params task = {
    .op = SND_TRANSFER_SCATTER, .field = field, .cell = side->cell.address,
    .first = first, .count = count
  };

  if (side->call->code != SN_OK)
    return side->call->code;
  task.value = bring(side, &side->value, values, (size_t)count * bytes);
  side->bytes += (double)count * bytes;
  sni_call_runtime(side->call, SND_RT_TRANSFER, side->slot, snode, &task);
  return side->call->code;
}

void sni_transfer_note(const sni_side *side, const char *what)
{
  sn_call *call = side->call;

  sni_call_spent(call, (sni_profile_key){ PROFILE_transfer, call->name, what, 0, NULL },
                 call->timer, side->bytes);
}
