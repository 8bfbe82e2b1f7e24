/* Lines of tasks. */
#include "runtime/host/exec/line.h"

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
