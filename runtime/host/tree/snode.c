/* Calls on SNodes: activity of one cell, of all, and counts. */
#include "runtime/host/tree/access.h"
#include "runtime/host/tree/tape.h"

#include <string.h>

static int check_snode(sn_tree *tree, int snode)
{
  if (snode > 0 && (uint32_t)snode < tree->info->snode_count)
    return SN_OK;
  return sni_fail(tree->context, SN_EINVAL, "%s: there is no SNode %d", tree->info->c_name, snode);
}

static int check_sparse(sn_tree *tree, int snode)
{
  SN_TRY(check_snode(tree, snode));
  if (sni_is_sparse(tree, snode))
    return SN_OK;
  return sni_fail(tree->context, SN_EINVAL,
                  "%s: cells of %s, which is dense, cannot be deactivated",
                  tree->info->c_name, tree->info->snodes[snode].name);
}

static int check_dynamic(sn_tree *tree, int snode)
{
  SN_TRY(check_snode(tree, snode));
  if (sni_is_dynamic(tree, snode))
    return SN_OK;
  return sni_fail(tree->context, SN_EINVAL, "%s: %s has no length: it is not dynamic",
                  tree->info->c_name, tree->info->snodes[snode].name);
}

static int check_index(sn_tree *tree, int snode, const int64_t *index, sni_range range,
                       sni_operands *operands)
{
  memset(operands, 0, sizeof *operands);
  if (!index && range.axes)
    return sni_fail(tree->context, SN_EINVAL, "%s: the index of %s is NULL", tree->info->c_name,
                    tree->info->snodes[snode].name);
  SN_TRY(sni_access_check(tree, tree->info->snodes[snode].name, index, &range));
  if (range.axes)
    memcpy(operands->index, index, range.axes * sizeof *index);
  return SN_OK;
}

/* Of a dynamic SNode it is containers that are emptied or have a length. */
static sni_range emptied(const sn_tree *tree, int snode)
{
  return sni_is_dynamic(tree, snode) ? sni_range_of_containers(tree, snode)
                                     : sni_range_of_cells(tree, snode);
}

static int no_result(sn_tree *tree)
{
  return sni_fail(tree->context, SN_EINVAL, "%s: the pointer to a result is NULL",
                  tree->info->c_name);
}

/* ---- one cell ---- */

static int activate(sn_tree *tree, int snode, const int64_t *index)
{
  sni_operands operands;
  sni_access access;

  SN_TRY(check_snode(tree, snode));
  SN_TRY(check_index(tree, snode, index, sni_range_of_cells(tree, snode), &operands));
  SN_TRY(sni_access_open(&access, tree, "activate", SND_ACCESS_ACTIVATE, -1, snode, &operands));
  sni_access_change(&access);
  return sni_access_close(&access);
}

static int deactivate(sn_tree *tree, int snode, const int64_t *index)
{
  sni_operands operands;
  sni_access access;

  SN_TRY(check_sparse(tree, snode));
  SN_TRY(check_index(tree, snode, index, emptied(tree, snode), &operands));
  SN_TRY(sni_access_open(&access, tree, "deactivate", SND_ACCESS_DEACTIVATE, -1, snode, &operands));
  sni_access_run(&access);
  sni_call_settle(access.call);
  sni_collect(access.call, 0, snode);
  return sni_access_close(&access);
}

static int is_active(sn_tree *tree, int snode, const int64_t *index, int *out)
{
  sni_operands operands;
  sni_access access;
  uint8_t flag;

  SN_TRY(check_snode(tree, snode));
  SN_TRY(check_index(tree, snode, index, sni_range_of_cells(tree, snode), &operands));
  if (!out)
    return no_result(tree);
  SN_TRY(sni_access_open(&access, tree, "is_active", SND_ACCESS_IS_ACTIVE, -1, snode, &operands));
  sni_access_run(&access);
  memcpy(&flag, &sni_access_operands(&access)->value, sizeof flag);
  SN_TRY(sni_access_close(&access));
  *out = flag != 0;
  return SN_OK;
}

static int length(sn_tree *tree, int snode, const int64_t *index, int64_t *n)
{
  sni_operands operands;
  sni_access access;
  int64_t cells;

  SN_TRY(check_dynamic(tree, snode));
  SN_TRY(check_index(tree, snode, index, sni_range_of_containers(tree, snode), &operands));
  if (!n)
    return no_result(tree);
  SN_TRY(sni_access_open(&access, tree, "length", SND_ACCESS_LENGTH, -1, snode, &operands));
  sni_access_run(&access);
  memcpy(&cells, &sni_access_operands(&access)->value, sizeof cells);
  SN_TRY(sni_access_close(&access));
  *n = cells;
  return SN_OK;
}

int sn_snode_activate(sn_tree *tree, const sn_tree_info *info, int snode, const int64_t *index)
{
  int code;

  SN_TRY(sni_access_enter(tree, info));
  code = activate(tree, snode, index);
  sni_leave(tree->context);
  return code;
}

int sn_snode_deactivate(sn_tree *tree, const sn_tree_info *info, int snode, const int64_t *index)
{
  int code;

  SN_TRY(sni_access_enter(tree, info));
  code = deactivate(tree, snode, index);
  sni_leave(tree->context);
  return code;
}

int sn_snode_is_active(sn_tree *tree, const sn_tree_info *info, int snode, const int64_t *index,
                       int *out)
{
  int code;

  SN_TRY(sni_access_enter(tree, info));
  code = is_active(tree, snode, index, out);
  sni_leave(tree->context);
  return code;
}

int sn_snode_length(sn_tree *tree, const sn_tree_info *info, int snode, const int64_t *index,
                    int64_t *n)
{
  int code;

  SN_TRY(sni_access_enter(tree, info));
  code = length(tree, snode, index, n);
  sni_leave(tree->context);
  return code;
}

/* ---- all cells ---- */

/* snode 0: the whole tree. */
static int deactivate_all(sn_tree *tree, int snode)
{
  const sni_operands operands = { 0 };
  sni_access access;

  SN_TRY(sni_access_open(&access, tree, "deactivate_all", SND_ACCESS_DEACTIVATE, -1, snode,
                         &operands));
  sni_deactivate_all(access.call, 0, snode);
  return sni_access_close(&access);
}

static int count(sn_tree *tree, int snode, int64_t *n)
{
  const sni_operands operands = { 0 };
  sni_access access;
  uint64_t result;

  if (!n)
    return no_result(tree);
  SN_TRY(sni_access_open(&access, tree, "count", SND_ACCESS_COUNT, -1, snode, &operands));
  sni_list_refresh(access.call, 0, snode);
  sni_access_run(&access);
  result = sni_access_operands(&access)->result;
  SN_TRY(sni_access_close(&access));
  *n = (int64_t)result;
  return SN_OK;
}

int sn_snode_deactivate_all(sn_tree *tree, const sn_tree_info *info, int snode)
{
  int code;

  SN_TRY(sni_access_enter(tree, info));
  code = check_sparse(tree, snode);
  if (code == SN_OK)
    code = deactivate_all(tree, snode);
  sni_leave(tree->context);
  return code;
}

int sn_tree_deactivate_all(sn_tree *tree, const sn_tree_info *info)
{
  int code;

  SN_TRY(sni_access_enter(tree, info));
  code = sni_tape_write(tree, -1, "deactivate_all");
  if (code == SN_OK)
    code = deactivate_all(tree, 0);
  sni_leave(tree->context);
  return code;
}

int sn_snode_count(sn_tree *tree, const sn_tree_info *info, int snode, int64_t *n)
{
  int code;

  SN_TRY(sni_access_enter(tree, info));
  code = check_snode(tree, snode);
  if (code == SN_OK)
    code = count(tree, snode, n);
  sni_leave(tree->context);
  return code;
}

static int capacity(sn_tree *tree, int snode, int64_t *n)
{
  sni_range range;
  int64_t cells = 1;

  SN_TRY(check_snode(tree, snode));
  if (!n)
    return no_result(tree);
  range = sni_range_of_cells(tree, snode);
  if (range.open)
    return sni_fail(tree->context, SN_EINVAL,
                    "%s: %s has no capacity: its cells may have any index", tree->info->c_name,
                    tree->info->snodes[snode].name);
  for (uint32_t k = 0; k < range.axes; k++)
    cells *= sni_range_end(&range, k);
  *n = cells;
  return SN_OK;
}

int sn_snode_capacity(sn_tree *tree, const sn_tree_info *info, int snode, int64_t *n)
{
  int code;

  SN_TRY(sni_access_enter(tree, info));
  code = capacity(tree, snode, n);
  sni_leave(tree->context);
  return code;
}
