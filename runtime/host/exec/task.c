/* What a task is, whatever becomes of it: its name, what it may do, how much it declares; and the
 * lines that tasks wait in. */
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

/* ---- lines of tasks ---- */

static void insert(sni_line *line, sni_task *before, sni_task *task)
{
  task->next = before ? before->next : line->head;
  if (before)
    before->next = task;
  else
    line->head = task;
  if (!task->next)
    line->last = task;
  line->count++;
}

void sni_line_push(sni_line *line, sni_task *task)
{
  sni_task *before = line->last;

  if (before && before->priority < task->priority) {
    before = NULL;               /* not at the end: behind those of its priority */
    for (sni_task *at = line->head; at && at->priority >= task->priority; at = at->next)
      before = at;
  }
  insert(line, before, task);
}

void sni_line_push_ahead(sni_line *line, sni_task *task)
{
  sni_task *before = NULL;

  for (sni_task *at = line->head; at && at->priority > task->priority; at = at->next)
    before = at;
  insert(line, before, task);
}

sni_task *sni_line_remove(sni_line *line, sni_task *before)
{
  sni_task *task = before ? before->next : line->head;

  if (before)
    before->next = task->next;
  else
    line->head = task->next;
  if (line->last == task)
    line->last = before;
  line->count--;
  return task;
}
