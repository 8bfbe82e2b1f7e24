/* Linking: an entry finds or makes its arrays, below a context, and becomes a routine.
 *
 * All of it or nothing: what was learnt about nodes is taken back, and the child context goes,
 * when one of its uses is refused.
 */
#include "runtime/host/base/text.h"
#include "runtime/host/exec/array_set.h"
#include "runtime/host/exec/code.h"
#include "runtime/host/exec/mode.h"
#include "runtime/host/exec/share.h"

#include <stdio.h>
#include <string.h>

/* ---- one use ---- */

typedef struct linking {
  sn_routine *routine;
  sni_array_set *parent, *child;
  const sni_known **known;        /* of each use's node, before */
  char who[SNI_NAME + 16];       /* the provenance of what it learns */
} linking;

static int is_modified(sn_node_use_kind kind)
{
  return kind == SN_NODE_WRITE || kind == SN_NODE_READ_WRITE;
}

/* What devices must not change. */
static int check_modified(linking *l, const sn_node *node)
{
  const sn_mode mode = sni_node_mode(node);

  if (mode == SN_MODE_HOSTED_CONSTANT || mode == SN_MODE_HOSTED_VOLATILE ||
      mode == SN_MODE_EFFECTIVELY_CONSTANT)
    return sni_engine_fail(node->engine, SN_ESTATE, "%s writes node '%s', which is %s by '%s'",
                           l->who, node->name, sn_mode_name(mode), sni_node_reason(node));
  return SN_OK;
}

/* A local node has an array of the routine's own, which no context sees. */
static int link_local(linking *l, const sn_node_use *use, sni_array **out)
{
  if (use->kind != SN_NODE_WRITE)
    return sni_engine_fail(use->node->engine, SN_ESTATE,
                           "%s reads node '%s' before it writes it, which is local by '%s': its "
                           "values do not outlive a run", l->who, use->node->name,
                           sni_node_reason(use->node));
  return sni_array_create(l->parent->unit, use->node, out);
}

/* Whether the child may have an array of what it reads and nobody above has: values that stand. */
static int is_given(const linking *l, const sn_node *node)
{
  if (sni_node_mode(node) == SN_MODE_HOSTED_CONSTANT ||
      sni_node_mode(node) == SN_MODE_EFFECTIVELY_CONSTANT)
    return 1;
  if (sni_node_sharing(node) != SN_SHARING_ACROSS_QUEUES)
    return 0;
  for (const sni_array *array = node->arrays; array; array = array->next)
    if (array->unit == l->parent->unit)
      return 1;
  return 0;
}

static int find_or_make(linking *l, const sn_node_use *use, sni_array **out)
{
  sn_node *node = use->node;

  *out = sni_array_set_find(l->child, node);
  if (*out)
    return SN_OK;
  if (use->kind == SN_NODE_READ && sni_share_is_candidate(l->parent, node))
    SN_TRY(sni_node_share(node, SN_SHARING_ACROSS_QUEUES, l->who));
  if (use->kind != SN_NODE_WRITE && !is_given(l, node))
    return sni_engine_fail(node->engine, SN_EINVAL,
                           "%s %s node '%s', which context '%s' lacks: add it, or link what "
                           "writes it first", l->who,
                           use->kind == SN_NODE_READ ? "reads" : "changes", node->name,
                           l->parent->name);
  SN_TRY(sni_array_set_add(l->child, node, l->who));
  *out = sni_array_set_find(l->child, node);
  return SN_OK;
}

/* What is not shared is per queue, once it is written. */
static int link_writer(linking *l, sn_node *node)
{
  const sn_mode mode = sni_node_mode(node);

  if (sni_node_sharing(node) != SN_SHARING_ACROSS_QUEUES &&
      (mode == SN_MODE_ON_DEVICE || mode == SN_MODE_HOSTED_NONCONSTANT ||
       mode == SN_MODE_HOSTED_CHANGED))
    return sni_node_share(node, SN_SHARING_PER_QUEUE, l->who);
  return SN_OK;
}

static int link_use(linking *l, const sn_node_use *use, sni_array **out)
{
  if (use->kind == SN_NODE_MERGE)
    return SN_OK;
  if (sni_node_mode(use->node) == SN_MODE_LOCAL)
    return link_local(l, use, out);
  if (is_modified(use->kind))
    SN_TRY(check_modified(l, use->node));
  SN_TRY(sni_node_refine(use->node, SN_MODE_MATERIALIZED, l->who));
  SN_TRY(find_or_make(l, use, out));
  return is_modified(use->kind) ? link_writer(l, use->node) : SN_OK;
}

/* ---- the routine ---- */

static void free_routine(sn_routine *routine)
{
  sn_engine *engine = routine->engine;
  const sni_entry *entry = routine->entry;

  for (int k = 0; routine->arrays && k < entry->use_count; k++)
    if (routine->arrays[k] && sni_node_mode(entry->uses[k].node) == SN_MODE_LOCAL)
      sni_array_destroy(routine->arrays[k]);
  if (routine->arrays)
    sni_engine_delete(engine, routine->arrays, (size_t)entry->use_count, sizeof(sni_array *));
  if (routine->values)
    sni_engine_delete(engine, routine->values, (size_t)entry->index_count, sizeof(int64_t));
  if (routine->has_value)
    sni_engine_delete(engine, routine->has_value, (size_t)entry->index_count, 1);
  sni_engine_delete(engine, routine, 1, sizeof *routine);
}

static sn_routine *new_routine(sn_code *code, const sni_entry *entry, sn_unit *unit)
{
  sn_engine *engine = code->engine;
  sn_routine *routine = sni_engine_new(engine, 1, sizeof *routine);

  if (!routine)
    return NULL;
  routine->entry = entry;
  routine->code = code;
  routine->engine = engine;
  routine->unit = unit;
  if (entry->use_count)
    routine->arrays = sni_engine_new(engine, (size_t)entry->use_count, sizeof(sni_array *));
  if (entry->index_count) {
    routine->values = sni_engine_new(engine, (size_t)entry->index_count, sizeof(int64_t));
    routine->has_value = sni_engine_new(engine, (size_t)entry->index_count, 1);
  }
  if ((entry->use_count && !routine->arrays) ||
      (entry->index_count && (!routine->values || !routine->has_value))) {
    free_routine(routine);
    return NULL;
  }
  return routine;
}

/* Every use, or the code of the first that is refused, with all of them taken back. */
static int link_uses(linking *l, const sni_entry *entry)
{
  int code = SN_OK, k;

  for (k = 0; k < entry->use_count && code == SN_OK; k++) {
    l->known[k] = entry->uses[k].node->known;
    code = link_use(l, &entry->uses[k], &l->routine->arrays[k]);
  }
  while (code != SN_OK && k-- > 0)
    sni_node_forget(entry->uses[k].node, l->known[k]);
  return code;
}

/* The first is what a node's explanation names. */
static void note_writers(const linking *l, const sni_entry *entry)
{
  for (int k = 0; k < entry->use_count; k++) {
    sni_array *array = l->routine->arrays[k];
    if (is_modified(entry->uses[k].kind) && !array->writer[0])
      snprintf(array->writer, sizeof array->writer, "%s", entry->name);
  }
}

static int link_all_uses(linking *l, const sni_entry *entry)
{
  sn_engine *engine = l->parent->engine;
  int code;

  if (!entry->use_count)
    return SN_OK;
  l->known = sni_engine_new(engine, (size_t)entry->use_count, sizeof *l->known);
  if (!l->known)
    return sni_engine_fail(engine, SN_ENOMEM, "%s: no memory to link it", l->who);
  code = link_uses(l, entry);
  sni_engine_delete(engine, l->known, (size_t)entry->use_count, sizeof *l->known);
  if (code == SN_OK)
    note_writers(l, entry);
  return code;
}

/* linking held.  *child: a context that was made; the caller destroys it after an error. */
static int link_entry(sn_code *code, const sni_entry *entry, sni_array_set *parent,
                      sn_context **child, sn_routine **out)
{
  linking l = { NULL, parent, NULL, NULL, "" };
  char name[2 * SNI_NAME];
  int result;

  snprintf(l.who, sizeof l.who, "routine %s", entry->name);
  (void)sni_text_copy(name, sizeof name - SNI_NAME, parent->name);
  snprintf(name + strlen(name), sizeof name - strlen(name), ".%s", entry->name);
  SN_TRY(sni_context_create_below(parent, name, child));
  l.child = sni_array_set_of(*child);
  l.routine = new_routine(code, entry, parent->unit);
  if (!l.routine)
    return sni_engine_fail(code->engine, SN_ENOMEM, "%s: no memory to link it", l.who);
  result = link_all_uses(&l, entry);
  if (result != SN_OK) {
    free_routine(l.routine);
    return result;
  }
  l.routine->array_set = l.child;
  l.routine->next = l.child->routines;
  l.child->routines = l.routine;
  code->routines++;
  *out = l.routine;
  return SN_OK;
}

static int check_link(const sn_code *code, const sni_entry *entry, const sni_array_set *parent,
                      const sn_node *merge)
{
  if (code->engine != parent->engine)
    return sni_engine_fail(code->engine, SN_EINVAL,
                           "entry '%s': context '%s' is another engine's", entry->name,
                           parent->name);
  if (!entry->run)
    return sni_engine_fail(code->engine, SN_EINVAL, "entry '%s' was left out of its code",
                           entry->name);
  if (merge && entry->merge && merge != entry->merge)
    return sni_engine_fail(code->engine, SN_EINVAL, "entry '%s' expects node '%s' in the merge "
                           "buffer, and will be sent '%s'", entry->name, entry->merge->name,
                           merge->name);
  return SN_OK;
}

int sn_code_link(sn_code *code, int entry, sn_context *context, const sn_link_options *options,
                 sn_routine **out)
{
  static const sn_link_options standard = SN_LINK_OPTIONS_INIT;
  sni_array_set *parent = sni_array_set_of(context);
  sn_context *child = NULL;
  sn_link_options own;
  const sn_link_options *o;
  int result;

  SN_TRY(sni_engine_may_call(SNI_ENGINE_OR_NULL(code)));
  o = sni_engine_sized(code->engine, "the options of a link", options, &own, &standard, sizeof own);
  if (!parent || !out || !o)
    return SN_EINVAL;
  if (entry < 0 || entry >= code->count)
    return sni_engine_fail(code->engine, SN_EINVAL, "link: the code has entries 0 to %d, and no "
                           "entry %d", code->count - 1, entry);
  SN_TRY(check_link(code, &code->entries[entry], parent, o->merge));
  sni_mutex_lock(&code->engine->linking);
  result = link_entry(code, &code->entries[entry], parent, &child, out);
  sni_mutex_unlock(&code->engine->linking);
  if (result != SN_OK && child)
    (void)!sn_context_destroy(child);
  return result;
}

/* The routine and its context; it has not run. */
static void unlink_routine(sn_routine *routine)
{
  sn_context *context = sn_routine_context(routine);

  (void)!sn_routine_destroy(routine);
  (void)!sn_context_destroy(context);
}

int sn_code_link_all(sn_code *code, sn_context *context, const sn_link_options *options,
                     sn_routine **out)
{
  int result = SN_OK, k;

  SN_TRY(sni_engine_may_call(SNI_ENGINE_OR_NULL(code)));
  if (!context || !out)
    return SN_EINVAL;
  for (k = 0; k < code->count && result == SN_OK; k++) {
    out[k] = NULL;
    if (!code->entries[k].run)
      continue;
    result = sn_code_link(code, k, context, options, &out[k]);
    if (result == SN_OK)
      context = sn_routine_context(out[k]);
  }
  while (result != SN_OK && k-- > 0) {
    if (out[k])
      unlink_routine(out[k]);
    out[k] = NULL;
  }
  return result;
}

/* ---- its end ---- */

static void unlink_from_context(sn_routine *routine)
{
  sn_routine **link;

  if (!routine->array_set)
    return;
  link = &routine->array_set->routines;
  while (*link != routine)
    link = &(*link)->next;
  *link = routine->next;
}

int sn_routine_destroy(sn_routine *routine)
{
  sn_engine *engine;
  int code;

  if (!routine)
    return SN_OK;
  SN_TRY(sni_engine_may_call(routine->engine));
  engine = routine->engine;
  sni_mutex_lock(&engine->linking);
  code = sni_routine_check_idle(routine);
  if (code == SN_OK) {
    unlink_from_context(routine);
    routine->code->routines--;
    free_routine(routine);
  }
  sni_mutex_unlock(&engine->linking);
  return code;
}
