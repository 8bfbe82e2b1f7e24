/* The kernels' operations, drawn as they draw them. */
#include "t/oracle/kernels.h"

#include <stdlib.h>

/* splitmix64 */
static uint64_t draw(uint64_t seed, uint64_t t)
{
  uint64_t z = seed + (t + 1) * UINT64_C(0x9E3779B97F4A7C15);

  z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
  return z ^ z >> 31;
}

static int is_list(int s)
{
  return oracle_nodes[s].kind == SND_SNODE_DYNAMIC;
}

static int is_leaf(int s)
{
  return !oracle_nodes[s].children && oracle_nodes[s].kind != SND_SNODE_DENSE;
}

static int64_t container_of(int s, int64_t id)
{
  return is_list(s) ? id / oracle_nodes[s].local : id;
}

static int64_t top_cell(int s, int64_t id)
{
  const int top = oracle_nodes[s].top;

  return id / (oracle_nodes[s].cells / oracle_nodes[top].cells) + top * INT64_C(1000000);
}

static int grows(const churn *c, int s, int64_t id)
{
  if (c->mode == CHURN_GROW) return 1;
  if (c->mode == CHURN_SHRINK) return 0;
  if (c->mode == CHURN_HALVES)
    return draw(c->seed, (uint64_t)top_cell(s, id) + UINT64_C(0x100000000)) % 2 == 0;
  return !is_leaf(s) || container_of(s, id) % 2 == 0;
}

/* ---- one operation of churn ---- */

typedef enum deed {
  DEED_NOTHING, DEED_TAKE, DEED_APPEND, DEED_WRITE, DEED_ADD, DEED_ACTIVATE
} deed;

typedef struct operation {
  deed deed;
  int s;
  int64_t id, value;
} operation;

/* What a list, another SNode with a field, one without one does. */
static deed write_deed(const churn *c, int s, int what)
{
  const int has_field = oracle_nodes[s].bits != 0;
  const deed write = c->mode == CHURN_CHAOS ? DEED_WRITE : DEED_ADD;

  if (is_list(s) && c->appends) return what % 8 == 7 ? DEED_APPEND : DEED_NOTHING;
  if (!has_field) return DEED_ACTIVATE;
  if (!is_list(s) && c->mode != CHURN_CHAOS && what % 4 == 0) return DEED_ACTIVATE;
  return write;
}

static operation operation_of(const churn *c, int64_t t)
{
  const uint64_t r = draw(c->seed, (uint64_t)t);
  const int what = (int)(r >> 60);
  operation o = { .s = (int)(r % (uint64_t)oracle_count), .value = t };

  o.id = (int64_t)((r >> 8) % (uint64_t)oracle_nodes[o.s].cells);
  if (c->mode == CHURN_CHAOS ? what < 5 : !grows(c, o.s, o.id))
    o.deed = oracle_nodes[o.s].kind == SND_SNODE_DENSE ? DEED_NOTHING : DEED_TAKE;
  else
    o.deed = write_deed(c, o.s, what);
  return o;
}

static void do_to_chaos(const operation *o, chaos *x)
{
  const int64_t container = o->id / oracle_nodes[o->s].local;

  switch (o->deed) {
  case DEED_TAKE: chaos_gone(x, o->s, o->id); break;
  case DEED_APPEND: chaos_appended(x, o->s, container, o->value); break;
  case DEED_WRITE: case DEED_ADD: case DEED_ACTIVATE:
    chaos_written(x, o->s, o->id, o->value);
    break;
  case DEED_NOTHING: break;
  }
}

static void do_to_model(const operation *o, model *m)
{
  switch (o->deed) {
  case DEED_TAKE: model_deactivate(m, o->s, o->id); break;
  case DEED_WRITE: model_write(m, o->s, o->id, o->value); break;
  case DEED_ACTIVATE: model_activate(m, o->s, o->id); break;
  case DEED_ADD:
    model_write(m, o->s, o->id, (int64_t)((uint64_t)m->value[o->s][o->id] + (uint64_t)o->value));
    break;
  case DEED_APPEND:                      /* its length and value are taken from the tree */
    model_activate(m, oracle_nodes[o->s].parent, o->id / oracle_nodes[o->s].local);
    break;
  case DEED_NOTHING: break;
  }
}

void churn_model(const churn *c, model *m, chaos *x)
{
  for (int64_t t = 0; t < c->n; t++) {
    const operation o = operation_of(c, t);
    if (c->lies && o.deed == DEED_TAKE && o.id % 3 == 1) continue;
    if (c->mode == CHURN_CHAOS || o.deed == DEED_APPEND) do_to_chaos(&o, x);
    if (c->mode != CHURN_CHAOS) do_to_model(&o, m);
  }
}

int churn_overflows(const churn *c, const model *m)
{
  int64_t *added[ORACLE_MOST] = { NULL };
  int is_over = 0;

  for (int64_t t = 0; t < c->n && !is_over; t++) {
    const operation o = operation_of(c, t);
    const oracle_node *n = &oracle_nodes[o.s];
    if (o.deed != DEED_APPEND) continue;
    if (!added[o.s]) added[o.s] = oracle_array(n->cells / n->local, sizeof(int64_t));
    is_over = m->length[o.s][o.id / n->local] + ++added[o.s][o.id / n->local] > n->local;
  }
  for (int s = 0; s < oracle_count; s++) free(added[s]);
  return is_over;
}

/* ---- reads ---- */

static int64_t look_at(const model *m, int s, int64_t id)
{
  uint64_t value = m->value[s] ? (uint64_t)m->value[s][id] * 3 : 5;

  if (is_list(s)) value += (uint64_t)m->length[s][id / oracle_nodes[s].local] * 7;
  return (int64_t)(value + (model_is_active(m, s, id) ? 11 : 13));
}

int64_t look_model(const model *m, uint64_t seed, int64_t n)
{
  uint64_t sum = 0;

  for (int64_t t = 0; t < n; t++) {
    const uint64_t r = draw(seed, (uint64_t)t);
    const int s = (int)(r % (uint64_t)oracle_count);
    const int64_t id = (int64_t)((r >> 8) % (uint64_t)oracle_nodes[s].cells);
    sum += (uint64_t)look_at(m, s, id) * (uint64_t)(t % 1000 + 1);
  }
  return (int64_t)sum;
}

/* ---- cells of one's own ---- */

static void place_in(model *m, int s, int64_t id, int64_t value, int what)
{
  const int64_t container = id / oracle_nodes[s].local;

  if (is_list(s) && what % 2 == 0 && m->length[s][container] < oracle_nodes[s].local)
    model_write(m, s, container * oracle_nodes[s].local + m->length[s][container], value);
  else if (oracle_nodes[s].bits)
    model_write(m, s, id, value);
  else
    model_activate(m, s, id);
}

/* The SNodes that stand below it, itself first. */
static int below_top(int top, int *list)
{
  int count = 0;

  for (int s = 0; s < oracle_count; s++)
    if (oracle_nodes[s].top == top) list[count++] = s;
  return count;
}

void own_model(model *m, int top, uint64_t seed, int64_t turns, int64_t *sums)
{
  int list[ORACLE_MOST];
  const int count = below_top(top, list);

  for (int64_t w = 0; w < oracle_nodes[top].cells; w++) {
    uint64_t sum = 0;
    for (int64_t k = 0; k < turns; k++) {
      const uint64_t r = draw(seed, (uint64_t)(w * turns + k));
      const int s = list[r % (uint64_t)count], what = (int)(r >> 60);
      const int64_t cells = oracle_nodes[s].cells / oracle_nodes[top].cells;
      const int64_t id = w * cells + (int64_t)((r >> 8) % (uint64_t)cells);
      if (what < 4) model_deactivate(m, s, id);
      else if (what < 11) place_in(m, s, id, (int64_t)(r >> 32), what);
      else sum = sum * 31 + (uint64_t)look_at(m, s, id);
    }
    sums[w] = (int64_t)sum;
  }
}

/* ---- loops over cells ---- */

/* The coordinates of a cell, by axis; which axes they are. */
static unsigned coordinates(int s, int64_t id, int64_t at[12])
{
  const oracle_node *n = &oracle_nodes[s];
  unsigned axes = 0;

  for (int k = 0; k < n->axis_count; k++) {
    const oracle_axis *a = &n->axes[k];
    int64_t below = 1, inner = 1;
    for (int p = s; p != a->node; p = oracle_nodes[p].parent) below *= oracle_nodes[p].local;
    for (int i = k + 1; i < n->axis_count && n->axes[i].node == a->node; i++)
      inner *= n->axes[i].extent;
    if (!(axes >> a->axis & 1)) at[a->axis] = 0;
    at[a->axis] = at[a->axis] * a->extent + id / below / inner % a->extent - a->below;
    axes |= 1u << a->axis;
  }
  return axes;
}

static uint64_t weight(int s, int64_t id)
{
  int64_t at[12];
  const unsigned axes = coordinates(s, id, at);
  uint64_t sum = 1, factor = 3;

  for (int a = 0; a < 12; a++)
    if (axes >> a & 1) {
      sum += factor * (uint64_t)at[a];
      factor += 2;
    }
  return sum;
}

void visit_model(const model *m, int s, int64_t out[2])
{
  uint64_t sum = 0;

  out[1] = 0;
  for (int64_t id = 0; id < oracle_nodes[s].cells; id++)
    if (model_is_active(m, s, id)) {
      sum += (m->value[s] ? (uint64_t)m->value[s][id] + 1 : 1) * weight(s, id);
      out[1]++;
    }
  out[0] = (int64_t)sum;
}
