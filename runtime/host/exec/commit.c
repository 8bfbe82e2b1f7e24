/* What a buffer does to its block when it is released, and what becomes of those that a body
 * leaves.  A refusal leaves the buffer as it is.
 *
 * The commit of a temporary buffer is a cycle of its own, a Write or an Accumulate of the block at
 * home: at the release, so that children that come later find it; after the body where a
 * buffer of the block is out, since a body waits for nobody.
 */
#include "runtime/host/exec/buffer.h"
#include "runtime/host/exec/crew.h"
#include "runtime/host/exec/pool.h"
#include "runtime/host/exec/scope.h"
#include "runtime/host/exec/uses.h"

#include <stdio.h>
#include <string.h>

/* ---- the table ---- */

static const struct {
  const char *name;
  const char *is_given;          /* how a buffer of that kind is given back */
} commits[] = {
#define COMMIT(name, function, permission, text) \
  [SNI_COMMIT_##name] = { #function, text },
#include "runtime/host/exec/commits.def"
#undef COMMIT
};

static uint32_t mode_of(const sn_buffer *buffer)
{
  return sni_use_mode(buffer->kind);
}

static int is_cancellable(const sn_buffer *buffer)
{
  return (buffer->kind & SN_CANCELLABLE) != 0;
}

/* ---- what fits ---- */

static sni_commit_kind fitting(const sn_buffer *buffer)
{
  switch (mode_of(buffer)) {
  case SN_ACCESS_WRITE_BUFFER:
  case SN_ACCESS_READ_WRITE_BUFFER: return SNI_COMMIT_PUT;
  case SN_ACCESS_ACCUMULATE_BUFFER: return sni_use_accumulates(buffer->kind);
  default: return SNI_COMMIT_PLAIN;
  }
}

static const char *access_name(const sn_buffer *buffer)
{
  static const char *const names[] = {
    [SN_ACCESS_READ_BUFFER] = "read", [SN_ACCESS_WRITE_BUFFER] = "write",
    [SN_ACCESS_READ_WRITE_BUFFER] = "read_write", [SN_ACCESS_ACCUMULATE_BUFFER] = "acc",
    [SN_ACCESS_TEMP_BUFFER] = "tmp"
  };

  return buffer->kind & SN_BY_MAX ? "max"
         : buffer->kind & SN_BY_MIN ? "min" : names[mode_of(buffer)];
}

static int refuse(const sn_buffer *buffer, int code, sni_commit_kind kind, const char *why)
{
  const char *const access = access_name(buffer);
  char text[SNI_BLOCK_NAME], name[SNI_NAME];

  return sni_engine_fail(buffer->task->engine, code, "'%s': %s of %s %s buffer of %s: %s",
                         sni_task_name(buffer->task, name), commits[kind].name,
                         is_cancellable(buffer) ? "a cancellable" : sni_article(access), access,
                         sni_block_name(buffer->request.block, text), why);
}

/* A commit of a tmp is worth what the task may do to the block. */
static int check_tmp(const sn_buffer *buffer, sni_commit_kind kind)
{
  if (sni_permission_allows(sni_task_may(buffer->task, buffer->request.block),
                            sni_commit_needs(kind)))
    return SN_OK;
  return refuse(buffer, SN_EPERMISSION, kind,
                kind == SNI_COMMIT_PUT ? "the task may not write the block"
                                       : "the task may not accumulate into the block");
}

static int refuse_kind(const sn_buffer *buffer, sni_commit_kind kind)
{
  char why[64];

  snprintf(why, sizeof why, "it is %s", commits[fitting(buffer)].is_given);
  return refuse(buffer, SN_ESTATE, kind, why);
}

static int check_commit(const sn_buffer *buffer, sni_commit_kind kind)
{
  const uint32_t mode = mode_of(buffer);
  const sn_buffer *original = buffer->original ? buffer->original : buffer;
  const sn_run *running = sni_engine_running();

  if (running && running->task != buffer->task)
    return refuse(buffer, SN_ESTATE, kind, "another task's body does that");
  if (buffer->state != SNI_HANDED)
    return refuse(buffer, SN_ESTATE, kind, "it was released before");
  if (kind == SNI_COMMIT_PLAIN && (buffer->original || is_cancellable(buffer)))
    return SN_OK;
  if (kind != SNI_COMMIT_PLAIN && buffer->original && !is_cancellable(buffer))
    return refuse(buffer, SN_ESTATE, kind, "only the original can be committed, this is a copy");
  if (mode == SN_ACCESS_TEMP_BUFFER)
    return check_tmp(buffer, kind);
  if (kind != fitting(buffer))
    return refuse_kind(buffer, kind);
  if (kind != SNI_COMMIT_PLAIN && is_cancellable(buffer) && original->is_committed)
    return refuse(buffer, SN_ESTATE, kind, "it was committed before, from another copy");
  return SN_OK;
}

/* ---- commits of temporary buffers ---- */

/* Lock held: what a unit that is not home commits is a transfer. */
static void count_commit(const sni_commit *commit)
{
  const sni_pending what = commit->request.mode == SNI_OP_ACC ? SNI_ACCALL : SNI_PUT;

  if (commit->from->request.unit->index)
    sni_transfer_count(commit->from->request.unit, what, 0, commit->request.block->bytes);
}

/* The values reach the block. */
static int run_commit(const sni_commit *commit)
{
  sni_tensor_block *block = commit->request.block;
  const sn_span to = sn_span_host(commit->request.memory, block->bytes);
  const sn_span from = { commit->from->request.own, block->bytes,
                         commit->from->request.unit->device };

  if (commit->request.mode == SNI_OP_ACC)
    return sni_block_add(block, commit->request.how, to, from);
  return sni_engine_copy(block->tensor->engine, to, from);
}

/* Lock held, and let go while transfers run.  0: a holder is in the way. */
static int reserve_now(sni_request *request)
{
  sn_engine *engine = request->block->tensor->engine;

  while (sni_requests_reserve(request) != SNI_GRANTED) {
    if (sni_request_obstacle(request) != SNI_A_TRANSFER)
      return 0;
    sni_engine_wait_moved(engine);
  }
  return 1;
}

/* Lock held.  A commit of a tmp is an access of its own, and comes too late for what is left to
 * children. */
static int check_left(const sn_buffer *buffer, sni_commit_kind kind)
{
  const sni_permission left = mode_of(buffer) == SN_ACCESS_TEMP_BUFFER
    ? sni_task_left(buffer->task, buffer->request.block, sni_commit_needs(kind)) : SNI_NONE;
  char why[96];

  if (left == SNI_NONE)
    return SN_OK;
  snprintf(why, sizeof why, "its children may %s the block: release it before they are submitted",
           sni_permission_name[left]);
  return refuse(buffer, SN_ESTATE, kind, why);
}

/* Whether one of the block's comes after the body. */
static int has_late(const sni_task *task, const sni_tensor_block *block)
{
  for (const sni_commit *commit = task->commits; commit; commit = commit->next)
    if (commit->request.block == block)
      return 1;
  return 0;
}

/* Behind those that come after the body before it: in the order of the releases. */
static void commit_later(sni_task *task, sni_commit *commit)
{
  sni_commit *last = task->commits;

  if (!last) {
    task->commits = commit;
    return;
  }
  while (last->next)
    last = last->next;
  last->next = commit;
  last->request.next = &commit->request;
}

/* Lock held, and let go in between. */
static int commit_now_or_later(sn_buffer *buffer, sni_commit_kind kind)
{
  sni_task *task = buffer->task;
  sni_commit *commit;
  int code;

  SN_TRY(check_left(buffer, kind));
  if (!buffer->request.block->home)
    return SN_OK;                /* zero blocks take no writes */
  commit = sni_pool_take(task->engine, sizeof *commit);
  if (!commit)
    return sni_engine_fail(task->engine, SN_ENOMEM, "no memory to commit a buffer");
  memset(commit, 0, sizeof *commit);
  commit->from = buffer;
  commit->how = kind;
  commit->request.block = buffer->request.block;
  commit->request.unit = &task->engine->units[0];
  commit->request.mode = kind == SNI_COMMIT_PUT ? SNI_OP_WRITE : SNI_OP_ACC;
  commit->request.how = kind;
  commit->request.is_direct = 1;
  if (has_late(task, commit->request.block) || !reserve_now(&commit->request)) {
    commit_later(task, commit);
    return SN_OK;
  }
  count_commit(commit);
  sni_mutex_unlock(&task->engine->lock);
  code = run_commit(commit);
  sni_mutex_lock(&task->engine->lock);
  (void)sni_request_release(&commit->request, code == SN_OK);
  sni_pool_give(task->engine, commit, sizeof *commit);
  return code;
}

int sni_commits_run(sni_task *task)
{
  int code = SN_OK;

  for (const sni_commit *commit = task->commits; commit && code == SN_OK; commit = commit->next)
    code = run_commit(commit);
  return code;
}

static void free_extra(sni_task *task)
{
  while (task->extra) {
    sn_buffer *buffer = task->extra;
    task->extra = buffer->next;
    sni_pool_give(task->engine, buffer, sizeof *buffer);
  }
}

static void give_back(sn_buffer *buffer, int has_committed)
{
  if (buffer->request.is_granted)
    (void)sni_request_release(&buffer->request, has_committed);
  sni_buffer_let_go(buffer);
}

void sni_commits_end(sni_task *task)
{
  while (task->commits) {
    sni_commit *commit = task->commits;
    task->commits = commit->next;
    if (commit->request.is_granted) {
      count_commit(commit);
      (void)sni_request_release(&commit->request, task->code == SN_OK);
    }
    give_back(commit->from, 0);
    sni_pool_give(task->engine, commit, sizeof *commit);
  }
  free_extra(task);
  sni_blocked_release(task);
  sni_engine_changed(task->engine);
}

/* ---- releasing ---- */

/* Whether a commit after the body still needs its memory. */
static int is_awaited(const sni_task *task, const sn_buffer *buffer)
{
  for (const sni_commit *commit = task->commits; commit; commit = commit->next)
    if (commit->from == buffer)
      return 1;
  return 0;
}

static sn_span span_of(const sn_buffer *buffer)
{
  const sn_span span = { sni_request_memory(&buffer->request), buffer->request.block->bytes,
                         buffer->request.unit->device };

  return span;
}

/* Off the lock: the values reach the block. */
static int move_values(sn_buffer *buffer, sn_buffer *original)
{
  if (buffer != original)
    SN_TRY(sni_engine_copy(buffer->task->engine, span_of(original), span_of(buffer)));
  return sni_request_commit(&original->request);
}

/* Lock held.  A copy's own memory goes; the access ends with a commit, or with the last of its
 * buffers. */
static void end_buffer(sn_buffer *buffer, sni_commit_kind kind)
{
  sn_buffer *original = buffer->original ? buffer->original : buffer;

  buffer->state = SNI_RETURNED;
  if (buffer != original) {
    original->copies--;
    give_back(buffer, 0);
  }
  if (kind != SNI_COMMIT_PLAIN)
    give_back(original, 1);
  else if (original->state == SNI_RETURNED && !original->copies &&
           !is_awaited(original->task, original))
    give_back(original, 0);
}

static int release(sn_buffer *buffer, sni_commit_kind kind)
{
  sn_buffer *original;
  sn_engine *engine;
  int code = SN_OK, is_late;

  SN_TRY(sni_engine_may_call(SNI_TASK_ENGINE(buffer)));
  engine = buffer->task->engine;
  SN_TRY(check_commit(buffer, kind));
  original = buffer->original ? buffer->original : buffer;
  /* Also a private buffer in place of an accumulated block. */
  is_late = kind != SNI_COMMIT_PLAIN && original->request.mode == SNI_OP_TMP;
  if (kind != SNI_COMMIT_PLAIN)
    SN_TRY(move_values(buffer, original));
  sni_mutex_lock(&engine->lock);
  if (is_late)
    code = commit_now_or_later(original, kind);
  if (code == SN_OK) {
    original->is_committed |= kind != SNI_COMMIT_PLAIN;
    end_buffer(buffer, is_late ? SNI_COMMIT_PLAIN : kind);
    sni_blocked_release(buffer->task);
    sni_engine_changed(engine);
  }
  sni_mutex_unlock(&engine->lock);
  return code;
}

#define COMMIT(name, function, permission, text) \
  int sn_buffer_##function(sn_buffer *buffer)    \
  {                                              \
    return release(buffer, SNI_COMMIT_##name);   \
  }
#include "runtime/host/exec/commits.def"
#undef COMMIT

void sn_buffer_free(sn_buffer *buffer)
{
  /* Of an original that cannot be given up nothing goes: the task's end finds it unreleased. */
  if (!sni_is_gone(buffer) && buffer->state == SNI_HANDED &&
      (buffer->original || is_cancellable(buffer) || fitting(buffer) == SNI_COMMIT_PLAIN))
    (void)release(buffer, SNI_COMMIT_PLAIN);
}

/* ---- giving up what was declared ---- */

/* Lock held. */
static int cancel(sni_task *task, const sni_tensor_block *block)
{
  char text[SNI_BLOCK_NAME], name[SNI_NAME];
  int cancelled = 0, is_out = 0;

  for (int k = 0; k < task->buffer_count; k++) {
    sn_buffer *buffer = &task->buffers[k];
    if (buffer->request.block != block)
      continue;
    is_out |= buffer->state == SNI_HANDED;
    if (buffer->state != SNI_DECLARED)
      continue;
    buffer->state = SNI_RETURNED;
    give_back(buffer, 0);
    cancelled = 1;
  }
  if (!cancelled)
    return sni_engine_fail(task->engine, SN_ESTATE, "'%s' gives up %s: %s",
                           sni_task_name(task, name), sni_block_name(block, text),
                           is_out ? "its buffer has been handed out: release that"
                                  : "it has declared no access to it that is left");
  sni_blocked_release(task);
  sni_engine_changed(task->engine);
  return SN_OK;
}

int sn_run_cancel(sn_run *run, sn_tensor *tensor, int64_t block)
{
  char name[SNI_NAME];
  sni_task *task;
  int code;

  SN_TRY(sni_engine_may_call(SNI_TASK_ENGINE(run)));
  task = run->task;
  if (sni_is_gone(tensor) || tensor->engine != task->engine)
    return SN_EINVAL;
  if (block < 0 || block >= tensor->block_count)
    return sni_engine_fail(task->engine, SN_EBOUNDS,
                           "'%s' gives up block %lld of %s, which has blocks 0 to %lld",
                           sni_task_name(task, name), (long long)block, tensor->name,
                           (long long)tensor->block_count - 1);
  sni_mutex_lock(&task->engine->lock);
  code = cancel(task, &tensor->blocks[block]);
  sni_mutex_unlock(&task->engine->lock);
  return code;
}

/* ---- what the body left ---- */

static int is_unreleased_write(const sn_buffer *buffer)
{
  const uint32_t mode = mode_of(buffer);

  return buffer->state == SNI_HANDED && !buffer->original && !is_cancellable(buffer) &&
         mode >= SN_ACCESS_WRITE_BUFFER && mode <= SN_ACCESS_ACCUMULATE_BUFFER;
}

static int end_one(sni_task *task, sn_buffer *buffer)
{
  const int is_unreleased = is_unreleased_write(buffer);
  char text[SNI_BLOCK_NAME], name[SNI_NAME];

  sni_alive_end(buffer);
  if (is_unreleased && task->code == SN_OK)
    sni_engine_fail(task->engine, SN_ESTATE,
                    "'%s' has ended with an unreleased write: its %s buffer of %s was neither put "
                    "nor added", sni_task_name(task, name), access_name(buffer),
                    sni_block_name(buffer->request.block, text));
  /* A block that was written to in place is no longer what it was. */
  if (!is_awaited(task, buffer))
    give_back(buffer, is_unreleased && !buffer->request.own);
  return is_unreleased;
}

int sni_buffers_end(sni_task *task)
{
  int unreleased = 0;

  for (int k = 0; k < task->buffer_count; k++)
    unreleased |= end_one(task, &task->buffers[k]);
  for (sn_buffer *buffer = task->extra; buffer; buffer = buffer->next)
    unreleased |= end_one(task, buffer);
  if (!task->commits)
    free_extra(task);
  sni_blocked_release(task);
  return unreleased ? SN_ESTATE : SN_OK;
}
