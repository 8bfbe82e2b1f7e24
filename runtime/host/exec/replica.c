/* The machine of replicas: the table of replica.def, and what the end of a transfer means.  Around
 * the table stand five rules, here, in reserve.c, request.c and transfer.c:
 *
 *   1  transfers that go home are seen by everyone: a request waits for them on any unit
 *   2  where a cancel returns to
 *   3  what a request does to the other units' replicas
 *   4  the home is the block itself: always READY
 *   5  what is added at home is complete before it is read, and added one at a time
 */
#include "runtime/host/exec/replica.h"

#include "runtime/host/exec/tensor.h"

/* ---- the table ---- */

typedef enum condition { ALWAYS, NEVER, IDLE, SETTLED, NO_ACCALL, HELD, ALONE } condition;
typedef enum change { SAME, ONE, MORE, LESS } change;
enum { SNI_BEFORE = SNI_STATES };

typedef struct cell {
  condition condition;
  sni_verdict otherwise;
  sni_action action;
  change count;
  int next;                      /* sni_state, or SNI_BEFORE */
} cell;

static const cell table[SNI_OPERATIONS][SNI_STATES] = {
#define CELL(operation, state, condition, otherwise, action, count, next) \
  [SNI_OP_##operation][SNI_##state] =                                     \
    { condition, SNI_VERDICT_##otherwise, SNI_DO_##action, count, SNI_##next },
#define DONE(state, transfer)
#include "runtime/host/exec/replica.def"
#undef CELL
#undef DONE
};

static const uint8_t ends[SNI_STATES][SNI_ACCALL + 1] = {
#define CELL(operation, state, condition, otherwise, action, count, next)
#define DONE(state, transfer) [SNI_##state][SNI_##transfer] = 1,
#include "runtime/host/exec/replica.def"
#undef CELL
#undef DONE
};

static int holds(condition wanted, const sni_replica *replica)
{
  switch (wanted) {
  case ALWAYS: return 1;
  case NEVER: return 0;
  case IDLE: return replica->count == 0 && replica->pending == SNI_IDLE;
  case SETTLED: return replica->pending == SNI_IDLE;
  case NO_ACCALL: return replica->pending != SNI_ACCALL;
  case HELD: return replica->count > 0;
  case ALONE: return replica->count == 1;
  }
  return 0;
}

static int changed_count(change how, int count)
{
  switch (how) {
  case SAME: return count;
  case ONE: return 1;
  case MORE: return count + 1;
  case LESS: return count - 1;
  }
  return count;
}

sni_step sni_replica_step(const sni_replica *replica, sni_operation operation)
{
  const cell *c = &table[operation][replica->state];
  sni_step step = { c->otherwise, SNI_DO_NOTHING, replica->count, replica->state };

  if (holds(c->condition, replica)) {
    step.verdict = SNI_DO;
    step.action = c->action;
    step.count = changed_count(c->count, replica->count);
    step.next = c->next == SNI_BEFORE ? replica->before : (sni_state)c->next;
  }
  return step;
}

sni_state sni_replica_before(sni_operation operation, sni_state state)
{
  const int was_whole = state == SNI_READY || state == SNI_DIRTY;

  switch (operation) {
  case SNI_OP_WRITE: return was_whole ? state : SNI_UNI;
  case SNI_OP_RW: return was_whole ? state : SNI_READY;
  case SNI_OP_ACC: return state == SNI_DIRTYACC ? state : SNI_UNI;
  default: return SNI_READY;
  }
}

int sni_replica_may_end(sni_state state, sni_pending transfer)
{
  return ends[state][transfer];
}

/* ---- what follows from steps ---- */

/* Rule 3: copies elsewhere are old when one is written. */
void sni_block_outdate(sni_tensor_block *block, const sni_replica *but)
{
  for (int k = 0; k < sni_replica_count(block); k++)
    if (&block->replicas[k] != but && block->replicas[k].state == SNI_READY)
      block->replicas[k].state = SNI_UNI;
}

void sni_replica_done(sni_replica *replica, int code)
{
  sni_tensor_block *block = replica->block;
  const sni_pending ended = replica->pending;

  if (ended != SNI_GET)
    block->moving--;
  if (code != SN_OK || !sni_replica_may_end(replica->state, replica->then_get ? SNI_GET : ended))
    block->is_lost = 1;
  replica->pending = SNI_IDLE;
  replica->then_get = 0;
  /* Rule 3: what has changed at home is old everywhere else. */
  if (ended != SNI_GET)
    sni_block_outdate(block, replica);
}
