/* Statements of the row form: equal ones are one, and what is constant over a leaf stands in
 * the leaf block.  What else makes row forms stands on this file.
 */
#include "gen/passes/rows.h"

#include "gen/model/builtins.h"

#include <string.h>

/* ---- what there is ---- */

IrStmt *rows_fail(Rows *r, const IrStmt *s, const char *why)
{
  if (!r->why) {
    r->why = why;
    r->loc = s->loc;
  }
  return NULL;
}

IrStmt *rows_value(Rows *r, IrStmt *s)
{
  IrStmt *known = map_get(&r->values, s);

  return known ? known : rows_fail(r, s, "what it is made of has no row form");
}

/* ---- making ---- */

IrStmt *rows_new(Rows *r, IrOp op, const Type *type, Loc loc)
{
  return ir_stmt(r->module, op, type, loc, NULL);
}

bool rows_may_be_one(const IrStmt *s)
{
  return s->op == IR_cell || is_pure(s) ||
         (s->op == IR_get && s->variable->kind == IR_VAR_KERNEL);
}

static bool has_same_lanes(const IrStmt *a, const IrStmt *b)
{
  for (int k = 0; a->from && k < a->lanes; k++)
    if (a->from[k].operand != b->from[k].operand || a->from[k].cell != b->from[k].cell)
      return false;
  return true;
}

static bool is_equal(const IrStmt *a, const IrStmt *b)
{
  if (!is_same_operation(a, b) || a->lanes != b->lanes || a->update != b->update ||
      a->mode != b->mode || a->plain != b->plain || !has_same_lanes(a, b))
    return false;
  for (int k = 0; k < a->operand_count; k++)
    if (a->operands[k] != b->operands[k])
      return false;
  return true;
}

/* The statement that holds a block has been put by the time that the block is filled, and the leaf
 * block stands in front. */
bool rows_is_seen(const Rows *r, const IrBlock *block)
{
  const IrBlock *b = r->here;

  while (b != r->leaf && b != block)
    b = b->owner == r->each && r->by_runs               ? r->part->blocks[0]
        : b->owner == r->each || b->owner == r->part ? r->leaf
                                                     : b->owner->parent;
  return b == block;
}

static IrStmt *find_seen(const Rows *r, const IrStmt *s)
{
  const RowMade *made = map_get(&r->made, (const void *)hash_operation(s));

  while (made && !(is_equal(made->stmt, s) && rows_is_seen(r, made->stmt->parent)))
    made = made->next;
  return made ? made->stmt : NULL;
}

static void remember(Rows *r, IrStmt *s)
{
  const void *key = (const void *)hash_operation(s);
  RowMade *made = NEW(r->module->arena, RowMade);

  *made = (RowMade){ s, map_get(&r->made, key) };
  map_put(&r->made, key, made);
}

static bool is_of_leaf(const Rows *r, const IrStmt *s)
{
  return s == r->task || s->parent == r->leaf;
}

static bool is_of_part(const Rows *r, const IrStmt *s)
{
  return r->by_runs && (s == r->part || s->parent == r->part->blocks[0] || is_of_leaf(r, s));
}

/* The outermost block that has all of its operands. */
static IrBlock *block_for(const Rows *r, const IrStmt *s)
{
  bool in_leaf = rows_may_be_one(s) && !rows_may_be_outside(r, s), in_part = in_leaf && r->by_runs;

  for (int k = 0; k < s->operand_count; k++) {
    in_leaf = in_leaf && is_of_leaf(r, s->operands[k]);
    in_part = in_part && is_of_part(r, s->operands[k]);
  }
  return in_leaf ? r->leaf : in_part ? r->part->blocks[0] : r->here;
}

/* Far more vectors than there are registers, as of matrices in a cell, are no gain, and compilers
 * take minutes for them. */
enum { MOST_BYTES = 1 << 16 };

static int lane_bytes(const Type *t)
{
  return t->bits < 8 ? 4 : t->bits / 8;                /* a mask's are words */
}

IrStmt *rows_put(Rows *r, IrStmt *s)
{
  IrStmt *equal = rows_may_be_one(s) ? find_seen(r, s) : NULL;

  if (equal)
    return equal;
  r->bytes += s->lanes * lane_bytes(s->type);
  if (r->bytes > MOST_BYTES)
    rows_fail(r, s, "its vectors are too many");
  ir_append(r->module, block_for(r, s), s);
  if (rows_may_be_one(s))
    remember(r, s);
  return s;
}

IrStmt *rows_binary(Rows *r, IrOp op, const Type *type, IrStmt *left, IrStmt *right)
{
  IrStmt *s = ir_stmt(r->module, op, type, r->task->loc, left, right, NULL);

  s->lanes = left->lanes ? left->lanes : right->lanes;
  return rows_put(r, s);
}

IrStmt *rows_plain(Rows *r, IrOp op, IrStmt *left, IrStmt *right)
{
  IrStmt *s = ir_stmt(r->module, op, left->type, r->task->loc, left, right, NULL);

  s->plain = true;
  return rows_put(r, s);
}

IrStmt *rows_const(Rows *r, const Type *type, int64_t i)
{
  IrStmt *s = rows_new(r, IR_const, type, r->task->loc);

  s->value = value_cast(type, TY(I64), (Value){ .i = i });
  return rows_put(r, s);
}

/* An i64 as an i32, the least or the greatest where it is beyond. */
IrStmt *rows_within_i32(Rows *r, IrStmt *s)
{
  IrStmt *clamped;

  if (s->op == IR_cast && s->operands[0]->type == TY(I32))
    return s->operands[0];
  if (is_const(s) && s->value.i >= INT32_MIN && s->value.i <= INT32_MAX)
    return rows_const(r, TY(I32), s->value.i);
  clamped = ir_stmt(r->module, IR_builtin, TY(I64), s->loc, s, rows_const(r, TY(I64), INT32_MIN),
                    rows_const(r, TY(I64), INT32_MAX), NULL);
  clamped->builtin = BUILTIN_clamp;
  return rows_put(r, ir_stmt(r->module, IR_cast, TY(I32), s->loc, rows_put(r, clamped), NULL));
}

/* ---- leaving ---- */

bool rows_can_leave(const Rows *r)
{
  return !r->has_effect;
}

void rows_leave(Rows *r, IrStmt *outside)
{
  const IrStmt *known = map_get(&r->left, outside);
  IrStmt *leave;

  if (known && (known->parent == r->here || known->parent == r->each->blocks[0]))
    return;
  leave = rows_put(r, ir_stmt(r->module, IR_leave_row, TY(VOID), outside->loc, outside, NULL));
  map_put(&r->left, outside, leave);
}
