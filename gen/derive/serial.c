/* [[serial]] foreach over ranges, as loops: what goes back goes through them from the last turn on.
 *
 *   foreach_range $a $b $c $d serial [i32 i, i32 j] {      for_range i $a $b {
 *     ..                                              =>     for_range j $c $d { .. }
 *   }                                                      }
 */
#include "gen/derive/derive.h"

/* What names index k of `loop` names that of a range now. */
static void rename_index(IrBlock *block, const IrStmt *loop, int k, IrStmt *range)
{
  for (IrStmt *s = ir_first(block); s; s = ir_next(s, block))
    if (s->op == IR_loop_index && s->operands[0] == loop && s->index == k) {
      s->operands[0] = range;
      s->index = 0;
    }
}

static IrStmt *put_range(IrModule *m, IrFunction *f, const IrStmt *loop, int k, Maker *make)
{
  const IrVariable *v = loop->variables[k];
  IrStmt *lo = make_cast(make, v->type, loop->operands[2 * k]);
  IrStmt *hi = make_cast(make, v->type, loop->operands[2 * k + 1]);
  IrStmt *range = ir_stmt(m, IR_for_range, TY(VOID), loop->loc, lo, hi, NULL);

  range->variable = make_index(m, f, v->name, v->type);
  put(make, range);
  range->blocks[0] = ir_block(m, range);
  return range;
}

static void write_ranges(IrModule *m, IrFunction *f, IrStmt *loop)
{
  Maker make = make_before(m, loop);
  IrBlock *body = loop->blocks[0];

  for (int k = 0; k < loop->variable_count; k++) {
    IrStmt *range = put_range(m, f, loop, k, &make);
    rename_index(body, loop, k, range);
    make = make_in(&make, range->blocks[0]);
  }
  for (int k = 0; k < body->count; k++)
    ir_append(m, make.block, body->stmts[k]);
  body->count = 0;
  ir_remove(loop);
}

void write_serial_loops(IrModule *m, IrFunction *f)
{
  IrStmt *next;

  for (IrStmt *s = ir_first(f->body); s; s = next) {
    next = ir_next(s, f->body);
    if (s->op == IR_foreach_range && s->manner.is_serial)
      write_ranges(m, f, s);
  }
}
