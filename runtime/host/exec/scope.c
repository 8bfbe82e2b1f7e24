/* The scope of a task's children: their hazards by block, from empty, and what of their parent's
 * blocks them.
 *
 * A child begins when its parent has released what it conflicts with: the buffers of a block that
 * are out or declared, and the commits that come after the body.  Only what stands when the child
 * is submitted can be in its way: what has been left to a child the parent is given no more
 * (sni_task_left), so that nothing depends on when the child begins.  Older ancestors need no
 * look: what they hold, the parent does not conflict with, and a child may do no more than it.
 */
#include "runtime/host/exec/pool.h"
#include "runtime/host/exec/scope.h"
#include "runtime/host/exec/uses.h"

#include <string.h>

typedef struct entry {
  sni_tensor_block *block;       /* NULL: free */
  sni_hazard *hazard;            /* on its own: hazards do not move */
} entry;

struct sni_scope {
  size_t count, capacity;        /* a power of two */
  entry *at;
  sni_line blocked;              /* children that wait for buffers and commits of their parent */
};

static size_t place_of(const struct sni_scope *scope, const sni_tensor_block *block)
{
  size_t k = ((uintptr_t)block >> 4) * (size_t)0x9e3779b1u & (scope->capacity - 1);

  while (scope->at[k].block && scope->at[k].block != block)
    k = (k + 1) & (scope->capacity - 1);
  return k;
}

/* For one more, at most half full; 0: no memory. */
static int make_room(sn_engine *engine, struct sni_scope *scope)
{
  const size_t capacity = scope->capacity ? 2 * scope->capacity : 8;
  struct sni_scope grown = *scope;

  if (2 * (scope->count + 1) <= scope->capacity)
    return 1;
  grown.capacity = capacity;
  grown.at = sni_pool_take(engine, capacity * sizeof *grown.at);
  if (!grown.at)
    return 0;
  memset(grown.at, 0, capacity * sizeof *grown.at);
  for (size_t k = 0; k < scope->capacity; k++)
    if (scope->at[k].block)
      grown.at[place_of(&grown, scope->at[k].block)] = scope->at[k];
  if (scope->at)
    sni_pool_give(engine, scope->at, scope->capacity * sizeof *scope->at);
  *scope = grown;
  return 1;
}

sni_hazard *sni_scope_find(const sni_task *parent, const sni_tensor_block *block)
{
  const struct sni_scope *scope = parent->scope;

  return scope && scope->capacity ? scope->at[place_of(scope, block)].hazard : NULL;
}

/* NULL: no memory. */
static struct sni_scope *scope_of(sni_task *parent)
{
  if (!parent->scope) {
    parent->scope = sni_pool_take(parent->engine, sizeof *parent->scope);
    if (parent->scope)
      memset(parent->scope, 0, sizeof *parent->scope);
  }
  return parent->scope;
}

static sni_hazard *add(sni_task *parent, sni_tensor_block *block)
{
  struct sni_scope *scope = scope_of(parent);
  sni_hazard *hazard;
  entry *free_one;

  if (!scope || !make_room(parent->engine, scope))
    return NULL;
  hazard = sni_pool_take(parent->engine, sizeof *hazard);
  if (!hazard)
    return NULL;
  memset(hazard, 0, sizeof *hazard);
  free_one = &scope->at[place_of(scope, block)];
  free_one->block = block;
  free_one->hazard = hazard;
  scope->count++;
  return hazard;
}

sni_hazard *sni_scope_hazard(sni_task *parent, sni_tensor_block *block)
{
  sni_hazard *hazard = sni_scope_find(parent, block);

  return hazard ? hazard : add(parent, block);
}

void sni_scope_destroy(sni_task *parent)
{
  struct sni_scope *scope = parent->scope;

  if (!scope)
    return;
  for (size_t k = 0; k < scope->capacity; k++)
    if (scope->at[k].block)
      sni_pool_give(parent->engine, scope->at[k].hazard, sizeof *scope->at[k].hazard);
  if (scope->at)
    sni_pool_give(parent->engine, scope->at, scope->capacity * sizeof *scope->at);
  sni_pool_give(parent->engine, scope, sizeof *scope);
  parent->scope = NULL;
}

/* ---- the children ---- */

static sni_task **first_of(const sni_task *task)
{
  return task->parent ? &task->parent->child : &task->engine->tasks->live;
}

void sni_scope_link(sni_task *task)
{
  sni_task **scope = first_of(task);

  task->sibling_previous = NULL;
  task->sibling_next = *scope;
  if (*scope)
    (*scope)->sibling_previous = task;
  *scope = task;
}

void sni_scope_unlink(sni_task *task)
{
  if (task->sibling_previous)
    task->sibling_previous->sibling_next = task->sibling_next;
  else
    *first_of(task) = task->sibling_next;
  if (task->sibling_next)
    task->sibling_next->sibling_previous = task->sibling_previous;
}

/* ---- children that are blocked by their parent ---- */

static int is_in_the_way(const sni_task *child, const sni_tensor_block *block, sni_permission of)
{
  const sn_engine *engine = child->engine;

  return sni_permissions_conflict(sni_order_of(engine, of),
                                  sni_order_of(engine, sni_task_may(child, block)));
}

const sni_tensor_block *sni_task_blocked_by(const sni_task *child)
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

int sni_task_is_blocked(sni_task *child)
{
  if (!sni_task_blocked_by(child))
    return 0;
  /* It has a permission, so its parent has a scope. */
  sni_line_push(&child->parent->scope->blocked, child);
  return 1;
}

sni_line sni_scope_take_blocked(sni_task *parent)
{
  static const sni_line empty;
  const sni_line line = parent->scope->blocked;

  parent->scope->blocked = empty;
  return line;
}

/* ---- the buffers that the parent holds ---- */

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
