/* The uses of a spec: what each needs, whether that is allowed, and what they come to by block.
 * Runs without the engine's lock: what it looks at does not change.
 */
#include "runtime/host/exec/uses.h"

#include <stdlib.h>
#include <string.h>

/* ---- one use ---- */

static uint32_t mode_of(const sn_use *use)
{
  return sni_use_mode(use->kind);
}

static sni_permission permission_of(const sn_use *use)
{
  return sni_use_permission(use->kind);
}

static int is_access(const sn_use *use)
{
  return mode_of(use) >= SN_ACCESS_READ_BUFFER;
}

/* Of a use that was checked and names one. */
static sni_tensor_block *block_of(const sn_use *use)
{
  const sn_tensor *tensor = use->where.tensor;

  return &tensor->blocks[use->is_block ? use->block : sn_tensor_block(tensor, use->where.lo)];
}

static int check_block(const sni_requirements *w, const sn_use *use)
{
  const sn_tensor *tensor = use->where.tensor;

  if (sni_is_gone(tensor))
    return sni_engine_fail(w->engine, SN_EINVAL, "'%s': a use of no tensor", w->name);
  if (tensor->engine != w->engine)
    return sni_engine_fail(w->engine, SN_EINVAL, "'%s': %s belongs to another engine", w->name,
                           tensor->name);
  if (use->block < 0 || use->block >= tensor->block_count)
    return sni_engine_fail(w->engine, SN_EBOUNDS,
                           "'%s': %s has blocks 0 to %lld, and no block %lld", w->name,
                           tensor->name, (long long)tensor->block_count - 1,
                           (long long)use->block);
  return SN_OK;
}

static int check_slice(const sni_requirements *w, const sn_use *use)
{
  SN_TRY(sni_slice_check(w->engine, &use->where, w->name));
  if (is_access(use) && sn_slice_blocks(&use->where) != 1)
    return sni_engine_fail(w->engine, SN_EINVAL,
                           "'%s': an access names one block, not %lld of %s", w->name,
                           (long long)sn_slice_blocks(&use->where), use->where.tensor->name);
  return SN_OK;
}

static int check_use(const sni_requirements *w, const sn_use *use)
{
  if (!sni_use_is_kind(use->kind))
    return sni_engine_fail(w->engine, SN_EINVAL, "'%s': %#x is no kind of use", w->name,
                           (unsigned)use->kind);
  return use->is_block ? check_block(w, use) : check_slice(w, use);
}

/* ---- the set of requirements ---- */

/* One that fails stays failed: nothing is added any more. */
static int make_room(sni_requirements *w)
{
  const int is_few = w->at == w->few;
  void *grown = is_few ? NULL : w->at;
  size_t capacity = is_few ? 0 : w->capacity;

  if (w->failed)
    return 0;
  w->failed = !sni_engine_grow(w->engine, &grown, &capacity, 2 * w->count, sizeof *w->at);
  if (w->failed)
    return 0;
  if (is_few)
    memcpy(grown, w->few, sizeof w->few);
  w->at = grown;
  w->capacity = capacity;
  return 1;
}

static void add(sni_requirements *w, sni_tensor_block *block)
{
  sni_requirement *at;

  if (w->count == w->capacity && !make_room(w))
    return;
  at = &w->at[w->count++];
  at->block = block;
  at->permission = w->permission;
  at->access = 0;
}

void sni_requirements_add(sni_tensor_block *block, void *w)
{
  add(w, block);
}

void sni_requirements_begin(sni_requirements *w, sn_engine *engine, const char *name)
{
  w->engine = engine;
  w->name = name;
  w->at = w->few;
  w->count = 0;
  w->capacity = SNI_FEW_REQUIREMENTS;
  w->access_count = w->buffer_count = w->is_replay = w->failed = 0;
}

void sni_requirements_drop(sni_requirements *w)
{
  if (w->at != w->few)
    sni_engine_delete(w->engine, w->at, w->capacity, sizeof *w->at);
}

static int by_block(const void *a, const void *b)
{
  const uintptr_t x = (uintptr_t)((const sni_requirement *)a)->block;
  const uintptr_t y = (uintptr_t)((const sni_requirement *)b)->block;

  return (x > y) - (x < y);
}

/* Few are nearly in order, as they come. */
static void sort_few(sni_requirements *w)
{
  for (size_t k = 1; k < w->count; k++) {
    const sni_requirement one = w->at[k];
    size_t to = k;
    for (; to > 0 && (uintptr_t)w->at[to - 1].block > (uintptr_t)one.block; to--)
      w->at[to] = w->at[to - 1];
    w->at[to] = one;
  }
}

/* In the order of the blocks, each once: as they come, mostly. */
void sni_requirements_merge(sni_requirements *w)
{
  size_t kept = 1, ascending = 1;

  while (ascending < w->count &&
         (uintptr_t)w->at[ascending - 1].block < (uintptr_t)w->at[ascending].block)
    ascending++;
  if (ascending >= w->count)
    return;
  if (w->count <= SNI_FEW_REQUIREMENTS)
    sort_few(w);
  else
    qsort(w->at, w->count, sizeof *w->at, by_block);
  for (size_t k = 1; k < w->count; k++)
    if (w->at[kept - 1].block == w->at[k].block)
      w->at[kept - 1].permission =
        sni_permission_merge(w->at[kept - 1].permission, w->at[k].permission);
    else
      w->at[kept++] = w->at[k];
  w->count = kept;
}

/* Of a block that a use of the spec names: it is there. */
static sni_requirement *find(const sni_requirements *w, sni_tensor_block *block)
{
  const sni_requirement key = { block, SNI_NONE, 0 };

  return bsearch(&key, w->at, w->count, sizeof *w->at, by_block);
}

static int collect(sni_requirements *w, const sn_task_spec *spec)
{
  const int is_strict = w->engine->options.strict;

  for (int k = 0; k < spec->use_count; k++) {
    const sn_use *use = &spec->uses[k];
    SN_TRY(check_use(w, use));
    w->access_count += is_access(use);
    w->permission = is_strict && is_access(use) ? SNI_NONE : permission_of(use);
    if (use->is_block)
      add(w, block_of(use));
    else
      sni_slice_visit(&use->where, sni_requirements_add, w);
    if (w->failed)
      return sni_engine_fail(w->engine, SN_ENOMEM, "'%s': no memory for its permissions",
                             w->name);
  }
  sni_requirements_merge(w);
  return SN_OK;
}

/* ---- what is allowed ---- */

/* Strict: an access implies no permission. */
static int check_accesses(const sni_requirements *w, const sn_task_spec *spec)
{
  char text[SNI_BLOCK_NAME];

  for (int k = 0; k < spec->use_count; k++) {
    const sn_use *use = &spec->uses[k];
    sni_permission has, needs;
    if (!is_access(use))
      continue;
    has = find(w, block_of(use))->permission;
    needs = permission_of(use);
    if (!sni_permission_allows(has, needs))
      return sni_engine_fail(w->engine, SN_EPERMISSION,
                             "'%s' declares an access to %s that needs %s; its permission there "
                             "is %s (the engine is strict)", w->name,
                             sni_block_name(block_of(use), text), sni_permission_name[needs],
                             sni_permission_name[has]);
  }
  return SN_OK;
}

static int check_parent(const sni_requirements *w, const sni_task *parent)
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

/* The number, from 1, of the first access to the use's block that shares its replica; 0: none. */
static int *first_access(const sni_requirements *w, const sn_use *use)
{
  return &find(w, block_of(use))->access;
}

/* How many buffers are declared: of two that read one block the second is not. */
static int count_buffers(sni_requirements *w, const sn_task_spec *spec)
{
  char text[SNI_BLOCK_NAME];

  for (int k = 0; k < spec->use_count; k++) {
    const uint32_t mode = mode_of(&spec->uses[k]);
    int none = 0, *first = &none;
    if (!is_access(&spec->uses[k]))
      continue;
    if (mode != SN_ACCESS_TEMP_BUFFER)
      first = first_access(w, &spec->uses[k]);
    if (*first && (mode != SN_ACCESS_READ_BUFFER || mode_of(&spec->uses[*first - 1]) != mode))
      return sni_engine_fail(w->engine, SN_EINVAL,
                             "'%s' declares two buffers of %s that exclude each other", w->name,
                             sni_block_name(block_of(&spec->uses[k]), text));
    w->buffer_count += !*first;
    *first = *first ? *first : k + 1;
  }
  return SN_OK;
}

void sni_buffers_declare(const sni_requirements *w, sni_task *task, const sn_task_spec *spec)
{
  sn_buffer *buffer = task->buffers;

  for (int k = 0; k < spec->use_count; k++) {
    const sn_use *use = &spec->uses[k];
    if (!is_access(use) ||
        (mode_of(use) != SN_ACCESS_TEMP_BUFFER && *first_access(w, use) != k + 1))
      continue;
    memset(buffer, 0, sizeof *buffer);
    buffer->task = task;
    buffer->kind = use->kind;
    buffer->request.block = block_of(use);
    buffer->request.mode = sni_kind_rows[mode_of(use)].operation;
    buffer->request.how = sni_use_accumulates(use->kind);
    buffer->request.is_cancellable = (use->kind & SN_CANCELLABLE) != 0;
    if (buffer > task->buffers)
      buffer[-1].request.next = &buffer->request;
    buffer++;
  }
}

/* ---- all of it ---- */

int sni_requirements_collect(sni_requirements *w, sn_engine *engine, const sni_task *parent,
                             const sn_task_spec *spec)
{
  sni_requirements_begin(w, engine, spec->name ? spec->name : "a task");
  SN_TRY(collect(w, spec));
  if (w->access_count && engine->options.strict)
    SN_TRY(check_accesses(w, spec));
  if (parent && !parent->is_recording)      /* a recording is allowed everything */
    SN_TRY(check_parent(w, parent));
  return w->access_count ? count_buffers(w, spec) : SN_OK;
}
