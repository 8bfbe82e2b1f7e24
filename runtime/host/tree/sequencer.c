/* Kernel calls: what a generated kernel hands its tasks to.  Around each task:
 * progress and headroom before it, status, versions and counters after it. */
#include "runtime/host/tree/arrays.h"
#include "runtime/host/tree/check_grad.h"
#include "runtime/host/tree/claims.h"
#include "runtime/host/tree/draws.h"
#include "runtime/host/tree/headroom.h"
#include "runtime/host/tree/loops.h"
#include "runtime/host/tree/sequencer.h"
#include "runtime/host/tree/tape.h"

#include <stdint.h>
#include <string.h>

/* ---- begin ---- */

static sn_context *context_of(sn_context *context, const sn_kernel_info *kernel,
                              sn_tree *const *trees)
{
  for (uint32_t k = 0; k < kernel->slot_count; k++)
    if (trees[k])
      return trees[k]->context;
  return context;
}

static int check_trees(sn_context *context, const sn_module *module, const sn_kernel_info *kernel,
                       sn_tree *const *trees)
{
  for (uint32_t k = 0; k < kernel->slot_count; k++) {
    const sn_tree *tree = trees[k];
    const sn_tree_info *wanted = kernel->slots[k];

    if (!tree)
      return sni_fail(context, SN_EINVAL, "%s: tree %s is NULL", kernel->c_name, wanted->c_name);
    if (tree->info != wanted && strcmp(tree->info->c_name, wanted->c_name) != 0)
      return sni_fail(context, SN_EINVAL, "%s: takes a %s here, and was given a %s", kernel->c_name,
                      wanted->c_name, tree->info->c_name);
    /* a tree of another module, which this one imports: the same as it was imported? */
    if (tree->info->layout_hash != wanted->layout_hash)
      return sni_fail(context, SN_EABI, "%s: %s is another tree in module %s than in %s: run "
                      "snodegen again on both, with the same -D", kernel->c_name, wanted->c_name,
                      tree->module->name, module->name);
    if (tree->context != context)
      return sni_fail(context, SN_EINVAL, "%s: its trees belong to different contexts",
                      kernel->c_name);
    SN_TRY(sni_loops_closed(tree, kernel->c_name));
  }
  return SN_OK;
}

/* Where the option deterministic is set: before anything has run, whether each task can keep the
 * order that its results depend on. */
static int check_order(sn_context *context, const sn_kernel_info *kernel)
{
  const int64_t order = context->options.value[OPTION_deterministic];
  const int is_device = context->memory.device != SNI_HOST;

  if (order == SNI_ORDER_ANY || (order == SNI_ORDER_KEEP && !is_device))
    return SN_OK;
  for (uint32_t k = 0; k < kernel->task_count; k++) {
    const snd_task *task = &kernel->tasks[k];
    if (task->flags & SND_TASK_ORDERED)
      return sni_fail(context, SN_ENOTSUP, "%s: what task %s, line %d, leaves depends on the order "
                      "of its iterations, which %s", kernel->c_name, task->name, (int)task->line,
                      is_device ? "a device does not keep, as deterministic asks: use the host"
                                : "deterministic=refuse does not allow");
  }
  return SN_OK;
}

static int is_result(const sn_kernel_info *kernel, const void *result)
{
  void *const *both = result;

  if (kernel->result < 0)
    return 1;
  return result && (!kernel->dual_offset || (both[0] && both[1]));
}

int sni_kernel_check(sn_context *context, const sn_kernel_info *kernel, sn_tree *const *trees,
                     const void *result)
{
  SN_TRY(sni_check_module(context, kernel->module));
  SN_TRY(check_trees(context, kernel->module, kernel, trees));
  SN_TRY(sni_check_apart(context, kernel, trees));
  if (!is_result(kernel, result))
    return sni_fail(context, SN_EINVAL, "%s: the pointer to its result is NULL", kernel->c_name);
  SN_TRY(sni_bind(context, kernel->module->backend));
  return check_order(context, kernel);
}

/* ---- array parameters ---- */

/* -1: there are no such arrays. */
static int64_t product(int count, const int64_t *extent)
{
  int64_t values = 1;

  for (int k = 0; k < count; k++)
    if (extent[k] < 0 || (extent[k] > 0 && values > INT64_MAX / extent[k]))
      return -1;
    else
      values *= extent[k];
  return values;
}

void *sn_call_params(const sn_call *call)
{
  return call->params;
}

void sn_call_array(sn_call *call, sn_addr *in_params, int extents, const int64_t *extent,
                   size_t bytes, snd_array_mode mode)
{
  const int64_t values = product(extents, extent);
  const void *host = sni_pointer(*in_params);
  size_t all;

  if (call->code != SN_OK)
    return;
  if (values < 0 || (!host && values > 0) || (uint64_t)values > SIZE_MAX / 2 / bytes)
    sni_call_fail(call, SN_EINVAL, "an array parameter of %lld values%s", (long long)values,
                  host ? "" : " at NULL");
  if (call->code != SN_OK)
    return;
  all = (size_t)values * bytes;
  if (call->note && sni_tape_array(call, call->note, in_params, host, all) != SN_OK)
    sni_call_fail(call, SN_ENOMEM, "no memory for noting an array of %llu bytes on the tape",
                  (unsigned long long)all);
  sni_call_array(call, in_params, host, all, (int)mode);
}

/* ---- steps ---- */

void sn_call_list(sn_call *call, int slot, int snode)
{
  sni_list_refresh(call, slot, snode);
  call->listed_slot = slot;
  call->listed_snode = snode;
}

/* One thread goes through the blocks in their order, which depends on the lists alone. */
static int launch(sn_call *call, const snd_task *task)
{
  const int32_t threads = call->threads;
  int code;

  call->has_run = 1;
  if (task->flags & SND_TASK_ORDERED && sni_is_deterministic(call->context)) {
    call->threads = 1;
    call->is_ordered = 1;
  }
  code = sni_call_launch(call, task, 0, 0, call->params);
  call->threads = threads;
  call->is_ordered = 0;
  return code;
}

/* Whether a device's task that has run out of memory has more now, and may use it.  Its end is
 * settled first, as what it has activated stays. */
static int goes_again(sn_call *call, const snd_task *task)
{
  if (!(task->flags & SND_TASK_IDEMPOTENT) || call->launch->status.code != SN_ENOMEM)
    return 0;
  sni_call_settle(call);
  return sni_call_made_room(call);
}

/* The SNode that a task goes over, whose list was asked for just before it. */
static const char *node_name(const sn_call *call, int32_t slot, int32_t snode)
{
  return slot < 0 ? NULL : call->trees[slot]->info->snodes[snode].name;
}

/* Before the call is asked whether it is canceled: who is told may do so. */
static void tell_progress(const sn_call *call, const snd_task *task, int index)
{
  if (call->context->progress.function && call->code == SN_OK)
    sni_tell_progress(call->context, &(sn_progress){
      sizeof(sn_progress), call->name, task->name, (int32_t)task->line, index,
      (int32_t)call->kernel->task_count, call->tasks_done });
}

void sn_call_task(sn_call *call, int index)
{
  sn_context *context = call->context;
  const snd_task *task = &call->kernel->tasks[index];
  const int32_t slot = call->listed_slot, snode = call->listed_snode;
  sni_timer timer;
  double cells;
  int code;

  call->listed_slot = call->listed_snode = -1;
  tell_progress(call, task, index);
  if (call->code == SN_OK && atomic_load_explicit(&context->is_canceled, memory_order_relaxed))
    sni_call_fail(call, SN_ECANCELED, "canceled before task %s (sn_context_cancel)", task->name);
  if (call->code == SN_OK && task->flags & SND_TASK_ACTIVATES)
    sni_call_headroom(call);
  if (call->code != SN_OK)
    return;
  cells = call->is_profiled && slot >= 0 ? sni_list_cells(call->trees[slot], snode) : -1;
  timer = sni_call_timer(call);
  code = task->flags & SND_TASK_DRAWS ? sni_draws_next(call) : SN_OK;
  if (code == SN_OK && task->flags & SND_TASK_CLAIMS)
    code = sni_claims_next(call);
  if (code == SN_OK)
    do
      code = launch(call, task);
    while (code == SN_OK && goes_again(call, task));
  if (code != SN_OK)
    sni_call_fail(call, code, "task %s could not be run", task->name);
  sni_call_check(call);
  context->statistics.own[STATISTIC_tasks]++;
  call->tasks_done++;
  sni_call_spent_on_cells(call, (sni_profile_key){ PROFILE_task, call->name, task->name, task->line,
                                                   node_name(call, slot, snode) }, timer, cells);
  if (task->flags & (SND_TASK_ACTIVATES | SND_TASK_DEACTIVATES))
    sni_call_settle(call);
}

/* A bool is a byte among the variables. */
int sn_call_test(const sn_call *call, size_t offset)
{
  return call->code == SN_OK && ((const uint8_t *)call->launch->vars)[offset] != 0;
}

int sn_call_stands(const sn_call *call)
{
  return call->code == SN_OK;
}

void sn_call_gc(sn_call *call, int slot, int snode)
{
  sni_collect(call, slot, snode);
}

void sn_call_deactivate_all(sn_call *call, int slot, int snode)
{
  call->has_run = 1;
  sni_deactivate_all(call, slot, snode);
}

/* Sparse, and nothing above it is: all that is sparse lies in it or beside it. */
static int is_topmost(const sn_tree *tree, int32_t snode)
{
  int32_t above = sni_view_of(tree, snode)->parent;

  while (above > 0 && !sni_is_sparse(tree, above))
    above = sni_view_of(tree, above)->parent;
  return above == 0 && sni_is_sparse(tree, snode);
}

static void empty(sn_call *call, int32_t slot, int32_t snode)
{
  sni_list_refresh(call, slot, snode);
  sni_call_runtime(call, SND_RT_DEACTIVATE_ALL, slot, snode, NULL);
}

void sni_deactivate_all(sn_call *call, int32_t slot, int32_t snode)
{
  const sn_tree *tree = call->trees[slot];
  const snd_init_params init = { 0, 1 };

  if (call->code != SN_OK)
    return;
  if (snode != 0)
    empty(call, slot, snode);
  else
    for (uint32_t k = 1; k < tree->info->snode_count; k++)
      if (is_topmost(tree, (int32_t)k))
        empty(call, slot, (int32_t)k);
  sni_call_settle(call);
  sni_collect(call, slot, snode);
  if (snode == 0)
    sni_call_runtime(call, SND_RT_INIT, slot, 0, &init);
}

/* ---- the call ---- */

static int run(sn_context *context, const sn_kernel_info *kernel, sn_tree *const *trees,
               void *params, void *result)
{
  sni_noted *note;
  int code;

  SN_TRY(sni_kernel_check(context, kernel, trees, result));
  if (!context->tapes)
    return sni_checked_run(context, kernel, trees, params, result, NULL);
  SN_TRY(sni_tape_before(context, kernel, trees, params, &note));
  code = sni_checked_run(context, kernel, trees, params, result, note);
  return sni_tape_after(context, kernel, note, code);
}

int sn_kernel_call(const sn_kernel_info *kernel, sn_context *context, void *const *trees,
                   void *params, void *result)
{
  sn_tree *slots[SND_MAX_SLOTS];
  int code;

  if (!kernel || !kernel->module || (kernel->slot_count && !trees))
    return SN_EINVAL;
  for (uint32_t k = 0; k < kernel->slot_count; k++)
    slots[k] = trees[k];
  context = context_of(context, kernel, slots);
  SN_TRY(sni_enter(context));
  code = run(context, kernel, slots, params, result);
  sni_leave(context);
  return code;
}
