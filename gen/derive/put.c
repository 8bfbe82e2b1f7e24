/* Statements that both derivations put. */
#include "gen/derive/derive.h"

IrStmt *put_get(Maker *make, IrVariable *v)
{
  IrStmt *s = ir_stmt(make->module, IR_get, v->type, make->loc, NULL);

  s->variable = v;
  return put(make, s);
}

static void put_to_variable(Maker *make, IrOp op, IrVariable *v, IrStmt *value)
{
  IrStmt *s = ir_stmt(make->module, op, TY(VOID), make->loc, value, NULL);

  s->variable = v;
  put(make, s);
}

void put_set(Maker *make, IrVariable *v, IrStmt *value)
{
  put_to_variable(make, IR_set, v, value);
}

void put_declare(Maker *make, IrVariable *v, IrStmt *value)
{
  put_to_variable(make, IR_declare, v, value);
}

IrStmt *put_binary(Maker *make, IrOp op, IrStmt *a, IrStmt *b)
{
  const IrOpInfo *info = &ir_op_info[op];

  return put(make, ir_stmt(make->module, op, info->result == IR_RESULT_BOOL ? TY(BOOL) : a->type,
                           make->loc, a, b, NULL));
}

IrStmt *put_if(Maker *make, IrStmt *condition)
{
  IrStmt *s = ir_stmt(make->module, IR_if, TY(VOID), make->loc, condition, NULL);

  put(make, s);
  s->blocks[0] = ir_block(make->module, s);
  s->blocks[1] = ir_block(make->module, s);
  return s;
}

Maker make_in(const Maker *make, IrBlock *block)
{
  Maker inner = *make;

  inner.block = block;
  inner.where = NULL;
  return inner;
}

Maker make_first(IrModule *m, IrBlock *block, Loc loc)
{
  return (Maker){ .module = m, .block = block, .loc = loc, .site = -1,
                  .where = block->count > 0 ? block->stmts[0] : NULL };
}

Maker make_behind(IrModule *m, IrStmt *s)
{
  const IrBlock *block = s->parent;
  int next = 0;

  while (block->stmts[next++] != s)
    continue;
  return (Maker){ .module = m, .block = s->parent, .loc = s->loc, .site = -1,
                  .where = next < block->count ? block->stmts[next] : NULL };
}
