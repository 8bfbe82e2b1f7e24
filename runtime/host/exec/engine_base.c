/* What every file of the core stands on: an engine's small allocations, its two conditions, and the
 * processors that its threads stay on. */
#include "runtime/host/exec/engine.h"

void *sni_engine_new(sn_engine *engine, size_t count, size_t bytes)
{
  void *memory;

  sni_mutex_lock(&engine->memory_lock);
  memory = sni_new(&engine->accounts, count, bytes);
  sni_mutex_unlock(&engine->memory_lock);
  return memory;
}

void sni_engine_delete(sn_engine *engine, void *memory, size_t count, size_t bytes)
{
  sni_mutex_lock(&engine->memory_lock);
  sni_delete(&engine->accounts, memory, count, bytes);
  sni_mutex_unlock(&engine->memory_lock);
}

int sni_engine_grow(sn_engine *engine, void **array, size_t *capacity, size_t need, size_t bytes)
{
  int has_grown;

  sni_mutex_lock(&engine->memory_lock);
  has_grown = sni_grow(&engine->accounts, array, capacity, need, bytes);
  sni_mutex_unlock(&engine->memory_lock);
  return has_grown;
}

void sni_engine_wake(sn_engine *engine)
{
  if (engine->waiters)
    sni_condition_wake_all(&engine->changed);
}

void sni_engine_wait_moved(sn_engine *engine)
{
  engine->moved_waiters++;
  sni_condition_wait(&engine->moved, &engine->lock);
  engine->moved_waiters--;
}

/* One after the other: the host's workers, then the worker of each unit and its transfers beside
 * it, which run at the same time. */
void sni_engine_bind(sn_unit *unit, int is_transfers)
{
  sn_engine *engine = unit->engine;

  if (!engine->options.bind)
    return;
  if (unit->kind == SN_UNIT_HOST)
    (void)sni_thread_bind(engine->next_bound++);
  else
    (void)sni_thread_bind(engine->options.workers + 2 * (unit->index - 1) + is_transfers);
}
