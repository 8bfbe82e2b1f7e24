/* Contexts put on units, and the resources of their trees. */
#include "runtime/host/bridge/exclusion.h"

#include <stdio.h>
#include <string.h>

/* ---- a tree's things ---- */

int64_t sni_thing_of(const sn_tree_info *info, const snd_permission *row)
{
  switch (row->field) {
  case SND_USED_TOPOLOGY: return (int64_t)info->field_count + row->snode;
  case SND_USED_LIST: return (int64_t)info->field_count + info->snode_count + row->snode;
  case SND_USED_DRAWS: return (int64_t)info->field_count + 2 * (int64_t)info->snode_count;
  default: return row->field;
  }
}

static int64_t count_things(const sn_tree_info *info)
{
  const snd_permission last = { 0, SND_USED_DRAWS, 0, 0 };

  return sni_thing_of(info, &last) + 1;
}

static const char *snode_name(const snd_snode_info *snode)
{
  return snode->name ? snode->name : snode->label;
}

/* The text of thing k, as snprintf counts it. */
static int write_name(const sn_tree_info *info, int64_t k, char *to, size_t room)
{
  const int64_t fields = info->field_count, snodes = info->snode_count;

  if (k < fields)
    return snprintf(to, room, "%s", info->fields[k].name);
  if (k < fields + snodes)
    return snprintf(to, room, "topology %s", snode_name(&info->snodes[k - fields]));
  if (k < fields + 2 * snodes)
    return snprintf(to, room, "list %s", snode_name(&info->snodes[k - fields - snodes]));
  return snprintf(to, room, "random numbers");
}

/* Pointers, and the texts behind them. */
static int make_names(sn_engine *engine, sni_attached_tree *t)
{
  const int64_t count = count_things(t->info);
  char *at;

  t->bytes = (size_t)count * sizeof *t->names;
  for (int64_t k = 0; k < count; k++)
    t->bytes += (size_t)write_name(t->info, k, NULL, 0) + 1;
  t->names = sni_engine_new(engine, t->bytes, 1);
  if (!t->names)
    return SN_ENOMEM;
  at = (char *)(t->names + count);
  for (int64_t k = 0; k < count; k++) {
    t->names[k] = at;
    at += write_name(t->info, k, at, t->bytes) + 1;
  }
  return SN_OK;
}

/* ---- the hooks ---- */

static void free_tree(sn_engine *engine, sni_attached_tree *t)
{
  if (t->resource)
    (void)!sn_tensor_destroy(t->resource);
  sni_engine_delete(engine, t->names, t->bytes, 1);
  sni_engine_delete(engine, t, 1, sizeof *t);
}

static int tree_made(sn_context *context, sn_tree *tree)
{
  sni_attachment *attachment = context->attachment;
  sn_engine *engine = attachment->unit->engine;
  sni_attached_tree *t = sni_engine_new(engine, 1, sizeof *t);
  int code;

  if (!t)
    return SN_ENOMEM;
  t->tree = tree;
  t->info = tree->info;
  code = make_names(engine, t);
  if (code == SN_OK)
    code = sn_resource_create(engine, tree->info->name, count_things(tree->info),
                              (const char *const *)t->names, &t->resource);
  if (code != SN_OK) {
    free_tree(engine, t);
    return code;
  }
  sni_mutex_lock(&engine->lock);
  t->next = attachment->trees;
  attachment->trees = t;
  sni_mutex_unlock(&engine->lock);
  return SN_OK;
}

/* Where a task destroys a tree which others name still, the resource stays until the context
 * goes. */
static void tree_gone(sn_context *context, const sn_tree *tree)
{
  sni_attachment *attachment = context->attachment;
  sn_engine *engine = attachment->unit->engine;
  sni_attached_tree **link = &attachment->trees, *t;

  sni_mutex_lock(&engine->lock);
  while ((*link)->tree != tree)
    link = &(*link)->next;
  t = *link;
  t->tree = NULL;
  if (t->resource->users)
    t = NULL;
  else
    *link = t->next;
  sni_mutex_unlock(&engine->lock);
  if (t)
    free_tree(engine, t);
}

/* SN_ESTATE: unfinished tasks name what is the context's (the caller is one, or has let others
 * submit meanwhile). */
static int release(sn_context *context)
{
  sni_attachment *attachment = context->attachment;
  sn_engine *engine = attachment->unit->engine;
  sni_attachment **link = &engine->attachments;
  uint64_t users;

  sni_mutex_lock(&engine->lock);
  users = attachment->own->users;
  for (const sni_attached_tree *t = attachment->trees; t; t = t->next)
    users += t->resource->users;
  if (!users) {
    while (*link != attachment)
      link = &(*link)->next;
    *link = attachment->next;
  }
  sni_mutex_unlock(&engine->lock);
  if (users)
    return sni_fail(context, SN_ESTATE, "sn_context_destroy: unfinished tasks name it");
  while (attachment->trees) {
    sni_attached_tree *t = attachment->trees;
    attachment->trees = t->next;
    free_tree(engine, t);
  }
  (void)!sn_tensor_destroy(attachment->own);
  sni_engine_delete(engine, attachment, 1, sizeof *attachment);
  context->hooks = NULL;
  context->attachment = NULL;
  return SN_OK;
}

static const sni_context_hooks hooks = {
  sni_exclusion_enter, sni_exclusion_enter_also, sni_exclusion_leave, tree_made, tree_gone, release
};

/* ---- putting a context on a unit ---- */

static int check_device(sn_context *context, const sn_unit *unit)
{
  /* a bound host context says SNI_HOST, which is SNI_DEVICE_HOST too */
  const int64_t asked = context->memory.backend ? context->memory.device
                                              : context->options.value[OPTION_device];
  const int64_t there = unit->device ? unit->device - 1 : SNI_DEVICE_HOST;

  if (asked == SNI_DEVICE_AUTO)
    return sni_fail(context, SN_ESTATE, "sn_context_attach: its device is \"auto\", and it is not "
                    "bound yet: call sn_context_bind first");
  if (asked == there)
    return SN_OK;
  if (asked == SNI_DEVICE_HOST)
    return sni_fail(context, SN_EINVAL, "sn_context_attach: the context computes on the host, and "
                    "the unit is %s", unit->name);
  return sni_fail(context, SN_EINVAL, "sn_context_attach: the context computes on gpu:%d, and the "
                  "unit is %s", (int)asked, unit->name);
}

static int check_context(sn_context *context, const sn_unit *unit)
{
  if (context->attachment)
    return sni_fail(context, SN_ESTATE, "sn_context_attach: the context is attached to %s already",
                    context->attachment->unit->name);
  if (context->trees)
    return sni_fail(context, SN_ESTATE, "sn_context_attach: the context has trees already");
  if (context->array_set && sn_context_unit(context) != unit)
    return sni_fail(context, SN_EINVAL, "sn_context_attach: the context was made on %s, and the "
                    "unit is %s", sn_context_unit(context)->name, unit->name);
  return check_device(context, unit);
}

/* Inside the context, which is entered and left by the hooks from here on. */
static int attach(sn_context *context, sn_unit *unit)
{
  static const char *const names[] = { "random numbers", "output", "kernels" };
  sn_engine *engine = unit->engine;
  sni_attachment *attachment;
  int code;

  SN_TRY(check_context(context, unit));
  attachment = sni_engine_new(engine, 1, sizeof *attachment);
  code = attachment ? sn_resource_create(engine, "context", SNI_OWN_COUNT, names, &attachment->own)
               : SN_ENOMEM;
  if (code != SN_OK) {
    sni_engine_delete(engine, attachment, attachment ? 1 : 0, sizeof *attachment);
    return sni_fail(context, code, "sn_context_attach: no memory");
  }
  attachment->context = context;
  attachment->unit = unit;
  attachment->is_taken = 1;
  attachment->holder = sni_thread_this();
  context->attachment = attachment;
  context->hooks = &hooks;
  sni_mutex_lock(&engine->lock);
  attachment->next = engine->attachments;
  engine->attachments = attachment;
  sni_mutex_unlock(&engine->lock);
  return SN_OK;
}

int sn_context_attach(sn_context *context, sn_unit *unit)
{
  int code;

  unit = unit ? unit : sn_context_unit(context);
  SN_TRY(sni_engine_may_call(SNI_ENGINE_OF(unit)));
  SN_TRY(sni_enter(context));
  code = attach(context, unit);
  sni_leave(context);
  return code;
}

/* ---- finding ---- */

sni_attached_tree *sni_find_tree(const sn_engine *engine, const sn_tree *tree, sni_attachment **on)
{
  for (sni_attachment *attachment = engine->attachments; attachment && tree;
       attachment = attachment->next)
    for (sni_attached_tree *t = attachment->trees; t; t = t->next)
      if (t->tree == tree) {
        *on = attachment;
        return t;
      }
  return NULL;
}

sni_attachment *sni_find_context(const sn_engine *engine, const sn_context *context)
{
  for (sni_attachment *attachment = engine->attachments; attachment; attachment = attachment->next)
    if (attachment->context == context)
      return attachment;
  return NULL;
}
