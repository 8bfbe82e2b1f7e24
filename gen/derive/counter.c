/* What a loop over parallel loops counts. */
#include "gen/derive/adjoint.h"

static bool sets(const IrStmt *s)
{
  return ir_changes(s, IR_OF_LOCAL) && s->variable;
}

bool is_step_of(const IrStmt *set, Counter *c)
{
  const IrStmt *value = set->op == IR_set ? set->operands[0] : NULL;

  if (!value || (value->op != IR_add && value->op != IR_sub))
    return false;
  c->variable = set->variable;
  c->step = value->operands[1];
  c->op = value->op;
  return value->operands[0]->op == IR_get && value->operands[0]->variable == set->variable &&
         is_const(value->operands[1]);
}

static const IrVariable *tested_by(const IrStmt *loop)
{
  return loop->operands[0]->op == IR_get ? loop->operands[0]->variable : NULL;
}

/* Whether what follows each turn sets nothing but what is tested. */
static bool has_no_step(const IrStmt *loop)
{
  const IrBlock *next = loop->blocks[2];

  for (IrStmt *s = ir_first(next); s; s = ir_next(s, next))
    if (sets(s) && s->variable != tested_by(loop))
      return false;
  return true;
}

void write_step_last(IrModule *m, IrStmt *loop)
{
  const IrBlock *body = loop->blocks[1];
  IrStmt *last = body->count > 0 ? body->stmts[body->count - 1] : NULL;
  Counter c;
  Maker make;

  if (!last || !is_step_of(last, &c) || !has_no_step(loop))
    return;
  make = make_first(m, loop->blocks[2], last->loc);
  put_set(&make, c.variable, put_binary(&make, c.op, put_get(&make, c.variable),
                                        make_value(&make, c.step->type, c.step->value)));
  ir_remove(last);
}

bool find_counter(const IrStmt *loop, Counter *c)
{
  const IrVariable *tested = tested_by(loop);
  const IrBlock *next = loop->blocks[2];
  int steps = 0;

  *c = (Counter){ 0 };
  for (int k = 0; tested && k < next->count; k++) {
    IrStmt *s = next->stmts[k];
    if (!sets(s))
      continue;
    if (s->variable == tested && s->op == IR_set)
      c->test = s->operands[0];
    else if (++steps > 1 || !is_step_of(s, c))
      return false;
  }
  return steps == 1 && c->test;
}

static bool is_changed_in(IrStmt *loop, const IrVariable *v)
{
  for (IrStmt *s = loop; s; s = ir_next_in(s, loop))
    if (sets(s) && s->variable == v)
      return true;
  return false;
}

/* All else that a turn reads, or that the test does, is its own, or no turn's. */
static bool hands_on(const Reverse *r, IrStmt *loop, const Counter *c)
{
  for (IrStmt *s = loop; s; s = ir_next_in(s, loop))
    if (s->op == IR_get && (r->needed[s->id] || s->parent == loop->blocks[2]) &&
        s->variable != c->variable &&
        s->variable != loop->operands[0]->variable && !is_declared_in(r, s->variable, loop) &&
        is_changed_in(loop, s->variable))
      return true;
  return false;
}

static bool counts_elsewhere(IrStmt *loop, const Counter *c)
{
  const IrBlock *body = loop->blocks[1];

  for (IrStmt *s = ir_first(body); s; s = ir_next(s, body))
    if (sets(s) && s->variable == c->variable)
      return true;
  return false;
}

bool can_go_back(const Reverse *r, IrStmt *loop)
{
  Counter c;

  return find_counter(loop, &c) && !counts_elsewhere(loop, &c) && !hands_on(r, loop, &c);
}
