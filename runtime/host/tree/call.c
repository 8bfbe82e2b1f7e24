/* A call in progress: opening, what is done around its tasks, closing. */
#include "runtime/host/tree/arrays.h"
#include "runtime/host/tree/claims.h"
#include "runtime/host/tree/draws.h"
#include "runtime/host/tree/hash.h"
#include "runtime/host/tree/headroom.h"
#include "runtime/host/tree/print.h"
#include "runtime/host/tree/snode_memory.h"
#include "runtime/host/tree/task_chunks.h"

#include <string.h>

enum { RING_BYTES = 1 << 20 };

/* ---- memory of the context's call ---- */

void sni_call_free(sn_call *call)
{
  sn_context *context = call->context;

  sni_memory_free(&context->memory, &call->launch_block);
  sni_memory_free(&context->memory, &call->ring);
  sni_memory_free(&context->memory, &call->claims_block);
  sni_delete(&context->accounts, call->shadow, 1, call->shadow_bytes);
  sni_delete(&context->accounts, call->arrays, call->array_capacity, sizeof *call->arrays);
  sni_delete(&context->accounts, call, 1, sizeof *call);
}

/* *kept, made where there is none. */
static sn_call *call_of(sn_context *context, sn_call **kept)
{
  if (!*kept) {
    *kept = sni_new(&context->accounts, 1, sizeof **kept);
    if (*kept)
      (*kept)->context = context;
  }
  return *kept;
}

/* Room for a launch record with its variables; a new one is zero and larger than asked. */
static int make_launch(sn_call *call, size_t bytes)
{
  sn_context *context = call->context;
  sni_memory *memory = &context->memory;

  if (call->launch_block.usable < bytes) {
    sni_memory_free(memory, &call->launch_block);
    SN_TRY(sni_memory_alloc(memory, bytes + 256, SNI_ZERO, &call->launch_block));
  }
  if (memory->device == SNI_HOST) {
    call->launch = sni_pointer(call->launch_block.address);
    return SN_OK;
  }
  if (call->shadow_bytes < bytes) {
    sni_delete(&context->accounts, call->shadow, 1, call->shadow_bytes);
    call->shadow = sni_new(&context->accounts, 1, bytes + 256);
    call->shadow_bytes = call->shadow ? bytes + 256 : 0;
  }
  call->launch = call->shadow;
  return call->shadow ? SN_OK : SN_ENOMEM;
}

/* The launch record as tasks find it first. */
static int write_launch(sn_call *call, const void *vars, size_t vars_bytes)
{
  sn_context *context = call->context;
  snd_launch *launch = call->launch;

  memset(launch, 0, sizeof *launch + (vars ? 0 : vars_bytes));
  if (vars)
    memcpy(launch->vars, vars, vars_bytes);
  launch->status.site = launch->status.slot = launch->status.snode = -1;
  sni_draws_begin(call);
  SN_TRY(sni_claims_begin(call));
  if (context->memory.device == SNI_HOST) {
    launch->host = sni_address(call);
    launch->print_host = (sn_addr)(uintptr_t)sni_print_host;
    return SN_OK;
  }
  if (call->module && sni_prints(call->module)) {
    if (!call->ring.address)
      SN_TRY(sni_memory_alloc(&context->memory, RING_BYTES, SNI_ANY, &call->ring));
    launch->ring = call->ring.address;
    launch->ring_bytes = RING_BYTES;
  }
  call->unsent = LAUNCH_WHOLE;
  return SN_OK;
}

/* How many threads the host's tasks get. */
static int32_t threads_for(sn_call *call)
{
  sn_context *context = call->context;
  const int64_t asked = context->options.value[OPTION_threads];

  if (context->memory.device != SNI_HOST)
    return (int32_t)context->options.value[OPTION_block_dim];
  if (sni_is_inherited(context))
    return 1;
  if (call->backend->in_parallel()) {
    if (!context->said_in_parallel)
      sni_log(context, "%s: called inside a parallel region: it has one thread", call->name);
    context->said_in_parallel = 1;
    return 1;
  }
  return asked ? (int32_t)asked : call->backend->threads();
}

/* vars_bytes: as of sni_call_open. */
static int open_call(sn_call *call, const sn_module *module, const sn_kernel_info *kernel,
                     const char *name, sn_tree *const *trees, uint32_t slot_count,
                     const void *vars, size_t vars_bytes)
{
  sn_context *context = call->context;
  int code;

  call->has_run = 0;
  call->tasks_done = 0;
  call->module = module;
  call->kernel = kernel;
  call->name = name;
  call->code = SN_OK;
  call->backend = module->backend;
  call->slot_count = slot_count;
  call->array_count = 0;
  call->params = NULL;
  call->note = NULL;
  call->snode = 0;
  call->unsent = LAUNCH_SENT;
  for (uint32_t k = 0; k < slot_count; k++) {
    call->trees[k] = trees[k];
    call->views[k] = trees[k]->view_block.address;
  }
  call->launch_bytes = sizeof(snd_launch) + (vars_bytes + 7) / 8 * 8;
  call->record_bytes = call->launch_bytes;
  if (kernel && context->memory.device != SNI_HOST)
    call->record_bytes += slot_count * sizeof(sn_addr) + (size_t)kernel->params_bytes;
  code = make_launch(call, call->record_bytes);
  if (code == SN_OK)
    code = write_launch(call, vars, vars_bytes);
  if (code != SN_OK)
    return sni_fail(context, code, "%s: no memory for the launch record", name);
  call->threads = threads_for(call);
  call->is_profiled = context->options.value[OPTION_profile] || module->flags & SND_MODULE_PROFILE;
  call->is_timed = call->is_profiled || context->launches.is_on;
  call->told = 0;
  call->listed_slot = call->listed_snode = -1;
  call->timer = sni_call_timer(call);
  return SN_OK;
}

int sni_call_open(sn_context *context, const sn_module *module, const sn_kernel_info *kernel,
                  const char *name, sn_tree *const *trees, uint32_t slot_count, const void *vars,
                  size_t vars_bytes, sn_call **out)
{
  sn_call *call = call_of(context, &context->call);

  if (!call)
    return sni_fail(context, SN_ENOMEM, "%s: no memory for the call", name);
  context->free_call = sni_call_free;
  SN_TRY(open_call(call, module, kernel, name, trees, slot_count, vars, vars_bytes));
  *out = call;
  return SN_OK;
}

int sni_call_open_own(sn_call **own, sn_tree *tree)
{
  const char *name = tree->info->c_name;

  if (!call_of(tree->context, own))
    return sni_fail(tree->context, SN_ENOMEM, "%s: no memory for the call", name);
  return open_call(*own, tree->module, NULL, name, &tree, 1, NULL, 0);
}

int sni_call_close(sn_call *call)
{
  sni_call_free_arrays(call);
  sni_end_traces(call->context);
  return call->code;
}

/* ---- around tasks ---- */

/* The same tree may stand in several slots: settling it twice does no harm. */
void sni_call_settle(sn_call *call)
{
  const snd_task *task = &call->backend->runtime_tasks[SND_RT_TASK_END];

  for (uint32_t k = 0; k < call->slot_count; k++)
    if (sni_call_may_change_tree(call, k)) {
      int code = sni_call_launch(call, task, (int32_t)k, 0, NULL);
      if (code == SN_OK)
        code = sni_tree_fetch_counters(call->trees[k]);
      if (code != SN_OK)
        sni_call_fail(call, code, "task %s could not be run", task->name);
      sni_count_activated(call, (int32_t)k, 1);
      sni_hash_grow(call, (int32_t)k);
      sni_hash_sort(call, (int32_t)k);
    }
  sni_chunks_account(call);
}

static void make_headroom(sn_call *call, int32_t slot, int32_t snode)
{
  sn_tree *tree = call->trees[slot];
  const sni_timer timer = sni_call_timer(call);
  const uint64_t chunks = tree->counters[snode].chunks_made;

  if (sni_snode_grow(call, slot, snode, sni_headroom(tree, snode)))
    sni_call_spent(call, (sni_profile_key){ PROFILE_activation, tree->info->name,
                                            sni_owner_name(tree, snode), 0, NULL }, timer,
                   (double)((tree->counters[snode].chunks_made - chunks) *
                            tree->snodes[snode].chunk_bytes));
}

void sni_call_headroom(sn_call *call)
{
  if (call->context->memory.device == SNI_HOST)
    return;
  for (uint32_t k = 0; k < call->slot_count; k++)
    for (uint32_t s = 1; s < call->trees[k]->node_count; s++)
      if (sni_has_manager(call->trees[k], (int32_t)s) &&
          sni_call_may_change(call, k, sni_owner_of(call->trees[k], (int32_t)s)))
        make_headroom(call, (int32_t)k, (int32_t)s);
  sni_chunks_prepare(call);
}

void sni_count_activated(sn_call *call, int32_t slot, int tells)
{
  sn_context *context = call->context;
  const sn_tree *tree = call->trees[slot];

  for (uint32_t k = 1; k < tree->node_count; k++) {
    sni_snode *node = &tree->snodes[k];
    const uint64_t cells = sni_cells_in_use(tree, (int32_t)k);
    const uint64_t chunks = tree->counters[k].chunks_made;

    if (tells && cells > node->cells_seen && !sni_is_pool(tree, (int32_t)k))
      context->statistics.own[STATISTIC_activated] += (double)(cells - node->cells_seen);
    /* On the host tasks make all chunks themselves. */
    if (tells && chunks > node->chunks_seen && sni_on_host(tree))
      sni_call_made_chunks(call, slot, (int32_t)k, chunks - node->chunks_seen);
    node->cells_seen = cells;
    node->chunks_seen = chunks;
  }
}
