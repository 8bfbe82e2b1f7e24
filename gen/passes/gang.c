/* gang: the near form is done for several iterations at once, each in a lane.
 *
 *   near {                                    near {
 *     <cell> $1 = own_cell grid.S7 $0           gang index 8 {
 *     <f32> $2 = load x $1                        each_lane {
 *     <i32> $3 = cast $2                            <cell> $21 = own_cell grid.S7 $0
 *     <cell> $4 = window .. $3 ..                   <f32> $22 = load x $21
 *     <f32> $5 = near_load u $4 ..     =>         }
 *     <f32> $6 = mul $2 $5                        <f32 x 8> $23 = in_lanes $22
 *     store v $1 $6                               <i32 x 8> $24 = cast $23
 *   }                                             <i32> $25 = by_lane $24
 *                                                 each_lane { <cell> $26 = window .. $25 .. }
 *                                                 <f32 x 8> $27 = near_load u $26 ..
 *                                                 <f32 x 8> $28 = mul $23 $27
 *                                                 <f32> $29 = by_lane $28
 *                                                 each_lane { store v $21 $29 }
 *                                               }
 *                                               ... as before
 *
 * Walks, loads and what is changed go iteration by iteration, in each_lanes; all else is computed
 * in lanes.  So the statements are cut into phases, an each_lane and what is in lanes by turns:
 * each stands in the first that follows what it needs.  All changes stand in the last one, in
 * their order.
 *
 * Needs: near forms, whose iterations go over a list, in windows that a block has at once: then
 * iterations that follow each other mostly find their boxes in the same one.
 * Guarantees: what one iteration computes has the same bits, and what is added to windows is added
 * in the order of the iterations.  What one loads is what was there before the gang: iterations of
 * a parallel loop may not count on what others store.  Nothing is changed before all of them have
 * their windows.
 */
#include "gen/passes/gang.h"

/* ---- what each_lanes take of lanes ---- */

static void take(Gang *g, const Taken *taken)
{
  vec_push(g->module->arena, g->taken, g->taken_count, *taken);
}

static IrStmt *added(const Gang *g, const IrStmt *near_add)
{
  return gang_resolved(g, near_add->operands[near_add->operand_count - 1]);
}

static bool adds_to_cell_of(const IrStmt *a, const IrStmt *b)
{
  if (b->op != IR_near_add || b->operands[0] != a->operands[0] || b->update != a->update)
    return false;
  for (int k = 1; k < a->operand_count - 1; k++)
    if (a->operands[k]->value.i != b->operands[k]->value.i)
      return false;
  return true;
}

/* The additions to all elements of the cell, of which the first stands at `at`. */
static bool find_whole(const Gang *g, int at, IrStmt **of, int *count)
{
  const IrStmt *first = g->near->stmts[at];
  const IrWindow w = ir_window(first->operands[0]);
  int found = 0;

  *count = w.field_count;
  for (int k = 0; k < w.field_count; k++)
    of[k] = NULL;
  for (int k = at; k < g->near->count && found < w.field_count; k++) {
    IrStmt *s = g->near->stmts[k];
    if (!adds_to_cell_of(first, s))
      continue;
    if (of[ir_window_element(&w, s->field)])
      return false;
    of[ir_window_element(&w, s->field)] = s;
    found++;
  }
  return found > 1 && found == w.field_count;
}

/* The last in the order in which they are made. */
static bool is_behind(const Gang *g, const IrStmt *a, const IrStmt *b)
{
  return g->phase[a->id] != g->phase[b->id] ? g->phase[a->id] > g->phase[b->id] : a->id > b->id;
}

static void take_whole(Gang *g, int at)
{
  IrStmt *of[IR_MOST_LANES];
  Taken whole = { .count = 0 };

  if (map_get(&g->left_out, g->near->stmts[at]) || !find_whole(g, at, of, &whole.count))
    return;
  for (int k = 0; k < whole.count; k++) {
    whole.value[k] = added(g, of[k]);
    if (gang_form(g, whole.value[k]) == LANES &&
        (!whole.behind || is_behind(g, whole.value[k], whole.behind)))
      whole.behind = whole.value[k];
  }
  for (int k = 0; k < whole.count; k++)
    if (!whole.behind || (gang_form(g, whole.value[k]) == EACH &&
                          g->phase[whole.value[k]->id] > g->phase[whole.behind->id]))
      return;
  for (int k = 0; k < whole.count; k++)
    map_put(&g->left_out, of[k], of[0]);
  map_put(&g->whole, g->near->stmts[at], (void *)(intptr_t)(1 + g->taken_count));
  take(g, &whole);
}

static Taken *single(const Gang *g, const IrStmt *value)
{
  for (int k = 0; k < g->taken_count; k++)
    if (g->taken[k].count == 1 && g->taken[k].value[0] == value)
      return &g->taken[k];
  return NULL;
}

static void find_taken(Gang *g)
{
  for (int k = 0; k < g->near->count; k++)
    if (g->near->stmts[k]->op == IR_near_add)
      take_whole(g, k);
  for (int k = 0; k < g->near->count; k++) {
    const IrStmt *s = g->near->stmts[k];
    for (int o = 0; o < s->operand_count && gang_form(g, s) == EACH && !gang_is_name(g, s); o++) {
      IrStmt *value = gang_resolved(g, s->operands[o]);
      if (gang_form(g, value) == LANES && !map_get(&g->left_out, s) && !single(g, value))
        take(g, &(Taken){ .value = { value }, .count = 1, .behind = value });
    }
  }
}

/* ---- making it ---- */

static IrStmt *put_lanes(Gang *g, Maker *make, IrOp op, IrStmt *of)
{
  IrStmt *s = ir_stmt(g->module, op, of->type, make->loc, of, NULL);

  s->lanes = GANG;
  return put(make, s);
}

/* The value in lanes, whatever its form. */
static IrStmt *value_in_lanes(Gang *g, Maker *make, IrStmt *original)
{
  IrStmt *s = gang_resolved(g, original), *made = map_get(&g->in_lanes, s);

  if (gang_form(g, s) == LANES)
    return copied(&g->copy, s);
  if (!made) {
    made = put_lanes(g, make, gang_form(g, s) == SAME ? IR_spread : IR_in_lanes,
                     copied(&g->copy, s));
    map_put(&g->in_lanes, s, made);
  }
  return made;
}

/* Beside lanes one value is in all of them, for these. */
static bool takes_one(const IrStmt *s)
{
  return type_is_float(s->type) &&
         (s->op == IR_add || s->op == IR_sub || s->op == IR_mul || s->op == IR_div);
}

static void put_taken(Gang *g, Maker *make, const IrStmt *behind)
{
  for (int k = 0; k < g->taken_count; k++) {
    Taken *t = &g->taken[k];
    if (t->behind != behind)
      continue;
    t->made = ir_stmt(g->module, IR_by_lane, t->value[0]->type, make->loc, NULL);
    t->made->lanes = t->count > 1 ? 4 : 0;
    for (int v = 0; v < t->count; v++)
      ir_add_operand(g->module, t->made, value_in_lanes(g, make, t->value[v]));
    put(make, t->made);
  }
}

/* A copy of the statement, with other operands; of a variable that has lanes. */
static IrStmt *put_copy(Gang *g, Maker *make, IrStmt *s)
{
  IrStmt *made;

  make->loc = s->loc;
  copy_stmt(&g->copy, s, make);
  made = copied(&g->copy, s);
  made->operand_count = 0;
  made->operands = NULL;
  return made;
}

static void put_same(Gang *g, Maker *make, IrStmt *s)
{
  IrStmt *made = put_copy(g, make, s);

  for (int k = 0; k < s->operand_count; k++)
    ir_add_operand(g->module, made, copied(&g->copy, gang_resolved(g, s->operands[k])));
}

static void put_in_lanes(Gang *g, Maker *make, IrStmt *s)
{
  const bool is_near = s->op == IR_near_load;
  IrStmt *operand[IR_MOST_LANES] = { NULL }, *made;

  for (int k = 0; k < s->operand_count; k++) {
    IrStmt *o = gang_resolved(g, s->operands[k]);
    operand[k] = is_near || (takes_one(s) && gang_form(g, o) == SAME)
                     ? copied(&g->copy, o) : value_in_lanes(g, make, o);
  }
  made = put_copy(g, make, s);
  for (int k = 0; k < s->operand_count; k++)
    ir_add_operand(g->module, made, operand[k]);
  if (made->variable)
    made->variable->lanes = GANG;
  if (s->op != IR_set && s->op != IR_declare)
    made->lanes = GANG;
  put_taken(g, make, s);
}

static void put_for_each(Gang *g, Maker *make, IrStmt *s)
{
  const int whole = (int)(intptr_t)map_get(&g->whole, s) - 1;
  IrStmt *made;

  if (map_get(&g->left_out, s) && whole < 0)
    return;
  made = put_copy(g, make, s);
  for (int k = 0; k < s->operand_count; k++) {
    IrStmt *o = gang_resolved(g, s->operands[k]);
    const bool is_whole = whole >= 0 && k == s->operand_count - 1;
    ir_add_operand(g->module, made,
                   is_whole ? g->taken[whole].made
                   : gang_form(g, o) == LANES ? single(g, o)->made : copied(&g->copy, o));
  }
  if (whole >= 0)
    made->field = (IrField *)ir_window(s->operands[0]).field[0];
}

static void put_phase(Gang *g, int phase)
{
  Maker make = { .module = g->module, .block = g->gang->blocks[0], .loc = g->task->loc };
  IrStmt *each;

  if (phase >= 0 && phase % 2 == 0) {
    each = put(&make, ir_stmt(g->module, IR_each_lane, TY(VOID), g->task->loc, NULL));
    make.block = each->blocks[0] = ir_block(g->module, each);
  }
  for (int k = 0; k < g->near->count; k++) {
    IrStmt *s = g->near->stmts[k];
    if (g->phase[s->id] != phase || gang_is_name(g, s))
      continue;
    if (gang_form(g, s) == SAME)
      put_same(g, &make, s);
    else if (gang_form(g, s) == EACH)
      put_for_each(g, &make, s);
    else
      put_in_lanes(g, &make, s);
  }
}

static void make_gang(Gang *g)
{
  Maker make = { .module = g->module, .block = g->task->blocks[2], .loc = g->task->loc,
                 .where = g->task->blocks[2]->stmts[0] };

  copy_init(&g->copy, g->module, g->function);
  g->copy.keeps_names = true;
  map_init(&g->in_lanes, g->module->arena);
  g->gang = ir_stmt(g->module, IR_gang, TY(VOID), g->task->loc, NULL);
  g->gang->index = GANG;
  g->gang->blocks[0] = ir_block(g->module, g->gang);
  for (int phase = -1; phase <= g->last; phase++)
    put_phase(g, phase);
  put(&make, g->gang);
}

/* Cells that stand side by side, one for each iteration. */
static bool is_over_list(const IrStmt *task)
{
  return task->task == IR_TASK_STRUCT_FOR && kind_is(task->snode->kind, KIND_LIST) &&
         !task->snode->is_soa;
}

static void gang_up(IrModule *m, IrFunction *f, IrStmt *task)
{
  Gang g = { .module = m, .function = f, .task = task, .near = task->blocks[2] };
  int size;

  if (!is_over_list(task))
    return;
  g.uses = count_uses(m, f);           /* which gives ids */
  size = give_ids(f) + 1;
  g.form = NEW_ARRAY(m->arena, Form, size);
  g.phase = NEW_ARRAY(m->arena, int, size);
  map_init(&g.read_before, m->arena);
  map_init(&g.touched, m->arena);
  map_init(&g.whole, m->arena);
  map_init(&g.left_out, m->arena);
  if (!gang_forms(&g))
    return;
  find_taken(&g);
  make_gang(&g);
}

void pass_gang(IrModule *m)
{
  for_each_near_form(m, gang_up);
}
