/* pack: values that are computed alike, side by side, are lanes of one.
 *
 *   near_add v.x add $9 $1 $4                 <f32 x 4> $20 = gather_lanes $2 $3
 *   near_add v.y add $9 $1 $5           =>    <f32 x 4> $21 = mul $7 $20
 *   (<f32> $4 = mul $7 $2                     near_add v.x add $9 $1 $21
 *    <f32> $5 = mul $7 $3)
 *
 * Needs: near forms.
 * Guarantees: in a near form the elements of a cell that are added together, and those of a vector
 * that are stored together, are computed in lanes as far as they are alike: by the same operations,
 * each lane by just those of its value. What is not alike is gathered. Locals that are always
 * assigned together become one of lanes; a value that is asked for alone is taken out of its lanes.
 * A form is left as it was where that saves nothing.
 */
#include "gen/passes/pack.h"

/* ---- packing ---- */

/* Statements are taken out last: what is made is put beside them. */
static void drop(Pack *p, IrStmt *s)
{
  vec_push(p->module->arena, p->dropped, p->dropped_count, s);
}

/* One addition of all lanes: fewer reads and writes of the window. */
static void add_lanes(Pack *p, const Seed *seed, IrStmt *value)
{
  const IrStmt *first = seed->stmt[0];
  IrStmt *s = ir_stmt(p->module, IR_near_add, TY(VOID), first->loc, NULL);

  s->field = first->field;
  s->update = first->update;
  for (int k = 0; k + 1 < first->operand_count; k++)
    ir_add_operand(p->module, s, first->operands[k]);
  ir_add_operand(p->module, s, pack_spread(p, value, seed->values.count, seed->anchor));
  pack_put(p, s, seed->anchor);
  for (int k = 0; k < seed->values.count; k++)
    drop(p, seed->stmt[k]);
}

static void pack_seeds(Pack *p, const Seeds *seeds)
{
  for (int k = 0; k < seeds->count && !p->has_failed; k++) {
    const Seed *seed = &seeds->seeds[k];
    const Packed *packed = pack_value(p, seed->values);
    p->has_failed = p->has_failed || (seed->is_addition && packed->anchor > seed->anchor);
    if (!seed->is_addition)
      p->saved -= seed->values.count;
    else if (p->is_trial)
      p->saved += 2 * (seed->values.count - 1);
    else if (!p->has_failed)
      add_lanes(p, seed, packed->made);
  }
}

static void begin(Pack *p, bool is_trial)
{
  p->has_failed = false;
  map_init(&p->packed, p->module->arena);
  map_init(&p->lane_of, p->module->arena);
  map_init(&p->spread, p->module->arena);
  p->groups = NULL;
  p->group_count = 0;
  p->is_trial = is_trial;
  p->saved = 0;
}

/* ---- what is still asked for alone ---- */

/* Statements of the form as it is now. */
typedef struct Now {
  Pack *pack;
  Map position;               /* 1 + where a statement stands, or what it stands in */
  Map uses;                   /* how often a value is an operand */
  Map read;                   /* the locals that someone reads */
  Map idle;                   /* statements that nothing comes of */
} Now;

static int use_count(const Now *n, const IrStmt *s)
{
  return (int)(intptr_t)map_get(&n->uses, s);
}

static void count_use(Now *n, const IrStmt *s, int by)
{
  map_put(&n->uses, s, (void *)(intptr_t)(use_count(n, s) + by));
}

static Now look_at_form(Pack *p)
{
  Now n = { .pack = p };

  map_init(&n.position, p->module->arena);
  map_init(&n.uses, p->module->arena);
  map_init(&n.read, p->module->arena);
  map_init(&n.idle, p->module->arena);
  for (int k = 0; k < p->block->count; k++) {
    IrStmt *whole = p->block->stmts[k];
    for (IrStmt *s = whole; s; s = ir_next_in(s, whole)) {
      map_put(&n.position, s, (void *)(intptr_t)(1 + k));
      if (s->op == IR_get && s != whole)
        map_put(&n.read, s->variable, p);
      for (int o = 0; o < s->operand_count; o++)
        count_use(&n, s->operands[o], 1);
    }
  }
  return n;
}

static int position_now(const Now *n, const IrStmt *s)
{
  return (int)(intptr_t)map_get(&n->position, s) - 1;
}

/* Right behind the lanes. */
static IrStmt *put_lane(const Now *n, IrStmt *lanes, int index)
{
  IrModule *m = n->pack->module;
  IrBlock *block = lanes->parent;
  IrStmt *s = ir_stmt(m, IR_lane, lanes->type, lanes->loc, lanes, NULL);
  int at = 0;

  s->index = index;
  while (block->stmts[at] != lanes)
    at++;
  if (at + 1 < block->count)
    ir_insert_before(m, block->stmts[at + 1], s);
  else
    ir_append(m, block, s);
  return s;
}

static int lane_of(const Packed *packed, const IrStmt *value)
{
  int k = 0;

  while (packed->of.lane[k] != value)
    k++;
  return k;
}

/* Those who stand behind the lanes take the value from there. */
static void use_lane(Now *n, IrStmt *value)
{
  const Packed *packed = map_get(&n->pack->lane_of, value);
  const int from = packed ? position_now(n, packed->made) : 0;
  IrStmt *lane = NULL;

  if (!packed)
    return;
  for (IrStmt *s = ir_first(n->pack->block); s; s = ir_next(s, n->pack->block))
    for (int o = 0; o < s->operand_count && !map_get(&n->idle, s); o++)
      if (s->operands[o] == value && position_now(n, s) > from) {
        lane = lane ? lane : put_lane(n, packed->made, lane_of(packed, value));
        s->operands[o] = lane;
        count_use(n, value, -1);
      }
}

/* A `get` of a variable that is one of a group: the lane stands where it does, before lanes that
 * are made of it. */
static void use_group(Now *n, IrStmt *get)
{
  Pack *p = n->pack;
  const Group *g = pack_group_of(p, get->variable);
  IrStmt *whole, *lane;
  int k = 0;

  if (!g)
    return;
  while (g->variable[k] != get->variable)
    k++;
  whole = ir_stmt(p->module, IR_get, get->type, get->loc, NULL);
  whole->lanes = g->made->lanes;
  whole->variable = g->made;
  ir_insert_before(p->module, get, whole);
  lane = put_lane(n, whole, k);
  for (IrStmt *s = ir_first(p->block); s; s = ir_next(s, p->block))
    for (int o = 0; o < s->operand_count && !map_get(&n->idle, s); o++)
      if (s->operands[o] == get)
        s->operands[o] = lane;
  map_put(&n->uses, get, NULL);
}

static bool is_dropped(const Pack *p, const IrStmt *s)
{
  for (int k = 0; k < p->dropped_count; k++)
    if (p->dropped[k] == s)
      return true;
  return false;
}

static bool is_idle(const Now *n, const IrStmt *s)
{
  if (is_dropped(n->pack, s))
    return true;
  if (s->op == IR_declare)
    return s->variable->declaration == s && !map_get(&n->read, s->variable);
  return use_count(n, s) == 0 && is_removable(s);
}

/* From the last one on: what no one asks for asks for nothing. */
static void use_lanes(Pack *p)
{
  Now n = look_at_form(p);

  for (int k = p->count - 1; k >= 0; k--) {
    IrStmt *s = p->stmts[k];
    if (use_count(&n, s) > 0)
      use_lane(&n, s);
    if (use_count(&n, s) > 0 && s->op == IR_get)
      use_group(&n, s);
    if (is_idle(&n, s)) {
      map_put(&n.idle, s, p);
      for (int o = 0; o < s->operand_count; o++)
        count_use(&n, s->operands[o], -1);
      if (s->op == IR_declare && !is_dropped(p, s))
        drop(p, s);
    } else if (s->op == IR_get) {
      map_put(&n.read, s->variable, p);
    }
  }
}

static void drop_assignments(Pack *p)
{
  for (int g = 0; g < p->group_count; g++)
    for (int k = 0; k < p->groups[g]->times * p->groups[g]->count; k++)
      drop(p, p->stmts[p->groups[g]->assigned[k]]);
}

/* ---- loads ---- */

static bool may_change(const IrStmt *s, const IrField *field)
{
  return s->op == IR_call || s->op == IR_release_cell ||
         (ir_changes(s, IR_OF_FIELD) && s->field == field);
}

/* A load of the same field of the same cell, since when nothing has changed it; or NULL. */
static IrStmt *load_before(const Pack *p, int at)
{
  const IrStmt *load = p->stmts[at];

  while (at-- > 0) {
    IrStmt *whole = p->stmts[at];
    if (whole->op == IR_load && whole->field == load->field &&
        whole->operands[0] == load->operands[0])
      return whole;
    for (IrStmt *s = whole; s; s = ir_next_in(s, whole))
      if (may_change(s, load->field))
        return NULL;
  }
  return NULL;
}

/* C compilers do not see that an addition to a window changes no cell. */
static void share_loads(Pack *p)
{
  Map first;

  map_init(&first, p->module->arena);
  for (int k = 0; k < p->count; k++) {
    IrStmt *before = p->stmts[k]->op == IR_load ? load_before(p, k) : NULL;
    if (before && map_get(&first, before))
      before = map_get(&first, before);
    map_put(&first, p->stmts[k], before);
    for (IrStmt *s = before ? ir_first(p->block) : NULL; s; s = ir_next(s, p->block))
      for (int o = 0; o < s->operand_count; o++)
        if (s->operands[o] == p->stmts[k])
          s->operands[o] = before;
  }
}

/* ---- forms ---- */

/* What it saves to begin with these, about; 0: they cannot all be packed. */
static int trial(Pack *p, const Seeds *seeds)
{
  begin(p, true);
  pack_seeds(p, seeds);
  return p->has_failed ? 0 : p->saved;
}

/* A matrix is taken by rows or by columns: whichever saves more, as `outer(g, d)`, whose columns
 * are g by one value.  None, where neither saves anything. */
static Seeds best_seeds(Pack *p)
{
  const Seeds rows = pack_seeds_of(p, false), columns = pack_seeds_of(p, true);
  const int by_rows = trial(p, &rows), by_columns = trial(p, &columns);

  if (by_rows <= 0 && by_columns <= 0)
    return (Seeds){ NULL, 0 };
  return by_columns > by_rows ? columns : rows;
}

static void pack_form(IrModule *m, IrFunction *f, IrStmt *task)
{
  Pack p = { .module = m, .function = f, .task = task, .block = task->blocks[2] };
  Seeds seeds;

  map_init(&p.position, m->arena);
  for (int k = 0; k < p.block->count; k++) {
    map_put(&p.position, p.block->stmts[k], (void *)(intptr_t)(1 + k));
    vec_push(m->arena, p.stmts, p.count, p.block->stmts[k]);
  }
  share_loads(&p);
  seeds = best_seeds(&p);
  if (seeds.count == 0)
    return;
  begin(&p, false);
  pack_seeds(&p, &seeds);
  drop_assignments(&p);
  use_lanes(&p);
  for (int k = 0; k < p.dropped_count; k++)
    ir_remove(p.dropped[k]);
  remove_dead(m, f);
}

void pass_pack(IrModule *m)
{
  for_each_near_form(m, pack_form);
}
