/* Calls on SNodes: activity of one cell, of all, and counts. */
#include "runtime/host/tree/access.h"

#include <string.h>

/* Its axes are the path's, ascending. */
static uint32_t extents_of(const sn_tree *tree, int snode, int64_t *extents)
{
  const sn_snode_view *node = sni_view_of(tree, snode);
  uint32_t n = 0;

  for (int a = 0; a < SN_MAX_AXES; a++)
    if (node->path_axes >> a & 1)
      extents[n++] = node->total[a];
  return n;
}

static int check_snode(sn_tree *tree, int snode)
{
  if (snode > 0 && (uint32_t)snode < tree->info->snode_count)
    return SN_OK;
  return sni_fail(tree->context, SN_EINVAL, "%s: there is no SNode %d", tree->info->c_name, snode);
}

static int check_sparse(sn_tree *tree, int snode)
{
  SN_TRY(check_snode(tree, snode));
  if (sni_is_pointer(tree, snode))
    return SN_OK;
  return sni_fail(tree->context, SN_EINVAL,
                  "%s: cells of %s, which is dense, cannot be deactivated",
                  tree->info->c_name, tree->info->snodes[snode].name);
}

static int check_index(sn_tree *tree, int snode, const int64_t *index, sni_operands *operands)
{
  int64_t extents[SN_MAX_AXES];
  const uint32_t n = extents_of(tree, snode, extents);

  memset(operands, 0, sizeof *operands);
  if (!index && n)
    return sni_fail(tree->context, SN_EINVAL, "%s: the index of %s is NULL", tree->info->c_name,
                    tree->info->snodes[snode].name);
  SN_TRY(sni_access_check(tree, tree->info->snodes[snode].name, index, extents, n));
  if (n)
    memcpy(operands->index, index, n * sizeof *index);
  return SN_OK;
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
  SN_TRY(check_index(tree, snode, index, &operands));
  SN_TRY(sni_access_open(&access, tree, "activate", SN_ACCESS_ACTIVATE, -1, snode, &operands));
  sni_access_change(&access);
  return sni_access_close(&access);
}

static int deactivate(sn_tree *tree, int snode, const int64_t *index)
{
  sni_operands operands;
  sni_access access;

  SN_TRY(check_sparse(tree, snode));
  SN_TRY(check_index(tree, snode, index, &operands));
  SN_TRY(sni_access_open(&access, tree, "deactivate", SN_ACCESS_DEACTIVATE, -1, snode, &operands));
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
  SN_TRY(check_index(tree, snode, index, &operands));
  if (!out)
    return no_result(tree);
  SN_TRY(sni_access_open(&access, tree, "is_active", SN_ACCESS_IS_ACTIVE, -1, snode, &operands));
  sni_access_run(&access);
  memcpy(&flag, &sni_access_operands(&access)->value, sizeof flag);
  SN_TRY(sni_access_close(&access));
  *out = flag != 0;
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

/* ---- all cells ---- */

/* snode 0: the whole tree. */
static int deactivate_all(sn_tree *tree, int snode)
{
  const sni_operands operands = { 0 };
  sni_access access;

  SN_TRY(sni_access_open(&access, tree, "deactivate_all", SN_ACCESS_DEACTIVATE, -1, snode,
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
  SN_TRY(sni_access_open(&access, tree, "count", SN_ACCESS_COUNT, -1, snode, &operands));
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

int sn_snode_capacity(sn_tree *tree, const sn_tree_info *info, int snode, int64_t *n)
{
  int64_t extents[SN_MAX_AXES], cells = 1;
  int code;

  SN_TRY(sni_access_enter(tree, info));
  code = check_snode(tree, snode);
  if (code == SN_OK && !n)
    code = no_result(tree);
  if (code == SN_OK) {
    for (uint32_t k = extents_of(tree, snode, extents); k > 0; k--)
      cells *= extents[k - 1];
    *n = cells;
  }
  sni_leave(tree->context);
  return code;
}
