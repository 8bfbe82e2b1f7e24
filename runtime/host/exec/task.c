/* What a task is, whatever becomes of it: its name, what it may do, where it can run, the tensors
 * that it names. */
#include "runtime/host/exec/task.h"

#include <stdio.h>

const char *sni_task_name(const sni_task *task, char text[SNI_NAME])
{
  if (task->name)
    return task->name;
  snprintf(text, SNI_NAME, "task %llu", (unsigned long long)task->number);
  return text;
}

sni_permission sni_task_may(const sni_task *task, const sni_tensor_block *block)
{
  int low = 0, high = task->part_count;

  while (low < high) {
    const int middle = low + (high - low) / 2;
    if ((uintptr_t)sni_task_parts(task)[middle].block < (uintptr_t)block)
      low = middle + 1;
    else
      high = middle;
  }
  return low < task->part_count && sni_task_parts(task)[low].block == block
           ? sni_task_parts(task)[low].permission : SNI_NONE;
}

/* Bytes that its declared buffers take in a unit other than home. */
uint64_t sni_task_bytes(const sni_task *task)
{
  uint64_t bytes = 0;

  for (int k = 0; k < task->buffer_count; k++)
    bytes += task->buffers[k].request.block->bytes;
  return bytes;
}

int sni_task_can_run_on(const sni_task *task, const sn_unit *unit)
{
  return task->body[unit->kind] && (!task->run.unit || task->run.unit == unit) &&
         (!unit->memory.capacity || !task->buffer_count ||
          sni_task_bytes(task) <= unit->memory.capacity);
}

/* Parts of one tensor are neighbours. */
static void count_users(const sni_task *task, uint64_t one)
{
  const sn_tensor *last = NULL;

  for (int k = 0; k < task->part_count; k++) {
    sn_tensor *tensor = sni_task_parts(task)[k].block->tensor;
    tensor->users += tensor != last ? one : 0;
    last = tensor;
  }
}

void sni_task_hold_tensors(const sni_task *task)
{
  count_users(task, 1);
}

void sni_task_drop_tensors(const sni_task *task)
{
  count_users(task, (uint64_t)-1);
}
