/* Contexts of an engine: families, and the arrays that they hold.
 *
 * A context finds a node's array with itself or above; what it holds itself is its own to free.
 * One array may be the own of several contexts, of different families: a constant, and what
 * is shared across queues, has one array per unit.  On the host's unit the contexts of a
 * constant or volatile node hold its array on the host itself.
 */
#include "runtime/host/base/context.h"
#include "runtime/host/base/text.h"
#include "runtime/host/exec/array_set.h"
#include "runtime/host/exec/code.h"
#include "runtime/host/exec/mode.h"

#include <stdio.h>

/* ---- finding ---- */

sni_array_set *sni_array_set_of(const sn_context *context)
{
  return context ? context->array_set : NULL;
}

static sni_array *find_own(const sni_array_set *array_set, const sn_node *node)
{
  for (const sni_array_entry *own = array_set->own; own; own = own->next)
    if (own->array->node == node)
      return own->array;
  return NULL;
}

sni_array *sni_array_set_find(const sni_array_set *array_set, const sn_node *node)
{
  sni_array *array = NULL;

  for (; array_set && !array; array_set = array_set->parent)
    array = find_own(array_set, node);
  return array;
}

int sni_array_set_check_queue(const sni_array_set *array_set, const sn_queue *queue,
                              const char *what)
{
  if (queue->engine != array_set->engine)
    return sni_engine_fail(array_set->engine, SN_EINVAL, "%s: the queue is another engine's", what);
  if (queue->unit != array_set->unit)
    return sni_engine_fail(array_set->engine, SN_EINVAL,
                           "%s: context '%s' is on %s, and %s on %s: a queue of its own unit is "
                           "wanted", what, array_set->name, array_set->unit->name, queue->name,
                           queue->unit->name);
  return SN_OK;
}

/* ---- arrays go ---- */

static void let_go(sni_array *array)
{
  if (--array->holders == 0 && array != &array->node->host)
    sni_array_destroy(array);
}

void sni_array_set_drop(sni_array_set *array_set)
{
  sni_array_entry *own = array_set->own;

  array_set->own = own->next;
  let_go(own->array);
  sni_engine_delete(array_set->engine, own, 1, sizeof *own);
}

/* ---- which array a context gets ---- */

/* Another of the family that has one, neither of which is above the other. */
static const sni_array_set *relative_with(const sni_array_set *array_set, const sn_node *node)
{
  for (const sni_array_set *h = array_set->engine->contexts; h; h = h->next)
    if (h->root == array_set->root && h != array_set && find_own(h, node))
      return h;
  return NULL;
}

/* One that families of the unit share; NULL: there is none, or it is not to be shared. */
static sni_array *find_shared(const sn_unit *unit, sn_node *node)
{
  if (sni_node_sharing(node) != SN_SHARING_ACROSS_QUEUES &&
      !sni_mode_is_constant(sni_node_mode(node)))
    return NULL;
  for (sni_array *array = node->arrays; array; array = array->next)
    if (array->unit == unit)
      return array;
  return NULL;
}

/* What a further holder gets where a unit has one array for all; NULL: a new one is made. */
static sni_array *find_common(const sni_array_set *array_set, sn_node *node)
{
  if (sni_mode_is_constant(sni_node_mode(node)) && array_set->unit->kind == SN_UNIT_HOST)
    return &node->host;
  return find_shared(array_set->unit, node);
}

/* What a new array begins with: zeros, or what the constant is. */
static int begin_array(sni_array *array)
{
  sn_node *node = array->node;
  sn_engine *engine = node->engine;

  if (sni_node_mode(node) != SN_MODE_HOSTED_CONSTANT)
    return sni_engine_fill(engine, sni_array_span(array), 0);
  if (node->held)
    return sni_engine_fail(engine, SN_ESTATE, "node '%s', a constant, is acquired while a context "
                           "takes its values: release it first", node->name);
  return sni_engine_copy(engine, sni_array_span(array), sni_array_span(&node->host));
}

static int array_for(sni_array_set *array_set, sn_node *node, sni_array **out)
{
  int code;

  if (sni_mode_is_constant(sni_node_mode(node)))
    SN_TRY(sni_node_need_host(node, array_set->name));
  *out = find_common(array_set, node);
  if (*out)
    return SN_OK;
  SN_TRY(sni_array_create(array_set->unit, node, out));
  code = begin_array(*out);
  if (code != SN_OK) {
    sni_array_destroy(*out);
    return code;
  }
  (*out)->next = node->arrays;
  node->arrays = *out;
  return SN_OK;
}

static int hold(sni_array_set *array_set, sn_node *node)
{
  sni_array_entry *own = sni_engine_new(array_set->engine, 1, sizeof *own);
  int code;

  if (!own)
    return sni_engine_fail(array_set->engine, SN_ENOMEM, "context '%s': no memory for node '%s'",
                           array_set->name, node->name);
  code = array_for(array_set, node, &own->array);
  if (code != SN_OK) {
    sni_engine_delete(array_set->engine, own, 1, sizeof *own);
    return code;
  }
  own->array->holders++;
  own->next = array_set->own;
  array_set->own = own;
  return SN_OK;
}

int sni_array_set_add(sni_array_set *array_set, sn_node *node, const char *who)
{
  const sni_known *known = node->known;
  const sni_array_set *relative;
  int code;

  if (sni_array_set_find(array_set, node))
    return SN_OK;
  relative = relative_with(array_set, node);
  if (relative && find_own(relative, node) != find_common(array_set, node))
    return sni_engine_fail(array_set->engine, SN_ESTATE,
                           "context '%s' would get an array of node '%s' of its own, and '%s' of "
                           "the same family has one, which is not above it: link below '%s', or "
                           "add the node to a context above both", array_set->name, node->name,
                           relative->name, relative->name);
  SN_TRY(sni_node_refine(node, SN_MODE_MATERIALIZED, who));
  code = hold(array_set, node);
  if (code != SN_OK)
    sni_node_forget(node, known);
  return code;
}

/* ---- making and destroying ---- */

/* Called by sn_context_destroy. */
static int destroy_array_set(sn_context *context);

static void name_array_set(sni_array_set *array_set, const char *name)
{
  sn_engine *engine = array_set->engine;

  if (name && name[0])
    (void)sni_text_copy(array_set->name, sizeof array_set->name, name);
  else
    snprintf(array_set->name, sizeof array_set->name, "context %d", engine->next_context);
  engine->next_context++;
}

/* linking held. */
static int give_array_set(sn_context *context, sn_unit *unit, sni_array_set *parent,
                          const char *name)
{
  sni_array_set *array_set = sni_engine_new(unit->engine, 1, sizeof *array_set);

  if (!array_set)
    return sni_engine_fail(unit->engine, SN_ENOMEM, "no memory for a context");
  array_set->context = context;
  array_set->engine = unit->engine;
  array_set->unit = unit;
  array_set->parent = parent;
  array_set->root = parent ? parent->root : array_set;
  array_set->next = unit->engine->contexts;
  unit->engine->contexts = array_set;
  if (parent)
    parent->children++;
  name_array_set(array_set, name);
  context->array_set = array_set;
  context->destroy_array_set = destroy_array_set;
  context->options.value[OPTION_device] = unit->device ? unit->device - 1 : SNI_DEVICE_HOST;
  return SN_OK;
}

static int create(sn_unit *unit, const sn_config *config, sni_array_set *parent, const char *name,
                  sn_context **out)
{
  sn_context *context;
  int code = sn_context_create(config, &context);

  if (code != SN_OK)
    return sni_engine_fail(unit->engine, code, "no memory for a context");
  if (parent) {
    context->options = parent->context->options;
    context->log = parent->context->log;
    context->print = parent->context->print;
  }
  code = give_array_set(context, unit, parent, name);
  if (code == SN_OK)
    *out = context;
  else
    (void)!sn_context_destroy(context);
  return code;
}

int sni_context_create_below(sni_array_set *parent, const char *name, sn_context **out)
{
  return create(parent->unit, NULL, parent, name, out);
}

int sn_context_create_on(sn_unit *unit, const sn_config *config, const char *name,
                         sn_context **out)
{
  int code;

  SN_TRY(sni_engine_may_call(SNI_ENGINE_OF(unit)));
  if (!out)
    return SN_EINVAL;
  sni_mutex_lock(&unit->engine->linking);
  code = create(unit, config, NULL, name, out);
  sni_mutex_unlock(&unit->engine->linking);
  return code;
}

int sn_context_create_child(sn_context *parent, const char *name, sn_context **out)
{
  sni_array_set *array_set = sni_array_set_of(parent);
  int code;

  SN_TRY(sni_engine_may_call(SNI_ENGINE_OR_NULL(array_set)));
  if (!out)
    return SN_EINVAL;
  sni_mutex_lock(&array_set->engine->linking);
  code = sni_context_create_below(array_set, name, out);
  sni_mutex_unlock(&array_set->engine->linking);
  return code;
}

/* Whether nothing that is enqueued uses what is its own. */
static int check_unused(const sni_array_set *array_set)
{
  for (const sni_array_entry *own = array_set->own; own; own = own->next)
    if (sni_array_is_busy(own->array) && own->array->holders == 1)
      return sni_engine_fail(array_set->engine, SN_ESTATE,
                             "context '%s': something that is enqueued uses its array of node "
                             "'%s': await the queue first", array_set->name,
                             own->array->node->name);
  return sni_routines_check_idle(array_set);
}

/* Its routines refuse to run from now on. */
static void make_empty(sni_array_set *array_set)
{
  sni_routines_orphan(array_set);
  while (array_set->own)
    sni_array_set_drop(array_set);
}

static void unlink_array_set(sni_array_set *array_set)
{
  sni_array_set **link = &array_set->engine->contexts;

  while (*link != array_set)
    link = &(*link)->next;
  *link = array_set->next;
  if (array_set->parent)
    array_set->parent->children--;
}

static int destroy_array_set(sn_context *context)
{
  sni_array_set *array_set = context->array_set;
  sn_engine *engine = array_set->engine;
  int code = sni_engine_may_call(engine);

  if (code != SN_OK)
    return code;
  sni_mutex_lock(&engine->linking);
  code = array_set->children
           ? sni_engine_fail(engine, SN_ESTATE, "context '%s' still has %d contexts below it",
                             array_set->name, array_set->children)
           : check_unused(array_set);
  if (code == SN_OK) {
    make_empty(array_set);
    unlink_array_set(array_set);
    sni_engine_delete(engine, array_set, 1, sizeof *array_set);
    context->array_set = NULL;
  }
  sni_mutex_unlock(&engine->linking);
  return code;
}

/* ---- as new ---- */

static int is_below(const sni_array_set *array_set, const sni_array_set *top)
{
  while (array_set && array_set != top)
    array_set = array_set->parent;
  return array_set != NULL;
}

/* linking held. */
static int reinitialize(sni_array_set *top)
{
  sni_array_set *first = top->engine->contexts;

  for (sni_array_set *h = first; h; h = h->next) {
    if (!is_below(h, top))
      continue;
    if (h->context->trees)
      return sni_engine_fail(h->engine, SN_ESTATE, "context '%s' has trees: destroy them first",
                             h->name);
    SN_TRY(check_unused(h));
  }
  for (sni_array_set *h = first; h; h = h->next)
    if (is_below(h, top))
      make_empty(h);
  return SN_OK;
}

int sn_context_reinitialize(sn_context *context)
{
  sni_array_set *array_set = sni_array_set_of(context);
  int code;

  SN_TRY(sni_engine_may_call(SNI_ENGINE_OR_NULL(array_set)));
  sni_mutex_lock(&array_set->engine->linking);
  code = reinitialize(array_set);
  sni_mutex_unlock(&array_set->engine->linking);
  return code;
}

/* ---- the user's calls ---- */

sn_unit *sn_context_unit(const sn_context *context)
{
  const sni_array_set *array_set = sni_array_set_of(context);

  return array_set ? array_set->unit : NULL;
}

sn_context *sn_context_parent(const sn_context *context)
{
  const sni_array_set *array_set = sni_array_set_of(context);

  return array_set && array_set->parent ? array_set->parent->context : NULL;
}

int sn_context_add(sn_context *context, sn_node *node)
{
  sni_array_set *array_set = sni_array_set_of(context);
  int code;

  SN_TRY(sni_engine_may_call(SNI_ENGINE_OR_NULL(array_set)));
  if (!node)
    return SN_EINVAL;
  if (node->engine != array_set->engine)
    return sni_engine_fail(array_set->engine, SN_EINVAL, "node '%s' is another engine's",
                           node->name);
  sni_mutex_lock(&array_set->engine->linking);
  code = sni_array_set_add(array_set, node, array_set->name);
  sni_mutex_unlock(&array_set->engine->linking);
  return code;
}

int sn_context_array(sn_context *context, sn_node *node, sn_span *out)
{
  const sni_array_set *array_set = sni_array_set_of(context);
  const sni_array *array;

  SN_TRY(sni_engine_may_call(SNI_ENGINE_OR_NULL(array_set)));
  if (!node || !out)
    return SN_EINVAL;
  sni_mutex_lock(&array_set->engine->linking);
  array = sni_array_set_find(array_set, node);
  *out = array ? sni_array_span(array) : sn_span_host(NULL, 0);
  sni_mutex_unlock(&array_set->engine->linking);
  return SN_OK;
}
