/* What the calls on fields and on SNodes share: entering the context, operands, trying again. */
#include "runtime/host/tree/access.h"
#include "runtime/host/tree/arrays.h"
#include "runtime/host/tree/headroom.h"
#include "runtime/host/tree/loops.h"
#include "runtime/host/tree/tape.h"

#include <stddef.h>
#include <string.h>

int sni_access_enter(sn_tree *tree, const sn_tree_info *info)
{
  int code = SN_OK;

  if (!tree)
    return SN_EINVAL;
  SN_TRY(sni_enter(tree->context));
  if (!info)
    code = sni_fail(tree->context, SN_EINVAL, "%s: NULL for the tables of its type",
                    tree->info->c_name);
  else if (tree->info != info)
    code = sni_fail(tree->context, SN_EINVAL, "a call takes a %s, and was given a %s", info->c_name,
                    tree->info->c_name);
  else
    code = sni_loops_closed(tree, info->c_name);
  if (code != SN_OK)
    sni_leave(tree->context);
  return code;
}

/* The SNode whose cells the task is about. */
static int32_t snode_of(const sni_access *access)
{
  return access->task.field >= 0 ? access->tree->info->fields[access->task.field].snode
                                 : access->task.snode;
}

/* Whether values of the field change; what changes activity a tape finds by itself. */
static int writes(snd_access_op op)
{
  return op == SND_ACCESS_SET || op == SND_ACCESS_SET_CHANGED || op == SND_ACCESS_FILL;
}

int sni_access_open(sni_access *access, sn_tree *tree, const char *what, snd_access_op op,
                    int field, int snode, const sni_operands *operands)
{
  sn_addr vars;

  if (writes(op))
    SN_TRY(sni_tape_write(tree, field, what));
  memset(access, 0, sizeof *access);
  access->tree = tree;
  access->what = what;
  SN_TRY(sni_call_open(tree->context, tree->module, NULL, tree->info->c_name, &tree, 1, operands,
                       sizeof *operands, &access->call));
  vars = access->call->launch_block.address + offsetof(snd_launch, vars);
  access->task.op = op;
  access->task.field = field;
  access->task.snode = snode;
  access->task.n = 1;
  access->task.index = vars + offsetof(sni_operands, index);
  access->task.value = vars + offsetof(sni_operands, value);
  access->task.result = vars + offsetof(sni_operands, result);
  access->call->snode = snode_of(access);
  return SN_OK;
}

void sni_access_run(sni_access *access)
{
  sni_call_runtime(access->call, SND_RT_ACCESS, 0, snode_of(access), &access->task);
}

void sni_access_change(sni_access *access)
{
  sn_call *call = access->call;
  const snd_task *task = &call->backend->runtime_tasks[SND_RT_ACCESS];
  int code;

  do {
    sni_call_headroom(call);
    if (call->code != SN_OK)
      return;
    code = sni_call_launch(call, task, 0, snode_of(access), &access->task);
    if (code != SN_OK)
      sni_call_fail(call, code, "task %s could not be run", task->name);
    sni_call_settle(call);
  } while (sni_call_made_room(call));
  sni_call_check(call);
}

const sni_operands *sni_access_operands(const sni_access *access)
{
  return (const sni_operands *)access->call->launch->vars;
}

/* Of the values that the task reads or writes, one by one. */
static double bytes_of(const sni_access *access)
{
  const int field = access->task.field;

  return field < 0 ? 0.0 : (double)access->task.n *
                             sni_type_bytes(access->tree->info->fields[field].type);
}

int sni_access_close(sni_access *access)
{
  sn_call *call = access->call;

  sni_call_return_arrays(call);
  sni_call_spent(call, (sni_profile_key){ PROFILE_access, call->name, access->what, 0, NULL },
                 call->timer, bytes_of(access));
  return sni_call_close(call);
}

int sni_access_check_fields(sn_tree *tree, int field, int elements)
{
  if (elements >= 1 && field >= 0 &&
      (uint64_t)field + (uint64_t)elements <= tree->info->field_count)
    return SN_OK;
  return sni_fail(tree->context, SN_EINVAL, "%s: there is no value of %d elements from field %d on",
                  tree->info->c_name, elements, field);
}

int sni_access_check(sn_tree *tree, const char *name, const int64_t *index, const sni_range *range)
{
  char given[SNI_RANGE_BYTES], wanted[SNI_RANGE_BYTES];

  if (sni_range_holds(range, index))
    return SN_OK;
  sni_index_text(index, range->axes, given, sizeof given);
  sni_range_text(range, wanted, sizeof wanted);
  return sni_fail(tree->context, SN_EBOUNDS, "%s: index (%s) of %.*s is outside the extents %s",
                  tree->info->c_name, given, (int)strcspn(name, "."), name, wanted);
}
