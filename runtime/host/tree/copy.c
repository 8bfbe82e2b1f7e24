/* sn_tree_copy: one tree becomes what another is, on any units, batch by batch through
 * host memory: an export whose sink is an import.
 */
#include "runtime/host/tree/access.h"
#include "runtime/host/tree/loops.h"
#include "runtime/host/tree/tape.h"

#include <string.h>

typedef struct copier {
  sni_side to;
  int32_t snode;                 /* of the batch at hand */
} copier;

static int put_cells(void *self, const sni_batch *batch)
{
  copier *copy = self;

  copy->snode = batch->snode;
  return sni_import_cells(&copy->to, batch);
}

static int put_values(void *self, int32_t field, uint64_t first, uint64_t count, void *values)
{
  copier *copy = self;

  return sni_import_values(&copy->to, copy->snode, field, first, count, values);
}

/* Both sides have what they need before the destination is emptied. */
static int run(copier *copy, sni_side *from)
{
  const sni_sink sink = { .self = copy, .cells = put_cells, .values = put_values };

  sni_deactivate_all(copy->to.call, copy->to.slot, 0);
  return copy->to.call->code == SN_OK ? sni_export(from, &sink) : copy->to.call->code;
}

/* The calls are one where both trees are of one context. */
static int open_and_run(sn_call *to, sn_call *from)
{
  copier copy = { 0 };
  sni_side side;
  int code = sni_side_open(&copy.to, to, 0);

  if (code == SN_OK) {
    code = sni_side_open(&side, from, to == from);
    if (code == SN_OK)
      code = run(&copy, &side);
    sni_side_close(&side);
  }
  sni_transfer_note(&copy.to, "copy");
  sni_side_close(&copy.to);
  return code;
}

static int copy_inside(sn_tree *dst, sn_tree *src)
{
  sn_tree *const trees[] = { dst, src };
  sn_call *call;
  int code;

  SN_TRY(sni_call_open(dst->context, dst->module, NULL, dst->info->c_name, trees, 2, NULL, 0,
                       &call));
  code = open_and_run(call, call);
  (void)sni_call_close(call);
  return code;
}

static int copy_across(sn_tree *dst, sn_tree *src)
{
  sn_call *to, *from;
  int code;

  SN_TRY(sni_call_open(dst->context, dst->module, NULL, dst->info->c_name, &dst, 1, NULL, 0, &to));
  code = sni_call_open(src->context, src->module, NULL, src->info->c_name, &src, 1, NULL, 0, &from);
  if (code == SN_OK) {
    code = open_and_run(to, from);
    (void)sni_call_close(from);
  }
  (void)sni_call_close(to);
  /* The error is the destination's to tell, wherever it arose. */
  return code == SN_OK ? SN_OK : sni_fail(dst->context, code, "%s", sn_context_error(src->context));
}

/* ---- of which tree ---- */

static int is_same_snode(const snd_snode_info *a, const snd_snode_info *b)
{
  int same = strcmp(a->name ? a->name : "", b->name ? b->name : "") == 0 && a->kind == b->kind &&
             a->parent == b->parent && a->axis_count == b->axis_count;

  for (uint32_t k = 0; same && k < a->axis_count; k++)
    same = a->axes[k].axis == b->axes[k].axis;
  return same;
}

static int is_same_field(const snd_field_info *a, const snd_field_info *b)
{
  return strcmp(a->name, b->name) == 0 && a->type == b->type && a->snode == b->snode;
}

/* Whether they are the same but for where fields lie in memory. */
static int is_same_tree(const sn_tree_info *a, const sn_tree_info *b)
{
  int same = strcmp(a->name, b->name) == 0 && a->snode_count == b->snode_count &&
             a->field_count == b->field_count && a->local_count == b->local_count;

  for (uint32_t k = 0; same && k < a->snode_count; k++)
    same = is_same_snode(&a->snodes[k], &b->snodes[k]);
  for (uint32_t k = 0; same && k < a->field_count; k++)
    same = is_same_field(&a->fields[k], &b->fields[k]);
  return same;
}

static int check_extents(const sn_tree *dst, const sn_tree *src)
{
  for (uint32_t k = 1; k < dst->info->snode_count; k++)
    for (int a = 0; a < SN_MAX_AXES; a++)
      if (sni_view_of(dst, (int32_t)k)->extent[a] != sni_view_of(src, (int32_t)k)->extent[a])
        return sni_fail(dst->context, SN_EINVAL,
                        "%s_copy: %s has an extent of %lld in one tree and of %lld in the other",
                        dst->info->c_name, dst->info->snodes[k].name,
                        (long long)sni_view_of(dst, (int32_t)k)->extent[a],
                        (long long)sni_view_of(src, (int32_t)k)->extent[a]);
  return SN_OK;
}

/* Inside the destination's context. */
static int copy_from(sn_tree *dst, sn_tree *src, const sn_tree_info *info)
{
  int code;

  if (!src)
    return sni_fail(dst->context, SN_EINVAL, "%s_copy: the source is NULL", info->c_name);
  if (src->info != info && !is_same_tree(src->info, info))
    return sni_fail(dst->context, SN_EINVAL, "a call takes a %s, and was given a %s", info->c_name,
                    src->info->c_name);
  SN_TRY(check_extents(dst, src));
  if (src == dst)
    return SN_OK;
  SN_TRY(sni_loops_closed(src, info->c_name));
  SN_TRY(sni_tape_write(dst, -1, "copy"));
  if (src->context == dst->context)
    return copy_inside(dst, src);
  code = sni_enter_also(dst->context, src->context);
  if (code != SN_OK)
    return sni_fail(dst->context, code, "%s_copy: the source's context is in use by another thread",
                    info->c_name);
  code = copy_across(dst, src);
  sni_leave(src->context);
  return code;
}

int sn_tree_copy(sn_tree *dst, sn_tree *src, const sn_tree_info *info)
{
  int code;

  SN_TRY(sni_access_enter(dst, info));
  code = copy_from(dst, src, info);
  if (code == SN_OK)
    dst->draws = src->draws;     /* what is drawn next is the same too */
  sni_leave(dst->context);
  return code;
}
