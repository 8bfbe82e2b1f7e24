/* plain_index: integer arithmetic that cannot overflow is plain C.
 *
 *   <i32> $8 = sub $i $1   =>   <i32> $8 = sub $i $1 plain
 *   <i32> $9 = div $i $2   =>   <i32> $9 = div $i $2 plain
 *
 * Needs: the module lowered.
 * Guarantees: of an add, sub or mul marked plain either the operands' ranges
 * show that the result fits, or only indices are made of it, and the language
 * lets index arithmetic assume that it does not overflow. Only signed types of
 * 32 and 64 bits: C computes the narrower ones in int, and unsigned ones wrap. Of a div or mod
 * marked plain the first operand is not negative, and the second a power of two.
 */
#include "gen/passes/tools.h"


static bool is_arithmetic(const IrStmt *s)
{
  return (s->op == IR_add || s->op == IR_sub || s->op == IR_mul) &&
         s->type->is_signed && type_is_integer(s->type) && s->type->bits >= 32;
}

/* Whether operand k of s is an index, or becomes a part of one. */
static bool is_index_operand(const IrStmt *s, int k, const bool *other)
{
  if (ir_is(s, IR_OF_ARRAY))
    return k < s->variable->extent_count;
  switch (s->op) {
  case IR_check_bounds: case IR_inside: case IR_digit:
    return true;
  case IR_cast:
    return type_is_integer(s->type) && !other[s->id];
  case IR_add: case IR_sub: case IR_mul:
    return is_arithmetic(s) && !other[s->id];
  default:
    return false;
  }
}

/* From the uses to what they use: a statement comes after its operands, so
 * backwards everything about a statement is known when it is reached. */
static void mark_uses(const IrBlock *block, bool *other)
{
  for (int k = block->count - 1; k >= 0; k--) {
    const IrStmt *s = block->stmts[k];
    for (int b = IR_BLOCKS - 1; b >= 0; b--)
      if (s->blocks[b])
        mark_uses(s->blocks[b], other);
    for (int o = 0; o < s->operand_count; o++)
      if (s->operands[o]->parent && !is_index_operand(s, o, other))
        other[s->operands[o]->id] = true;
  }
}

static bool fits(const IrStmt *s)
{
  IrRange r;

  return ir_range(s, &r);          /* known only when it does not overflow */
}

/* Shifts and masks do. */
static bool divides_plainly(const IrStmt *s)
{
  const IrStmt *by = s->operand_count == 2 ? s->operands[1] : NULL;
  IrRange x;

  return (s->op == IR_div || s->op == IR_mod) && type_is_integer(s->type) && s->type->bits >= 32 &&
         is_const(by) && by->value.i > 0 && (by->value.i & (by->value.i - 1)) == 0 &&
         ir_range(s->operands[0], &x) && x.lo >= 0;
}

static void mark_function(IrModule *m, IrFunction *f)
{
  bool *other = NEW_ARRAY(m->arena, bool, give_ids(f) + 1);

  note_declarations(f);
  mark_uses(f->body, other);
  for (IrStmt *s = ir_first(f->body); s; s = ir_next(s, f->body))
    if ((is_arithmetic(s) && (!other[s->id] || fits(s))) || divides_plainly(s))
      s->plain = true;
}

void pass_plain_index(IrModule *m)
{
  for_each_function(m, mark_function);
}
