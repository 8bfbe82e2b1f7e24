/* The set: activity and values of all cells that there could be. */
#include "t/oracle/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *oracle_array(int64_t count, size_t bytes)
{
  void *array = calloc((size_t)(count ? count : 1), bytes);

  if (!array) {
    fprintf(stderr, "no memory for the model\n");
    exit(3);
  }
  return array;
}

static int64_t containers(const oracle_node *n)
{
  return n->cells / n->local;
}

model *model_create(void)
{
  model *m = oracle_array(1, sizeof *m);

  for (int s = 0; s < oracle_count; s++) {
    const oracle_node *n = &oracle_nodes[s];
    if (n->kind == SND_SNODE_DYNAMIC)
      m->length[s] = oracle_array(containers(n), sizeof(int64_t));
    else if (n->kind != SND_SNODE_DENSE)
      m->active[s] = oracle_array(n->cells, 1);
    if (n->bits) {
      m->value[s] = oracle_array(n->cells, sizeof(int64_t));
      for (int64_t id = 0; id < n->cells; id++) m->value[s][id] = n->standard;
    }
  }
  return m;
}

void model_destroy(model *m)
{
  for (int s = 0; s < oracle_count; s++) {
    free(m->active[s]);
    free(m->length[s]);
    free(m->value[s]);
  }
  free(m);
}

void model_copy(model *to, const model *from)
{
  for (int s = 0; s < oracle_count; s++) {
    const oracle_node *n = &oracle_nodes[s];
    if (from->active[s])
      memcpy(to->active[s], from->active[s], (size_t)n->cells);
    if (from->length[s])
      memcpy(to->length[s], from->length[s], (size_t)containers(n) * sizeof(int64_t));
    if (from->value[s])
      memcpy(to->value[s], from->value[s], (size_t)n->cells * sizeof(int64_t));
  }
}

int64_t model_wrap(int s, int64_t value)
{
  const int bits = oracle_nodes[s].bits;
  const uint64_t low = (uint64_t)value & (~UINT64_C(0) >> (64 - bits));

  if (oracle_nodes[s].is_signed && low >> (bits - 1))
    return (int64_t)(low - (bits == 64 ? 0 : UINT64_C(1) << bits));
  return (int64_t)low;
}

int model_is_active(const model *m, int s, int64_t id)
{
  for (; s >= 0; s = oracle_nodes[s].parent) {
    if (m->active[s])
      return m->active[s][id];
    if (m->length[s])
      return id % oracle_nodes[s].local < m->length[s][id / oracle_nodes[s].local];
    id /= oracle_nodes[s].local;
  }
  return 1;
}

void model_activate(model *m, int s, int64_t id)
{
  for (; s >= 0; s = oracle_nodes[s].parent) {
    const int64_t local = oracle_nodes[s].local;
    if (m->active[s])
      m->active[s][id] = 1;
    if (m->length[s] && m->length[s][id / local] <= id % local)
      m->length[s][id / local] = id % local + 1;
    id /= local;
  }
}

void model_write(model *m, int s, int64_t id, int64_t value)
{
  model_activate(m, s, id);
  m->value[s][id] = model_wrap(s, value);
}

/* Cells first to last - 1 and all below them.  Nothing is below what is inactive. */
static void clear(model *m, int s, int64_t first, int64_t last)
{
  const oracle_node *n = &oracle_nodes[s];

  if (m->active[s] && last - first == 1 && !m->active[s][first])
    return;
  if (m->active[s])
    memset(m->active[s] + first, 0, (size_t)(last - first));
  for (int64_t id = first; m->value[s] && id < last; id++)
    m->value[s][id] = n->standard;
  for (int64_t c = first / n->local; m->length[s] && c < last / n->local; c++)
    m->length[s][c] = 0;
  for (int below = s + 1; n->children && below < oracle_count; below++)
    if (oracle_nodes[below].parent == s)
      clear(m, below, first * oracle_nodes[below].local, last * oracle_nodes[below].local);
}

void model_deactivate(model *m, int s, int64_t id)
{
  const oracle_node *n = &oracle_nodes[s];
  const int64_t container = id / n->local;

  if (m->active[s])
    clear(m, s, id, id + 1);
  else if (m->length[s] && m->length[s][container])
    clear(m, s, container * n->local, (container + 1) * n->local);
}

void model_empty(model *m, int s)
{
  for (int top = 0; top < oracle_count; top++)
    if (s < 0 ? oracle_nodes[top].parent < 0 : top == s)
      clear(m, top, 0, oracle_nodes[top].cells);
}
