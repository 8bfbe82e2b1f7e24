/* Transfers between a replica and its home, on the unit's transfer queue.
 *
 * The queue has a thread of its own, so that copies run beside tasks.  An AccAll that has a Get
 * behind it is one job: the Get begins when the sum stands at home (rule 5).
 */
#include "runtime/host/exec/tensor.h"

/* ---- sums ---- */

/* In host memory: from there, or by way of a copy. */
static int add_on_host(sni_tensor_block *block, sni_commit_kind how, void *to, sn_span from)
{
  const sn_tensor *tensor = block->tensor;
  const size_t count = from.bytes / tensor->element_bytes;
  void *staged;
  int code;

  if (from.device == 0) {
    sni_elements_add(tensor->type, how, to, from.data, count);
    return SN_OK;
  }
  staged = sni_engine_new(tensor->engine, from.bytes, 1);
  if (!staged)
    return sni_engine_fail(tensor->engine, SN_ENOMEM, "%s: no memory to add a block",
                           tensor->name);
  code = sni_engine_copy(tensor->engine, sn_span_host(staged, from.bytes), from);
  if (code == SN_OK)
    sni_elements_add(tensor->type, how, to, staged, count);
  sni_engine_delete(tensor->engine, staged, from.bytes, 1);
  return code;
}

/* The sum is made on the host and copied back. */
static int add_on_device(sni_tensor_block *block, sni_commit_kind how, sn_span to, sn_span from)
{
  sn_engine *engine = block->tensor->engine;
  void *staged = sni_engine_new(engine, to.bytes, 1);
  int code;

  if (!staged)
    return sni_engine_fail(engine, SN_ENOMEM, "%s: no memory to add a block",
                           block->tensor->name);
  code = sni_engine_copy(engine, sn_span_host(staged, to.bytes), to);
  if (code == SN_OK)
    code = add_on_host(block, how, staged, from);
  if (code == SN_OK)
    code = sni_engine_copy(engine, to, sn_span_host(staged, to.bytes));
  sni_engine_delete(engine, staged, to.bytes, 1);
  return code;
}

int sni_block_add(sni_tensor_block *block, sni_commit_kind how, sn_span to, sn_span from)
{
  sn_engine *engine = block->tensor->engine;
  sni_mutex *lock = &engine->adding[(size_t)block->number % SNI_ADDING];
  int code;

  sni_mutex_lock(lock);          /* rule 5: two sums into one block do not meet */
  code = to.device == 0 ? add_on_host(block, how, to.data, from)
                        : add_on_device(block, how, to, from);
  sni_mutex_unlock(lock);
  return code;
}

int sni_block_fill_neutral(const sni_tensor_block *block, sni_commit_kind how, sn_span span)
{
  const sn_tensor *tensor = block->tensor;
  sn_engine *engine = tensor->engine;
  unsigned char *at;
  int code = SN_OK;

  if (how != SNI_COMMIT_MAX && how != SNI_COMMIT_MIN)
    return sni_engine_fill(engine, span, 0);
  at = span.device == 0 ? span.data : sni_engine_new(engine, span.bytes, 1);
  if (!at)
    return sni_engine_fail(engine, SN_ENOMEM, "%s: no memory to fill a buffer", tensor->name);
  for (size_t k = 0; k < span.bytes; k += tensor->element_bytes)
    sni_element_neutral(tensor->type, how, at + k);
  if (span.device != 0) {
    code = sni_engine_copy(engine, span, sn_span_host(at, span.bytes));
    sni_engine_delete(engine, at, span.bytes, 1);
  }
  return code;
}

/* ---- one transfer ---- */

static int run_transfer(void *user, int device)
{
  sni_replica *replica = user;
  sni_tensor_block *block = replica->block;
  sn_engine *engine = block->tensor->engine;
  const sn_span home = sn_span_host(block->home, block->bytes);
  const sn_span here = { replica->memory, block->bytes, device };
  int code = SN_OK;

  if (replica->pending == SNI_PUT)
    return sni_engine_copy(engine, home, here);
  if (replica->pending == SNI_ACCALL)
    code = sni_block_add(block, block->how, home, here);
  if (code == SN_OK && (replica->pending == SNI_GET || replica->then_get))
    code = sni_engine_copy(engine, here, home);
  return code;
}

static void end_transfer(void *user, int code)
{
  sni_replica *replica = user;

  sni_replica_done(replica, code);
  sni_engine_changed(replica->unit->engine);
  sni_engine_wake(replica->unit->engine);        /* who awaits the queue or its unit */
}

void sni_transfer_count(sn_unit *unit, sni_pending what, int then_get, uint64_t bytes)
{
  sn_unit_memory *memory = &unit->memory;
  const int comes = what == SNI_GET || then_get;

  memory->gets += (uint64_t)comes;
  memory->puts += what == SNI_PUT;
  memory->adds += what == SNI_ACCALL;
  memory->bytes_in += comes ? bytes : 0;
  memory->bytes_out += what != SNI_GET ? bytes : 0;
}

void sni_transfer_begin(sni_replica *replica, sni_action action)
{
  static const char *const names[] = { "", "Get", "Put", "AccAll" };
  sni_item *item = &replica->transfer;
  const sni_item what = { .kind = SNI_WORK, .run = run_transfer, .user = replica,
                          .finish = end_transfer };

  replica->pending = action == SNI_DO_GET ? SNI_GET
                     : action == SNI_DO_PUT || action == SNI_DO_PUT_FILL ? SNI_PUT : SNI_ACCALL;
  replica->then_get = action == SNI_DO_ACCALL_GET;
  replica->block->moving += replica->pending != SNI_GET;
  sni_transfer_count(replica->unit, replica->pending, replica->then_get, replica->block->bytes);
  *item = what;
  item->name = names[replica->pending];
  item->dst.bytes = replica->block->bytes;
  sni_queue_push(replica->unit->transfers, item);
}

/* ---- the queue ---- */

int sni_unit_has_transfers(sn_unit *unit)
{
  if (!unit->transfers)
    unit->transfers = sni_queue_start(unit, "transfers");
  return unit->transfers != NULL;
}

void sni_unit_end_transfers(sn_unit *unit)
{
  const int told = sn_queue_destroy(unit->transfers);

  (void)told;                    /* a transfer's failure has lost its block */
  unit->transfers = NULL;
}
