/* sn_tree_memory: what each SNode holds. */
#include "runtime/host/tree/access.h"
#include "runtime/host/tree/snode_memory.h"

#include <string.h>

/* Cells in all its containers that are there. */
static int64_t cells_in_place(const sn_tree *tree, int32_t snode)
{
  uint64_t cells = 1;

  for (int32_t s = snode; s > 0; s = sni_view_of(tree, s)->parent) {
    if (sni_is_allocated(tree, s)) {
      cells *= sni_cells_in_use(tree, s) - tree->counters[s].recycled;
      break;
    }
    cells *= sni_view_of(tree, s)->cells;
  }
  return (int64_t)cells;
}

/* What a node manager deals out. */
static void add_cells(const sn_tree *tree, int32_t snode, sn_memory_info *row)
{
  const snd_snode_counters *counters = &tree->counters[snode];

  row->recycled += (int64_t)counters->recycled;
  row->free += (int64_t)(counters->ready - counters->taken);
  row->ever_allocated += (int64_t)sni_cells_ever(tree, snode);
  row->active = row->ever_allocated - row->free - row->recycled;
}

static void add_chunks(const sn_tree *tree, int32_t snode, sn_memory_info *row)
{
  const snd_snode_counters *counters = &tree->counters[snode];
  const sni_snode *node = &tree->snodes[snode];

  row->chunks += (int64_t)counters->chunks_made;
  row->bytes += (int64_t)(counters->chunks_made * node->chunk_bytes);
  /* The id tables: as far as they are used. */
  row->bytes += (int64_t)(2 * sni_cells_ever(tree, snode) * sizeof(uint32_t) +
                          counters->chunks_made * sizeof(sn_addr));
}

static void fill_row(const sn_tree *tree, int32_t snode, sn_memory_info *row)
{
  const sni_snode *node = &tree->snodes[snode];
  const snd_snode_view *view = sni_view_of(tree, snode);

  memset(row, 0, sizeof *row);
  row->name = tree->info->snodes[snode].name;
  row->bytes = (int64_t)node->container.bytes;
  if (node->list_is_made)
    row->bytes += (int64_t)(tree->counters[snode].list_length * sizeof(uint64_t) *
                            (view->entry_words + (uint64_t)view->mask_words));
  if (sni_has_manager(tree, snode)) {
    add_cells(tree, snode, row);
    add_chunks(tree, snode, row);
  }
  for (int32_t k = 0; k < view->pool_count; k++) {
    if (sni_is_dynamic(tree, snode))
      add_cells(tree, view->pool + k, row);
    add_chunks(tree, view->pool + k, row);
  }
  if (!sni_is_allocated(tree, snode) && !sni_is_dynamic(tree, snode))
    row->active = cells_in_place(tree, snode);
}

static int memory(sn_tree *tree, sn_memory_info *rows, int cap, int *n)
{
  int count = 0;

  if (!n || cap < 0 || (!rows && cap > 0))
    return sni_fail(tree->context, SN_EINVAL, "%s_memory: NULL, or fewer than no rows",
                    tree->info->c_name);
  SN_TRY(sni_tree_fetch_counters(tree));
  for (uint32_t k = 1; k < tree->info->snode_count; k++, count++)
    if (count < cap)
      fill_row(tree, (int32_t)k, &rows[count]);
  *n = count;
  return SN_OK;
}

int sn_tree_memory(sn_tree *tree, const sn_tree_info *info, sn_memory_info *rows, int cap, int *n)
{
  int code;

  SN_TRY(sni_access_enter(tree, info));
  code = memory(tree, rows, cap, n);
  sni_leave(tree->context);
  return code;
}
