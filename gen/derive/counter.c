/* What a loop over parallel loops counts. */
#include "gen/derive/adjoint.h"

static bool sets(const IrStmt *s)
{
  return ir_changes(s, IR_OF_LOCAL) && s->variable;
}

/* A step `k + c`, `k - c`, of k itself. */
static bool is_step_of(const IrStmt *set, Counter *c)
{
  const IrStmt *value = set->operands[0];

  if (set->op != IR_set || (value->op != IR_add && value->op != IR_sub))
    return false;
  c->variable = set->variable;
  c->step = value->operands[1];
  c->op = value->op;
  return value->operands[0]->op == IR_get && value->operands[0]->variable == set->variable &&
         is_const(value->operands[1]);
}

bool find_counter(const IrStmt *loop, Counter *c)
{
  const IrVariable *tested = loop->operands[0]->op == IR_get ? loop->operands[0]->variable : NULL;
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

/* All else that a turn reads is its own, or no turn's. */
static bool hands_on(const Reverse *r, IrStmt *loop, const Counter *c)
{
  for (IrStmt *s = loop; s; s = ir_next_in(s, loop))
    if (s->op == IR_get && r->needed[s->id] && s->variable != c->variable &&
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
