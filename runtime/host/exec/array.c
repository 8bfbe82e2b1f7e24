/* Arrays of nodes: their memory on a unit. */
#include "runtime/host/exec/array.h"
#include "runtime/host/exec/tensor.h"

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
