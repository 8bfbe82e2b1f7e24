/* Which statements of a body are worth writing: those with an effect, and what
 * they need.
 *
 * The passes drop dead code too, but not at -O0, and they keep locals that the
 * source assigns and never reads.
 */
#include "gen/emit/writer.h"
#include "gen/ir/idle_store.h"

typedef struct Search {
  Emit *emit;
  Live *live;
  Map deferred;                          /* walks that staged additions alone would use */
  Map declared, redeclared;              /* locals; those that more than one block declares */
  bool changed;
} Search;

static bool near_takes_operand(const IrStmt *s, int k)
{
  if (s->op == IR_window)
    return k < s->snode->path_axis_count;
  return k == 0 || (s->op == IR_near_add && k == s->operand_count - 1) ||
         s->operands[k]->op != IR_const;
}

bool takes_operand(Emit *e, const IrStmt *s, int k)
{
  if (s->op == IR_appended)              /* the cell, and not the position */
    return false;
  if (s->op == IR_is_null)               /* else it is false */
    return can_be_null(s->operands[0]);
  if (s->op == IR_window || s->op == IR_near_load || s->op == IR_near_add)
    return near_takes_operand(s, k);
  if (s->op == IR_cache || (s->op == IR_digit && is_only_digit(s)))
    return false;
  if (s->op == IR_staged)                /* the load itself where nothing is staged */
    return k == 0 && (is_staged_addition(s) || !is_nearby(e, s));
  if (s->op == IR_staged_at)             /* or its coordinates */
    return is_nearby(e, s) ? k > 0 || is_staged_addition(s) : k == 0;
  if (adds_nearby(e, s))                 /* the walk to the cell comes later */
    return k != 0;
  if (s->op == IR_inside)                /* one that is known to be inside is not written */
    return tests_origin(s, k) || tests_limit(s, k);
  if (shifts_by_number(s))
    return k == 0;
  if (s->op != IR_call || k >= s->function->param_count)
    return true;
  return needs_param(&function_info(e, s->function)->needs, s->function->params[k]);
}

bool is_live(const Live *live, const IrStmt *s)
{
  return map_get(&live->stmts, s) != NULL;
}

static bool is_read(const Search *f, const IrVariable *v)
{
  return v->kind != IR_VAR_LOCAL || map_get(&f->live->read, v);
}

/* Of a local that other blocks declare too: whether this one uses it. */
static bool is_used_here(const Search *f, const IrStmt *declare)
{
  if (!map_get(&f->redeclared, declare->variable))
    return true;
  for (IrStmt *s = ir_first(declare->parent); s; s = ir_next(s, declare->parent))
    if (s != declare && s->variable == declare->variable && is_live(f->live, s))
      return true;
  return false;
}

/* Whether s must be written though no one uses its value. */
static bool has_effect(const Search *f, const IrStmt *s)
{
  if (ir_changes(s, IR_OF_LOCAL))
    return is_read(f, s->variable) && (s->op != IR_declare || is_used_here(f, s));
  switch (s->op) {
  case IR_cell:
    return is_walked(s) && s->mode == IR_MODE_ACTIVATE && !map_get(&f->deferred, s);
  case IR_call: {
    const Needs *needs = &function_info(f->emit, s->function)->needs;
    return needs->traps || needs->effects >= IR_WRITES;
  }
  case IR_if:
    return false;                        /* its blocks decide */
  case IR_assert: case IR_require:
    return s->operands[0]->op != IR_const || !s->operands[0]->value.i;
  case IR_store:
    return !ir_stores_what_is_there(s);
  default:
    return ir_op_info[s->op].effects >= IR_WRITES;
  }
}

static void mark(Search *f, const IrStmt *s)
{
  if (is_live(f->live, s))
    return;
  f->changed = true;
  map_put(&f->live->stmts, s, f);
  for (int k = 0; k < s->operand_count; k++)
    if (takes_operand(f->emit, s, k))
      mark(f, s->operands[k]);
  if (s->op == IR_get || s->op == IR_update)
    map_put(&f->live->read, s->variable, f);
  if (s->parent && s->parent->owner)
    mark(f, s->parent->owner);
}

/* ---- what staged additions do later ---- */

static void defer_walk(Search *f, const IrStmt *s)
{
  if (!adds_nearby(f->emit, s))
    return;
  for (const IrStmt *cell = s->operands[0]; cell->op == IR_cell; cell = cell->operands[0])
    map_put(&f->deferred, cell, f);
}

/* Who else goes on from a cell has it activated at once. */
static void keep_used(Search *f, const IrStmt *s)
{
  bool is_deferred = adds_nearby(f->emit, s) || map_get(&f->deferred, s);

  for (int k = is_deferred; k < s->operand_count; k++)
    if (map_get(&f->deferred, s->operands[k])) {
      map_put(&f->deferred, s->operands[k], NULL);
      f->changed = true;
    }
}

static void find_deferred(Search *f, const IrBlock *block)
{
  map_init(&f->deferred, f->emit->arena);
  if (!f->emit->staging)
    return;
  for (IrStmt *s = ir_first(block); s; s = ir_next(s, block))
    defer_walk(f, s);
  do {
    f->changed = false;
    for (IrStmt *s = ir_first(block); s; s = ir_next(s, block))
      keep_used(f, s);
  } while (f->changed);
}

static void find_redeclared(Search *f, const IrBlock *block)
{
  map_init(&f->declared, f->emit->arena);
  map_init(&f->redeclared, f->emit->arena);
  for (IrStmt *s = ir_first(block); s; s = ir_next(s, block))
    if (s->op == IR_declare)
      map_put(map_get(&f->declared, s->variable) ? &f->redeclared : &f->declared, s->variable, s);
}

void live_find(Emit *e, const IrBlock *block, Live *live)
{
  Search f = { .emit = e, .live = live };

  map_init(&live->stmts, e->arena);
  map_init(&live->read, e->arena);
  find_deferred(&f, block);
  find_redeclared(&f, block);
  do {
    f.changed = false;
    for (IrStmt *s = ir_first(block); s; s = ir_next(s, block))
      if (has_effect(&f, s))
        mark(&f, s);
  } while (f.changed);
}
