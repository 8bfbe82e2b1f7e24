/* Code of functions: entries are checked, copied, counted with the nodes that they use. */
#include "runtime/host/base/process.h"
#include "runtime/host/base/text.h"
#include "runtime/host/exec/array_set.h"
#include "runtime/host/exec/code.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what is wrong with an entry ---- */

static int check_use(sn_engine *engine, const sn_entry *entry, int k)
{
  const sn_node_use *use = &entry->uses[k];

  if (!use->node || (int)use->kind < SN_NODE_READ || use->kind > SN_NODE_MERGE)
    return sni_engine_fail(engine, SN_EINVAL, "entry '%s': use %d names no node, or is of no kind",
                           entry->name, k);
  if (use->node->engine != engine)
    return sni_engine_fail(engine, SN_EINVAL, "entry '%s': node '%s' is another engine's",
                           entry->name, use->node->name);
  for (int i = 0; i < k; i++) {
    const sn_node_use *other = &entry->uses[i];
    if (use->kind == SN_NODE_MERGE && other->kind == SN_NODE_MERGE)
      return sni_engine_fail(engine, SN_EINVAL, "entry '%s' reads two merge nodes, '%s' and '%s': "
                             "a queue has one merge buffer", entry->name, other->node->name,
                             use->node->name);
    if (use->node == other->node && (use->kind == SN_NODE_MERGE) == (other->kind == SN_NODE_MERGE))
      return sni_engine_fail(engine, SN_EINVAL, "entry '%s' names node '%s' twice: one use says "
                             "all that it does to it", entry->name, use->node->name);
  }
  return SN_OK;
}

static int check_index(sn_engine *engine, const sn_entry *entry, int k)
{
  const sn_static_index *index = &entry->indices[k];

  if (!index->name || !index->name[0] || index->extent < 0)
    return sni_engine_fail(engine, SN_EINVAL, "entry '%s': index %d has no name, or an extent "
                           "below 0", entry->name, k);
  for (int i = 0; i < k; i++)
    if (strcmp(entry->indices[i].name, index->name) == 0)
      return sni_engine_fail(engine, SN_EINVAL, "entry '%s' has two indices named '%s'",
                             entry->name, index->name);
  return SN_OK;
}

static int check_entry(sn_engine *engine, const sn_entry *entry)
{
  if (!entry->name || !entry->name[0] || entry->use_count < 0 || entry->index_count < 0 ||
      (entry->use_count && !entry->uses) ||
      (entry->index_count && !entry->indices))
    return sni_engine_fail(engine, SN_EINVAL,
                           "an entry without a name, or with uses or indices that are not there");
  for (int k = 0; k < entry->use_count; k++)
    SN_TRY(check_use(engine, entry, k));
  for (int k = 0; k < entry->index_count; k++)
    SN_TRY(check_index(engine, entry, k));
  return SN_OK;
}

/* ---- entries of callers of before ---- */

int sni_entries_take(sni_entries *taken, sn_engine *engine, const sn_entry *entries, int count)
{
  static const sn_entry standard = SN_ENTRY_INIT;
  const size_t size = entries ? entries->size : 0;
  const sn_entry *sized;

  taken->engine = engine;
  taken->entries = entries;
  taken->own = NULL;
  taken->count = count;
  if (!entries || count < 1)
    return SN_EINVAL;
  if (size == sizeof standard)
    return SN_OK;
  taken->own = sni_engine_new(engine, (size_t)count, sizeof standard);
  if (!taken->own)
    return sni_engine_fail(engine, SN_ENOMEM, "no memory for entries");
  taken->entries = taken->own;
  for (int k = 0; k < count; k++) {
    sized = sni_engine_sized(engine, "an entry", (const char *)entries + (size_t)k * size,
                             &taken->own[k], &standard, sizeof standard);
    if (!sized) {
      sni_entries_drop(taken);
      return SN_EINVAL;
    }
  }
  return SN_OK;
}

void sni_entries_drop(sni_entries *taken)
{
  if (taken->own)
    sni_engine_delete(taken->engine, taken->own, (size_t)taken->count, sizeof *taken->own);
}

/* ---- copies ---- */

/* An array of its own; count 0: NULL.  0: no memory. */
static int copy_of(sn_engine *engine, void *to, const void *from, int count, size_t bytes)
{
  void *copy;

  if (!count)
    return 1;
  copy = sni_engine_new(engine, (size_t)count, bytes);
  if (!copy)
    return 0;
  memcpy(copy, from, (size_t)count * bytes);
  memcpy(to, &copy, sizeof copy);
  return 1;
}

static int copy_indices(sn_engine *engine, sni_entry *to, const sn_entry *from)
{
  if (!copy_of(engine, &to->indices, from->indices, from->index_count, sizeof *from->indices))
    return 0;
  to->index_count = from->index_count;
  for (int k = 0; k < to->index_count; k++)
    to->indices[k].name = NULL;
  for (int k = 0; k < to->index_count; k++) {
    char *name = NULL;
    if (!copy_of(engine, &name, from->indices[k].name, (int)strlen(from->indices[k].name) + 1, 1))
      return 0;
    to->indices[k].name = name;
  }
  return 1;
}

static int copy_entry(sn_engine *engine, sni_entry *to, const sn_entry *from)
{
  (void)sni_text_copy(to->name, sizeof to->name, from->name);
  to->run = from->run;
  to->user = from->user;
  if (!copy_indices(engine, to, from) ||
      !copy_of(engine, &to->uses, from->uses, from->use_count, sizeof *from->uses))
    return 0;
  to->use_count = from->use_count;
  for (int k = 0; k < to->use_count; k++) {
    to->uses[k].node->uses++;
    if (to->uses[k].kind == SN_NODE_MERGE)
      to->merge = to->uses[k].node;
  }
  return 1;
}

static void free_entry(sn_engine *engine, sni_entry *entry)
{
  for (int k = 0; k < entry->use_count; k++)
    entry->uses[k].node->uses--;
  for (int k = 0; k < entry->index_count; k++)
    if (entry->indices[k].name)
      sni_engine_delete(engine, (void *)(uintptr_t)entry->indices[k].name,
                        strlen(entry->indices[k].name) + 1, 1);
  if (entry->indices)
    sni_engine_delete(engine, entry->indices, (size_t)entry->index_count, sizeof *entry->indices);
  if (entry->uses)
    sni_engine_delete(engine, entry->uses, (size_t)entry->use_count, sizeof *entry->uses);
}

void sni_code_end(sn_code *code)
{
  sn_engine *engine = code->engine;

  for (int k = 0; k < code->count; k++)
    free_entry(engine, &code->entries[k]);
  if (code->entries)
    sni_engine_delete(engine, code->entries, (size_t)code->count, sizeof *code->entries);
  if (code->library)
    sni_library_close(code->library);
  engine->code_count--;
  sni_engine_delete(engine, code, 1, sizeof *code);
}

/* linking held. */
static int build(sn_code *code, const sn_entry *entries, int count)
{
  code->entries = sni_engine_new(code->engine, (size_t)count, sizeof *code->entries);
  if (!code->entries)
    return 0;
  code->count = count;
  for (int k = 0; k < count; k++)
    if (!copy_entry(code->engine, &code->entries[k], &entries[k]))
      return 0;
  return 1;
}

int sni_code_create(sn_engine *engine, const sn_entry *entries, int count, sn_code **out)
{
  sn_code *code;
  int is_built;

  for (int k = 0; k < count; k++)
    SN_TRY(check_entry(engine, &entries[k]));
  code = sni_engine_new(engine, 1, sizeof *code);
  if (!code)
    return sni_engine_fail(engine, SN_ENOMEM, "no memory for code");
  code->engine = engine;
  sni_mutex_lock(&engine->linking);
  engine->code_count++;
  is_built = build(code, entries, count);
  if (!is_built)
    sni_code_end(code);
  sni_mutex_unlock(&engine->linking);
  if (!is_built)
    return sni_engine_fail(engine, SN_ENOMEM, "no memory for code");
  *out = code;
  return SN_OK;
}

/* ---- the user's calls ---- */

int sn_code_create(sn_engine *engine, const sn_entry *entries, int count, sn_code **out)
{
  sni_entries taken;
  int result = SN_OK;

  SN_TRY(sni_engine_may_call(SNI_ALIVE(engine)));
  if (!out)
    return SN_EINVAL;
  SN_TRY(sni_entries_take(&taken, engine, entries, count));
  for (int k = 0; k < count && result == SN_OK; k++)
    if (!taken.entries[k].run)
      result = sni_engine_fail(engine, SN_EINVAL, "entry %d has no function", k);
  if (result == SN_OK)
    result = sni_code_create(engine, taken.entries, count, out);
  sni_entries_drop(&taken);
  return result;
}

int sni_code_check_unused(const sn_code *code)
{
  if (code->routines)
    return sni_engine_fail(code->engine, SN_ESTATE, "code with entry '%s' still has %d routines",
                           code->entries[0].name, code->routines);
  return SN_OK;
}

int sni_code_uses(const sn_code *code, const sn_node *node)
{
  int uses = 0;

  for (int k = 0; k < code->count; k++)
    for (int u = 0; u < code->entries[k].use_count; u++)
      uses += code->entries[k].uses[u].node == node;
  return uses;
}

int sn_code_destroy(sn_code *code)
{
  sn_engine *engine;
  int result;

  if (!code)
    return SN_OK;
  SN_TRY(sni_engine_may_call(code->engine));
  engine = code->engine;
  sni_mutex_lock(&engine->linking);
  result = sni_code_check_unused(code);
  if (result == SN_OK)
    sni_code_end(code);
  sni_mutex_unlock(&engine->linking);
  return result;
}

int sn_code_entries(const sn_code *code)
{
  return code ? code->count : 0;
}

const char *sn_code_entry_name(const sn_code *code, int entry)
{
  return code && entry >= 0 && entry < code->count ? code->entries[entry].name : "no entry";
}

/* ---- the routines of a context ---- */

void sni_routines_orphan(sni_array_set *array_set)
{
  sn_routine *routine = array_set->routines;

  while (routine) {
    sn_routine *next = routine->next;
    routine->array_set = NULL;
    routine->next = NULL;
    routine = next;
  }
  array_set->routines = NULL;
}

int sni_routine_check_idle(sn_routine *routine)
{
  int runs;

  sni_mutex_lock(&routine->engine->lock);
  runs = routine->runs;
  sni_mutex_unlock(&routine->engine->lock);
  if (runs)
    return sni_engine_fail(routine->engine, SN_ESTATE,
                           "routine '%s' is enqueued %d times: await the queue first",
                           routine->entry->name, runs);
  return SN_OK;
}

int sni_routines_check_idle(const sni_array_set *array_set)
{
  for (sn_routine *routine = array_set->routines; routine; routine = routine->next)
    SN_TRY(sni_routine_check_idle(routine));
  return SN_OK;
}
