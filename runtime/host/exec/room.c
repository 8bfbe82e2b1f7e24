/* Room in units: memory for replicas and private buffers, counted, and in which order replicas
 * were used last. */
#include "runtime/host/base/memory.h"
#include "runtime/host/exec/tensor.h"

/* Admitted to the engine's accounts, as every allocation is; not zeroed. */
static void *allocate(sn_unit *unit, size_t bytes)
{
  sn_engine *engine = unit->engine;
  void *at = NULL;

  sni_mutex_lock(&engine->memory_lock);
  if (sni_accounts_admit(&engine->accounts))
    at = sni_raw_alloc(engine->backend, unit->device - 1, bytes);
  if (at)
    sni_accounts_took(&engine->accounts, bytes);
  sni_mutex_unlock(&engine->memory_lock);
  return at;
}

void *sni_room_take(sn_unit *unit, size_t bytes)
{
  sn_unit_memory *memory = &unit->memory;
  void *at = allocate(unit, bytes);

  if (!at)
    return NULL;
  memory->used += bytes;
  if (memory->used > memory->peak)
    memory->peak = memory->used;
  return at;
}

void sni_room_give(sn_unit *unit, void *at, size_t bytes)
{
  if (!at)
    return;
  sni_raw_free(unit->engine->backend, unit->device - 1, at);
  unit->memory.used -= bytes;
  sni_mutex_lock(&unit->engine->memory_lock);
  sni_accounts_gave(&unit->engine->accounts, bytes);
  sni_mutex_unlock(&unit->engine->memory_lock);
}

/* ---- the order of use: from oldest to newest ---- */

static void unlink_use(sni_replica *replica)
{
  sn_unit *unit = replica->unit;

  if (replica->older)
    replica->older->newer = replica->newer;
  else if (unit->oldest == replica)
    unit->oldest = replica->newer;
  if (replica->newer)
    replica->newer->older = replica->older;
  else if (unit->newest == replica)
    unit->newest = replica->older;
  replica->older = replica->newer = NULL;
}

void sni_replica_touch(sni_replica *replica)
{
  sn_unit *unit = replica->unit;

  unlink_use(replica);
  replica->older = unit->newest;
  if (unit->newest)
    unit->newest->newer = replica;
  else
    unit->oldest = replica;
  unit->newest = replica;
}

void sni_replica_forget(sni_replica *replica)
{
  unlink_use(replica);
  sni_room_give(replica->unit, replica->memory, replica->block->bytes);
  replica->memory = NULL;
}
