/* What becomes of a granted request: its buffer is filled, committed, released; and what is
 * asked of a block as a whole: flush, prefetch, the end.
 */
#include "runtime/host/exec/replica.h"

#include "runtime/host/exec/tensor.h"

static sn_span span_of(const sni_request *request, void *memory)
{
  const sn_span span = { memory, request->block->bytes, request->unit->device };

  return span;
}

void *sni_request_memory(const sni_request *request)
{
  return request->own ? request->own : request->memory;
}

int sni_request_begin(sni_request *request)
{
  sn_engine *engine = request->block->tensor->engine;

  request->has_begun = 1;
  if (request->fills_block)
    SN_TRY(sni_block_fill_neutral(request->block, request->how,
                                  span_of(request, request->memory)));
  request->fills_block = 0;
  if (!request->own || request->mode == SNI_OP_TMP || request->mode == SNI_OP_WRITE)
    return SN_OK;
  if (request->mode == SNI_OP_ACC)
    return sni_block_fill_neutral(request->block, request->how, span_of(request, request->own));
  if (!request->memory)
    return sni_engine_fill(engine, span_of(request, request->own), 0);
  return sni_engine_copy(engine, span_of(request, request->own),
                         span_of(request, request->memory));
}

int sni_request_commit(sni_request *request)
{
  sn_engine *engine = request->block->tensor->engine;
  const sn_span to = span_of(request, request->memory), from = span_of(request, request->own);

  if (!request->own || !request->memory)
    return SN_OK;
  if (request->mode == SNI_OP_ACC)
    return sni_block_add(request->block, request->how, to, from);
  return sni_engine_copy(engine, to, from);
}

static void release_home(sni_request *request, int commits)
{
  sni_tensor_block *block = request->block;

  block->readers -= request->mode == SNI_OP_READ;
  block->adders -= request->mode == SNI_OP_ACC;
  block->writers -= request->mode == SNI_OP_WRITE || request->mode == SNI_OP_RW;
  if (commits && request->mode == SNI_OP_ACC)
    sni_block_outdate(block, NULL);
}

static int release_replica(sni_request *request, int commits)
{
  sni_replica *replica = sni_replica_of(request->block, request->unit);
  const sni_operation operation =
    commits || request->mode == SNI_OP_READ ? SNI_OP_RELEASE : SNI_OP_CANCEL;

  /* Rule 2 says where to return to as long as nobody has worked in the replica. */
  if (request->is_cancellable && request->has_begun)
    replica->before = SNI_UNI;
  replica->is_tentative = 0;
  if (sni_replica_take(replica, operation) != SNI_DO)
    return SN_EBUG;
  sni_replica_touch(replica);
  /* Each contribution goes home by itself, in the order of the tasks. */
  if (commits && request->mode == SNI_OP_ACC && request->unit->engine->options.deterministic)
    (void)sni_replica_take(replica, SNI_OP_FLUSH);
  return SN_OK;
}

int sni_request_release(sni_request *request, int commits)
{
  if (!request->is_granted)
    return SN_EBUG;
  request->is_granted = 0;
  if (request->own)
    sni_room_give(request->unit, request->own, request->block->bytes);
  request->own = NULL;
  if (!request->memory)          /* TMP, or a block that is not stored */
    return SN_OK;
  request->memory = NULL;
  if (commits && request->mode == SNI_OP_WRITE)
    request->block->is_lost = 0;
  if (request->unit->index)
    return release_replica(request, commits);
  release_home(request, commits);
  return SN_OK;
}

/* ---- blocks as a whole ---- */

int sni_block_flush(sni_tensor_block *block)
{
  const int count = block->replicas ? block->tensor->engine->unit_count - 1 : 0;
  int is_home = 1;

  for (int k = 0; k < count; k++) {
    sni_replica *replica = &block->replicas[k];
    const int holds = replica->state == SNI_DIRTY || replica->state == SNI_DIRTYACC;
    is_home &= !holds && replica->pending == SNI_IDLE;
    if (holds)
      (void)sni_replica_take(replica, SNI_OP_FLUSH);
  }
  return is_home;
}

void sni_block_prefetch(sni_tensor_block *block, sn_unit *unit)
{
  sni_request request = { .block = block, .unit = unit, .mode = SNI_OP_READ };

  /* The Get that this begins goes on when the request is given back. */
  if (unit->index && block->home && sni_requests_reserve(&request) == SNI_GRANTED)
    (void)sni_request_release(&request, 1);
}

void sni_replicas_settle(sni_tensor_block *block)
{
  sn_engine *engine = block->tensor->engine;

  for (int k = 0; block->replicas && k < engine->unit_count - 1; k++) {
    sni_replica *replica = &block->replicas[k];
    while (replica->pending != SNI_IDLE)
      sni_engine_wait_moved(engine);
    if (replica->memory)
      sni_replica_forget(replica);
    replica->state = SNI_UNALLOC;
  }
}

void sni_replicas_destroy(sni_tensor_block *block)
{
  sn_engine *engine = block->tensor->engine;

  if (block->replicas)
    sni_engine_delete(engine, block->replicas, (size_t)engine->unit_count - 1,
                      sizeof *block->replicas);
}
