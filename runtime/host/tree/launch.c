/* Running the tasks of a call: what each is given, and what it leaves in the launch record. */
#include "runtime/host/tree/magazines.h"
#include "runtime/host/tree/print.h"
#include "runtime/host/tree/status.h"

#include <stddef.h>
#include <string.h>

static snd_args arguments_of(const sn_call *call, int32_t slot, int32_t snode, const void *params)
{
  const int device = call->context->memory.device;
  const snd_args args = {
    .device = device == SNI_HOST ? 0 : device + 1,
    .threads = call->threads,
    .slot = slot,
    .snode = snode,
    .slot_count = (int32_t)call->slot_count,
    .is_ordered = call->is_ordered,
    .flush = call->context->options.value[OPTION_flush_denormals] != 0,
    .launch = call->launch_block.address,
    .views = call->views,
    .params = params
  };

  return args;
}

/* What a device left in the launch record, and what it printed. */
int sni_call_fetch(sn_call *call)
{
  sni_memory *memory = &call->context->memory;

  if (memory->device == SNI_HOST)
    return SN_OK;
  SN_TRY(sni_memory_get(memory, call->launch, call->launch_block.address, call->launch_bytes));
  if (call->launch->ring_used)
    sni_print_ring(call);
  return SN_OK;
}

/* Behind the variables: the views' addresses, then the parameters, with the arrays' in the unit. */
static void write_arguments(sn_call *call)
{
  snd_launch *launch = call->launch;
  char *at = (char *)launch + call->launch_bytes;
  const size_t views_bytes = call->slot_count * sizeof *call->views;

  launch->views = call->launch_block.address + call->launch_bytes;
  launch->params = launch->views + views_bytes;
  memcpy(at, call->views, views_bytes);
  if (call->kernel->params_bytes)
    memcpy(at + views_bytes, call->params, (size_t)call->kernel->params_bytes);
}

/* What a device's task is given: before the first one the whole record, before others the
 * variables, where the host's own tasks have changed those. */
int sni_call_send(sn_call *call)
{
  const int unsent = call->unsent;
  size_t from = 0, to = call->record_bytes;

  call->unsent = LAUNCH_SENT;
  if (unsent == LAUNCH_SENT)
    return SN_OK;
  if (unsent == LAUNCH_VARIABLES) {
    from = offsetof(snd_launch, vars);
    to = call->launch_bytes;
  } else if (call->kernel)
    write_arguments(call);
  return sni_memory_put(&call->context->memory, call->launch_block.address + from,
                        (const char *)call->launch + from, to - from);
}

/* On the host's copy of the launch record, which is the record after each task. */
static int run_scalars(sn_call *call, const snd_task *task, snd_args args)
{
  call->task = task;
  if (call->context->memory.device != SNI_HOST && call->unsent == LAUNCH_SENT)
    call->unsent = LAUNCH_VARIABLES;
  args.launch = sni_address(call->launch);
  return task->host(&args);
}

/* Magazines are for tasks whose end is settled: the task that settles them finds them as they
 * were left. */
static void set_magazines(const sn_call *call, sn_tree *tree, const snd_task *task)
{
  if (task->flags & (SND_TASK_ACTIVATES | SND_TASK_DEACTIVATES))
    sni_magazines_open(tree, call->threads);
  else if (task != &call->backend->runtime_tasks[SND_RT_TASK_END])
    sni_magazines_close(tree);
}

int sni_call_launch(sn_call *call, const snd_task *task, int32_t slot, int32_t snode,
                    const void *params)
{
  const snd_task_fn run = call->context->memory.device == SNI_HOST ? task->host : task->target;
  const snd_args args = arguments_of(call, slot, snode, params);

  if (task->flags & SND_TASK_SCALARS)
    return run_scalars(call, task, args);
  if (!run) {
    sni_call_fail(call, SN_EDEVICE,
                  "%s was compiled without SN_OFFLOAD: it has no code for devices",
                  call->module->name);
    return SN_EDEVICE;
  }
  call->task = task;
  for (uint32_t k = 0; k < call->slot_count; k++) {
    sni_hash_resize(call->trees[k]);
    set_magazines(call, call->trees[k], task);
    call->trees[k]->view->is_alone = sni_on_host(call->trees[k]) && call->threads == 1;
    SN_TRY(sni_tree_send_view(call->trees[k]));
  }
  SN_TRY(sni_call_send(call));
  SN_TRY(run(&args));
  return sni_call_fetch(call);
}

void sni_call_check(sn_call *call)
{
  char text[SNI_TEXT_BYTES];

  if (call->code != SN_OK || call->launch->status.code == SN_OK)
    return;
  sni_status_text(call, text, sizeof text);
  call->code = sni_fail(call->context, call->launch->status.code, "%s", text);
}

void sni_call_runtime(sn_call *call, snd_runtime_task which, int32_t slot, int32_t snode,
                      const void *params)
{
  const snd_task *task = &call->backend->runtime_tasks[which];
  int code;

  if (call->code != SN_OK)
    return;
  code = sni_call_launch(call, task, slot, snode, params);
  if (code != SN_OK)
    sni_call_fail(call, code, "task %s could not be run", task->name);
  sni_call_check(call);
}

void sni_call_forgive(sn_call *call)
{
  snd_status *status = &call->launch->status;

  call->code = SN_OK;
  memset(status, 0, sizeof *status);
  status->site = status->slot = status->snode = -1;
  if (sni_memory_put(&call->context->memory,
                     call->launch_block.address + offsetof(snd_launch, status), status,
                     sizeof *status) != SN_OK)
    sni_call_fail(call, SN_EDEVICE, "the launch record could not be written");
}
