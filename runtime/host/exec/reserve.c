/* Reserving: how requests are granted, all of a set or none of them.
 *
 * What is in the way (a holder, a transfer) is waited for, and what can be moved out of it is
 * begun; room is made by evicting what was used longest ago; then each step of the table is taken.
 */
#include "runtime/host/exec/tensor.h"

/* ---- steps that are taken ---- */

/* The verdict; where it is DO, the step was taken. */
sni_verdict sni_replica_take(sni_replica *replica, sni_operation operation)
{
  const sni_step step = sni_replica_step(replica, operation);

  if (step.verdict != SNI_DO)
    return step.verdict;
  replica->count = step.count;
  replica->state = step.next;
  if (step.action == SNI_DO_FREE)
    sni_replica_forget(replica);
  else if (step.action >= SNI_DO_GET && step.action != SNI_DO_FILL)
    sni_transfer_begin(replica, step.action);
  return SNI_DO;
}

/* ---- eviction ---- */

static int fits(const sn_unit *unit, size_t bytes)
{
  return !unit->memory.capacity || unit->memory.used + bytes <= unit->memory.capacity;
}

sni_outcome sni_room_make(sn_unit *unit, size_t bytes)
{
  uint64_t coming = 0;           /* bytes that Puts under way will let go */
  sni_replica *newer;

  for (sni_replica *replica = unit->oldest; replica && !fits(unit, bytes); replica = newer) {
    newer = replica->newer;
    if (replica->is_pinned || replica->count)
      continue;
    if (unit->memory.used + bytes <= unit->memory.capacity + coming)
      break;
    (void)sni_replica_take(replica, SNI_OP_EVICT);
    if (replica->state == SNI_UNALLOC)
      unit->memory.evictions++;
    else
      coming += replica->block->bytes;
  }
  if (fits(unit, bytes))
    return SNI_GRANTED;
  return coming ? SNI_ROOM_COMES : SNI_NO_ROOM;
}

/* ---- what is in the way ---- */

static int is_home(const sn_unit *unit)
{
  return unit->index == 0;
}

/* Who holds the block at home. */
static int is_held_at_home(const sni_tensor_block *block, sni_operation mode)
{
  switch (mode) {
  case SNI_OP_READ: return block->writers || block->adders;
  case SNI_OP_ACC: return block->readers || block->writers;
  default: return block->readers || block->writers || block->adders;
  }
}

/* Rule 3, for one other unit's replica: whether it lets the request pass; a flush that it needs
 * is begun. */
static int lets_pass(sni_replica *other, sni_operation mode)
{
  switch (other->state) {
  case SNI_DIRTYACC:
    if (mode == SNI_OP_ACC)
      return 1;
    (void)sni_replica_take(other, SNI_OP_FLUSH);
    return 0;
  case SNI_DIRTY:
    (void)sni_replica_take(other, SNI_OP_FLUSH);
    return 0;
  case SNI_READY:                /* readers are gone and a Get has landed before it may change */
    return mode == SNI_OP_READ || (other->count == 0 && other->pending == SNI_IDLE);
  default:
    return 1;
  }
}

/* A buffer that may be cancelled is the replica itself, in a unit other than home: what the home
 * has not goes there first.  Whether nothing of it is left. */
static int has_gone_home(const sni_request *request, sni_replica *local)
{
  if (!request->is_cancellable || !local ||
      (local->state != SNI_DIRTY && local->state != SNI_DIRTYACC))
    return 1;
  (void)sni_replica_take(local, SNI_OP_FLUSH);
  return 0;
}

static sni_verdict local_verdict(const sni_replica *replica, sni_operation mode)
{
  return replica ? sni_replica_step(replica, mode).verdict : SNI_DO;
}

/* Sums and maxima do not meet: what was accumulated another way goes home first.  Whether nothing
 * of it is left. */
static int has_one_way(const sni_request *request)
{
  const sni_tensor_block *block = request->block;
  int is_alone = 1;

  if (request->mode != SNI_OP_ACC || request->how == block->how)
    return 1;
  for (int k = 0; k < sni_replica_count(block); k++)
    if (block->replicas[k].state == SNI_DIRTYACC) {
      (void)sni_replica_take(&block->replicas[k], SNI_OP_FLUSH);
      is_alone = 0;
    }
  return is_alone && !block->adders;
}

/* Whether nothing is in the way; what can be moved out of it is begun. */
static int may_pass(sni_request *request)
{
  sni_tensor_block *block = request->block;
  sni_replica *local = sni_replica_of(block, request->unit);
  int passes = 1;

  if (request->mode == SNI_OP_TMP || !block->home)
    return 1;
  if (block->moving)             /* rule 1 */
    return 0;
  if (is_held_at_home(block, request->mode) || !has_one_way(request))
    return 0;
  for (int k = 0; k < sni_replica_count(block); k++)
    if (&block->replicas[k] != local && !lets_pass(&block->replicas[k], request->mode))
      passes = 0;
  return has_gone_home(request, local) && passes &&
         local_verdict(local, request->mode) == SNI_DO;
}

sni_obstacle sni_request_obstacle(const sni_request *request)
{
  const sni_tensor_block *block = request->block;
  int holders = is_held_at_home(block, request->mode);

  if (request->mode == SNI_OP_ACC && request->how != block->how)
    holders += block->adders;
  if (block->moving)
    return SNI_A_TRANSFER;
  for (int k = 0; k < sni_replica_count(block); k++) {
    if (block->replicas[k].pending != SNI_IDLE)
      return SNI_A_TRANSFER;
    holders += block->replicas[k].count;
  }
  return holders ? SNI_A_HOLDER : SNI_NOTHING;
}

/* ---- reserving ---- */

/* A buffer beside the block's memory in the unit: at home, where that is the block itself, for what
 * may be given up or added later. */
static int has_own(const sni_request *request)
{
  return request->mode == SNI_OP_TMP || !request->block->home ||
         (is_home(request->unit) &&
          (request->is_cancellable || (request->mode == SNI_OP_ACC && !request->is_direct)));
}

static int make_replicas(sni_tensor_block *block)
{
  sn_engine *engine = block->tensor->engine;
  const int count = engine->unit_count - 1;

  if (block->replicas)
    return 1;
  block->replicas = sni_engine_new(engine, (size_t)count, sizeof *block->replicas);
  for (int k = 0; block->replicas && k < count; k++) {
    block->replicas[k].block = block;
    block->replicas[k].unit = &engine->units[k + 1];
  }
  return block->replicas != NULL;
}

/* The unit has a place for it: pins it there, and tells the bytes that are wanted. */
static int prepare(sni_request *request, size_t *bytes)
{
  sni_replica *replica;

  if (has_own(request))
    *bytes += request->block->bytes;
  if (request->mode == SNI_OP_TMP || is_home(request->unit) || !request->block->home)
    return 1;
  if (!make_replicas(request->block) || !sni_unit_has_transfers(request->unit))
    return 0;
  replica = sni_replica_of(request->block, request->unit);
  if (replica->state == SNI_UNALLOC && !replica->is_pinned)
    *bytes += request->block->bytes;
  replica->is_pinned = 1;
  return 1;
}

static void unpin(sni_request *set)
{
  for (sni_request *request = set; request; request = request->next) {
    sni_replica *replica = sni_replica_of(request->block, request->unit);
    if (replica)
      replica->is_pinned = 0;
  }
}

/* The memory of one; the cell "allocate, UNI, again". */
static int allocate(sni_request *request)
{
  sni_tensor_block *block = request->block;
  sni_replica *replica = sni_replica_of(block, request->unit);

  if (has_own(request) && !request->own)
    request->own = sni_room_take(request->unit, block->bytes);
  if (has_own(request) && !request->own)
    return 0;
  if (request->mode == SNI_OP_TMP || !replica || replica->state != SNI_UNALLOC || !block->home)
    return 1;
  replica->memory = sni_room_take(request->unit, block->bytes);
  if (!replica->memory)
    return 0;
  sni_replica_touch(replica);
  (void)sni_replica_take(replica, request->mode);
  return 1;
}

/* What was allocated stays: a replica as UNI, to be evicted when it is the one used longest ago. */
static void give_up(sni_request *set)
{
  for (sni_request *request = set; request; request = request->next) {
    sni_room_give(request->unit, request->own, request->own ? request->block->bytes : 0);
    request->own = NULL;
  }
}

static void grant_at_home(sni_request *request)
{
  sni_tensor_block *block = request->block;

  request->memory = block->home;
  block->readers += request->mode == SNI_OP_READ;
  block->adders += request->mode == SNI_OP_ACC;
  block->writers += request->mode == SNI_OP_WRITE || request->mode == SNI_OP_RW;
}

static void grant(sni_request *request)
{
  sni_tensor_block *block = request->block;
  sni_replica *replica = sni_replica_of(block, request->unit);
  sni_state was;

  request->is_granted = 1;
  request->has_begun = 0;
  if (request->mode == SNI_OP_TMP || !block->home)
    return;
  if (request->mode == SNI_OP_ACC)
    block->how = request->how;
  if (request->mode == SNI_OP_WRITE || request->mode == SNI_OP_RW)
    sni_block_outdate(block, replica);
  if (is_home(request->unit)) {
    grant_at_home(request);
    return;
  }
  was = replica->state;
  if (request->mode != SNI_OP_READ)
    replica->before = sni_replica_before(request->mode, was);
  replica->is_tentative = request->is_cancellable;
  /* Accumulating begins from zeros; the holder puts them there before its use. */
  request->fills_block = request->mode == SNI_OP_ACC && was != SNI_DIRTYACC;
  (void)sni_replica_take(replica, request->mode);
  request->memory = replica->memory;
  sni_replica_touch(replica);
}

sni_outcome sni_requests_reserve(sni_request *set)
{
  size_t bytes = 0;
  int passes = 1;
  sni_outcome outcome = SNI_GRANTED;

  for (sni_request *request = set; request; request = request->next)
    passes &= may_pass(request);
  if (!passes)
    return SNI_WAITS;
  for (sni_request *request = set; request && outcome == SNI_GRANTED; request = request->next)
    outcome = prepare(request, &bytes) ? SNI_GRANTED : SNI_NO_MEMORY;
  if (outcome == SNI_GRANTED && bytes)
    outcome = sni_room_make(set->unit, bytes);
  for (sni_request *request = set; request && outcome == SNI_GRANTED; request = request->next)
    outcome = allocate(request) ? SNI_GRANTED : SNI_NO_MEMORY;
  unpin(set);
  if (outcome != SNI_GRANTED)
    give_up(set);
  else
    for (sni_request *request = set; request; request = request->next)
      grant(request);
  return outcome;
}

int sni_request_is_there(const sni_request *request)
{
  const sni_replica *replica = sni_replica_of(request->block, request->unit);

  if (request->mode == SNI_OP_TMP || !replica || replica->pending == SNI_IDLE)
    return 1;
  return request->mode == SNI_OP_READ && replica->pending == SNI_PUT;    /* which only reads */
}
