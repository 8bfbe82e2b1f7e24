/* Which statements of a near form iterations do one by one, which in lanes, and in which order. */
#include "gen/passes/gang.h"

/* ---- which form ---- */

static bool is_here(const Gang *g, const IrStmt *s)
{
  return s->parent == g->near;
}

Form gang_form(const Gang *g, const IrStmt *s)
{
  return is_here(g, s) ? g->form[s->id] : SAME;
}

IrStmt *gang_resolved(const Gang *g, IrStmt *s)
{
  if (map_get(&g->read_before, s))
    s = map_get(&g->read_before, s);
  while (s->op == IR_get && is_here(g, s) && s->variable->kind == IR_VAR_LOCAL &&
         s->variable->declaration && is_here(g, s->variable->declaration) &&
         gang_form(g, s->variable->declaration) != LANES)
    s = gang_resolved(g, s->variable->declaration->operands[0]);
  return s;
}

static bool has_vectors(const Type *t)
{
  return t->kind == TYPE_BOOL || ((type_is_float(t) || type_is_integer(t)) && t->bits >= 32);
}

static bool fits_vectors(const IrStmt *s)
{
  if (!has_vectors(s->type))
    return false;
  for (int k = 0; k < s->operand_count; k++)
    if (!has_vectors(s->operands[k]->type))
      return false;
  return true;
}

static bool is_change(const IrStmt *s)
{
  return s->op == IR_store || s->op == IR_cell_atomic || s->op == IR_near_add ||
         s->op == IR_update;
}

/* The iteration may not get beyond it. */
static bool may_leave(const IrStmt *s)
{
  return s->op == IR_window || s->op == IR_found_cell || s->op == IR_check_bounds;
}

/* Only of windows that are there at once, and whose cells hold one value, or four. */
static bool is_served(const IrStmt *window)
{
  const IrWindow w = ir_window(window);

  return (window->index & IR_WINDOW_AT_ONCE) && (w.lanes == 1 || w.lanes == 4);
}

static bool is_at_constant(const IrStmt *s)
{
  for (int k = 1; k <= s->operands[0]->snode->path_axis_count; k++)
    if (!is_const(s->operands[k]))
      return false;
  return true;
}

/* Whether iterations may do it one by one; false also for what is in lanes. */
static bool is_for_each(const Gang *g, const IrStmt *s)
{
  switch (s->op) {
  case IR_own_cell: case IR_load: case IR_digit: case IR_linear: case IR_found_cell:
  case IR_check_bounds: case IR_store: case IR_svd: case IR_polar: case IR_sym_eig: case IR_part:
    return true;
  case IR_cell:
    return s->mode == IR_MODE_READ && !s->snode->is_soa && s->operand_count == 2;
  case IR_window:
    return is_served(s);
  case IR_near_add:
    return is_at_constant(s);
  case IR_cell_atomic:
    return g->uses[s->id] == 0;
  case IR_update:
    return s->reduction && g->uses[s->id] == 0;
  default:
    return false;
  }
}

static bool is_for_lanes(const IrStmt *s)
{
  switch (s->op) {
  case IR_near_load:
    return is_at_constant(s) && has_vectors(s->type);
  case IR_get: case IR_set: case IR_declare:
    return s->variable->kind == IR_VAR_LOCAL && has_vectors(s->variable->type);
  default:
    return ir_is(s, IR_IN_LANES) && s->op != IR_digit && fits_vectors(s);
  }
}

/* A value that no iteration changes. */
static bool is_same(const Gang *g, const IrStmt *s)
{
  if (s->op == IR_get)
    return s->variable->kind == IR_VAR_KERNEL;
  if (s->op == IR_own_cell)
    return s->snode != g->task->snode;
  if (!is_pure(s) || s->op == IR_own_position ||
      (s->op == IR_loop_index && s->index == g->task->variable_count - 1))
    return false;
  for (int k = 0; k < s->operand_count; k++)
    if (gang_form(g, gang_resolved(g, s->operands[k])) != SAME)
      return false;
  return true;
}

/* Gives the statement its form; false: it has none. */
static bool find_form(Gang *g, IrStmt *s)
{
  Form *form = &g->form[s->id];

  if (is_same(g, s))
    *form = SAME;
  else if (s->op == IR_declare && s->variable->declaration == s &&
           gang_form(g, gang_resolved(g, s->operands[0])) != LANES)
    *form = gang_form(g, gang_resolved(g, s->operands[0]));
  else if (s->op == IR_get && gang_resolved(g, s) != s)
    *form = gang_form(g, gang_resolved(g, s));
  else if (is_for_each(g, s))
    *form = EACH;
  else if (is_for_lanes(s))
    *form = LANES;
  else
    return false;
  return true;
}

bool gang_is_name(const Gang *g, const IrStmt *s)
{
  if (s->op == IR_block || s->op == IR_end_block || map_get(&g->read_before, s))
    return true;
  return (s->op == IR_declare || (s->op == IR_get && s->variable->kind == IR_VAR_LOCAL)) &&
         gang_form(g, s) != LANES;
}

/* ---- phases ---- */

/* Takes the phase to where the operand is known. */
static void follow(const Gang *g, Form form, IrStmt *operand, int *phase)
{
  const IrStmt *s = gang_resolved(g, operand);
  const Form of = gang_form(g, s);
  const int first = of == SAME ? -1 : g->phase[s->id] + (of != form);

  *phase = first > *phase ? first : *phase;
}

static int touched(const Gang *g, const IrVariable *v)
{
  return (int)(intptr_t)map_get(&g->touched, v) - 1;
}

/* What may end an iteration keeps its order: a window notes what a box touches, which an iteration
 * that traps before it does not. */
static void find_phase(Gang *g, IrStmt *s)
{
  const Form form = gang_form(g, s);
  int phase = form == SAME ? -1 : form == EACH ? 0 : 1;

  for (int k = 0; k < s->operand_count && form != SAME; k++)
    follow(g, form, s->operands[k], &phase);
  if (form == LANES && s->variable) {
    phase = touched(g, s->variable) > phase ? touched(g, s->variable) : phase;
    map_put(&g->touched, s->variable, (void *)(intptr_t)(1 + phase));
  }
  if (may_leave(s))
    phase = g->left = g->left > phase ? g->left : phase;
  g->phase[s->id] = phase;
}

/* Changes stand in the last phase, behind all that iterations may not get beyond. */
static void find_last(Gang *g)
{
  for (int k = 0; k < g->near->count; k++) {
    const IrStmt *s = g->near->stmts[k];
    const int first = g->phase[s->id] + (may_leave(s) ? 2 : gang_form(g, s) == LANES);
    if (!gang_is_name(g, s) && gang_form(g, s) != SAME && first > g->last)
      g->last = first;
  }
  for (int k = 0; k < g->near->count; k++)
    if (is_change(g->near->stmts[k]))
      g->phase[g->near->stmts[k]->id] = g->last;
}

/* ---- whether there is a gang ---- */

/* All loads stand before all changes; a local that is only declared is never changed. */
static bool reads_same(const IrStmt *a, const IrStmt *b)
{
  if (a->op != b->op)
    return false;
  if (a->op == IR_get)
    return a->variable == b->variable && a->variable->declaration;
  return a->op == IR_load && a->field == b->field && a->operands[0] == b->operands[0];
}

/* What reads the same as a statement before it is that one. */
static void note_read(Gang *g, int at)
{
  IrStmt *s = g->near->stmts[at];

  for (int k = 0; k < at; k++)
    if (reads_same(g->near->stmts[k], s)) {
      map_put(&g->read_before, s, g->near->stmts[k]);
      return;
    }
}

/* What is loaded behind a change of the field would be loaded before it. */
static bool loads_what_was_changed(const Gang *g)
{
  for (int k = 0; k < g->near->count; k++)
    for (int j = 0; j < k && g->near->stmts[k]->op == IR_load; j++)
      if (is_change(g->near->stmts[j]) && g->near->stmts[j]->field == g->near->stmts[k]->field)
        return true;
  return false;
}

/* A mask is made of comparisons only. */
static bool takes_bools(const Gang *g, const IrStmt *s)
{
  for (int k = 0; k < s->operand_count; k++) {
    const IrStmt *o = gang_resolved(g, s->operands[k]);
    if (o->type->kind == TYPE_BOOL && gang_form(g, o) != gang_form(g, s) && gang_form(g, o) != SAME)
      return true;
  }
  return false;
}

bool gang_forms(Gang *g)
{
  int windows = 0;

  for (int k = 0; k < g->near->count; k++) {
    IrStmt *s = g->near->stmts[k];
    note_read(g, k);
    if (!find_form(g, s) || takes_bools(g, s))
      return false;
    find_phase(g, s);
    windows += s->op == IR_window;
  }
  find_last(g);
  return windows > 0 && !loads_what_was_changed(g);
}
