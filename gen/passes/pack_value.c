/* Tuples of values as lanes. */
#include "gen/passes/pack.h"

#include <string.h>

enum { DEEPEST = 100 };

int pack_position(const Pack *p, const IrStmt *s)
{
  return (int)(intptr_t)map_get(&p->position, s) - 1;
}

int pack_lanes(int count)
{
  return count <= 4 ? 4 : count <= 8 ? 8 : IR_MOST_LANES;
}

IrStmt *pack_put(Pack *p, IrStmt *s, int anchor)
{
  if (anchor + 1 < p->count)
    ir_insert_before(p->module, p->stmts[anchor + 1], s);
  else
    ir_append(p->module, p->block, s);
  return s;
}

/* ---- what is there ---- */

/* What a local is that is only declared. */
static IrStmt *look_through(const Pack *p, IrStmt *s)
{
  while (s->op == IR_get && s->variable->declaration &&
         s->variable->declaration->parent == p->block)
    s = s->variable->declaration->operands[0];
  return s;
}

static bool is_same_tuple(const Tuple *a, const Tuple *b)
{
  return a->count == b->count &&
         memcmp(a->lane, b->lane, sizeof *a->lane * (size_t)a->count) == 0;
}

static Packed *find_packed(const Pack *p, const Tuple *t)
{
  Packed *at = map_get(&p->packed, t->lane[0]);

  while (at && !is_same_tuple(&at->of, t))
    at = at->next;
  return at;
}

/* s: what has the lanes; it costs so much. */
static Packed *note_packed(Pack *p, const Tuple *t, IrStmt *s, int anchor, int cost)
{
  Packed *new = NEW(p->module->arena, Packed);

  *new = (Packed){ *t, s, anchor, map_get(&p->packed, t->lane[0]) };
  map_put(&p->packed, t->lane[0], new);
  p->saved -= cost;
  return new;
}

/* Who asks for a lane's value may take it from there. */
static Packed *note_lanes(Pack *p, Packed *packed)
{
  for (int k = 0; k < packed->of.count; k++)
    if (!map_get(&p->lane_of, packed->of.lane[k]))
      map_put(&p->lane_of, packed->of.lane[k], packed);
  return packed;
}

static int last_position(const Pack *p, const Tuple *t)
{
  int last = -1;

  for (int k = 0; k < t->count; k++)
    if (pack_position(p, t->lane[k]) > last)
      last = pack_position(p, t->lane[k]);
  return last;
}

static IrStmt *new_lanes(const Pack *p, IrOp op, const IrStmt *like, int count)
{
  IrStmt *s = ir_stmt(p->module, op, like->type, like->loc, NULL);

  s->lanes = pack_lanes(count);
  return s;
}

/* ---- one value in all lanes; single values ---- */

static bool is_uniform(const Tuple *t)
{
  for (int k = 1; k < t->count; k++)
    if (t->lane[k] != t->lane[0])
      return false;
  return true;
}

IrStmt *pack_spread(Pack *p, IrStmt *value, int count, int anchor)
{
  IrStmt *s;

  if (value->lanes > 0)
    return value;
  s = new_lanes(p, IR_spread, value, count);
  ir_add_operand(p->module, s, value);
  return pack_put(p, s, anchor);
}

/* Put into all lanes once, wherever that is wanted: C compilers keep it. */
static int spread_cost(Pack *p, const IrStmt *value)
{
  if (is_const(value) || map_get(&p->spread, value))
    return 0;
  map_put(&p->spread, value, p);
  return 1;
}

static Packed *pack_uniform(Pack *p, const Tuple *t)
{
  const int anchor = pack_position(p, t->lane[0]);
  IrStmt *s = p->is_trial ? NULL : pack_spread(p, t->lane[0], t->count, anchor);

  return note_packed(p, t, s, anchor, spread_cost(p, t->lane[0]));
}

static Packed *pack_gather(Pack *p, const Tuple *t)
{
  const int anchor = last_position(p, t);
  IrStmt *s = p->is_trial ? NULL : new_lanes(p, IR_gather_lanes, t->lane[0], t->count);
  bool is_constant = true;

  for (int k = 0; k < t->count; k++) {
    is_constant = is_constant && is_const(t->lane[k]);
    if (s)
      ir_add_operand(p->module, s, t->lane[k]);
  }
  if (s)
    pack_put(p, s, anchor);
  return note_packed(p, t, s, anchor, is_constant ? 0 : t->count - 1);
}

/* ---- lanes of other lanes ---- */

/* Lane k of the tuple is lane of[k] of a, or if that is beyond, of b. */
static Packed *pack_shuffle(Pack *p, const Tuple *t, const Packed *a, const Packed *b,
                            const int *of)
{
  const int anchor = b && b->anchor > a->anchor ? b->anchor : a->anchor;
  IrStmt *s = NULL;

  if (!p->is_trial) {
    s = new_lanes(p, IR_pick_lanes, t->lane[0], t->count);
    s->from = NEW_ARRAY(p->module->arena, IrLane, s->lanes);
    for (int k = 0; k < s->lanes; k++) {
      const int from = of[k < t->count ? k : t->count - 1];
      s->from[k] = from < IR_MOST_LANES ? (IrLane){ 0, from } : (IrLane){ 1, from - IR_MOST_LANES };
    }
    ir_add_operand(p->module, s, a->made);
    if (b)
      ir_add_operand(p->module, s, b->made);
    pack_put(p, s, anchor);
  }
  return note_packed(p, t, s, anchor, 1);
}

static int lane_in(const Packed *packed, const IrStmt *value)
{
  for (int k = 0; k < packed->of.count; k++)
    if (packed->of.lane[k] == value)
      return k;
  return -1;
}

/* All of them are lanes of one; NULL: they are not. */
static Packed *pack_part(Pack *p, const Tuple *t)
{
  const Packed *whole = map_get(&p->lane_of, t->lane[0]);
  int of[IR_MOST_LANES];

  for (int k = 0; k < t->count; k++) {
    of[k] = whole ? lane_in(whole, t->lane[k]) : -1;
    if (of[k] < 0)
      return NULL;
  }
  if (pack_lanes(whole->of.count) != pack_lanes(t->count))
    return NULL;
  return pack_shuffle(p, t, whole, NULL, of);
}

/* Where some are the same: lanes of those that differ.  NULL: none are. */
static Packed *pack_twins(Pack *p, const Tuple *t)
{
  Tuple single = { .count = 0 };
  int of[IR_MOST_LANES];

  for (int k = 0; k < t->count; k++) {
    for (of[k] = 0; of[k] < single.count && single.lane[of[k]] != t->lane[k]; of[k]++)
      ;
    if (of[k] == single.count)
      single.lane[single.count++] = t->lane[k];
  }
  if (single.count == t->count || pack_lanes(single.count) != pack_lanes(t->count))
    return NULL;
  return pack_shuffle(p, t, pack_value(p, single), NULL, of);
}

/* ---- a cell of a window ---- */

static bool is_same_cell_of_window(const IrStmt *a, const IrStmt *b)
{
  if (b->op != IR_near_load || a->operands[0] != b->operands[0])
    return false;
  for (int k = 1; k < a->operand_count; k++)
    if (a->operands[k] != b->operands[k] &&
        !(is_const(a->operands[k]) && is_const(b->operands[k]) &&
          a->operands[k]->value.i == b->operands[k]->value.i))
      return false;
  return true;
}

/* NULL: they are not elements of one cell, in the order in which it has them. */
static Packed *pack_near(Pack *p, const Tuple *t)
{
  const int anchor = last_position(p, t);
  IrStmt *s = NULL;
  IrWindow w;

  if (t->lane[0]->op != IR_near_load)
    return NULL;
  w = ir_window(t->lane[0]->operands[0]);
  if (w.lanes != pack_lanes(t->count))
    return NULL;
  for (int k = 0; k < t->count; k++)
    if (!is_same_cell_of_window(t->lane[0], t->lane[k]) || w.field[k] != t->lane[k]->field)
      return NULL;
  if (!p->is_trial) {
    s = new_lanes(p, IR_near_load, t->lane[0], t->count);
    s->field = t->lane[0]->field;
    for (int k = 0; k < t->lane[0]->operand_count; k++)
      ir_add_operand(p->module, s, t->lane[0]->operands[k]);
    pack_put(p, s, anchor);
  }
  return note_lanes(p, note_packed(p, t, s, anchor, 1 - t->count));
}

/* ---- variables ---- */

static Packed *pack_get(Pack *p, const Tuple *t)
{
  const int anchor = last_position(p, t);
  const Group *g = pack_group(p, t);
  IrStmt *s = NULL;

  if (!g)
    return NULL;
  if (!p->is_trial) {
    s = new_lanes(p, IR_get, t->lane[0], t->count);
    s->variable = g->made;
    pack_put(p, s, anchor);
  }
  return note_lanes(p, note_packed(p, t, s, anchor, 0));
}

/* ---- operations ---- */

static bool has_lanes(const IrStmt *s)
{
  switch (s->op) {
  case IR_add: case IR_sub: case IR_mul: case IR_div: case IR_neg:
    return type_is_float(s->type) && s->type->bits >= 32;
  default:
    return false;
  }
}

static Tuple operands_of(const Pack *p, const Tuple *t, int operand)
{
  Tuple of = { .count = t->count };

  for (int k = 0; k < t->count; k++)
    of.lane[k] = look_through(p, t->lane[k]->operands[operand]);
  return of;
}

/* What stands beside lanes may be one value: C has it in all of them. */
static IrStmt *packed_operand(Pack *p, const Tuple *t, bool may_be_one, int *anchor)
{
  const Packed *packed;

  if (may_be_one && is_uniform(t)) {
    p->saved -= spread_cost(p, t->lane[0]);
    return t->lane[0];
  }
  packed = pack_value(p, *t);
  *anchor = packed->anchor > *anchor ? packed->anchor : *anchor;
  return packed->made;
}

static Packed *pack_operation(Pack *p, const Tuple *t)
{
  IrStmt *operand[2] = { NULL, NULL }, *s = NULL;
  int anchor = last_position(p, t);
  const int count = t->lane[0]->operand_count;

  for (int k = 0; k < count; k++) {
    const Tuple of = operands_of(p, t, k), other = operands_of(p, t, count - 1 - k);
    operand[k] = packed_operand(p, &of, count == 2 && (k == 1 || !is_uniform(&other)), &anchor);
  }
  if (!p->is_trial) {
    s = new_lanes(p, t->lane[0]->op, t->lane[0], t->count);
    for (int k = 0; k < count; k++)
      ir_add_operand(p->module, s, operand[k]);
    pack_put(p, s, anchor);
  }
  return note_lanes(p, note_packed(p, t, s, anchor, 1 - t->count));
}

/* ---- what is alike ---- */

enum { LOOK = 5 };            /* operands behind operands that are compared */

static bool is_of_one_whole(const IrStmt *a, const IrStmt *b)
{
  if (a->op == IR_get && b->op == IR_get)
    return ir_is_element(a->variable->shown ? a->variable->shown : a->variable->name);
  return (a->op == IR_load || a->op == IR_near_load) && b->op == a->op &&
         ir_same_whole(a->field->name, b->field->name);
}

/* What it saves to compute both at once, about: less than 1 where they are not alike. */
static int likeness(const Pack *p, IrStmt *a, IrStmt *b, int depth)
{
  int all = 1;

  a = look_through(p, a);
  b = look_through(p, b);
  if (a == b || is_of_one_whole(a, b) || (is_const(a) && is_const(b)))
    return 1;
  if (!has_lanes(a) || a->op != b->op || a->type != b->type)
    return -1;
  for (int k = 0; k < a->operand_count && depth < LOOK; k++)
    all += likeness(p, a->operands[k], b->operands[k], depth + 1);
  return all;
}

/* Those that are about as like lane k as what is most like it, that lane among them. */
static Tuple alike_to(const Pack *p, const Tuple *t, int k, int *all)
{
  Tuple alike = { .count = 0 };
  int like[IR_MOST_LANES], most = 0;

  for (int j = 0; j < t->count; j++) {
    like[j] = has_lanes(t->lane[k]) && t->lane[j]->op == t->lane[k]->op
                  ? likeness(p, t->lane[k], t->lane[j], 0) : 0;
    most = j != k && like[j] > most ? like[j] : most;
  }
  *all = 0;
  for (int j = 0; j < t->count; j++)
    if (most > 0 && (j == k || 2 * like[j] > most)) {
      alike.lane[alike.count++] = t->lane[j];
      *all += j != k ? like[j] : 0;
    }
  return alike;
}

static Tuple most_alike(const Pack *p, const Tuple *t)
{
  Tuple most = { .count = 0 };
  int most_like = 0;

  for (int k = 0; k < t->count; k++) {
    int like;
    const Tuple alike = alike_to(p, t, k, &like);
    if (like > most_like) {
      most = alike;
      most_like = like;
    }
  }
  return most;
}

/* Those that are most alike, as an operation; the others beside them. */
static Packed *pack_mixed(Pack *p, const Tuple *t, const Tuple *most)
{
  Tuple rest = { .count = 0 };
  int of[IR_MOST_LANES];
  const Packed *a;

  for (int k = 0, j = 0; k < t->count; k++)
    if (j < most->count && most->lane[j] == t->lane[k]) {
      of[k] = j++;
    } else {
      of[k] = IR_MOST_LANES + rest.count;
      rest.lane[rest.count++] = t->lane[k];
    }
  a = pack_value(p, *most);
  return pack_shuffle(p, t, a, pack_gather(p, &rest), of);
}

/* ---- all ---- */

static Packed *pack_anew(Pack *p, const Tuple *t)
{
  Packed *packed;
  Tuple most;

  if (is_uniform(t))
    return pack_uniform(p, t);
  if ((packed = pack_twins(p, t)) || (packed = pack_part(p, t)) || (packed = pack_near(p, t)) ||
      (packed = pack_get(p, t)))
    return packed;
  most = p->depth < DEEPEST ? most_alike(p, t) : (Tuple){ .count = 0 };
  if (most.count == t->count)
    return pack_operation(p, t);
  if (most.count > 1 && pack_lanes(most.count) == pack_lanes(t->count))
    return pack_mixed(p, t, &most);
  return pack_gather(p, t);
}

Packed *pack_value(Pack *p, Tuple t)
{
  Packed *packed;

  for (int k = 0; k < t.count; k++)
    t.lane[k] = look_through(p, t.lane[k]);
  packed = find_packed(p, &t);
  if (!packed) {
    p->depth++;
    packed = pack_anew(p, &t);
    p->depth--;
  }
  return packed;
}
