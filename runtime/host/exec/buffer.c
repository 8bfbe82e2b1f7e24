/* Buffers: how a body comes to its blocks.
 *
 * A declared buffer was brought before the body began.  Another is brought on the spot: that
 * waits for transfers, never for another task: where a holder is in the way, a reader gets a
 * private copy, and who accumulates gets zeros that are added after the body.
 */
#include "runtime/host/exec/buffer.h"
#include "runtime/host/exec/crew.h"
#include "runtime/host/exec/pool.h"
#include "runtime/host/exec/scope.h"
#include "runtime/host/exec/uses.h"

#include <stdio.h>
#include <string.h>

/* ---- what a task may ask for ---- */

typedef struct getter {
  const char *name;              /* NULL: it is no buffer that is asked for, but a flush */
  uint32_t kind;
  sni_operation mode;
  sni_permission needs;
} getter;

static const getter get_tmp = { "tmp", SN_ACCESS_TEMP_BUFFER, SNI_OP_TMP, SNI_NONE };
static const getter get_read = { "read", SN_ACCESS_READ_BUFFER, SNI_OP_READ, SNI_READ };
static const getter get_write = { "write", SN_ACCESS_WRITE_BUFFER, SNI_OP_WRITE, SNI_WRITE };
static const getter get_read_write = { "read_write", SN_ACCESS_READ_WRITE_BUFFER, SNI_OP_RW,
                                       SNI_WRITE };
static const getter get_acc = { "acc", SN_ACCESS_ACCUMULATE_BUFFER, SNI_OP_ACC, SNI_ACCUMULATE };
static const getter get_cwrite = { "cwrite", SN_ACCESS_WRITE_BUFFER | SN_CANCELLABLE,
                                   SNI_OP_WRITE, SNI_WRITE };
static const getter get_cread_write = { "cread_write",
                                        SN_ACCESS_READ_WRITE_BUFFER | SN_CANCELLABLE, SNI_OP_RW,
                                        SNI_WRITE };
static const getter get_cacc = { "cacc", SN_ACCESS_ACCUMULATE_BUFFER | SN_CANCELLABLE, SNI_OP_ACC,
                                 SNI_ACCUMULATE };

static int refuse_recording(const sni_task *task, const getter *g, const sn_tensor *tensor)
{
  char what[32] = "";

  if (g->name)
    snprintf(what, sizeof what, "%s %s buffer of ", sni_article(g->name), g->name);
  return sni_engine_fail(task->engine, SN_ESTATE,
                         "%s%s is %s while a graph is recorded: what depends on values cannot be "
                         "replayed; let a recorded task look at them", what, tensor->name,
                         g->name ? "asked for" : "flushed");
}

static int check_request(const sni_task *task, const getter *g, const sn_tensor *tensor,
                         int64_t number)
{
  char text[SNI_BLOCK_NAME], name[SNI_NAME];
  sni_permission has;

  if (task->is_recording)
    return refuse_recording(task, g, tensor);
  if (tensor->engine != task->engine)
    return sni_engine_fail(task->engine, SN_EINVAL, "'%s': %s belongs to another engine",
                           sni_task_name(task, name), tensor->name);
  if (number < 0 || number >= tensor->block_count)
    return sni_engine_fail(task->engine, SN_EBOUNDS,
                           "'%s' asks for block %lld of %s, which has blocks 0 to %lld",
                           sni_task_name(task, name), (long long)number, tensor->name,
                           (long long)tensor->block_count - 1);
  has = sni_task_may(task, &tensor->blocks[number]);
  if (!sni_permission_allows(has, g->needs))
    return sni_engine_fail(task->engine, SN_EPERMISSION,
                           "'%s' asks for %s %s buffer of %s, which needs %s; its permission "
                           "there is %s", sni_task_name(task, name), sni_article(g->name), g->name,
                           sni_block_name(&tensor->blocks[number], text),
                           sni_permission_name[g->needs], sni_permission_name[has]);
  return SN_OK;
}

static sn_buffer *find_declared(sni_task *task, const getter *g, const sni_tensor_block *block)
{
  for (int k = 0; k < task->buffer_count; k++) {
    sn_buffer *buffer = &task->buffers[k];
    if (buffer->kind == g->kind && buffer->request.block == block &&
        buffer->state == SNI_DECLARED)
      return buffer;
  }
  return NULL;
}

/* ---- on the spot ---- */

static int refuse_held(const sni_task *task, const sn_buffer *buffer)
{
  char text[SNI_BLOCK_NAME], name[SNI_NAME];

  return sni_engine_fail(task->engine, SN_ESTATE,
                         "'%s' asks to write %s, of which a buffer is out: release that first, or "
                         "submit a continuation", sni_task_name(task, name),
                         sni_block_name(buffer->request.block, text));
}

static int refuse_room(const sni_task *task, const sn_buffer *buffer)
{
  char text[SNI_BLOCK_NAME], name[SNI_NAME];

  return sni_engine_fail(task->engine, SN_ECAPACITY,
                         "'%s' asks for a buffer of %s, and %s has no room for %llu bytes: "
                         "submit a continuation that declares it", sni_task_name(task, name),
                         sni_block_name(buffer->request.block, text),
                         buffer->request.unit->name,
                         (unsigned long long)buffer->request.block->bytes);
}

/* Lock held.  A buffer of its own instead of the block. */
static int become_private(const sni_task *task, sn_buffer *buffer)
{
  if (buffer->request.mode != SNI_OP_READ && buffer->request.mode != SNI_OP_ACC)
    return refuse_held(task, buffer);
  buffer->request.mode = SNI_OP_TMP;
  return SN_OK;
}

/* Lock held, and let go while transfers run.  Where room is short, tasks that have not begun give
 * theirs back. */
static int reserve(const sni_task *task, sn_buffer *buffer, int *is_demanding)
{
  sni_request *request = &buffer->request;
  sni_outcome outcome;

  while ((outcome = sni_requests_reserve(request)) != SNI_GRANTED) {
    if (outcome == SNI_NO_MEMORY)
      return sni_engine_fail(task->engine, SN_ENOMEM, "%s has no memory for a buffer",
                             request->unit->name);
    if (outcome == SNI_NO_ROOM && *is_demanding)
      return refuse_room(task, buffer);
    if (outcome == SNI_NO_ROOM) {
      sni_room_demand(request->unit);
      *is_demanding = 1;
    } else if (outcome == SNI_WAITS && sni_request_obstacle(request) == SNI_A_HOLDER) {
      SN_TRY(become_private(task, buffer));
    } else {
      sni_engine_wait_moved(task->engine);
    }
  }
  return SN_OK;
}

/* Lock held, and let go while transfers run. */
static int acquire(const sni_task *task, sn_buffer *buffer)
{
  int is_demanding = 0;
  const int code = reserve(task, buffer, &is_demanding);

  if (is_demanding)
    sni_room_withdraw(buffer->request.unit);
  while (code == SN_OK && !sni_request_is_there(&buffer->request))
    sni_engine_wait_moved(task->engine);
  return code;
}

/* Where the newest value of a block stands that someone holds; changes that may be given up are
 * none yet. */
static sn_span newest(const sni_tensor_block *block)
{
  const sn_engine *engine = block->tensor->engine;
  sn_span span = sn_span_host(block->home, block->bytes);

  for (int k = 1; block->replicas && k < engine->unit_count; k++)
    if (block->replicas[k - 1].state == SNI_DIRTY && !block->replicas[k - 1].is_tentative) {
      span.data = block->replicas[k - 1].memory;
      span.device = engine->units[k].device;
    }
  return span;
}

/* Off the lock. */
static int begin_private(sn_buffer *buffer, const getter *g)
{
  sn_engine *engine = buffer->task->engine;

  if (g->mode == SNI_OP_READ)
    return sni_engine_copy(engine, sni_buffer_span(buffer), newest(buffer->request.block));
  if (g->mode == SNI_OP_ACC)
    return sni_block_fill_neutral(buffer->request.block, buffer->request.how,
                                  sni_buffer_span(buffer));
  return SN_OK;
}

static sn_buffer *new_buffer(sni_task *task, sni_tensor_block *block)
{
  sn_buffer *buffer = sni_pool_take(task->engine, sizeof *buffer);

  if (!buffer) {
    sni_engine_fail(task->engine, SN_ENOMEM, "no memory for a buffer");
    return NULL;
  }
  memset(buffer, 0, sizeof *buffer);
  buffer->task = task;
  buffer->request.block = block;
  buffer->request.unit = task->run.unit;
  return buffer;
}

/* Lock held: what stands in the way of an access for good. */
static int check_now(const sni_task *task, const getter *g, const sni_tensor_block *block)
{
  const sni_permission left = sni_task_left(task, block, g->needs);
  char text[SNI_BLOCK_NAME], name[SNI_NAME];

  if (left != SNI_NONE)
    return sni_engine_fail(task->engine, SN_ESTATE,
                           "'%s' asks for %s %s buffer of %s, which its children may %s: ask "
                           "before they are submitted, or let a child do it that comes after them",
                           sni_task_name(task, name), sni_article(g->name), g->name,
                           sni_block_name(block, text), sni_permission_name[left]);
  if (block->is_lost && sni_needs_value(g->mode))
    return sni_engine_fail(task->engine, SN_ESTATE,
                           "'%s' needs %s, which is lost: the task that wrote it has failed",
                           sni_task_name(task, name), sni_block_name(block, text));
  return SN_OK;
}

/* Lock held, and let go while transfers run.  A buffer that is there, in *out; it is in the task's
 * keeping from then on. */
static int take(sni_task *task, const getter *g, sni_tensor_block *block, sn_buffer **out)
{
  sn_buffer *buffer;
  int code;

  SN_TRY(check_now(task, g, block));
  buffer = new_buffer(task, block);
  if (!buffer)
    return SN_ENOMEM;
  buffer->kind = g->kind;
  buffer->request.mode = g->mode;
  buffer->request.how = sni_use_accumulates(g->kind);
  buffer->request.is_cancellable = (g->kind & SN_CANCELLABLE) != 0;
  code = acquire(task, buffer);
  if (code != SN_OK) {
    sni_pool_give(task->engine, buffer, sizeof *buffer);
    return code;
  }
  buffer->next = task->extra;
  task->extra = buffer;
  if (buffer->request.mode != SNI_OP_TMP || g->mode == SNI_OP_ACC)
    sni_buffer_hold(buffer);
  sni_alive_begin(buffer);
  *out = buffer;
  return SN_OK;
}

/* Off the lock. */
static int bring(sni_task *task, const getter *g, sni_tensor_block *block, sn_buffer **out)
{
  int code;

  sni_mutex_lock(&task->engine->lock);
  code = take(task, g, block, out);
  sni_mutex_unlock(&task->engine->lock);
  if (code != SN_OK)
    return code;
  return (*out)->request.mode == SNI_OP_TMP ? begin_private(*out, g)
                                            : sni_request_begin(&(*out)->request);
}

/* ---- getters ---- */

/* One element into all. */
static int fill(sn_buffer *buffer, const void *initial)
{
  sn_engine *engine = buffer->task->engine;
  const sn_span span = sni_buffer_span(buffer);
  const size_t width = buffer->request.block->tensor->element_bytes;
  unsigned char *at = span.device == 0 ? span.data : sni_engine_new(engine, span.bytes, 1);
  int code = SN_OK;

  if (!at)
    return sni_engine_fail(engine, SN_ENOMEM, "no memory to fill a buffer");
  for (size_t k = 0; k < span.bytes; k += width)
    memcpy(at + k, initial, width);
  if (span.device != 0) {
    code = sni_engine_copy(engine, span, sn_span_host(at, span.bytes));
    sni_engine_delete(engine, at, span.bytes, 1);
  }
  return code;
}

static int get(sn_run *run, const getter *g, sn_tensor *tensor, int64_t number,
               const void *initial, sn_buffer **out)
{
  sni_task *task;
  sn_buffer *buffer;

  SN_TRY(sni_engine_may_call(SNI_TASK_ENGINE(run)));
  if (sni_is_gone(tensor) || !out)
    return SN_EINVAL;
  task = run->task;
  SN_TRY(check_request(task, g, tensor, number));
  buffer = find_declared(task, g, &tensor->blocks[number]);
  if (!buffer)
    SN_TRY(bring(task, g, &tensor->blocks[number], &buffer));
  buffer->state = SNI_HANDED;
  *out = buffer;
  return initial ? fill(buffer, initial) : SN_OK;
}

int sn_buffer_tmp(sn_run *run, sn_tensor *tensor, int64_t block, const void *initial,
                  sn_buffer **out)
{
  return get(run, &get_tmp, tensor, block, initial, out);
}

int sn_buffer_read(sn_run *run, sn_tensor *tensor, int64_t block, sn_buffer **out)
{
  return get(run, &get_read, tensor, block, NULL, out);
}

int sn_buffer_write(sn_run *run, sn_tensor *tensor, int64_t block, const void *initial,
                    sn_buffer **out)
{
  return get(run, &get_write, tensor, block, initial, out);
}

int sn_buffer_read_write(sn_run *run, sn_tensor *tensor, int64_t block, sn_buffer **out)
{
  return get(run, &get_read_write, tensor, block, NULL, out);
}

int sn_buffer_acc(sn_run *run, sn_tensor *tensor, int64_t block, sn_buffer **out)
{
  return get(run, &get_acc, tensor, block, NULL, out);
}

int sn_buffer_cwrite(sn_run *run, sn_tensor *tensor, int64_t block, const void *initial,
                     sn_buffer **out)
{
  return get(run, &get_cwrite, tensor, block, initial, out);
}

int sn_buffer_cread_write(sn_run *run, sn_tensor *tensor, int64_t block, sn_buffer **out)
{
  return get(run, &get_cread_write, tensor, block, NULL, out);
}

int sn_buffer_cacc(sn_run *run, sn_tensor *tensor, int64_t block, sn_buffer **out)
{
  return get(run, &get_cacc, tensor, block, NULL, out);
}

int sn_buffer_acc_by(sn_run *run, sn_tensor *tensor, int64_t block, uint32_t by, sn_buffer **out)
{
  const uint32_t way = by & ~(uint32_t)SN_CANCELLABLE;
  const getter g = { way == SN_BY_MAX ? "max" : "min", SN_ACCESS_ACCUMULATE_BUFFER | by, SNI_OP_ACC,
                     sni_commit_needs(sni_use_accumulates(by)) };
  char name[SNI_NAME];

  SN_TRY(sni_engine_may_call(SNI_TASK_ENGINE(run)));
  if (way != SN_BY_MAX && way != SN_BY_MIN)
    return sni_engine_fail(run->task->engine, SN_EINVAL,
                           "'%s': sn_buffer_acc_by takes SN_BY_MAX or SN_BY_MIN, and with it "
                           "SN_CANCELLABLE; 0x%x is none of that", sni_task_name(run->task, name),
                           (unsigned)by);
  return get(run, &g, tensor, block, NULL, out);
}

/* ---- copies ---- */

int sn_buffer_copy(const sn_buffer *from, sn_buffer **out)
{
  static const getter copy = { "copy", SN_ACCESS_TEMP_BUFFER, SNI_OP_TMP, SNI_NONE };
  sn_buffer *original, *buffer;

  SN_TRY(sni_engine_may_call(SNI_TASK_ENGINE(from)));
  if (!sni_buffer_is_out(from) || !out)
    return SN_EINVAL;
  original = from->original ? from->original : (sn_buffer *)(uintptr_t)from;
  SN_TRY(bring(from->task, &copy, from->request.block, &buffer));
  buffer->kind = original->kind;
  buffer->original = original;
  original->copies++;
  buffer->state = SNI_HANDED;
  *out = buffer;
  return sni_engine_copy(from->task->engine, sni_buffer_span(buffer), sni_buffer_span(from));
}

/* ---- flush ---- */

/* Whether a buffer of the task's own holds the block, handed out or declared. */
static int holds(const sni_task *task, const sni_tensor_block *block)
{
  const sn_buffer *extra = task->extra;

  for (int k = 0; k < task->buffer_count; k++)
    if (task->buffers[k].request.block == block && task->buffers[k].request.is_granted &&
        task->buffers[k].request.mode != SNI_OP_TMP)
      return 1;
  while (extra && !(extra->request.block == block && extra->request.is_granted &&
                    extra->request.mode != SNI_OP_TMP))
    extra = extra->next;
  return extra != NULL;
}

/* Lock held, and let go while transfers run. */
static int flush(const sni_task *task, sni_tensor_block *block)
{
  const sni_request request = { .block = block, .unit = &task->engine->units[0],
                                .mode = SNI_OP_READ };
  char text[SNI_BLOCK_NAME], name[SNI_NAME];
  const char *who = NULL;

  if (holds(task, block))
    who = "it holds a buffer of it itself: release that first";
  while (!who && !sni_block_flush(block)) {
    if (sni_request_obstacle(&request) == SNI_A_HOLDER)
      who = "another task holds a buffer of it, and tasks do not wait";
    else
      sni_engine_wait_moved(task->engine);
  }
  return who ? sni_engine_fail(task->engine, SN_ESTATE, "'%s' flushes %s: %s",
                               sni_task_name(task, name), sni_block_name(block, text), who)
             : SN_OK;
}

int sn_run_flush(sn_run *run, sn_tensor *tensor, int64_t number)
{
  static const getter g = { NULL, 0, SNI_OP_TMP, SNI_NONE };
  char text[SNI_BLOCK_NAME], name[SNI_NAME];
  sni_task *task;
  int code;

  SN_TRY(sni_engine_may_call(SNI_TASK_ENGINE(run)));
  if (sni_is_gone(tensor))
    return SN_EINVAL;
  task = run->task;
  SN_TRY(check_request(task, &g, tensor, number));
  if (sni_task_may(task, &tensor->blocks[number]) == SNI_NONE)
    return sni_engine_fail(task->engine, SN_EPERMISSION,
                           "'%s' flushes %s, of which it has no permission",
                           sni_task_name(task, name),
                           sni_block_name(&tensor->blocks[number], text));
  sni_mutex_lock(&task->engine->lock);
  code = flush(task, &tensor->blocks[number]);
  sni_mutex_unlock(&task->engine->lock);
  return code;
}

/* ---- what is declared ---- */

int sni_buffers_begin(sni_task *task)
{
  for (int k = 0; k < task->buffer_count; k++)
    sni_alive_begin(&task->buffers[k]);
  for (int k = 0; k < task->buffer_count; k++)
    SN_TRY(sni_request_begin(&task->buffers[k].request));
  return SN_OK;
}
