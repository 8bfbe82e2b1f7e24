/* Nodes: made, destroyed; their arrays on units, and on the host, where host code acquires and
 * releases them. */
#include "runtime/host/base/text.h"
#include "runtime/host/exec/array_set.h"
#include "runtime/host/exec/job.h"
#include "runtime/host/exec/mode.h"
#include "runtime/host/exec/tensor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- arrays: their memory on a unit ---- */

sn_span sni_array_span(const sni_array *array)
{
  sn_span span = sn_span_host(array->memory, array->node->bytes);

  span.device = array->unit->device;
  return span;
}

int sni_array_is_busy(sni_array *array)
{
  sn_engine *engine = array->node->engine;
  int is_busy;

  sni_mutex_lock(&engine->lock);
  is_busy = array->hazard.group[0].any || array->hazard.group[1].any;
  sni_mutex_unlock(&engine->lock);
  return is_busy;
}

int sni_array_create(sn_unit *unit, sn_node *node, sni_array **out)
{
  sn_engine *engine = unit->engine;
  sni_array *array = sni_engine_new(engine, 1, sizeof *array);

  if (array) {
    sni_mutex_lock(&engine->lock);
    array->memory = sni_room_take(unit, node->bytes);
    sni_mutex_unlock(&engine->lock);
  }
  if (!array || !array->memory) {
    sni_engine_delete(engine, array, array ? 1 : 0, sizeof *array);
    return sni_engine_fail(engine, SN_ENOMEM,
                           "%s has no room for an array of node '%s', %llu bytes", unit->name,
                           node->name, (unsigned long long)node->bytes);
  }
  array->node = node;
  array->unit = unit;
  *out = array;
  return SN_OK;
}

void sni_array_destroy(sni_array *array)
{
  sn_engine *engine = array->node->engine;
  sni_array **link = &array->node->arrays;

  while (*link && *link != array)
    link = &(*link)->next;
  if (*link)
    *link = array->next;
  sni_mutex_lock(&engine->lock);
  sni_room_give(array->unit, array->memory, array->node->bytes);
  sni_mutex_unlock(&engine->lock);
  sni_engine_delete(engine, array, 1, sizeof *array);
}

/* ---- making and destroying ---- */

static sn_node *new_node(sn_engine *engine, const char *name, sn_type type, int64_t elements)
{
  sn_node *node = sni_engine_new(engine, 1, sizeof *node);

  if (!node)
    return NULL;
  node->engine = engine;
  node->type = type;
  node->elements = elements;
  node->bytes = (size_t)elements * sni_type_bytes(type);
  node->host.node = node;
  node->host.unit = engine->units;
  sni_mutex_lock(&engine->linking);
  engine->node_count++;
  if (name && name[0])
    (void)sni_text_copy(node->name, sizeof node->name, name);
  else
    snprintf(node->name, sizeof node->name, "node %d", engine->next_node);
  engine->next_node++;
  sni_mutex_unlock(&engine->linking);
  return node;
}

static void free_node(sn_node *node)
{
  sn_engine *engine = node->engine;

  sni_node_forget(node, NULL);
  if (node->is_host_own) {
    sni_mutex_lock(&engine->lock);
    sni_room_give(engine->units, node->host.memory, node->bytes);
    sni_mutex_unlock(&engine->lock);
  }
  engine->node_count--;
  sni_engine_delete(engine, node, 1, sizeof *node);
}

/* The mode that it is made with. */
static int begin_with(sn_node *node, const sn_node_options *o)
{
  const char *provenance = o->provenance && o->provenance[0] ? o->provenance : "its making";
  int code = SN_OK;

  if (o->mode != SN_MODE_UNSET)
    code = sni_node_refine(node, o->mode, provenance);
  if (code == SN_OK && o->host && !sni_mode_is_hosted(sni_node_mode(node)))
    code = sni_engine_fail(node->engine, SN_EINVAL, "node '%s' brings an array on the host, and "
                           "is %s by '%s': give it a hosted mode", node->name,
                           sn_mode_name(sni_node_mode(node)), sni_node_reason(node));
  node->host.memory = o->host;
  return code;
}

int sn_node_create(sn_engine *engine, const char *name, sn_type type, int64_t elements,
                   const sn_node_options *options, sn_node **out)
{
  static const sn_node_options standard = SN_NODE_OPTIONS_INIT;
  sn_node_options own;
  const sn_node_options *o;
  sn_node *node;
  int code;

  SN_TRY(sni_engine_may_call(SNI_ALIVE(engine)));
  o = sni_engine_sized(engine, "the options of a node", options, &own, &standard, sizeof own);
  if (!out || !o || (int)o->mode < 0 || o->mode > SN_MODE_HOSTED_VOLATILE)
    return SN_EINVAL;
  if (!sni_type_name(type) || elements < 1 || elements > INT64_MAX / 8)
    return sni_engine_fail(engine, SN_EINVAL, "node '%s': %lld elements of type %d",
                           name ? name : "", (long long)elements, (int)type);
  node = new_node(engine, name, type, elements);
  if (!node)
    return sni_engine_fail(engine, SN_ENOMEM, "no memory for a node");
  sni_mutex_lock(&engine->linking);
  code = begin_with(node, o);
  if (code != SN_OK)
    free_node(node);
  sni_mutex_unlock(&engine->linking);
  if (code == SN_OK)
    *out = node;
  return code;
}

/* No queue holds it in its merge buffer from now on. */
static void leave_merge_buffers(sn_node *node)
{
  sni_mutex_lock(&node->engine->lock);
  for (sn_queue *queue = node->engine->queues; queue; queue = queue->next)
    if (queue->merge.node == node)
      queue->merge.node = NULL;
  sni_mutex_unlock(&node->engine->lock);
}

static const char *who_uses(sn_node *node, int own_uses)
{
  if (node->arrays || node->host.holders)
    return "a context holds it";
  if (node->uses > own_uses)
    return "code uses it";
  return sni_array_is_busy(&node->host) ? "its array on the host is in use" : NULL;
}

int sni_node_check_unused(sn_node *node, int own_uses)
{
  const char *user = who_uses(node, own_uses);

  return user ? sni_engine_fail(node->engine, SN_ESTATE, "node '%s' cannot be destroyed: %s",
                                node->name, user) : SN_OK;
}

void sni_node_end(sn_node *node)
{
  leave_merge_buffers(node);
  free_node(node);
}

int sn_node_destroy(sn_node *node)
{
  sn_engine *engine;
  int code;

  if (!node)
    return SN_OK;
  SN_TRY(sni_engine_may_call(node->engine));
  engine = node->engine;
  sni_mutex_lock(&engine->linking);
  code = sni_node_check_unused(node, 0);
  if (code == SN_OK)
    sni_node_end(node);
  sni_mutex_unlock(&engine->linking);
  return code;
}

const char *sn_node_name(const sn_node *node)
{
  return node ? node->name : "no node";
}

int64_t sn_node_elements(const sn_node *node)
{
  return node ? node->elements : 0;
}

/* ---- the array on the host ---- */

int sni_node_need_host(sn_node *node, const char *who)
{
  sn_engine *engine = node->engine;
  void *memory;

  if (!sni_mode_is_hosted(sni_node_mode(node)))
    return sni_engine_fail(engine, SN_ESTATE, "%s: node '%s' has no array on the host: it is %s "
                           "by '%s', not hosted", who, node->name,
                           sn_mode_name(sni_node_mode(node)), sni_node_reason(node));
  if (node->host.memory)
    return SN_OK;
  sni_mutex_lock(&engine->lock);
  memory = sni_room_take(engine->units, node->bytes);
  sni_mutex_unlock(&engine->lock);
  if (!memory)
    return sni_engine_fail(engine, SN_ENOMEM, "%s: no memory for the array of node '%s' on the "
                           "host", who, node->name);
  memset(memory, 0, node->bytes);
  node->host.memory = memory;
  node->is_host_own = 1;
  return SN_OK;
}

/* linking held; the wait comes later, without. */
static int begin_to_hold(sn_node *node, int write, sni_job **out)
{
  if (node->held)
    return sni_engine_fail(node->engine, SN_ESTATE,
                           "node '%s' is acquired already: release it first", node->name);
  SN_TRY(sni_node_need_host(node, "acquire"));
  *out = sni_job_create(node->engine, sizeof **out, 1);
  if (!*out)
    return sni_engine_fail(node->engine, SN_ENOMEM, "%s: no memory for an item", node->name);
  sni_job_touch(*out, &node->host, write ? SNI_WRITE : SNI_READ);
  node->held = *out;
  return SN_OK;
}

int sn_node_acquire(sn_node *node, int write, void **data)
{
  sni_job *job = NULL;
  int code;

  SN_TRY(sni_engine_may_call(SNI_ENGINE_OR_NULL(node)));
  if (!data)
    return SN_EINVAL;
  sni_mutex_lock(&node->engine->linking);
  code = begin_to_hold(node, write, &job);
  sni_mutex_unlock(&node->engine->linking);
  if (code != SN_OK)
    return code;
  code = sni_job_hold(node->engine, job);
  if (code == SN_OK) {
    *data = node->host.memory;
    return SN_OK;
  }
  sni_mutex_lock(&node->engine->linking);
  node->held = NULL;
  sni_mutex_unlock(&node->engine->linking);
  return code;
}

int sn_node_release(sn_node *node)
{
  sni_job *held;

  SN_TRY(sni_engine_may_call(SNI_ENGINE_OR_NULL(node)));
  sni_mutex_lock(&node->engine->linking);
  held = node->held;
  node->held = NULL;
  sni_mutex_unlock(&node->engine->linking);
  if (!held)
    return sni_engine_fail(node->engine, SN_ESTATE, "node '%s' was not acquired", node->name);
  sni_job_end(node->engine, held, SN_OK);
  return SN_OK;
}

int sni_nodes_are_gone(sn_engine *engine)
{
  uint64_t contexts = 0, nodes, codes;

  sni_mutex_lock(&engine->linking);
  for (const sni_array_set *h = engine->contexts; h; h = h->next)
    contexts++;
  nodes = engine->node_count;
  codes = engine->code_count;
  sni_mutex_unlock(&engine->linking);
  if (contexts || nodes || codes)
    return sni_engine_fail(engine, SN_ESTATE, "the engine still has %llu contexts, %llu nodes and "
                           "%llu codes", (unsigned long long)contexts, (unsigned long long)nodes,
                           (unsigned long long)codes);
  return SN_OK;
}
