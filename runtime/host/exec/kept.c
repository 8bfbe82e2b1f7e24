/* Children that are kept from beginning by their parent's buffers.
 *
 * A child begins when its parent has released what it conflicts with: the buffers of a block that
 * are out or declared, and the commits that come after the body.  Only what stands when the child
 * is submitted can be in its way: what has been left to a child the parent is given no more
 * (sni_task_left), so that nothing depends on when the child begins.  Older ancestors need no
 * look: what they hold, the parent does not conflict with, and a child may do no more than it.
 */
#include "runtime/host/exec/task.h"

static int is_in_the_way(const sni_task *child, const sni_tensor_block *block, sni_permission of)
{
  const sn_engine *engine = child->engine;

  return sni_permissions_conflict(sni_order_of(engine, of),
                                  sni_order_of(engine, sni_task_may(child, block)));
}

const sni_tensor_block *sni_task_kept_by(const sni_task *child)
{
  const sni_task *parent = child->parent;

  if (!parent)
    return NULL;
  for (const sn_buffer *buffer = parent->held; buffer; buffer = buffer->held_next)
    if (is_in_the_way(child, buffer->request.block, sni_use_permission(buffer->kind)))
      return buffer->request.block;
  for (const sni_commit *commit = parent->commits; commit; commit = commit->next)
    if (is_in_the_way(child, commit->request.block, sni_commit_needs(commit->how)))
      return commit->request.block;
  return NULL;
}

int sni_task_is_kept(sni_task *child)
{
  if (!sni_task_kept_by(child))
    return 0;
  sni_line_push(&child->parent->kept, child);
  return 1;
}

void sni_kept_release(sni_task *parent)
{
  static const sni_line empty;
  sni_line line = parent->kept;

  if (!line.head)
    return;
  parent->kept = empty;
  while (line.head)
    sni_task_is_ready(sni_line_remove(&line, NULL));
  sni_crews_wake(parent->engine, NULL);
}

/* ---- what the parent holds ---- */

void sni_buffer_hold(sn_buffer *buffer)
{
  sni_task *task = buffer->task;

  buffer->held_next = task->held;
  task->held = buffer;
}

void sni_buffer_let_go(sn_buffer *buffer)
{
  sn_buffer **link = &buffer->task->held;

  while (*link && *link != buffer)
    link = &(*link)->held_next;
  if (*link)
    *link = buffer->held_next;
}

sni_permission sni_task_left(const sni_task *parent, const sni_tensor_block *block,
                             sni_permission wanted)
{
  const sni_hazard *hazard = sni_scope_find(parent, block);
  const sni_permission left = hazard ? hazard->ever : SNI_NONE;

  return sni_permissions_conflict(sni_order_of(parent->engine, wanted),
                                  sni_order_of(parent->engine, left)) ? left : SNI_NONE;
}
