/* What a task tells of itself: to its body while it runs, to a scheduler when it is ready. */
#include "runtime/host/exec/task.h"
#include "runtime/host/exec/uses.h"

/* ---- uses ---- */

static const uint32_t kind_of[] = {
  [SNI_READ] = SN_PERMISSION_READ, [SNI_WRITE] = SN_PERMISSION_WRITE,
  [SNI_ACCUMULATE] = SN_PERMISSION_ACCUMULATE,
  [SNI_ACCUMULATE_MAX] = SN_PERMISSION_ACCUMULATE | SN_BY_MAX,
  [SNI_ACCUMULATE_MIN] = SN_PERMISSION_ACCUMULATE | SN_BY_MIN
};

static void tell_use(uint32_t kind, const sni_tensor_block *block, sn_use_fn visit, void *user)
{
  sn_use use = sn_use_block(kind, block->tensor, block->number);

  use.where = sn_slice_block(block->tensor, block->number);
  if (visit)
    visit(user, &use);
}

int sn_ready_uses(const sn_ready *task, sn_use_fn visit, void *user)
{
  const sni_part *part;
  int count = 0;

  if (!task)
    return 0;
  part = sni_task_parts(task);
  for (int k = 0; k < task->part_count; k++)
    if (part[k].permission != SNI_NONE) {
      tell_use(kind_of[part[k].permission], part[k].block, visit, user);
      count++;
    }
  for (int k = 0; k < task->buffer_count; k++)
    tell_use(task->buffers[k].kind, task->buffers[k].request.block, visit, user);
  return count + task->buffer_count;
}

void *sn_ready_user(const sn_ready *task)
{
  return task ? task->engine->options.scheduler_user : NULL;
}

/* ---- a run ---- */

static const sni_task *task_of(const sn_run *run)
{
  return sni_is_gone(run) ? NULL : run->task;
}

sn_unit *sn_run_unit(const sn_run *run)
{
  return run ? run->unit : NULL;
}

sn_engine *sn_run_engine(const sn_run *run)
{
  return run ? run->task->engine : NULL;
}

const char *sn_run_name(const sn_run *run)
{
  return sn_ready_name(task_of(run));
}

int sn_run_uses(const sn_run *run, sn_use_fn visit, void *user)
{
  return sn_ready_uses(task_of(run), visit, user);
}

int sn_run_may(const sn_run *run, uint32_t kind, const sn_tensor *tensor, int64_t block)
{
  const sni_task *task = task_of(run);

  if (!task || sni_is_gone(tensor) || tensor->engine != task->engine || block < 0 ||
      block >= tensor->block_count || !sni_use_is_kind(kind))
    return 0;
  return task->is_recording ||      /* which is allowed everything */
         sni_permission_allows(sni_task_may(task, &tensor->blocks[block]),
                               sni_use_permission(kind));
}

int sn_run_event(sn_run *run, sn_event **out)
{
  char name[SNI_NAME];
  sni_task *task;
  sn_event *event;

  SN_TRY(sni_engine_may_call(SNI_TASK_ENGINE(run)));
  if (!out)
    return SN_EINVAL;
  task = run->task;
  if (task->is_recording)
    return sni_engine_fail(task->engine, SN_ESTATE, "the event of '%s' is asked for: each replay "
                           "has one of its own", sni_task_name(task, name));
  sni_mutex_lock(&task->engine->lock);
  event = sni_event_create_held(task->engine, 2);
  if (event) {
    event->task = task;
    event->next = task->done;
    task->done = event;
    *out = event;
  }
  sni_mutex_unlock(&task->engine->lock);
  return event ? SN_OK : sni_engine_fail(task->engine, SN_ENOMEM, "'%s': no memory for its event",
                                         sni_task_name(task, name));
}
