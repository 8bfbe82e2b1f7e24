/* The primal's statements from the last to the first, each as its adjoint. */
#include "gen/derive/adjoint.h"

/* ---- operations ---- */

static IrStmt **operands_again(Reverse *r, IrStmt *s, Maker *make)
{
  IrStmt **operands = NEW_ARRAY(r->module->arena, IrStmt *, s->operand_count + 1);

  for (int k = 0; k < s->operand_count; k++)
    operands[k] = r->needed[s->operands[k]->id] ? again(r, s->operands[k], make) : NULL;
  return operands;
}

static void operation_back(Reverse *r, IrStmt *s, Maker *make)
{
  IrStmt *bar = take_bar(r, s, make), **operands;

  if (!bar)
    return;
  operands = operands_again(r, s, make);
  for (int k = 0; k < s->operand_count; k++)
    if (value_varies(&r->varied, s->operands[k]))
      add_bar(r, s->operands[k],
              put_partial(make, s, operands, r->needed[s->id] ? again(r, s, make) : NULL, k, bar),
              s->parent, make);
}

static void part_back(Reverse *r, IrStmt *s, Maker *make)
{
  IrStmt *bar = take_bar(r, s, make);

  if (bar)
    add_part_bar(r, s, bar, make);
}

static void factor_back(Reverse *r, IrStmt *s, Maker *make)
{
  Arena *arena = r->module->arena;
  const int parts = ir_parts(s);
  IrStmt **bars = NEW_ARRAY(arena, IrStmt *, parts + 1), **part, **by, *factor;

  if (!take_part_bars(r, s, bars, make))
    return;
  factor = again(r, s, make);
  part = NEW_ARRAY(arena, IrStmt *, parts + 1);
  by = NEW_ARRAY(arena, IrStmt *, s->operand_count + 1);
  for (int k = 0; k < parts; k++) {
    part[k] = ir_stmt(r->module, IR_part, s->type, s->loc, factor, NULL);
    part[k]->index = k;
    put(make, part[k]);
  }
  put_factor_adjoint(make, s, factor->operands, part, bars, by);
  for (int k = 0; k < s->operand_count; k++)
    add_bar(r, s->operands[k], by[k], s->parent, make);
}

/* ---- locals and kernel-level variables ---- */

static void get_back(Reverse *r, IrStmt *s, Maker *make)
{
  IrStmt *bar = take_bar(r, s, make);
  bool is_others = r->offset && s->variable->kind == IR_VAR_KERNEL;

  if (bar && !is_others)
    add_to_variable(r, bar_variable(r, s->variable), bar, make);
}

/* Whether the variable may have been set on the way from the one to the other. */
static bool is_set_between(const IrStmt *from, const IrStmt *to)
{
  const IrBlock *block = from->parent;
  int k = 0;

  if (to->parent != block)
    return true;
  while (block->stmts[k] != from)
    k++;
  for (k++; block->stmts[k] != to; k++)
    if (block->stmts[k]->blocks[0] || block->stmts[k]->variable == to->variable)
      return true;
  return false;
}

/* What `set v` adds to v, as `v += e` is written; NULL: it does something else. */
static IrStmt *added_to_own(const IrStmt *s)
{
  const IrStmt *sum = s->operands[0];
  const IrStmt *own = s->op == IR_set && sum->op == IR_add ? sum->operands[0] : NULL;

  if (!own || own->op != IR_get || own->variable != s->variable || is_set_between(own, s))
    return NULL;
  return sum->operands[1];
}

/* What is assigned takes the adjoint over; what is added to has its own still. */
static void set_back(Reverse *r, IrStmt *s, Maker *make)
{
  IrVariable *bar = bar_variable(r, s->variable);
  IrStmt *added = added_to_own(s);

  if (added) {
    add_bar(r, added, put_get(make, bar), s->parent, make);
    return;
  }
  add_bar(r, s->operands[0], put_get(make, bar), s->parent, make);
  if (s->op == IR_set)
    put_set(make, bar, make_const(make, bar->type, 0));
}

/* Of a sum each term has the adjoint of the whole. */
static void update_back(Reverse *r, IrStmt *s, Maker *make)
{
  IrStmt *bar = put_get(make, bar_variable(r, s->variable));

  if (s->update == OP_SUB)
    bar = put(make, ir_stmt(r->module, IR_neg, bar->type, s->loc, bar, NULL));
  add_bar(r, s->operands[0], bar, s->parent, make);
}

/* ---- control ---- */

static void if_back(Reverse *r, IrStmt *s, Maker *make)
{
  IrStmt *branch = put_if(make, again(r, s->operands[0], make));
  Frame *outer = r->frame;

  for (int b = 0; b < 2; b++) {
    Maker inner = make_in(make, branch->blocks[b]);
    Frame frame;
    open_frame(r, &frame, outer);
    map_put(&r->blocks, s->blocks[b], branch->blocks[b]);
    go_back(r, s->blocks[b], &inner);
    r->frame = outer;
  }
}

static void stmt_back(Reverse *r, IrStmt *s, Maker *make)
{
  switch (s->op) {
  case IR_if:     if_back(r, s, make); return;
  case IR_get:    get_back(r, s, make); return;
  case IR_declare: case IR_set: set_back(r, s, make); return;
  case IR_part:   part_back(r, s, make); return;
  case IR_svd: case IR_polar: case IR_sym_eig: factor_back(r, s, make); return;
  case IR_update: update_back(r, s, make); return;
  case IR_read:   read_back(r, s, make); return;
  case IR_write:  write_back(r, s, make); return;
  case IR_atomic: atomic_back(r, s, make); return;
  case IR_deactivate_all: deactivate_all_back(r, s, make); return;
  default:
    if (ir_is(s, IR_FOREACH))
      foreach_back(r, s, make);
    else if (ir_is(s, IR_LOOPS))
      loop_back(r, s, make);
    else
      operation_back(r, s, make);
  }
}

void go_back(Reverse *r, const IrBlock *primal, Maker *make)
{
  for (int k = primal->count - 1; k >= 0; k--) {
    IrStmt *s = primal->stmts[k];
    make->loc = s->loc;
    if (r->goes_back[s->id])
      stmt_back(r, s, make);
  }
}
