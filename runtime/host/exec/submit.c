/* Submission: what a task may and will do is checked and merged by block, then the task takes
 * its place in the order.  What is refused changes nothing.
 */
#include "runtime/host/exec/task.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const sni_permission_name[] = { "nothing", "read", "accumulate", "write" };

const char *sni_task_name(const sni_task *task, char text[SNI_NAME])
{
  if (task->name)
    return task->name;
  snprintf(text, SNI_NAME, "task %llu", (unsigned long long)task->number);
  return text;
}

/* ---- wishes: permissions, block by block ---- */

typedef struct wish {
  sni_tensor_block *block;
  sni_permission permission;
} wish;

enum { FEW = 32 };

typedef struct wishes {
  sn_engine *engine;
  const char *name;              /* of the task, in messages */
  wish few[FEW], *at;
  size_t count, capacity;        /* capacity 0: few */
  sni_permission permission;     /* of the use that is being visited */
  int failed;
} wishes;

static void add_wish(sni_tensor_block *block, void *user)
{
  wishes *w = user;
  void *grown = w->capacity ? w->at : NULL;
  size_t capacity = w->capacity;

  if (w->count == (w->capacity ? w->capacity : FEW)) {
    sni_mutex_lock(&w->engine->memory_lock);
    if (!sni_grow(&w->engine->accounts, &grown, &capacity, 2 * w->count, sizeof *w->at))
      w->failed = 1;
    sni_mutex_unlock(&w->engine->memory_lock);
    if (w->failed)
      return;
    if (!w->capacity)
      memcpy(grown, w->few, sizeof w->few);
    w->at = grown;
    w->capacity = capacity;
  }
  w->at[w->count].block = block;
  w->at[w->count++].permission = w->permission;
}

static void drop_wishes(wishes *w)
{
  if (w->capacity)
    sni_engine_delete(w->engine, w->at, w->capacity, sizeof *w->at);
}

static int by_block(const void *a, const void *b)
{
  const uintptr_t x = (uintptr_t)((const wish *)a)->block, y = (uintptr_t)((const wish *)b)->block;

  return (x > y) - (x < y);
}

/* In the order of the blocks, each once. */
static void merge_wishes(wishes *w)
{
  size_t kept = 0;
  int is_sorted = 1;

  for (size_t k = 1; k < w->count && is_sorted; k++)
    is_sorted = by_block(&w->at[k - 1], &w->at[k]) <= 0;
  if (!is_sorted)
    qsort(w->at, w->count, sizeof *w->at, by_block);
  for (size_t k = 0; k < w->count; k++)
    if (kept && w->at[kept - 1].block == w->at[k].block)
      w->at[kept - 1].permission =
        sni_permission_merge(w->at[kept - 1].permission, w->at[k].permission);
    else
      w->at[kept++] = w->at[k];
  w->count = kept;
}

static sni_permission find_wish(const wishes *w, const sni_tensor_block *block)
{
  const wish key = { (sni_tensor_block *)(uintptr_t)block, SNI_NONE };
  const wish *found = bsearch(&key, w->at, w->count, sizeof *w->at, by_block);

  return found ? found->permission : SNI_NONE;
}

sni_permission sni_task_may(const sni_task *task, const sni_tensor_block *block)
{
  int low = 0, high = task->part_count;

  while (low < high) {
    const int middle = low + (high - low) / 2;
    if ((uintptr_t)task->parts[middle].block < (uintptr_t)block)
      low = middle + 1;
    else
      high = middle;
  }
  return low < task->part_count && task->parts[low].block == block
           ? task->parts[low].permission : SNI_NONE;
}

/* ---- uses ---- */

/* By kind: the least permission that it needs. */
static const sni_permission needed[] = {
  [SN_PERMISSION_READ] = SNI_READ, [SN_PERMISSION_WRITE] = SNI_WRITE,
  [SN_PERMISSION_ACCUMULATE] = SNI_ACCUMULATE, [SN_ACCESS_READ_BUFFER] = SNI_READ,
  [SN_ACCESS_WRITE_BUFFER] = SNI_WRITE, [SN_ACCESS_READ_WRITE_BUFFER] = SNI_WRITE,
  [SN_ACCESS_ACCUMULATE_BUFFER] = SNI_ACCUMULATE, [SN_ACCESS_TEMP_BUFFER] = SNI_NONE
};

static uint32_t mode_of(const sn_use *use)
{
  return use->kind & ~(uint32_t)SN_CANCELLABLE;
}

static int is_access(const sn_use *use)
{
  return mode_of(use) >= SN_ACCESS_READ_BUFFER;
}

static sni_tensor_block *block_of(const sn_use *use)
{
  return &use->where.tensor->blocks[sn_tensor_block(use->where.tensor, use->where.lo)];
}

static int check_use(const wishes *w, const sn_use *use)
{
  const uint32_t mode = mode_of(use);
  const int may_cancel =
    mode >= SN_ACCESS_WRITE_BUFFER && mode <= SN_ACCESS_ACCUMULATE_BUFFER;

  if (mode > SN_ACCESS_TEMP_BUFFER || ((use->kind & SN_CANCELLABLE) && !may_cancel))
    return sni_engine_fail(w->engine, SN_EINVAL, "'%s': %#x is no kind of use", w->name,
                           (unsigned)use->kind);
  SN_TRY(sni_slice_check(w->engine, &use->where, w->name));
  if (is_access(use) && sn_slice_blocks(&use->where) != 1)
    return sni_engine_fail(w->engine, SN_EINVAL,
                           "'%s': an access names one block, not %lld of %s", w->name,
                           (long long)sn_slice_blocks(&use->where), use->where.tensor->name);
  return SN_OK;
}

static int collect_wishes(wishes *w, const sn_task_spec *spec)
{
  const int is_strict = w->engine->options.strict;

  for (int k = 0; k < spec->use_count; k++) {
    const sn_use *use = &spec->uses[k];
    SN_TRY(check_use(w, use));
    w->permission = needed[mode_of(use)];
    if (w->permission == SNI_NONE || (is_strict && is_access(use)))
      continue;
    sni_slice_visit(&use->where, add_wish, w);
    if (w->failed)
      return sni_engine_fail(w->engine, SN_ENOMEM, "'%s': no memory for its permissions",
                             w->name);
  }
  merge_wishes(w);
  return SN_OK;
}

/* Strict: an access implies no permission. */
static int check_accesses(const wishes *w, const sn_task_spec *spec)
{
  char text[SNI_BLOCK_NAME];

  for (int k = 0; k < spec->use_count; k++) {
    const sn_use *use = &spec->uses[k];
    sni_permission has;
    if (!is_access(use))
      continue;
    has = find_wish(w, block_of(use));
    if (!sni_permission_allows(has, needed[mode_of(use)]))
      return sni_engine_fail(w->engine, SN_EPERMISSION,
                             "'%s' declares an access to %s that needs %s; its permission there "
                             "is %s (the engine is strict)", w->name,
                             sni_block_name(block_of(use), text),
                             sni_permission_name[needed[mode_of(use)]], sni_permission_name[has]);
  }
  return SN_OK;
}

static int check_parent(const wishes *w, const sni_task *parent)
{
  char text[SNI_BLOCK_NAME], name[SNI_NAME];

  for (size_t k = 0; k < w->count; k++) {
    const sni_permission allowed = sni_task_may(parent, w->at[k].block);
    if (!sni_permission_allows(allowed, w->at[k].permission))
      return sni_engine_fail(w->engine, SN_EPERMISSION,
                             "'%s' wants %s of %s; its parent '%s' allows %s", w->name,
                             sni_permission_name[w->at[k].permission],
                             sni_block_name(w->at[k].block, text), sni_task_name(parent, name),
                             sni_permission_name[allowed]);
  }
  return SN_OK;
}

/* ---- declared buffers ---- */

static sni_operation operation_of(uint32_t mode)
{
  switch (mode) {
  case SN_ACCESS_READ_BUFFER: return SNI_OP_READ;
  case SN_ACCESS_WRITE_BUFFER: return SNI_OP_WRITE;
  case SN_ACCESS_READ_WRITE_BUFFER: return SNI_OP_RW;
  case SN_ACCESS_ACCUMULATE_BUFFER: return SNI_OP_ACC;
  default: return SNI_OP_TMP;
  }
}

/* An earlier access to the same block that shares its replica; -1: none. */
static int earlier_access(const sn_task_spec *spec, int use)
{
  for (int k = 0; k < use; k++)
    if (is_access(&spec->uses[k]) && mode_of(&spec->uses[k]) != SN_ACCESS_TEMP_BUFFER &&
        block_of(&spec->uses[k]) == block_of(&spec->uses[use]))
      return k;
  return -1;
}

/* How many buffers are declared: of two that read one block the second is not. */
static int count_buffers(const wishes *w, const sn_task_spec *spec, int *count)
{
  char text[SNI_BLOCK_NAME];

  *count = 0;
  for (int k = 0; k < spec->use_count; k++) {
    const uint32_t mode = mode_of(&spec->uses[k]);
    int earlier;
    if (!is_access(&spec->uses[k]))
      continue;
    earlier = mode == SN_ACCESS_TEMP_BUFFER ? -1 : earlier_access(spec, k);
    if (earlier >= 0 && (mode != SN_ACCESS_READ_BUFFER || mode_of(&spec->uses[earlier]) != mode))
      return sni_engine_fail(w->engine, SN_EINVAL,
                             "'%s' declares two buffers of %s that exclude each other", w->name,
                             sni_block_name(block_of(&spec->uses[k]), text));
    *count += earlier < 0;
  }
  return SN_OK;
}

static void declare_buffers(sni_task *task, const sn_task_spec *spec)
{
  sn_buffer *buffer = task->buffers;

  for (int k = 0; k < spec->use_count; k++) {
    const sn_use *use = &spec->uses[k];
    if (!is_access(use) ||
        (mode_of(use) != SN_ACCESS_TEMP_BUFFER && earlier_access(spec, k) >= 0))
      continue;
    memset(buffer, 0, sizeof *buffer);
    buffer->task = task;
    buffer->kind = use->kind;
    buffer->request.block = block_of(use);
    buffer->request.mode = operation_of(mode_of(use));
    buffer->request.is_cancellable = (use->kind & SN_CANCELLABLE) != 0;
    if (buffer > task->buffers)
      buffer[-1].request.next = &buffer->request;
    buffer++;
  }
}

/* Bytes that its declared buffers take in a unit other than home. */
static uint64_t bytes_of(const sni_task *task)
{
  uint64_t bytes = 0;

  for (int k = 0; k < task->buffer_count; k++) {
    const sni_request *request = &task->buffers[k].request;
    bytes += (request->mode != SNI_OP_TMP) * (uint64_t)request->block->bytes;
    bytes += (request->mode == SNI_OP_TMP || request->is_cancellable) *
             (uint64_t)request->block->bytes;
  }
  return bytes;
}

int sni_task_can_run_on(const sni_task *task, const sn_unit *unit)
{
  return task->body[unit->kind] && (!task->unit || task->unit == unit) &&
         (!unit->memory.capacity || !task->buffer_count ||
          bytes_of(task) <= unit->memory.capacity);
}

/* ---- the order ---- */

typedef struct drawing {
  sni_task *task;
  uint64_t mark;
  int count;
  sni_edge *edges;               /* NULL: they are counted */
} drawing;

static void draw(sni_task *earlier, void *user)
{
  drawing *d = user;

  if (earlier->mark == d->mark)
    return;
  earlier->mark = d->mark;
  if (d->edges) {
    sni_edge *edge = &d->edges[d->count];
    edge->later = d->task;
    edge->next = earlier->later;
    earlier->later = edge;
    if (d->task->engine->options.record_graph)
      sni_record_edge(earlier, d->task);
  }
  d->count++;
}

static sni_hazard *hazard_of(sni_task *parent, sni_tensor_block *block)
{
  return parent ? sni_scope_hazard(parent, block) : &block->hazard;
}

/* Deterministic sums are made in the order of the tasks: accumulating excludes others. */
static sni_permission order_of(const sn_engine *engine, sni_permission permission)
{
  return permission == SNI_ACCUMULATE && engine->options.deterministic ? SNI_WRITE : permission;
}

/* -1: no memory for a hazard. */
static int count_edges(sn_engine *engine, sni_task *parent, const wishes *w)
{
  drawing d = { NULL, ++engine->tasks->mark, 0, NULL };

  for (size_t k = 0; k < w->count; k++) {
    const sni_hazard *hazard = hazard_of(parent, w->at[k].block);
    if (!hazard)
      return -1;
    sni_order_visit(hazard, order_of(engine, w->at[k].permission), draw, &d);
  }
  return d.count;
}

static void enter_order(sni_task *task, const wishes *w, sni_edge *edges)
{
  drawing d = { task, ++task->engine->tasks->mark, 0, edges };

  for (size_t k = 0; k < w->count; k++) {
    sni_part *part = &task->parts[k];
    sni_hazard *hazard = hazard_of(task->parent, w->at[k].block);
    const sni_permission permission = order_of(task->engine, w->at[k].permission);
    part->block = w->at[k].block;
    part->permission = w->at[k].permission;
    part->member.task = task;
    part->block->tensor->users++;
    sni_order_visit(hazard, permission, draw, &d);
    sni_order_enter(hazard, &part->member, permission);
  }
  task->waits = d.count;
  task->engine->tasks->counters.edges += (uint64_t)d.count;
}

/* ---- the task ---- */

static size_t padded(size_t bytes)
{
  return (bytes + 15) & ~(size_t)15;
}

typedef struct shape {           /* what stands behind the task in its memory */
  size_t parts, buffers, edges, user, name;
} shape;

static size_t total(const shape *s)
{
  return padded(sizeof(sni_task)) + padded(s->parts * sizeof(sni_part)) +
         padded(s->buffers * sizeof(sn_buffer)) + padded(s->edges * sizeof(sni_edge)) +
         padded(s->user) + s->name;
}

/* Lays the pieces out; *edges has no place in the task itself. */
static void lay_out(sni_task *task, const shape *s, const sn_task_spec *spec, sni_edge **edges)
{
  unsigned char *at = (unsigned char *)task + padded(sizeof *task);

  task->parts = (sni_part *)(void *)at;
  task->part_count = (int)s->parts;
  at += padded(s->parts * sizeof *task->parts);
  task->buffers = (sn_buffer *)(void *)at;
  task->buffer_count = (int)s->buffers;
  at += padded(s->buffers * sizeof *task->buffers);
  *edges = (sni_edge *)(void *)at;
  at += padded(s->edges * sizeof **edges);
  task->user = spec->user;
  if (s->user)
    task->user = memcpy(at, spec->user, s->user);
  at += padded(s->user);
  if (s->name)
    task->name = memcpy(at, spec->name, s->name);
}

static sni_task **scope_of(const sni_task *task)
{
  return task->parent ? &task->parent->child : &task->engine->tasks->live;
}

void sni_scope_link(sni_task *task)
{
  sni_task **scope = scope_of(task);

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
    *scope_of(task) = task->sibling_next;
  if (task->sibling_next)
    task->sibling_next->sibling_previous = task->sibling_previous;
}

static int has_unit(sni_task *task, const char *name)
{
  sn_engine *engine = task->engine;
  sn_unit *only = NULL;
  int units = 0, bodies = 0;

  for (int k = 0; k < engine->unit_count; k++) {
    sn_unit *unit = &engine->units[k];
    bodies += task->body[unit->kind] && (!task->unit || task->unit == unit);
    if (sni_task_can_run_on(task, unit)) {
      only = unit;
      units++;
    }
  }
  if (units == 1)
    task->unit = only;
  if (units)
    return SN_OK;
  if (!bodies)
    return sni_engine_fail(engine, SN_EINVAL, "'%s' has no body for %s", name,
                           task->unit ? task->unit->name : "any unit of the engine");
  return sni_engine_fail(engine, SN_ECAPACITY,
                         "'%s' declares buffers of %llu bytes, more than %s holds", name,
                         (unsigned long long)bytes_of(task),
                         task->unit ? task->unit->name : "any unit that has a body for it");
}

/* The task with its pieces, of nobody yet; NULL: no memory. */
static sni_task *new_task(const wishes *w, sni_task *parent, const sn_task_spec *spec,
                          int buffers, sni_edge **edges)
{
  sn_engine *engine = w->engine;
  const int edge_count = count_edges(engine, parent, w);
  const shape s = { w->count, (size_t)buffers, (size_t)(edge_count < 0 ? 0 : edge_count),
                    spec->user ? spec->user_bytes : 0, spec->name ? strlen(spec->name) + 1 : 0 };
  sni_task *task = edge_count < 0 ? NULL : sni_pool_take(engine, total(&s));

  if (!task)
    return NULL;
  memset(task, 0, sizeof *task);
  task->bytes = total(&s);
  task->engine = engine;
  task->parent = parent;
  task->run.task = task;
  task->number = engine->tasks->submitted + 1;
  task->priority = spec->priority;
  task->unit = spec->unit;
  memcpy(task->body, spec->body, sizeof task->body);
  lay_out(task, &s, spec, edges);
  declare_buffers(task, spec);
  return task;
}

/* Lock held. */
static int make_task(const wishes *w, sni_task *parent, const sn_task_spec *spec, int buffers,
                     sn_event **done)
{
  sn_engine *engine = w->engine;
  sni_edge *edges;
  sni_task *task = new_task(w, parent, spec, buffers, &edges);
  int code = task ? has_unit(task, w->name) : SN_ENOMEM;

  if (code == SN_OK && done) {
    task->done = sni_event_create_held(engine, 2);
    code = task->done ? SN_OK : SN_ENOMEM;
  }
  if (code != SN_OK) {
    if (task)
      sni_pool_give(engine, task, task->bytes);
    return code == SN_ENOMEM ? sni_engine_fail(engine, code, "no memory for '%s'", w->name) : code;
  }
  engine->tasks->submitted = task->number;
  engine->tasks->counters.submitted++;
  engine->tasks->live_count++;
  sni_scope_link(task);
  if (parent)
    parent->children++;
  if (engine->options.record_graph)
    sni_record_task(task);
  enter_order(task, w, edges);
  if (done) {
    task->done->task = task;
    *done = task->done;
  }
  if (!task->waits) {
    sni_task_is_ready(task);
    sni_crews_wake(engine, NULL);
  }
  return SN_OK;
}

static int check_spec(sn_engine *engine, const sn_task_spec *spec)
{
  if (!spec || spec->size != sizeof *spec || spec->use_count < 0 ||
      (spec->use_count && !spec->uses))
    return sni_engine_fail(engine, SN_EINVAL, "a task's spec is NULL, of another size or empty");
  if (spec->unit && spec->unit->engine != engine)
    return sni_engine_fail(engine, SN_EINVAL, "'%s': its unit belongs to another engine",
                           spec->name ? spec->name : "a task");
  return SN_OK;
}

/* What can be checked without the lock; then the rest. */
static int submit(wishes *w, sni_task *parent, const sn_task_spec *spec, sn_event **done)
{
  sn_engine *engine = w->engine;
  int buffers, code;

  SN_TRY(collect_wishes(w, spec));
  if (engine->options.strict)
    SN_TRY(check_accesses(w, spec));
  if (parent)
    SN_TRY(check_parent(w, parent));
  SN_TRY(count_buffers(w, spec, &buffers));
  sni_mutex_lock(&engine->lock);
  code = sni_tasks_create(engine);
  if (code == SN_OK)
    code = make_task(w, parent, spec, buffers, done);
  sni_mutex_unlock(&engine->lock);
  return code;
}

int sni_task_submit(sn_engine *engine, sni_task *parent, const sn_task_spec *spec,
                    sn_event **done)
{
  wishes w;
  int code = check_spec(engine, spec);

  if (code == SN_OK) {
    w.engine = engine;
    w.name = spec->name ? spec->name : "a task";
    w.at = w.few;
    w.count = w.capacity = 0;
    w.failed = 0;
    code = submit(&w, parent, spec, done);
    drop_wishes(&w);
  }
  if (code != SN_OK) {
    sni_mutex_lock(&engine->lock);
    if (engine->tasks)
      engine->tasks->counters.refused++;
    sni_mutex_unlock(&engine->lock);
  }
  return code;
}

int sn_task_submit(sn_engine *engine, const sn_task_spec *spec, sn_event **done)
{
  return engine ? sni_task_submit(engine, NULL, spec, done) : SN_EINVAL;
}

int sn_task_submit_child(sn_run *run, const sn_task_spec *spec, sn_event **done)
{
  return run ? sni_task_submit(run->task->engine, run->task, spec, done) : SN_EINVAL;
}
