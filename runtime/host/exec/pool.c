/* Small pieces of memory for tasks, and the lines they stand in.  All with the lock held. */
#include "runtime/host/exec/pool.h"

/* ---- memory of tasks ---- */

/* The pool of pieces of 64 << k bytes; at once for what most tasks take. */
static int pool_of(size_t bytes)
{
  static const signed char small[] = { 0, 1, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4 };
  int k = 4;

  if (bytes && bytes <= 64 * sizeof small)
    return small[(bytes - 1) / 64];
  while (k < SNI_POOLS && ((size_t)64 << k) < bytes)
    k++;
  return k;
}

void *sni_pool_take(sn_engine *engine, size_t bytes)
{
  const int k = pool_of(bytes);
  void **piece;

  if (k >= SNI_POOLS)
    return NULL;
  piece = engine->tasks->pool[k];
  if (!piece)
    return sni_engine_new(engine, (size_t)64 << k, 1);
  engine->tasks->pool[k] = *piece;
  return piece;
}

void sni_pool_give(sn_engine *engine, void *piece, size_t bytes)
{
  const int k = pool_of(bytes);

  *(void **)piece = engine->tasks->pool[k];
  engine->tasks->pool[k] = piece;
}

void sni_pools_destroy(sn_engine *engine)
{
  for (int k = 0; k < SNI_POOLS; k++)
    while (engine->tasks->pool[k]) {
      void **piece = engine->tasks->pool[k];
      engine->tasks->pool[k] = *piece;
      sni_engine_delete(engine, piece, (size_t)64 << k, 1);
    }
}

/* ---- lines ---- */

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
